"""White dragon or back: the colours of the certain tiles decide."""

from __future__ import annotations

import numpy as np
import pytest

from vision.context import BACK_CLASS, WHITE, settle_blanks
from vision.fusion import Fused
from vision.values import CLASSES

IVORY, BLUE, TABLE = (225, 235, 240), (190, 120, 40), (60, 110, 70)
BOXES = np.array([[20 + 60 * k, 20, 60 + 60 * k, 74] for k in range(6)], float)


def table(colours: list[tuple[int, int, int]], light: float = 1.0) -> np.ndarray:
    photo = np.full((100, 400, 3), TABLE, np.float32)
    for box, colour in zip(BOXES.astype(int), colours, strict=True):
        photo[box[1] : box[3], box[0] : box[2]] = colour
    return np.clip(photo * light, 0, 255).astype(np.uint8)


def answers(named: list[str], blank: tuple[float, float]) -> Fused:
    """Five certain tiles and a last one split between 5z and back."""
    shares = np.zeros((6, len(CLASSES)))
    for k, name in enumerate(named):
        shares[k, CLASSES.index(name)] = 0.97
    shares[5, WHITE], shares[5, BACK_CLASS] = blank
    confidences = np.array([0.95] * 5 + [0.6])
    return Fused(shares, confidences, np.full(6, 0.9), np.zeros(6, bool))


FACES = ["1m", "2p", "3s", "7z", "9m"]


@pytest.mark.parametrize("light", [1.0, 0.55])
def test_the_colour_of_the_faces_makes_it_a_dragon(light: float) -> None:
    settled = settle_blanks(table([IVORY] * 6, light), BOXES, answers(FACES, (0.4, 0.55)))
    assert settled.best[5] == WHITE
    assert settled.shares[5, WHITE] == pytest.approx(0.95 * 1.6 / (1.6 + 0.55))


def test_another_colour_makes_it_a_back() -> None:
    settled = settle_blanks(table([IVORY] * 5 + [BLUE]), BOXES, answers(FACES, (0.6, 0.3)))
    assert settled.best[5] == BACK_CLASS


def test_the_colour_of_the_backs_decides_where_they_are_seen() -> None:
    pale = (205, 214, 222)  # near the faces' colour, and just that of the certain backs
    named = [*FACES[:3], "back", "back"]
    photo = table([IVORY] * 3 + [pale] * 3)
    settled = settle_blanks(photo, BOXES, answers(named, (0.5, 0.45)))
    assert settled.best[5] == BACK_CLASS


def test_too_few_certain_faces_change_nothing() -> None:
    fused = answers(["1m", "2p", "back", "back", "back"], (0.4, 0.55))
    assert settle_blanks(table([IVORY] * 6), BOXES, fused) is fused


def test_certain_tiles_are_left_alone() -> None:
    fused = answers(FACES, (0.97, 0.01))
    assert settle_blanks(table([IVORY] * 5 + [BLUE]), BOXES, fused).best[5] == WHITE
