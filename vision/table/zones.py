"""What a place on the table is for, and how well a tile's looks agree with lying there.

Depths count from the table's middle towards a seat, in half table sides. Where a real table
lays out its parts a little differently, a tile's looks (upright, lying, on top of the wall) and
what it shows (a face, a back) decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.table.placed import (
    LENGTH,
    LYING_Z,
    STANDING_Z,
    WALL_Z,
    Ground,
    fit_of,
    seen_by,
)
from vision.table.placement import Placement
from vision.table.plane import Plane
from vision.values import BACK, TileReading

POND = (0.0, 0.6)
RING = (0.6, 0.8)
EDGE = (0.8, 1.02)
STANDING_EDGE = (0.8, 1.05)
MOST_DEPTH = 1.15
# A camera this far out sees the faces of the hand before it.
BEHIND = 0.95
# Misfits add up: logarithms of box sides, and tile widths out of the zone.
PER_WIDTH_OUTSIDE = 0.5
PER_WIDTH_SIDEWAYS = 0.4
TURNED = 0.25
STACKED = 0.15
MOST_SIDEWAYS = 3.5


@dataclass(frozen=True)
class Spot:
    """One way a tile may lie, and how badly that fits.

    Attributes:
        zone: `"pond"`, `"ring"` or `"edge"`.
        seat: Whose, 0..3.
        x, y: Tile widths as the seat sees it.
        misfit: The lower the better.
        across: Its long side runs along the seat's x.
        standing: Its face or back stands upright.
        top: It lies on another tile.
    """

    zone: str
    seat: int
    x: float
    y: float
    misfit: float
    across: bool = False
    standing: bool = False
    top: bool = False


def spots(
    tiles: tuple[TileReading, ...], plane: Plane, placement: Placement
) -> list[tuple[Spot, ...]]:
    """For each tile, where it may lie, the best first; () when it is not on the table."""
    ground = Ground.of(tiles, plane, placement)
    facing = faces_shown(plane)
    found = []
    for k, tile in enumerate(tiles):
        if tile.tile == BACK:
            options = _of_back(tile, k, ground, plane, placement)
        else:
            options = _of_face(tile, k, ground, plane, placement, facing)
        found.append(tuple(sorted(options, key=lambda spot: spot.misfit)))
    return found


def faces_shown(plane: Plane) -> tuple[int, ...]:
    """The seats whose standing hands show the camera their faces: it stands behind them."""
    camera = plane.camera()
    return tuple(seat for seat in range(4) if seen_by(seat, *camera[:2])[1] < -BEHIND)


def _of_face(
    tile: TileReading,
    k: int,
    ground: Ground,
    plane: Plane,
    placement: Placement,
    facing: tuple[int, ...],
) -> list[Spot]:
    options = [
        *_lying(tile, ground.lying[k], plane, placement, LYING_Z, ("pond", POND), ("edge", EDGE)),
        *_lying(tile, ground.wall[k], plane, placement, WALL_Z, ("ring", RING), ("edge", EDGE)),
    ]
    return options + _standing(tile, ground.standing[k], plane, placement, facing)


def _of_back(
    tile: TileReading, k: int, ground: Ground, plane: Plane, placement: Placement
) -> list[Spot]:
    return [
        *_lying(tile, ground.lying[k], plane, placement, LYING_Z, ("ring", RING), ("edge", EDGE)),
        *_lying(tile, ground.wall[k], plane, placement, WALL_Z, ("ring", RING)),
        *_standing(tile, ground.standing[k], plane, placement, (1, 2, 3)),
    ]


def _lying(
    tile: TileReading,
    at: np.ndarray,
    plane: Plane,
    placement: Placement,
    z: float,
    *zones: tuple[str, tuple[float, float]],
) -> list[Spot]:
    unit = placement.tile
    if np.abs(at).max() * unit > MOST_DEPTH:
        return []
    where = np.array([*at, z])
    upright = fit_of(tile, plane, unit, where, (1.0, LENGTH, 0.0))
    sideways = fit_of(tile, plane, unit, where, (LENGTH, 1.0, 0.0))
    depths = [-seen_by(seat, *at)[1] for seat in range(4)]
    deepest = max(depths)
    options = []
    for seat in range(4):
        if deepest - depths[seat] > MOST_SIDEWAYS:
            continue
        own, other = (upright, sideways) if seat % 2 == 0 else (sideways, upright)
        x, y = seen_by(seat, *at)
        looks = min(own, other + TURNED)
        for zone, limits in zones:
            outside = _outside(depths[seat], limits, unit)
            misfit = (
                looks
                + PER_WIDTH_OUTSIDE * outside
                + PER_WIDTH_SIDEWAYS * (deepest - depths[seat])
                + (STACKED if z == WALL_Z and zone == "edge" else 0.0)
            )
            across = other + TURNED < own
            options.append(Spot(zone, seat, x, y, misfit, across, False, z == WALL_Z))
    return options


def _standing(
    tile: TileReading, at: np.ndarray, plane: Plane, placement: Placement, seats: tuple[int, ...]
) -> list[Spot]:
    unit = placement.tile
    if np.abs(at).max() * unit > MOST_DEPTH:
        return []
    options = []
    depths = [-seen_by(seat, *at)[1] for seat in range(4)]
    for seat in seats:
        if max(depths) - depths[seat] > MOST_SIDEWAYS:
            continue
        sides = (1.0, 0.0, LENGTH) if seat % 2 == 0 else (0.0, 1.0, LENGTH)
        looks = fit_of(tile, plane, unit, np.array([*at, STANDING_Z]), sides)
        misfit = (
            looks
            + PER_WIDTH_OUTSIDE * _outside(depths[seat], STANDING_EDGE, unit)
            + PER_WIDTH_SIDEWAYS * (max(depths) - depths[seat])
        )
        x, y = seen_by(seat, *at)
        options.append(Spot("edge", seat, x, y, misfit, False, True))
    return options


def _outside(depth: float, limits: tuple[float, float], unit: float) -> float:
    """Tile widths from a depth (tile widths) to a zone's limits (half sides)."""
    low, high = limits[0] / unit, limits[1] / unit
    return max(low - depth, depth - high, 0.0)
