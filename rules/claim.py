"""Another player's discard and the hand that may claim it for a 碰 or a 杠 (SPEC §5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.advice import Advice, advise
from rules.hand import Hand
from rules.judging import DEFAULT
from rules.options import RuleOptions


@dataclass(frozen=True, slots=True)
class Claim:
    """What may be claimed, and by whom.

    Attributes:
        tile: the tile discarded.
        visible: what else lies open beside the hand.
        now: the advice for the hand as it is, which sees the tile.
    """

    tile: str
    visible: tuple[str, ...]
    now: Advice

    @property
    def hand(self) -> Hand:
        """The hand that waits for a draw."""
        return self.now.hand


def claim(
    hand: Hand,
    tile: str,
    options: RuleOptions = DEFAULT,
    indicator: str | None = None,
    visible: Iterable[str] = (),
) -> Claim:
    """The claim on a tile another player has just discarded.

    Args:
        hand: the hand that waits for a draw.
        tile: the discarded tile.
        options, indicator, visible: as in `advise`; `visible` without the discarded tile.

    Raises:
        HandError: as `advise`.
    """
    seen = tuple(visible)
    return Claim(tile, seen, advise(hand, options, indicator, (*seen, tile)))
