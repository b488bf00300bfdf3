"""What a hand may become: the combinations of fans that are a win, and the places each asks for.

A *goal* is a combination of 捉伍儿, 龙, 混儿吊 and 没混儿 (SPEC §7). Which goals count depends on
the options: the total must reach `min_fan`, and under 刮大风 混儿吊 alone is no win. 杠开, 天和 and
地和 are luck, not something to discard towards, and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rules.face_goals import Shapes, face_diao_shapes
from rules.fans import FANS, Fan
from rules.features import PAIR_DIAO, SHUANG_DIAO, ZHUOWU_STEP
from rules.fit import (
    LONG,
    PLAIN,
    SHUANG_IN_LONG,
    ZHUOWU,
    ZHUOWU_BESIDE_LONG,
    ZHUOWU_IN_LONG,
)
from rules.options import RuleOptions
from rules.scoring import combination_fans, is_diao_alone, total_of

_NO_JOKER = next(fan for fan in FANS if fan.key == "no_joker")


# Goals are remembered by their options, so each is told from the others by being itself.
@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """A combination of fans to build towards.

    Attributes:
        zhuowu: 捉伍儿.
        long: the suit of the dragon, 0 万 1 饼 2 条, or None.
        diao: 0, or `PAIR_DIAO`, or `SHUANG_DIAO`.
        plain: no joker stands for another tile: 没混儿, or 素的 where that is a fan of its own.
        shapes: the places asked for in 万, 饼, 条 and the honours.
        fans: the fans it has for certain.
        total: what they are worth together.
    """

    zhuowu: bool
    long: int | None
    diao: int
    plain: bool
    shapes: Shapes
    fans: tuple[Fan, ...]
    total: int

    def cell(self, sets: int) -> tuple[int, int]:
        """Which sets and pairs the waiting tiles fill when the concealed hand makes `sets` sets.

        混儿吊 waits with all sets and a joker alone; 双混儿吊 with one set less, the pair and two
        jokers. At face value the jokers have places of their own, which the shapes count.
        """
        if self.plain:
            return sets, 1
        if self.diao == PAIR_DIAO:
            return sets, 0
        # Two jokers in a dragon's run wait in the dragon's own place, which its shape counts.
        if self.diao == SHUANG_DIAO and self.shapes[self.long or 0] not in SHUANG_IN_LONG:
            return sets - 1, 1
        return sets, 1

    def is_no_harder_than(self, other: Goal) -> bool:
        """Whether every hand that waits for the other goal waits for this one too."""
        if self._asked == other._asked:
            return self.shapes == other.shapes
        return (
            (not self.plain or other.plain)
            and (not self.zhuowu or other.zhuowu)
            and self.long in (None, other.long)
            and self.diao in (0, other.diao)
        )

    @property
    def _asked(self) -> tuple[bool, int | None, int, bool]:
        return self.zhuowu, self.long, self.diao, self.plain


def _shapes(zhuowu: bool, long: int | None, diao: int, inside: bool) -> Iterator[Shapes]:
    shapes = [PLAIN, PLAIN, PLAIN]
    if long is not None:
        shapes[long] = LONG
    m, p, s = shapes
    if diao == SHUANG_DIAO and inside and long is not None:
        for run in range(3):
            if not zhuowu or (long == 0 and run == 1):
                own = [SHUANG_IN_LONG[run] if at == long else PLAIN for at in range(3)]
                yield own[0], own[1], own[2], PLAIN
    # With 双混儿吊 the two jokers are the 4 and 6 already (SPEC §7.3).
    if not zhuowu or diao:
        yield m, p, s, PLAIN
    elif long == 0:
        yield ZHUOWU_BESIDE_LONG, PLAIN, PLAIN, PLAIN
        yield ZHUOWU_IN_LONG, PLAIN, PLAIN, PLAIN
    else:
        yield ZHUOWU, p, s, PLAIN


@dataclass(frozen=True, slots=True)
class GoalRules:
    """What decides which goals there are.

    Attributes:
        options: the options in force.
        joker_suits: 1 for 万, 2 for 饼, 4 for 条, added up.
        with_jokers: whether there are joker kinds at all; without them every hand is 没混儿.
        face_jokers: the joker kinds where 素的 goes with 混儿吊 (SPEC §9.4), else ().
    """

    options: RuleOptions
    joker_suits: int
    with_jokers: bool
    face_jokers: tuple[int, ...] = ()


@lru_cache(maxsize=256)
def all_goals(rules: GoalRules) -> tuple[Goal, ...]:
    """Every goal there is."""
    goals = []
    for plain in (False, True) if rules.with_jokers else (True,):
        for number in range(2 * ZHUOWU_STEP):
            zhuowu, diao = number >= ZHUOWU_STEP, number % 3
            if (diao and plain and not rules.face_jokers) or (zhuowu and diao == PAIR_DIAO):
                continue
            for long in _long_suits(number % ZHUOWU_STEP // 3, rules.joker_suits):
                held = set(combination_fans(number)) | ({_NO_JOKER} if plain else set())
                fans = tuple(fan for fan in FANS if fan in held)
                total = 0 if is_diao_alone(fans, rules.options) else total_of(fans, rules.options)
                for shapes in _shapes_of(rules, zhuowu, long, diao, plain):
                    goals.append(Goal(zhuowu, long, diao, plain, shapes, fans, total))
    return tuple(goals)


def _shapes_of(
    rules: GoalRules, zhuowu: bool, long: int | None, diao: int, plain: bool
) -> Iterator[Shapes]:
    inside = not rules.options.shuang_outside_dragon
    if plain and diao:
        pair = diao == PAIR_DIAO
        yield from face_diao_shapes(rules.face_jokers, zhuowu, long, pair, inside)
    else:
        yield from _shapes(zhuowu, long, diao, inside)


def _long_suits(long: int, joker_suits: int) -> list[int | None]:
    if long == 0:
        return [None]
    return [suit for suit in range(3) if (joker_suits >> suit & 1) == (long == 2)]


@lru_cache(maxsize=256)
def winning_goals(rules: GoalRules) -> tuple[Goal, ...]:
    """The goals that are a win and of which no easier one is.

    Every win has one of them, but for a bare win where 混儿吊 alone is none, which is no matter of
    having but of lacking something: `rules.bare_win` knows it.
    """
    least = max(rules.options.min_fan, 2 if bare_but_not_diao(rules.options) else 1)
    winning = [goal for goal in all_goals(rules) if goal.total >= least]
    return tuple(
        goal
        for at, goal in enumerate(winning)
        if not any(
            other.is_no_harder_than(goal) and (not goal.is_no_harder_than(other) or before < at)
            for before, other in enumerate(winning)
            if before != at
        )
    )


def bare_but_not_diao(options: RuleOptions) -> bool:
    """Whether 屁和 is a win and 混儿吊 alone is none: 刮大风 with `min_fan` 1 (SPEC §9.1)."""
    return options.min_fan == 1 and not options.hundiao_alone


@lru_cache(maxsize=256)
def single_goals(rules: GoalRules) -> tuple[Goal, ...]:
    """One goal for each fan by itself: 混儿吊, 双混儿吊, 捉伍儿, 龙 of each suit, 没混儿."""
    goals = all_goals(rules)
    # Without jokers 没混儿 goes with every other fan.
    alone = 1 if rules.with_jokers else 0
    return tuple(
        goal
        for goal in goals
        if goal.zhuowu + (goal.long is not None) + (goal.diao > 0) + goal.plain * alone == 1
    )


@lru_cache(maxsize=256)
def bare_goal(rules: GoalRules) -> Goal:
    """Four sets and a pair of any worth."""
    return all_goals(rules)[0]
