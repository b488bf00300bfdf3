"""What the hands in view are worth, wait for and should discard, and what to beware of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules import Hand, Meld, Reason, RuleOptions, RulesError
from rules.advice import Advice, advise
from rules.tiles import KINDS
from rules.xianggong import xianggong


@dataclass(frozen=True)
class SeatAnalysis:
    """One hand.

    Attributes:
        seat: Whose.
        hand: The hand as judged.
        advice: What to do; None when the hand cannot be judged.
        warnings: What to beware of.
        problems: Why it cannot be judged.
    """

    seat: int
    hand: Hand
    advice: Advice | None
    warnings: tuple[Reason, ...] = ()
    problems: tuple[Reason, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The analysis for programs and the page."""
        return {
            "seat": self.seat,
            "advice": None if self.advice is None else self.advice.to_json(),
            "warnings": [reason.to_json() for reason in self.warnings],
            "problems": [reason.to_json() for reason in self.problems],
        }


def analyse(
    seat: int,
    hand: Hand,
    options: RuleOptions,
    indicator: str | None,
    visible: Sequence[str],
    near: Sequence[str] = (),
) -> SeatAnalysis:
    """Judge one hand given everything that can be seen.

    Args:
        seat: Whose it is.
        hand: Its tiles.
        options: The rules in force.
        indicator: The turned tile, where known.
        visible: Tiles seen elsewhere, without the turned one.
        near: Tiles of this seat that lie loose before it, perhaps about to be discarded.
    """
    warnings = list(_about_count(hand)) + [
        _joker_near(tile) for tile in near if tile in hand.jokers
    ]
    melds = len(hand.melds)
    count = len(hand.tiles)
    if count not in (13 - 3 * melds, 14 - 3 * melds):
        return SeatAnalysis(seat, hand, None, tuple(warnings), _count_reason(count, melds))
    try:
        advice = advise(hand, options, indicator, visible)
    except RulesError as error:
        return SeatAnalysis(seat, hand, None, tuple(warnings), tuple(error.reasons))
    warnings += _about_worth(advice)
    return SeatAnalysis(seat, hand, advice, tuple(warnings))


def hand_of(
    concealed: Sequence[str], drawn: str | None, melds: Sequence[Meld], jokers: Sequence[str]
) -> Hand:
    """The tiles of a seat as the rules take them; backs are left out."""
    kept = tuple(tile for tile in concealed if tile in KINDS)
    return Hand(kept, tuple(melds), tuple(jokers), drawn if drawn in KINDS else None)


def _about_count(hand: Hand) -> list[Reason]:
    wrong = xianggong(len(hand.tiles), len(hand.melds), hand.win_tile is not None)
    more = xianggong(len(hand.tiles), len(hand.melds), True)
    if wrong is None or more is None:
        return []
    name = "大相公" if wrong == "da" else "小相公"
    many = "多" if wrong == "da" else "少"
    return [
        Reason(
            "xianggong",
            f"手牌看起来{many}了：若不是漏看，就是{name}，不能胡牌",
            f"the hand seems to hold too {'many' if wrong == 'da' else 'few'} tiles: unless one "
            f"was missed this is {name} and cannot win",
        )
    ]


def _joker_near(tile: str) -> Reason:
    return Reason(
        "joker_near_pond",
        f"{tile} 是混儿，打出去就成小相公",
        f"{tile} is a joker: discarding it makes 小相公",
    )


def _about_worth(advice: Advice) -> list[Reason]:
    win = advice.win
    if win is None or not win.complete or win.win:
        return []
    return [
        Reason(
            "below_min_fan",
            f"已成牌，但不够 {advice.options.min_fan} 番起和",
            f"complete, but below the {advice.options.min_fan} fan a win needs",
        )
    ]


def _count_reason(count: int, melds: int) -> tuple[Reason, ...]:
    want = 13 - 3 * melds
    return (
        Reason(
            "hand_count",
            f"手牌读出 {count} 张，应为 {want} 或 {want + 1} 张",
            f"{count} tiles are read in hand, where {want} or {want + 1} belong",
        ),
    )
