"""A photo's hand judged: one value that the command line prints and programs read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rules import (
    Hand,
    HandError,
    Judgement,
    Reason,
    RuleOptions,
    hand_problems,
    judge,
    waits,
)
from vision.reading import table_to_json, to_hand, with_drawn
from vision.values import PhotoReading, TableReading

WIN, NO_WIN, UNUSABLE = 0, 1, 2


@dataclass(frozen=True)
class Score:
    """What a photo's hand is worth.

    Attributes:
        reading: What was seen.
        table: The tiles in their roles.
        hand: The hand judged.
        options: The rules in force.
        judgement: With a drawn tile, or with none by wish.
        candidates: With 14 tiles and none known as drawn: the judgement for each that may be.
        waits: With 13 tiles: the fan of each tile that would win.
        reasons: Why the hand cannot be judged at all.
    """

    reading: PhotoReading
    table: TableReading
    hand: Hand
    options: RuleOptions
    judgement: Judgement | None = None
    candidates: dict[str, Judgement] = field(default_factory=dict)
    waits: dict[str, int] | None = None
    reasons: tuple[Reason, ...] = ()

    @property
    def exit_code(self) -> int:
        """0: a win or waits; 1: no win; 2: not to be judged."""
        if self.reasons:
            return UNUSABLE
        wins = [self.judgement] if self.judgement else list(self.candidates.values())
        return WIN if self.waits or any(j.win for j in wins) else NO_WIN

    @property
    def result(self) -> str:
        """`"win"`, `"no_win"`, `"candidates"`, `"waits"` or `"unusable"`."""
        if self.reasons:
            return "unusable"
        if self.waits is not None:
            return "waits"
        if self.candidates:
            return "candidates"
        return "win" if self.exit_code == WIN else "no_win"

    def to_json(self) -> dict[str, Any]:
        """Reading, roles, hand and result as one object."""
        out = table_to_json(self.reading, self.table)
        out["hand"] = {
            "concealed": list(self.hand.concealed),
            "drawn": self.hand.win_tile,
            "melds": [{"kind": m.kind, "tile": m.tile} for m in self.hand.melds],
            "jokers": list(self.hand.jokers),
        }
        out["result"] = self.result
        if self.judgement:
            out["judgement"] = self.judgement.to_json()
        if self.candidates:
            out["candidates"] = {t: j.to_json() for t, j in self.candidates.items()}
        if self.waits is not None:
            out["waits"] = self.waits
        if self.reasons:
            out["error"] = [reason.to_json() for reason in self.reasons]
        return out


def score(
    reading: PhotoReading,
    table: TableReading,
    jokers: Iterable[str],
    options: RuleOptions,
    *,
    gang_draw: bool = False,
    drawn_known: bool = False,
) -> Score:
    """Judge the hand of a photo.

    Args:
        reading: What was seen.
        table: Its layout.
        jokers: The joker kinds.
        options: The rules in force.
        gang_draw: The drawn tile replaced a gang.
        drawn_known: Take "no drawn tile" for a wish and not for something to be found out.
    """
    hand = to_hand(table, jokers, gang_draw=gang_draw)
    reasons = hand_problems(hand, options)
    if reasons:
        return Score(reading, table, hand, options, reasons=reasons)
    try:
        if hand.asks_waits:
            return Score(reading, table, hand, options, waits=waits(hand, options))
        if hand.win_tile is not None or drawn_known:
            return Score(reading, table, hand, options, judgement=judge(hand, options))
        candidates = {
            tile: judge(to_hand(with_drawn(table, tile), hand.jokers, gang_draw=gang_draw), options)
            for tile in dict.fromkeys(hand.concealed)
        }
    except HandError as refused:
        return Score(reading, table, hand, options, reasons=refused.reasons)
    return Score(reading, table, hand, options, candidates=candidates)
