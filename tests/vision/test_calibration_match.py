"""Faces laid on the set's own pictures: named by their strokes from anywhere, in any light."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from vision.calibration.bodies import stand
from vision.calibration.examples import Example
from vision.calibration.match import BLANK_SAYS, MOST_SAID, Pictures, against_best, pictures_of
from vision.calibration.outline import Linear, Outline
from vision.calibration.shape import Shape, in_doubt
from vision.calibration.views import PATCH_MARGIN, PATCH_SIDE, Patch
from vision.opencv import cv2
from vision.values import FACES

SIDE = 96
BLANK = FACES.index("5z")
# Three of these six bars above a foot: as unlike each other as one suit's numbers are.
BARS = ((19, 28), (19, 54), (35, 28), (35, 54), (51, 28), (51, 54))
DRAWN = [kind for kind in range(20) if kind != BLANK]


def face(kind: int | None) -> np.ndarray:
    """A pale face with three bars above a foot; None: blank."""
    picture = np.full((90, 66, 3), 222, np.uint8)
    if kind is not None:
        cv2.rectangle(picture, (14, 64), (52, 71), (40, 60, 120), -1)
    for number in list(combinations(range(6), 3))[kind] if kind is not None else ():
        y, x = BARS[number]
        cv2.rectangle(picture, (x - 12, y - 5), (x - 1, y + 5), (40, 60, 120), -1)
        cv2.line(picture, (x - 12, y - 5), (x - 1, y + 5), (222, 222, 222), 2)
    return picture


def example(tile: str, picture: np.ndarray, side: float = 96.0) -> Example:
    longer = PATCH_SIDE / PATCH_MARGIN
    size = (round(longer * 66 / 90), round(longer))
    pixels = np.full((PATCH_SIDE, PATCH_SIDE, 3), (60, 90, 40), np.uint8)
    top, left = (PATCH_SIDE - size[1]) // 2, (PATCH_SIDE - size[0]) // 2
    pixels[top : top + size[1], left : left + size[0]] = cv2.resize(picture, size)
    return Example(tile, Patch(pixels, (float(size[0]), float(size[1]))), 0, side)


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    some = [example(FACES[k], face(k)) for k in DRAWN]
    made = pictures_of([*some, example("5z", face(None))])
    assert made is not None
    return made


def look(kind: int | None, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The tile from another place, and where its face lies, a little off as an outline is."""
    rng = np.random.default_rng([seed, kind if kind is not None else 99])
    neighbours = [face(int(k)) for k in rng.choice(20, 3)]
    seen, corners = stand(face(kind), neighbours, np.array([40, 80, 50]), SIDE, 0.5, rng)
    light = np.clip(seen * rng.uniform(0.5, 1.1) + rng.normal(0, 3, seen.shape), 0, 255)
    off = rng.normal(0, 0.02, (4, 2))
    first = int(corners.sum(axis=1).argmin())
    return light.astype(np.uint8), np.roll((corners + 0.5) / SIDE + off, -first, axis=0)


def test_faces_are_named_from_other_places_and_in_other_light(pictures: Pictures) -> None:
    """Nothing but the strokes is compared, so a dim and slanted face is as good as another."""
    looks = [look(kind, seed) for kind in DRAWN for seed in (1, 2)]
    crops, outlines = (np.stack(part) for part in zip(*looks, strict=True))
    said = pictures.compare(crops, outlines)
    assert said.shape == (len(looks), len(FACES))
    assert said.min() >= 0
    lost = against_best(said)
    assert (lost.max(axis=1) == 0).all()
    assert lost.min() >= -MOST_SAID
    right = said.argmax(axis=1) == np.repeat(DRAWN, 2)
    assert right.mean() > 0.9


def test_a_blank_face_is_like_none_of_them(pictures: Pictures) -> None:
    """It has nothing to compare: it stands where every other fits poorly."""
    assert pictures.blank == (BLANK,)
    crop, outline = look(None, 3)
    said = pictures.compare(crop[None], outline[None])[0]
    assert said[BLANK] == BLANK_SAYS
    assert (np.delete(said, BLANK) < BLANK_SAYS).all()


def test_of_several_examples_the_largest_is_compared() -> None:
    small, large = example("1m", face(3), 30.0), example("1m", face(7), 90.0)
    both, one = pictures_of([small, large]), pictures_of([large])
    assert both is not None
    assert one is not None
    assert np.array_equal(both.fine, one.fine)
    assert pictures_of([example("back", face(1)), example("none", face(2))]) is None


def shape(closer: float) -> Shape:
    """No prints, and an outline that always says where the plain face lies."""
    box = np.array([0.13, 0.02, 0.87, 0.02, 0.87, 0.98, 0.13, 0.98], np.float32)
    inputs = 1764
    rough = Linear(np.zeros(inputs), np.zeros((inputs, 8)), box)
    return Shape(Outline(rough), None, 1.0, closer)


def answers(*first: tuple[int, float]) -> np.ndarray:
    """A row each: the share of one kind, the rest spread evenly."""
    told = np.empty((len(first), 42))
    for row, (kind, share) in zip(told, first, strict=True):
        row[:] = (1 - share) / 41
        row[kind] = share
    return told


def test_only_what_is_in_doubt_is_settled(pictures: Pictures) -> None:
    """A sure name is not questioned, nor is a back; what is named otherwise keeps its share."""
    plain = cv2.copyMakeBorder(face(5), 3, 3, 15, 15, cv2.BORDER_CONSTANT, value=(60, 90, 40))
    crops = np.stack([plain] * 3)
    told = answers((8, 0.6), (8, 1 - 1e-9), (34, 0.97))
    assert in_doubt(told, 0.3).tolist() == [0]
    settled = shape(0.3).settle(told, crops, pictures)
    assert settled[0].argmax() == 5
    assert settled.sum(axis=1) == pytest.approx(1)
    assert settled[0, 34:] == pytest.approx(told[0, 34:])
    assert np.array_equal(settled[1:], told[1:])
    assert shape(0.0).settle(told, crops, pictures) is told
