"""One lettered set, stored under several names: which of them a photo shows cannot be told."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from datasets.odd_sets import OneSetScenes, laid_out, odd_set
from vision.calibration import Example, TileSet
from vision.calibration.choice import Figures
from vision.calibration.examples import examples_of
from vision.calibration.outline import first_corner, fit_outline
from vision.calibration.shape import Shape
from vision.calibration.views import plain_view, views_of
from vision.opencv import cv2
from vision.photo import Photo
from vision.values import FACES, TileReading

SIDE = 96


@lru_cache(maxsize=1)
def taught() -> tuple[tuple[Example, ...], Shape]:
    """The set's tiles as its guided photo shows them, and where faces lie in crops.

    It hardly changes an answer: what is tested is which set is taken.
    """
    scene = laid_out(odd_set("letters"), seed=2)
    tiles = [TileReading(o.tile, 1.0, o.box) for o in scene.objects if o.tile in FACES]
    examples = examples_of(Photo(scene.image, "guided"), tiles)
    looks = [
        views_of(one.patch, [], SIDE, 12, np.random.default_rng(number))
        for number, one in enumerate(examples)
    ]
    crops = np.concatenate([one.pictures for one in looks])
    corners = (np.concatenate([one.corners for one in looks]) + 0.5) / SIDE
    return tuple(examples), Shape(
        fit_outline(crops, first_corner(corners)[0], [])[0], None, 1, 1e-6
    )


def a_set(name: str, sha256: str) -> TileSet:
    """The set under this name."""
    examples, shape = taught()
    figures = Figures(1, 1, 1, 0, "look")
    return TileSet(name, sha256, examples, None, np.eye(3, 8), figures, shape=shape)


def own_crops() -> np.ndarray:
    """The reader's crops of the set's tiles."""
    return np.stack([plain_view(one.patch, SIDE) for one in taught()[0]])


@lru_cache(maxsize=1)
def hand() -> bytes:
    """A photo of a hand of the set."""
    image = OneSetScenes(odd_set("letters"), 3).scene_at(0, "hand", 960).image
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())
