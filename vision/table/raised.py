"""A tile on top of an exposed set: the fourth of an added kong hides the one below it.

It shows as a set of three of which one tile lies higher, and so a little farther from the camera
than the two beside it say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from vision.table.placed import LYING_Z, WALL_Z, PlacedTile
from vision.table.placement import Placement
from vision.table.plane import Plane

# Share of the shift that a tile's thickness makes, and tile widths beside it.
LEAST_SHARE, MOST_SHARE, MOST_BESIDE = 0.6, 1.6, 0.3
# A camera straight above sees no shift worth the name.
LEAST_SHIFT = 0.15


def raised_tiles(
    placed: Iterable[PlacedTile], plane: Plane, placement: Placement
) -> dict[int, PlacedTile]:
    """The tiles that lie on top of a set, by identity.

    Args:
        placed: Every tile with its role.
        plane: The camera.
        placement: The table.
    """
    groups: dict[tuple[int | None, int], list[PlacedTile]] = {}
    for p in placed:
        if p.role == "meld" and p.group > 0 and p.tile.is_face:
            groups.setdefault((p.seat, p.group), []).append(p)
    found = {}
    for tiles in groups.values():
        if len(tiles) == 3:
            top = _raised(tiles, plane, placement.tile)
            if top is not None:
                found[top.tile.index] = replace(top, raised=True)
    return found


def _raised(tiles: list[PlacedTile], plane: Plane, unit: float) -> PlacedTile | None:
    pixels = np.array([p.tile.centre for p in tiles], float)
    flat = plane.to_table(pixels, LYING_Z * unit) / unit
    # The middle one is the one that lies between the other two along their line.
    ends = max(((0, 1), (0, 2), (1, 2)), key=lambda e: float(np.hypot(*(flat[e[0]] - flat[e[1]]))))
    middle = next(k for k in range(3) if k not in ends)
    away = flat[middle] - (flat[ends[0]] + flat[ends[1]]) / 2
    higher = plane.to_table(pixels[middle : middle + 1], WALL_Z * unit)[0] / unit
    shift = flat[middle] - higher
    length = float(np.hypot(*shift))
    if length < LEAST_SHIFT:
        return None
    along = float(away @ shift) / length**2
    beside = float(np.hypot(*(away - along * shift)))
    lies_higher = LEAST_SHARE <= along <= MOST_SHARE and beside <= MOST_BESIDE
    return tiles[middle] if lies_higher else None
