"""How readings are scored against labelled photos: one fixed rule.

A tile is right when a reading of the same name overlaps it with IoU of at least 0.5, each used
once. A reading whose centre lies in a region that is not counted, and that overlaps no label, is
left out. A photo is exact when every label is right and nothing else was reported. Faces, backs
and dice are counted apart.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from models.sources import Scenes, scene_files
from vision.boxes import iou
from vision.photo import load_photo
from vision.values import CLASSES, Box

KINDS = ("face", "back", "die")
MATCH_IOU = 0.5


@dataclass(frozen=True)
class Read:
    """One tile of a reading: name, confidence 0..1, box x1, y1, x2, y2 in pixels, record."""

    tile: str
    confidence: float
    box: Box
    doubtful: bool = False
    record: str = "face"


@dataclass(frozen=True)
class LabelledPhoto:
    """A photo of the yardstick: `labels` are (tile, box in pixels), `ignored` boxes in shares."""

    file: Path
    size: tuple[int, int]
    source: str
    tags: tuple[str, ...]
    unseen: bool
    labels: tuple[tuple[str, Box], ...]
    ignored: tuple[Box, ...]


@dataclass
class PhotoScore:
    """What became of one photo's tiles; the wrong reads are (read, label or None)."""

    photo: LabelledPhoto
    truth: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    located: Counter[str] = field(default_factory=Counter)
    judged: list[tuple[Read, bool]] = field(default_factory=list)
    errors: list[tuple[Read | None, str | None, Box]] = field(default_factory=list)

    @property
    def exact(self) -> bool:
        """Every label right and nothing else reported."""
        return not self.errors


def kind_of(tile: str) -> str:
    """`face`, `back` or `die`."""
    return "die" if tile.startswith("die") else "back" if tile == "back" else "face"


def load_yardstick(folder: Path) -> list[LabelledPhoto]:
    """Read a folder with images/, labels/, manifest.json and ignore.json."""
    ignored = json.loads((folder / "ignore.json").read_text("utf-8"))
    photos = []
    for item in json.loads((folder / "manifest.json").read_text("utf-8")):
        name = item["image"].rsplit(".", 1)[0]
        width, height = item["size"]
        labels = []
        for line in (folder / "labels" / f"{name}.txt").read_text().splitlines():
            kind, *numbers = line.split()
            cx, cy, w, h = (float(v) for v in numbers)
            cx, w, cy, h = cx * width, w * width, cy * height, h * height
            box = (cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)
            labels.append((CLASSES[int(kind)], box))
        photos.append(
            LabelledPhoto(
                folder / "images" / item["image"],
                (width, height),
                item["source"],
                tuple(item["tags"]),
                bool(item.get("set_unseen_in_crops_and_train_photos")),
                tuple(labels),
                tuple(tuple(region) for region in ignored.get(name, [])),
            )
        )
    return photos


def load_scenes(folders: Scenes) -> list[LabelledPhoto]:
    """Rendered scenes (`zhuowu dataset synth`) as labelled photos: everything is labelled."""
    photos = []
    for item in scene_files(folders):
        height, width = load_photo(item.path).pixels.shape[:2]
        rows = item.boxes * np.array([1, width, height, width, height])
        labels = tuple((CLASSES[int(kind)], (x1, y1, x2, y2)) for kind, x1, y1, x2, y2 in rows)
        photos.append(LabelledPhoto(item.path, (width, height), "rendered", (), True, labels, ()))
    return photos


def _match(reads: Sequence[Read], photo: LabelledPhoto, same_name: bool) -> dict[int, int]:
    """Pairs of read and label, best overlap first, each used once."""
    pairs = sorted(
        (
            (iou(read.box, box), i, j)
            for i, read in enumerate(reads)
            for j, (tile, box) in enumerate(photo.labels)
            if not same_name or read.tile == tile
        ),
        reverse=True,
    )
    by_read: dict[int, int] = {}
    used: set[int] = set()
    for value, i, j in pairs:
        if value < MATCH_IOU:
            break
        if i not in by_read and j not in used:
            by_read[i] = j
            used.add(j)
    return by_read


