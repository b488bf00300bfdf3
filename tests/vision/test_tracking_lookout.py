"""Every place of a table is read in some window."""

from __future__ import annotations

import numpy as np

from vision.table.placement import Placement
from vision.tracking.lookout import Lookout
from vision.tracking.matching import inside

SIZE = (960, 720)
# Corners of a table near the picture's own: two windows were left out of this one.
CORNERS = ((0.0077, 0.9643), (0.9918, 1.0056), (0.8731, 0.0278), (0.1734, 0.0028))


def test_every_tile_on_the_table_lies_whole_in_a_window() -> None:
    placement = Placement("test", "overhead", CORNERS, tile=0.0808)
    plane = placement.plane(*SIZE)
    lookout = Lookout(SIZE, placement, 640)
    places = np.arange(-0.95, 0.96, 0.05)
    for x in places:
        for y in places:
            box = plane.box_of(np.array([x, y, 0.06]), (0.0808, 0.11, 0.06))
            if box.min() < 0 or (box[2:] > SIZE).any():
                continue
            assert any(inside(tuple(box), part.box, *SIZE) for part in lookout.parts), (x, y)


def test_a_window_without_table_is_not_read() -> None:
    corners = ((0.3, 0.7), (0.7, 0.7), (0.65, 0.4), (0.35, 0.4))
    placement = Placement("test", "seat", corners, tile=0.08)
    for part in Lookout(SIZE, placement, 640).parts:
        assert part.box[2] > 0.25 * SIZE[0]
        assert part.box[0] < 0.75 * SIZE[0]
