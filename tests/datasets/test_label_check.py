"""The check of labels finds planted mistakes and leaves right labels alone."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.exchange import Dataset, LabelledBox, LabelledPicture
from datasets.faces import draw_face
from datasets.label_check import check_dataset, face_vector
from datasets.styles import random_style
from vision.opencv import cv2

KINDS = ("1m", "9m", "2p", "8s", "7z", "5z")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Eight pictures of six kinds, in one tile set under different light, some upside down."""
    folder = tmp_path_factory.mktemp("faces")
    style = random_style(random.Random(2))
    pictures = []
    for number in range(8):
        sheet = np.full((100, 100 * len(KINDS), 3), 60, np.uint8)
        boxes = []
        for i, kind in enumerate(KINDS):
            face = cv2.resize(draw_face(kind, style), (48, 64), interpolation=cv2.INTER_AREA)
            face = face[::-1, ::-1] if number % 3 == 2 else face
            lit = np.clip(face.astype(float) * (0.6 + 0.05 * number), 0, 255).astype(np.uint8)
            sheet[10:74, 100 * i + 10 : 100 * i + 58] = lit
            boxes.append(LabelledBox(kind, (100 * i + 10, 10, 100 * i + 58, 74)))
        path = folder / f"{number}.png"
        cv2.imwrite(str(path), sheet)
        pictures.append(LabelledPicture(path, sheet.shape[1], 100, tuple(boxes)))
    return tuple(pictures)


def test_right_labels_are_left_alone(dataset: Dataset) -> None:
    assert check_dataset(dataset) == []


def test_a_swapped_label_is_found_with_the_right_one(dataset: Dataset) -> None:
    wrong = replace(dataset[3].boxes[4], tile="8s")
    boxes = (*dataset[3].boxes[:4], wrong, dataset[3].boxes[5])
    changed = (*dataset[:3], replace(dataset[3], boxes=boxes), *dataset[4:])
    (found,) = check_dataset(changed)
    assert (found.code, found.tile, found.suggestion) == ("unlike_its_kind", "8s", "7z")
    assert found.path == dataset[3].path
    assert check_dataset(changed, look=False) == []


def test_five_of_a_kind_are_impossible(dataset: Dataset) -> None:
    boxes = tuple(LabelledBox("1m", (10.0 * i, 0, 10.0 * i + 9, 12)) for i in range(5))
    (found,) = check_dataset((replace(dataset[0], boxes=boxes),), look=False)
    assert found.code == "five_of_a_kind"
    assert "5 tiles are labelled 1m" in found.message
    backs = tuple(replace(b, tile="back") for b in boxes)
    assert check_dataset((replace(dataset[0], boxes=backs),), look=False) == []


@pytest.mark.parametrize(
    ("box", "code"),
    [((5, 5, 5, 20), "bad_box"), ((-9, 0, 20, 20), "bad_box"), ((11, 11, 58, 74), "double_box")],
)
def test_bad_boxes(dataset: Dataset, box: tuple[float, float, float, float], code: str) -> None:
    changed = replace(dataset[0], boxes=(dataset[0].boxes[0], LabelledBox("2m", box)))
    assert [f.code for f in check_dataset((changed,), look=False)] == [code]


def test_a_face_vector_does_not_mind_the_light(dataset: Dataset) -> None:
    dark, light = (cv2.imread(str(dataset[i].path))[10:74, 10:58] for i in (0, 7))
    other = cv2.imread(str(dataset[0].path))[10:74, 410:458]
    assert face_vector(dark) @ face_vector(light) > face_vector(dark) @ face_vector(other) + 0.2


def test_a_missing_picture_is_reported(dataset: Dataset) -> None:
    (found,) = check_dataset((*dataset, replace(dataset[0], path=Path("gone.png"))))
    assert (found.code, found.path) == ("no_picture", Path("gone.png"))
