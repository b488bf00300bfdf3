"""A judgement: what a hand is worth, with the reading and the sum that show it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from rules.fans import Fan
from rules.find import find_reading
from rules.hand import Hand
from rules.options import RuleOptions
from rules.reading import Reading
from rules.reasons import Reason
from rules.scoring import Outcome, arithmetic


@dataclass(frozen=True, slots=True)
class FanLine:
    """One fan of a judgement.

    Attributes:
        key: a stable word for programs.
        zh: its Chinese name.
        en: its English name.
        factor: its number.
        operation: `"+"` when it is added, `"×"` when it multiplies.
    """

    key: str
    zh: str
    en: str
    factor: int
    operation: str


def _line(fan: Fan, options: RuleOptions) -> FanLine:
    sign = "+" if fan.adds(options) else "×"
    return FanLine(fan.key, fan.zh, fan.en, fan.factor(options), sign)


class Judgement:
    """What a hand is worth (SPEC §12). The explanation is worked out when it is asked for.

    Attributes:
        hand: the hand judged.
        options: the options used.
        win: a legal win.
        complete: four sets and a pair, whatever they are worth.
        fan: the best total, also when it is below `min_fan`; 0 when not complete or not drawn.
        names: the fans of the preferred best reading, in order (屁和 when there is none).
        title: their joined name.
    """

    __slots__ = (
        "_outcome",
        "_reading",
        "complete",
        "fan",
        "hand",
        "names",
        "options",
        "title",
        "win",
    )

    def __init__(self, hand: Hand, options: RuleOptions, outcome: Outcome) -> None:
        self.hand = hand
        self.options = options
        self.win = outcome.win
        self.complete = outcome.complete
        self.fan = outcome.fan
        self.names = outcome.names
        self.title = outcome.title
        self._outcome = outcome
        self._reading: Reading | None = None

    def __repr__(self) -> str:
        return f"Judgement(win={self.win}, fan={self.fan}, title={self.title!r})"

    @property
    def names_alt(self) -> tuple[tuple[str, ...], ...]:
        """Every name list that some reading of this total has, the preferred first (SPEC §8.6)."""
        return tuple(tuple(fan.zh for fan in fans) for fans in self._outcome.alternatives)

    @property
    def title_en(self) -> str:
        """The fans' English names, joined."""
        return " + ".join(fan.en for fan in self._outcome.fans)

    @property
    def fans(self) -> tuple[FanLine, ...]:
        """Each fan with its names, number and whether it adds or multiplies."""
        return tuple(_line(fan, self.options) for fan in self._outcome.fans)

    @property
    def arithmetic(self) -> str:
        """The sum in writing, such as `"(3+4)×2×2 = 28"`; empty when nothing scores."""
        return arithmetic(self._outcome.fans, self.options) if self._outcome.fans else ""

    @property
    def reading(self) -> Reading | None:
        """The reading that shows the names; None when the hand is not complete."""
        if not self.complete:
            return None
        if self._reading is None:
            self._reading = self._find()
        return self._reading

    def _find(self) -> Reading:
        from rules.judging import hand_that_shows

        hand = hand_that_shows(self.hand, self.options, self._outcome.combination)
        return find_reading(hand, self.options, self._outcome.combination, self._outcome.fans)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why the hand is no win; empty for a win."""
        if self.win:
            return ()
        reasons = []
        if not self.hand.self_draw:
            reasons.append(
                Reason(
                    "not_self_draw",
                    "天津麻将只能自摸和",
                    "only a tile drawn by oneself wins, never a discard",
                )
            )
        if not self.complete:
            reasons.append(
                Reason(
                    "not_complete",
                    "凑不成四副一对",
                    "the tiles do not make four sets and a pair, whatever the jokers stand for",
                )
            )
        elif self.hand.self_draw:
            reasons += self._worth_too_little()
        return tuple(reasons)

    def _worth_too_little(self) -> list[Reason]:
        reasons = []
        if self._outcome.diao_alone:
            reasons.append(
                Reason(
                    "hundiao_alone",
                    "现在的规则不准和单独的混儿吊",
                    "混儿吊 without another fan is no win under these options",
                )
            )
        if self.fan < self.options.min_fan:
            least = self.options.min_fan
            reasons.append(
                Reason(
                    "below_min_fan",
                    f"只有 {self.fan} 番，{least} 番起和",
                    f"worth {self.fan}, and a win needs at least {least}",
                )
            )
        return reasons

    def to_json(self) -> dict[str, Any]:
        """The whole judgement as a JSON object, explanation included."""
        reading = self.reading
        return {
            "win": self.win,
            "complete": self.complete,
            "fan": self.fan,
            "names": list(self.names),
            "names_alt": [list(names) for names in self.names_alt],
            "title": self.title,
            "title_en": self.title_en,
            "fans": [asdict(line) for line in self.fans],
            "arithmetic": self.arithmetic,
            "reading": None if reading is None else reading.to_json(),
            "reasons": [reason.to_json() for reason in self.reasons],
            "options": self.options.to_mapping(),
        }
