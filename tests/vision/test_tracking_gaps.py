"""A discard that nobody saw follows from the order of play (SPEC §4: the turn passes to the right),
and its doubt goes away when the tile comes to light."""

from __future__ import annotations

import json
from dataclasses import replace

from vision.table.placed import PlacedTile
from vision.table.placement import Placement
from vision.tracking import gaps
from vision.tracking.book import Move, Start, keep_book
from vision.tracking.doubts import likely_rolls, table_doubts
from vision.tracking.events import TableEvent
from vision.tracking.gaps import is_gap
from vision.tracking.looking import Looking
from vision.tracking.story import Story
from vision.values import Doubt, TileReading

CORNERS = ((0.1, 0.9), (0.9, 0.9), (0.9, 0.1), (0.1, 0.1))


class NoLook:
    side, least = 640, 0.4

    def __call__(self, pixels: object, part: object, closer: bool) -> tuple[TileReading, ...]:
        return ()


class Ponds:
    """Discards lie there one after another; time passes."""

    def __init__(self) -> None:
        self.story, self.at = Story(), 0.0
        self.tiles = [self._tile(99, "5m", "indicator", None, 3.0, -9.0)]
        self.told: list[TableEvent] = []
        self.wait()

    def _tile(
        self, number: int, name: str, role: str, seat: int | None, x: float, y: float
    ) -> PlacedTile:
        tile = TileReading(name, 0.9, (0.0, 0.0, 20.0, 28.0), ((name, 0.9),), index=number)
        return PlacedTile(tile, role, seat, x, y)

    def lay(self, seat: int, name: str, sure: bool = False) -> int:
        number = len(self.tiles)
        mine = sum(p.seat == seat for p in self.tiles)
        placed = self._tile(number, name, "pond", seat, float(mine), -4.0)
        if sure:
            placed = replace(placed, tile=replace(placed.tile, confidence=1.0))
        self.tiles.append(placed)
        self.wait()
        return number

    def wait(self) -> None:
        for _ in range(8):
            self.at += 0.2
            self.told += self.story.update(self.tiles, self.at, self.at, ready=True)

    def moves(self) -> list[tuple[int, str]]:
        return [(seen.seat, seen.tile) for seen in self.story.moves]

    def codes(self, turned: str | None) -> set[str]:
        book = keep_book(Start(0, (), turned), [seen.move() for seen in self.story.moves])
        looking = Looking(NoLook(), Placement("t", "overhead", CORNERS))
        found = table_doubts(self.tiles, looking, self.story, book, (), 0, False, self.at)
        return {doubt.code for doubt in found}

    def doubts(self, rolls: tuple[tuple[int, int], ...] = ()) -> dict[str, Doubt]:
        book = keep_book(Start(0, (), "5m"), [seen.move() for seen in self.story.moves])
        looking = Looking(NoLook(), Placement("t", "overhead", CORNERS))
        found = table_doubts(self.tiles, looking, self.story, book, rolls, 0, False, self.at)
        return {doubt.code: doubt for doubt in found}


def test_who_was_passed_over_discarded_unseen_and_the_account_goes_on() -> None:
    ponds = Ponds()
    first = [ponds.lay(0, "1p"), ponds.lay(1, "2p"), ponds.lay(2, "3p"), ponds.lay(3, "4p")]
    ponds.lay(0, "1s")
    ponds.lay(2, "3s")  # seat 1 was not seen
    assert ponds.moves()[-2:] == [(1, ""), (2, "3s")]
    unread = [e for e in ponds.told if e.kind == "discarded" and e.tile is None]
    assert [(e.seat, e.doubtful) for e in unread] == [(1, True)]
    book = keep_book(Start(0, (), "5m"), [seen.move() for seen in ponds.story.moves])
    assert book.reasons == ()
    assert book.round is not None
    assert [len(seat.river) for seat in book.round.seats] == [2, 2, 2, 1]
    doubt = ponds.doubts()["discard_unseen"]
    assert doubt.tiles == (first[1],), "the last discard of that seat tells where to look"
    assert "rules_disagree" not in ponds.doubts()


def test_the_tile_that_comes_to_light_later_fills_the_gap_and_ends_the_doubt() -> None:
    ponds = Ponds()
    ponds.lay(0, "1p")
    ponds.lay(2, "3s")
    assert "discard_unseen" in ponds.doubts()
    ponds.lay(1, "9s")  # it is seat 3's turn: this one was made before
    assert ponds.moves() == [(0, "1p"), (1, "9s"), (2, "3s")]
    assert ponds.told[-1].kind == "revised"
    assert (ponds.told[-1].seat, ponds.told[-1].tile, ponds.told[-1].how) == (1, "9s", "")
    assert "discard_unseen" not in ponds.doubts()


