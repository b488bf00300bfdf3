"""Faces laid on the set's own pictures: named by their strokes from anywhere, in any light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.bar_faces import BLANK, DRAWN, SIDE, example, face, said_of
from vision.calibration.bodies import stand
from vision.calibration.chooser import FITS, FITS_STILL
from vision.calibration.match import MOST_SAID, Pictures, against_best, pictures_of
from vision.calibration.outline import Linear, Outline
from vision.calibration.shape import Shape, decisive, in_doubt
from vision.calibration.tries import settled
from vision.classifier import crop
from vision.opencv import cv2
from vision.values import FACES


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


def test_one_picture_that_fits_far_better_than_all_others_decides() -> None:
    """Not where two fit nearly alike, and not where none fits better than no print does."""
    assert decisive(said_of((5, 60.0), (6, 40.0))).all()
    assert not decisive(said_of((5, 60.0), (6, 55.0))).any()
    assert not decisive(said_of((5, 20.0))).any()


@pytest.mark.parametrize("strange", [True, False])
def test_a_decisive_picture_counts_in_full_where_the_general_model_knows_no_better(
    pictures: Pictures, strange: bool
) -> None:
    """A timid weight would leave the wrong name; but a name that is worth something stands."""
    tile = cv2.copyMakeBorder(face(5), 3, 3, 15, 15, cv2.BORDER_CONSTANT, value=(60, 90, 40))
    told = np.full((2, 42), 0.3 / 40)
    told[0, 7], told[1, 41] = 0.7, 0.7
    told[:, 5] = 0.05
    timid = shape(0.01)
    settled = timid.settle(told, np.stack([tile] * 2), pictures, strange=strange)
    kept = 5 if strange else 7
    assert settled.argmax(axis=1).tolist() == [kept, 5], "what looks like no face has no name yet"


def test_worn_print_need_not_fit_so_well_to_be_print() -> None:
    """But the frame of a white dragon fits a bare tile's rim: there it must fit as well as ever."""
    worn = replace(shape(0.4), printless=0.5)
    made = pictures_of([example(FACES[k], face(k)) for k in DRAWN])
    assert made is not None
    fitting, framed = said_of((5, 20.0)), said_of((BLANK, 20.0))
    assert worn._without_print(fitting, made)[0, 34] == pytest.approx(27.9 / 2)
    assert worn._without_print(framed, made)[0, 34] == pytest.approx(27.9)


def test_another_name_is_taken_only_when_the_first_was_laid_everywhere() -> None:
    """A picture that fits far better than those tried so far may still be of the wrong kind."""
    best, spoke = np.array([4.0, 160.0, np.nan]), np.array([125.0, 125.0, 0.0])
    assert settled(best, spoke)
    assert settled(best, spoke, np.array([False, True, False]))
    assert not settled(best, spoke, np.array([True, False, False]))
    assert settled(best, spoke, np.zeros(3, bool)), "nothing is believed"
