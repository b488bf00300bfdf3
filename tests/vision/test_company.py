"""Company: beside a sure tile of like size, the only one, or alone among other things."""

from __future__ import annotations

import numpy as np
import pytest

from vision.company import ALONE, APART, BESIDE, MANY, ONLY, company

ROW = np.array([[0, 0, 30, 40], [32, 0, 62, 40], [64, 0, 94, 40]], float)


def judged(boxes: np.ndarray, confidences: list[float], die_at: int = -1) -> list[str]:
    dice = np.arange(len(boxes)) == die_at
    return company(boxes, np.array(confidences), ~dice, dice)


def test_a_row_keeps_its_faint_tile_company() -> None:
    assert judged(ROW, [0.9, 0.2, 0.9]) == [BESIDE] * 3


def test_faint_tiles_are_no_company_for_each_other() -> None:
    assert judged(ROW, [0.3, 0.2, 0.4]) == [ONLY] * 3


def test_a_leaflet_away_from_the_row_is_alone() -> None:
    boxes = np.vstack([ROW, [[300, 200, 330, 240]]])
    assert judged(boxes, [0.9, 0.9, 0.9, 0.9]) == [BESIDE, BESIDE, BESIDE, ALONE]


def test_a_turned_tile_away_from_a_hand_is_as_large_as_the_hand_s_tiles() -> None:
    """The turned 混儿 tile lies by itself, a little farther away; prints are mostly smaller."""
    hand = np.array([[32 * k, 0, 32 * k + 30, 40] for k in range(MANY)], float)
    boxes = np.vstack([hand, [[100, 200, 122, 220]], [[300, 200, 312, 216]]])
    sure = [0.9] * MANY
    assert judged(boxes, [*sure, 0.4, 0.4])[MANY:] == [APART, ALONE]
    # On a watched table the tops of tiles are as large as their faces.
    none = np.zeros(len(boxes), bool)
    all_faces = np.array([*sure, 0.4, 0.4])
    assert company(boxes, all_faces, ~none, none, placed=True)[MANY:] == [ALONE, ALONE]
    # Fewer sure tiles do not say how large a tile is here.
    assert judged(boxes, [*sure[1:], 0.3, 0.4, 0.4])[MANY:] == [ALONE, ALONE]


def test_another_size_is_no_company() -> None:
    boxes = np.array([[0, 0, 30, 40], [32, 0, 112, 100]], float)
    assert judged(boxes, [0.9, 0.3]) == [ONLY, ALONE]


def test_one_tile_in_the_photo_is_the_only_one() -> None:
    assert judged(ROW[:1], [0.3]) == [ONLY]


@pytest.mark.parametrize(("die_confidence", "expected"), [(0.9, ALONE), (0.1, ONLY)])
def test_a_die_is_other_company(die_confidence: float, expected: str) -> None:
    boxes = np.array([[0, 0, 30, 40], [200, 0, 220, 20]], float)
    assert judged(boxes, [0.7, die_confidence], die_at=1)[0] == expected


def test_nothing_found_is_nothing_judged() -> None:
    assert company(np.zeros((0, 4)), np.zeros(0), np.zeros(0, bool), np.zeros(0, bool)) == []
