"""What a confidence means: fitted once on labelled pictures and written into the manifest.

The models' raw scores are mapped to the share of right reads, for faces, backs and dice apart. The
threshold and the limit under which a read is marked doubtful are then plain probabilities.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from models.evaluate import evaluate
from models.measure import PhotoScore, load_scenes
from models.sources import Scenes
from models.training import write_whole
from vision.company import APART
from vision.model_store import KINDS, open_store
from vision.reader import LEAST_SCORE, Reader

# Fewer reads than this say too little about a kind.
LEAST_READS = 40
MANY_READS = 150
PRIOR = 0.3
LEAST_STEP, MOST_LOGIT = 1e-6, 50.0
# A record of too few reads is taken together with the one most like it.
# Lone backs are most unlike others: of too few, the raw confidence stands, which is the lower one.
TOGETHER = {
    "apart": "alone",
    "only": "alone",
    "alone": "only",
    "small": "die",
    "die": "near",
    "near": "die",
}
KNOTS = 40
# A report right half of the time is worth making: below it a photo is more often exact without.
THRESHOLD = 0.5


def rising_map(reads: Sequence[tuple[float, bool]]) -> list[tuple[float, float]]:
    """A rising map from raw confidence to the share of right reads, by pool-adjacent-violators.

    Each pool counts one wrong and one right read more than it has, so that a few lucky reads do
    not come out as certain.

    Args:
        reads: (raw confidence, right) of every read.

    Returns:
        (raw, share) pairs from (0, 0), strictly rising in raw and never falling in share.
    """
    ordered = np.array(sorted(reads), np.float64)
    parts = np.array_split(ordered, min(KNOTS, max(2, len(ordered) // 12)))
    pools: list[list[float]] = []
    for part in parts:
        pools.append([float(part[:, 0].sum()), float(part[:, 1].sum()), float(len(part))])
        while len(pools) > 1 and pools[-2][1] / pools[-2][2] >= pools[-1][1] / pools[-1][2]:
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    table = [(0.0, 0.0)]
    for raw, right, count in pools:
        point = (round(raw / count, 4), round((right + 1) / (count + 2), 4))
        if point[0] > table[-1][0]:
            table.append((point[0], max(point[1], table[-1][1])))
    return table


def smooth_map(reads: Sequence[tuple[float, bool]]) -> list[tuple[float, float]]:
    """The same for a record of few reads: a logistic curve, held back by a weak prior.

    Args:
        reads: (raw confidence, right) of every read.

    Returns:
        (raw, share) pairs at 21 raw values, rising.
    """
    raw = np.array([r for r, _ in reads])
    right = np.array([good for _, good in reads], float)
    terms = np.column_stack([np.ones(len(raw)), _logit(raw)])
    weights = np.array([0.0, 1.0])
    for _ in range(30):  # Newton's steps on the penalised likelihood
        share = _logistic(terms @ weights)
        gradient = terms.T @ (share - right) + PRIOR * (weights - (0.0, 1.0))
        curvature = terms.T @ (terms * (share * (1 - share))[:, None]) + PRIOR * np.eye(2)
        step, before = np.linalg.solve(curvature, gradient), _misfit(weights, terms, right)
        # A whole step may lead too far where the reads hardly overlap.
        while _misfit(weights - step, terms, right) > before and np.abs(step).max() > LEAST_STEP:
            step = step / 2
        weights = weights - step
    weights[1] = max(weights[1], 0.0)
    knots = np.linspace(0, 1, 21)[1:-1]
    shares = _logistic(weights[0] + weights[1] * _logit(knots))
    inner = [(round(float(k), 4), round(float(s), 4)) for k, s in zip(knots, shares, strict=True)]
    return [(0.0, 0.0), *inner, (1.0, max(inner[-1][1], 0.99))]


def _misfit(weights: np.ndarray, terms: np.ndarray, right: np.ndarray) -> float:
    """What the smooth curve's weights make least: how unlikely the reads are, and the prior."""
    score = terms @ weights
    unlikely = np.logaddexp(0, score) - right * score
    return float(unlikely.sum() + PRIOR / 2 * ((weights - (0.0, 1.0)) ** 2).sum())


