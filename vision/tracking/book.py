"""From what was seen on the table to a `Round` of the rules.

A camera does not see every hand. What it did not see is filled in so that everything it did see
could happen: a discard follows a draw (of that very tile, where nothing else is known), a pung
took two tiles that were in the hand, the rest of each hand is any tile not seen elsewhere. So the
rules check every move that was seen, and keep the account, without knowing what nobody saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rules import IllegalEvent, Opening, Reason, Round, RuleOptions, Setup
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
from rules.jokers import joker_kinds
from rules.tiles import TILES

SEATS = 4
HAND = 13
UNKNOWN_DICE = (1, 1)
# Tiles of a kind that a move shows besides a discard that it takes.
TILES_OF = {"pong": 2, "kong_open": 3, "kong_concealed": 4, "draw": 0}


@dataclass(frozen=True)
class Move:
    """Something that was seen to happen.

    Attributes:
        kind: `"draw"`, `"discard"`, `"pong"`, `"kong_open"`, `"kong_added"`, `"kong_concealed"`
            or `"win"`.
        seat: Who did it, 0..3.
        tile: The tile; of a win the drawn one. Of a discard that nobody saw "": it was any tile
            that is not seen elsewhere.
        hand: Of a win, the other concealed tiles.
    """

    kind: str
    seat: int
    tile: str
    hand: tuple[str, ...] = ()


@dataclass(frozen=True)
class Start:
    """What is known from before the first move.

    Attributes:
        dealer: 0..3; None: whoever discards first.
        dice: The rolls of the opening, as many as were seen.
        indicator: The turned tile.
        hand: My own thirteen or fourteen tiles, where they show.
        options: The rules in force.
        zuo: The dealer chose 坐庄.
        la: How many times each seat pulls the dealer.
    """

    dealer: int | None = None
    dice: tuple[tuple[int, int], ...] = ()
    indicator: str | None = None
    hand: tuple[str, ...] = ()
    options: RuleOptions = field(default_factory=RuleOptions)
    zuo: bool = False
    la: tuple[int, ...] = (0, 0, 0, 0)


@dataclass(frozen=True)
class Book:
    """What the rules make of the moves.

    Attributes:
        round: As far as the moves are legal; None before the turned tile is known.
        applied: How many of the moves are in it.
        reasons: Why the next one cannot be; empty when all are in it.
        tile: The tile that the reasons are about, where there is one.
    """

    round: Round | None
    applied: int
    reasons: tuple[Reason, ...] = ()
    tile: str | None = None


class _Story:
    """Turns moves into events and notes what each hand must have held from the beginning."""

    def __init__(self, dealer: int) -> None:
        self.turn = dealer
        self.phase = "act"
        self.events: list[Event] = []
        self.needs: list[Counter[str]] = [Counter() for _ in range(SEATS)]
        self.held: list[Counter[str]] = [Counter() for _ in range(SEATS)]
        self.drawn: Counter[str] = Counter()

    def add(self, move: Move, jokers: tuple[str, ...]) -> None:
        """Append the events of a move."""
        getattr(self, f"_{move.kind}")(move, jokers)

    def _take(self, seat: int, tile: str) -> None:
        """The draw that came before, unless there was one already."""
        if self.phase == "act" and self.turn == seat:
            return
        kind = ReplacementDraw if self.phase == "replace" and self.turn == seat else Draw
        self.events.append(kind(seat, tile))
        self.held[seat][tile] += 1
        self.drawn[tile] += 1
        self.turn, self.phase = seat, "act"

    def _spend(self, seat: int, tile: str, times: int = 1) -> None:
        for _ in range(times):
            if self.held[seat][tile]:
                self.held[seat][tile] -= 1
            else:
                self.needs[seat][tile] += 1

    def _draw(self, move: Move, jokers: tuple[str, ...]) -> None:
        self._take(move.seat, move.tile)

    def _discard(self, move: Move, jokers: tuple[str, ...]) -> None:
        self._take(move.seat, move.tile)
        self._spend(move.seat, move.tile)
        self.events.append(Discard(move.seat, move.tile))
        self.phase = "claim"

    def _pong(self, move: Move, jokers: tuple[str, ...]) -> None:
        self._spend(move.seat, move.tile, 2)
        self.events.append(Pung(move.seat, move.tile))
        self.turn, self.phase = move.seat, "act"

    def _kong_open(self, move: Move, jokers: tuple[str, ...]) -> None:
        self._spend(move.seat, move.tile, 3)
        self.events.append(OpenKong(move.seat, move.tile))
        self.turn, self.phase = move.seat, "replace"

    def _kong_added(self, move: Move, jokers: tuple[str, ...]) -> None:
        self._take(move.seat, move.tile)
        self._spend(move.seat, move.tile)
        self.events.append(AddedKong(move.seat, move.tile))
        self.phase = "replace"

    def _kong_concealed(self, move: Move, jokers: tuple[str, ...]) -> None:
        self._take(move.seat, move.tile)
        self._spend(move.seat, move.tile, 4)
        kind = JokerKong if move.tile in jokers else ConcealedKong
        self.events.append(kind(move.seat, move.tile))
        self.phase = "replace"

    def _win(self, move: Move, jokers: tuple[str, ...]) -> None:
        self._take(move.seat, move.tile)
        for tile in (*move.hand, move.tile):
            self._spend(move.seat, tile)
        self.events.append(WinClaim(move.seat))


def keep_book(start: Start, moves: Sequence[Move]) -> Book:
    """The round that the moves make, as far as the rules allow them.

    Args:
        start: What is known from before.
        moves: What was seen, in order.
    """
    dealer = start.dealer
    if dealer is None:
        first = next((move for move in moves if move.kind != "draw"), None)
        dealer = first.seat if first else None
    if dealer is None or start.indicator is None:
        return Book(None, 0)
    return _round_of(start, dealer, _with_unseen(start, moves))


def _with_unseen(start: Start, moves: Sequence[Move]) -> list[Move]:
    """The moves with some tile, of which most are left, for every discard that nobody saw."""
    if all(move.tile for move in moves):
        return list(moves)
    jokers = joker_kinds(str(start.indicator), start.options.joker_rule)
    left = Counter({tile: 4 for tile in TILES if tile not in jokers})
    left.subtract([str(start.indicator), *start.hand])
    for move in moves:
        left.subtract([move.tile] * TILES_OF.get(move.kind, 1))
        left.subtract(move.hand)
    found = []
    for move in moves:
        if not move.tile:
            tile = max(left, key=lambda name: (left[name], name))
            left[tile] -= 1
            move = replace(move, tile=tile)
        found.append(move)
    return found


def _round_of(start: Start, dealer: int, moves: Sequence[Move]) -> Book:
    indicator = str(start.indicator)
    jokers = joker_kinds(indicator, start.options.joker_rule)
    story = _Story(dealer)
    ends = []
    for move in moves:
        story.add(move, jokers)
        ends.append(len(story.events))
    deal = _deal(start, dealer, story, indicator)
    if isinstance(deal, Reason):
        over = _over(start, story, indicator)
        if not moves:
            return Book(None, 0, (deal,), over)
        # The last move asks for more tiles than there are: the moves before it stand.
        shorter = _round_of(start, dealer, moves[:-1])
        if shorter.reasons:
            return shorter
        return Book(shorter.round, shorter.applied, (deal,), over)
    dice = (*start.dice[:3], *(UNKNOWN_DICE,) * 3)[:3]
    setup = Setup(Opening(dealer, dice[0], dice[1], dice[2]), start.options, start.zuo, start.la)
    table = Round.begin(setup).apply(deal)
    for number, event in enumerate(story.events):
        try:
            table = table.apply(event)
        except IllegalEvent as error:
            applied = sum(end <= number for end in ends)
            return Book(table, applied, tuple(error.reasons))
    return Book(table, len(moves))


def _over(start: Start, story: _Story, indicator: str) -> str | None:
    """A tile that was seen more than four times."""
    over = sorted(tile for tile, count in _left(start, story, indicator)[0].items() if count < 0)
    return over[0] if over else None


def _left(start: Start, story: _Story, indicator: str) -> tuple[Counter[str], list[Counter[str]]]:
    """How many of each tile nobody has shown, and what each hand must hold."""
    left = Counter(dict.fromkeys(TILES, 4))
    left[indicator] -= 1
    left.subtract(story.drawn)
    needs = [Counter(need) for need in story.needs]
    if len(start.hand) >= HAND and not needs[0] - Counter(start.hand):
        needs[0] = Counter(start.hand)
    for need in needs:
        left.subtract(need)
    return left, needs


def _deal(start: Start, dealer: int, story: _Story, indicator: str) -> Deal | Reason:
    """Hands that hold what the moves need, the rest filled up; or why there are none."""
    left, needs = _left(start, story, indicator)
    over = _over(start, story, indicator)
    if over is not None:
        return Reason(
            "five_seen",
            f"{over} 看见了五张以上：有牌读错了",
            f"{over} was seen more than four times: a tile is misread",
        )
    sizes = [HAND + (seat == dealer) for seat in range(SEATS)]
    for seat, need in enumerate(needs):
        if need.total() > sizes[seat]:
            return Reason(
                "too_many_from_hand",
                f"{seat} 号座位出的牌比手牌还多：可能漏看了抓牌",
                f"seat {seat} played more tiles than it held: a draw was missed",
            )
    # What lies unseen in the hands: taken from the kinds with most tiles left.
    rest = iter(sorted(left.elements(), key=lambda tile: (-left[tile], TILES.index(tile))))
    hands = []
    for seat, need in enumerate(needs):
        hand = list(need.elements())
        hand += [next(rest) for _ in range(sizes[seat] - len(hand))]
        hands.append(hand)
    drawn = hands[dealer].pop(_dealt_last(hands[dealer], story, dealer))
    return Deal(tuple(tuple(hand) for hand in hands), drawn, indicator)


def _dealt_last(hand: list[str], story: _Story, dealer: int) -> int:
    """Which of the dealer's fourteen counts as drawn: the first one that leaves the hand."""
    first = next((e for e in story.events if getattr(e, "seat", None) == dealer), None)
    tile = getattr(first, "tile", None)
    return hand.index(tile) if tile in hand else len(hand) - 1


def book_json(book: Book, moves: int) -> dict[str, Any] | None:
    """The hand as the rules see it, of so many moves; None before the turned tile is known."""
    table = book.round
    if table is None:
        return None
    outcome = table.outcome
    return {
        "phase": table.phase,
        "dealer": table.dealer,
        "turn": table.turn,
        "moves": moves,
        "applied": book.applied,
        "live_left": table.wall.live_left,
        "outcome": None
        if outcome is None
        else {
            "kind": outcome.kind,
            "winner": outcome.winner,
            "fan": outcome.fan,
            "title": outcome.title,
            "deltas": list(table.settlement().deltas),
        },
    }
