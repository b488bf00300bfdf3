"""Tiles that the picture's border cuts off: of the print on them a part is missing."""

from __future__ import annotations

import numpy as np

from vision.table.placed import LENGTH, LYING_Z, STANDING_Z
from vision.table.plane import Plane
from vision.values import TileReading

# A box that comes this near to the border (pixels) is cut by it, and what is left of the tile's
# side is less than this share.
EDGE_PX, LEAST_LEFT = 1.5, 0.85
# Extents in tile widths: lying along either axis, and standing with the face to the camera.
_LYING = ((1.0, LENGTH, 0.0), (LENGTH, 1.0, 0.0))
_STANDING = ((1.0, 0.0, LENGTH),)


def cut_off(
    tile: TileReading, plane: Plane, unit: float, size: tuple[int, int], standing: bool = False
) -> bool:
    """Whether the border hides a part of a tile.

    Half of a 4p is a 2p, and nothing in the picture says so.

    Args:
        tile: What was read.
        plane: The camera.
        unit: A tile's width on the table.
        size: Width and height of the picture.
        standing: It stands with its face to the camera; else it lies.
    """
    box = np.array(tile.box)
    seen = np.maximum(box[2:] - box[:2], 1e-6)
    cut = (box[:2] <= EDGE_PX) | (box[2:] >= np.array(size) - EDGE_PX)
    if not cut.any():
        return False
    height = (STANDING_Z if standing else LYING_Z) * unit
    at = plane.to_table(np.array([tile.centre]), height)[0]
    shares = []
    for extent in _STANDING if standing else _LYING:
        near = plane.box_of(np.array([*at, height]), _scaled(extent, unit))
        shares.append(seen / np.maximum(near[2:] - near[:2], 1e-6))
    # The side that is not cut tells how the tile lies.
    best = min(shares, key=lambda share: float(np.abs(np.log(share[~cut])).sum()))
    return bool(best[cut].min() < LEAST_LEFT)


def _scaled(extent: tuple[float, float, float], unit: float) -> tuple[float, float, float]:
    return extent[0] * unit, extent[1] * unit, extent[2] * unit
