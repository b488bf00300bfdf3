"""A tile with its place on the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vision.table.placement import Placement
from vision.table.plane import Plane
from vision.values import TileReading

ROLES = ("hand", "drawn", "meld", "pond", "wall", "indicator", "dice", "loose")
# Heights of a tile's parts above the cloth, and its length, in tile widths.
LENGTH = 1.36
THICKNESS = 0.75
LYING_Z, WALL_Z, STANDING_Z = THICKNESS, 2 * THICKNESS, LENGTH / 2


@dataclass(frozen=True)
class PlacedTile:
    """One tile or die on the table.

    Attributes:
        tile: The reading; its `index` is the caller's.
        role: One of `ROLES`.
        seat: 0 me, 1 right, 2 across, 3 left; None where nobody's.
        x, y: Where it lies, in tile widths as its seat sees it (the seat at negative y); as "me"
            sees it where it is nobody's.
        across: Lies across for its seat: its long side runs along x.
        standing: Its face stands upright (a hand as its owner sees it).
        group: Tiles with the same seat, role and number lie together (a meld).
        raised: Lies on top of another tile of its set.
    """

    tile: TileReading
    role: str
    seat: int | None
    x: float
    y: float
    across: bool = False
    standing: bool = False
    group: int = 0
    raised: bool = False

    def to_json(self) -> dict[str, Any]:
        """Its role, seat and place; of a tile of an exposed set also which one."""
        place = {
            "tile": self.tile.tile,
            "role": self.role,
            "seat": self.seat,
            "x": round(self.x, 2),
            "y": round(self.y, 2),
        }
        return place | {"group": self.group} if self.role == "meld" else place


def seen_by(seat: int, x: float, y: float) -> tuple[float, float]:
    """A point of the table as a seat sees it: turned so that the seat is at negative y."""
    turns = ((x, y), (y, -x), (-x, -y), (-y, x))
    return turns[seat % 4]


@dataclass(frozen=True, eq=False)
class Ground:
    """Where a tile would lie on the table under each way it may lie there.

    All n x 2 in tile widths as "me" sees the table: `lying` on the cloth face up, on top of a
    `wall`, and `standing` with its face to "me".
    """

    lying: np.ndarray
    wall: np.ndarray
    standing: np.ndarray

    @classmethod
    def of(cls, tiles: tuple[TileReading, ...], plane: Plane, placement: Placement) -> Ground:
        """The places of `tiles` by the middles of their boxes."""
        unit = placement.tile
        pixels = np.array([tile.centre for tile in tiles], float).reshape(-1, 2)
        return cls(
            plane.to_table(pixels, LYING_Z * unit) / unit,
            plane.to_table(pixels, WALL_Z * unit) / unit,
            plane.to_table(pixels, STANDING_Z * unit) / unit,
        )


def fit_of(
    tile: TileReading, plane: Plane, unit: float, at: np.ndarray, sides: tuple[float, float, float]
) -> float:
    """How far a tile's box is from that of a block of `sides` (tile widths) at `at` (x, y, z).

    Returns:
        The sum of the absolute logarithms of the ratios of widths and heights; 0 fits exactly.
    """
    near = plane.box_of(
        np.asarray(at, float) * unit, (sides[0] * unit, sides[1] * unit, sides[2] * unit)
    )
    expected = np.maximum(near[2:] - near[:2], 1e-6)
    box = np.array(tile.box)
    seen = np.maximum(box[2:] - box[:2], 1e-6)
    return float(np.abs(np.log(seen / expected)).sum())


def lies_along_x(tile: TileReading, plane: Plane, unit: float, x: float, y: float) -> bool:
    """Whether a lying tile's long side runs along the table's x, rather than along y."""
    at = np.array([x, y, LYING_Z])
    along = fit_of(tile, plane, unit, at, (LENGTH, 1.0, 0.0))
    upright = fit_of(tile, plane, unit, at, (1.0, LENGTH, 0.0))
    return along < upright


def stands(
    tile: TileReading, plane: Plane, unit: float, standing: np.ndarray, lying: np.ndarray
) -> bool:
    """Whether a face near "me" stands upright, rather than lies on the table."""
    upright = fit_of(tile, plane, unit, np.array([*standing, STANDING_Z]), (1.0, 0.0, LENGTH))
    flat = fit_of(tile, plane, unit, np.array([*lying, LYING_Z]), (1.0, LENGTH, 0.0))
    return upright < flat


def renamed(placed: PlacedTile, tile: TileReading) -> PlacedTile:
    """The same place with another reading."""
    return replace(placed, tile=tile)
