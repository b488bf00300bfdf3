"""What lies outside the labelled tiles of the training photos: tables, hands, racks, leaflets.

The photos label their tiles within a hull; beyond it tiles may stand unlabelled, so nothing there
may be learnt as "no tile" unasked. The models are asked: where the detector suspects anything at
all, the slightest, and the classifier does not clearly call it no tile, the region stays unknown;
the rest is background. `backgrounds.json` holds these regions for the shipped training, less
those of one series that a look at them showed to be leaflets and books: exactly the ones worth
learning.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.sources import Labelled
from vision.boxes import suppress
from vision.classifier import Classifier
from vision.detector import NMS_IOU, Detector
from vision.fusion import fuse

LEAST_SUSPICION = 0.04
# What the classifier calls no tile is background, unless the detector is as sure as this of one.
CLEARED_BELOW = 0.3
# Beside the whole photo, its four overlapping corners are looked at, each this share of it.
CORNER = 0.6
LEAST_SIDE = 700
GROWTH = 0.15


def suspects(
    detector: Detector, classifier: Classifier, picture: np.ndarray, known: Sequence[float]
) -> np.ndarray:
    """Regions of a BGR `picture` outside `known` that may show tiles; n x 4 shares (0..1)."""
    height, width = picture.shape[:2]
    parts = [(0, 0, width, height)]
    if max(height, width) > LEAST_SIDE:
        wide, high = int(width * CORNER), int(height * CORNER)
        lefts, tops = (0, width - wide), (0, height - high)
        parts += [(x, y, x + wide, y + high) for y in tops for x in lefts]
    boxes, answers = [], []
    for x1, y1, x2, y2 in parts:
        found = detector.detect(picture[y1:y2, x1:x2], LEAST_SUSPICION)
        boxes.append(found.boxes + np.array([x1, y1, x1, y1], np.float32))
        answers.append(found.probabilities)
    places, seen = np.concatenate(boxes), np.concatenate(answers)
    kept = suppress(places, seen.max(axis=1, initial=0), NMS_IOU)
    places, seen = places[kept], seen[kept]
    fused = fuse(seen, classifier.classify(picture, places), classifier.classes)
    cleared = fused.rejected & (seen.max(axis=1, initial=0) < CLEARED_BELOW)
    shares = places[~cleared] / np.array([width, height, width, height], np.float32)
    middle = (shares[:, :2] + shares[:, 2:]) / 2
    outside = ((middle < known[:2]) | (middle > known[2:])).any(1)
    margin = (shares[:, 2:] - shares[:, :2]) * GROWTH
    grown = np.concatenate([shares[:, :2] - margin, shares[:, 2:] + margin], 1)
    return np.asarray(grown[outside].clip(0, 1))


def look_at_backgrounds(
    detector: Detector, classifier: Classifier, items: Sequence[Labelled], longest: int, out: Path
) -> int:
    """Write the suspected regions of every photo to a JSON file; how many there are.

    Args:
        detector: a detector that misses little.
        classifier: a classifier that knows "no tile".
        items: photos whose `known` is the hull of their labelled tiles.
        longest: longer side at which the photos are looked at, pixels.
        out: the file: {photo: [[x1, y1, x2, y2], ...]}, shares of the photo.
    """
    found = {
        item.path.name: np.round(
            suspects(detector, classifier, item.load(longest), item.known), 3
        ).tolist()
        for item in tqdm(items, unit="photo", desc="backgrounds")
    }
    lines = (f"{json.dumps(name)}: {json.dumps(regions)}" for name, regions in found.items())
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    return sum(map(len, found.values()))
