"""Count the pips on a die by looking for round spots, apart from what the model says."""

from __future__ import annotations

import numpy as np

from vision.classifier import crop
from vision.opencv import cv2

SIDE = 96
LEAST_AREA = 0.004
MOST_AREA = 0.12
LEAST_ROUNDNESS = 0.6


def count_pips(pixels: np.ndarray, box: np.ndarray) -> int | None:
    """Spots on the die in `box` of BGR `pixels`: 1 to 6, or None when it cannot be told.

    The spots are looked for in the middle of the box on each of the three colour planes (a
    red pip on white hides in the red plane), dark on light and light on dark.
    """
    if min(box[2] - box[0], box[3] - box[1]) < 16:
        return None
    square = cv2.GaussianBlur(crop(pixels, box, SIDE), (3, 3), 0)
    counts: list[int] = []
    for plane in (square[..., 0], square[..., 1], cv2.cvtColor(square, cv2.COLOR_BGR2GRAY)):
        for picture in (plane, 255 - plane):
            counts.append(_spots(picture))
    likely = [n for n in counts if 1 <= n <= 6]
    if not likely:
        return None
    values, votes = np.unique(likely, return_counts=True)
    top = int(votes.max())
    winners = values[votes == top]
    return int(winners[0]) if top >= 2 and len(winners) == 1 else None


def _spots(picture: np.ndarray) -> int:
    """Dark round spots of similar size in the middle of a square picture."""
    low, high = np.percentile(picture, (2, 85))
    if high - low < 40:
        return 0
    dark = (picture < (low + high) / 2).astype(np.uint8)
    contours, _ = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    areas = [area for contour in contours if (area := _spot_area(contour)) is not None]
    if not areas:
        return 0
    typical = float(np.median(areas))
    return sum(typical / 2.2 <= area <= typical * 2.2 for area in areas)


def _spot_area(contour: np.ndarray) -> float | None:
    area = float(cv2.contourArea(contour))
    if not LEAST_AREA * SIDE * SIDE <= area <= MOST_AREA * SIDE * SIDE:
        return None
    x, y, width, height = cv2.boundingRect(contour)
    middle_x, middle_y = x + width / 2, y + height / 2
    border = SIDE * 0.12
    if not (border < middle_x < SIDE - border and border < middle_y < SIDE - border):
        return None
    around = float(cv2.arcLength(contour, True))
    roundness = 4 * np.pi * area / max(around * around, 1e-6)
    return area if roundness >= LEAST_ROUNDNESS else None
