"""Which finds stand by other tiles: what stands in a row of tiles is likelier to be one.

Leaflets, table edges and prints are taken for tiles now and then, but seldom beside real ones of
their size; a tile that is hard to see mostly stands beside others. The tile that is turned over to
find the jokers lies by itself, but is as large as the tiles of the hand. And a photo may show one
tile and nothing else. So there are four kinds of company, each with its own record of right reads.
"""

from __future__ import annotations

import numpy as np

# A neighbour is sure from this raw confidence, of like size within this factor, and at most this
# many of the find's own sides away.
SURE = 0.45
LIKE_SIZE = 1.6
REACH = 1.5
# So many sure faces say how large a tile is in this photo. The turned tile lies farther away, on
# the wall, and flat: it may look smaller by this factor.
MANY, FARTHER = 8, 2.0
# A die counts as something else in the photo from this raw confidence.
SURE_DIE = 0.3

# A back has company in whatever may be a tile of its size, from this raw confidence.
SURE_OF_BACKS = 0.12

BESIDE, APART, ONLY, ALONE = "face", "apart", "only", "alone"
WITH_OTHERS, LONE = "back", "lone"


def company(
    boxes: np.ndarray,
    confidences: np.ndarray,
    faces: np.ndarray,
    dice: np.ndarray,
    placed: bool = False,
) -> list[str]:
    """What company each box is in.

    Args:
        boxes: n x 4, x1 y1 x2 y2 in pixels.
        confidences: n raw confidences.
        faces: n booleans: the find is a tile's face that would be shown.
        dice: n booleans: it is a die that would be shown.
        placed: a whole table is watched, whose place is known. The tops and sides of its tiles are
            as large as faces, and where the turned tile lies is known: nothing is APART.

    Returns:
        For each box BESIDE (a sure face of like size is near), APART (none is near, but it is as
        large as the many sure faces elsewhere, or as if a little farther away), ONLY (there is no
        other sure face and no die in the photo) or ALONE (there is, but not near, or of another
        size).
    """
    if not len(boxes):
        return []
    sure = faces & (confidences >= SURE)
    beside, like = _beside(boxes, sure), _as_large(boxes, sure) & (not placed)
    others = (sure | (dice & (confidences >= SURE_DIE))).sum() - sure
    return [
        BESIDE if near_one else APART if as_large else ALONE if elsewhere else ONLY
        for near_one, as_large, elsewhere in zip(beside, like, others > 0, strict=True)
    ]


def _as_large(boxes: np.ndarray, sure: np.ndarray) -> np.ndarray:
    """Whether each box is as large as the sure faces mostly are, or as if farther away.

    No box is, if they are few.
    """
    if sure.sum() < MANY:
        return np.zeros(len(boxes), bool)
    sides = np.sqrt((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))
    ratio = sides / max(float(np.median(sides[sure])), 1e-9)
    return np.asarray((ratio > 1 / FARTHER) & (ratio < LIKE_SIZE))


def company_of_backs(boxes: np.ndarray, confidences: np.ndarray, tiles: np.ndarray) -> list[str]:
    """What company each box would be in as a back.

    A lid or a card is taken for a back now and then, but seldom beside tiles; backs stand in walls.

    Args:
        boxes: n x 4, x1 y1 x2 y2 in pixels.
        confidences: n raw confidences.
        tiles: n booleans: the find is a tile's face or back that would be shown.

    Returns:
        For each box WITH_OTHERS (something like a tile, of like size, is near) or LONE.
    """
    beside = _beside(boxes, tiles & (confidences >= SURE_OF_BACKS))
    return [WITH_OTHERS if near_one else LONE for near_one in beside]


def _beside(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Whether each box has one of the `others`, of like size, near it."""
    sides = np.sqrt((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    gaps = np.maximum(np.maximum(low - boxes[None, :, 2:], boxes[None, :, :2] - high), 0)
    near = np.hypot(gaps[..., 0], gaps[..., 1]) < REACH * sides[:, None]
    ratio = sides[None, :] / np.maximum(sides[:, None], 1e-9)
    neighbour = near & (ratio > 1 / LIKE_SIZE) & (ratio < LIKE_SIZE) & others[None, :]
    np.fill_diagonal(neighbour, False)
    return np.asarray(neighbour.any(axis=1))
