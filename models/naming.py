"""How well the classifier names tiles that are already found: labelled boxes, set by set.

With a classifier trained without a set (`zhuowu train leave-out`), this is what a stranger's set of
that kind would get.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.measure import load_yardstick
from vision.classifier import Classifier
from vision.photo import load_photo
from vision.values import FACES


@dataclass(frozen=True)
class NamedPhoto:
    """A photo's labelled faces, and which of them the classifier names rightly."""

    file: str
    source: str
    right: tuple[bool, ...]


def name_photos(folder: Path, classifier: Classifier) -> list[NamedPhoto]:
    """Let `classifier` name the labelled faces of every photo that has any.

    Args:
        folder: labelled photos (images/, labels/, manifest.json, ignore.json).
        classifier: the classifier to measure.
    """
    columns = [classifier.classes.index(tile) for tile in FACES]
    named = []
    for photo in load_yardstick(folder):
        labels = [(t, box) for t, box in photo.labels if t in FACES]
        if not labels:
            continue
        pixels = load_photo(photo.file).pixels
        answers = classifier.classify(pixels, np.array([box for _, box in labels]))
        names = [FACES[i] for i in answers[:, columns].argmax(1)]
        right = tuple(name == tile for name, (tile, _) in zip(names, labels, strict=True))
        named.append(NamedPhoto(photo.file.name, photo.source, right))
    return named


def naming_accuracy(folder: Path, classifier: Classifier, prefix: str = "") -> dict[str, float]:
    """Share of labelled faces that the classifier names rightly, by source.

    Args:
        folder: see `name_photos`.
        classifier: the classifier to measure.
        prefix: only photos whose file name starts with this.

    Returns:
        Share right by source, and "all"; empty when no photo matches.
    """
    right: dict[str, list[bool]] = defaultdict(list)
    for photo in name_photos(folder, classifier):
        if photo.file.startswith(prefix):
            right[photo.source] += photo.right
            right["all"] += photo.right
    return {source: float(np.mean(good)) for source, good in right.items()}
