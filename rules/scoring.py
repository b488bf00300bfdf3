"""From what a reading has to what the hand is worth: legality, totals and names (SPEC §8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

from rules.fans import BARE, FANS, Fan, View
from rules.features import FACE_STEP, ZHUOWU_STEP
from rules.options import RuleOptions

_BY_KEY = {fan.key: fan for fan in FANS}
_DIAO = {_BY_KEY["hundiao"], _BY_KEY["shuang_hundiao"]}
# "Preferred: the one holding 本混儿, else 龙, 捉伍儿, 双混儿吊, 混儿吊, 没混儿, 素的" (SPEC §8.6).
_PREFERRED = tuple(
    _BY_KEY[key]
    for key in ("benhun", "long", "zhuowu", "shuang_hundiao", "hundiao", "no_joker", "su")
)

HEAVENLY, EARTHLY, GANG_DRAW, NO_JOKER = 1, 2, 4, 8
"""What holds of a hand in all its readings, added up to a context."""

_CONTEXT_FANS = (
    (HEAVENLY, _BY_KEY["heavenly"]),
    (EARTHLY, _BY_KEY["earthly"]),
    (GANG_DRAW, _BY_KEY["gang_draw"]),
    (NO_JOKER, _BY_KEY["no_joker"]),
)
_MEMO_LIMIT = 20_000

Fans = tuple[Fan, ...]


def total_of(fans: Fans, options: RuleOptions) -> int:
    """The fan of a list of fans: the added ones summed (1 if none), times the others (§8.2)."""
    added = sum(fan.factor(options) for fan in fans if fan.adds(options))
    return (added or 1) * prod(fan.factor(options) for fan in fans if not fan.adds(options))


def arithmetic(fans: Fans, options: RuleOptions) -> str:
    """The sum in writing, such as `"(3+4)×2×2 = 28"`; a single number stands alone."""
    added = [str(fan.factor(options)) for fan in fans if fan.adds(options)]
    times = [str(fan.factor(options)) for fan in fans if not fan.adds(options)]
    head = [f"({'+'.join(added)})" if len(added) > 1 and times else "+".join(added)]
    terms = [term for term in head if term] + times
    text = "×".join(terms)
    return text if len(added) + len(times) < 2 else f"{text} = {total_of(fans, options)}"


def title_of(fans: Fans) -> str:
    """One joined name (SPEC §8.6): 双混儿吊 is said 双混儿 before 捉伍儿."""
    names = [fan.zh for fan in fans]
    if "捉伍儿" in names:
        names = ["双混儿" if name == "双混儿吊" else name for name in names]
    return "".join(names)


def is_diao_alone(fans: Fans, options: RuleOptions) -> bool:
    """Whether the fans are 混儿吊 and nothing else where that is no win (SPEC §9.1)."""
    return not options.hundiao_alone and len(fans) == 1 and fans[0] in _DIAO


def fans_of_view(view: View) -> list[Fans]:
    """The fans of one reading; two lists where 素的 and 混儿吊 hold but do not combine (§9.4)."""
    fans = tuple(fan for fan in FANS if fan.holds(view))
    diao = [fan for fan in fans if fan in _DIAO]
    plain = [fan for fan in fans if fan.key == "su"]
    if diao and plain and view.options.su_mode != "face_value_diao":
        return [
            tuple(fan for fan in fans if fan not in diao),
            tuple(fan for fan in fans if fan not in plain),
        ]
    return [fans]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a hand is worth, without the reading that shows it.

    Attributes:
        win: a legal win: drawn by oneself, complete, and of enough fan.
        complete: some reading exists.
        fan: the best total; 0 when not complete or not drawn by oneself.
        fans: the fans of the preferred best reading; 屁和 alone is `(BARE,)`.
        alternatives: every list of fans with that total, the preferred first.
        combination: the number of the preferred one (see `rules.features`), -1 when none.
        diao_alone: some reading is 混儿吊 alone where the options forbid it.
    """

    win: bool
    complete: bool
    fan: int
    fans: Fans
    alternatives: tuple[Fans, ...]
    combination: int
    diao_alone: bool
    names: tuple[str, ...]
    title: str


