"""One answer out of two: the detector's classes and the classifier's, box by box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.values import CLASSES, FACES, NONE

# How much the detector's opinion on face, back or die weighs against the classifier's. At 0 it
# would overrule it, at 1 it would be ignored; anything up to 0.6 measures alike.
GROUP_FLOOR = 0.3
# The confidence is a weighted geometric mean: the detector's score tells tiles from other things
# best, agreement on the name helps a little, and so does the slightest suspicion of "no tile".
DETECTOR_WEIGHT = 0.6
AGREEMENT_WEIGHT = 0.1
NONE_WEIGHT = 10.0
# The detector tells dice from faces, but neither what they show nor dice from other small things
# as well as several looks of the classifier do.
DIE_WEIGHT, DIE_SHARE_WEIGHT = 0.5, 2.0
DIE_NAME_WEIGHT, LEAST_DIE_NAME = 0.1, 0.02
# A back is a plain patch, and what tells it from a table or a book lies around it: the detector
# sees that. The classifier, which sees the patch, only holds back what it is sure is none.
NO_BACK_WEIGHT, LEAST_BACK_SHARE = 0.1, 0.05
GROUPS = np.array([0] * len(FACES) + [1] + [2] * 6)
DICE_START = len(FACES) + 1


@dataclass(frozen=True, eq=False)
class Fused:
    """Joint answers, one row a box.

    Attributes:
        shares: n x 41 probabilities of `CLASSES` (rows sum to one at most).
        confidences: Of the best class, out of both models' answers; 0..1, not yet calibrated.
        detector: The detector's part of it.
        rejected: Boxes that the classifier calls no tile at all.
    """

    shares: np.ndarray
    confidences: np.ndarray
    detector: np.ndarray
    rejected: np.ndarray

    @property
    def best(self) -> np.ndarray:
        """Index of the likeliest class of each box."""
        return np.asarray(self.shares.argmax(axis=1))


def seen_as_dice(detector: np.ndarray) -> np.ndarray:
    """Which boxes are dice to the detector (n x 41 class probabilities); n booleans."""
    groups = _groups(detector)
    return np.asarray(groups[:, 2] > groups[:, :2].max(axis=1))


def _groups(detector: np.ndarray) -> np.ndarray:
    """The chances that a box holds a face, a back, a die; n x 3.

    The detector may be sure of a tile and unsure of its name, which the classifier knows better:
    the chances of all names together count.
    """
    return np.stack([1 - np.prod(1 - detector[:, g == GROUPS], axis=1) for g in range(3)], axis=1)


def fuse(detector: np.ndarray, classifier: np.ndarray, classes: tuple[str, ...]) -> Fused:
    """Combine the two models.

    Args:
        detector: n x 41, independent class probabilities in the order of `CLASSES`.
        classifier: n x len(classes), rows summing to one.
        classes: The classifier's classes; dice and `none` may be missing.
    """
    groups, dice = _groups(detector), seen_as_dice(detector)
    overall = np.maximum(groups.max(axis=1), 1e-6)
    named, none = _in_order(classifier, classes)
    if CLASSES[DICE_START] not in classes:
        named = _with_detector_dice(named, detector, groups)
    floor = np.where(dice, 0.0, GROUP_FLOOR)[:, None]
    weight = floor + (1 - floor) * groups / overall[:, None]
    weighted = named * weight[:, GROUPS]
    weighted[dice, DICE_START:] *= _die_names(detector[dice])
    best = weighted.argmax(axis=1) if len(weighted) else np.zeros(0, int)
    rows = np.arange(len(weighted))
    seen = overall * weight[rows, GROUPS[best]]
    total = weighted.sum(axis=1, keepdims=True)
    shares = weighted / np.maximum(total, 1e-9) * (1 - none)[:, None]
    share = named[rows, best]
    confidences = seen**DETECTOR_WEIGHT * share ** (1 - DETECTOR_WEIGHT)
    confidences *= np.clip(detector[rows, best], 1e-3, 1) ** AGREEMENT_WEIGHT
    confidences *= share / np.maximum(share + NONE_WEIGHT * none, 1e-9)
    dice &= best >= DICE_START
    as_dice = overall**DIE_WEIGHT * share**DIE_SHARE_WEIGHT
    backs = (groups.argmax(axis=1) == 1) & (best == DICE_START - 1)
    as_backs = groups[:, 1] * _back_factors(share, none)
    confidences = np.where(backs, as_backs, np.where(dice, as_dice, confidences))
    return Fused(shares, confidences, seen, (none > share) & ~backs)


def _back_factors(share: np.ndarray, none: np.ndarray) -> np.ndarray:
    """Factors on backs, from the classifier's shares of "back" and of "no tile"."""
    held = share + LEAST_BACK_SHARE
    return np.asarray(held / (held + NO_BACK_WEIGHT * none))


def _die_names(detector: np.ndarray) -> np.ndarray:
    """Factors on the names of dice, from the detector's names; its best name's is one."""
    names = detector[:, DICE_START:] + LEAST_DIE_NAME
    return np.asarray((names / names.max(axis=1, keepdims=True)) ** DIE_NAME_WEIGHT)


def _in_order(classifier: np.ndarray, classes: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The classifier's answers in the order of `CLASSES`, and its share of "no tile"."""
    named = np.zeros((len(classifier), len(CLASSES)))
    none: np.ndarray = np.zeros(len(classifier))
    for column, name in enumerate(classes):
        if name == NONE:
            none = classifier[:, column]
        elif name in CLASSES:
            named[:, CLASSES.index(name)] = classifier[:, column]
    return named, none


def _with_detector_dice(named: np.ndarray, detector: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """A classifier without dice says nothing on boxes that the detector calls dice."""
    dice = groups[:, 2] >= groups[:, :2].max(axis=1)
    split = detector[:, DICE_START:]
    split = split / np.maximum(split.sum(axis=1, keepdims=True), 1e-6)
    out = named * ~dice[:, None]
    out[:, DICE_START:] = split * dice[:, None]
    return out
