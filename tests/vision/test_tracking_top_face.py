"""A die seen from a seat: its side shows as large as its top, and only the top counts."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.scene_camera import aim
from tests.vision.pip_places import PIP_PLACES
from tests.vision.table_scenes import HALF, camera_of, placement_of
from vision.opencv import cv2
from vision.table.plane import Plane
from vision.tracking.accept import accept
from vision.tracking.cloth import Cloth
from vision.tracking.find_dice import find_dice
from vision.tracking.top_face import shows_side, top_pips
from vision.values import Box, TileReading

SIZE = (1200, 1200)
SIDE = 0.6
Point = tuple[float, float, float]
AROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)
# Middle, and the ways across and up, of the sides that a seat sees and of the top.
FACES: dict[str, tuple[Point, Point, Point]] = {
    "front": ((0, -0.5, 0.5), (1, 0, 0), (0, 0, 1)),
    "right": ((0.5, 0, 0.5), (0, 1, 0), (0, 0, 1)),
    "left": ((-0.5, 0, 0.5), (0, -1, 0), (0, 0, 1)),
    "top": ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
}


def draw(pixels: np.ndarray, plane: Plane, unit: float, turn: float, pips: dict[str, int]) -> Box:
    """A white die in the middle of the table; the box around it."""
    camera = plane.camera() / unit
    c, s = np.cos(turn), np.sin(turn)
    turned = np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])
    outline = []

    def seen(points: np.ndarray) -> np.ndarray:
        at = points @ turned.T * SIDE * unit
        return np.stack([plane.to_picture(p[None, :2], float(p[2]))[0] for p in at])

    for name, (middle, across, up) in FACES.items():
        out = np.cross(across, up)
        if (turned @ out) @ (camera - turned @ np.array(middle) * SIDE) <= 0:
            continue

        def flat(
            spots: np.ndarray, middle: Point = middle, across: Point = across, up: Point = up
        ) -> np.ndarray:
            return seen(np.array(middle) + spots @ np.array([across, up], float))

        corners = flat(np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]))
        outline.append(corners)
        shade = 235 if name == "top" else 190
        cv2.fillConvexPoly(pixels, np.round(corners).astype(np.int32), (shade,) * 3, cv2.LINE_AA)
        for place in PIP_PLACES[pips[name]]:
            circle = np.array(place) * 0.26 + 0.1 * np.stack([np.cos(AROUND), np.sin(AROUND)], 1)
            points = np.round(flat(circle) * 16).astype(np.int32)
            cv2.fillConvexPoly(pixels, points, (30, 20, 20), cv2.LINE_AA, 4)
    every = np.concatenate(outline)
    return (*every.min(0).tolist(), *every.max(0).tolist())  # type: ignore[return-value]


@pytest.mark.parametrize("turn", [0.0, 0.5, 0.8])
@pytest.mark.parametrize("top", range(1, 7))
def test_the_top_counts_whatever_the_sides_show(top: int, turn: float) -> None:
    where = placement_of(camera_of("seat"), "seat")
    plane = where.plane(*SIZE)
    for side in range(1, 7):
        pixels = np.full((SIZE[1], SIZE[0], 3), (90, 120, 60), np.uint8)
        sides = {"front": side, "left": 7 - side, "right": side % 6 + 1}
        box = draw(pixels, plane, where.tile, turn, {"top": top, **sides})
        assert shows_side(box, where, SIZE)
        assert top_pips(cv2.GaussianBlur(pixels, (0, 0), 0.7), box, where) in (top, None)


@pytest.mark.parametrize("top", range(1, 7))
def test_a_top_that_is_large_enough_is_counted(top: int) -> None:
    where = placement_of(camera_of("seat"), "seat")
    pixels = np.full((1800, 1800, 3), (90, 120, 60), np.uint8)
    sides = {"front": 3, "left": 4, "right": 2}
    box = draw(pixels, where.plane(1800, 1800), where.tile, 0.3, {"top": top, **sides})
    assert top_pips(pixels, box, where) == top


def test_from_above_a_die_shows_no_side_worth_the_name() -> None:
    where = placement_of(camera_of("overhead"), "overhead")
    assert not shows_side((580.0, 580.0, 620.0, 620.0), where, SIZE)


@pytest.mark.parametrize("top", [1, 2, 3, 5, 6])
def test_from_high_above_the_pips_of_the_side_that_still_shows_are_not_counted(top: int) -> None:
    corners = np.array([(-HALF, -HALF, 0), (HALF, -HALF, 0), (HALF, HALF, 0), (-HALF, HALF, 0)])
    camera = aim(corners, 1.19, -np.pi / 2, 45.0, 0.0, 0.95, 1800)
    where = placement_of(camera, "overhead")
    pixels = np.full((1800, 1800, 3), (90, 120, 60), np.uint8)
    sides = {"front": 4, "left": 4, "right": 4}
    box = draw(pixels, where.plane(1800, 1800), where.tile, 0.1, {"top": top, **sides})
    assert not shows_side(box, where, (1800, 1800))
    part = (box[0] - 100, box[1] - 100, box[2] + 100, box[3] + 100)
    found = find_dice(pixels, part, Cloth.first(pixels, part, 0.9), where)
    assert [die.pips for die in found] == [top]
    read = TileReading("die4", 0.6, box, (("die4", 0.6),), pips=4)
    assert [tile.tile for tile in accept((read,), pixels, 0.5, where)] == [f"die{top}"]


@pytest.mark.parametrize("top", range(1, 7))
def test_from_high_above_a_box_around_the_top_alone_does_not_make_a_1_of_a_3(top: int) -> None:
    corners = np.array([(-HALF, -HALF, 0), (HALF, -HALF, 0), (HALF, HALF, 0), (-HALF, HALF, 0)])
    camera = aim(corners, 1.28, -np.pi / 2, 42.0, 0.0, 0.95, 1800)
    where = placement_of(camera, "overhead")
    plane, unit = where.plane(1800, 1800), where.tile
    pixels = np.full((1800, 1800, 3), (90, 120, 60), np.uint8)
    whole = draw(pixels, plane, unit, 0.1, {"top": top, "front": 5, "left": 4, "right": 4})
    assert not shows_side(whole, where, (1800, 1800))
    low = plane.box_of(np.array([0, 0, SIDE * unit]), (SIDE * unit, SIDE * unit, 0.0))
    x1, y1, x2, y2 = (float(v) for v in low)
    for box in (whole, (x1, y1, x2, y2), (x1, y1, x2, (y2 + whole[3]) / 2)):
        assert top_pips(cv2.GaussianBlur(pixels, (0, 0), 0.7), box, where) in (top, None)
    assert top_pips(pixels, whole, where) == top


@pytest.mark.parametrize("top", range(1, 7))
@pytest.mark.parametrize("turn", [0.0, 0.1, 0.3])
def test_a_die_whose_foot_another_one_hides_shows_the_same_top(top: int, turn: float) -> None:
    where = placement_of(camera_of("seat"), "seat")
    pixels = np.full((2400, 2400, 3), (90, 120, 60), np.uint8)
    sides = {"front": 1, "left": 4, "right": 2}
    box = draw(pixels, where.plane(2400, 2400), where.tile, turn, {"top": top, **sides})
    seen = (box[0], box[1], box[2], box[1] + 0.68 * (box[3] - box[1]))
    pixels[round(seen[3]) :] = (235, 235, 235)
    told = top_pips(cv2.GaussianBlur(pixels, (0, 0), 0.7), seen, where)
    assert told in (top, None)
    assert told == top or turn < 0.3
