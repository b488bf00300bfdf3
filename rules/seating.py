"""打风: who sits where, drawn with one wind tile each (SPEC §2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.reasons import Reason, RulesError, brief
from rules.wall import SEATS, Dice, count_seats

WINDS = ("1z", "2z", "3z", "4z")


class SeatingError(RulesError):
    """A 打风 that cannot be: the picks are not one of each wind, or the players not four."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The outcome of one 打风.

    Attributes:
        seats: the players by seat, 0..3 anticlockwise.
        redo: the draw is void and must be made again.
    """

    seats: tuple[str, ...]
    redo: bool


def east_seat(roller: int, dice: Dice) -> int:
    """The seat that becomes East: "掷色子，由点数决定第一局的庄家（即东家）的座位的位置".

    Counted as in 开牌, the roller being one and going anticlockwise (SPEC §2.4 [R]).
    """
    return count_seats(roller, sum(dice))


def draw_winds(
    order_before: Sequence[str], east: int, picks: Sequence[str], after_guo: bool
) -> Seating:
    """Seat four players by the wind tiles they drew (SPEC §2.5, §2.6).

    Args:
        order_before: the players by seat as they sit now.
        east: the seat that is East for the coming 锅, from `east_seat`.
        picks: the winds in the order drawn: the first by the person now in the East seat, then
            anticlockwise ("由现在坐在东家座位的人开始逆时针依次从这四张牌中拿一张牌").
        after_guo: a 锅 has just been played; only then can the draw be void.

    Returns:
        The seats, and whether the draw is void because nobody's neighbours changed
        ("打风后上下家的关系未发生变化：则打风无效，需要重新打风"). A reversed circle changes
        everybody's 上家, so it stands.

    Raises:
        SeatingError: with every reason that holds.
    """
    reasons = _seating_problems(order_before, east, picks)
    if reasons:
        raise SeatingError(reasons)
    seats = [""] * SEATS
    for k, wind in enumerate(picks):
        person = order_before[(east + k) % SEATS]
        seats[(east + WINDS.index(wind)) % SEATS] = person
    unchanged = same_circle(order_before, seats)
    return Seating(tuple(seats), redo=after_guo and unchanged)


def same_circle(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether everybody keeps the same 上家 and 下家: one order is a rotation of the other."""
    turn = list(before).index(after[0])
    return [before[(turn + k) % SEATS] for k in range(SEATS)] == list(after)


def _seating_problems(
    order_before: Sequence[str], east: int, picks: Sequence[str]
) -> tuple[Reason, ...]:
    reasons = []
    if len(order_before) != SEATS or len(set(order_before)) != SEATS:
        reasons.append(
            Reason(
                "not_four_players",
                "要有四个不同的玩家",
                f"{brief(list(order_before))} are not four different players; name four",
            )
        )
    if east not in range(SEATS):
        reasons.append(
            Reason("bad_seat", f"没有 {east} 号座位", f"{east} is no seat; seats are 0, 1, 2, 3")
        )
    if sorted(picks) != list(WINDS):
        reasons.append(
            Reason(
                "not_four_winds",
                "四张牌要东南西北各一张",
                f"{brief(list(picks))} must be one each of 1z, 2z, 3z and 4z",
            )
        )
    return tuple(reasons)
