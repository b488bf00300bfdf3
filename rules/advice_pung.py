"""Whether to 碰 another player's discard: may one, and is the hand better for it (SPEC §5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules.advice import Advice, Standing, advise
from rules.advice_words import pung_reason
from rules.claim import Claim
from rules.hand import Hand, HandError, Meld
from rules.reasons import Reason


@dataclass(frozen=True, slots=True)
class PungAdvice:
    """Whether another player's discard may and should be ponged.

    Attributes:
        tile: the tile discarded.
        refused: why it may not be ponged; empty when it may.
        before: where the hand stands without it.
        after: the hand after 碰 with its best discard first, None when it may not.
        worth: whether 碰 leaves the hand better.
        reason: the sentence.
    """

    tile: str
    refused: tuple[Reason, ...]
    before: Standing
    after: Advice | None
    worth: bool
    reason: Reason

    def to_json(self) -> dict[str, Any]:
        """The advice as a JSON object."""
        best = self.after.best if self.after else None
        return {
            "tile": self.tile,
            "may": not self.refused,
            "refused": [reason.to_json() for reason in self.refused],
            "worth": self.worth,
            "before": self.before.to_json(),
            "discard": best.tile if best else None,
            "after": best.standing.to_json() if best else None,
            "reason": self.reason.to_json(),
        }


def advise_pung(claim: Claim) -> PungAdvice:
    """Whether to 碰 a tile another player has just discarded (SPEC §5.1, §4.5).

    Raises:
        HandError: the hand does not wait: it holds a drawn tile.
    """
    hand, tile, before = claim.hand, claim.tile, claim.now.standing
    if before is None:
        raise HandError([_must_wait()])
    refused = _pung_refused(hand, tile)
    after = None
    if not refused:
        rest = list(hand.concealed)
        rest.remove(tile)
        rest.remove(tile)
        ponged = Hand(tuple(rest), (*hand.melds, Meld("pong", tile)), hand.jokers)
        now = claim.now
        after = advise(ponged, now.options, now.unseen.indicator, claim.visible)
    best = after.best.standing if after and after.best else None
    worth = best is not None and best.rank[:4] < before.rank[:4]
    reason = pung_reason(tile, refused, before, after, worth)
    return PungAdvice(tile, refused, before, after, worth, reason)


def _must_wait() -> Reason:
    return Reason(
        "not_waiting",
        "碰别人的牌时手里不能有刚抓的牌，张数是 13 减去副露每副 3 张",
        "碰 is asked of a hand that waits: 13 tiles less 3 a meld; take the drawn tile away",
    )


def _pung_refused(hand: Hand, tile: str) -> tuple[Reason, ...]:
    reasons = []
    if tile in hand.jokers:
        reasons.append(
            Reason(
                "joker_pong",
                f"{tile} 是混儿，混儿不能碰",
                f"{tile} is a joker: it can never be ponged",
            )
        )
    held = hand.concealed.count(tile)
    if held < 2:
        reasons.append(
            Reason(
                "too_few_to_pong",
                f"手里只有 {held} 张 {tile}，碰要两张（混儿不能顶替）",
                f"only {held} of {tile} in hand; 碰 needs two, and a joker cannot stand in",
            )
        )
    return tuple(reasons)