def _logistic(values: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -MOST_LOGIT, MOST_LOGIT))))


def _logit(values: np.ndarray) -> np.ndarray:
    held = np.clip(values, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(held / (1 - held)))


def settle(scores: Sequence[PhotoScore], threshold: float, marked: float) -> float:
    """The confidence under which reads are doubtful, so that at most the share `marked` is.

    Reads that are doubtful for another reason count.
    """
    shown = [read for s in scores for read, _ in s.judged if read.confidence >= threshold]
    values = sorted(read.confidence for read in shown if not read.doubtful)
    left = int(marked * len(shown)) - (len(shown) - len(values))
    if left <= 0:
        return threshold
    return float(values[left]) if left < len(values) else 1.0


def tune(
    folder: Path, photos: Path, scenes: Scenes | None, marked: float = 0.05
) -> dict[str, float]:
    """Fit the manifest of `folder` on labelled photos and rendered scenes.

    Backs, and tiles that lie apart from a hand, are rare in the photos: they, and only they, are
    fitted on the scenes too.

    Args:
        folder: the models with their manifest.json, which is rewritten.
        photos: labelled photos (images/, labels/, manifest.json, ignore.json).
        scenes: folders of rendered scenes that no training saw.
        marked: greatest share of reads to mark doubtful.

    Returns:
        The threshold and the doubt limit.
    """
    file = folder / "manifest.json"
    manifest = json.loads(file.read_text("utf-8"))
    for entry in manifest["models"]:
        entry.pop("calibration", None)
    manifest["doubt_below"] = 0.0  # what is doubtful now is so for another reason
    write_whole(file, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    reader = Reader(open_store(folder))
    scores = evaluate(photos, reader, least_confidence=LEAST_SCORE).scores
    reads: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for score in scores:
        for read, good in score.judged:
            reads[read.record].append((read.confidence, good))
    # In a film nobody looks again: what a small die's score is worth then is told by such a look.
    first = evaluate(photos, reader, least_confidence=LEAST_SCORE, second_look=False).scores
    reads["small"] = [
        (read.confidence, good) for s in first for read, good in s.judged if read.record == "small"
    ]
    rendered = load_scenes(scenes) if scenes else []
    for score in evaluate(rendered, reader, least_confidence=LEAST_SCORE).scores:
        for read, good in score.judged:
            if read.tile == "back" or read.record == APART:
                reads[read.record].append((read.confidence, good))
    for kind in [k for k in KINDS if len(reads[k]) < LEAST_READS and k in TOGETHER]:
        reads[kind] = reads[kind] + reads[TOGETHER[kind]]
    tables = {
        k: rising_map(reads[k]) if len(reads[k]) >= MANY_READS else smooth_map(reads[k])
        for k in KINDS
        if len(reads[k]) >= LEAST_READS
    }
    calibrated = [_calibrated(score, tables) for score in scores]
    doubt_below = settle(calibrated, THRESHOLD, marked)
    for entry in manifest["models"]:
        if entry["task"] == "classifier":
            entry["calibration"] = {k: [list(p) for p in table] for k, table in tables.items()}
    # Rounded down: rounded up, it would mark one or two reads more than it may.
    manifest |= {"threshold": THRESHOLD, "doubt_below": np.floor(doubt_below * 1e4) / 1e4}
    write_whole(file, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    return {"threshold": THRESHOLD, "doubt_below": doubt_below}


def _calibrated(score: PhotoScore, tables: dict[str, list[tuple[float, float]]]) -> PhotoScore:
    judged = []
    for read, good in score.judged:
        table = tables.get(read.record, [(0.0, 0.0), (1.0, 1.0)])
        value = float(np.interp(read.confidence, [p[0] for p in table], [p[1] for p in table]))
        judged.append((replace(read, confidence=value), good))
    return PhotoScore(score.photo, judged=judged)
