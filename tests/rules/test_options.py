"""The options (SPEC §11): defaults, presets, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from rules import OPTIONS, OptionError, RuleOptions


def test_defaults_are_those_of_the_table() -> None:
    # SPEC §11, column "default".
    assert RuleOptions().to_mapping() == {
        "min_fan": 2,
        "mei_hun_fan": 2,
        "hundiao_alone": True,
        "heavenly_fan": 4,
        "earthly_fan": 4,
        "heaven_stack": "multiply",
        "heavenly_free_last": False,
        "su_mode": "no_jokers",
        "shuang_outside_dragon": True,
        "joker_gang_points": 0,
        "joker_gang_kills_meihun": True,
        "joker_rule": "7",
        "gang_tail_empty": "skip",
        "draw_gangs_count": True,
        "draw_dealer": "gang",
        "max_la": 1,
        "zhuang_multiplies_gangs": True,
        "chan": "none",
        "chan_points": 1,
        "chan_multiplied": False,
    }
    assert list(OPTIONS) == list(RuleOptions().to_mapping())


def test_guadafeng_sets_five_points_and_single_options_override_it() -> None:
    # SPEC §9.1: 刮大风 differs in five points; "single options override it" (§11).
    options = RuleOptions.from_mapping({"preset": "guadafeng"})
    changed = {
        name: value
        for name, value in options.to_mapping().items()
        if value != RuleOptions().to_mapping()[name]
    }
    assert changed == {
        "hundiao_alone": False,
        "mei_hun_fan": 4,
        "heavenly_fan": 0,
        "draw_gangs_count": False,
        "joker_rule": "guadafeng",
    }
    mixed = RuleOptions.from_mapping({"mei_hun_fan": 2, "preset": "guadafeng"})
    assert mixed.mei_hun_fan == 2
    assert not mixed.hundiao_alone


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ({"min_fam": 2}, ["unknown_option"]),
        ({"min_fan": 0}, ["bad_option_value"]),
        ({"min_fan": True}, ["bad_option_value"]),
        ({"hundiao_alone": 1}, ["bad_option_value"]),
        ({"mei_hun_fan": 3}, ["bad_option_value"]),
        ({"joker_gang_points": 3}, ["bad_option_value"]),
        ({"heavenly_fan": -1}, ["bad_option_value"]),
        ({"preset": "tianjin"}, ["bad_option_value"]),
        ({"max_la": 3, "nope": 1, "chan": []}, ["bad_option_value", "unknown_option"]),
    ],
)
def test_unknown_options_and_values_are_refused(values: dict[str, Any], codes: list[str]) -> None:
    # "An unknown option is an error" (SPEC §11), and every reason is named (§12).
    with pytest.raises(OptionError) as refused:
        RuleOptions.from_mapping(values)
    assert {reason.code for reason in refused.value.reasons} == set(codes)
    assert len(refused.value.reasons) == len(values)


def test_the_nearest_name_is_offered() -> None:
    # A typing slip should not need the manual.
    with pytest.raises(OptionError, match="'shuang_outside_dragon'"):
        RuleOptions.from_mapping({"shuang_outside_dargon": True})
    # A name like none of them: all are named instead of a far-fetched one.
    with pytest.raises(OptionError) as refused:
        RuleOptions.from_mapping({"qq": True})
    assert all(name in refused.value.reasons[0].zh for name in (*OPTIONS, "preset"))


@pytest.mark.parametrize(
    ("values", "zh", "en"),
    [
        ({"min_fan": 0}, "不小于 1 的整数", "a whole number of at least 1"),
        ({"mei_hun_fan": 3}, "2 或 4", "one of 2, 4"),
        ({"chan": True}, "none 或 restart 或 pay", "one of none, restart, pay"),
        ({"preset": "x"}, "default 或 guadafeng", "one of default, guadafeng"),
    ],
)
def test_a_bad_value_is_told_what_may_stand_there(values: dict[str, Any], zh: str, en: str) -> None:
    # A refusal shows the way out, in both languages.
    with pytest.raises(OptionError) as refused:
        RuleOptions.from_mapping(values)
    (reason,) = refused.value.reasons
    assert zh in reason.zh
    assert en in reason.en


def test_options_from_the_command_line() -> None:
    # `--option k=v` has only text: it must mean the value of that option.
    options = RuleOptions.from_pairs(
        ["min_fan=3", "joker_rule=11", "hundiao_alone=false", "joker_gang_points=6"]
    )
    assert options.min_fan == 3
    assert options.joker_rule == "11"
    assert options.hundiao_alone is False
    assert options.joker_gang_points == 6
    for pair in ("min_fan", "min_fan=two", "min_fam=2", "hundiao_alone=maybe"):
        with pytest.raises(OptionError):
            RuleOptions.from_pairs([pair])


def test_the_mapping_reads_back() -> None:
    # What a result says it used must give the same options again.
    options = RuleOptions.from_mapping({"preset": "guadafeng", "su_mode": "face_value"})
    assert RuleOptions.from_mapping(options.to_mapping()) == options
    with pytest.raises(OptionError):
        RuleOptions(max_la=5)
