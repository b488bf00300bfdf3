"""Rows of laid-out tiles, also when the camera was held a little askew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.values import TileReading

MOST_TURN = np.deg2rad(35)
# A row ends where the next tile lies lower than its middle by this share of a tile's height.
STEP = 0.5


def rows_of(tiles: Sequence[TileReading]) -> list[list[TileReading]]:
    """Tiles in rows from the top, each row from the left; `index` is the place in that order."""
    if not tiles:
        return []
    middles = np.array([tile.centre for tile in tiles])
    sizes = np.array([[t.box[2] - t.box[0], t.box[3] - t.box[1]] for t in tiles])
    turn = _turn(middles, float(np.median(sizes[:, 0])))
    across = middles @ (np.cos(turn), np.sin(turn))
    down = middles @ (-np.sin(turn), np.cos(turn))
    height = float(np.median(sizes[:, 1]))
    rows: list[list[int]] = []
    for k in np.argsort(down, kind="stable"):
        if rows and down[k] - np.mean(down[rows[-1]]) < STEP * height:
            rows[-1].append(int(k))
        else:
            rows.append([int(k)])
    number = 0
    out = []
    for row in rows:
        ordered = sorted(row, key=lambda k: across[k])
        out.append([replace(tiles[k], index=number + n) for n, k in enumerate(ordered)])
        number += len(row)
    return out


def _turn(middles: np.ndarray, width: float) -> float:
    """How far the rows are turned, radians: the middle angle from each tile to its right."""
    angles = []
    for here in middles:
        steps = middles - here
        right = (steps[:, 0] > width / 2) & (
            np.abs(np.arctan2(steps[:, 1], steps[:, 0])) < MOST_TURN
        )
        if right.any():
            near = steps[right][np.linalg.norm(steps[right], axis=1).argmin()]
            angles.append(np.arctan2(near[1], near[0]))
    return float(np.median(angles)) if angles else 0.0
