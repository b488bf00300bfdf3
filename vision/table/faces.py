"""How a tile's face lies in the picture, by where its box lies on the table.

From a seat a lying face is half as high as it is wide, and another player's lies on its side or
its head. Where the table is known, the face can be cut out as its owner sees it.
"""

from __future__ import annotations

import numpy as np

from vision.table.placed import LENGTH, LYING_Z, STANDING_Z
from vision.table.placement import Placement
from vision.table.plane import Plane
from vision.table.zones import (
    LEANS,
    MOST_DEPTH,
    MOST_SIDEWAYS,
    PER_WIDTH_OUTSIDE,
    PER_WIDTH_SIDEWAYS,
    STANDING_EDGE,
    TURNED,
    faces_shown,
)

# A box that fits no way of lying better than this (logarithms of its sides) is not turned.
MOST_MISFIT = 0.6
# Share of its height that a face must keep to be read: less is seen at too grazing an angle.
LEAST_OPEN = 0.4
# The same of a standing face, however sure a look is of it: a hand of which one tile is a guess is
# another hand. A top looks like a face that leans back, so where an upright face keeps less than
# `LEAST_OPEN_UPRIGHT` it is a guess as well. (Of cameras behind a player 0.24 to 0.61, of cameras
# high above 0 to 0.30, nine in ten of them below 0.20.)
LEAST_OPEN_STANDING, LEAST_OPEN_UPRIGHT = 0.36, 0.24
# Above so many standing faces, so near (in their widths) and so nearly on them (in their heights),
# lie tops.
LEAST_BELOW, TOPS_NEAR, TOPS_OFF = 2, 3.0, 0.3
# A box that comes this near to the picture's border (pixels) is cut by it: of the face's side there
# nothing is known but that it is not shorter.
EDGE_PX = 1.5
# Which ends of the boxes (n x 2 each: the low ones, the high ones) the picture's border cuts.
Cut = tuple[np.ndarray, np.ndarray]
_SIGNS = np.array([(-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)])


def face_quads(boxes: np.ndarray, placement: Placement, size: tuple[int, int]) -> np.ndarray:
    """The faces' corners in the picture, each as its owner sees it.

    Args:
        boxes: n x 4, pixels of the whole picture.
        placement: Where the table lies.
        size: Width and height of the picture.

    Returns:
        n x 4 x 2 pixels: top left, top right, bottom right and bottom left of the face. NaN where
        a box is not that of a tile lying on the table with its foot to a player, or standing
        with its face to the camera. Of a face that the picture's border cuts, the corners that
        would lie beyond it: drawn out to a whole face, the upper half of a 4p is a 2p.
    """
    return _poses(boxes, placement, size)[0]


def too_grazing(
    boxes: np.ndarray,
    placement: Placement,
    size: tuple[int, int],
    printed: np.ndarray | None = None,
) -> np.ndarray:
    """Which boxes (n x 4) are sooner those of standing tiles whose faces are hardly seen.

    From above a standing hand shows a strip of each face, in which one tile is like another, and
    its tops, which are blank: what is read there is a guess. Where print was read for sure
    (`printed`, n booleans) it is no top, and the tiles lean back; they must show as much as any
    other face, as a row that is read in part is another row.
    """
    quads, stands = _poses(boxes, placement, size)
    slit = _shown_there(boxes, placement, size) < LEAST_OPEN_UPRIGHT
    if printed is not None:
        slit &= ~(printed & (openness(quads) >= LEAST_OPEN))
    return np.asarray(stands & (slit | (openness(quads) < LEAST_OPEN_STANDING)))


def on_tops(boxes: np.ndarray, placement: Placement, size: tuple[int, int]) -> np.ndarray:
    """Which boxes (n x 4) end where the standing faces beside them begin: those of their tops."""
    boxes = np.asarray(boxes, float).reshape(-1, 4)
    stands = _poses(boxes, placement, size)[1]
    sides = boxes[:, 2:] - boxes[:, :2]
    apart = np.abs((boxes[:, :2] + boxes[:, 2:])[:, None, 0] / 2 - (boxes[:, 0] + boxes[:, 2]) / 2)
    near = apart <= TOPS_NEAR * sides[:, 0]
    above = np.abs(boxes[:, None, 3] - boxes[:, 1]) <= TOPS_OFF * sides[:, 1]
    return np.asarray((near & above & stands).sum(axis=1) >= LEAST_BELOW)


def _shown_there(boxes: np.ndarray, placement: Placement, size: tuple[int, int]) -> np.ndarray:
    """Share of its height that an upright face keeps in the picture where each box (n x 4) is."""
    boxes = np.asarray(boxes, float).reshape(-1, 4)
    plane, unit = placement.plane(*size), placement.tile
    at = plane.to_table((boxes[:, :2] + boxes[:, 2:]) / 2, STANDING_Z * unit) / unit
    shown = [
        openness(_seen_at(plane, unit, _standing(seat, at, 0.0))) for seat in faces_shown(plane)
    ]
    return np.max(shown, axis=0) if shown else np.ones(len(boxes))


