"""Where the walls of this very table stand, and how my row of tiles looks while it stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.table.known import Standing
from vision.table.placed import LENGTH, LYING_Z, WALL_Z, PlacedTile, seen_by
from vision.table.placement import Placement
from vision.table.plane import Plane
from vision.table.zones import Zones
from vision.values import BACK, TileReading

# Depths of the walls' middle that are tried, in half table sides.
LEAST_WALL, MOST_WALL, STEP = 0.62, 0.84, 0.02
# A back within this many tile widths of a depth speaks for it: where the corners are a little off,
# the four walls do not lie equally far from the middle.
REACH = 0.6
LEAST_BACKS, LEAST_SIDES = 16, 2
LEAST_ON_SIDE = 4
LEAST_ROW = 7


def measure_walls(
    tiles: Sequence[TileReading], placement: Placement, size: tuple[int, int]
) -> tuple[int, Zones] | None:
    """The zones of a table by the backs that lie on its walls.

    Args:
        tiles: What was read.
        placement: The table.
        size: Of the picture.

    Returns:
        How many backs speak for it, and the zones; None where too few do.
    """
    backs = [tile for tile in tiles if tile.tile == BACK]
    if len(backs) < LEAST_BACKS:
        return None
    plane, unit = placement.plane(*size), placement.tile
    middles = np.array([tile.centre for tile in backs], float)
    at = plane.to_table(middles, WALL_Z * unit) / unit
    depths = np.abs(at).max(axis=1)
    sides = np.where(
        np.abs(at[:, 1]) >= np.abs(at[:, 0]),
        np.where(at[:, 1] < 0, 0, 2),
        np.where(at[:, 0] > 0, 1, 3),
    )
    best: tuple[int, float] | None = None
    for middle in np.arange(LEAST_WALL, MOST_WALL, STEP) / unit:
        near = np.abs(depths - middle) <= REACH
        on = np.bincount(sides[near], minlength=4)
        if (on >= LEAST_ON_SIDE).sum() >= LEAST_SIDES:
            found = int(np.minimum(on, 17).sum()), float(np.median(depths[near]))
            best = max(best, found) if best else found
    if best is None or best[0] < LEAST_BACKS:
        return None
    return best[0], Zones.measured(best[1], unit)


def row_looks(
    row: Sequence[TileReading], plane: Plane, placement: Placement, least: int = LEAST_ROW
) -> Standing | None:
    """How a row of faces before me looks; None with fewer than `least`."""
    if len(row) < least:
        return None
    unit = placement.tile
    at = plane.to_table(np.array([tile.centre for tile in row], float), LYING_Z * unit) / unit
    heights = []
    for tile, (x, y) in zip(row, at, strict=True):
        flat = plane.box_of(np.array([x, y, LYING_Z]) * unit, (unit, LENGTH * unit, 0.0))
        heights.append(np.log((tile.box[3] - tile.box[1]) / max(flat[3] - flat[1], 1e-6)))
    return Standing(float(np.median(-at[:, 1])), float(np.median(heights)))


def turned_place(p: PlacedTile) -> tuple[float, float]:
    """Where a tile lies as "me" sees the table."""
    return seen_by(-(p.seat or 0), p.x, p.y)
