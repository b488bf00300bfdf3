"""Scenes: the same for the same seed, labels in range, roles and seats of a whole table."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from datasets import write
from datasets.fonts import CHINESE_FAMILIES, WIDER_FAMILIES
from datasets.scene import SceneGenerator
from datasets.scene_clutter import ClutterBox
from datasets.scene_deck import Deck
from datasets.scene_layouts import LAYOUTS, choose_kind
from datasets.scene_stage import Stage
from datasets.scene_tables import lay_table
from datasets.scene_types import CLASS_NAMES, FACES, ROLES, SEATS, Scene
from datasets.styles import random_style
from datasets.tile_sets import TileSet, drawn_set
from datasets.write import scene_paths, write_scenes
from rules import TILES

SHARED = Path(__file__).parents[2] / ".." / "shared"


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    """One scene of every kind."""
    generator = SceneGenerator(seed=21, styles=2)
    return [generator.scene(kind, size=256) for kind in LAYOUTS]


def _same(one: Scene, two: Scene) -> bool:
    return (
        np.array_equal(one.image, two.image)
        and np.array_equal(one.yolo(), two.yolo())
        and [(o.role, o.seat) for o in one.objects] == [(o.role, o.seat) for o in two.objects]
    )


def test_class_order_is_that_of_the_rules() -> None:
    assert CLASS_NAMES[:34] == TILES
    assert CLASS_NAMES[34:] == ("back", "die1", "die2", "die3", "die4", "die5", "die6")


def test_equal_seeds_give_equal_scenes() -> None:
    one, two = SceneGenerator(5, styles=3), SceneGenerator(5, styles=3)
    assert all(_same(one.scene(size=200), two.scene(size=200)) for _ in range(4))
    assert not _same(SceneGenerator(6, styles=3).scene(size=200), two.scene_at(0, size=200))


def test_a_scene_does_not_depend_on_those_before_it() -> None:
    walked = SceneGenerator(5, styles=3)
    for _ in range(3):
        last = walked.scene(size=200)
    assert _same(SceneGenerator(5, styles=3).scene_at(2, size=200), last)


def test_labels_lie_in_the_picture(scenes: list[Scene]) -> None:
    for scene in scenes:
        assert scene.image.shape == (256, 256, 3)
        assert scene.image.dtype == np.uint8
        labels = scene.yolo()
        assert labels.dtype == np.float32
        assert labels.shape == (len(scene.objects), 5)
        low = labels[:, 1:3] - labels[:, 3:] / 2
        high = labels[:, 1:3] + labels[:, 3:] / 2
        assert (low >= -1e-4).all()
        assert (high <= 1 + 1e-4).all()
        for found in scene.objects:
            assert found.tile in CLASS_NAMES
            assert found.role in ROLES
            assert 0.45 <= found.visible <= 1


def test_clutter_has_no_labels(scenes: list[Scene]) -> None:
    (clutter,) = (s for s in scenes if s.kind == "clutter")
    assert clutter.objects == ()


def test_unknown_kind_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="use one of hand, flat"):
        SceneGenerator(1, styles=1).scene("moon")


def test_a_whole_set_shows_every_kind_once_and_each_scene_another_set() -> None:
    generator = SceneGenerator(3, styles=1)
    scenes = [generator.scene_at(number, "set", 640) for number in range(3)]
    for scene in scenes:
        shown = Counter(found.tile for found in scene.objects)
        assert set(shown) <= set(FACES)  # a tile may be cut off, none is there twice
        assert set(shown.values()) == {1}
        assert len(shown) > 20
    styles = {random_style(random.Random(seed), wide=True).brush.family for seed in range(40)}
    assert styles & set(WIDER_FAMILIES)
    assert styles & set(CHINESE_FAMILIES)


def test_wide_scenes_are_the_same_scenes_of_other_sets_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[bool] = []

    def noted(rng: random.Random, wide: bool = False) -> TileSet:
        drawn.append(wide)
        return drawn_set(rng, wide)

    monkeypatch.setattr("datasets.scene.drawn_set", noted)
    wide, plain = SceneGenerator(3, styles=1, wide=True), SceneGenerator(3, styles=1)
    scenes = [wide.scene_at(number, "melds", 320) for number in range(2)]
    assert drawn == [True, True]
    assert all(scene.kind == "melds" and scene.objects for scene in scenes)
    plain.scene_at(0, "melds", 320)
    plain.scene_at(1, "melds", 320)
    assert drawn[2:] == [False]  # the one set of both


def test_whole_sets_come_only_when_they_are_asked_for() -> None:
    # The scenes of a seed stay what they were before this kind was there.
    assert "set" not in {choose_kind(random.Random(seed)) for seed in range(2000)}


@pytest.fixture(scope="module")
def table() -> Stage:
    """A whole table with every part."""
    rng = random.Random(17)
    stage = Stage(rng, drawn_set(rng), ClutterBox(1))
    stage.deck = Deck(rng, flowers=0.0)
    lay_table(stage, everything=True)
    return stage


def test_a_table_has_every_part(table: Stage) -> None:
    roles = Counter(item.role for item in table.items)
    assert set(roles) >= {"hand", "pond", "wall", "indicator", "dice"}
    assert roles["indicator"] == 1
    assert roles["dice"] == 2


def test_every_seat_holds_thirteen_tiles(table: Stage) -> None:
    for seat in SEATS:
        own = [item for item in table.items if item.seat == seat]
        held = sum(item.role == "hand" for item in own)
        melds = [item for item in own if item.role == "meld"]
        # SPEC 5.8: a set counts three, whether it has three or four tiles.
        assert (13 - held) % 3 == 0
        assert 3 * ((13 - held) // 3) <= len(melds) <= 4 * ((13 - held) // 3)


def test_seats_lie_around_the_table(table: Stage) -> None:
    middle = {
        seat: np.mean([i.centre[:2] for i in table.items if i.seat == seat and i.role == "hand"], 0)
        for seat in SEATS
    }
    assert middle["self"][1] < -9
    assert middle["right"][0] > 9
    assert middle["across"][1] > 9
    assert middle["left"][0] < -9


def test_hands_show_their_faces_to_their_players(table: Stage) -> None:
    for item in table.items:
        if item.role == "hand":
            outwards = item.centre[:2] / np.linalg.norm(item.centre[:2])
            assert item.rotation[:2, 2] @ outwards > 0.6


def test_no_kind_lies_face_up_five_times(table: Stage) -> None:
    hidden = {"wall", "dice"}
    shown = Counter(item.name for item in table.items if item.role not in hidden)
    assert max(shown[face] for face in FACES) <= 4


def test_a_deck_has_four_of_each() -> None:
    deck = Deck(random.Random(1), flowers=0.0)
    assert Counter(deck.draw(136)) == dict.fromkeys(FACES, 4)
    deck = Deck(random.Random(1), flowers=0.0)
    four = deck.draw_same(4)
    assert len(set(four)) == 1
    assert four[0] not in deck.draw(132)


def test_scenes_on_disk_can_be_resumed(tmp_path: Path) -> None:
    assert write_scenes(tmp_path, 3, seed=4, size=160) == 3
    picture, labels = scene_paths(tmp_path, 4, 1)
    assert (picture.name, labels.name) == ("4_000001.jpg", "4_000001.npy")
    before = picture.read_bytes(), labels.read_bytes()
    labels.unlink()
    assert write_scenes(tmp_path, 3, seed=4, size=160) == 1
    assert (picture.read_bytes(), labels.read_bytes()) == before
    assert np.array_equal(np.load(labels), SceneGenerator(4).scene_at(1, size=160).yolo())
    assert write_scenes(tmp_path, 3, seed=4, size=160) == 0


def test_more_processes_write_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "_CHUNK", 1)
    write_scenes(tmp_path / "one", 2, seed=4, size=160)
    write_scenes(tmp_path / "two", 2, seed=4, size=160, processes=2)
    for path in sorted((tmp_path / "one").iterdir()):
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_shared_pictures_serve_as_tile_sets() -> None:
    if not (SHARED / "photos" / "crops").is_dir():
        pytest.skip("the shared photos are not beside this checkout")
    one = SceneGenerator(2, SHARED, styles=2)
    drawn = SceneGenerator(2, None, styles=2)
    pairs = [(one.scene_at(i, size=160), drawn.scene_at(i, size=160)) for i in range(4)]
    assert any(not np.array_equal(a.image, b.image) for a, b in pairs)
    assert _same(pairs[0][0], one.scene_at(0, size=160))


def test_dice_lie_among_the_things_of_board_games_small_and_labelled() -> None:
    generator = SceneGenerator(seed=31, styles=1)
    sides = [
        o.box[2] - o.box[0]
        for index in range(12)
        for o in generator.scene_at(index, "dice").objects
        if o.role == "dice"
    ]
    assert sum(12 <= side <= 32 for side in sides) >= 5  # as in photos of a whole game


def test_boards_tokens_and_spines_are_drawn_but_never_labelled() -> None:
    box, rng = ClutterBox(3), random.Random(3)
    for store in ("board", "piece"):
        thing = box.thing(rng, 0.0, 0.0, store)
        assert not thing.name
        assert thing.look.texture("face", 200.0) is not None
    spines = box.standing_shelf(rng, -1.2, 5.0)
    assert spines.corners()[:, 2].min() == pytest.approx(0)
    # they face the viewer who stands in the direction -1.2 of the table's middle
    assert spines.rotation[:2, 2] @ spines.centre[:2] < 0
    generator = SceneGenerator(seed=31, styles=1)
    assert not any(generator.scene_at(i, "clutter", 200).objects for i in range(6))
