"""Which way up a tile lies, where its face shows it.

On a 万 tile of every common set the numeral (black or blue) stands above a red 萬, so the
red ink's side of the face is its foot.
"""

from __future__ import annotations

import numpy as np

from vision.classifier import crop

SIDE = 48
LEAST_SHIFT = 0.07


def foot_direction(pixels: np.ndarray, box: np.ndarray) -> tuple[float, float] | None:
    """Unit vector (x, y) from head to foot of the 万 tile in `box`, None when it is unclear."""
    square = crop(pixels, box, SIDE).astype(np.float32)
    blue, green, red = square[..., 0], square[..., 1], square[..., 2]
    width, height = float(box[2] - box[0]), float(box[3] - box[1])
    side = max(width, height) * 1.08
    ys, xs = np.mgrid[0:SIDE, 0:SIDE]
    x = (xs - SIDE / 2 + 0.5) * side / SIDE
    y = (ys - SIDE / 2 + 0.5) * side / SIDE
    inside = (abs(x) < width * 0.42) & (abs(y) < height * 0.42)
    redness = np.clip(red - np.maximum(blue, green) - 35, 0, None) * inside
    light = np.percentile(square.max(axis=2)[inside], 80) if inside.any() else 255.0
    ink = (
        np.clip(light - 50 - square.max(axis=2), 0, None) * inside
        + np.clip(blue - red - 35, 0, None) * inside
    )
    if redness.sum() < 500 or ink.sum() < 300:
        return None
    shift = np.array(
        [
            (redness * x).sum() / redness.sum() - (ink * x).sum() / ink.sum(),
            (redness * y).sum() / redness.sum() - (ink * y).sum() / ink.sum(),
        ]
    )
    length = float(np.hypot(*shift))
    if length < LEAST_SHIFT * max(width, height):
        return None
    return float(shift[0] / length), float(shift[1] / length)
