"""Tiles of which the picture's border, or what lies before them, hides a part of the print."""

from __future__ import annotations

import numpy as np

from vision.table.placed import LENGTH, LYING_Z, STANDING_Z
from vision.table.plane import Plane
from vision.values import TileReading

# A box that comes this near to the border (pixels) is cut by it, and what is left of the tile's
# side is less than this share.
EDGE_PX, LEAST_LEFT = 1.5, 0.85
# Of a lying face less than this share of a side is seen: something hides the rest. (Of whole ones
# in films 0.93 and more, of one half hidden by a wall 0.54.)
LEAST_WHOLE, LEAST_READ = 0.8, 0.65
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


def seen_share(tile: TileReading, plane: Plane, unit: float) -> float:
    """How much of a lying tile's shorter-seen side shows, about 1 of a whole one.

    A pip of which the lower half lies behind a wall makes a 2p of a 5p.

    Args:
        tile: What was read.
        plane: The camera.
        unit: A tile's width on the table.
    """
    box = np.array(tile.box)
    seen = np.maximum(box[2:] - box[:2], 1e-6)
    at = plane.to_table(np.array([tile.centre]), LYING_Z * unit)[0]
    shares = []
    for extent in _LYING:
        near = plane.box_of(np.array([*at, LYING_Z * unit]), _scaled(extent, unit))
        shares.append(seen / np.maximum(near[2:] - near[:2], 1e-6))
    best = min(shares, key=lambda share: float(np.abs(np.log(share)).sum()))
    return float(best.min())


def _scaled(extent: tuple[float, float, float], unit: float) -> tuple[float, float, float]:
    return extent[0] * unit, extent[1] * unit, extent[2] * unit
