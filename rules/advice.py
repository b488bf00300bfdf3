"""Advice for a player: win now, which tile to discard, what each discard leaves (SPEC §6, §7, §12).

Everything is counted, nothing sampled: distances from `rules.shanten`, waits and scores from the
judging engine, copies from `rules.unseen`. A joker is never advised as a discard ("行牌中不能把混儿
牌打出，否则成为“小相公”"). What is said about a discard, in words, is in `rules.advice_words`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rules.explain import Judgement
from rules.fans import Fan
from rules.hand import Hand
from rules.jokers import joker_kinds
from rules.judging import DEFAULT, draws, judge
from rules.options import RuleOptions
from rules.reasons import Reason
from rules.scoring import Outcome
from rules.shanten import UNREACHABLE, Outlook, Progress, helps_by_trial, ready_or_not
from rules.tiles import KINDS, TILES
from rules.unseen import Unseen, unseen_of

if TYPE_CHECKING:
    from rules.advice_kong import KongAdvice


@dataclass(frozen=True, slots=True)
class Draw:
    """A tile that brings the hand nearer to a win.

    Attributes:
        tile: MPSZ code.
        left: copies the player cannot see.
    """

    tile: str
    left: int

    def to_json(self) -> dict[str, Any]:
        """The tile as a JSON object."""
        return {"tile": self.tile, "left": self.left}


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes the hand.

    Attributes:
        tile: MPSZ code.
        left: copies the player cannot see; 0 when all are gone.
        outcome: what the complete hand is worth.
    """

    tile: str
    left: int
    outcome: Outcome

    @property
    def fan(self) -> int:
        """Its score."""
        return self.outcome.fan

    @property
    def fans(self) -> tuple[Fan, ...]:
        """The fans of its best reading."""
        return self.outcome.fans

    def to_json(self) -> dict[str, Any]:
        """The wait as a JSON object."""
        return {
            "tile": self.tile,
            "left": self.left,
            "fan": self.fan,
            "title": self.outcome.title,
            "title_en": " + ".join(fan.en for fan in self.fans),
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """Where tiles stand that wait for a draw.

    Attributes:
        shanten: exchanges until some draw is a legal win; 0 when ready.
        shape_shanten: the same for four sets and a pair of any worth.
        helps: when not ready, the draws that bring it nearer, with copies left.
        waits: when ready, the draws that win.
        bare: draws that complete the hand without being a legal win (屁和).
        goals: exchanges until it waits for each fan by itself, by the fan's key; 没混儿 is missing
            when a joker is in hand, 双混儿吊 when there is no set to make.
        score: fans of the waits times their copies left, added up.
        unseen: tiles the player cannot see.
    """

    shanten: int
    shape_shanten: int
    helps: tuple[Draw, ...]
    waits: tuple[Wait, ...]
    bare: tuple[Wait, ...]
    goals: Mapping[str, int]
    score: int
    unseen: int

    @property
    def left(self) -> int:
        """Copies left of the waits, or of the tiles that help when not ready."""
        return sum(draw.left for draw in (self.waits or self.helps))

    @property
    def expected(self) -> float:
        """The expected score of the next draw: the sum of left times fan over the tiles unseen."""
        return self.score / self.unseen if self.unseen else 0.0

    @property
    def reachable(self) -> bool:
        """Whether a legal win can still come: some tile that is needed next is left."""
        return self.left > 0

    @property
    def best_fan(self) -> int:
        """The highest fan of a wait of which a copy is left."""
        return max((wait.fan for wait in self.waits if wait.left), default=0)

    @property
    def rank(self) -> tuple[int, ...]:
        """The order of advice, the best least.

        A win that can still come, fewer exchanges, the higher expected score, more tiles that help,
        nearer to the single fans, nearer to any shape.
        """
        return (
            not self.reachable,
            self.shanten,
            -self.score,
            -self.left,
            sum(self.goals.values()),
            self.shape_shanten,
        )

    def to_json(self) -> dict[str, Any]:
        """The standing as a JSON object."""
        return {
            "shanten": self.shanten,
            "shape_shanten": self.shape_shanten,
            "ready": self.shanten == 0,
            "reachable": self.reachable,
            "helps": [draw.to_json() for draw in self.helps],
            "waits": [wait.to_json() for wait in self.waits],
            "bare": [wait.to_json() for wait in self.bare],
            "left": self.left,
            "goals": dict(self.goals),
            "score": self.score,
            "expected": round(self.expected, 6),
        }


@dataclass(frozen=True, slots=True)
class Discard:
    """A discard and where it leaves the hand.

    Attributes:
        tile: MPSZ code of the tile discarded, never a joker.
        standing: the hand after it.
    """

    tile: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class Advice:
    """What a player may do and what it leads to.

    Attributes:
        hand: the hand asked about.
        options: the options in force.
        unseen: what the player cannot see.
        win: the judgement of the drawn tile, None when none was drawn.
        standing: the hand as it is when it waits for a draw, None when a tile is to be discarded.
        discards: every discard, the best first; empty when none is to be made or only jokers are
            there.
    """

    hand: Hand
    options: RuleOptions
    unseen: Unseen
    win: Judgement | None
    standing: Standing | None
    discards: tuple[Discard, ...]

    @property
    def best(self) -> Discard | None:
        """The discard advised."""
        return self.discards[0] if self.discards else None

    @property
    def wins_now(self) -> bool:
        """Whether the drawn tile is a legal win."""
        return self.win is not None and self.win.win

    @property
    def headline(self) -> Reason:
        """What to do, in one sentence with the reason; the code is `win`, `discard`, `wait`."""
        from rules.advice_words import headline

        return headline(self)

    @property
    def kongs(self) -> tuple[KongAdvice, ...]:
        """Every 杠 that could be made now, each with whether one may and should."""
        from rules.advice_kong import advise_kongs

        return advise_kongs(self)

    def reason(self, discard: Discard) -> Reason:
        """Why a discard is good or bad, compared with the others."""
        from rules.advice_words import discard_reason

        return discard_reason(self, discard)

    def to_json(self) -> dict[str, Any]:
        """The whole advice as a JSON object."""
        return {
            "win": self.win.to_json() if self.win is not None and self.win.complete else None,
            "wins_now": self.wins_now,
            "headline": self.headline.to_json(),
            "standing": None if self.standing is None else self.standing.to_json(),
            "discards": [
                {
                    "tile": discard.tile,
                    **discard.standing.to_json(),
                    "reason": self.reason(discard).to_json(),
                }
                for discard in self.discards
            ],
            "kongs": [kong.to_json() for kong in self.kongs],
            "jokers": list(self.hand.jokers),
            "indicator": self.unseen.indicator,
            "unseen": self.unseen.total,
            "left": {tile: count for tile, count in self.unseen.left.items() if count},
            "options": self.options.to_mapping(),
        }


def advise(
    hand: Hand,
    options: RuleOptions = DEFAULT,
    indicator: str | None = None,
    visible: Iterable[str] = (),
) -> Advice:
    """Advise a player, exactly.

    Args:
        hand: 13 tiles less 3 a meld and the drawn one apart, the same without one (it waits for a
            draw), or one tile more and none apart (after 碰, where no win can be declared: SPEC
            §5.2). Its jokers may be left out when `indicator` is given.
        options: the rule options.
        indicator: the turned tile 翻混牌; found from the jokers where they tell it.
        visible: tiles seen elsewhere: discards and other players' melds, without the turned tile.

    Raises:
        HandError: an impossible hand or more than four of a kind; every reason.
    """
    if indicator and not hand.jokers and indicator in KINDS:
        hand = replace(hand, jokers=joker_kinds(indicator, options.joker_rule))
    outlook = Outlook(hand, options)
    unseen = unseen_of(hand, options, indicator, visible)
    if outlook.tiles == 3 * outlook.sets + 1:
        standing = _standing(outlook, hand.concealed, -1, unseen, options, hand)
        return Advice(hand, options, unseen, None, standing, ())
    discards = []
    for kind in outlook.discards():
        tile = TILES[kind]
        rest = list(hand.tiles)
        rest.remove(tile)
        standing = _standing(outlook, tuple(rest), kind, unseen, options, hand)
        discards.append(Discard(tile, standing))
    discards.sort(key=lambda discard: discard.standing.rank)
    win = judge(hand, options) if hand.win_tile is not None else None
    return Advice(hand, options, unseen, win, None, tuple(discards))


def _standing(
    outlook: Outlook,
    concealed: tuple[str, ...],
    discard: int,
    unseen: Unseen,
    options: RuleOptions,
    hand: Hand,
) -> Standing:
    """The standing of some tiles, the discarded one taken away."""
    shape = outlook.distance(outlook.bare, discard)
    winning = outlook.to_a_win(discard)
    waits: list[Wait] = []
    barely: list[Wait] = []
    left = unseen.left
    distance = winning.distance
    helpful = _helpful(winning, outlook.drawable_jokers)
    if shape == 0:
        waiting = Hand(concealed, hand.melds, hand.jokers)
        for tile, outcome in draws(waiting, options).items():
            if outcome.complete:
                (waits if outcome.win else barely).append(Wait(tile, left[tile], outcome))
        distance = ready_or_not(winning, bool(waits))
        if distance and not winning.distance:
            helpful = helps_by_trial(waiting, options)
    return Standing(
        shanten=distance,
        shape_shanten=shape,
        helps=() if waits else tuple(Draw(tile, left[tile]) for tile in helpful),
        waits=tuple(waits),
        bare=tuple(barely),
        goals=_goals(outlook, discard),
        score=sum(wait.left * wait.fan for wait in waits),
        unseen=unseen.total,
    )


def _helpful(winning: Progress, jokers: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        tile
        for kind, tile in enumerate(TILES)
        if winning.kinds >> kind & 1 or (winning.jokers and tile in jokers)
    )


def _goals(outlook: Outlook, discard: int) -> dict[str, int]:
    goals: dict[str, int] = {}
    for goal in outlook.singles:
        distance = outlook.distance(goal, discard)
        if distance < UNREACHABLE:
            key = goal.fans[-1].key  # 龙 stands behind the 本混儿 that goes with it.
            goals[key] = min(distance, goals.get(key, UNREACHABLE))
    return goals