NOT_COMPLETE = Outcome(False, False, 0, (), (), -1, False, (), "")
NOT_DRAWN = Outcome(False, True, 0, (), (), 0, False, (), "")
"""A complete hand on another player's discard: never a win (SPEC §5.2)."""


def combination_fans(combination: int) -> Iterator[Fan]:
    """The fans that a combination of `rules.features` stands for."""
    rest = combination % FACE_STEP
    long, diao = rest % ZHUOWU_STEP // 3, rest % 3
    if combination >= FACE_STEP:
        yield _BY_KEY["su"]
    if diao:
        yield _BY_KEY["hundiao" if diao == 1 else "shuang_hundiao"]
    if rest >= ZHUOWU_STEP:
        yield _BY_KEY["zhuowu"]
    if long == 2:
        yield _BY_KEY["benhun"]
    if long:
        yield _BY_KEY["long"]


class Scorer:
    """Scores masks under one set of options, remembering each mask it has met."""

    def __init__(self, options: RuleOptions) -> None:
        self.options = options
        self._memo: dict[int, Outcome] = {}

    def outcome(self, mask: int, context: int) -> Outcome:
        """What a complete hand with these combinations is worth.

        Args:
            mask: of `rules.features`, not 0.
            context: `HEAVENLY`, `EARTHLY`, `GANG_DRAW` and `NO_JOKER`, those that hold, added up.
        """
        key = mask << 4 | context
        found = self._memo.get(key)
        if found is None:
            if len(self._memo) >= _MEMO_LIMIT:
                self._memo.clear()
            found = self._memo[key] = self._score(mask, context)
        return found

    def _score(self, mask: int, context: int) -> Outcome:
        options = self.options
        always = [fan for bit, fan in _CONTEXT_FANS if context & bit and fan.factor(options)]
        scored: list[tuple[int, Fans, int]] = []
        diao_alone = False
        for combination in range(mask.bit_length()):
            if not mask >> combination & 1:
                continue
            fans = tuple(always) + tuple(combination_fans(combination))
            if is_diao_alone(fans, options):
                diao_alone, fans = True, ()
            fans = _in_order(fans) or (BARE,)
            scored.append((total_of(fans, options), fans, combination))
        best = max(total for total, _, _ in scored)
        ranked = sorted(
            ((fans, number) for total, fans, number in scored if total == best),
            key=lambda pair: _preference(pair[0]),
            reverse=True,
        )
        fans, combination = ranked[0]
        # Where 混儿吊 alone is no win, calling the same tiles 屁和 does not make them one.
        forbidden = diao_alone and fans == (BARE,)
        return Outcome(
            win=best >= options.min_fan and not forbidden,
            complete=True,
            fan=best,
            fans=fans,
            alternatives=tuple(dict.fromkeys(fans for fans, _ in ranked)),
            combination=combination,
            diao_alone=diao_alone,
            names=tuple(fan.zh for fan in fans),
            title=title_of(fans),
        )


def _preference(fans: Fans) -> tuple[bool, ...]:
    return tuple(fan in fans for fan in _PREFERRED)


def _in_order(fans: Iterable[Fan]) -> Fans:
    return tuple(sorted(fans, key=FANS.index))


_SCORERS: dict[int, Scorer] = {}


def scorer_for(options: RuleOptions) -> Scorer:
    """The scorer of these options (the very object), kept for the next hand.

    Keyed by identity because hashing twenty options would cost as much as judging a hand; the
    scorer holds its options, so an identity in the table is never that of another object.
    """
    found = _SCORERS.get(id(options))
    if found is None:
        if len(_SCORERS) >= 64:
            _SCORERS.clear()
        found = _SCORERS[id(options)] = Scorer(options)
    return found
