"""开牌, the players' sayings, the deal, 打风 and the East seat (SPEC §2, §3)."""

from __future__ import annotations

from itertools import permutations

import pytest

from rules.opening import Opening, dealing_order, saying
from rules.seating import WINDS, SeatingError, draw_winds, east_seat, same_circle
from rules.wall import count_seats, stack_place


@pytest.mark.parametrize(
    ("points", "words"),
    [
        *((n, "五九自手") for n in (5, 9)),
        *((n, "二六十过") for n in (2, 6, 10)),
        *((n, "三七11对门") for n in (3, 7, 11)),
        *((n, "四八12到底") for n in (4, 8, 12)),
    ],
)
def test_sayings(points: int, words: str) -> None:
    """“此处的口诀有“五九自手”“二六十过”“三七11对门”“四八12到底””."""
    assert saying(points)["zh"] == words
    assert saying(points)["en"]


def test_an_opening_worked_by_hand() -> None:
    """Dealer 2 rolls 4+3 = 7: 对门, seat 0. He rolls 6+5: n = 18, one past his 17 stacks, so the
    break is the first stack of seat 1. Seat 0 (opposite the dealer) rolls 1+2 = 3: back over
    stacks 17, 16 to stack 15 of seat 0.
    """
    opening = Opening(2, (4, 3), (6, 5), (1, 2))
    assert opening.second_roller == 0
    assert stack_place(opening.break_stack) == (1, 1)
    assert opening.joker_roller == 0
    assert stack_place(opening.indicator_stack) == (0, 15)


def test_dealing_order() -> None:
    """Four at a time from the dealer, three rounds, one each, the dealer's fourteenth (SPEC
    §3.6).
    """
    order = dealing_order(3)
    assert order[:8] == (3, 3, 3, 3, 0, 0, 0, 0)
    assert order[48:] == (3, 0, 1, 2, 3)
    assert [order.count(seat) for seat in range(4)] == [13, 13, 13, 14]


def test_east_is_counted_from_the_roller() -> None:
    """“由点数决定第一局的庄家（即东家）的座位的位置”, counted as in 开牌 (SPEC §2.4): 5 is the
    roller.
    """
    assert east_seat(2, (2, 3)) == 2
    assert east_seat(2, (1, 1)) == 3
    assert all(east_seat(r, (a, 1)) == count_seats(r, a + 1) for r in range(4) for a in range(1, 7))


def test_redo_is_the_four_rotations() -> None:
    """“打风后上下家的关系未发生变化：则打风无效”: 4 of the 24 deals, only after a 锅 (SPEC
    §2.6).
    """
    players = ("A", "B", "C", "D")
    for east in range(4):
        drawn = [draw_winds(players, east, picks, after_guo=True) for picks in permutations(WINDS)]
        assert sum(seating.redo for seating in drawn) == 4
        assert {seating.seats for seating in drawn} == set(permutations(players))
        assert not any(
            draw_winds(players, east, picks, after_guo=False).redo for picks in permutations(WINDS)
        )


def test_a_reversed_circle_stands() -> None:
    """A reversal changes everybody's 上家 (SPEC §2.6)."""
    assert not same_circle("ABCD", "DCBA")
    assert same_circle("ABCD", "CDAB")


def test_seating_names_every_reason() -> None:
    """Three players, no such seat and two East tiles: three reasons at once."""
    with pytest.raises(SeatingError) as refused:
        draw_winds(["A", "B", "C"], 4, ["1z", "1z", "2z", "3z"], after_guo=False)
    codes = [reason.code for reason in refused.value.reasons]
    assert codes == ["not_four_players", "bad_seat", "not_four_winds"]
