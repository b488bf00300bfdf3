"""Hard negatives: only finds that touch no label, and they come back as written."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.crop_data import CropData
from models.mining import false_finds, mined_pictures
from models.sources import NONE, Labelled


def test_a_find_on_a_label_is_not_false() -> None:
    labels = np.array([[10, 10, 50, 60]], float)
    finds = np.array([[12, 12, 48, 58], [45, 55, 85, 105], [100, 100, 140, 150]], float)
    # The second shares 5 x 5 of its 2,000 pixels with the label: still no find of that tile.
    assert false_finds(finds, labels).tolist() == finds[1:].tolist()


def test_without_labels_every_find_is_false() -> None:
    finds = np.array([[0, 0, 5, 5]], float)
    assert len(false_finds(finds, np.zeros((0, 4)))) == 1


def test_mined_places_are_learnt_as_none(tmp_path: Path) -> None:
    """The mined square is pure red; half of the negatives must show it."""
    image = np.full((300, 400, 3), 90, np.uint8)
    image[100:200, 100:200] = (0, 0, 255)
    file = tmp_path / "board.png"
    cv2.imwrite(str(file), image)
    no_boxes = np.zeros((0, 5), np.float32)
    item = Labelled(file, no_boxes, (0.0, 0.0, 1.0, 1.0), np.zeros((0, 4), np.float32), False)
    mined = tmp_path / "negatives.jsonl"
    mined.write_text(f'{{"image": "{file}", "boxes": [[0.3, 0.4, 0.45, 0.6]]}}\n')
    pictures = mined_pictures(mined, [item])
    data = CropData([], [item], [], [], (0, 0, 0, 0, 1), 96, 1, 640, pictures)
    red = 0
    for number in range(60):
        crop, kind = data.sample(number)
        assert kind == NONE
        middle = crop[40:56, 40:56].reshape(-1, 3).astype(int).mean(0)
        red += bool(middle[0] > middle[1] + 40)
    assert 15 < red < 50


def test_mined_places_join_at_their_batch(tmp_path: Path) -> None:
    """Before crop 60 no negative is the mined red square; after it some are."""
    image = np.full((300, 400, 3), 90, np.uint8)
    image[100:200, 100:200] = (0, 0, 255)
    file = tmp_path / "board.png"
    cv2.imwrite(str(file), image)
    whole = (0.0, 0.0, 1.0, 1.0)
    grey = tmp_path / "grey.png"
    cv2.imwrite(str(grey), np.full((300, 400, 3), 90, np.uint8))
    nothing = np.zeros((0, 4), np.float32)
    plain = Labelled(grey, np.zeros((0, 5), np.float32), whole, nothing, False)
    square = np.array([[-1, 0.3, 0.4, 0.45, 0.6]], np.float32)
    mined = [Labelled(file, square, whole, nothing, False)]
    data = CropData([], [plain], [], [], (0, 0, 0, 0, 1), 96, 1, 640, mined, mined_from=60)

    def red(number: int) -> bool:
        middle = data.sample(number)[0][40:56, 40:56].reshape(-1, 3).astype(int).mean(0)
        return bool(middle[0] > middle[1] + 40)

    assert not any(red(number) for number in range(60))
    assert sum(red(number) for number in range(60, 120)) > 15


def test_mined_places_of_other_pictures_are_not_passed_over_in_silence(tmp_path: Path) -> None:
    """A file made with --photos or --scenes elsewhere would otherwise teach nothing, unseen."""
    mined = tmp_path / "negatives.jsonl"
    mined.write_text('{"image": "elsewhere/a.png", "boxes": [[0, 0, 1, 1]]}\n')
    with pytest.raises(FileNotFoundError, match="names none of the training pictures"):
        mined_pictures(mined, [])
    mined.write_text("")
    assert mined_pictures(mined, []) == []
