"""Roles and seats on whole tables: what was laid is what `assign` says, from above and a seat."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.scene_tables import lay_table
from datasets.scene_types import SEATS
from vision.table import PlacedTile, assign, guess_placement
from vision.table.cut import LEAST_WHOLE, cut_off, seen_share

_spec = importlib.util.spec_from_file_location(
    "table_scenes", Path(__file__).with_name("table_scenes.py")
)
assert _spec is not None
assert _spec.loader is not None
scenes = importlib.util.module_from_spec(_spec)
sys.modules.setdefault("table_scenes", scenes)
_spec.loader.exec_module(scenes)


def _wrong(placed: PlacedTile, truth: tuple[str, str, str]) -> bool:
    _, role, seat = truth
    if role == "dice":
        return placed.role != "dice"
    same = (placed.role, placed.seat) == (role, SEATS.index(seat))
    return not same


@pytest.mark.parametrize("view", ["overhead", "seat"])
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_tables_as_laid(view: str, seed: int) -> None:
    stage = scenes.stage_of(seed)
    stage.deck._flowers = 0.0
    lay_table(stage, everything=True)
    camera = scenes.camera_of(view)
    tiles, truth = scenes.readings_of(stage, camera, jitter=0.4)
    placed = assign(tiles, scenes.placement_of(camera, view), (camera.size, camera.size))
    wrong = [
        (t, p.role, p.seat, round(p.x, 1), round(p.y, 1))
        for p, t in zip(placed, truth, strict=True)
        if _wrong(p, t)
    ]
    assert wrong == []


@pytest.mark.parametrize("view", ["overhead", "seat"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_guessed_table_gives_the_tiles_their_roles(view: str, seed: int) -> None:
    stage = scenes.stage_of(seed)
    stage.deck._flowers = 0.0
    lay_table(stage, everything=True)
    camera = scenes.camera_of(view)
    tiles, truth = scenes.readings_of(stage, camera, jitter=0.4)
    guess = guess_placement(tiles, (camera.size, camera.size))
    assert guess is not None
    assert guess.view == view
    true = scenes.placement_of(camera, view)
    off = np.abs(np.array(guess.corners) - np.array(true.corners)).max()
    assert off < 0.06  # shares of the picture's side
    placed = assign(tiles, guess, (camera.size, camera.size))
    wrong = sum(_wrong(p, t) for p, t in zip(placed, truth, strict=True))
    assert wrong <= 0.03 * len(tiles)


def test_a_hand_alone_is_no_table() -> None:
    stage = scenes.stage_of(1)
    camera = scenes.camera_of("seat")
    with stage.seat(0):
        stage.standing_row(["1m", "2m", "3m"], 0, -12)
    tiles, _ = scenes.readings_of(stage, camera)
    assert guess_placement(tiles, (camera.size, camera.size)) is None


@pytest.mark.parametrize(("share", "found"), [(0.4, True), (0.03, False)])
def test_a_turned_tile_taken_for_a_back_is_the_one_wall_tile_that_might_be_a_face(
    share: float, found: bool
) -> None:
    # A white dragon at a slant; in play a tile of the wall lies turned (SPEC §3).
    stage = scenes.stage_of(2)
    stage.deck._flowers = 0.0
    lay_table(stage, everything=True)
    camera = scenes.camera_of("seat")
    tiles, truth = scenes.readings_of(stage, camera, jitter=0.4)
    (turned,) = [k for k, (_, role, _) in enumerate(truth) if role == "indicator"]
    shares = (("back", 0.95 - share), ("5z", share))
    blank = replace(tiles[turned], tile="back", confidence=0.95 - share, alternatives=shares)
    read = [blank if k == turned else tile for k, tile in enumerate(tiles)]
    placed = assign(read, scenes.placement_of(camera, "seat"), (camera.size, camera.size))
    got = [p for p in placed if p.role == "indicator"]
    assert [(p.tile.index, p.tile.tile, p.tile.doubtful) for p in got] == (
        [(blank.index, "5z", True)] if found else []
    )


@pytest.mark.parametrize("view", ["overhead", "seat"])
@pytest.mark.parametrize(("share", "found"), [(0.15, True), (0.01, False)])
def test_a_back_among_the_discards_that_might_be_blank_is_a_white_dragon_in_doubt(
    view: str, share: float, found: bool
) -> None:
    # Nobody discards face down (SPEC §4), and the walls' backs stay the walls'.
    stage = scenes.stage_of(3)
    stage.deck._flowers = 0.0
    lay_table(stage, everything=True)
    camera = scenes.camera_of(view)
    tiles, truth = scenes.readings_of(stage, camera, jitter=0.4)
    tiles = [replace(t, tile="6z") if t.tile == "5z" else t for t in tiles]
    pond = [k for k, (_, role, seat) in enumerate(truth) if role == "pond" and seat == SEATS[2]]
    shares = (("back", 0.95 - share), ("5z", share))
    blank = replace(tiles[pond[1]], tile="back", confidence=0.95 - share, alternatives=shares)
    walls = (("back", 0.8), ("5z", 0.15))
    read = [replace(t, alternatives=walls) if t.tile == "back" else t for t in tiles]
    read[pond[1]] = blank
    where, size = scenes.placement_of(camera, view), (camera.size, camera.size)
    placed = assign(read, where, size)
    blanks = [p for p in placed if p.tile.tile == "5z" and p.role != "indicator"]
    assert [(p.tile.index, p.role, p.seat, p.tile.doubtful) for p in blanks] == (
        [(blank.index, "pond", 2, True)] if found else []
    )
    # Two side by side are a piece of a wall.
    beside = replace(tiles[pond[2]], tile="back", confidence=blank.confidence, alternatives=shares)
    read[pond[2]] = beside
    placed = assign(read, where, size)
    assert [p for p in placed if p.tile.tile == "5z" and p.role != "indicator"] == []


@pytest.mark.parametrize("view", ["overhead", "seat"])
@pytest.mark.parametrize(("share", "role"), [(0.3, "wall"), (0.0, "pond")])
def test_a_blank_face_on_the_walls_away_from_the_discards_is_a_back(
    view: str, share: float, role: str
) -> None:
    # SPEC §3: one tile of the wall is turned, and that one is known; nobody discards onto the wall.
    stage = scenes.stage_of(3)
    stage.deck._flowers = 0.0
    lay_table(stage, everything=True)
    camera = scenes.camera_of(view)
    tiles, truth = scenes.readings_of(stage, camera, jitter=0.4)
    where, size = scenes.placement_of(camera, view), (camera.size, camera.size)
    (turned,) = [t.index for t, (_, r, _) in zip(tiles, truth, strict=True) if r == "indicator"]
    placed = {p.tile.index: p for p in assign(tiles, where, size, (turned,))}
    ponds = [p for p in placed.values() if p.role == "pond"]
    walls = [p for p in placed.values() if p.role == "wall" and p.seat == 2]
    far = next(p for p in walls if all(p.seat != q.seat or abs(p.x - q.x) > 3 for q in ponds))
    shares = (("5z", 0.6), ("back", share))
    blank = replace(far.tile, tile="5z", confidence=0.6, alternatives=shares)
    read = [blank if t.index == blank.index else t for t in tiles]
    got = {p.tile.index: p for p in assign(read, where, size, (turned,))}[blank.index]
    assert (got.role, got.tile.tile) == (role, "back" if role == "wall" else "5z")


def test_a_blank_face_among_far_backs_is_no_open_hand_behind_the_wall() -> None:
    # From a seat the top of the far wall lies in the picture where a tile behind it would.
    stage = scenes.stage_of(3)
    stage.deck._flowers = 0.0
    lay_table(stage, everything=True)
    camera = scenes.camera_of("seat")
    tiles, truth = scenes.readings_of(stage, camera, jitter=0.4)
    where, size = scenes.placement_of(camera, "seat"), (camera.size, camera.size)
    (turned,) = [t.index for t, (_, r, _) in zip(tiles, truth, strict=True) if r == "indicator"]
    walls = [
        t.index
        for t, (_, role, seat) in zip(tiles, truth, strict=True)
        if role == "wall" and seat == SEATS[2]
    ]
    shares = (("5z", 0.5), ("back", 0.3))
    for index in walls[1:-1]:
        read = [
            replace(t, tile="5z", confidence=0.5, alternatives=shares) if t.index == index else t
            for t in tiles
        ]
        got = {p.tile.index: p for p in assign(read, where, size, (turned,))}[index]
        assert (got.role, got.tile.tile) == ("wall", "back")


@pytest.mark.parametrize("view", ["overhead", "seat"])
def test_a_face_of_which_the_picture_cuts_off_a_part_is_doubtful(view: str) -> None:
    # Half of a 4p is a 2p.
    stage = scenes.stage_of(4)
    stage.deck._flowers = 0.0
    lay_table(stage, everything=True)
    camera = scenes.camera_of(view)
    where = scenes.placement_of(camera, view)
    tiles, truth = scenes.readings_of(stage, camera)
    ponds = [t for t, (_, role, _) in zip(tiles, truth, strict=True) if role == "pond"]
    plane, side = where.plane(camera.size, camera.size), camera.size
    for tile in ponds:
        x1, y1, x2, y2 = tile.box
        for share, is_cut in ((0.6, True), (1.0, False)):
            right, low = x1 + share * (x2 - x1), y1 + share * (y2 - y1)
            for box, size in (
                ((x1, y1, right, y2), (right, side)),
                ((x1, y1, x2, low), (side, low)),
            ):
                assert cut_off(replace(tile, box=box), plane, where.tile, size) == is_cut
        assert not cut_off(tile, plane, where.tile, (side, side))


@pytest.mark.parametrize("view", ["overhead", "seat"])
def test_a_face_of_which_something_hides_a_part_is_doubtful_wherever_it_lies(view: str) -> None:
    # The lower half of a 5p behind a wall leaves a 2p.
    stage = scenes.stage_of(4)
    stage.deck._flowers = 0.0
    lay_table(stage, everything=True)
    camera = scenes.camera_of(view)
    where, size = scenes.placement_of(camera, view), (camera.size, camera.size)
    tiles, truth = scenes.readings_of(stage, camera)
    plane = where.plane(*size)
    lying = [t for t, (_, role, _) in zip(tiles, truth, strict=True) if role in ("pond", "meld")]
    faces = [tile for tile in lying if tile.is_face]
    assert len(faces) > 10
    for tile in faces:
        x1, y1, x2, y2 = tile.box
        half = replace(tile, box=(x1, y1, x2, y1 + 0.55 * (y2 - y1)))
        assert seen_share(tile, plane, where.tile) > LEAST_WHOLE
        assert seen_share(half, plane, where.tile) < LEAST_WHOLE
    pond = next(t for t, (_, role, _) in zip(tiles, truth, strict=True) if role == "pond")
    x1, y1, x2, y2 = pond.box
    hidden = replace(pond, box=(x1, y1, x2, y1 + 0.7 * (y2 - y1)), doubtful=False)
    read = tuple(hidden if t is pond else replace(t, doubtful=False) for t in tiles)
    placed = {p.tile.index: p for p in assign(read, where, size)}
    assert placed[pond.index].tile.doubtful
    others = [p for p in placed.values() if p.role == "pond" and p.tile.index != pond.index]
    assert others
    assert not any(p.tile.doubtful for p in others)
