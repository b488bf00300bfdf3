"""Whole simulated rounds by their geometry alone: what lies there is told, from above and a seat.

No pixel is painted: a perfect reader's boxes go through the roles, the story and the book. What is
asked is that the place of a tile, and what the game allows, are enough to follow a round.
"""

from __future__ import annotations

import pytest

from datasets.film import Film
from datasets.film_trial import FilmResult
from datasets.plan_trial import try_plan

# A long round with an added kong on a pung, in which my standing row looks as if it lay; a soon won
# one with four pungs; one from a seat.
ROUNDS = [(17, "overhead", True), (5, "overhead", True), (4, "seat", True)]


def _amiss(result: FilmResult) -> list[object]:
    return [wrong for check in result.checks for wrong in check.wrong]


@pytest.mark.parametrize(("seed", "view", "short"), ROUNDS)
def test_a_round_is_followed_from_the_turned_tile_to_the_win(
    seed: int, view: str, short: bool
) -> None:
    film = Film(seed, view, short=short)
    result = try_plan(film, jitter=0.5)
    assert len(result.checks) >= 3
    assert _amiss(result) == []
    events = result.events
    assert events.wrong == ()
    assert events.missed == ()
    assert events.invented == ()
    assert {event.kind for event in events.true} >= {"flipped", "discarded", "ponged", "won"}


def test_a_pung_behind_the_far_wall_follows_from_the_order_of_the_game() -> None:
    # Seat 2, across, pungs three times in this round; its sets lie behind its own wall.
    result = try_plan(Film(5, "seat", short=True), jitter=0.5)
    told = [(told.seat, told.tile) for true, told in result.events.right if true.kind == "ponged"]
    assert {tile for seat, tile in told if seat == 2} >= {"1m", "2m", "4s"}
    assert _amiss(result) == []
    assert result.events.invented == ()
