"""A blank face against a back: which of the two a tile without print is, by its colour.

Many sets have a blank white dragon, and from the front it differs from a back in nothing but its
colour. The other faces of the same photo say what colour this set's faces have in this light.
"""

from __future__ import annotations

import numpy as np

from vision.calibration.outline import Outline
from vision.calibration.shape import FLAT, flattened
from vision.opencv import cv2
from vision.values import BACK, CLASSES, FACES

FACE_COUNT, BACK_AT, BLANK_AT = len(FACES), CLASSES.index(BACK), FACES.index("5z")
# A back that the classifier is surer of stays one; so many surely read faces are needed.
SURE_BACK, SURE_FACE, LEAST_FACES = 0.8, 0.9, 3
# The bare rim of a face, and its middle; shares of its side.
_RIM, _PRINT = (0.06, 0.17), slice(round(0.25 * FLAT), round(0.75 * FLAT))
# Natural logarithms: how far the tint and the brightness of one set's faces differ in a photo.
SAME_TINT, SAME_LIGHT = 0.12, 0.4
# A bare face has less print than this share of the middle face beside it.
BARE = 0.4
_DARKEST = 8.0


def uncover_blanks(answers: np.ndarray, crops: np.ndarray, outline: Outline) -> np.ndarray:
    """Answers in which a blank tile of the faces' colour is a 5z and no back.

    Args:
        answers: n x classes of one photo's tiles, of a set whose 5z is blank.
        crops: Their upright crops, n x side x side x 3.
        outline: Finds the faces in them.

    Returns:
        The same answers where no such tile is found; else a copy in which the shares of 5z and
        back have changed places.
    """
    best = answers.argmax(axis=1)
    doubtful = np.flatnonzero((best == BACK_AT) & (answers[:, BACK_AT] < SURE_BACK))
    sure = (best < FACE_COUNT) & (best != BLANK_AT) & (answers.max(axis=1, initial=0) >= SURE_FACE)
    faces = np.flatnonzero(sure)
    if not len(doubtful) or len(faces) < LEAST_FACES:
        return answers
    beside = _flat(crops[faces], outline)
    usual, most = np.median(_colours(beside), axis=0), BARE * np.median(_print(beside))
    flat = _flat(crops[doubtful], outline)
    off = _colours(flat) - usual
    tint = np.abs(off - off.mean(axis=1, keepdims=True)).max(axis=1)
    light = np.abs(off.mean(axis=1))
    blank = doubtful[(tint < SAME_TINT) & (light < SAME_LIGHT) & (_print(flat) < most)]
    if not len(blank):
        return answers
    changed = answers.copy()
    changed[blank, BLANK_AT], changed[blank, BACK_AT] = (
        answers[blank, BACK_AT],
        answers[blank, BLANK_AT],
    )
    return changed


def _flat(crops: np.ndarray, outline: Outline) -> np.ndarray:
    return flattened(crops, outline(crops))


def _colours(flat: np.ndarray) -> np.ndarray:
    """The colour of each face's rim, n x 3 natural logarithms."""
    low, high = (round(share * FLAT) for share in _RIM)
    rim = np.zeros((FLAT, FLAT), bool)
    rim[low : FLAT - low, low : FLAT - low] = True
    rim[high : FLAT - high, high : FLAT - high] = False
    return np.asarray(np.log(np.median(flat[:, rim], axis=1) + _DARKEST))


def _print(flat: np.ndarray) -> np.ndarray:
    """How strongly each face's middle is printed: contrast within it, slow changes left out."""
    found = []
    for face in flat:
        grey = cv2.cvtColor(np.ascontiguousarray(face), cv2.COLOR_BGR2GRAY).astype(np.float32)
        middle = (grey - cv2.GaussianBlur(grey, (0, 0), FLAT / 8))[_PRINT, _PRINT]
        found.append(float(middle.std() / (grey.mean() + _DARKEST)))
    return np.array(found)
