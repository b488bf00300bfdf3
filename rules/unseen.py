"""How many copies of each tile a player cannot see: what is left to draw (SPEC §1.1, §4.3).

Four of each kind, less the player's own tiles and melds, less those seen elsewhere (discards, other
players' melds), less the turned tile, which is out of play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.hand import Hand, HandError
from rules.jokers import joker_kinds
from rules.options import RuleOptions
from rules.reasons import Reason
from rules.tiles import KINDS, TILES


@dataclass(frozen=True, slots=True)
class Unseen:
    """The tiles a player cannot see.

    Attributes:
        left: copies of each of the 34 tiles, by MPSZ code.
        total: all of them together: in the wall and in the other players' hands.
        indicator: the turned tile, or None where it is not known.
    """

    left: Mapping[str, int]
    total: int
    indicator: str | None


def indicator_of(jokers: Iterable[str], options: RuleOptions) -> str | None:
    """The turned tile that makes exactly these jokers, or None when none or several would.

    Under `"7"` the pair tells it (中下滚: 5m and 6m come from 5m); all four winds or all three
    dragons do not.
    """
    wanted = set(jokers)
    fitting = [tile for tile in wanted if set(joker_kinds(tile, options.joker_rule)) == wanted]
    return fitting[0] if len(fitting) == 1 else None


def _told_indicator(hand: Hand, options: RuleOptions, seen: tuple[str, ...]) -> str | None:
    """The turned tile the jokers tell, unless all four of it lie elsewhere."""
    told = indicator_of(hand.jokers, options)
    melded = sum(len(meld.tiles) for meld in hand.melds if meld.tile == told)
    if told and hand.tiles.count(told) + seen.count(told) + melded < 4:
        return told
    return None


def unseen_of(
    hand: Hand, options: RuleOptions, indicator: str | None, visible: Iterable[str]
) -> Unseen:
    """Count what a player cannot see.

    Args:
        hand: the player's tiles, possible ones.
        options: the options in force.
        indicator: the turned tile; found from the jokers when None, where they tell it.
        visible: tiles seen elsewhere, without the turned one and without the player's own.

    Raises:
        HandError: an unknown tile, more than four of a kind, or a turned tile that does not make
            these jokers.
    """
    seen = tuple(visible)
    known = indicator or _told_indicator(hand, options, seen)
    reasons = [
        _unknown(tile)
        for tile in dict.fromkeys((*seen, *filter(None, [known])))
        if tile not in KINDS
    ]
    if reasons:
        raise HandError(reasons)
    if indicator and set(joker_kinds(indicator, options.joker_rule)) != set(hand.jokers):
        reasons.append(_wrong_indicator(indicator, options))
    left = dict.fromkeys(TILES, 4)
    for tile in (*hand.tiles, *seen, *filter(None, [known])):
        left[tile] -= 1
    for meld in hand.melds:
        left[meld.tile] -= len(meld.tiles)
    reasons += [_too_many(tile, 4 - count) for tile, count in left.items() if count < 0]
    if reasons:
        raise HandError(reasons)
    return Unseen(left, sum(left.values()), known)


def _unknown(tile: str) -> Reason:
    return Reason(
        "unknown_tile",
        f"没有“{tile}”这种牌",
        f"{tile!r} is no tile; write 1m-9m, 1p-9p, 1s-9s or 1z-7z",
    )


def _wrong_indicator(indicator: str, options: RuleOptions) -> Reason:
    kinds = " ".join(joker_kinds(indicator, options.joker_rule))
    return Reason(
        "wrong_indicator",
        f"翻出 {indicator} 时混儿是 {kinds}，与所给的混儿不同",
        f"turning {indicator} makes {kinds} the jokers; give the turned tile or the jokers alone",
    )


def _too_many(tile: str, count: int) -> Reason:
    return Reason(
        "five_of_a_kind",
        f"连同看见的，{tile} 有 {count} 张，一副牌里只有 4 张",
        f"{count} tiles of {tile} with those seen elsewhere; there are only four",
    )
