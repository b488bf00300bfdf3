"""A drawn tile set of bars: a score of faces as unlike each other as one suit's numbers are."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from vision.calibration.examples import Example
from vision.calibration.views import PATCH_MARGIN, PATCH_SIDE, Patch
from vision.opencv import cv2
from vision.values import FACES

SIDE = 96
BLANK = FACES.index("5z")
# Three of these six bars above a foot: as unlike each other as one suit's numbers are.
BARS = ((19, 28), (19, 54), (35, 28), (35, 54), (51, 28), (51, 54))
DRAWN = [kind for kind in range(20) if kind != BLANK]


def face(kind: int | None) -> np.ndarray:
    """A pale face with three bars above a foot; None: blank."""
    picture = np.full((90, 66, 3), 222, np.uint8)
    if kind is not None:
        cv2.rectangle(picture, (14, 64), (52, 71), (40, 60, 120), -1)
    for number in list(combinations(range(6), 3))[kind] if kind is not None else ():
        y, x = BARS[number]
        cv2.rectangle(picture, (x - 12, y - 5), (x - 1, y + 5), (40, 60, 120), -1)
        cv2.line(picture, (x - 12, y - 5), (x - 1, y + 5), (222, 222, 222), 2)
    return picture


def example(tile: str, picture: np.ndarray, side: float = 96.0) -> Example:
    longer = PATCH_SIDE / PATCH_MARGIN
    size = (round(longer * 66 / 90), round(longer))
    pixels = np.full((PATCH_SIDE, PATCH_SIDE, 3), (60, 90, 40), np.uint8)
    top, left = (PATCH_SIDE - size[1]) // 2, (PATCH_SIDE - size[0]) // 2
    pixels[top : top + size[1], left : left + size[0]] = cv2.resize(picture, size)
    return Example(tile, Patch(pixels, (float(size[0]), float(size[1]))), 0, side)


def said_of(*fits: tuple[int, float], none: float = 27.9) -> np.ndarray:
    """What pictures say of one face; other kinds fit by chance only."""
    said = np.full((1, 35), 2.0)
    for kind, fit in fits:
        said[0, kind] = fit
    said[0, 34] = none
    return said
