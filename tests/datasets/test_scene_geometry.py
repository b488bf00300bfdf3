"""Label geometry: known tiles through a known camera, by hand; order of painting; dice."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from datasets.scene_camera import Camera, aim
from datasets.scene_clutter import ClutterBox, PlainLook
from datasets.scene_dice import random_die
from datasets.scene_items import (
    CORNERS,
    DIE_SIDES,
    NORMALS,
    Item,
    lying,
    quarter,
    standing,
    thrown,
)
from datasets.scene_render import Light, Painter, back_to_front
from datasets.scene_stage import Stage
from datasets.tile_sets import drawn_set

LIGHT = Light(np.array([0.0, 0.0, 1.0]), ambient=0.8, shadow=0.3, softness=3)


def _overhead(height: float, focal: float, size: int = 400) -> Camera:
    """A camera straight above the origin: world x to the right, world y up in the picture."""
    axes = np.array([[1.0, 0, 0], [0, -1.0, 0], [0, 0, -1.0]])
    return Camera(np.array([0, 0, height]), axes, focal, (size / 2, size / 2), 0.0, size)


def _tile(name: str, x: float, y: float, z: float, rotation: np.ndarray) -> Item:
    look = PlainLook((200, 200, 200))
    return Item(name, np.array([x, y, z]), rotation, (1.0, 1.4, 0.6), look)


def _paint(camera: Camera, *items: Item) -> Painter:
    painter = Painter(np.zeros((camera.size, camera.size, 3), np.uint8), camera, LIGHT)
    painter.paint(items)
    return painter


def test_a_flat_tile_lands_where_hand_arithmetic_puts_it() -> None:
    # Camera at 10, tile's face at 0.6: distance 9.4; focal 470 gives 50 pixels for a unit.
    camera = _overhead(10.0, 470.0)
    (found,) = _paint(camera, _tile("3p", 1.0, 2.0, 0.3, lying(0.0))).objects()
    # Centre (200 + 50, 200 - 100); half width 25, half height 35.
    assert found.box == pytest.approx((225, 65, 275, 135), abs=0.01)
    corners = [[225, 65], [275, 65], [275, 135], [225, 135]]
    assert np.allclose(found.quad, corners, atol=0.01)
    assert found.tile == "3p"
    assert found.visible > 0.95


def test_reading_order_follows_the_tile() -> None:
    camera = _overhead(10.0, 470.0)
    (found,) = _paint(camera, _tile("3p", 0, 0, 0.3, lying(math.pi))).objects()
    # Upside down: the tile's own top left is at the lower right of the picture.
    assert np.allclose(found.quad[0], [225, 235], atol=0.01)
    (found,) = _paint(camera, _tile("3p", 0, 0, 0.3, lying(math.pi / 2))).objects()
    # Turned left: its top points to the left, its top left corner is at the lower left.
    assert np.allclose(found.quad[0], [165, 225], atol=0.01)


def test_the_pasted_face_agrees_with_the_quad() -> None:
    class Marked(PlainLook):
        def texture(self, side: str, width: float) -> np.ndarray | None:
            picture = np.zeros((140, 100, 3), np.uint8)
            picture[:70, :50] = (0, 0, 255)  # the upper left quarter is red
            return picture if side == "face" else None

    camera = aim(np.array([[-2.0, -2, 0], [2, 2, 0]]), 0.9, 0.6, 9.0, 0.1, 0.9, 400)
    item = _tile("3p", 0.3, -0.2, 0.3, lying(2.1))
    item.look = Marked((200, 200, 200))
    painter = _paint(camera, item)
    (found,) = painter.objects()
    quad = found.quad.astype(float)
    for u, v, red in ((0.25, 0.25, True), (0.75, 0.25, False), (0.25, 0.75, False)):
        point = (1 - v) * ((1 - u) * quad[0] + u * quad[1]) + v * ((1 - u) * quad[3] + u * quad[2])
        blue, _, value = painter.picture[round(point[1]), round(point[0])]
        assert (value > 100) == red, (u, v)
        assert blue < 60


def test_a_standing_tile_faces_its_player_upright() -> None:
    item = _tile("3p", 0, 0, 0.7, standing(-math.pi / 2))
    camera = aim(item.corners(), 0.3, -math.pi / 2, 12.0, 0.0, 0.6, 400)
    (found,) = _paint(camera, item).objects()
    top_left, top_right, _, bottom_left = found.quad
    assert top_left[0] < top_right[0]
    assert top_left[1] < bottom_left[1]


def test_seen_from_behind_it_is_a_back() -> None:
    item = _tile("3p", 0, 0, 0.7, standing(math.pi / 2))
    camera = aim(item.corners(), 0.3, -math.pi / 2, 12.0, 0.0, 0.6, 400)
    assert [o.tile for o in _paint(camera, item).objects()] == ["back"]


def test_from_the_side_there_is_no_label() -> None:
    item = _tile("3p", 0, 0, 0.7, standing(0.0))
    camera = aim(item.corners(), 0.05, -math.pi / 2, 12.0, 0.0, 0.6, 400)
    assert _paint(camera, item).objects() == ()


@pytest.mark.parametrize(("shift", "labelled"), [(0.35, True), (0.7, False)])
def test_a_covered_tile_keeps_its_label_only_while_enough_shows(
    shift: float, labelled: bool
) -> None:
    # From very high up the covering tile hides the share `shift` of the width below it.
    camera = _overhead(400.0, 24000.0)
    below = _tile("1m", 0, 0, 0.3, lying(0.0))
    above = _tile("2m", 1 - shift, 0, 0.9, lying(0.0))
    objects = {o.tile: o for o in _paint(camera, above, below).objects()}
    assert ("1m" in objects) == labelled
    assert objects["2m"].visible > 0.95
    if labelled:
        assert objects["1m"].visible == pytest.approx(1 - shift, abs=0.04)
        left, _, right, _ = objects["1m"].box
        assert right - left == pytest.approx(60 * (1 - shift), abs=2)


def test_cut_off_by_the_picture_counts_as_hidden() -> None:
    camera = _overhead(400.0, 24000.0)  # 60 pixels for a unit: the picture ends at 3.33
    objects = _paint(camera, _tile("1m", 3.23, 0, 0.3, lying(0.0))).objects()
    assert objects[0].visible == pytest.approx(0.6, abs=0.05)
    assert objects[0].box[2] == 400
    assert _paint(camera, _tile("1m", 3.5, 0, 0.3, lying(0.0))).objects() == ()


def test_too_small_and_too_flat_faces_are_left_out() -> None:
    assert _paint(_overhead(10.0, 60.0), _tile("1m", 0, 0, 0.3, lying(0.0))).objects() == ()
    item = _tile("1m", 0, 0, 0.3, lying(0.0))
    camera = aim(item.corners(), 0.08, -math.pi / 2, 12.0, 0.0, 0.6, 400)
    assert _paint(camera, item).objects() == ()


def test_a_far_tile_is_painted_before_the_one_in_front() -> None:
    near = _tile("1m", 0, -1.0, 0.7, standing(-math.pi / 2))
    far = _tile("2m", 0, 1.0, 0.3, lying(0.0))
    camera = aim(np.concatenate([near.corners(), far.corners()]), 0.4, -math.pi / 2, 9, 0, 0.8, 400)
    assert back_to_front([near, far], camera) == [1, 0]
    # A tall tile beside a nearer but lower one: distance alone would get stacks wrong.
    bottom, top = _tile("1m", 0, 0, 0.3, lying(0)), _tile("2m", 0, 0.5, 0.9, lying(0))
    assert back_to_front([top, bottom], _overhead(10, 300)) == [1, 0]


def test_distortion_pulls_corners_in_or_out() -> None:
    focus = np.array([[-3.0, -3, 0], [3, 3, 0]])
    straight = aim(focus, 1.5, -math.pi / 2, 12, 0, 0.9, 400, 0.0)
    barrel = aim(focus, 1.5, -math.pi / 2, 12, 0, 0.9, 400, -0.05)
    (a,), (b,) = (c.project(np.array([[3.0, 3.0, 0]]))[0] for c in (straight, barrel))
    assert np.linalg.norm(b - straight.centre) < np.linalg.norm(a - straight.centre)


def test_opposite_sides_of_a_die_sum_to_seven() -> None:
    for one, other in (("face", "back"), ("left", "right"), ("top", "bottom")):
        assert DIE_SIDES[one] + DIE_SIDES[other] == 7


@pytest.mark.parametrize("value", range(1, 7))
def test_a_thrown_die_shows_its_value_on_top(value: int) -> None:
    rotation = thrown(value, 0.7)
    assert np.allclose(rotation @ rotation.T, np.eye(3))
    assert np.linalg.det(rotation) == pytest.approx(1)  # a turn, never a mirror image
    up = max(NORMALS, key=lambda side: float((rotation @ np.array(NORMALS[side]))[2]))
    assert DIE_SIDES[up] == value


@pytest.mark.parametrize("value", range(1, 7))
def test_the_picture_of_a_die_side_has_as_many_pips(value: int) -> None:
    look = random_die(random.Random(8))
    side = next(s for s, v in DIE_SIDES.items() if v == value)
    look.pip_radius, look.one_radius, look.spread, look.clear = 0.08, 0.12, 0.25, False
    look.body, look.pips = (250, 250, 250), ((0, 0, 0),) * 3
    import cv2

    dark = (look.texture(side, 96).mean(-1) < 128).astype(np.uint8)
    assert cv2.connectedComponents(dark)[0] - 1 == value


def test_the_box_of_a_die_holds_all_of_it() -> None:
    side = 0.6
    die = Item("die4", np.array([0, 0, side / 2]), thrown(4, 0.3), (side,) * 3,
               random_die(random.Random(1)))  # fmt: skip
    camera = aim(die.corners(), 0.6, -1.2, 8, 0, 0.5, 400)
    (found,) = _paint(camera, die).objects()
    pixels, _ = camera.project(die.corners())
    assert found.box == pytest.approx((*pixels.min(0), *pixels.max(0)), abs=0.01)
    assert (found.tile, found.role) == ("die4", "dice")


def test_sides_run_around_the_box_the_right_way() -> None:
    for side, corners in CORNERS.items():
        a, b, _, d = corners
        assert np.allclose(np.cross(b - a, a - d) / 4, NORMALS[side]), side
    assert np.allclose(quarter(1) @ quarter(3), np.eye(3))


def test_a_hidden_hand_hides_labels() -> None:
    rng = random.Random(4)
    stage = Stage(rng, drawn_set(rng), ClutterBox(1))
    stage.flat("1m", -2, 0)
    stage.flat("2m", 2, 0)
    painter = _paint(_overhead(14.0, 700.0), *stage.items)
    assert {o.tile for o in painter.objects()} == {"1m", "2m"}
    cover = np.zeros((400, 400), np.uint8)
    cover[:, :200] = 255
    painter.cover(cover)
    assert [o.tile for o in painter.objects()] == ["2m"]
