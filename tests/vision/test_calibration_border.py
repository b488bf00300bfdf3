"""Tiles that the photo's border cuts: compared by what is seen of them, wherever the rest lies."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.bar_faces import BLANK, DRAWN, SIDE, example, face
from vision.boxes import cut_sides
from vision.calibration.border import shown, whole_boxes
from vision.calibration.match import Pictures, pictures_of
from vision.classifier import crop
from vision.opencv import cv2
from vision.values import FACES

LEFT, TOP = (1, 0, 0, 0), (0, 1, 0, 0)


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    made = pictures_of([example(FACES[k], face(k)) for k in DRAWN])
    assert made is not None
    return made


def cut_off(kind: int, missing: float, side: str) -> tuple[np.ndarray, np.ndarray]:
    """A photo whose border cuts this share of a tile off, and the box of what is left."""
    tile = cv2.resize(face(kind), (88, 120))
    photo = cv2.copyMakeBorder(tile, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(50, 70, 40))
    if side == "left":
        gone = round(88 * missing)
        return photo[:, 60 + gone :], np.array([0, 60, 88 - gone, 180], float)
    gone = round(120 * missing)
    return photo[60 + gone :], np.array([60, 0, 148, 120 - gone], float)


@pytest.mark.parametrize(("side", "cut"), [("left", LEFT), ("top", TOP)])
def test_a_face_of_which_a_quarter_is_out_of_the_photo_is_named(
    pictures: Pictures, side: str, cut: tuple[int, ...]
) -> None:
    """Taken for whole, what is left fits no picture: the bars lie elsewhere."""
    named = {True: 0, False: 0}
    for kind in DRAWN:
        photo, box = cut_off(kind, 0.25, side)
        assert cut_sides(box[None], photo.shape[1], photo.shape[0]).tolist() == [list(cut)]
        crops = crop(photo, box, SIDE)[None]
        size = (box[2:] - box[:2])[None]
        square = np.array([[[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]])
        for known in (True, False):
            cuts = np.array([cut], bool) if known else None
            every = np.ones(1, bool)
            said = pictures.compare(crops, square, size, cuts=cuts, thorough=every)[0]
            named[known] += int(said[: len(FACES)].argmax() == kind)
    # Where the left bars are cut off, some kinds look alike and nobody could tell.
    assert named[True] >= 0.7 * len(DRAWN)
    assert named[True] > named[False]


def test_which_sides_the_border_cuts() -> None:
    boxes = np.array([[0, 20, 40, 70], [1.5, 30, 41, 398.6], [5, 5, 45, 60]], float)
    found = cut_sides(boxes, 600, 400)
    assert found.tolist() == [[1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 0, 0]]
    assert cut_sides(np.zeros((0, 4)), 600, 400).shape == (0, 4)


def test_beyond_the_border_a_crop_shows_nothing() -> None:
    mask = shown(40, np.array([20.0, 30.0]), np.array(LEFT, bool))
    assert not mask[:, :10].any()
    assert mask[:, 10:].all()
    assert shown(40, np.array([20.0, 30.0]), np.zeros(4, bool)).all()


def test_a_tile_may_go_on_only_where_it_is_cut() -> None:
    size = np.array([40.0, 60.0])
    [(same, off)] = whole_boxes(size, np.zeros(4, bool))
    assert (same == size).all()
    assert not off.any()
    for whole, off in whole_boxes(size, np.array(TOP, bool)):
        assert whole[0] == 40
        assert whole[1] > 60
        # Its lower end stays where it is seen.
        assert off[1] + whole[1] / 2 == pytest.approx(30)
        assert off[0] == 0


def test_a_bare_tile_is_none_of_the_others() -> None:
    assert BLANK not in DRAWN
