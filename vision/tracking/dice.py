"""Throws of dice: reported once, and only when every die has come to rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.tracking.change import Motion
from vision.tracking.find_dice import SMALL, FoundDie
from vision.tracking.tracks import Track, shifted
from vision.values import Box

ROLL = 2
"""Dice in every roll of the game."""

# A die rests when for this long its middle stays within a share of its width and its pips the same.
REST_S, LEAST_FRAMES = 0.2, 3
MOST_SHIFT = 0.12
# A hand-held camera sways: dice that keep their places to one another within a share of their width
# rest as well, as long as they sway no further than this in that time.
MOST_RELATIVE, MOST_SWAY = 0.06, 0.4
COUNTED_SHARE = 0.6
# Around a die in its own widths: what moves there may still knock it.
NEAR = 0.6
TRACK_REST_S = 0.5
# What is not sure, or not two dice as every roll has, is not told before the models have looked.
UNSURE_S = 1.8
SURE = 0.75
SAME_DIE = 0.35


@dataclass(frozen=True)
class Throw:
    """Dice that have come to rest.

    Attributes:
        values: 1..6 each, left to right in the picture; none when the dice are too small to read.
        confidence: Of the least certain die.
        doubtful: Somebody should look: the looks disagree, the pips count otherwise, or there are
            not two dice, as every roll of the game has.
        dice: The dice with their boxes.
        at: Seconds at which they were seen to lie still.
    """

    values: tuple[int, ...]
    confidence: float
    doubtful: bool
    dice: tuple[FoundDie, ...]
    at: float


class DiceWatch:
    """Tells each throw once; the next one begins when a die has left its place."""

    def __init__(self) -> None:
        """No throw yet."""
        self._told: Throw | None = None
        self._history: deque[tuple[float, tuple[FoundDie, ...]]] = deque()
        self._since: tuple[tuple[int, ...], float] = ((), 0.0)
        self._unsure: tuple[float, tuple[FoundDie, ...]] | None = None

    def see(self, dice: tuple[FoundDie, ...], at: float, at_table: bool = False) -> Throw | None:
        """Take in the dice of a frame; the throw that has come to rest now, if any.

        Args:
            dice: What looks like dice in this frame, rolling or not.
            at: Seconds; called for every frame while something moves, and a little after.
            at_table: Of a game's dice, of which each roll has two: what is not sure waits each
                time, not once for all.
        """
        if self._history and at <= self._history[-1][0]:
            self._history.clear()
        self._history.append((at, dice))
        while len(self._history) > 2 and at - self._history[1][0] >= REST_S:
            self._history.popleft()
        if not dice or len(self._history) < LEAST_FRAMES or at - self._history[0][0] < REST_S:
            return None
        frames = [seen for _, seen in self._history]
        sways = _sways(dice, frames)
        resting = [_at_rest(die, frames, sways) for die in dice]
        counts_alike = len({len(seen) for _, seen in self._history}) == 1
        if any(die is None for die in resting) or not counts_alike:
            return None
        known = [die for die in resting if die is not None]
        if min(die.width for die, _ in known) < SMALL:
            return None  # the models are asked first: see `look`
        values = tuple(die.pips for die, _ in known if die.pips is not None)
        if len(values) < len(known):
            return None  # and here
        confidence = min(share for _, share in known)
        doubtful = confidence < SURE or len(known) != ROLL
        found = tuple(die for die, _ in known)
        if at_table and self._unsure is not None and not _all_lie(found, self._unsure[1]):
            self._unsure = None
        if self._unsure_for(confidence < SURE or len(known) < ROLL, found, at) < UNSURE_S:
            return None
        return self._tell(Throw(values, confidence, doubtful, found, at))

    def _unsure_for(self, unsure: bool, dice: tuple[FoundDie, ...], at: float) -> float:
        """Seconds for which what rests is not told because it is not sure; without end if it is."""
        if not unsure:
            self._unsure = None
        elif self._unsure is None:
            self._unsure = (at, dice)
        return np.inf if self._unsure is None else at - self._unsure[0]

    def waits(self, at: float) -> bool:
        """Whether dice rest that may have to be told though they are not sure."""
        return self._unsure is not None and at - self._unsure[0] <= UNSURE_S + REST_S

    def look(
        self, tracks: Sequence[Track], motion: Motion, at: float, at_table: bool = False
    ) -> Throw | None:
        """The throw as the steady tiles of the table show it, where `see` did not find it.

        Args:
            tracks: Every tile and die on the table, settled or not.
            motion: What moves.
            at: Seconds.
            at_table: Of a game's dice, of which each roll has two: a lone one has company that
                still rolls, or that the next looks find.
        """
        # A die that the last look did not find is picked up, or about to be seen again.
        dice = sorted(
            (t for t in tracks if t.tile.startswith("die") and not t.missed),
            key=lambda t: t.box[0],
        )
        ids = tuple(die.id for die in dice)
        resting = bool(dice) and all(_rests(die, motion) for die in dice)
        if not resting or ids != self._since[0]:
            self._since = (ids if resting else (), at)
            return None
        if at - self._since[1] < (UNSURE_S if at_table and len(dice) < ROLL else TRACK_REST_S):
            return None
        readings = [die.reading() for die in dice]
        confidence = min(reading.confidence for reading in readings)
        wrong_pips = any(r.pips is not None and r.tile != f"die{r.pips}" for r in readings)
        found = tuple(FoundDie(r.box, int(r.tile[3:])) for r in readings)
        doubtful = confidence < SURE or wrong_pips or len(dice) != ROLL
        values = tuple(int(reading.tile[3:]) for reading in readings)
        return self._tell(Throw(values, confidence, doubtful, found, at))

    def unread(self, dice: tuple[FoundDie, ...], at: float) -> Throw | None:
        """Dice that came to rest and cannot be read: a throw without values, always doubtful."""
        return self._tell(Throw((), 0.0, True, dice, at))

    def told_boxes(self) -> tuple[Box, ...]:
        """Where the dice of the last throw lay."""
        return () if self._told is None else tuple(die.box for die in self._told.dice)

    def shift(self, change: np.ndarray) -> None:
        """The camera moved: the dice told last lie elsewhere in the picture (3 x 3 homography)."""
        self._history.clear()
        if self._told is not None:
            moved = tuple(FoundDie(shifted(d.box, change), d.pips) for d in self._told.dice)
            self._told = replace(self._told, dice=moved)

    def _tell(self, throw: Throw) -> Throw | None:
        """The throw, unless these dice lay there already when they were last told."""
        told = self._told
        if told is not None and _all_lie(throw.dice, told.dice):
            return None
        # Both dice lie as they did: a third thing that looks like one was not thrown with them.
        if told is not None and len(told.dice) >= ROLL and _all_lie(told.dice, throw.dice):
            return None
        self._told = throw
        return throw


def _all_lie(dice: Sequence[FoundDie], among: Sequence[FoundDie]) -> bool:
    """Whether each of the dice is one of the others, where it lies."""
    return all(any(_same_place(die, other) for other in among) for die in dice)


def _same_place(first: FoundDie, second: FoundDie) -> bool:
    """Whatever it is read as: no two throws end in the same place."""
    return float(np.hypot(*(first.centre - second.centre))) < SAME_DIE * second.width


def _sways(dice: tuple[FoundDie, ...], frames: Sequence[tuple[FoundDie, ...]]) -> np.ndarray:
    """By how far the camera had the picture moved in each frame against now (n x 2 pixels).

    Only two dice or more tell: rolling, they do not keep their places to one another.
    """
    none = np.zeros((len(frames), 2))
    if len(dice) < ROLL or any(len(seen) != len(dice) for seen in frames):
        return none
    width = float(np.mean([die.width for die in dice]))
    now = np.stack([die.centre for die in dice])
    sways = []
    for seen in frames:
        moves = np.stack([die.centre for die in seen]) - now
        sway = moves.mean(axis=0)
        apart = float(np.hypot(*(moves - sway).T).max())
        if apart > MOST_RELATIVE * width or float(np.hypot(*sway)) > MOST_SWAY * width:
            return none
        sways.append(sway)
    return np.stack(sways)


def _at_rest(
    die: FoundDie, frames: Sequence[tuple[FoundDie, ...]], sways: np.ndarray
) -> tuple[FoundDie, float] | None:
    """The die with its prevailing count and that count's share; None while it moves."""
    counts: dict[int, int] = {}
    for seen, sway in zip(frames, sways, strict=True):
        near = [
            other
            for other in seen
            if float(np.hypot(*(other.centre - sway - die.centre))) < MOST_SHIFT * die.width
        ]
        if not near:
            return None
        pips = near[0].pips
        if pips is not None:
            counts[pips] = counts.get(pips, 0) + 1
    if not counts:
        return FoundDie(die.box, None), 0.0
    best = max(counts, key=lambda pips: counts[pips])
    share = counts[best] / len(frames)
    if share < COUNTED_SHARE or len(counts) > 2:
        return None
    return FoundDie(die.box, best), share


def _rests(die: Track, motion: Motion) -> bool:
    x1, y1, x2, y2 = die.box
    reach = NEAR * max(x2 - x1, y2 - y1)
    around = (x1 - reach, y1 - reach, x2 + reach, y2 + reach)
    return die.settled and not die.rival.looks and motion.within(around) == 0.0
