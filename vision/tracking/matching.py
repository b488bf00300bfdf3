"""Which tile of a look is which that was known: by where their boxes lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from vision.boxes import areas, intersections, ious
from vision.values import Box, TileReading

SAME_IOU = 0.4
TAKEN_IOU = 0.15
# A tile of which a finger hides a part is found as a smaller box inside of its own.
INSIDE_SHARE, PART_AREA = 0.85, 0.75
EDGE_PX = 3.0


class Boxed(Protocol):
    """Something that lies in a box."""

    @property
    def box(self) -> Box:
        """Where it lies, pixels."""


def inside(box: Box, window: Box, width: int, height: int) -> bool:
    """Whether a box lies whole within a window.

    The picture's own border does not cut: after a push of the camera a tile's box may reach over
    it, as long as its middle shows.
    """
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return (
        (box[0] >= window[0] + EDGE_PX if window[0] > 0 else x >= 0)
        and (box[1] >= window[1] + EDGE_PX if window[1] > 0 else y >= 0)
        and (box[2] <= window[2] - EDGE_PX if window[2] < width else x <= width)
        and (box[3] <= window[3] - EDGE_PX if window[3] < height else y <= height)
    )


def _boxes(things: Sequence[Boxed]) -> np.ndarray:
    return np.array([thing.box for thing in things], float).reshape(-1, 4)


def paired(
    tracks: Sequence[Boxed], looks: Sequence[TileReading]
) -> tuple[dict[int, int], set[int]]:
    """Track to look, best overlap first; and the looks that show only a part of their tile."""
    if not tracks or not looks:
        return {}, set()
    first, second = _boxes(tracks), _boxes(looks)
    overlap = ious(first, second)
    within = intersections(first, second) / np.maximum(areas(second)[None, :], 1e-9)
    smaller = areas(second)[None, :] < PART_AREA * areas(first)[:, None]
    # Of a die that is half covered no pips are counted: a smaller one is another die.
    whole = np.array([tile.is_die for tile in looks])
    part = (within >= INSIDE_SHARE) & smaller & (overlap >= TAKEN_IOU) & ~whole
    score = np.where(part, np.maximum(overlap, SAME_IOU) * 0.9, overlap)
    pairs: dict[int, int] = {}
    parts: set[int] = set()
    used: set[int] = set()
    for flat in np.argsort(-score, axis=None):
        row, column = divmod(int(flat), len(looks))
        if score[row, column] < SAME_IOU * 0.9:
            break
        if row in pairs or column in used:
            continue
        pairs[row] = column
        used.add(column)
        if part[row, column]:
            parts.add(column)
    return pairs, parts


def taken(tracks: Sequence[Boxed], looks: Sequence[TileReading], pairs: dict[int, int]) -> set[int]:
    """Tracks in whose place another tile lies now."""
    if not tracks or not looks:
        return set()
    overlap = ious(_boxes(tracks), _boxes(looks))
    return {
        row
        for row in range(len(tracks))
        if row not in pairs and float(overlap[row].max()) >= TAKEN_IOU
    }


def slid(
    tracks: Sequence[Boxed], looks: Sequence[TileReading], alike: np.ndarray, pairs: dict[int, int]
) -> dict[int, int]:
    """Further pairs, of the tracks and looks that are left: what lies a little otherwise now.

    Args:
        tracks: Where tiles were known.
        looks: What is seen.
        alike: Tracks x looks: which of them may be the same tile at all.
        pairs: Those that are paired already.
    """
    if not tracks or not looks:
        return {}
    free = alike.copy()
    free[list(pairs)] = False
    free[:, list(pairs.values())] = False
    overlap = np.where(free, ious(_boxes(tracks), _boxes(looks)), 0.0)
    found: dict[int, int] = {}
    while overlap.max() >= TAKEN_IOU:
        row, column = divmod(int(overlap.argmax()), len(looks))
        found[row] = column
        overlap[row], overlap[:, column] = 0.0, 0.0
    return found


def lies_there(box: Box, tracks: Sequence[Boxed], least: float) -> bool:
    """Whether a tile is known there already."""
    return bool(tracks) and bool((ious(np.array([box]), _boxes(tracks)) >= least).any())
