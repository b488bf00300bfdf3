"""Whole simulated rounds laid out tile by tile: every move is told, and none that was not."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import count

import pytest

from rules.events import (
    AddedKong,
    ConcealedKong,
    Deal,
    Discard,
    Draw,
    Event,
    JokerKong,
    OpenKong,
    Pung,
    ReplacementDraw,
    WinClaim,
)
from rules.round import Round
from rules.simulate import play, random_setup
from vision.table import PlacedTile
from vision.tracking.book import Start, keep_book
from vision.tracking.events import TableEvent
from vision.tracking.story import Story
from vision.values import TileReading

TOLD = {
    Discard: "discarded",
    Pung: "ponged",
    OpenKong: "konged",
    AddedKong: "konged",
    ConcealedKong: "konged",
    JokerKong: "konged",
    WinClaim: "won",
}


class Desk:
    """A table whose tiles are laid by the events of the rules."""

    def __init__(self, mine: bool) -> None:
        self.mine = mine
        self.ids = count(1)
        self.ponds: list[list[PlacedTile]] = [[] for _ in range(4)]
        self.melds: list[list[list[PlacedTile]]] = [[] for _ in range(4)]
        self.indicator: PlacedTile | None = None
        self.hand: list[PlacedTile] = []
        self.opened: list[PlacedTile] = []

    def put(self, tile: str, role: str, seat: int | None, x: float, y: float) -> PlacedTile:
        reading = TileReading(tile, 0.95, (0, 0, 10, 14), ((tile, 0.95),), index=next(self.ids))
        return PlacedTile(reading, role, seat, x, y, standing=role == "hand")

    def tiles(self) -> list[PlacedTile]:
        found = [p for pond in self.ponds for p in pond]
        found += [p for melds in self.melds for meld in melds for p in meld]
        found += [self.indicator] if self.indicator else []
        return [*found, *self.hand, *self.opened]

    def show_hand(self, names: list[str]) -> None:
        """My tiles: those that stay keep their identity."""
        kept: list[PlacedTile] = []
        pool = list(self.hand)
        for k, name in enumerate(names):
            old = next((p for p in pool if p.tile.tile == name), None)
            if old is not None:
                pool.remove(old)
            placed = old or self.put(name, "hand", 0, 0.0, -12.0)
            kept.append(replace(placed, x=float(k)))
        self.hand = kept

    def meld(self, seat: int, names: list[str]) -> None:
        group = len(self.melds[seat]) + 1
        tiles = [self.put(n, "meld", seat, 4.0 * group + k, -12.0) for k, n in enumerate(names)]
        self.melds[seat].append([replace(p, group=group) for p in tiles])

    def apply(self, event: Event, table: Round) -> None:
        """Lay what the event lays; `table` is the round after it."""
        if isinstance(event, Deal):
            self.indicator = self.put(str(event.indicator), "indicator", 1, 3.0, -9.0)
        elif isinstance(event, Discard):
            n = len(self.ponds[event.seat])
            at = self.put(event.tile, "pond", event.seat, float(n % 6), -4.0 - 1.4 * (n // 6))
            self.ponds[event.seat].append(at)
        elif isinstance(event, (Pung, OpenKong)):
            giver = next(s for s in range(4) if len(table.seats[s].river) < len(self.ponds[s]))
            self.ponds[giver].pop()
            self.meld(event.seat, [event.tile] * (3 if isinstance(event, Pung) else 4))
        elif isinstance(event, (ConcealedKong, JokerKong)):
            self.meld(event.seat, ["back", event.tile, "back", "back"])
        elif isinstance(event, AddedKong):
            meld = next(m for m in self.melds[event.seat] if m[0].tile.tile == event.tile)
            new = self.put(event.tile, "meld", event.seat, meld[-1].x + 1, -12.0)
            meld.append(replace(new, group=meld[0].group))
        elif isinstance(event, WinClaim):
            hand = table.hand(event.seat)
            names = [*hand.concealed, str(hand.win_tile)]
            self.hand = self.hand if event.seat else []
            self.opened = [
                replace(
                    self.put(n, "drawn" if k == len(names) - 1 else "hand", event.seat, k, -12.0),
                    standing=False,
                )
                for k, n in enumerate(names)
            ]
        if self.mine and not self.opened:
            self.show_hand(list(table.seats[0].concealed))


def _film(seed: int, mine: bool) -> tuple[list[TableEvent], Story, Round]:
    chance = random.Random(seed)
    rounds = list(play(random_setup(chance), chance, eager=True))
    setup = rounds[0].setup
    desk, story, at = Desk(mine), Story(setup.options), 0.0
    told: list[TableEvent] = []
    for table in rounds[1:]:
        desk.apply(table.events[-1], table)
        for _ in range(8):
            at += 0.2
            told += story.update(desk.tiles(), at, at, ready=True)
    return told, story, rounds[-1]


def _truth(table: Round, mine: bool) -> list[tuple[str, int, str]]:
    moves = []
    for event in table.events[1:]:
        if type(event) in TOLD:
            tile = getattr(event, "tile", None) or str(table.hand(event.seat).win_tile)  # type: ignore[union-attr]
            moves.append((TOLD[type(event)], event.seat, tile))  # type: ignore[union-attr]
        elif isinstance(event, (Draw, ReplacementDraw)) and event.seat == 0 and mine:
            moves.append(("drew", 0, str(event.tile)))
    return moves


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("mine", [False, True])
def test_every_move_is_told_and_no_other(seed: int, mine: bool) -> None:
    told, story, table = _film(seed, mine)
    moves = [(e.kind, e.seat, e.tile) for e in told if e.kind not in ("flipped",)]
    truth = _truth(table, mine)
    assert moves == truth
    assert [e.tile for e in told if e.kind == "flipped"] == [table.indicator]
    opening = table.setup.opening
    start = Start(
        opening.dealer,
        (opening.dice1, opening.dice2, opening.dice3),
        story.indicator,
        story.hand,
        table.options,
        table.setup.zuo,
        table.setup.la,
    )
    book = keep_book(start, [seen.move() for seen in story.moves])
    assert book.reasons == ()
    if table.outcome is not None and table.outcome.kind == "win":
        assert book.round is not None
        assert book.round.settlement() == table.settlement()


def _laid(seed: int = 3) -> tuple[Desk, Story, float]:
    """Four discards on an overhead table."""
    desk, story, at = Desk(False), Story(), 0.0
    desk.indicator = desk.put("5m", "indicator", 1, 3.0, -9.0)
    for _ in range(5):
        at += 0.2
        story.update(desk.tiles(), at, at, ready=True)
    for seat, tile in enumerate(("1p", "2p", "3p", "4p")):
        desk.ponds[seat].append(desk.put(tile, "pond", seat, 0.0, -4.0))
        for _ in range(4):
            at += 0.2
            story.update(desk.tiles(), at, at, ready=True)
    return desk, story, at


def test_a_tile_that_passes_is_no_discard() -> None:
    desk, story, at = _laid()
    desk.ponds[0].append(desk.put("9s", "pond", 0, 1.0, -4.0))
    assert story.update(desk.tiles(), at + 0.1, at, ready=True) == []
    desk.ponds[0].pop()
    for k in range(6):
        assert story.update(desk.tiles(), at + 0.3 + k, at, ready=True) == []
    assert len(story.moves) == 4


def test_a_discard_that_is_pushed_stays_the_same_discard() -> None:
    desk, story, at = _laid()
    old = desk.ponds[1].pop()
    for _ in range(3):
        at += 0.2
        assert story.update(desk.tiles(), at, at, ready=True) == []
    desk.ponds[1].append(desk.put(old.tile.tile, "pond", 1, 0.8, -4.3))
    for _ in range(5):
        at += 0.2
        assert story.update(desk.tiles(), at, at, ready=True) == []
    assert [seen.tile for seen in story.moves] == ["1p", "2p", "3p", "4p"]


def test_a_correction_revises_the_move() -> None:
    desk, story, at = _laid()
    placed = desk.ponds[2][0]
    desk.ponds[2][0] = replace(placed, tile=replace(placed.tile, tile="3s"))
    (event,) = story.update(desk.tiles(), at + 0.2, at, ready=True)
    assert (event.kind, event.seat, event.tile, event.how) == ("revised", 2, "3s", "3p")
    assert [seen.tile for seen in story.moves] == ["1p", "2p", "3s", "4p"]


def test_tiles_that_lay_there_before_have_no_story() -> None:
    desk, story = Desk(False), Story()
    desk.ponds[0] = [desk.put("1p", "pond", 0, float(k), -4.0) for k in range(3)]
    told = [e for k in range(6) for e in story.update(desk.tiles(), 0.2 * k, 0.0, ready=True)]
    assert told == []
    assert story.joined_late


def test_gathering_the_tiles_ends_the_hand() -> None:
    desk, story, at = _laid()
    desk.ponds = [[], [], [], []]
    assert story.update(desk.tiles(), at + 0.2, at, ready=True) == []
    told = story.update(desk.tiles(), at + 3.0, at, ready=True)
    assert [event.kind for event in told] == ["cleared"]
    assert story.moves == []


def test_a_discard_claimed_too_quickly_to_be_seen_is_told_as_doubtful() -> None:
    # 4p of seat 3 lies there; seat 0 discards 9s, and seat 2 pungs it before it was read.
    desk, story, at = _laid()
    desk.meld(2, ["9s", "9s", "9s"])
    told = []
    for _ in range(4):
        at += 0.2
        told += story.update(desk.tiles(), at, at, ready=True)
    assert [(e.kind, e.seat, e.tile, e.doubtful) for e in told] == [
        ("discarded", 0, "9s", True),
        ("ponged", 2, "9s", False),
    ]
    book = keep_book(Start(indicator="5m"), [seen.move() for seen in story.moves])
    assert book.reasons == ()


def test_a_discard_found_anew_in_its_place_is_no_other_discard() -> None:
    # The camera was knocked: 2p is found a little beside its place before it is lost there.
    desk, story, at = _laid()
    again = desk.put("2p", "pond", 1, 0.2, -4.1)
    misread = desk.put("9s", "pond", 2, 0.1, -4.0)
    for _ in range(4):
        at += 0.2
        assert story.update([*desk.tiles(), again, misread], at, at, ready=True) == []
    desk.ponds[1] = [again]
    for _ in range(4):
        at += 0.2
        assert story.update(desk.tiles(), at, at, ready=True) == []
    assert [(seen.tile, seen.gone_at) for seen in story.moves] == [
        ("1p", None), ("2p", None), ("3p", None), ("4p", None),
    ]  # fmt: skip
