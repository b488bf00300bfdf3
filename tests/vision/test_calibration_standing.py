"""What was taught never renames what the general classifier is known to be right about."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from vision.calibration.choice import Figures
from vision.calibration.chooser import SetChooser
from vision.calibration.head import FACE_COUNT, Head, Views
from vision.calibration.standing import LEAST_RIGHT, believed_names, standing
from vision.calibration.tile_set import TileSet
from vision.classifier import Classifier
from vision.fusion import fuse
from vision.photo import Photo
from vision.reader import LEAST_MARGIN, TAUGHT_MARGIN, Reader
from vision.values import CLASSES, NONE

NAMES = (*CLASSES, NONE)
DEPTH = 8


def answers(*told: tuple[int, float]) -> np.ndarray:
    """A row each: the share of one kind, the rest spread evenly."""
    rows = np.empty((len(told), len(NAMES)), np.float32)
    for row, (kind, share) in zip(rows, told, strict=True):
        row[:] = (1 - share) / (len(NAMES) - 1)
        row[kind] = share
    return rows


def views(told: list[tuple[int, int, float, bool]]) -> Views:
    """Looks: what is shown, what it is named, how surely, and whether it is undisguised."""
    shown, named, sure, plain = zip(*told, strict=True)
    count = len(told)
    return Views(
        np.zeros((count, DEPTH)),
        answers(*zip(named, sure, strict=True)),
        np.array(shown),
        np.where(plain, -1, 0),
        np.zeros(count, int),
    )


def test_a_name_is_believed_where_it_was_right_whenever_it_was_sure() -> None:
    right = [(0, 0, 0.99, n < 4) for n in range(30)]
    unsure = [(1, 1, 0.8, False)] * 30
    mixed = [(2, 2, 0.97, False)] * 20 + [(3, 2, 0.95, False)] * 5
    once = [(4, 4, 0.99, False)] * 40 + [(5, 4, 0.99, True)]
    seldom = [(6, 6, 0.99, False)] * (LEAST_RIGHT - 1)
    back = [(34, 34, 0.99, True)] * 30
    looks = views([*right, *unsure, *mixed, *once, *seldom, *back])
    assert believed_names(looks, 0.99, 0.85) == (0,)
    assert believed_names(looks, 0.9, 0.85) == (), "a set that is read badly: not even there"
    assert believed_names(looks, 0.99, 0.5) == (), (
        "nor a worn one, read as long as the light is good"
    )


def test_only_sure_names_that_are_believed_stand() -> None:
    told = answers((0, 0.95), (0, 0.85), (1, 0.99), (34, 0.99))
    assert standing(told, (0,)).tolist() == [True, False, False, False]
    assert not standing(told, ()).any()
    assert standing(told[:0], (0,)).shape == (0,)


class Scripted(Classifier):
    """The classifier with a network that says what a function of the crop says."""

    has_features = True

    def __init__(self, say: Callable[[np.ndarray], tuple[int, float]]) -> None:
        self.side, self.classes, self.sha256 = 96, NAMES, "0" * 64
        self._say = say

    def look(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Classifier.look`."""
        told = answers(*(self._say(crop) for crop in crops))
        return told, np.ones((len(crops), DEPTH), np.float32)


def taught(towards_nine: float, believed: tuple[int, ...] = ()) -> TileSet:
    """A set that was taught to call more or less everything 9m, as one poor example can do."""
    head = Head(np.zeros(DEPTH, np.float32), np.zeros((FACE_COUNT + 1, DEPTH), np.float32))
    head.weights[8] = towards_nine / DEPTH
    figures = Figures(1, 1, 1, 0.01, "look")
    return TileSet("misled", "0" * 64, (), head, np.eye(3, DEPTH), figures, believed=believed)


def test_a_set_taught_wrongly_costs_no_tile_that_was_read_surely() -> None:
    """Two of 131 faces of a real set were lost to one example that lay askew, both read surely."""
    pixels = np.zeros((96, 192, 3), np.uint8)
    pixels[:, :96], pixels[:, 96:] = 40, 80
    boxes = np.array([[10, 10, 86, 86], [106, 10, 182, 86]], float)
    general = Scripted(lambda crop: (1, 0.93) if crop.max() == 40 else (2, 0.6))
    for believed, names in (((), [8, 8]), ((1, 2), [1, 8])):
        misled = taught(24.0, believed)
        found = general.classify(pixels, boxes, SetChooser((misled,), misled))
        assert found.argmax(axis=1).tolist() == names
    assert found[0, 1] == pytest.approx(0.93), "nor is its share changed"


def test_a_face_known_as_it_lies_is_not_lost_to_the_best_of_many_tries() -> None:
    """A 7s of 22 pixels was named rightly upright, and lost to what it looks like at an angle."""
    pixels = np.repeat(np.arange(160, dtype=np.uint8)[None, :, None], 160, axis=0).repeat(3, axis=2)
    box = np.array([[40, 40, 120, 120]], float)

    def say(crop: np.ndarray) -> tuple[int, float]:
        right, down = (
            float(np.gradient(crop[..., 0].astype(float), axis=a).mean()) for a in (1, 0)
        )
        if min(abs(right), abs(down)) > 0.1:
            return 8, 0.78  # at an odd angle
        return (6, 0.8) if right > 0.1 else (6, 0.1)

    own = taught(0.0)
    assert Scripted(say).classify(pixels, box, SetChooser((own,), own)).argmax() == 6


def test_a_name_that_a_taught_set_leaves_open_is_doubtful() -> None:
    """A worn 3m half behind a ring was called 2z at 0.58 to 0.12, and nobody was told."""
    reader = object.__new__(Reader)
    reader.store = SimpleNamespace(doubt_below=0.0)  # type: ignore[assignment]
    told = answers((28, 0.58))
    told[0, 2] = 0.12
    detector = np.full((1, len(CLASSES)), 0.01)
    detector[0, 28] = 0.9
    photo = Photo(np.zeros((60, 60, 3), np.uint8), "any")
    doubtful = [
        reader._tile(
            photo, np.array([5.0, 5, 45, 55]), fuse(detector, told, NAMES), 0, 28, 0.95, margin
        ).doubtful
        for margin in (LEAST_MARGIN, TAUGHT_MARGIN)
    ]
    assert doubtful == [False, True]
