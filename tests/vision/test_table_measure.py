"""Where the walls stand is measured by the backs on them, however the corners were set."""

from __future__ import annotations

import numpy as np

from tests.vision.table_scenes import camera_of, placement_of
from vision.table.measure import measure_walls
from vision.table.placed import LENGTH, WALL_Z, seen_by
from vision.values import BACK, TileReading

CAMERA = camera_of("overhead")
PLACEMENT = placement_of(CAMERA, "overhead")
SIZE = (CAMERA.size, CAMERA.size)


def backs(depths: dict[int, float], count: int, first: float = -8.0) -> list[TileReading]:
    """A row of backs before each of the seats, as deep as said."""
    plane, unit = PLACEMENT.plane(*SIZE), PLACEMENT.tile
    found = []
    for seat, depth in depths.items():
        for k in range(count):
            x, y = seen_by(-seat, first + k, -depth)
            sides = (1.0, LENGTH, 0.0) if seat % 2 == 0 else (LENGTH, 1.0, 0.0)
            sides = (sides[0] * unit, sides[1] * unit, 0.0)
            box = plane.box_of(np.array([x, y, WALL_Z]) * unit, sides)
            a, b, c, d = (float(v) for v in box)
            found.append(TileReading(BACK, 0.95, (a, b, c, d), ((BACK, 0.95),)))
    return found


def test_walls_that_lie_unequally_deep_outweigh_the_hands_behind_two_of_them() -> None:
    # The corners are a little off, so that no two opposite walls lie equally far from the middle.
    whole = measure_walls(backs({0: 9.7, 1: 9.0, 2: 8.3, 3: 9.0}, 17), PLACEMENT, SIZE)
    dealt = backs({0: 9.7}, 17) + backs({1: 9.0}, 9) + backs({2: 8.3}, 9) + backs({3: 9.0}, 2)
    later = measure_walls(dealt + backs({1: 10.2, 3: 10.2}, 14), PLACEMENT, SIZE)
    assert whole is not None
    assert later is not None
    assert whole[0] > later[0]  # so the measure of the whole walls is kept
    assert whole[1].wall is not None
    assert abs(whole[1].wall - 9.0) < 0.3
