"""Whether to 杠: may one, what the hand is after it, what its replacement tile wins (SPEC §5).

A 杠 is paid by all three others whoever wins ("无论是否胡牌是谁胡牌，杠牌都会计分"), and a win on
its replacement tile is 杠开, which doubles and makes even a bare hand worth 2. What it takes out of
the hand may be needed there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rules.advice import Advice, Standing, Wait, advise
from rules.advice_words import kong_reason
from rules.claim import Claim
from rules.hand import Hand, Meld
from rules.judging import draws
from rules.options import RuleOptions
from rules.reasons import Reason
from rules.refusals import refusal
from rules.settlement import gang_points
from rules.tiles import KINDS
from rules.unseen import Unseen


@dataclass(frozen=True, slots=True)
class Replacement:
    """What the tile taken after a 杠 may win.

    Attributes:
        waits: the tiles that win as 杠开, with copies left and scores.
        score: their scores times their copies left, added up.
        unseen: tiles the player cannot see.
    """

    waits: tuple[Wait, ...]
    score: int
    unseen: int

    @property
    def expected(self) -> float:
        """The expected score of the replacement tile."""
        return self.score / self.unseen if self.unseen else 0.0

    def to_json(self) -> dict[str, Any]:
        """The replacement as a JSON object."""
        return {
            "waits": [wait.to_json() for wait in self.waits],
            "score": self.score,
            "expected": round(self.expected, 6),
        }


@dataclass(frozen=True, slots=True)
class KongAdvice:
    """Whether a tile may and should be made a 杠.

    Attributes:
        kind: "concealed" 暗杠, "added" 补杠, "open" 明杠 or "joker" 混儿杠.
        tile: the tile of which there are four.
        refused: why it may not be; empty when it may.
        points: what each of the others pays for it.
        before: where the hand stands without it (on one's own turn after the best discard); None
            when the drawn tile wins already, or no tile may be discarded.
        after: where it stands when it waits for the replacement, 杠开 not counted.
        replacement: what the replacement tile may win.
        worth: whether the 杠 is advised.
        reason: the sentence.
    """

    kind: str
    tile: str
    refused: tuple[Reason, ...]
    points: int
    before: Standing | None
    after: Standing | None
    replacement: Replacement | None
    worth: bool
    reason: Reason

    def to_json(self) -> dict[str, Any]:
        """The advice as a JSON object."""
        return {
            "kind": self.kind,
            "tile": self.tile,
            "may": not self.refused,
            "refused": [reason.to_json() for reason in self.refused],
            "points": self.points,
            "worth": self.worth,
            "after": self.after.to_json() if self.after else None,
            "replacement": self.replacement.to_json() if self.replacement else None,
            "reason": self.reason.to_json(),
        }


def advise_kongs(advice: Advice) -> tuple[KongAdvice, ...]:
    """Every 杠 a hand on its own turn could make, in class order; none right after 碰.

    Args:
        advice: of a hand with a drawn tile.
    """
    hand = advice.hand
    if hand.win_tile is None:
        return ()
    ponged = {meld.tile for meld in hand.melds if meld.kind == "pong"}
    found = []
    for tile in sorted(set(hand.tiles), key=KINDS.__getitem__):
        if hand.tiles.count(tile) == 4:
            kind = "joker" if tile in hand.jokers else "concealed"
            found.append(_advised(advice, kind, tile, _own_refused(advice, tile)))
        elif tile in ponged:
            found.append(_advised(advice, "added", tile, ()))
    return tuple(found)


def advise_open_kong(claim: Claim) -> KongAdvice:
    """Whether to 杠 a tile another player has just discarded (SPEC §5.3)."""
    now, tile = claim.now, claim.tile
    refused = []
    if tile in now.hand.jokers:
        refused.append(refusal("joker_kong", tile=tile))
    if now.hand.concealed.count(tile) < 3:
        refused.append(refusal("needs_three", tile=tile))
    if now.standing is None:
        refused.append(refusal("nothing_to_claim"))
    return _advised(now, "open", tile, tuple(refused))


def _own_refused(advice: Advice, tile: str) -> tuple[Reason, ...]:
    if tile in advice.hand.jokers and not advice.options.joker_gang_points:
        return (refusal("joker_kong_not_allowed"),)
    return ()


def _advised(advice: Advice, kind: str, tile: str, refused: tuple[Reason, ...]) -> KongAdvice:
    before = advice.standing
    if advice.best is not None and not advice.wins_now:
        before = advice.best.standing
    paid_as = {"added": "open"}.get(kind, kind)
    points = gang_points(paid_as, advice.options)
    after = replacement = None
    if not refused:
        konged = _after(advice.hand, kind, tile)
        seen = _seen_besides(advice, konged)
        after = advise(konged, advice.options, advice.unseen.indicator, seen).standing
        replacement = _replacement(konged, advice.options, advice.unseen)
    worth = not advice.wins_now and _is_worth(before, after, replacement, points)
    reason = kong_reason(kind, tile, refused, points, before, after, _wins(replacement), worth)
    return KongAdvice(kind, tile, refused, points, before, after, replacement, worth, reason)


def _after(hand: Hand, kind: str, tile: str) -> Hand:
    """The hand that waits for the replacement tile."""
    rest = tuple(other for other in hand.tiles if other != tile)
    form = "gang_concealed" if kind in ("concealed", "joker") else "gang_open"
    melds = tuple(meld for meld in hand.melds if kind != "added" or meld.tile != tile)
    return Hand(rest, (*melds, Meld(form, tile)), hand.jokers)


def _seen_besides(advice: Advice, konged: Hand) -> list[str]:
    """The tiles seen that are neither in the hand after the 杠 nor turned."""
    seen = []
    for tile, left in advice.unseen.left.items():
        own = konged.concealed.count(tile)
        own += sum(len(meld.tiles) for meld in konged.melds if meld.tile == tile)
        seen += [tile] * (4 - left - own - (tile == advice.unseen.indicator))
    return seen


def _replacement(konged: Hand, options: RuleOptions, unseen: Unseen) -> Replacement:
    waiting = replace(konged, gang_draw=True)
    waits = tuple(
        Wait(tile, unseen.left[tile], outcome)
        for tile, outcome in draws(waiting, options).items()
        if outcome.win
    )
    score = sum(wait.left * wait.fan for wait in waits)
    return Replacement(waits, score, unseen.total)


def _wins(replacement: Replacement | None) -> tuple[int, float]:
    """Copies left that win as the replacement, and its expected score."""
    if replacement is None:
        return 0, 0.0
    return sum(wait.left for wait in replacement.waits), replacement.expected


def _is_worth(
    before: Standing | None, after: Standing | None, replacement: Replacement | None, points: int
) -> bool:
    """Whether the 杠 is advised.

    It is when it leaves the hand no further from ready: its points are certain and the replacement
    is a draw for nothing. A ready hand gives up its waits for those after the 杠: there the 杠, its
    replacement and one draw more are weighed against one draw without it, each of the three paying.
    """
    if after is None or replacement is None:
        return False
    if before is None:
        return True
    if before.reachable != after.reachable or before.shanten != after.shanten:
        return (not after.reachable, after.shanten) < (not before.reachable, before.shanten)
    if before.shanten:
        return True
    return points + replacement.expected + after.expected >= before.expected
