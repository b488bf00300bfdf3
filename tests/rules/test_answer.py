"""One line of the JSON interface never fails: it answers or names its reasons (SPEC §12)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import answer

GOOD: dict[str, Any] = {
    "id": "a",
    "type": "hand",
    "concealed": ["1m", "2m", "3m", "6p", "7p", "8p", "6s", "7s", "8s", "2z", "2z", "1p", "3p"],
    "melds": [],
    "jokers": ["7z", "6z"],
    "win_tile": "2p",
    "flags": {"self_draw": True},
    "options": {},
}


def test_a_hand_and_its_waits() -> None:
    # The shapes the issue and SPEC §12 name.
    assert answer(GOOD) == {
        "id": "a",
        "win": True,
        "complete": True,
        "fan": 2,
        "names": ["没混儿"],
        "names_alt": [["没混儿"]],
        "title": "没混儿",
    }
    # 7z and 6z, the jokers, may stand for the 2p too, but then nothing scores: no legal win.
    assert answer(GOOD | {"win_tile": None}) == {"id": "a", "waits": {"2p": 2}}


def test_all_reasons_come_together() -> None:
    # "An error names every reason that holds": options, tiles, flags in one answer.
    bad = GOOD | {
        "concealed": ["9z", *GOOD["concealed"]],
        "options": {"nope": 1, "min_fan": 0},
        "flags": {"gang_draw": True},
    }
    told = answer(bad)
    assert told["id"] == "a"
    assert sorted(reason["code"] for reason in told["error"]) == [
        "bad_option_value",
        "gang_draw_without_gang",
        "unknown_option",
        "unknown_tile",
        "wrong_count",
    ]


@pytest.mark.parametrize(
    "request_",
    [
        None,
        [],
        {},
        GOOD | {"type": "nothing"},
        GOOD | {"type": ["hand"]},
        GOOD | {"concealed": "123m"},
        GOOD | {"concealed": [1, 2]},
        GOOD | {"melds": [{"kind": "pong"}]},
        GOOD | {"melds": {"kind": "pong", "tile": "1m"}},
        GOOD | {"jokers": None},
        GOOD | {"win_tile": 5},
        GOOD | {"flags": {"self_draw": "yes"}},
        GOOD | {"flags": {"lucky": True}},
        GOOD | {"flags": []},
        GOOD | {"options": []},
        GOOD | {"options": "guadafeng"},
        GOOD | {"options": {"chan": {}}},
        {"type": "jokers"},
        {"type": "jokers", "input": {"indicator": "back"}},
        {"type": "jokers", "input": {"indicator": "5m", "rule": "9"}},
        {"type": "jokers", "input": {"indicator": "5m", "rule": []}},
    ],
)
def test_what_has_not_the_shape_is_refused(request_: Any) -> None:
    # Never a traceback: each is an answer with at least one reason in both languages.
    told = answer(request_)
    assert told["error"]
    assert all(reason["zh"] and reason["en"] for reason in told["error"])


@pytest.mark.parametrize(
    ("request_", "zh"),
    [
        (GOOD | {"concealed": "123m"}, "牌的列表"),
        (GOOD | {"type": "nothing"}, "hand, jokers"),
        (GOOD | {"flags": {"lucky": True}}, "true 或 false"),
        ({"type": "jokers", "input": {"indicator": "5m", "rule": "9"}}, "11_next2 之一"),
    ],
)
def test_the_refusal_says_in_chinese_too_what_may_stand_there(request_: Any, zh: str) -> None:
    # The way out must not stand in one language only.
    assert any(zh in reason["zh"] for reason in answer(request_)["error"])


def test_true_is_not_one() -> None:
    # JSON true must not pass as the number 1, also after the number has been accepted once.
    assert "error" not in answer(GOOD | {"options": {"min_fan": 1}})
    assert "error" in answer(GOOD | {"options": {"min_fan": True}})


def test_jokers_take_the_rule_from_input_or_options() -> None:
    # "rule" in the input goes before the option `joker_rule`; "7" when neither is given.
    ask = {"id": 1, "type": "jokers", "input": {"indicator": "5m"}}
    assert answer(ask) == {"id": 1, "jokers": ["5m", "6m"], "count": 7, "next": "6m"}
    assert answer(ask | {"options": {"joker_rule": "11"}})["count"] == 11


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["1m", "5m"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(st.fixed_dictionaries({}, optional=dict.fromkeys([*GOOD, "input"], JSON)))
def test_any_json_is_answered(request_: dict[str, Any]) -> None:
    # The command streams whatever it is given and never stops at a bad line.
    assert "error" in answer(request_)
    told = answer(GOOD | request_)
    assert set(told) > {"id"}
    json.dumps(told)


def test_a_hand_is_not_blamed_for_a_rule_its_options_set() -> None:
    # "An error names every reason that holds" (SPEC §12), and none that does not: the joker gang is
    # allowed by its option, though another option is unknown.
    request = {
        "type": "hand",
        "concealed": [f"{rank}s" for rank in range(1, 10)] + ["1z"],
        "melds": [{"kind": "gang_concealed", "tile": "4m"}],
        "jokers": ["4m", "5m"],
        "win_tile": "1z",
        "options": {"joker_gang_points": 8, "no_such": 1},
    }
    codes = [reason["code"] for reason in answer(request)["error"]]
    assert codes == ["unknown_option"]
    request["options"] = {"no_such": 1}
    codes = [reason["code"] for reason in answer(request)["error"]]
    assert codes == ["unknown_option", "joker_gang"]
    request["options"] = 5
    assert len(answer(request)["error"]) == 2
