"""A whole 锅: dealers' turns, running score, corrections, 打风 after it (SPEC §2, §10)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from rules.guo import TURNS_IN_A_GUO, Guo, GuoError, result_from_json, result_to_json
from rules.options import RuleOptions
from rules.reasons import RequestError
from rules.settlement import Gang, HandResult, SettlementError

PLAYERS = ("Zhao", "Qian", "Sun", "Li")


def reason(call: Callable[..., Any], *args: Any, **kwargs: Any) -> list[str]:
    with pytest.raises(GuoError) as refused:
        call(*args, **kwargs)
    assert all(r.zh and r.en for r in refused.value.reasons)
    return [r.code for r in refused.value.reasons]


def passing(guo: Guo, hands: int) -> Guo:
    """Hands won by the dealer's 下家 with 2 番: the deal moves on each time."""
    for _ in range(hands):
        guo = guo.record(HandResult(guo.dealer, (guo.dealer + 1) % 4, 2))
    return guo


def test_a_guo_worked_by_hand() -> None:
    """Every kind of hand once, then the deal goes round to its end.

    1. Dealer 0 wins 4 番:                      +12  -4  -4  -4   (“若庄家胡牌则连庄”)
    2. Dealer 0, 坐庄, seat 2 拉庄 and wins 3:  seat 0 pays 3x2x2 = 12, 1 and 3 pay 3
                                                -12  -3 +18  -3   deal to 1
    3. Dealer 1, drawn, nobody has a 杠:          0   0   0   0   (“否则和局连庄”)
    4. Dealer 1, drawn, seat 3 has a 暗杠:       -2  -2  -2  +6   deal to 2
    5. Dealer 2, drawn, dealer and seat 0 杠:  0: +3-1, 2: +3-1, others -1-1
                                                 +2  -2  +2  -2   stays
    """
    guo = Guo.begin(PLAYERS)
    guo = guo.record(HandResult(0, 0, 4))
    assert (guo.dealer, guo.turns) == (0, 0)
    guo = guo.record(HandResult(0, 2, 3, zuo=True, la=(0, 0, 1, 0)))
    assert (guo.dealer, guo.turns) == (1, 1)
    guo = guo.record(HandResult(1))
    assert (guo.dealer, guo.turns) == (1, 1)
    guo = guo.record(HandResult(1, gangs=(Gang(3, "concealed"),)))
    assert (guo.dealer, guo.turns) == (2, 2)
    guo = guo.record(HandResult(2, gangs=(Gang(2, "open"), Gang(0, "open"))))
    assert (guo.dealer, guo.turns) == (2, 2)
    assert [entry.deltas for entry in guo.entries] == [
        (12, -4, -4, -4),
        (-12, -3, 18, -3),
        (0, 0, 0, 0),
        (-2, -2, -2, 6),
        (2, -2, 2, -2),
    ]
    assert guo.score == {"Zhao": 0, "Qian": -11, "Sun": 14, "Li": -3}
    # 14 turns are left: seat 2 deals first, 下家 wins 2 番 every time. Winners go 3, 0, 1, 2, ...
    # 14 wins: seats 3 and 0 win four times, 1 and 2 three times; a win is +6, each other hand -2.
    guo = passing(guo, TURNS_IN_A_GUO - 2)
    assert guo.is_finished
    assert guo.dealer == 0
    assert guo.totals == (0 + 24 - 20, -11 + 18 - 22, 14 + 18 - 22, -3 + 24 - 20)
    assert sum(guo.totals) == 0
    assert reason(guo.record, HandResult(0)) == ["guo_over"]


