"""Placements: geometry known from a camera, saving by name, and pushes of the camera."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.opencv import cv2
from vision.table import Placement, PlacementError, PlacementStore
from vision.table.nudge import Keyframe
from vision.table.zones import hidden_edges

CORNERS = ((0.1, 0.9), (0.9, 0.9), (0.7, 0.2), (0.3, 0.2))


def _placement(name: str = "home", me: int = 0) -> Placement:
    return Placement(name, "seat", CORNERS, me)


def test_corners_are_where_they_were_set_and_back() -> None:
    plane = _placement().plane(1000, 800)
    table = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    pixels = np.array(CORNERS) * [1000, 800]
    assert np.allclose(plane.to_picture(table), pixels, atol=0.01)
    assert np.allclose(plane.to_table(pixels), table, atol=1e-4)


def test_heights_agree_with_a_camera_that_is_known() -> None:
    # A pinhole camera, 1000 px focal length, looking down at 40 degrees from 4 half sides away.
    focal, tilt = 1000.0, np.deg2rad(40)
    down = np.array([0, -np.sin(tilt), -np.cos(tilt)])
    axes = np.stack([[1, 0, 0], down, [0, np.cos(tilt), -np.sin(tilt)]])
    position = np.array([0, -4 * np.cos(tilt), 4 * np.sin(tilt)])

    def project(points: np.ndarray) -> np.ndarray:
        seen = (points - position) @ axes.T
        return seen[:, :2] / seen[:, 2:] * focal + [500, 400]

    table = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    corners = tuple((x / 1000, y / 800) for x, y in project(table))
    plane = Placement("known", "seat", corners).plane(1000, 800)  # type: ignore[arg-type]
    points = np.array([(0.3, -0.8, 0.1), (-0.5, 0.6, 0.1)])
    assert np.allclose(plane.to_picture(points[:, :2], 0.1), project(points), atol=0.5)
    assert np.allclose(plane.camera(), position, atol=0.02)


def test_me_may_sit_at_any_side() -> None:
    plane = _placement(me=1).plane(1000, 800)
    # Side 1 is the right one: between the second and the third corner.
    middle = plane.to_picture(np.array([(0, -1)]))[0]
    sides = np.array(CORNERS) * [1000, 800]
    line = sides[2] - sides[1]
    off = (middle - sides[1])[0] * line[1] - (middle - sides[1])[1] * line[0]
    assert abs(off) < 1.0


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"corners": CORNERS[::-1]}, "anticlockwise"),
        ({"corners": ((0, 0), (0, 0), (0, 0), (0, 0))}, "anticlockwise"),
        ({"view": "side"}, "overhead"),
        ({"name": "a/b"}, "characters"),
        ({"me": 4}, "me is"),
        ({"tile": 0.5}, "tile's width"),
    ],
)
def test_what_cannot_be_says_why(change: dict[str, object], word: str) -> None:
    with pytest.raises(PlacementError, match=word):
        Placement.from_json({**_placement().to_json(), **change})


def test_saved_by_name_and_found_again(tmp_path: Path) -> None:
    store = PlacementStore(tmp_path / "data")
    assert store.names() == ()
    store.save(_placement("home"))
    store.save(_placement("客厅", me=2))
    again = PlacementStore(tmp_path / "data")
    assert again.names() == ("home", "客厅")
    assert again.load("客厅") == _placement("客厅", me=2)
    again.delete("home")
    with pytest.raises(PlacementError, match="客厅"):
        store.load("home")


def test_a_broken_file_is_named_and_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "placements.json"
    file.write_text("{", encoding="utf-8")
    with pytest.raises(PlacementError, match="placements"):
        PlacementStore(tmp_path).save(_placement())
    assert file.read_text(encoding="utf-8") == "{"


def test_a_pushed_camera_is_followed() -> None:
    rng = np.random.default_rng(5)
    scene = cv2.resize(
        rng.integers(0, 255, (60, 80, 3), np.uint8), (960, 720), interpolation=cv2.INTER_CUBIC
    )
    push = np.array([[0.999, -0.012, 21.0], [0.012, 0.999, -9.0], [0, 0, 1]])
    pushed = cv2.warpPerspective(scene, push, (960, 720), borderMode=cv2.BORDER_REFLECT)
    found = Keyframe(scene).change_to(Keyframe(pushed))
    assert found is not None
    moved = _placement().moved(found, 960, 720)
    points = np.array(CORNERS) * [960, 720]
    true = np.hstack([points, np.ones((4, 1))]) @ push.T
    # So near that the camera's place, which the corners tell, stays the same.
    assert np.allclose(np.array(moved.corners) * [960, 720], true[:, :2], atol=0.3)
    same = Keyframe(scene).change_to(Keyframe(scene))
    assert same is not None
    assert np.allclose(same, np.eye(3))
    other = cv2.resize(
        rng.integers(0, 255, (60, 80, 3), np.uint8), (960, 720), interpolation=cv2.INTER_CUBIC
    )
    assert Keyframe(scene).change_to(Keyframe(other)) is None


def test_a_pushed_camera_is_followed_in_a_large_picture_of_which_a_part_has_changed() -> None:
    # Features are taken in a smaller picture, so that in this one they are pixels off.
    rng = np.random.default_rng(7)
    scene = cv2.resize(
        rng.integers(0, 255, (60, 80, 3), np.uint8), (1920, 1440), interpolation=cv2.INTER_CUBIC
    )
    push = np.array([[0.999, -0.012, 21.0], [0.012, 0.999, -19.0], [0, 0, 1]])
    pushed = cv2.warpPerspective(scene, push, (1920, 1440), borderMode=cv2.BORDER_REFLECT)
    pushed = np.clip(pushed + rng.normal(0, 6, pushed.shape), 0, 255).astype(np.uint8)
    pushed[300:1000, 200:1000] = (110, 150, 215)  # an arm
    found = Keyframe(scene).change_to(Keyframe(pushed))
    assert found is not None
    points = np.array([(100, 1300, 1), (1800, 1300, 1), (1500, 200, 1), (300, 200, 1)], float)
    seen = points @ found.T
    assert np.allclose(seen[:, :2] / seen[:, 2:], (points @ push.T)[:, :2], atol=1.5)


def test_a_seat_whose_sets_lie_outside_the_picture_is_hidden() -> None:
    # The left player's right hand, where the sets lie, is the near end of the left side.
    inside = ((0.05, 0.9), (0.95, 0.9), (0.75, 0.12), (0.25, 0.12))
    outside = ((-0.15, 0.9), *inside[1:])
    seats = [
        hidden_edges(Placement("seat", "seat", corners).plane(1000, 800))  # type: ignore[arg-type]
        for corners in (inside, outside)
    ]
    assert 3 not in seats[0]
    assert 3 in seats[1]