def test_a_tile_found_late_right_after_the_next_ones_fills_its_gap() -> None:
    # Seat 2 has just discarded; seat 1 cannot have done so again: this is the one of before.
    ponds = Ponds()
    for seat, name in ((0, "1p"), (2, "1s"), (3, "2z"), (0, "2p"), (1, "9s"), (2, "2m")):
        ponds.lay(seat, name)
    ponds.lay(1, "1z")
    assert [seat for seat, _ in ponds.moves()] == [0, 1, 2, 3, 0, 1, 2]
    assert "discard_unseen" not in ponds.doubts()
    ponds.lay(3, "6z")
    assert [seat for seat, _ in ponds.moves()] == [0, 1, 2, 3, 0, 1, 2, 3]


def test_once_somebody_plays_a_turned_tile_that_was_not_seen_is_asked_for() -> None:
    # SPEC §3: without the turned tile there are no jokers, and so no account.
    ponds = Ponds()
    assert "turned_unseen" not in ponds.doubts()
    blind = Ponds()
    blind.story, blind.tiles = Story(), [blind._tile(98, "back", "wall", None, 3.0, -9.0)]
    blind.wait()
    assert "turned_unseen" not in blind.codes(None)
    blind.lay(0, "1p")
    assert "turned_unseen" in blind.codes(None)
    assert "turned_unseen" not in blind.codes("5m"), "somebody has said it"


def test_of_two_found_at_one_time_the_one_that_lies_first_in_the_pond_is_the_older() -> None:
    # Seat 0 discarded 2z unseen, then 6z; 2z is told first, in seat 0's turn.
    ponds = Ponds()
    for seat, name in ((3, "1p"), (1, "1s"), (2, "2m"), (3, "9s")):
        ponds.lay(seat, name)
    assert ponds.moves()[1] == (0, "")
    ponds.lay(0, "2z")
    ponds.lay(0, "6z")  # at its right
    assert ponds.moves() == [
        (3, "1p"), (0, "2z"), (1, "1s"), (2, "2m"), (3, "9s"), (0, "6z"),
    ]  # fmt: skip
    assert [(e.kind, e.tile, e.how) for e in ponds.told[-2:]] == [
        ("revised", "2z", ""),
        ("revised", "6z", "2z"),
    ]
    assert "discard_unseen" not in ponds.doubts()


def test_a_tile_that_a_person_adds_fills_the_gap_even_in_turn() -> None:
    ponds = Ponds()
    for seat, name in ((0, "1p"), (2, "3s"), (3, "7z"), (0, "1z")):
        ponds.lay(seat, name)
    ponds.lay(1, "9s", sure=True)
    assert ponds.moves()[:3] == [(0, "1p"), (1, "9s"), (2, "3s")]
    assert "discard_unseen" not in ponds.doubts()


def test_what_a_person_says_of_an_unseen_discard_is_kept_and_can_be_taken_back() -> None:
    ponds = Ponds()
    for seat, name in ((0, "1p"), (2, "3s"), (0, "2p")):
        ponds.lay(seat, name)
    assert ponds.moves() == [(0, "1p"), (1, ""), (2, "3s"), (3, ""), (0, "2p")]
    numbers = [seen.ids[0] for seen in ponds.story.moves if is_gap(seen)]
    assert len(set(numbers)) == 2, "each has a number of its own"
    assert ponds.doubts()["discard_unseen"].move in numbers
    (told,) = gaps.name(ponds.story.moves, {numbers[0]: "9s"}, 9.0, 9.0)
    assert (told.kind, told.seat, told.tile, told.how) == ("revised", 1, "9s", "")
    assert ponds.moves()[:3] == [(0, "1p"), (1, "9s"), (2, "3s")]
    assert gaps.named(ponds.story.moves) == {numbers[0]: "9s"}
    ponds.wait()
    assert "discard_gone" not in ponds.doubts(), "it was never there to be seen"
    assert gaps.name(ponds.story.moves, {numbers[0]: "9s"}, 9.0, 9.0) == []
    (back,) = gaps.name(ponds.story.moves, {}, 9.0, 9.0)
    assert (back.tile, back.how, "9s" in back.zh) == (None, "9s", True)
    assert ponds.moves()[1] == (1, "")


def test_a_tile_that_comes_to_light_where_a_person_named_it_is_what_was_said() -> None:
    ponds = Ponds()
    ponds.lay(0, "1p")
    ponds.lay(2, "3s")
    (gap,) = [seen for seen in ponds.story.moves if is_gap(seen)]
    gaps.name(ponds.story.moves, {gap.ids[0]: "9s"}, 9.0, 9.0)
    late = ponds.lay(1, "8s")  # it is seat 3's turn: the tile is that of before, misread
    assert [seat for seat, _ in ponds.moves()] == [0, 1, 2]
    assert gaps.found(ponds.story.moves) == [(late, "9s")], "the word is one about this tile now"
    assert gaps.found(ponds.story.moves) == []


