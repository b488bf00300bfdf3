"""What people say about single tiles: where they belong, that one is not there, that one is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from vision.live import CorrectionError, LiveTable
from vision.sources.frame import Frame
from vision.table import PlacedTile
from vision.tracking.said import as_said
from vision.tracking.state import TableState, seats_of
from vision.tracking.story import PERSIST_S, Story
from vision.values import Box, TileReading

HAND = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p", "1p", "2p", "3p"]
CLOTH, BODY, SKIN = (60, 140, 40), (225, 235, 240), (110, 150, 215)


class Camera:
    """A row of tiles on cloth, of which some may be hidden from the look or taken away."""

    side = 640
    least = 0.4

    def __init__(self, names: Sequence[str] = HAND) -> None:
        self.names = list(names)
        self.unseen: set[int] = set()
        self.taken: set[int] = set()
        self.arm: Box | None = None
        self.number, self.at = 0, 0.0
        self.table = LiveTable(self)

    def box(self, k: int) -> Box:
        return 20.0 + 36 * k, 200.0, 54.0 + 36 * k, 246.0

    def frame(self, step: float) -> Frame:
        self.number += 1
        self.at += step
        pixels = np.full((300, 640, 3), CLOTH, np.uint8)
        for k in set(range(len(self.names))) - self.taken:
            x1, y1, x2, y2 = (int(v) for v in self.box(k))
            pixels[y1:y2, x1:x2] = BODY
        if self.arm is not None:
            x1, y1, x2, y2 = (int(v) for v in self.arm)
            pixels[y1:y2, x1:x2] = SKIN
        return Frame(pixels, self.at, 1e9 + self.at, "fake", self.number)

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        return tuple(
            TileReading(name, 0.95, self.box(k), ((name, 0.95),))
            for k, name in enumerate(self.names)
            if k not in self.unseen | self.taken
        )

    def run(self, frames: int = 15, step: float = 0.1) -> TableState:
        for _ in range(frames):
            self.table.handle(self.frame(step))
        state = self.table.state()
        assert state is not None
        return state


def roles(state: TableState) -> dict[str, str]:
    return {p.tile.tile: p.role for p in state.tiles}


def hand(state: TableState) -> list[str]:
    return [p.tile.tile for p in state.seats[0].hand]


def id_of(state: TableState, tile: str) -> int:
    return next(p.tile.index for p in state.tiles if p.tile.tile == tile)


@pytest.mark.parametrize(
    ("role", "seat"), [("pond", 2), ("loose", None), ("indicator", None), ("drawn", 0)]
)
def test_a_moved_tile_stays_there_until_it_moves_itself(role: str, seat: int | None) -> None:
    camera = Camera()
    identity = id_of(camera.run(), "3p")
    state = camera.table.corrections.move([identity], role, seat)
    assert state is not None
    assert roles(state)["3p"] == role
    assert hand(state) == HAND[:-1]
    later = camera.run()
    assert roles(later)["3p"] == role, "later frames show it in the row, and the user's word holds"
    camera.taken = {12}
    assert "3p" not in roles(camera.run())
    camera.taken = set()
    back = camera.run()
    assert roles(back)["3p"] == "hand", "it has moved: it is read anew"
    assert id_of(back, "3p") != identity


def test_a_tile_said_to_be_turned_sets_the_jokers() -> None:
    """中下滚: the turned tile and the next (SPEC §4.3)."""
    camera = Camera()
    state = camera.run()
    camera.table.corrections.indicator("1z")
    moved = camera.table.corrections.move([id_of(state, "3p")], "indicator", None)
    assert moved is not None
    assert moved.jokers == ("3p", "4p"), "the newer word holds, not the tile named before"
    other = camera.table.corrections.move([id_of(state, "9m")], "indicator", None)
    assert other is not None
    assert set(other.jokers) == {"9m", "1m"}
    assert roles(other)["3p"] == "hand", "there is one turned tile"


def test_what_is_not_there_stays_away_and_counts_for_nothing() -> None:
    camera = Camera([*HAND, "9p"])
    state = camera.run()
    identity = id_of(state, "9p")
    gone = camera.table.corrections.nothing(identity)
    assert gone is not None
    later = camera.run()
    for now in (gone, later):
        assert "9p" not in roles(now)
        assert [tile.index for tile in now.absent] == [identity]
        assert hand(now) == HAND
    assert later.to_json()["absent"][0]["tile"] == "9p"
    back = camera.table.corrections.move([identity], None, None)
    assert back is not None
    assert "9p" in roles(back)
    assert back.absent == ()


def test_a_tile_no_look_finds_can_be_added_and_leaves_when_it_is_taken() -> None:
    camera = Camera()
    camera.unseen = {4}
    state = camera.run()
    assert "5m" not in roles(state)
    x1, y1, x2, y2 = camera.box(4)
    identity, added = camera.table.corrections.add("5m", (x1 + x2) / 1280, (y1 + y2) / 600)
    assert added is not None
    assert hand(added) == HAND
    assert added.analysis[0].advice is not None, "thirteen tiles again: the hand is judged"
    box = next(p.tile.box for p in added.tiles if p.tile.index == identity)
    assert np.allclose(box, camera.box(4), atol=1.0), "as large as its neighbours"
    assert hand(camera.run(20, 1.0)) == HAND, "it stays though no look finds it"
    for k in range(8):  # an arm reaches across
        camera.arm = (20.0 + 20 * k, 150.0, 80.0 + 20 * k, 300.0)
        camera.run(1)
    camera.arm = None
    assert hand(camera.run(25, 0.6)) == HAND, "an arm that passed has left it where it was"
    camera.taken = {4}
    assert "5m" not in roles(camera.run(25)), "its place shows the cloth"


def test_words_can_be_put_back_as_they_were() -> None:
    camera = Camera()
    state = camera.run()
    said = camera.table.corrections.said()
    camera.table.corrections.tile(id_of(state, "1m"), "1z")
    camera.table.corrections.move([id_of(state, "3p")], "pond", 1)
    camera.table.corrections.add("9s", 0.5, 0.2)
    camera.table.corrections.dealer(2)
    after = camera.table.corrections.said()
    assert after != said
    before = camera.table.corrections.say(said)
    assert before is not None
    assert roles(before) == roles(state)
    assert camera.table.corrections.said().dealer is None
    again = camera.table.corrections.say(after)
    assert again is not None
    assert roles(again)["3p"] == "pond"
    assert {"1z", "9s"} <= set(roles(again))


def test_places_that_cannot_be_say_why() -> None:
    camera = Camera()
    identity = id_of(camera.run(), "1m")
    corrections = camera.table.corrections
    for role, seat in (("sleeve", 0), ("hand", None), ("pond", 4), ("indicator", 0)):
        with pytest.raises(CorrectionError, match="No such place"):
            corrections.move([identity], role, seat)
    with pytest.raises(CorrectionError, match="no longer on the table"):
        corrections.move([identity, 999], "pond", 1)
    assert corrections.said().words == {}, "all of them or none"
    with pytest.raises(CorrectionError, match="inside"):
        corrections.add("1m", 1.2, 0.5)
    with pytest.raises(CorrectionError, match="no tile"):
        corrections.add("0m", 0.5, 0.5)


def put(k: int, tile: str, role: str, seat: int, x: float = 0.0, group: int = 0) -> PlacedTile:
    reading = TileReading(tile, 0.95, (0, 0, 10, 14), ((tile, 0.95),), index=k)
    return PlacedTile(reading, role, seat, x, -4.0, group=group)


def test_three_said_to_be_exposed_make_a_set_and_a_fourth_joins_it() -> None:
    row = [put(k, tile, "hand", 0, float(k)) for k, tile in enumerate(["5m", "7p", "5m", "5m"])]
    said = {0: ("meld", 0), 2: ("meld", 0), 3: ("meld", 0)}
    mine = seats_of(as_said(row, said), {})[0]
    assert [(m.kind, m.tile) for m in mine.melds] == [("pong", "5m")]
    assert [p.tile.tile for p in mine.hand] == ["7p"]
    known = [put(k, "5m", "meld", 0, float(k), group=1) for k in range(3)]
    fourth = put(9, "5m", "hand", 0, 8.0)
    (kong,) = seats_of(as_said([*known, fourth], {9: ("meld", 0)}), {})[0].melds
    assert (kong.kind, len(kong.tiles)) == ("gang_open", 4)
    back = put(9, "back", "hand", 0, 3.0)
    (hidden,) = seats_of(as_said([*known, back], {9: ("meld", 0)}), {})[0].melds
    assert hidden.kind == "gang_concealed", "a back in the set: it was laid concealed (SPEC §5.4)"


def test_another_drawn_tile_puts_the_one_that_looked_so_into_the_hand() -> None:
    row = [put(0, "1m", "hand", 0), put(1, "2m", "hand", 0, 1.0), put(2, "9p", "drawn", 0, 4.0)]
    mine = seats_of(as_said(row, {0: ("drawn", 0)}), {})[0]
    assert mine.drawn is not None
    assert mine.drawn.tile.tile == "1m"
    assert [p.tile.tile for p in mine.hand] == ["2m", "9p"]


def told(
    story: Story, tiles: list[PlacedTile], at: float, said: dict[int, tuple[str, int | None]]
) -> list[tuple[str, int | None, str | None]]:
    """Two looks, so that what lies there has persisted."""
    events = []
    for now in (at, at + 2 * PERSIST_S):
        story.heed(said, {p.tile.index for p in tiles})
        events += story.update(as_said(tiles, said), now, 0.0, True)
    return [(event.kind, event.seat, event.tile) for event in events]


def test_a_discard_that_is_none_is_no_move_and_comes_back_when_the_word_does() -> None:
    story = Story()
    wall = [put(50, "back", "wall", 0)]
    told(story, wall, 0.0, {})
    first, second = put(1, "2p", "pond", 0), put(2, "3p", "pond", 1)
    assert told(story, [*wall, first], 1.0, {}) == [("discarded", 0, "2p")]
    both = [*wall, first, second]
    assert told(story, both, 2.0, {}) == [("discarded", 1, "3p")]
    assert told(story, both, 3.0, {1: ("loose", None)}) == []
    assert [(s.seat, s.tile) for s in story.moves] == [(1, "3p")]
    assert told(story, both, 4.0, {}) == []
    assert [(s.seat, s.tile) for s in story.moves] == [(0, "2p"), (1, "3p")], "in its old place"
    told(story, both, 5.0, {2: ("pond", 3)})
    assert [(s.seat, s.tile) for s in story.moves] == [(0, "2p"), (3, "3p")]
    told(story, both, 6.0, {})
    assert [(s.seat, s.tile) for s in story.moves] == [(0, "2p"), (1, "3p")]


def test_a_set_that_is_none_leaves_the_discard_unclaimed() -> None:
    story = Story()
    wall = [put(50, "back", "wall", 0)]
    told(story, wall, 0.0, {})
    told(story, [*wall, put(1, "2p", "pond", 0)], 1.0, {})
    trio = [put(10 + k, "2p", "meld", 1, float(k), group=1) for k in range(3)]
    assert ("ponged", 1, "2p") in told(story, [*wall, *trio], 2.0, {})
    said: dict[int, tuple[str, int | None]] = {10 + k: ("hand", 1) for k in range(3)}
    told(story, [*wall, *trio], 3.0, said)
    assert [s.kind for s in story.moves] == ["discard"]
    assert not story.moves[0].claimed
    assert story.known_melds(1) == ()
