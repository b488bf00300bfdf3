"""Undoing and redoing in a 锅: nothing entered is changed, every undoing is one more entry.

The seed says what a hand pays and who deals next (SPEC §10); the ledger's rule that a correction
is an entry of its own comes from the score sheet (SPEC §10.7: every entry sums to zero).
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.guo import Guo, GuoError
from rules.guo_chain import is_undone, standing
from rules.settlement import Gang, HandResult

PLAYERS = ("甲", "乙", "丙", "丁")


def code(caught: pytest.ExceptionInfo[GuoError]) -> str:
    return caught.value.reasons[0].code


def test_undoing_the_last_hand_gives_the_deal_back() -> None:
    """SPEC §10.6: seat 2 wins, so the deal passes to seat 1; undone, seat 0 deals again."""
    begun = Guo.begin(PLAYERS)
    played = begun.record(HandResult(dealer=0, winner=2, fan=6))
    assert (played.dealer, played.turns, played.totals) == (1, 1, (-6, -6, 18, -6))
    undone = played.undo(0, "错了")
    assert (undone.dealer, undone.turns, undone.totals) == (0, 0, (0, 0, 0, 0))
    assert undone.entries[:1] == played.entries
    assert undone.entries[1].deltas == (6, 6, -18, 6)
    again = undone.record(HandResult(dealer=0, winner=0, fan=4))
    assert (again.dealer, again.turns, again.totals) == (0, 0, (12, -4, -4, -4))


def test_undoing_an_earlier_hand_leaves_the_deal_where_it_is() -> None:
    guo = Guo.begin(PLAYERS)
    guo = guo.record(HandResult(dealer=0, winner=2, fan=6))
    guo = guo.record(HandResult(dealer=1, winner=1, fan=2))
    undone = guo.undo(0)
    assert (undone.dealer, undone.turns, undone.totals) == (1, 1, (-2, 6, -2, -2))
    assert undone.undo(1).totals == (0, 0, 0, 0)
    assert (undone.undo(1).dealer, undone.undo(1).turns) == (0, 0)


def test_undoing_twice_is_refused_and_redoing_brings_the_hand_back() -> None:
    played = Guo.begin(PLAYERS).record(HandResult(dealer=0, winner=2, fan=6))
    undone = played.undo(0)
    with pytest.raises(GuoError) as caught:
        undone.undo(0)
    assert code(caught) == "already_undone"
    redone = undone.undo(1)
    assert (redone.dealer, redone.turns, redone.totals) == (1, 1, played.totals)
    with pytest.raises(GuoError) as caught:
        redone.undo(1)
    assert code(caught) == "already_undone"
    assert redone.undo(0).totals == (0, 0, 0, 0)
    assert redone.undo(2).totals == (0, 0, 0, 0)


def test_a_hand_of_no_points_is_undone_like_any_other() -> None:
    """和局 without 杠 pays nothing (SPEC §10.5): its points don't tell whether it stands."""
    undone = Guo.begin(PLAYERS).record(HandResult(dealer=0)).undo(0)
    assert is_undone(undone.entries, 0)
    with pytest.raises(GuoError) as caught:
        undone.undo(0)
    assert code(caught) == "already_undone"


def test_a_corrected_hand_is_undone_whole_and_its_correction_alone() -> None:
    guo = Guo.begin(PLAYERS).record(HandResult(dealer=0, winner=2, fan=6))
    guo = guo.correct(0, HandResult(dealer=0, winner=3, fan=4))
    assert guo.totals == (-4, -4, -4, 12)
    assert guo.undo(0).totals == (0, 0, 0, 0)
    assert guo.undo(1).totals == (-6, -6, 18, -6)
    twice = guo.correct(0, HandResult(dealer=0, winner=0, fan=2))
    with pytest.raises(GuoError) as caught:
        twice.undo(1)
    assert code(caught) == "not_the_last_word"
    assert twice.undo(2).totals == (-4, -4, -4, 12)


def test_an_undone_hand_is_not_corrected_and_no_such_entry_is_named() -> None:
    undone = Guo.begin(PLAYERS).record(HandResult(dealer=0, winner=2, fan=6)).undo(0)
    with pytest.raises(GuoError) as caught:
        undone.correct(0, HandResult(dealer=0, winner=2, fan=4))
    assert code(caught) == "hand_undone"
    with pytest.raises(GuoError) as caught:
        undone.undo(7)
    assert code(caught) == "no_such_entry"


def test_an_adjustment_is_undone_and_redone() -> None:
    guo = Guo.begin(PLAYERS).adjust((-3, 1, 1, 1), "诈和")
    assert guo.undo(0).totals == (0, 0, 0, 0)
    assert guo.undo(0).undo(1).totals == (-3, 1, 1, 1)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("rucr"), st.integers(0, 30)), max_size=25))
def test_points_are_always_those_of_the_hands_that_stand(steps: list[tuple[str, int]]) -> None:
    """After any course of entries: the sum is 0, and the totals are the standing hands' own."""
    guo = Guo.begin(PLAYERS)
    for step, number in steps:
        gangs = (Gang(number % 3, "open"),) if number % 2 else ()
        winner = None if number % 5 == 4 else number % 5
        fan = 0 if winner is None else 2 + number % 4
        try:
            if step == "r":
                guo = guo.record(HandResult(guo.dealer, winner, fan, gangs))
            elif step == "u":
                guo = guo.undo(number % (len(guo.entries) or 1))
            else:
                index = number % (len(guo.entries) or 1)
                wrong = guo.entries[index].result if guo.entries else None
                dealer = guo.dealer if wrong is None else wrong.dealer
                guo = guo.correct(index, HandResult(dealer, winner, fan, gangs))
        except GuoError:
            continue
    fresh = [0, 0, 0, 0]
    for index, entry in enumerate(guo.entries):
        assert sum(entry.deltas) == 0
        now = standing(guo.entries, index)
        if entry.kind == "hand" and now.stands and now.result is not None:
            alone = Guo.begin(PLAYERS, east=now.result.dealer).record(now.result)
            fresh = [a + b for a, b in zip(fresh, alone.totals, strict=True)]
    assert guo.totals == tuple(fresh)
    assert Guo.from_json(guo.to_json()) == guo
