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
# Of a measured table, tile widths: from the walls' middle to that of hands and sets, to the last
# row of discards, and by how much the walls and the sets may lie elsewhere.
BEHIND_WALL, BEFORE_WALL, WALL_PLAY, EDGE_PLAY = 1.85, 1.0, 0.2, 0.35
# How far a standing tile may lean back, radians.
LEANS = (0.0, 0.15, 0.3)
# A camera this far out sees the faces of the hand before it.
BEHIND = 0.95
# Misfits add up: logarithms of box sides, and tile widths out of the zone.
PER_WIDTH_OUTSIDE = 0.5
PER_WIDTH_SIDEWAYS = 0.4
TURNED = 0.25
STACKED = 0.15
MOST_SIDEWAYS = 3.5
# A camera that looks less steeply than this over a wall does not see all that lies behind it.
LEAST_SLOPE = 1.3
# Where exposed sets begin, at their player's right hand: beside and before the table's middle, in
# half table sides.
SETS_AT = (0.7, -0.88)


@dataclass(frozen=True)
class Zones:
    """Depths of a table's parts, in tile widths from the middle.

    Attributes:
        pond, ring, edge, standing: From and to: discards, walls, exposed sets and open hands,
            standing hands.
        wall: Middle of the walls where it was measured.
    """

    pond: tuple[float, float]
    ring: tuple[float, float]
    edge: tuple[float, float]
    standing: tuple[float, float]
    wall: float | None = None

    @classmethod
    def usual(cls, unit: float) -> Zones:
        """Of a table that has not been measured; `unit` is a tile's width in half sides."""
        pond, ring, edge, standing = (
            (low / unit, high / unit) for low, high in (POND, RING, EDGE, STANDING_EDGE)
        )
        return cls(pond, ring, edge, standing)

    @classmethod
    def measured(cls, wall: float, unit: float) -> Zones:
        """Of a table whose walls' middle lies at this depth."""
        far = max(wall + BEHIND_WALL + 0.6, MOST_DEPTH / unit)
        hand = wall + BEHIND_WALL
        return cls(
            (0.0, wall - BEFORE_WALL),
            (wall - WALL_PLAY, wall + WALL_PLAY),
            (hand - EDGE_PLAY, far),
            (hand - EDGE_PLAY, far),
            wall,
        )


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
    tiles: tuple[TileReading, ...],
    plane: Plane,
    placement: Placement,
    zones: Zones | None = None,
    on_wall: frozenset[int] | None = None,
    playing: bool = True,
    blanks: bool = False,
) -> list[tuple[Spot, ...]]:
    """For each tile, where it may lie, the best first; () when it is not on the table.

    Args:
        tiles: What was read.
        plane: The camera.
        placement: The table.
        zones: Where its parts lie; the usual places by default.
        on_wall: The only faces (`TileReading.index`) that may lie on a wall; None: any.
        playing: Somebody has discarded: before, nobody but "me" shows faces at the edge.
        blanks: A back may be a blank face, which lies in a pond.
    """
    ground = Ground.of(tiles, plane, placement)
    table = _Table(plane, placement.tile, zones or Zones.usual(placement.tile), faces_shown(plane))
    found = []
    for k, tile in enumerate(tiles):
        if tile.tile == BACK:
            options = _of_back(tile, k, ground, table, blanks)
        else:
            wall = on_wall is None or tile.index in on_wall
            options = _of_face(tile, k, ground, table, wall)
            if not playing:
                options = [s for s in options if s.zone != "edge" or s.seat == 0]
        found.append(tuple(sorted(options, key=lambda spot: spot.misfit)))
    return found


@dataclass(frozen=True)
class _Table:
    plane: Plane
    unit: float
    zones: Zones
    facing: tuple[int, ...]


def faces_shown(plane: Plane) -> tuple[int, ...]:
    """The seats whose standing hands show the camera their faces: it stands behind them."""
    camera = plane.camera()
    return tuple(seat for seat in range(4) if seen_by(seat, *camera[:2])[1] < -BEHIND)


