"""A pung out of sight follows from the order of play, but not from a discard that was a guess."""

from __future__ import annotations

from vision.tracking.claims import LONG_GONE_S, out_of_turn
from vision.tracking.moves import Seen


def gone(seat: int, sure: bool = True) -> list[Seen]:
    first = Seen("discard", (seat - 1) % 4, "2p", (1,), 1.0, "2p")
    taken = Seen("discard", seat, "5z", (2,), 4.0, "5z", gone_at=5.0, sure=sure)
    return [first, taken]


def test_who_discards_next_out_of_sight_has_claimed_what_is_gone() -> None:
    moves = gone(2)
    # Seat 3 is next in turn and may have drawn; its sets lie out of sight.
    assert out_of_turn(moves, 3, (3,), 5.1 + LONG_GONE_S) is moves[-1]
    assert out_of_turn(moves, 3, (), 5.1 + LONG_GONE_S) is None
    assert out_of_turn(moves, 3, (3,), 5.0 + LONG_GONE_S / 2) is None


def test_a_discard_in_doubt_that_is_gone_was_perhaps_never_there() -> None:
    moves = gone(2, sure=False)
    assert out_of_turn(moves, 3, (3,), 5.1 + LONG_GONE_S) is None
    # Out of turn somebody must have claimed something.
    assert out_of_turn(moves, 0, (), 5.1 + LONG_GONE_S) is moves[-1]
