"""Pips are counted on drawn dice; what is no die's face is not counted."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.vision.pip_places import PIP_PLACES
from vision.opencv import cv2
from vision.pips import count_pips

WHITE, BLACK, RED, GREEN = (235, 240, 240), (25, 25, 25), (40, 40, 200), (60, 140, 40)
BOX = np.array([100.0, 100.0, 200.0, 200.0])


def die(points: list[tuple[float, float]], body: tuple, pip: tuple, tilt: float) -> np.ndarray:
    photo = np.full((300, 300, 3), (70, 110, 60), np.uint8)
    turn = math.radians(tilt)
    cos, sin = math.cos(turn), math.sin(turn)

    def place(x: float, y: float) -> tuple[int, int]:
        return round(150 + x * cos - y * sin), round(150 + x * sin + y * cos)

    corners = np.array([place(x, y) for x, y in ((-42, -42), (42, -42), (42, 42), (-42, 42))])
    cv2.fillConvexPoly(photo, corners, body)
    for x, y in points:
        cv2.circle(photo, place(x * 20, y * 20), 7, pip, -1, cv2.LINE_AA)
    return photo


@pytest.mark.parametrize("pips", PIP_PLACES)
@pytest.mark.parametrize("tilt", [0, 20, 45])
@pytest.mark.parametrize(
    ("body", "pip"), [(WHITE, BLACK), (RED, WHITE), (GREEN, WHITE), (BLACK, WHITE), (WHITE, RED)]
)
def test_pips_of_many_dice(pips: int, tilt: float, body: tuple, pip: tuple) -> None:
    assert count_pips(die(PIP_PLACES[pips], body, pip, tilt), BOX) == pips


def test_what_makes_no_face_is_not_counted() -> None:
    lopsided = [(-1, -1), (1, -1), (-1, 1)]
    assert count_pips(die(lopsided, WHITE, BLACK, 0), BOX) is None
    assert count_pips(die([], WHITE, BLACK, 0), BOX) is None


def test_a_tiny_die_is_left_alone() -> None:
    photo = die(PIP_PLACES[5], WHITE, BLACK, 0)
    assert count_pips(photo, np.array([140.0, 140.0, 152.0, 152.0])) is None
