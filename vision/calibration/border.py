"""Tiles that the photo's border cuts: what of them it shows, and how large they may be.

The box of such a tile ends with the photo, and in its crop the photo's last pixels are repeated
beyond. These say nothing about the face, and the face goes on where nobody sees it.
"""

from __future__ import annotations

import numpy as np

# By how much of what is seen the tile may go on beyond the border.
_BEYOND = (0.1, 0.25, 0.45)
# How much less likely a way to lie is (natural logarithm) for whose sake something is made up.
UNSEEN = 1.0


def shown(side: int, size: np.ndarray, cut: np.ndarray) -> np.ndarray:
    """Which pixels of a crop the photo shows: side x side booleans.

    Args:
        side: Of the crop, pixels.
        size: Width and height of the box in its middle, pixels of the crop.
        cut: Its four sides, which of them the border cuts.
    """
    low, high = side / 2 - size / 2, side / 2 + size / 2
    within = np.ones((2, side), bool)
    places = np.arange(side) + 0.5
    for axis in range(2):
        if cut[axis]:
            within[axis] &= places > low[axis]
        if cut[2 + axis]:
            within[axis] &= places < high[axis]
    return np.asarray(within[1][:, None] & within[0][None])


def whole_boxes(size: np.ndarray, cut: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Sizes that the tile's whole box may have, and how far its middle is from the one seen.

    Args:
        size: Width and height of what is seen.
        cut: Its four sides, which of them the border cuts.
    """
    if not cut.any():
        return [(size, np.zeros(2))]
    before, after = cut[:2].astype(float), cut[2:].astype(float)
    return [
        (size * (1 + beyond * (before + after)), size * beyond * (after - before) / 2)
        for beyond in _BEYOND
    ]
