"""The yardstick: our scoring must be the rule of the shared evaluation tool, figure for figure."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from models.measure import (
    LabelledPhoto,
    PhotoScore,
    Read,
    confusions,
    doubt_figures,
    groups,
    load_yardstick,
    reliability,
    row,
    score_photo,
)
from models.tune import rising_map, settle, smooth_map
from vision.boxes import iou

SHARED = Path(__file__).parents[2].parent / "shared"
needs_shared = pytest.mark.skipif(
    not (SHARED / "photos" / "eval").exists(), reason="the shared photos are not beside the project"
)


def photo(*labels: tuple[str, tuple[float, float, float, float]], ignored=()) -> LabelledPhoto:
    return LabelledPhoto(Path("x.jpg"), (100, 100), "s", ("row",), False, labels, ignored)


def test_iou_of_half_overlapping_squares() -> None:
    # Two 10 x 10 squares shifted by half: 50 shared, 150 in all.
    assert iou((0, 0, 10, 10), (5, 0, 15, 10)) == pytest.approx(1 / 3)


def test_a_right_tile_counts_once_even_when_read_twice() -> None:
    target = photo(("5m", (0, 0, 10, 10)))
    reads = [Read("5m", 0.9, (0, 0, 10, 10)), Read("5m", 0.8, (0, 0, 10, 9))]
    score = score_photo(reads, target)
    assert (score.right["face"], score.wrong["face"], score.exact) == (1, 1, False)


def test_a_read_in_an_ignored_region_is_not_counted() -> None:
    target = photo(("5m", (0, 0, 10, 10)), ignored=((0.5, 0.5, 1.0, 1.0),))
    reads = [Read("5m", 0.9, (0, 0, 10, 10)), Read("1s", 0.8, (70, 70, 80, 80))]
    assert score_photo(reads, target).exact


def test_a_wrong_name_is_one_error_and_a_confusion() -> None:
    score = score_photo([Read("3z", 0.9, (0, 0, 10, 10))], photo(("2z", (0, 0, 10, 10))))
    assert len(score.errors) == 1
    assert confusions([score]) == {("2z", "3z"): 1}


def test_doubtful_errors_are_not_silent() -> None:
    target = photo(("2z", (0, 0, 10, 10)), ("5m", (20, 0, 30, 10)))
    marked = score_photo(
        [Read("3z", 0.9, (0, 0, 10, 10), True), Read("5m", 0.9, (20, 0, 30, 10))], target
    )
    silent = score_photo(
        [Read("3z", 0.9, (0, 0, 10, 10)), Read("5m", 0.9, (20, 0, 30, 10))], target
    )
    assert doubt_figures([marked]) == {"wrong_unmarked_per_1000": 0.0, "marked": 0.5}
    assert doubt_figures([silent]) == {"wrong_unmarked_per_1000": 500.0, "marked": 0.0}


def scored(confidence_and_right: list[tuple[float, bool]]) -> PhotoScore:
    score = PhotoScore(photo())
    score.judged = [(Read("1m", c, (0, 0, 1, 1)), good) for c, good in confidence_and_right]
    return score


def test_reliability_counts_every_read_once() -> None:
    lines = reliability([scored([(0.4, False), (0.55, True), (1.0, True), (0.99, False)])])
    assert sum(n for _, _, n, _, _ in lines) == 4
    assert lines[-1][4] == 0.5


def test_calibration_rises_and_meets_the_shares() -> None:
    # Reads at 0.9 that are right half of the time must come out near 0.5.
    rng = random.Random(1)
    reads = [(0.9 + rng.random() / 100, rng.random() < 0.5) for _ in range(600)]
    reads += [(0.99 + rng.random() / 200, True) for _ in range(600)]
    pairs = rising_map(reads)
    assert [p[0] for p in pairs] == sorted({p[0] for p in pairs})
    assert [p[1] for p in pairs] == sorted(p[1] for p in pairs)
    inner = [share for raw, share in pairs if 0.9 <= raw < 0.99]
    assert inner == [pytest.approx(0.5, abs=0.15)] * len(inner)
    assert pairs[-1][1] > 0.98


def test_doubts_take_the_least_sure_twentieth() -> None:
    # 100 reads from 0.50 to 0.995: marking at most 5 % leaves the limit at the fifth lowest.
    score = scored([(0.5 + k / 200, True) for k in range(100)])
    assert settle([score], threshold=0.5, marked=0.05) == pytest.approx(0.525, abs=1e-9)


@needs_shared
def test_agrees_with_the_shared_tool(tmp_path: Path) -> None:
    """Readings with random faults score the same here and by ../shared/tools/evaluate.py."""
    folder = SHARED / "photos" / "eval"
    rng = random.Random(3)
    photos = load_yardstick(folder)
    names = [tile for p in photos for tile, _ in p.labels]
    scores, lines = [], []
    for target in photos:
        reads = []
        for tile, box in target.labels:
            if rng.random() < 0.1:
                continue
            name = rng.choice(names) if rng.random() < 0.2 else tile
            shift = rng.uniform(0, 0.6) * (box[2] - box[0]) if rng.random() < 0.2 else 0.0
            reads.append(Read(name, 0.9, (box[0] + shift, box[1], box[2] + shift, box[3])))
        for _ in range(rng.randrange(4)):
            x, y = rng.uniform(0, target.size[0]), rng.uniform(0, target.size[1])
            reads.append(Read(rng.choice(names), 0.9, (x, y, x + 30, y + 40)))
        scores.append(score_photo(reads, target))
        tiles = [{"tile": r.tile, "confidence": r.confidence, "box": r.box} for r in reads]
        lines.append(json.dumps({"image": target.file.name, "tiles": tiles}))
    reading = tmp_path / "read.jsonl"
    reading.write_text("\n".join(lines))
    tool = SHARED / "tools" / "evaluate.py"
    printed = subprocess.run(
        [sys.executable, str(tool), str(folder), str(reading), "--json"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    theirs = json.loads(printed)["groups"]
    ours = groups(scores)
    assert set(ours) == set(theirs)
    for name, kinds in theirs.items():
        for kind, figures in kinds.items():
            mine = row(ours[name], kind)
            for key, value in figures.items():
                assert mine[key] == pytest.approx(value, abs=6e-5), (name, kind, key)


def test_few_reads_give_a_smooth_rising_curve() -> None:
    """Wrong below 0.4 and right above 0.5: one half in between, never quite certain."""
    reads = [(0.1 + 0.02 * k, False) for k in range(15)] + [
        (0.5 + 0.02 * k, True) for k in range(25)
    ]
    table = smooth_map(reads)
    values = [share for _, share in table]
    assert values == sorted(values)

    def at(raw: float) -> float:
        return float(np.interp(raw, *zip(*table, strict=True)))

    assert at(0.2) < 0.2
    assert 0.35 < at(0.45) < 0.65
    assert 0.9 < at(0.8) < 1
