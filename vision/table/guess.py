"""A first guess at where the table lies, for the user to mend: from the tiles that show.

The guess tries cameras on a coarse grid (how steep, how far, how long a lens) that put the hand
row before "me", or from above the middle of everything, and keeps the one under which most tiles
lie where such tiles lie.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.table.placed import LENGTH
from vision.table.placement import USUAL_TILE, Placement, PlacementError
from vision.table.plane import CORNERS
from vision.table.zones import spots
from vision.values import TileReading

GUESSED = "guess"
LEAST_TILES = 8
TILTS = tuple(np.deg2rad((25, 32, 40, 48, 57, 67, 78, 89)))
DISTANCES = (2.2, 2.8, 3.6, 4.8)
LEAST_TILT, LEAST_DISTANCE = np.deg2rad(15), 1.6
# How far the best of the grid is moved along tilt, distance, growth and both shifts, ever less.
AXES = (0.1, 0.4, 0.1, 0.08, 0.08)
STEPS = (1.0, 0.5, 1.0, 0.5, 0.25, 0.25)
OFF_TABLE = 2.0
MOST_MISFIT = 2.0
MOST_TRIED = 40


def guess_placement(
    tiles: Sequence[TileReading], size: tuple[int, int], name: str = GUESSED
) -> Placement | None:
    """Where the table may lie.

    Args:
        tiles: What was read in one frame.
        size: Width and height of the frame.
        name: Name of the placement.

    Returns:
        The likeliest placement; None when too few tiles show to say anything.
    """
    known = tuple(tile for tile in tiles if not tile.is_die)
    if len(known) < LEAST_TILES:
        return None
    sample = known[:: max(1, len(known) // MOST_TRIED)]

    def weighed(camera: tuple[float, ...]) -> tuple[float, tuple[float, ...], Placement | None]:
        placement = _fitted(known, size, camera, name)
        worst = float("inf")
        return (worst if placement is None else _misfit(sample, placement, size)), camera, placement

    best = min(
        (weighed((tilt, distance, 0.0, 0.0, 0.0)) for tilt in TILTS for distance in DISTANCES),
        key=lambda found: found[0],
    )
    for step in STEPS:
        for axis, width in enumerate(AXES):
            for sign in (-1.0, 1.0):
                camera = list(best[1])
                camera[axis] += sign * step * width
                best = min(best, weighed(tuple(camera)), key=lambda found: found[0])
    return best[2]


def _fitted(
    tiles: Sequence[TileReading], size: tuple[int, int], camera: tuple[float, ...], name: str
) -> Placement | None:
    """A table under a camera, as large and where the tiles say, grown and shifted a little.

    The picture is scaled so that a tile's area is that of a tile in the middle of the table, and
    shifted so that the tiles' middle is the table's.

    Args:
        tiles: What shows.
        size: Of the frame.
        camera: Tilt (radians), distance (half sides), growth (logarithm), shift right and down
            (in halves of the table).
        name: Name of the placement.
    """
    tilt, distance, growth, right, below = camera
    if not LEAST_TILT <= tilt <= np.pi / 2 or distance < LEAST_DISTANCE:
        return None
    flat = _seen(np.hstack([CORNERS, np.zeros((4, 1))]), tilt, distance)
    boxes = np.array([tile.box for tile in tiles], float)
    sides = boxes[:, 2:] - boxes[:, :2]
    want = float(np.median(np.sqrt(sides.prod(axis=1))))
    unit = USUAL_TILE
    tile = np.array([(-1, -LENGTH, 0), (1, -LENGTH, 0), (1, LENGTH, 0), (-1, LENGTH, 0)]) * unit / 2
    small = _seen(tile, tilt, distance)
    scale = want / float(np.sqrt(np.ptp(small, axis=0).prod()))
    low, high = boxes[:, :2].min(0), boxes[:, 2:].max(0)
    middle = (low + high) / 2
    seen = flat * scale * np.exp(growth)
    half = np.ptp(seen, axis=0) / 2
    corners = seen - (seen.min(0) + seen.max(0)) / 2 + middle + half * [right, below]
    points = [(float(x / size[0]), float(y / size[1])) for x, y in corners]
    view = "overhead" if tilt > np.deg2rad(62) else "seat"
    try:
        return Placement(name, view, (points[0], points[1], points[2], points[3]))
    except PlacementError:
        return None


def _seen(points: np.ndarray, tilt: float, distance: float) -> np.ndarray:
    """Points of the table through a pinhole of focal length one, looking at its middle."""
    down = np.array([0, -np.sin(tilt), -np.cos(tilt)])
    axes = np.stack([[1.0, 0, 0], down, [0, np.cos(tilt), -np.sin(tilt)]])
    position = np.array([0, -distance * np.cos(tilt), distance * np.sin(tilt)])
    seen = (points - position) @ axes.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def _misfit(tiles: tuple[TileReading, ...], placement: Placement, size: tuple[int, int]) -> float:
    """How badly the tiles fit their likeliest places, on the average."""
    plane = placement.plane(*size)
    total = 0.0
    for options in spots(tiles, plane, placement):
        total += min(options[0].misfit, MOST_MISFIT) if options else OFF_TABLE
    return total / len(tiles)
