"""Small dice laid on pictures: boxes that fit them, on known empty ground only."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.detector_data import DetectorData, from_near
from models.small_dice import LARGEST, SmallDice, cut_out
from models.sources import Labelled

NOTHING = np.zeros((0, 4), np.float32)
EVERYWHERE = (0.0, 0.0, 1.0, 1.0)


@pytest.fixture
def dice(tmp_path: Path) -> Labelled:
    """A red die turned by an eighth on grey cloth, labelled die2."""
    image = np.full((240, 240, 3), 110, np.uint8)
    image += np.random.default_rng(0).integers(0, 12, image.shape, np.uint8)
    corners = np.array([[120, 60], [180, 120], [120, 180], [60, 120]])
    cv2.fillConvexPoly(image, corners, (20, 20, 200))
    for x, y in ((105, 120), (135, 120)):
        cv2.circle(image, (x, y), 9, (250, 250, 250), -1)
    file = tmp_path / "die.png"
    cv2.imwrite(str(file), image)
    box = np.array([[36, 0.25, 0.25, 0.75, 0.75]], np.float32)
    return Labelled(file, box, EVERYWHERE, NOTHING, False)


def test_a_die_comes_away_from_its_cloth(dice: Labelled) -> None:
    cut = cut_out(dice.load(640), dice.boxes[0, 1:] * 240)
    assert cut is not None
    pixels, mask = cut
    inside, outside = pixels[mask > 0], pixels[mask == 0]
    # The die is red with white pips; the cloth is grey: hardly a grey pixel comes along.
    grey_inside = (np.ptp(inside.astype(int), axis=1) < 30) & (inside.max(1) < 200)
    assert grey_inside.mean() < 0.08
    assert (np.ptp(outside.astype(int), axis=1) < 30).mean() > 0.95


def test_boxes_frame_the_dice_that_were_laid(dice: Labelled) -> None:
    rng = np.random.default_rng(5)
    ground = np.full((256, 256, 3), (90, 120, 90), np.uint8)
    known = np.ones((32, 32), bool)
    laid = SmallDice([dice], 640)
    for _ in range(20):
        image, boxes = laid.lay(ground, np.zeros((0, 5), np.float32), known, rng)
        # Saturated pixels are dice, whatever their new colour; shadows are not.
        die = np.ptp(image.astype(int), axis=2) > 80
        framed = np.zeros((256, 256), bool)
        for kind, x1, y1, x2, y2 in boxes:
            assert kind == 36
            assert max(x2 - x1, y2 - y1) <= LARGEST * 1.5
            part = die[int(y1) : int(y2), int(x1) : int(x2)]
            assert part.mean() > 0.2
            framed[int(y1) - 1 : int(y2) + 1, int(x1) - 1 : int(x2) + 1] = True
        assert not (die & ~framed).any()


def test_nothing_is_laid_on_a_tile_or_on_unknown_ground(dice: Labelled) -> None:
    rng = np.random.default_rng(2)
    ground = np.full((256, 256, 3), 128, np.uint8)
    known = np.ones((32, 32), bool)
    known[:, 16:] = False
    tile = np.array([[3, 0, 0, 120, 90]], np.float32)
    laid, found = SmallDice([dice], 640), 0
    for _ in range(30):
        image, boxes = laid.lay(ground, tile, known, rng)
        changed = (image != ground).any(2)
        assert not changed[:90, :120].any()
        assert not changed[:, 128:].any()
        found += len(boxes) - 1
    assert found > 5


def test_the_share_is_kept(dice: Labelled, tmp_path: Path) -> None:
    empty = tmp_path / "table.png"
    cv2.imwrite(str(empty), np.full((200, 200, 3), 140, np.uint8))
    table = Labelled(empty, np.zeros((0, 5), np.float32), EVERYWHERE, NOTHING, False)
    none = DetectorData([(1.0, [table])], 3, 640, 0.0, 1, 0, small_dice=0.0, dice=[dice])
    half = DetectorData([(1.0, [table])], 3, 640, 0.0, 1, 0, small_dice=0.5, dice=[dice])
    assert not any(len(none.sample(k, 256).boxes) for k in range(10))
    with_dice = sum(bool(len(half.sample(k, 256).boxes)) for k in range(60))
    assert 15 < with_dice < 45


def test_from_near_the_labels_move_with_the_die(tmp_path: Path) -> None:
    """A second look from near: the die is enlarged, its label with it, unknown ground stays so."""
    image = np.full((256, 256, 3), 128, np.uint8)
    cv2.rectangle(image, (100, 60), (111, 71), (0, 0, 255), -1)
    boxes = np.array([[36, 100, 60, 112, 72]], np.float32)
    known = np.ones((32, 32), bool)
    known[:, 15:] = False  # right of x = 120
    rng = np.random.default_rng(4)
    for _ in range(20):
        near, moved, cells, _ = from_near(image, boxes, known, known, rng)
        rows, columns = np.nonzero((near[..., 2] > 200) & (near[..., 0] < 60))
        seen = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
        np.testing.assert_allclose(moved[0, 1:], seen, atol=4)
        side = float((moved[0, 3:] - moved[0, 1:3]).max())
        assert 256 / 10 - 1 < side < 256 / 6 + 1
        edge = moved[0, 3] + 8 * side / 12  # where x = 120 came to lie
        assert not cells[:, int(np.ceil(edge / 8)) + 1 :].any()
        assert cells[:, : int(edge / 8) - 1].all()


def test_without_a_small_die_nothing_is_enlarged() -> None:
    image = np.full((256, 256, 3), 128, np.uint8)
    known = np.ones((32, 32), bool)
    large = np.array([[36, 40, 40, 140, 140], [3, 200, 200, 210, 212]], np.float32)
    near, moved, _, _ = from_near(image, large, known, known, np.random.default_rng(0))
    assert np.array_equal(near, image)
    assert np.array_equal(moved, large)