def test_sixteen_turns_four_circles() -> None:
    """“锅（即国标麻将中的“局”）”: four rounds of the deal; 连庄 uses none of them up [R]."""
    guo = Guo.begin(PLAYERS, east=3)
    circles = []
    while not guo.is_finished:
        circles.append(guo.circle)
        guo = guo.record(HandResult(guo.dealer, guo.dealer, 2))  # stays
        guo = passing(guo, 1)
    assert circles == [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4
    assert len(guo.entries) == 32
    assert guo.dealer == 3


def test_the_wrong_dealer() -> None:
    """The score knows who deals."""
    assert reason(Guo.begin(PLAYERS).record, HandResult(1)) == ["not_the_dealer"]


def test_an_impossible_result_changes_nothing() -> None:
    """屁和 is no win (SPEC §6.4)."""
    guo = Guo.begin(PLAYERS)
    with pytest.raises(SettlementError):
        guo.record(HandResult(0, 1, 1))
    assert guo.entries == ()


class TestCorrections:
    """Nothing entered is changed: a correction adds the difference."""

    def test_an_earlier_hand(self) -> None:
        """Hand 0 was 捉伍儿龙 7, not 3: seat 1 gets 4 more from each; the dealer stays as it
        was.
        """
        guo = passing(Guo.begin(PLAYERS).record(HandResult(0, 1, 3)), 1)
        before = guo
        guo = guo.correct(0, HandResult(0, 1, 7), note="捉伍儿龙")
        assert guo.entries[:2] == before.entries
        last = guo.entries[-1]
        assert (last.kind, last.deltas, last.note) == ("correction", (-4, 12, -4, -4), "捉伍儿龙")
        assert (guo.dealer, guo.turns) == (before.dealer, before.turns)
        assert sum(guo.totals) == 0

    def test_corrected_twice(self) -> None:
        """The second correction goes from what stands after the first."""
        guo = passing(Guo.begin(PLAYERS).record(HandResult(0, 1, 3)), 1)
        guo = guo.correct(0, HandResult(0, 1, 7)).correct(0, HandResult(0, 1, 4))
        assert guo.entries[-1].deltas == (3, -9, 3, 3)
        direct = passing(Guo.begin(PLAYERS).record(HandResult(0, 1, 4)), 1)
        assert guo.totals == direct.totals

    def test_the_last_hand_moves_the_deal(self) -> None:
        """The dealer had won, not seat 1: 连庄 after all."""
        guo = Guo.begin(PLAYERS).record(HandResult(0, 1, 3))
        assert (guo.dealer, guo.turns) == (1, 1)
        guo = guo.correct(0, HandResult(0, 0, 3))
        assert (guo.dealer, guo.turns) == (0, 0)
        assert guo.totals == (9, -3, -3, -3)
        back = guo.correct(0, HandResult(0, 1, 3))
        assert (back.dealer, back.turns) == (1, 1)

    def test_refused(self) -> None:
        """A correction is of a hand, and keeps its dealer."""
        guo = Guo.begin(PLAYERS).record(HandResult(0, 1, 3))
        guo = guo.correct(0, HandResult(0, 1, 4))
        assert reason(guo.correct, 1, HandResult(0)) == ["no_such_hand"]
        assert reason(guo.correct, -1, HandResult(0)) == ["no_such_hand"]
        assert reason(guo.correct, 0, HandResult(1)) == ["not_the_dealer"]

    def test_points_by_agreement(self) -> None:
        """The seed has no penalty for 诈和; a table may agree on one."""
        guo = Guo.begin(PLAYERS).adjust((-6, 2, 2, 2), "诈和")
        assert guo.totals == (-6, 2, 2, 2)
        assert guo.turns == 0
        assert reason(guo.adjust, (1, 0, 0, 0), "") == ["unbalanced"]
        assert reason(guo.adjust, (1, -1), "") == ["unbalanced"]


class TestSeatingAfter:
    """“每锅…牌打完后要通过打风决定每个人的座位” (SPEC §2)."""

    def test_too_early(self) -> None:
        """Only after the last hand."""
        assert reason(Guo.begin(PLAYERS).draw_seats, 0, ["1z", "2z", "3z", "4z"]) == [
            "guo_not_over"
        ]

    def test_void_and_valid(self) -> None:
        """“打风后上下家的关系未发生变化：则打风无效，需要重新打风”."""
        guo = passing(Guo.begin(PLAYERS), 16)
        assert guo.draw_seats(1, ["2z", "3z", "4z", "1z"]).redo
        assert reason(guo.follow, 1, ["2z", "3z", "4z", "1z"]) == ["seating_void"]
        # East is seat 1: Qian draws 东 and stays, Sun 西 to seat 3, Li 南 to seat 2, Zhao 北.
        after = guo.follow(1, ["1z", "3z", "2z", "4z"])
        assert after.players == ("Zhao", "Qian", "Li", "Sun")
        assert (after.dealer, after.turns, after.entries) == (1, 0, ())


def test_json_round_trip() -> None:
    """With hands, corrections and options."""
    guo = Guo.begin(PLAYERS, RuleOptions(max_la=2), east=2)
    guo = guo.record(HandResult(2, 1, 3, (Gang(0, "open"),), zuo=True, la=(2, 0, 0, 1)))
    guo = guo.correct(0, HandResult(2), note="n").adjust((1, -1, 0, 0), "m")
    assert Guo.from_json(json.loads(json.dumps(guo.to_json()))) == guo
    result = guo.entries[0].result
    assert result is not None
    assert result_from_json(result_to_json(result)) == result


@pytest.mark.parametrize(
    "change",
    [
        {"players": None},
        {"entries": [{"kind": "hand"}]},
        {"entries": 5},
        {"entries": [{"result": {"dealer": 0}, "kind": "hand", "deltas": []}]},
    ],
)
def test_malformed_json(change: dict[str, Any]) -> None:
    """A reason, not a traceback."""
    with pytest.raises(RequestError):
        Guo.from_json(Guo.begin(PLAYERS).to_json() | change)


def test_points_that_do_not_balance_are_refused() -> None:
    """SPEC §10.7."""
    data = Guo.begin(PLAYERS).record(HandResult(0, 0, 2)).to_json()
    data["entries"][0]["deltas"] = [1, 0, 0, 0]
    with pytest.raises(RequestError):
        Guo.from_json(data)


def test_four_different_players() -> None:
    """And an East seat that exists: both reasons at once."""
    assert reason(Guo.begin, ["A", "A", "B", "C"], None, 7) == ["not_four_players", "bad_seat"]
