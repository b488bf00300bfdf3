"""A blank white dragon is told from a back by the colour that the other faces have."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration.blank import BACK_AT, BLANK_AT, uncover_blanks
from vision.calibration.outline import EDGES, Linear, Outline
from vision.opencv import cv2

SIDE = 96
WHITE, YELLOW = (232, 236, 238), (40, 170, 215)


def outline() -> Outline:
    """Always says that the face fills the crop but for a rim."""
    box = np.array([0.1, 0.1, 0.9, 0.1, 0.9, 0.9, 0.1, 0.9], np.float32)
    return Outline(Linear(np.zeros(EDGES), np.zeros((EDGES, 8)), box))


def tile(colour: tuple[int, int, int], printed: bool, light: float = 1.0) -> np.ndarray:
    picture = np.full((SIDE, SIDE, 3), (90, 110, 40), np.uint8)
    picture[8:88, 8:88] = colour
    if printed:
        for x in (34, 48, 62):
            cv2.line(picture, (x, 28), (x, 68), (60, 40, 30), 4)
    return np.clip(picture * light, 0, 255).astype(np.uint8)


def answers(*said: tuple[int, float]) -> np.ndarray:
    rows = np.empty((len(said), 42))
    for row, (kind, share) in zip(rows, said, strict=True):
        row[:] = (0.99 - share) / 40
        row[BLANK_AT], row[kind] = 0.01, share
    return rows


FACES_AROUND = [tile(WHITE, True) for _ in range(4)]
READ = [(kind, 0.97) for kind in range(4)]


@pytest.mark.parametrize("light", [0.8, 1.0])
def test_a_blank_tile_of_the_faces_colour_is_the_white_dragon(light: float) -> None:
    crops = np.stack([*FACES_AROUND, tile(WHITE, False, light)])
    told = answers(*READ, (BACK_AT, 0.6))
    found = uncover_blanks(told, crops, outline())
    assert found.argmax(axis=1).tolist() == [0, 1, 2, 3, BLANK_AT]
    assert found.sum(axis=1) == pytest.approx(1)
    assert told[4].argmax() == BACK_AT, "what was given stays as it was"


@pytest.mark.parametrize(
    "other",
    [tile(YELLOW, False), tile(WHITE, True), tile(WHITE, False, 0.4)],
    ids=["of another colour", "with print", "much darker"],
)
def test_other_backs_stay_backs(other: np.ndarray) -> None:
    told = answers(*READ, (BACK_AT, 0.6))
    assert uncover_blanks(told, np.stack([*FACES_AROUND, other]), outline()) is told


def test_a_sure_back_is_not_questioned_nor_is_one_with_too_few_faces_around() -> None:
    """A wall of white backs beside white faces: the classifier is sure of each."""
    white = tile(WHITE, False)
    told = answers(*READ, (BACK_AT, 0.95))
    assert uncover_blanks(told, np.stack([*FACES_AROUND, white]), outline()) is told
    few = answers(*READ[:2], (BACK_AT, 0.6))
    assert uncover_blanks(few, np.stack([*FACES_AROUND[:2], white]), outline()) is few
    none = np.zeros((0, 42))
    assert uncover_blanks(none, np.zeros((0, SIDE, SIDE, 3), np.uint8), outline()) is none
