"""Faces of a film are compared a few at a time, and once for as long as they lie still."""

from __future__ import annotations

import numpy as np

from vision.calibration.pace import AT_ONCE, Memory
from vision.opencv import cv2
from vision.values import FACES

SIDE = 96


def faces(count: int) -> np.ndarray:
    """Crops that differ in where a bar lies."""
    made = np.full((count, SIDE, SIDE, 3), 200, np.uint8)
    for number, picture in enumerate(made):
        cv2.rectangle(picture, (20, 6 + 9 * number), (70, 12 + 9 * number), (40, 40, 60), -1)
    return made


def unsure(*shares: float) -> np.ndarray:
    answers = np.zeros((len(shares), 42))
    answers[:, 3] = shares
    return answers


class Asked:
    """Says row r's kind is r, and remembers which rows it was asked about."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = []

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        self.rows.append(rows.tolist())
        said = np.zeros((len(rows), len(FACES) + 1))
        said[np.arange(len(rows)), rows] = 9.0
        return said


def test_the_most_doubtful_come_first_and_each_comes_once() -> None:
    memory, asked = Memory(), Asked()
    crops, answers = faces(5), unsure(0.9, 0.3, 0.8, 0.2, 0.7)
    first = memory.said(crops, answers, asked)
    assert asked.rows == [[3, 1, 4, 2, 0][:AT_ONCE]]
    assert first[3, 3] == 9
    assert not first[0].any(), "its turn has not come"
    for _ in range(5):
        last = memory.said(crops, answers, asked)
    assert sorted(row for rows in asked.rows for row in rows) == [0, 1, 2, 3, 4]
    assert [row for rows in asked.rows for row in rows] == [3, 1, 4, 2, 0]
    assert (last.argmax(axis=1) == np.arange(5)).all()


def test_noise_and_light_change_nothing_but_another_face_is_new() -> None:
    memory, asked = Memory(), Asked()
    rng = np.random.default_rng(1)
    [crop] = faces(1)
    memory.said(crop[None], unsure(0.5), asked)
    for brighter in (-12, 0, 15):
        noisy = np.clip(crop + rng.normal(brighter, 4, crop.shape), 0, 255).astype(np.uint8)
        assert memory.said(noisy[None], unsure(0.5), asked)[0, 0] == 9
    assert len(asked.rows) == 1
    other = crop.copy()
    cv2.rectangle(other, (20, 60), (32, 68), (40, 40, 60), -1)
    memory.said(other[None], unsure(0.5), asked)
    assert len(asked.rows) == 2, "one more stroke is another face"