def test_faces_beside_an_unseen_discard_that_are_nobodys_are_offered_for_it() -> None:
    ponds = Ponds()
    for seat, name in ((1, "2p"), (2, "3p"), (3, "4p"), (0, "1s"), (2, "3s")):
        ponds.lay(seat, name)
    assert ponds.doubts()["discard_unseen"].choices == ()
    ponds.tiles.append(ponds._tile(50, "9s", "loose", None, 0.0, 0.0))
    far = ponds._tile(51, "8s", "loose", None, 0.0, 0.0)
    ponds.tiles.append(replace(far, tile=replace(far.tile, box=(400.0, 0.0, 420.0, 28.0))))
    assert [choice.value for choice in ponds.doubts()["discard_unseen"].choices] == ["9s"]


def test_a_pung_of_which_one_tile_shows_took_the_discard_that_nobody_saw() -> None:
    # SPEC §4: only exposed sets lie face up at a player's edge. Seat 2 ponged 1z of seat 1 before
    # it was read and discarded 5z at once; a wall hides two of the three.
    ponds = Ponds()
    for seat, name in ((3, "9p"), (0, "4p"), (2, "5z")):
        ponds.lay(seat, name)
    assert ponds.moves() == [(3, "9p"), (0, "4p"), (1, ""), (2, "5z")]
    ponds.tiles.append(ponds._tile(50, "1z", "meld", 2, 9.9, -12.1))
    told = len(ponds.told)
    ponds.wait()
    ponds.wait()
    assert [(e.kind, e.seat, e.tile, e.doubtful) for e in ponds.told[told:]] == [
        ("revised", 1, "1z", True),
        ("ponged", 2, "1z", True),
    ]
    kinds = [(seen.kind, seen.seat, seen.tile) for seen in ponds.story.moves]
    assert kinds[2:] == [("discard", 1, "1z"), ("pong", 2, "1z"), ("discard", 2, "5z")]
    book = keep_book(Start(3, (), "5m"), [seen.move() for seen in ponds.story.moves])
    assert book.reasons == ()
    assert "discard_unseen" not in ponds.doubts()


def test_a_discard_that_one_look_saw_before_it_was_claimed_is_told_in_doubt_with_its_pung() -> None:
    # SPEC §4: whoever pungs takes the discard at once. Seat 2's sets lie behind a wall.
    ponds = Ponds()
    ponds.story.hidden = (2,)
    for seat, name in ((3, "9p"), (0, "4p")):
        ponds.lay(seat, name)
    seen = ponds._tile(60, "2m", "pond", 1, 0.0, -4.0)
    ponds.story.glimpses = ((ponds.at, seen),)
    ponds.wait()
    assert ponds.moves() == [(3, "9p"), (0, "4p")], "one look by itself says nothing"
    told = len(ponds.told)
    ponds.lay(2, "6s")
    assert [(e.kind, e.seat, e.tile, e.doubtful) for e in ponds.told[told:]] == [
        ("discarded", 1, "2m", True),
        ("ponged", 2, "2m", True),
        ("discarded", 2, "6s", False),
    ]
    book = keep_book(Start(3, (), "5m"), [seen.move() for seen in ponds.story.moves])
    assert book.reasons == ()
    ponds.lay(3, "1s")
    ponds.lay(0, "2s")
    ponds.lay(2, "3s")  # what was seen before seat 1's turn is no discard of this turn
    assert ponds.moves()[-2:] == [(1, ""), (2, "3s")]


def test_a_discard_seen_for_a_moment_was_claimed_by_whoever_discards_next_not_passed_over() -> None:
    # SPEC §4: a pung passes the turn over to whoever claims.
    ponds = Ponds()
    for seat, name in ((3, "9p"), (0, "9s")):
        ponds.lay(seat, name)
    seen = ponds._tile(60, "4z", "pond", 1, 0.0, -4.0)
    ponds.story.glimpses = ((ponds.at, seen),)
    told = len(ponds.told)
    ponds.lay(3, "8m")
    assert [(e.kind, e.seat, e.tile) for e in ponds.told[told:]] == [
        ("discarded", 1, "4z"),
        ("ponged", 3, "4z"),
        ("discarded", 3, "8m"),
    ]
    book = keep_book(Start(3, (), "5m"), [seen.move() for seen in ponds.story.moves])
    assert book.reasons == ()


