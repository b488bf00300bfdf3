"""Faint print, and print in other colours: what speaks for a kind, and what does not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.bar_faces import BLANK, DRAWN, example, face, said_of
from vision.calibration.match import Pictures, against_best, pictures_of
from vision.calibration.outline import Linear, Outline
from vision.calibration.rendered import HIGH, WIDE, Seen, to_be_drawn
from vision.calibration.shape import Shape, decisive, leads
from vision.opencv import cv2
from vision.values import FACES

BACK_AT, NONE_AT = 34, 41


def test_faint_print_that_one_kind_fits_far_better_leads() -> None:
    """Not where others fit nearly as well, nor far below what no print fits; and not the frame of a
    white dragon, which fits the rim of any bare tile."""
    assert leads(said_of((5, 24.0), (6, 12.0))).all()
    assert not leads(said_of((5, 24.0), (6, 20.0))).any()
    assert not leads(said_of((5, 20.0))).any()
    assert not leads(said_of((BLANK, 24.0))).any()


def test_of_two_pictures_that_both_fit_well_neither_decides() -> None:
    """A lead of 16 is much where little speaks, and little where ten times as much does."""
    assert decisive(said_of((5, 50.0), (6, 34.0))).all()
    assert not decisive(said_of((5, 144.0), (6, 128.0))).any()


@pytest.mark.parametrize(("first", "wanted"), [(NONE_AT, 5), (BACK_AT, BACK_AT)])
def test_faint_print_names_what_looks_like_nothing_but_no_back(
    monkeypatch: pytest.MonkeyPatch, first: int, wanted: int
) -> None:
    pictures = pictures_of([example(FACES[k], face(k)) for k in DRAWN])
    assert pictures is not None
    faint = said_of((5, 24.0), (6, 8.0))
    monkeypatch.setattr(Pictures, "compare", lambda *_: faint)
    rough = Linear(np.zeros(1764), np.zeros((1764, 8)), np.zeros(8))
    told = np.full((1, 42), 0.3 / 40)
    told[0, first], told[0, 5] = 0.6, 0.1
    crops = np.zeros((1, 96, 96, 3), np.uint8)
    settled = Shape(Outline(rough), None, 1.0, 0.1).settle(told, crops, pictures, strange=True)
    assert settled.argmax() == wanted
    assert against_best(faint)[0, 5] == 0, "it is the best of the faces"


def drawn(star: tuple[int, int, int], middle: tuple[int, int, int]) -> np.ndarray:
    """A white face with an emblem of two paints, BGR."""
    tile = np.full((HIGH, WIDE, 3), 235, np.uint8)
    cv2.circle(tile, (WIDE // 2, HIGH // 2), 22, star, -1)
    cv2.circle(tile, (WIDE // 2, HIGH // 2), 8, middle, -1)
    return tile


def test_the_same_emblem_in_other_colours_is_another() -> None:
    red, green, blue = (40, 30, 170), (50, 110, 20), (150, 40, 30)
    own, other = drawn(green, red), drawn(red, blue)
    crop = np.full((HIGH, HIGH, 3), 90, np.uint8)
    left = (HIGH - WIDE) // 2
    crop[:, left : left + WIDE] = cv2.GaussianBlur(own, (0, 0), 1.0)
    there = np.array([[1.0, 0, left], [0, 1, 0], [0, 0, 1]])
    grey = np.repeat(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2)
    whole = np.ones((HIGH, WIDE), bool)
    right, wrong = (
        Seen.of(crop, HIGH).likeness(to_be_drawn(t, whole), there)[0] for t in (own, other)
    )
    plain = Seen.of(grey, HIGH).likeness(to_be_drawn(other, whole), there)[0]
    assert right > plain > wrong, "other colours speak against it, no colour says nothing"
