"""The rule options: every ambiguity and variant the specification names (SPEC §11)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from rules.jokers import JOKER_RULES
from rules.reasons import Reason, RulesError, brief


class OptionError(RulesError):
    """An unknown option or a value an option does not take, with every reason that holds."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What one option takes, for validation and for a settings page.

    Attributes:
        values: the values allowed, or () when any whole number of at least `least` is.
        least: the smallest number allowed where `values` is empty.
        zh: what the option means, in Chinese.
        en: the same in English.
        point: the section of the specification.
    """

    values: tuple[Any, ...]
    least: int
    zh: str
    en: str
    point: str

    def allows(self, value: object) -> bool:
        """Whether the value may be given (True is no number here, nor 1 a truth)."""
        if not self.values:
            return type(value) is int and value >= self.least
        return any(type(value) is type(known) and value == known for known in self.values)

    def describe(self) -> tuple[str, str]:
        """The allowed values in words, Chinese and English."""
        if not self.values:
            return f"不小于 {self.least} 的整数", f"a whole number of at least {self.least}"
        return _one_of(self.values)


def _one_of(values: Iterable[object]) -> tuple[str, str]:
    names = [_spell(value) for value in values]
    return f" {' 或 '.join(names)}", f"one of {', '.join(names)}"


def _spell(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_YES_NO = (True, False)

OPTIONS: dict[str, Choice] = {
    "min_fan": Choice((), 1, "起和番", "least fan of a legal win", "6.4"),
    "mei_hun_fan": Choice((2, 4), 0, "没混儿番数", "factor of 没混儿", "9.1"),
    "hundiao_alone": Choice(
        _YES_NO, 0, "准和单独的混儿吊", "混儿吊 with no other fan is a win", "9.1"
    ),
    "heavenly_fan": Choice((), 0, "天和番数（0：没有天和）", "factor of 天和, 0: none", "7"),
    "earthly_fan": Choice((), 0, "地和番数（0：没有地和）", "factor of 地和, 0: none", "7"),
    "heaven_stack": Choice(
        ("multiply", "add"), 0, "天和地和：相乘或相加", "天和 and 地和 multiply or add", "8.4"
    ),
    "heavenly_free_last": Choice(
        _YES_NO, 0, "天和随意摆", "under 天和 any tile may count as the last", "7"
    ),
    "su_mode": Choice(
        ("no_jokers", "face_value", "face_value_diao"), 0, "素的怎么算", "what 素的 means", "9.4"
    ),
    "shuang_outside_dragon": Choice(
        _YES_NO, 0, "双混儿吊不能在龙里", "the 双混儿吊 set lies outside the dragon", "7.4"
    ),
    "joker_gang_points": Choice(
        (0, 4, 5, 6, 7, 8),
        0,
        "混儿杠分（0：不许）",
        "points of a joker gang, 0: not allowed",
        "9.3",
    ),
    "joker_gang_kills_meihun": Choice(
        _YES_NO, 0, "开了混儿杠就不算没混儿", "a joker gang rules out 没混儿", "9.3"
    ),
    "joker_rule": Choice(JOKER_RULES, 0, "混儿的张数", "which tiles are jokers", "4.3"),
    "gang_tail_empty": Choice(
        ("skip", "draw"), 0, "混儿后没有底牌时", "when no gang tile is left behind the joker", "5.6"
    ),
    "draw_gangs_count": Choice(_YES_NO, 0, "和局算杠", "gangs are paid in a drawn hand", "10.5"),
    "draw_dealer": Choice(
        ("gang", "stay"), 0, "和局后谁坐庄", "who deals after a drawn hand", "10.6"
    ),
    "max_la": Choice((1, 2), 0, "最多拉几庄", "how often a player may pull the dealer", "10.3"),
    "zhuang_multiplies_gangs": Choice(
        _YES_NO, 0, "坐庄拉庄也乘杠分", "坐庄 and 拉庄 multiply gang points", "10.4"
    ),
    "chan": Choice(("none", "restart", "pay"), 0, "铲", "four first discards alike", "9.2"),
    "chan_points": Choice((), 1, "铲的分数", "points the dealer pays each for 铲", "9.2"),
    "chan_multiplied": Choice(_YES_NO, 0, "铲分也乘", "坐庄 and 拉庄 multiply 铲", "9.2"),
}
"""Every single option by name."""

PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "guadafeng": {
        "hundiao_alone": False,
        "mei_hun_fan": 4,
        "heavenly_fan": 0,
        "draw_gangs_count": False,
        "joker_rule": "guadafeng",
    },
}
"""Named sets of options; single options given beside one override it (SPEC §9.1)."""


def _unknown(name: object) -> Reason:
    known = [*OPTIONS, "preset"]
    near = difflib.get_close_matches(str(name)[:80], known, n=1)
    zh, en = f"没有 {brief(name)} 这个选项", f"unknown option {brief(name)}"
    if near:
        return Reason(
            "unknown_option", f"{zh}，最接近的是“{near[0]}”", f"{en}; the nearest is {near[0]!r}"
        )
    names = ", ".join(known)
    return Reason("unknown_option", f"{zh}；有这些：{names}", f"{en}; there are {names}")


def _bad_value(name: str, value: object, zh: str, en: str) -> Reason:
    return Reason(
        "bad_option_value",
        f"选项“{name}”不能是 {brief(value)}，可以是{zh}",
        f"option {name!r} cannot be {brief(value)}; give {en}",
    )


def _problems(values: Mapping[Any, Any]) -> list[Reason]:
    reasons = []
    for name, value in values.items():
        if name == "preset":
            if not (isinstance(value, str) and value in PRESETS):
                reasons.append(_bad_value(name, value, *_one_of(PRESETS)))
        elif name not in OPTIONS:
            reasons.append(_unknown(name))
        elif not OPTIONS[name].allows(value):
            reasons.append(_bad_value(name, value, *OPTIONS[name].describe()))
    return reasons


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """The options in force. `OPTIONS` says what each means and takes; defaults as in SPEC §11.

    Raises:
        OptionError: a value its option does not take.
    """

    min_fan: int = 2
    mei_hun_fan: int = 2
    hundiao_alone: bool = True
    heavenly_fan: int = 4
    earthly_fan: int = 4
    heaven_stack: str = "multiply"
    heavenly_free_last: bool = False
    su_mode: str = "no_jokers"
    shuang_outside_dragon: bool = True
    joker_gang_points: int = 0
    joker_gang_kills_meihun: bool = True
    joker_rule: str = "7"
    gang_tail_empty: str = "skip"
    draw_gangs_count: bool = True
    draw_dealer: str = "gang"
    max_la: int = 1
    zhuang_multiplies_gangs: bool = True
    chan: str = "none"
    chan_points: int = 1
    chan_multiplied: bool = False

    def __post_init__(self) -> None:
        reasons = _problems(self.to_mapping())
        if reasons:
            raise OptionError(reasons)

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> RuleOptions:
        """Options from a mapping such as a JSON object; `"preset"` sets several at once.

        Raises:
            OptionError: unknown options (naming the nearest, or all) and bad values, all of them.
        """
        reasons = _problems(values)
        if reasons:
            raise OptionError(reasons)
        single = {name: value for name, value in values.items() if name != "preset"}
        return cls(**(PRESETS[values.get("preset", "default")] | single))

    @classmethod
    def valid_part(cls, values: object) -> RuleOptions:
        """The options that a refused mapping sets as they may be set, the rest by default.

        What else is wrong with a request is said under these: a hand is not blamed for a rule that
        its options do set.
        """
        if not isinstance(values, Mapping):
            return cls()
        return cls.from_mapping(
            {name: value for name, value in values.items() if not _problems({name: value})}
        )

    @classmethod
    def from_pairs(cls, pairs: Iterable[str]) -> RuleOptions:
        """Options from texts like `"min_fan=3"`, as a command line takes them.

        Raises:
            OptionError: a text without `=`, an unknown option or a bad value.
        """
        values: dict[str, Any] = {}
        for pair in pairs:
            name, sign, text = pair.partition("=")
            if not sign:
                raise OptionError(
                    [
                        Reason(
                            "bad_pair",
                            f"{brief(pair)} 应写成 选项=值",
                            f"{brief(pair)}: write option=value",
                        )
                    ]
                )
            values[name.strip()] = _read(name.strip(), text.strip())
        return cls.from_mapping(values)

    def to_mapping(self) -> dict[str, Any]:
        """Every option with its value; `from_mapping` reads it back to an equal value."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _read(name: str, text: str) -> Any:
    """The value a text means for an option, or the text itself, which validation then refuses."""
    choice = OPTIONS.get(name)
    if choice is None:
        return text
    for value in choice.values:
        if _spell(value) == text.lower():
            return value
    if not choice.values and text.isascii() and text.isdigit():
        return int(text)
    return text