def test_what_one_look_saw_elsewhere_or_was_not_sure_of_is_no_discard() -> None:
    for role, seat, share in (("pond", 3, 0.95), ("wall", 1, 0.95), ("pond", 1, 0.7)):
        ponds = Ponds()
        ponds.lay(0, "4p")
        seen = ponds._tile(60, "2m", role, seat, 0.0, -4.0)
        seen = replace(seen, tile=replace(seen.tile, confidence=share))
        ponds.story.glimpses = ((ponds.at, seen),)
        ponds.lay(2, "6s")
        assert ponds.moves() == [(0, "4p"), (1, ""), (2, "6s")]


def test_a_face_at_the_edge_of_somebody_else_fills_no_gap() -> None:
    ponds = Ponds()
    for seat, name in ((0, "4p"), (2, "5z")):
        ponds.lay(seat, name)
    ponds.tiles.append(ponds._tile(50, "1z", "meld", 3, 9.9, -12.1))
    ponds.wait()
    ponds.wait()
    assert ponds.moves() == [(0, "4p"), (1, ""), (2, "5z")]
    assert "discard_unseen" in ponds.doubts()


def test_a_set_that_comes_to_light_took_the_unseen_discard_and_nobody_was_passed_over() -> None:
    # Seat 0 discards 6z unread, seat 2 pungs it and discards 3z; then its set is read.
    ponds = Ponds()
    ponds.lay(0, "1p")
    for seat, name in ((1, "1s"), (2, "2m"), (3, "9m")):
        ponds.lay(seat, name)
    ponds.lay(2, "3z")
    assert ponds.moves()[-3:] == [(0, ""), (1, ""), (2, "3z")]
    for k in range(3):
        tile = ponds._tile(50 + k, "6z", "meld", 2, float(k), -12.0)
        ponds.tiles.append(replace(tile, group=1))
    ponds.wait()
    assert [(s.kind, s.seat, s.tile) for s in ponds.story.moves][-3:] == [
        ("discard", 0, "6z"),
        ("pong", 2, "6z"),
        ("discard", 2, "3z"),
    ]
    assert not {"discard_unseen", "rules_disagree"} & set(ponds.doubts())


def test_rolls_that_were_not_seen_are_told_once_somebody_plays() -> None:
    ponds, two = Ponds(), ((1, 3), (2, 6))
    assert "rolls_missing" not in ponds.doubts(two)
    ponds.lay(0, "1p")
    assert "rolls_missing" in ponds.doubts(two)
    assert "rolls_missing" not in ponds.doubts((*two, (2, 4)))
    assert "rolls_missing" not in ponds.doubts(()), "the dice are out of the picture"


def test_what_is_no_gap_stays_with_the_rules_and_their_doubt_names_tiles() -> None:
    ponds = Ponds()
    one, other = ponds.lay(0, "1p"), ponds.lay(0, "2p")  # three unseen in a row are no gap
    assert ponds.moves() == [(0, "1p"), (0, "2p")]
    assert set(ponds.doubts()["rules_disagree"].tiles) == {one, other}


def test_of_five_alike_all_are_in_question_until_one_is_put_right() -> None:
    ponds = Ponds()
    alike = [ponds.lay(seat, "9p") for seat in (0, 1, 2, 3, 0)]
    assert set(ponds.doubts()["rules_disagree"].tiles) == set(alike)
    wrong = ponds.tiles[alike[2]]
    ponds.tiles[alike[2]] = replace(wrong, tile=replace(wrong.tile, tile="8p"))
    ponds.wait()
    assert "rules_disagree" not in ponds.doubts()


def test_an_unseen_discard_is_some_tile_that_is_left_and_no_joker() -> None:
    # 5m is turned: 5m and 6m are jokers.
    moves = [Move("discard", 0, ""), *(Move("discard", seat, "9p") for seat in (1, 2, 3))]
    book = keep_book(Start(0, (), "5m"), moves)
    assert book.applied == len(moves)
    assert book.round is not None
    assert book.round.seats[0].river[0] not in ("5m", "6m", "9p")


def test_a_roll_in_doubt_offers_the_likely_ones_and_keeps_those_before_it() -> None:
    assert set(likely_rolls((1, 6))) == {(2, 6), (1, 5)}
    ponds = Ponds()
    looking = Looking(NoLook(), Placement("t", "overhead", CORNERS))
    book = keep_book(Start(), [])
    rolls = ((2, 5), (3, 4))
    found = table_doubts((), looking, ponds.story, book, rolls, 0, True, 1.0)
    (doubt,) = [doubt for doubt in found if doubt.code == "roll"]
    assert [choice.en for choice in doubt.choices] == ["3+4", "2+4", "4+4", "3+3", "3+5"]
    assert [json.loads(choice.value)[0] for choice in doubt.choices] == [[2, 5]] * 5
    assert json.loads(doubt.choices[1].value) == [[2, 5], [2, 4]]
