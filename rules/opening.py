"""开牌: who rolls, where the wall is broken, which tile is turned, who is dealt what (SPEC §3,
§4.1).
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.wall import (
    SEATS,
    STACKS,
    STACKS_PER_SEAT,
    Dice,
    Wall,
    count_seats,
    stack_place,
)

# The players' sayings by the relative seat of the second roller (0 dealer .. 3 上家), SPEC §3.2.
SAYINGS = (
    {"zh": "五九自手", "en": "5 and 9: the dealer again"},
    {"zh": "二六十过", "en": "2, 6 and 10: on to the next player"},
    {"zh": "三七11对门", "en": "3, 7 and 11: the player opposite"},
    {"zh": "四八12到底", "en": "4, 8 and 12: the player before the dealer"},
)


def saying(points: int) -> dict[str, str]:
    """The players' saying (`zh`, `en`) that belongs to the dealer's roll of 2..12 (the seed's
    口诀).
    """
    return SAYINGS[(points - 1) % SEATS]


@dataclass(frozen=True, slots=True)
class Opening:
    """The three rolls that open a hand and everything that follows from them.

    Attributes:
        dealer: seat 0..3 of the dealer.
        dice1: the dealer's roll.
        dice2: the second roller's roll.
        dice3: the joker roll, by the player opposite the dealer.
    """

    dealer: int
    dice1: Dice
    dice2: Dice
    dice3: Dice

    @property
    def second_roller(self) -> int:
        """ "从庄家开始顺东南西北方向数点数个位置确定第二个掷色子的人" (SPEC §3.2)."""
        return count_seats(self.dealer, sum(self.dice1))

    @property
    def joker_roller(self) -> int:
        """ "由庄家的对门掷色子" (SPEC §4.1)."""
        return (self.dealer + 2) % SEATS

    @property
    def break_stack(self) -> int:
        """Stack number of the break: "四个色子的点数和" counted from the second roller's left
        (SPEC §3.4).
        """
        count = sum(self.dice1) + sum(self.dice2)
        return (STACKS_PER_SEAT * self.second_roller + count - 1) % STACKS

    @property
    def indicator_stack(self) -> int:
        """Stack number of the turned tile: "从开牌的位置反方向数" (SPEC §4.1)."""
        return (self.break_stack - sum(self.dice3)) % STACKS

    @property
    def wall(self) -> Wall:
        """The wall before anything is drawn from it."""
        return Wall(self.break_stack, sum(self.dice3))

    def answer(self) -> dict[str, object]:
        """The JSON answer of type `opening` (SPEC §12)."""
        owner, stack = stack_place(self.break_stack)
        joker_owner, joker_stack = stack_place(self.indicator_stack)
        wall = self.wall
        return {
            "second_roller": self.second_roller,
            "joker_roller": self.joker_roller,
            "break": {"owner": owner, "stack": stack},
            "indicator": {"owner": joker_owner, "stack": joker_stack, "tile": "top"},
            "live_tiles": wall.live_size,
            "gang_tail": wall.tail_size,
        }


def dealing_order(dealer: int) -> tuple[int, ...]:
    """The seats in the order in which they get the 53 dealt tiles, one entry a tile (SPEC §3.6).

    Four tiles (two stacks) a turn, three rounds from the dealer on, then one each, then the
    dealer's fourteenth. The seed does not say it; it is common practice [R].
    """
    turn = [(dealer + k) % SEATS for k in range(SEATS)]
    by_fours = [seat for _ in range(3) for seat in turn for _ in range(4)]
    return (*by_fours, *turn, dealer)