def hidden_edges(plane: Plane) -> tuple[int, ...]:
    """The seats whose exposed sets may lie behind a wall for this camera, or out of its picture."""
    camera = plane.camera()
    hidden = []
    for seat in range(4):
        x, y = seen_by(seat, *camera[:2])
        slope = camera[2] / max(float(np.hypot(x, y + 1.0)), 1e-6)
        at = plane.to_picture(np.array([seen_by(-seat, *SETS_AT)]))[0]
        outside = bool((at < 0).any() or (at > np.array(plane.size)).any())
        if outside or (y > 0 and slope < LEAST_SLOPE):
            hidden.append(seat)
    return tuple(hidden)


def _of_face(tile: TileReading, k: int, ground: Ground, table: _Table, wall: bool) -> list[Spot]:
    options = _lying(tile, ground.lying[k], table, LYING_Z, "pond", "edge")
    options += _lying(tile, ground.wall[k], table, WALL_Z, *(("ring",) if wall else ()), "edge")
    return options + _standing(tile, ground.standing[k], table, table.facing)


def _of_back(tile: TileReading, k: int, ground: Ground, table: _Table, blanks: bool) -> list[Spot]:
    pond = ("pond",) if blanks else ()
    return [
        *_lying(tile, ground.lying[k], table, LYING_Z, *pond, "ring", "edge"),
        *_lying(tile, ground.wall[k], table, WALL_Z, "ring"),
        *_standing(tile, ground.standing[k], table, (1, 2, 3)),
    ]


def _lying(tile: TileReading, at: np.ndarray, table: _Table, z: float, *zones: str) -> list[Spot]:
    unit = table.unit
    if np.abs(at).max() * unit > MOST_DEPTH:
        return []
    where = np.array([*at, z])
    upright = fit_of(tile, table.plane, unit, where, (1.0, LENGTH, 0.0))
    sideways = fit_of(tile, table.plane, unit, where, (LENGTH, 1.0, 0.0))
    depths = [-seen_by(seat, *at)[1] for seat in range(4)]
    deepest = max(depths)
    options = []
    for seat in range(4):
        if deepest - depths[seat] > MOST_SIDEWAYS:
            continue
        own, other = (upright, sideways) if seat % 2 == 0 else (sideways, upright)
        x, y = seen_by(seat, *at)
        looks = min(own, other + TURNED)
        for zone in zones:
            outside = _outside(depths[seat], getattr(table.zones, zone))
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
    tile: TileReading, at: np.ndarray, table: _Table, seats: tuple[int, ...]
) -> list[Spot]:
    unit = table.unit
    if np.abs(at).max() * unit > MOST_DEPTH:
        return []
    options = []
    depths = [-seen_by(seat, *at)[1] for seat in range(4)]
    where = np.array([*at, STANDING_Z])
    for seat in seats:
        if max(depths) - depths[seat] > MOST_SIDEWAYS:
            continue
        looks = min(fit_of(tile, table.plane, unit, where, _leaning(seat, a)) for a in LEANS)
        misfit = (
            looks
            + PER_WIDTH_OUTSIDE * _outside(depths[seat], table.zones.standing)
            + PER_WIDTH_SIDEWAYS * (max(depths) - depths[seat])
        )
        x, y = seen_by(seat, *at)
        options.append(Spot("edge", seat, x, y, misfit, False, True))
    return options


def _leaning(seat: int, lean: float) -> tuple[float, float, float]:
    """Extent along x, y and z of a seat's standing tile that leans back."""
    deep, high = LENGTH * float(np.sin(lean)), LENGTH * float(np.cos(lean))
    return (1.0, deep, high) if seat % 2 == 0 else (deep, 1.0, high)


def _outside(depth: float, limits: tuple[float, float]) -> float:
    """Tile widths from a depth to a zone's limits."""
    return max(limits[0] - depth, depth - limits[1], 0.0)