def _poses(
    boxes: np.ndarray, placement: Placement, size: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """The faces' corners as of `face_quads`, and which of the tiles stand."""
    boxes = np.asarray(boxes, float).reshape(-1, 4)
    if not len(boxes):
        return np.zeros((0, 4, 2)), np.zeros(0, bool)
    plane, unit = placement.plane(*size), placement.tile
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    lying = plane.to_table(middles, LYING_Z * unit) / unit
    upright = plane.to_table(middles, STANDING_Z * unit) / unit
    cut = (boxes[:, :2] <= EDGE_PX, boxes[:, 2:] >= np.array(size) - EDGE_PX)
    best = np.full((len(boxes), 4, 2), np.nan)
    least = np.full(len(boxes), np.inf)
    depths = np.stack([-_seen_by(seat, lying)[:, 1] for seat in range(4)], 1)
    deficit = depths.max(1, keepdims=True) - depths
    for seat in range(4):
        quads = _seen_at(plane, unit, _lying(seat, lying))
        cost = _misfit(quads, boxes, cut) + PER_WIDTH_SIDEWAYS * deficit[:, seat]
        cost[deficit[:, seat] > MOST_SIDEWAYS] = np.inf
        cost[np.abs(lying).max(1) * unit > MOST_DEPTH] = np.inf
        _take(best, least, quads, cost, boxes, cut)
        sideways = _misfit(_seen_at(plane, unit, _lying(seat + 1, lying)), boxes, cut)
        cost = sideways + TURNED + PER_WIDTH_SIDEWAYS * deficit[:, seat]
        cost[deficit[:, seat] > MOST_SIDEWAYS] = np.inf
        # Which way round a tile lies that is turned across cannot be told.
        _take(best, least, np.full_like(quads, np.nan), cost, boxes, cut)
    as_lying = least.copy()
    for seat in faces_shown(plane):
        depth = -_seen_by(seat, upright)[:, 1] * unit
        outside = np.maximum(STANDING_EDGE[0] - depth, depth - STANDING_EDGE[1]).clip(0) / unit
        for lean in LEANS:
            quads = _seen_at(plane, unit, _standing(seat, upright, lean))
            cost = _misfit(quads, boxes, cut) + PER_WIDTH_OUTSIDE * outside
            _take(best, least, quads, cost, boxes, cut)
    best[least > MOST_MISFIT] = np.nan
    return best, least < as_lying


def openness(quads: np.ndarray) -> np.ndarray:
    """Share of its height that each face (n x 4 x 2) keeps in the picture; NaN of no face."""
    edges = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    across, along = (edges[:, 0] + edges[:, 2]) / 2, (edges[:, 1] + edges[:, 3]) / 2
    x, y = quads[..., 0], quads[..., 1]
    area = np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(1)) / 2
    return np.asarray(area / (np.maximum(across, along / LENGTH) ** 2 * LENGTH))


def _seen_by(seat: int, points: np.ndarray) -> np.ndarray:
    turn = ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0))[seat % 4]
    return points @ np.array(turn, float).reshape(2, 2).T


def _from_seat(seat: int, points: np.ndarray) -> np.ndarray:
    return _seen_by(-seat, points)


def _lying(seat: int, at: np.ndarray) -> np.ndarray:
    """n x 4 x 3: corners of faces that lie with their feet to a seat, tile widths."""
    off = _from_seat(seat, _SIGNS * [1.0, LENGTH])
    flat = at[:, None] + off[None]
    return np.concatenate([flat, np.full((*flat.shape[:2], 1), LYING_Z)], 2)


def _standing(seat: int, at: np.ndarray, lean: float) -> np.ndarray:
    """n x 4 x 3: corners of faces that stand before a seat and lean back from it."""
    across = _SIGNS[:, 0]
    back = _SIGNS[:, 1] * LENGTH * np.sin(lean)
    high = _SIGNS[:, 1] * LENGTH * np.cos(lean)
    off = _from_seat(seat, np.stack([across, back], 1))
    flat = at[:, None] + off[None]
    heights = np.broadcast_to(high + STANDING_Z, flat.shape[:2])
    return np.concatenate([flat, heights[..., None]], 2)


def _seen_at(plane: Plane, unit: float, corners: np.ndarray) -> np.ndarray:
    """Pixels (n x 4 x 2) of corners (n x 4 x 3, tile widths)."""
    flat = corners.reshape(-1, 3) * unit
    whole = np.hstack([flat, np.ones((len(flat), 1))])
    seen = whole @ plane.projection.T
    depth = np.where(np.abs(seen[:, 2:]) < 1e-9, 1e-9, seen[:, 2:])
    return np.asarray((seen[:, :2] / depth).reshape(-1, 4, 2))


def _sides(quads: np.ndarray) -> np.ndarray:
    return np.maximum(np.ptp(quads, axis=1), 1e-6)


def _misfit(quads: np.ndarray, boxes: np.ndarray, cut: Cut) -> np.ndarray:
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 1e-6)
    off = np.log(sides / _sides(quads))
    return np.asarray(np.where(cut[0] | cut[1], np.maximum(off, 0.0), np.abs(off)).sum(1))


def _take(
    best: np.ndarray,
    least: np.ndarray,
    quads: np.ndarray,
    cost: np.ndarray,
    boxes: np.ndarray,
    cut: Cut,
) -> None:
    """Where these fit better than the best so far: they, moved and stretched into the boxes; where
    the border cuts a box, to their own length beyond it."""
    better = cost < least
    least[better] = cost[better]
    low, high = quads.min(1), quads.max(1)
    span = np.maximum(high - low, 1e-6)
    first, last = boxes[:, :2].copy(), boxes[:, 2:].copy()
    length = np.maximum(span, last - first)
    only_first, only_last = cut[0] & ~cut[1], cut[1] & ~cut[0]
    first[only_first] = (last - length)[only_first]
    last[only_last] = (first + length)[only_last]
    scale = (last - first) / span
    best[better] = ((quads - low[:, None]) * scale[:, None] + first[:, None])[better]
