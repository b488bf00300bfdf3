"""The fourth tile of an added kong lies on top: three tiles show, the middle one higher."""

from __future__ import annotations

import random

import numpy as np
import pytest

from vision.table import Placement
from vision.table.placed import LENGTH, LYING_Z, WALL_Z, PlacedTile, seen_by
from vision.table.raised import raised_tiles
from vision.tracking.moves import melds_of
from vision.values import TileReading

SIZE = (1280, 960)
# A player's own view, and a camera that looks down steeply.
CORNERS = {
    "seat": ((0.02, 0.98), (0.98, 0.98), (0.84, 0.12), (0.16, 0.12)),
    "overhead": ((0.12, 0.97), (0.88, 0.97), (0.81, 0.06), (0.19, 0.06)),
}


def _set(view: str, seat: int, heights: tuple[float, float, float]) -> list[PlacedTile]:
    """Three alike at a seat's edge, with boxes as a careful reader draws them."""
    placement = Placement("test", view, CORNERS[view])
    plane, unit, rng = placement.plane(*SIZE), placement.tile, random.Random(seat)
    tiles = []
    for k, z in enumerate(heights):
        x, y = seen_by(-seat, 7.0 + k, -11.5)
        sides = (1.0, LENGTH, 0.0) if seat % 2 == 0 else (LENGTH, 1.0, 0.0)
        box = plane.box_of(np.array([x, y, z]) * unit, tuple(v * unit for v in sides))  # type: ignore[arg-type]
        a, b, c, d = (float(v) + rng.gauss(0, 0.5) for v in box)
        reading = TileReading("9p", 0.95, (a, b, c, d), (("9p", 0.95),), index=k)
        tiles.append(PlacedTile(reading, "meld", seat, 7.0 + k, -11.5, group=1))
    return tiles


@pytest.mark.parametrize("view", ["seat", "overhead"])
@pytest.mark.parametrize("seat", range(4))
def test_the_tile_on_top_is_found_and_makes_a_kong(view: str, seat: int) -> None:
    placement = Placement("test", view, CORNERS[view])
    plane = placement.plane(*SIZE)
    stacked = _set(view, seat, (LYING_Z, WALL_Z, LYING_Z))
    found = raised_tiles(stacked, plane, placement)
    assert set(found) == {1}
    shown = [found.get(p.tile.index, p) for p in stacked]
    assert [(kind, tile) for kind, tile, _ in melds_of(shown, seat)] == [("gang_open", "9p")]


@pytest.mark.parametrize("view", ["seat", "overhead"])
@pytest.mark.parametrize("seat", range(4))
def test_a_flat_pung_stays_a_pung(view: str, seat: int) -> None:
    placement = Placement("test", view, CORNERS[view])
    flat = _set(view, seat, (LYING_Z, LYING_Z, LYING_Z))
    assert raised_tiles(flat, placement.plane(*SIZE), placement) == {}
    assert [(kind, tile) for kind, tile, _ in melds_of(flat, seat)] == [("pong", "9p")]
