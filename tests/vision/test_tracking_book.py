"""Moves seen by a camera drive a round of the rules, hidden hands and all."""

from __future__ import annotations

import random

import pytest

from rules.events import (
    AddedKong,
    ConcealedKong,
    Discard,
    Draw,
    JokerKong,
    OpenKong,
    Pung,
    ReplacementDraw,
    WinClaim,
)
from rules.round import Round
from rules.simulate import play, random_setup
from vision.tracking.book import Move, Start, keep_book

_KINDS = {
    Discard: "discard",
    Pung: "pong",
    OpenKong: "kong_open",
    AddedKong: "kong_added",
    ConcealedKong: "kong_concealed",
    JokerKong: "kong_concealed",
}


def _played(seed: int) -> Round:
    chance = random.Random(seed)
    *_, last = play(random_setup(chance), chance, eager=True)
    return last


def _seen(table: Round, mine: bool) -> list[Move]:
    """What a camera sees of a round: no draw but mine, and the winner's hand at the end."""
    moves = []
    for event in table.events[1:]:
        if type(event) in _KINDS:
            moves.append(Move(_KINDS[type(event)], event.seat, event.tile))  # type: ignore[union-attr]
        elif isinstance(event, (Draw, ReplacementDraw)) and event.seat == 0 and mine:
            moves.append(Move("draw", 0, str(event.tile)))
        elif isinstance(event, WinClaim):
            hand = table.hand(event.seat)
            moves.append(Move("win", event.seat, str(hand.win_tile), hand.concealed))
    return moves


def _start(table: Round, mine: bool) -> Start:
    opening = table.setup.opening
    deal = table.events[0]
    hand = tuple(deal.hands[0]) if mine else ()  # type: ignore[union-attr, index]
    if mine and opening.dealer == 0:
        hand = (*hand, str(deal.drawn))  # type: ignore[union-attr]
    return Start(
        opening.dealer,
        (opening.dice1, opening.dice2, opening.dice3),
        table.indicator,
        hand,
        table.options,
        table.setup.zuo,
        table.setup.la,
    )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("mine", [False, True])
def test_the_table_after_a_whole_round_is_what_was_played(seed: int, mine: bool) -> None:
    table = _played(seed)
    moves = _seen(table, mine)
    book = keep_book(_start(table, mine), moves)
    assert book.reasons == ()
    assert book.applied == len(moves)
    assert book.round is not None
    for seen, true in zip(book.round.seats, table.seats, strict=True):
        assert seen.river == true.river
        assert seen.melds == true.melds
    assert book.round.gangs == table.gangs
    won = table.outcome is not None and table.outcome.kind == "win"
    if won:
        assert book.round.outcome == table.outcome
        assert book.round.settlement() == table.settlement()


def test_a_discard_out_of_turn_stops_the_book_and_says_why() -> None:
    # Seat 1 discards first, so it is the dealer; then seat 2 draws, not seat 3.
    moves = [Move("discard", 1, "1m"), Move("discard", 3, "2m")]
    book = keep_book(Start(indicator="5m"), moves)
    assert book.applied == 1
    assert "not_your_turn" in {reason.code for reason in book.reasons}


def test_five_of_a_tile_are_a_misreading() -> None:
    moves = [Move("discard", seat, "9p") for seat in (0, 1, 2, 3)]
    book = keep_book(Start(indicator="9p"), moves)
    assert [reason.code for reason in book.reasons] == ["five_seen"]
    assert book.applied == 3


def test_nothing_is_known_before_the_indicator() -> None:
    assert keep_book(Start(), [Move("discard", 0, "1m")]).round is None
