"""What a 番 is: its names, its factor under the options, and its predicate on one reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rules.hand import Hand
from rules.options import RuleOptions
from rules.reading import Reading


@dataclass(frozen=True, slots=True)
class View:
    """One reading of a hand under options: what a 番 is asked about.

    Attributes:
        hand: the hand; `hand.win_tile` is the tile drawn in this reading.
        reading: the sets and the pair.
        options: the options in force.
    """

    hand: Hand
    reading: Reading
    options: RuleOptions

    @property
    def has_joker_tile(self) -> bool:
        """Whether a joker lies among the concealed tiles, the drawn one included."""
        return any(tile in self.hand.jokers for tile in self.hand.tiles)

    @property
    def joker_gang_counts(self) -> bool:
        """Whether a joker gang rules out 没混儿 and 素的 (SPEC §9.3)."""
        return self.options.joker_gang_kills_meihun and any(
            meld.tile in self.hand.jokers for meld in self.hand.melds
        )


@dataclass(frozen=True, slots=True)
class Fan:
    """One 番.

    Attributes:
        key: a stable word for programs.
        zh: its name, the one of the JSON interface.
        en: its name in English.
        holds: whether a reading has it (SPEC §7).
        factor: its number under the options; 0 when the options have no such fan.
        adds: whether the number is added (捉伍儿, 龙) and not multiplied (SPEC §8.2).
    """

    key: str
    zh: str
    en: str
    holds: Callable[[View], bool]
    factor: Callable[[RuleOptions], int]
    adds: Callable[[RuleOptions], bool]


def never(_: RuleOptions) -> bool:
    """For `Fan.adds`: the fan multiplies under all options."""
    return False


def always(_: RuleOptions) -> bool:
    """For `Fan.adds`: the fan is added under all options."""
    return True


def fixed(number: int) -> Callable[[RuleOptions], int]:
    """For `Fan.factor`: the same number under all options."""
    return lambda _: number
