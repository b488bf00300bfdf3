"""Drills: endless questions with answers and reasons, by level, the same for the same seed.

Each drill is made by the engine from a seed, a level and a number, and its answer is the engine's.
`rules.drill_hands` asks about hands, `rules.drill_table` about payments and the wall,
`rules.drill_seating` about 打风.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rules.reasons import Reason, RulesError

LEVELS = (1, 2, 3)
"""1: one fan at a time. 2: combinations, waits, payments. 3: discards, many jokers, 坐庄 拉庄."""


class DrillError(RulesError):
    """A level, kind or number that no drill has."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to choose.

    Attributes:
        key: a letter.
        zh: the answer in Chinese.
        en: the answer in English.
        right: whether it is right.
    """

    key: str
    zh: str
    en: str
    right: bool


@dataclass(frozen=True, slots=True)
class Drill:
    """A question about the game.

    Attributes:
        level: 1 to 3.
        kind: what is asked, one of `KINDS_OF_LEVEL`.
        zh: the question in Chinese.
        en: the question in English.
        shown: what lies on the table, for pictures: hand, melds, jokers, dice ...
        choices: the answers to choose from.
        several: whether more than one may be right, all of which must be chosen.
        because: why, for the right and the wrong answers.
        seed: with `level` and `number`, makes the same drill again.
        number: counts the drills of a seed from 0.
    """

    level: int
    kind: str
    zh: str
    en: str
    shown: dict[str, Any]
    choices: tuple[Choice, ...]
    several: bool
    because: Reason
    seed: int = 0
    number: int = 0

    @property
    def answer(self) -> str:
        """The letters of the right choices, in order."""
        return "".join(choice.key for choice in self.choices if choice.right)

    def to_json(self) -> dict[str, Any]:
        """The drill as a JSON object."""
        return {
            "seed": self.seed,
            "level": self.level,
            "number": self.number,
            "kind": self.kind,
            "question": {"zh": self.zh, "en": self.en},
            "shown": self.shown,
            "choices": [
                {"key": choice.key, "zh": choice.zh, "en": choice.en} for choice in self.choices
            ],
            "several": self.several,
            "answer": self.answer,
            "explanation": {"zh": self.because.zh, "en": self.because.en},
        }


@dataclass(slots=True)
class Question:
    """A drill before its choices have letters: what the makers of drills fill in.

    Attributes:
        zh, en, shown, because: as in `Drill`.
        options: answers in Chinese and English, and whether each is right.
        several: as in `Drill`.
        ordered: the answers stand in an order of their own and are not shuffled.
    """

    zh: str
    en: str
    because: Reason
    shown: dict[str, Any] = field(default_factory=dict)
    options: list[tuple[str, str, bool]] = field(default_factory=list)
    several: bool = False
    ordered: bool = True


Maker = Callable[[random.Random, int], Question]


def _makers() -> dict[str, Maker]:
    from rules import drill_hands, drill_seating, drill_table

    return {
        "wins": drill_hands.wins,
        "fan": drill_hands.fan,
        "waits": drill_hands.waits_for,
        "discard": drill_hands.discard,
        "pung": drill_hands.pung,
        "pays": drill_table.pays,
        "opening": drill_table.opening,
        "seating": drill_seating.seating,
    }


KINDS_OF_LEVEL: dict[int, tuple[str, ...]] = {
    1: ("wins", "fan", "opening", "pung", "waits", "seating"),
    2: ("wins", "fan", "waits", "pung", "pays", "opening", "seating"),
    3: ("discard", "waits", "fan", "pung", "pays", "opening", "wins", "seating"),
}
"""What each level asks, in turn."""


def drill(seed: int, level: int = 1, number: int = 0, kind: str | None = None) -> Drill:
    """One drill; the same for the same seed, level, number and kind.

    Args:
        seed: any whole number.
        level: 1 to 3.
        number: which drill of the seed, from 0.
        kind: one of `KINDS_OF_LEVEL[level]`; by default they come in turn.

    Raises:
        DrillError: no such level, kind or number.
    """
    kinds = KINDS_OF_LEVEL.get(level)
    if kinds is None:
        raise DrillError(
            [
                Reason(
                    "bad_level",
                    f"没有第 {level} 级，只有 1 到 3 级",
                    f"there is no level {level}; choose 1, 2 or 3",
                )
            ]
        )
    if number < 0:
        raise DrillError([Reason("bad_number", "题号从 0 开始", "drills are numbered from 0")])
    asked = kinds[number % len(kinds)] if kind is None else kind
    if asked not in kinds:
        known = ", ".join(kinds)
        raise DrillError(
            [
                Reason(
                    "bad_kind",
                    f"第 {level} 级没有“{asked}”这种题，有 {known}",
                    f"level {level} has no drills of kind {asked!r}; use {known}",
                )
            ]
        )
    rng = random.Random(f"{seed}:{level}:{number}:{asked}")
    question = _makers()[asked](rng, level)
    options = list(question.options)
    if not question.ordered:
        rng.shuffle(options)
    choices = tuple(
        Choice(chr(ord("a") + at), zh, en, right) for at, (zh, en, right) in enumerate(options)
    )
    return Drill(
        level,
        asked,
        question.zh,
        question.en,
        question.shown,
        choices,
        question.several,
        question.because,
        seed,
        number,
    )


def drills(seed: int, level: int = 1, kind: str | None = None) -> Iterator[Drill]:
    """The drills of a seed and level without end.

    Raises:
        DrillError: no such level or kind.
    """
    number = 0
    while True:
        yield drill(seed, level, number, kind)
        number += 1
