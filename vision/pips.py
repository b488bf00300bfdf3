"""Count the pips on a die by its round spots, apart from what the model says.

It would rather say nothing than say something wrong: every face of a die looks the same when
turned by half, so spots that do not are a side face's, a reflection or noise.
"""

from __future__ import annotations

import numpy as np

from vision.classifier import crop
from vision.opencv import cv2

SIDE = 96
LEAST_BOX = 16.0
LEAST_CONTRAST = 45.0
LEAST_AREA, MOST_AREA = 0.003, 0.06
LEAST_ROUNDNESS = 0.62
CENTRE_REACH = 0.36
MIRROR_TOLERANCE = 0.055
MOST_STRAYS = 1
LEAST_COVERED = 0.6


def count_pips(pixels: np.ndarray, box: np.ndarray) -> int | None:
    """Pips on the die in `box` (x1, y1, x2, y2) of BGR `pixels`: 1 to 6.

    Returns:
        The count, or None when the spots do not make a die's face.
    """
    if min(box[2] - box[0], box[3] - box[1]) < LEAST_BOX:
        return None
    square = cv2.GaussianBlur(crop(pixels, box, SIDE), (0, 0), 1.2)
    counts = {_count(strange) for strange in strangeness(square)} - {None}
    return counts.pop() if len(counts) == 1 else None


def strangeness(square: np.ndarray) -> list[np.ndarray]:
    """How far each pixel is from the body's colour: darker parts, lighter parts, any."""
    lab = cv2.cvtColor(square, cv2.COLOR_BGR2LAB).astype(np.float32)
    quarter = SIDE // 4
    middle = lab[quarter:-quarter, quarter:-quarter].reshape(-1, 3)
    body = np.median(middle, axis=0)
    difference = lab - body
    colour = np.hypot(difference[..., 1], difference[..., 2])
    return [
        np.clip(-difference[..., 0], 0, None),
        np.clip(difference[..., 0], 0, None),
        np.hypot(difference[..., 0], colour),
    ]


def _count(strange: np.ndarray) -> int | None:
    """Pips in one map of strangeness, None when its spots make no face."""
    points, covered = _spots(strange)
    return _face(points) if covered >= LEAST_COVERED else None


def _spots(strange: np.ndarray) -> tuple[np.ndarray, float]:
    """Round spots of one size in the middle of the box.

    Returns:
        Their centres (n x 2, in shares of the side from the middle), and the share of all that
        is strange in the middle that they cover: spots that run together are not round.
    """
    inner = strange[SIDE // 5 : -SIDE // 5, SIDE // 5 : -SIDE // 5]
    height = float(np.percentile(inner, 98))
    if height < LEAST_CONTRAST:
        return np.zeros((0, 2)), 0.0
    spots = (strange > height * 0.5).astype(np.uint8)
    contours, _ = cv2.findContours(spots, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    found = [spot for contour in contours if (spot := _spot(contour)) is not None]
    if not found:
        return np.zeros((0, 2)), 0.0
    areas = np.array([area for area, _, _ in found])
    points = np.array([[x, y] for _, x, y in found]) / SIDE - 0.5
    alike = (areas > np.median(areas) / 2.2) & (areas < np.median(areas) * 2.2)
    kept = alike & (np.hypot(points[:, 0], points[:, 1]) < CENTRE_REACH)
    ys, xs = np.mgrid[0:SIDE, 0:SIDE] / SIDE - 0.5
    middle = int(spots[np.hypot(xs, ys) < CENTRE_REACH].sum())
    return points[kept], float(areas[kept].sum()) / max(middle, 1)


def _spot(contour: np.ndarray) -> tuple[float, float, float] | None:
    area = float(cv2.contourArea(contour))
    if not LEAST_AREA * SIDE * SIDE <= area <= MOST_AREA * SIDE * SIDE:
        return None
    around = float(cv2.arcLength(contour, True))
    if 4 * np.pi * area / max(around * around, 1e-6) < LEAST_ROUNDNESS:
        return None
    x, y = contour.reshape(-1, 2).mean(axis=0)
    return area, float(x), float(y)


def _face(points: np.ndarray) -> int | None:
    """How many pips `points` are, strays at the rim left out; None when they make no face."""
    for strays in range(MOST_STRAYS + 1):
        count = len(points)
        # One or two spots are always symmetric: they count only when nothing else is there.
        if count == 0 or (strays and count < 3):
            return None
        if count <= 6 and _is_face(points):
            return count
        distances = np.hypot(*(points - points.mean(axis=0)).T)
        points = np.delete(points, int(distances.argmax()), axis=0)
    return None


def _is_face(points: np.ndarray) -> bool:
    centre = points.mean(axis=0)
    if float(np.hypot(*centre)) > 0.2:
        return False
    mirrored = 2 * centre - points
    gaps = np.hypot(*(mirrored[:, None] - points[None]).transpose(2, 0, 1))
    if float(gaps.min(axis=1).max()) > MIRROR_TOLERANCE:
        return False
    spread = np.hypot(*(points - centre).T)
    middle = int((spread < 0.06).sum())
    return middle == len(points) % 2
