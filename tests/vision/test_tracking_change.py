"""What is motion, and what is but light."""

from __future__ import annotations

import numpy as np

from vision.tracking.change import ChangeDetector
from vision.values import Box

CLOTH, BODY = (60, 140, 40), (225, 235, 240)
PLACES: list[Box] = [(40.0 + 36 * k, 100.0, 66.0 + 36 * k, 136.0) for k in range(5)]


def _frame(boxes: list[Box]) -> np.ndarray:
    """A cloth with tiles that bear a stroke."""
    pixels = np.full((240, 320, 3), CLOTH, np.uint8)
    for x1, y1, x2, y2 in boxes:
        pixels[int(y1) : int(y2), int(x1) : int(x2)] = BODY
        pixels[int(y1) + 8 : int(y2) - 8, int(x1) + 11 : int(x2) - 11] = (20, 20, 160)
    return pixels


def test_light_is_no_motion_and_a_tile_is() -> None:
    changes = ChangeDetector()
    base = _frame(PLACES[:3])
    assert not changes.look(base, 0.0).any
    darker = (base.astype(float) * 0.97).astype(np.uint8)
    assert not changes.look(darker, 0.1).any
    more = changes.look(_frame(PLACES[:4]), 0.2)
    assert more.within(PLACES[3]) > 0.5
    assert more.within(PLACES[0]) == 0.0
    assert not changes.look(_frame(PLACES[:4]), 0.6).any


def test_a_lamp_that_dims_over_seconds_is_no_motion() -> None:
    # Light multiplies: white tiles lose 58 grey levels where the dark cloth loses 10.
    changes = ChangeDetector()
    base = _frame(PLACES[:3]).astype(float)
    for step in range(16):
        gain = 1 - 0.25 * step / 15
        seen = changes.look((base * gain).astype(np.uint8), step / 6)
        assert not seen.changed.any(), step
    bright = changes.look(np.clip(base * 1.1, 0, 255).astype(np.uint8), 3.0)
    assert not bright.changed.any()
    with_a_tile = np.clip(_frame(PLACES[:4]).astype(float) * 1.1, 0, 255).astype(np.uint8)
    assert changes.look(with_a_tile, 3.2).within(PLACES[3]) > 0.5
