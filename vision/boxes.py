"""Axis-aligned boxes as arrays n x 4 of x1, y1, x2, y2 in pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

LEAST_FILLED = 0.45
# A box that ends so near to the photo's border is cut by it: pixels, or a share of its longer side.
_NEAR, _NEAR_SHARE = 2.0, 0.02


def areas(boxes: np.ndarray) -> np.ndarray:
    """Area of each box."""
    sides = np.clip(boxes[:, 2:4] - boxes[:, 0:2], 0, None)
    return np.asarray(sides[:, 0] * sides[:, 1])


def intersections(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Shared area of every pair, n x m."""
    low = np.maximum(first[:, None, 0:2], second[None, :, 0:2])
    high = np.minimum(first[:, None, 2:4], second[None, :, 2:4])
    sides = np.clip(high - low, 0, None)
    return np.asarray(sides[..., 0] * sides[..., 1])


def iou(a: Sequence[float], b: Sequence[float]) -> float:
    """Intersection over union of two single boxes, without arrays."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


def ious(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Intersection over union of every pair, n x m."""
    shared = intersections(first, second)
    union = areas(first)[:, None] + areas(second)[None, :] - shared
    return np.asarray(shared / np.maximum(union, 1e-9))


def suppress(boxes: np.ndarray, scores: np.ndarray, limit: float) -> np.ndarray:
    """Class-agnostic non-maximum suppression: kept indices, best score first."""
    order = np.argsort(-scores, kind="stable")
    kept: list[int] = []
    while len(order):
        best, rest = order[0], order[1:]
        kept.append(int(best))
        order = rest[ious(boxes[best : best + 1], boxes[rest])[0] <= limit]
    return np.array(kept, dtype=int)


def nested(boxes: np.ndarray, scores: np.ndarray, share: float) -> np.ndarray:
    """Marks boxes that lie to at least `share` of their area in one better-scored box.

    So are boxes around a better-scored one that fills nearly half of them: the same thing again.
    """
    size = areas(boxes)
    inside = intersections(boxes, boxes) / np.maximum(size[:, None], 1e-9)
    better = scores[None, :] > scores[:, None]
    around = (share <= inside.T) & (size[None, :] >= LEAST_FILLED * size[:, None])
    return np.asarray((((inside >= share) | around) & better).any(axis=1))


def twins(boxes: np.ndarray, scores: np.ndarray, names: np.ndarray, share: float) -> np.ndarray:
    """Marks boxes that overlap a better-scored one of the same name: one thing found twice.

    Args:
        boxes: n x 4.
        scores: n; between equals the first is better.
        names: n integers.
        share: Intersection over union from which two boxes show the same thing.
    """
    alike = (ious(boxes, boxes) >= share) & (names[:, None] == names[None, :])
    marked = np.zeros(len(boxes), bool)
    for row in np.argsort(-scores, kind="stable"):
        if not marked[row]:
            again = alike[row].copy()
            again[row] = False
            marked |= again & (scores <= scores[row])
    return marked


def hull(boxes: np.ndarray) -> np.ndarray:
    """The smallest box that holds all `boxes`."""
    return np.concatenate([boxes[:, 0:2].min(axis=0), boxes[:, 2:4].max(axis=0)])


def cut_sides(boxes: np.ndarray, width: int, height: int) -> np.ndarray:
    """Which sides of boxes (n x 4 pixels) the border of a photo cuts: n x 4 booleans."""
    if not len(boxes):
        return np.zeros((0, 4), bool)
    longer = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, keepdims=True)
    room = np.concatenate([boxes[:, :2], [width, height] - boxes[:, 2:]], axis=1)
    return np.asarray(room <= np.maximum(_NEAR, _NEAR_SHARE * longer))
