"""Tiles seen at a slant are named, and what is found twice or cut off is known as such."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.measure import LabelledPhoto, PhotoScore, Read
from models.tune import settle, smooth_map
from vision.boxes import twins
from vision.company import LONE, WITH_OTHERS, company_of_backs
from vision.opencv import cv2
from vision.photo import Photo, load_photo
from vision.reader import Reader, _cut_off

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "zhuowu_long.jpg"


def test_a_photo_squeezed_to_less_than_half_shows_the_same_tiles() -> None:
    """A tile seen at a slant is shorter or narrower than it is, and still the same tile."""
    reader = Reader(threads=1)
    photo = load_photo(SAMPLE)
    tiles = reader.read(photo).tiles
    squeezed = cv2.resize(photo.pixels, None, fx=0.4, fy=1, interpolation=cv2.INTER_AREA)
    boxes = np.array([tile.box for tile in tiles]) * (0.4, 1, 0.4, 1)
    answers = reader.classifier.classify(squeezed, boxes)
    names = [reader.classifier.classes[k] for k in answers.argmax(axis=1)]
    same = sum(name == tile.tile for name, tile in zip(names, tiles, strict=True))
    assert len(tiles) >= 13
    assert same >= 0.8 * len(tiles)


def test_one_tile_found_twice_under_one_name_is_found_once() -> None:
    boxes = np.array([[0, 0, 40, 60], [10, 5, 50, 65], [100, 0, 140, 60], [105, 0, 145, 60]], float)
    scores, names = np.array([0.7, 0.9, 0.8, 0.6]), np.array([3, 3, 3, 4])
    assert twins(boxes, scores, names, 0.35).tolist() == [True, False, False, False]


def test_of_a_chain_only_what_overlaps_a_kept_one_goes() -> None:
    """The third overlaps the second, which is gone, but not the first: it is another tile."""
    boxes = np.array([[0, 0, 40, 40], [15, 0, 55, 40], [30, 0, 70, 40]], float)
    assert twins(boxes, np.array([0.9, 0.8, 0.7]), np.zeros(3, int), 0.35).tolist() == [
        False,
        True,
        False,
    ]
    same = np.repeat(boxes[:1], 3, axis=0)
    assert twins(same, np.full(3, 0.5), np.zeros(3, int), 0.35).sum() == 2


def test_a_back_away_from_all_tiles_is_lone() -> None:
    wall = np.array([[0, 0, 30, 40], [31, 0, 61, 40], [400, 300, 430, 340]], float)
    tiles = np.ones(3, bool)
    found = company_of_backs(wall, np.array([0.3, 0.3, 0.9]), tiles)
    assert found == [WITH_OTHERS, WITH_OTHERS, LONE]
    assert company_of_backs(wall, np.array([0.05, 0.05, 0.9]), tiles) == [LONE] * 3
    assert company_of_backs(wall, np.full(3, 0.9), np.array([True, False, True]))[0] == LONE


@pytest.mark.parametrize(
    ("box", "cut"),
    [
        ((10, 10, 50, 50), False),
        ((0, 10, 40, 50), True),
        ((10, 1, 50, 41), True),
        ((160, 10, 200, 50), True),
        ((10, 60, 50, 99), True),
    ],
)
def test_a_box_at_the_photos_edge_may_be_cut_off(
    box: tuple[float, float, float, float], cut: bool
) -> None:
    photo = Photo(np.zeros((100, 200, 3), np.uint8), "any")
    assert _cut_off(photo, np.array(box, float)) is cut


def scored(reads: list[tuple[float, bool]]) -> PhotoScore:
    photo = LabelledPhoto(Path("any.jpg"), (10, 10), "", (), False, (), ())
    return PhotoScore(
        photo, judged=[(Read("1m", c, (0, 0, 1, 1), doubtful), True) for c, doubtful in reads]
    )


def test_what_is_doubtful_for_another_reason_counts_among_the_marked() -> None:
    """20 reads and a tenth to mark: two in all, so one by its confidence beside a doubtful one."""
    reads = [(0.6 + k / 100, False) for k in range(19)]
    limit = settle([scored([*reads, (0.95, True)])], 0.5, 0.1)
    assert [c < limit for c, _ in reads].count(True) == 1
    assert settle([scored([*reads, (0.95, False)])], 0.5, 0.1) == pytest.approx(0.62)
    assert settle([scored([(0.9, True)] * 5)], 0.5, 0.2) == 0.5
    assert settle([scored(reads)], 0.5, 1.0) == 1.0
    assert settle([], 0.5, 0.1) == 0.5


def test_a_record_of_nearly_only_right_reads_has_a_rising_curve() -> None:
    """Whole Newton steps run away here, to a curve that calls 0.6 worthless and 0.8 certain."""
    reads = [(raw, False) for raw in (0.008, 0.031, 0.035, 0.114)]
    reads += [(raw, True) for raw in (0.027, 0.031, 0.041, 0.224)]
    reads += [(0.5 + 0.004 * k, True) for k in range(100)]
    curve = smooth_map(reads)
    shares = [share for _, share in curve]
    assert shares == sorted(shares)
    assert (
        np.interp(0.02, *zip(*curve, strict=True)) < 0.5 < np.interp(0.3, *zip(*curve, strict=True))
    )
