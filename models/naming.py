"""How well the classifier names tiles that are already found: labelled boxes, set by set.

With a classifier trained without a set (`zhuowu train classifier --leave-out`), this is what a
stranger's set of that kind would get.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np

from models.measure import load_yardstick
from vision.classifier import Classifier
from vision.photo import load_photo
from vision.values import FACES


def naming_accuracy(folder: Path, classifier: Classifier, prefix: str = "") -> dict[str, float]:
    """Share of labelled faces that the classifier names rightly, by source.

    Args:
        folder: labelled photos (images/, labels/, manifest.json, ignore.json).
        classifier: the classifier to measure.
        prefix: only photos whose file name starts with this.

    Returns:
        Share right by source, and "all"; empty when no photo matches.
    """
    right: dict[str, list[bool]] = defaultdict(list)
    columns = [classifier.classes.index(tile) for tile in FACES]
    for photo in load_yardstick(folder):
        labels = [(t, box) for t, box in photo.labels if t in FACES]
        if not labels or not photo.file.name.startswith(prefix):
            continue
        pixels = load_photo(photo.file).pixels
        answers = classifier.classify(pixels, np.array([box for _, box in labels]))
        named = [FACES[i] for i in answers[:, columns].argmax(1)]
        good = [name == tile for name, (tile, _) in zip(named, labels, strict=True)]
        right[photo.source] += good
        right["all"] += good
    return {source: float(np.mean(good)) for source, good in right.items()}