def score_photo(reads: Sequence[Read], photo: LabelledPhoto) -> PhotoScore:
    """Score one photo's reading."""
    score = PhotoScore(photo)
    score.truth.update(kind_of(tile) for tile, _ in photo.labels)
    right, anyhow = _match(reads, photo, True), _match(reads, photo, False)
    score.right.update(kind_of(photo.labels[j][0]) for j in right.values())
    score.located.update(kind_of(photo.labels[j][0]) for j in anyhow.values())
    for i, read in enumerate(reads):
        x = (read.box[0] + read.box[2]) / 2 / photo.size[0]
        y = (read.box[1] + read.box[3]) / 2 / photo.size[1]
        hidden = any(a <= x <= c and b <= y <= d for a, b, c, d in photo.ignored)
        if i not in right and hidden and i not in anyhow:
            continue
        score.judged.append((read, i in right))
        if i not in right:
            score.wrong[kind_of(read.tile)] += 1
            label = photo.labels[anyhow[i]][0] if i in anyhow else None
            score.errors.append((read, label, read.box))
    found = set(right.values())
    named = {anyhow[i] for i in anyhow if i not in right}
    for j, (tile, box) in enumerate(photo.labels):
        if j not in found and j not in named:
            score.errors.append((None, tile, box))
    return score


def groups(scores: Iterable[PhotoScore]) -> dict[str, list[PhotoScore]]:
    """The photos by set seen or unseen, source and tag; "all" first."""
    out: dict[str, list[PhotoScore]] = defaultdict(list)
    for score in scores:
        photo = score.photo
        seen = "set unseen in training" if photo.unseen else "set seen in training"
        for name in ("all", seen, f"source {photo.source}", *(f"tag {t}" for t in photo.tags)):
            out[name].append(score)
    return dict(out)


def row(scores: Sequence[PhotoScore], kind: str) -> dict[str, Any]:
    """Precision, recall, share located, F1 and exact photos of one kind in one group."""

    def total(part: Callable[[PhotoScore], Mapping[str, int]]) -> int:
        return sum(part(s).get(kind, 0) for s in scores)

    truth, right = total(lambda s: s.truth), total(lambda s: s.right)
    wrong, located = total(lambda s: s.wrong), total(lambda s: s.located)
    having = [s for s in scores if s.truth[kind]]
    return {
        "photos": len(having),
        "tiles": truth,
        "precision": right / max(right + wrong, 1),
        "recall": right / max(truth, 1),
        "located": located / max(truth, 1),
        "f1": 2 * right / max(truth + right + wrong, 1),
        "exact": sum(s.exact for s in having),
    }


def per_class(scores: Sequence[PhotoScore]) -> dict[str, tuple[int, int, int]]:
    """Labels, right reads and wrong reads of each class."""
    labels: Counter[str] = Counter(t for s in scores for t, _ in s.photo.labels)
    right = Counter(read.tile for s in scores for read, good in s.judged if good)
    wrong = Counter(read.tile for s in scores for read, good in s.judged if not good)
    return {t: (labels[t], right[t], wrong[t]) for t in CLASSES if labels[t] or wrong[t]}


def confusions(scores: Sequence[PhotoScore]) -> Counter[tuple[str, str]]:
    """(label, read) pairs of located tiles with the wrong name."""
    return Counter(
        (label, read.tile) for s in scores for read, label, _ in s.errors if read and label
    )


def reliability(
    scores: Sequence[PhotoScore],
    edges: Sequence[float] = (0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1),
) -> list[tuple[float, float, int, float, float]]:
    """Bins of confidence: from, to, reads, mean confidence, share right."""
    judged = [(read.confidence, good) for s in scores for read, good in s.judged]
    out = []
    for low, high in pairwise(edges):
        inside = [(c, g) for c, g in judged if low <= c < high or (high == 1 and c == 1)]
        if inside:
            mean = float(np.mean([c for c, _ in inside]))
            share = float(np.mean([g for _, g in inside]))
            out.append((low, high, len(inside), mean, share))
    return out


def doubt_figures(scores: Sequence[PhotoScore]) -> dict[str, float]:
    """Wrong reads not marked doubtful per 1,000 reads, and the share of reads marked."""
    judged = [(read.doubtful, good) for s in scores for read, good in s.judged]
    total = max(len(judged), 1)
    silent = sum(not doubtful and not good for doubtful, good in judged)
    marked = sum(doubtful for doubtful, _ in judged)
    return {"wrong_unmarked_per_1000": 1000 * silent / total, "marked": marked / total}
