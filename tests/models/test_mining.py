"""Hard negatives: only finds that touch no label, and they come back as written."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

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
