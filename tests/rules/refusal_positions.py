"""Positions of a hand from which some action is refused, for test_refusals.py."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from rules.events import (
    AddedKong,
    ConcealedKong,
    Deal,
    Discard,
    Draw,
    Event,
    Pung,
    ReplacementDraw,
    WinClaim,
)
from rules.opening import Opening
from rules.options import RuleOptions
from rules.round import Round, Setup
from rules.simulate import random_setup
from rules.tiles import TILES, parse_tiles


def dealt(
    text: str,
    drawn: str,
    *later: str,
    seat: int = 0,
    third: str = "",
    **options: Any,
) -> Round:
    """A dealt round: 9s turned (jokers 9s, 1s), dealer 0, a tail of three tiles.

    One seat has the hand given, seat 3 perhaps another; the rest get what nobody needs later.
    """
    given = {seat: parse_tiles(text)}
    if third:
        given[3] = parse_tiles(third)
    used = Counter([drawn, "9s", *later, *(tile for hand in given.values() for tile in hand)])
    rest = [tile for copy in range(4) for tile in TILES if used[tile] + copy < 4]
    hands = [given.get(k) or tuple(rest[13 * k : 13 * k + 13]) for k in range(4)]
    opening = Opening(0, (1, 2), (3, 4), (1, 1))
    setup = Setup(opening, RuleOptions.from_mapping(options))
    return Round.begin(setup).apply(Deal(tuple(hands), drawn, "9s"))


def moved(table: Round, *events: Event) -> Round:
    for event in events:
        table = table.apply(event)
    return table


def begun(**options: Any) -> Round:
    opening = Opening(0, (1, 2), (3, 4), (1, 1))
    return Round.begin(Setup(opening, RuleOptions.from_mapping(options)))


def known() -> Round:
    return Round.begin(random_setup(Random(5), dealer=0)).apply(Deal())


def won() -> Round:
    return moved(dealt("123456789m11p23p", "4p"), WinClaim(0))


def discarded(tile: str = "7z", text: str = "777z2468p2468s13s") -> Round:
    """Seat 0 has discarded; seat 2 holds the hand."""
    return moved(dealt(text, tile, "5z", "6z", seat=2), Discard(0, tile))


def ponged() -> Round:
    return moved(discarded(), Pung(2, "7z"))


def konged() -> Round:
    """A 暗杠 of seat 0, the replacement not yet taken."""
    return moved(dealt("1111z123456789m", "1p", "1p"), ConcealedKong(0, "1z"))


def added() -> Round:
    """Seat 2 has just added the fourth 7z to its pung."""
    table = moved(
        dealt("77z2468p2468s135s", "7z", "6z", "6z", "6z", "7z", seat=2),
        Discard(0, "7z"),
        Pung(2, "7z"),
        Discard(2, "2p"),
    )
    for seat in (3, 0, 1):
        table = moved(table, Draw(seat, "6z"), Discard(seat, "6z"))
    return moved(table, Draw(2, "7z"), AddedKong(2, "7z"))


def four_kongs(**options: Any) -> Round:
    """The tail is used up by three kongs and a fourth is in hand."""
    table = dealt("1111z2222z3333z1m", "4z", "4z", "4z", "4z", "5z", **options)
    for tile in ("1z", "2z", "3z"):
        table = moved(table, ConcealedKong(0, tile), ReplacementDraw(0, "4z"))
    return table


def wall_end() -> Round:
    """A known wall drawn to its last tile."""
    table = known()
    while table.wall.live_left:
        plain = [a for a in table.legal_actions(table.turn) if isinstance(a, Discard)]
        table = moved(table, plain[-1], Draw((table.turn + 1) % 4))
    return table


def xiao() -> Round:
    """Seat 0 discarded without the tile of its kong."""
    table = moved(dealt("1111z23456789m5p", "1m", "6z", "6z", "6z"), ConcealedKong(0, "1z"))
    table = moved(table, Discard(0, "5p"))
    for seat in (1, 2, 3):
        table = moved(table, Draw(seat, "6z"), Discard(seat, "6z"))
    return moved(table, Draw(0, "2p"))


def da() -> Round:
    """Seat 0 has drawn twice and holds four 1z."""
    return moved(dealt("1111z23456789m5p", "1m", "5p"), Draw(0, "5p"))


def chan() -> Round:
    table = moved(dealt("147m258p346p112z5z", "3z", "5z", "5z", "5z", chan="restart"))
    table = moved(table, Discard(0, "5z"))
    for seat in (1, 2, 3):
        table = moved(table, Draw(seat, "5z"), Discard(seat, "5z"))
    return table


def kong_at_the_end(rule: str) -> Round:
    """Seat 0's three kongs used the tail; seat 3 keeps four 4z and draws the last live tile."""
    table = dealt(
        "1111z2222z3333z5z", "6z", "2m", "3m", "4m", third="4444z147m258p369s", gang_tail_empty=rule
    )
    for kong, tile in (("1z", "2m"), ("2z", "3m"), ("3z", "4m")):
        table = moved(table, ConcealedKong(0, kong), ReplacementDraw(0, tile))
    while table.wall.live_left:
        mine = table.legal_actions(table.turn)
        plain = [a for a in mine if isinstance(a, Discard) and a.tile != "4z"]
        table = moved(table, plain[-1])
        seat = (table.turn + 1) % 4
        left = [tile for tile in TILES if table.unseen[TILES.index(tile)]]
        jokers = [tile for tile in left if tile in table.jokers]
        plain_left = [tile for tile in left if tile not in table.jokers]
        # Seats 1 and 2 take the jokers, so that seats 0 and 3 always have a plain tile.
        pool = jokers or plain_left if seat in (1, 2) else plain_left
        table = moved(table, Draw(seat, pool[0]))
    assert table.turn == 3
    return table
