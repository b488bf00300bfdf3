"""Faces laid on the set's own pictures: named by their strokes from anywhere, in any light."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from vision.calibration.bodies import stand
from vision.calibration.chooser import FITS, FITS_STILL
from vision.calibration.examples import Example
from vision.calibration.match import MOST_SAID, Pictures, against_best, pictures_of
from vision.calibration.outline import Linear, Outline
from vision.calibration.shape import Shape, in_doubt
from vision.calibration.views import PATCH_MARGIN, PATCH_SIDE, Patch
from vision.classifier import crop
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
    assert said.shape == (len(looks), len(FACES) + 1)
    assert said.min() >= 0
    lost = against_best(said)
    assert (lost.max(axis=1) == 0).all()
    assert lost.min() >= -MOST_SAID
    right = said.argmax(axis=1) == np.repeat(DRAWN, 2)
    assert right.mean() > 0.9


def test_what_is_believed_is_laid_wherever_it_may_lie_before_another_takes_its_name(
    pictures: Pictures,
) -> None:
    """A slanted 6s lost its name: its own place looked unlikely from afar and was never tried."""
    rng = np.random.default_rng(4)
    kind = int(rng.choice(DRAWN))
    neighbours = [face(int(k)) for k in rng.choice(20, 3)]
    seen, corners = stand(face(kind), neighbours, np.array([40, 80, 50]), SIDE, 1.0, rng)
    elsewhere = np.array([[[0.3, 0.3], [0.7, 0.3], [0.7, 0.7], [0.3, 0.7]]])
    size = np.ptp(corners, axis=0)[None]
    said = pictures.compare(seen[None], elsewhere, size, answers((kind, 0.6)))
    assert said.argmax() == kind


def test_a_blank_face_is_like_none_of_them(pictures: Pictures) -> None:
    """It has nothing to compare: it stands where every other fits poorly."""
    assert pictures.blank == (BLANK,)
    blank, outline = look(None, 3)
    said = pictures.compare(blank[None], outline[None])[0]
    assert said[BLANK] > 0
    assert said[-1] == said[BLANK], "nor is a back"
    assert (np.delete(said, (BLANK, len(FACES))) < said[BLANK]).all()


def test_of_several_examples_the_largest_is_compared() -> None:
    small, large = example("1m", face(3), 30.0), example("1m", face(7), 90.0)
    both, one = pictures_of([small, large]), pictures_of([large])
    assert both is not None
    assert one is not None
    assert np.array_equal(both.drawn, one.drawn)
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
    """A sure name is not questioned, nor is a back; a face that fits takes from what is none."""
    plain = cv2.copyMakeBorder(face(5), 3, 3, 15, 15, cv2.BORDER_CONSTANT, value=(60, 90, 40))
    crops = np.stack([plain] * 3)
    told = answers((8, 0.6), (8, 1 - 1e-9), (34, 0.97))
    assert in_doubt(told, 0.3).tolist() == [0]
    settled = shape(0.3).settle(told, crops, pictures)
    assert settled[0].argmax() == 5
    assert settled.sum(axis=1) == pytest.approx(1)
    assert (settled[0, 34:] < told[0, 34:]).all()
    assert np.array_equal(settled[1:], told[1:])
    assert shape(0.0).settle(told, crops, pictures) is told


def seen(kind: int, seed: int, down: float, pixels: int) -> tuple[np.ndarray, np.ndarray]:
    """A crop of a face foreshortened to `down`, its width so many pixels of the photo; the box."""
    rng = np.random.default_rng([kind, seed])
    size = (pixels, max(2, round(pixels * 90 / 66 * down)))
    small = cv2.resize(face(kind), size, interpolation=cv2.INTER_AREA).astype(float)
    grey = cv2.GaussianBlur(small, (0, 0), 0.6).mean(axis=2, keepdims=True).repeat(3, axis=2)
    lit = np.clip(grey * 0.6 + rng.normal(0, 2, grey.shape), 0, 255).astype(np.uint8)
    reach = round(max(size) * 0.6)
    room = cv2.copyMakeBorder(lit, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=(50,) * 3)
    box = np.array([reach, reach, reach + size[0], reach + size[1]], float)
    return crop(room, box, SIDE), np.array(size, float)


@pytest.mark.parametrize(("down", "pixels"), [(0.35, 60), (0.9, 26)])
def test_low_and_small_faces_are_named_where_the_outline_is_wrong(
    pictures: Pictures, down: float, pixels: int
) -> None:
    """Grey, seen from low down or a few pixels large, the outline a square: the box tells."""
    crops, sizes = zip(*(seen(kind, 1, down, pixels) for kind in DRAWN), strict=True)
    square = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]])
    outlines = np.repeat(square[None], len(crops), axis=0)
    said = pictures.compare(np.stack(crops), outlines, np.stack(sizes))
    right = said.argmax(axis=1) == np.array(DRAWN)
    assert right.mean() > 0.9


def test_a_small_face_says_less_than_a_large_one(pictures: Pictures) -> None:
    """The fewer pixels there are to agree, the less a good fit proves."""
    outline = np.array([[[0.14, 0.04], [0.86, 0.04], [0.86, 0.96], [0.14, 0.96]]])
    told = []
    for pixels in (14, 60):
        small, size = seen(5, 2, 1.0, pixels)
        told.append(pictures.compare(small[None], outline, size[None])[0, 5])
    assert 0 < told[0] < told[1] / 2


def test_a_face_taken_for_a_back_comes_to_light_and_a_back_stays_one(pictures: Pictures) -> None:
    """Pale print is easily overlooked; where none of the pictures fits, nothing is claimed."""
    crops = np.stack(
        [
            cv2.copyMakeBorder(face(kind), 3, 3, 15, 15, cv2.BORDER_CONSTANT, value=(60, 90, 40))
            for kind in (5, None)
        ]
    )
    told = np.full((2, 42), 0.1 / 41)
    told[:, 34] = 0.9
    face_up, face_down = shape(0.4).settle(told, crops, pictures)
    assert face_up.argmax() == 5
    assert face_down.argmax() == 34
    assert face_down[34] > 0.85


def test_the_sets_own_faces_fit_and_another_sets_do_not(pictures: Pictures) -> None:
    """By this a photo's set is recognised, from some of its tiles together."""
    own = [look(kind, 1) for kind in DRAWN[:8]]
    crops, outlines = (np.stack(part) for part in zip(*own, strict=True))
    others = []
    for number in range(8):
        other = np.full((90, 66, 3), 222, np.uint8)
        for ring in range(2 + number % 3):
            cv2.circle(other, (20 + 9 * ring, 20 + 17 * ring), 9, (40, 60, 120), 3)
        others.append(cv2.copyMakeBorder(other, 3, 3, 15, 15, cv2.BORDER_CONSTANT, value=(60,) * 3))
    square = np.repeat(np.array([[[0.16, 0.03], [0.84, 0.03], [0.84, 0.97], [0.16, 0.97]]]), 8, 0)
    fits = pictures.likeness(crops, outlines).mean()
    fits_not = pictures.likeness(np.stack(others), square).mean()
    assert fits > FITS > FITS_STILL > fits_not
