"""A tile that fills the photo is looked at from farther away and found where it lies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.boxes import iou
from vision.detector import Detections
from vision.opencv import cv2
from vision.photo import Photo, load_photo
from vision.reader import Reader
from vision.second_look import too_near
from vision.values import CLASSES

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "zhuowu_long.jpg"


def find(tile: str, side: float) -> Detections:
    probabilities = np.zeros((1, len(CLASSES)), np.float32)
    probabilities[0, CLASSES.index(tile)] = 0.4
    return Detections(np.array([[50, 50, 50 + side, 50 + side]], np.float32), probabilities)


@pytest.mark.parametrize(
    ("tile", "side", "expected"),
    [("5m", 300, True), ("5m", 150, False), ("back", 300, False), ("die3", 300, False)],
)
def test_only_a_face_can_be_too_near(tile: str, side: float, expected: bool) -> None:
    assert too_near(find(tile, side), 1000, 800) is expected


def test_nothing_is_never_too_near() -> None:
    nothing = Detections(np.zeros((0, 4), np.float32), np.zeros((0, len(CLASSES)), np.float32))
    assert not too_near(nothing, 1000, 800)


def test_one_tile_close_up_is_surer_from_farther_away() -> None:
    """The sample's first tile (4m), cut out so that it fills most of the photo."""
    tile = load_photo(SAMPLE).pixels[395:565, 50:190]
    close = Photo(
        np.asarray(cv2.resize(tile, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)), "4m"
    )
    reader = Reader()
    (surer,) = reader.read(close).tiles
    (near,) = reader.read(close, least_confidence=0.1, second_look=False).tiles
    assert surer.tile == "4m"
    assert surer.confidence > near.confidence
    assert iou(surer.box, near.box) > 0.5
