"""Table requests of the wrong shape: refused with every reason, each naming its field and cure.

SPEC §12: "An error names every reason that holds, and changes nothing."
"""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from rules import answer

GOOD: dict[str, dict[str, Any]] = {
    "opening": {"dealer": 0, "dice1": [1, 1], "dice2": [3, 2], "dice3": [2, 2]},
    "east_seat": {"roller": 1, "dice": [6, 6]},
    "seating": {
        "order_before": ["A", "B", "C", "D"],
        "east": 3,
        "picks": ["2z", "3z", "4z", "1z"],
        "after_guo": True,
    },
    "xianggong": {
        "concealed_count": 13,
        "meld_count": 0,
        "has_drawn": False,
        "discarded_joker": False,
    },
    "chan": {"dealer": 0, "discards": [[0, "8s"], [1, "8s"], [2, "8s"], [3, "8s"]]},
    "settlement": {
        "dealer": 2,
        "zuo": False,
        "la": [0, 0, 0, 0],
        "winner": 3,
        "fan": 16,
        "gangs": [{"player": 1, "kind": "open"}],
        "chan": False,
    },
    "jokers": {"indicator": "5m", "rule": "7"},
}
ODD: list[Any] = [-1, 4.5, "x", [], {}, ["1m"], [[1]], {"a": 1}, "9" * 200, "\ud800", [None], 5000]
FIELDS = [(kind, name) for kind, given in GOOD.items() for name in given]


def asked(kind: str, given: Any) -> dict[str, Any]:
    return answer({"type": kind, "input": given})


def reasons_of(kind: str, given: Any) -> list[dict[str, str]]:
    """The reasons of a refusal, which must be short and printable in both languages."""
    result = asked(kind, given)
    assert "error" in result, result
    for reason in result["error"]:
        assert set(reason) == {"code", "zh", "en"}
        assert all(0 < len(text.encode("utf-8")) < 600 for text in reason.values()), reason
    return result["error"]


@pytest.mark.parametrize("kind", GOOD)
def test_the_well_formed_request_is_answered(kind: str) -> None:
    assert "error" not in asked(kind, GOOD[kind])


# What stands in a field may be of the right shape and still not be possible (an empty list of
# names, 5000 番 too many): these few are possible.
POSSIBLE = {
    ("chan", "discards"): [[]],
    ("settlement", "gangs"): [[]],
    ("settlement", "fan"): [5000],
    ("xianggong", "concealed_count"): [5000],
}


@pytest.mark.parametrize(("kind", "name"), FIELDS)
def test_each_field_refuses_what_it_cannot_be(kind: str, name: str) -> None:
    for odd in ODD:
        if odd in POSSIBLE.get((kind, name), []):
            continue
        given = copy.deepcopy(GOOD[kind]) | {name: odd}
        before = json.dumps(given)
        reasons = reasons_of(kind, given)
        assert json.dumps(given) == before
        assert len(reasons) >= 1


@pytest.mark.parametrize(("kind", "name"), FIELDS)
def test_odd_values_deep_inside_a_field_are_refused_too(kind: str, name: str) -> None:
    value = GOOD[kind][name]
    if not isinstance(value, list):
        return
    for at in range(len(value)):
        for odd in ODD:
            given = copy.deepcopy(GOOD[kind])
            given[name][at] = odd
            if kind == "seating" and name == "order_before" and isinstance(odd, str):
                continue  # Any four different names are names.
            if isinstance(value[at], list):
                given[name][at] = [value[at][0], odd]
            elif isinstance(value[at], dict):
                given[name][at] = value[at] | {"kind": odd}
            assert reasons_of(kind, given)


def test_every_field_at_fault_is_named_with_what_it_takes() -> None:
    reasons = reasons_of("opening", {"dealer": 9, "dice1": [0, 7], "dice2": [1, 1], "x": 1})
    assert [(reason["code"], reason["en"]) for reason in reasons] == [
        ("unknown_field", "opening has no field 'x'; it takes dealer, dice1, dice2, dice3"),
        ("bad_field", "'dealer' cannot be 9; give a seat 0, 1, 2 or 3"),
        ("bad_field", "'dice1' cannot be [0, 7]; give two dice of 1 to 6, such as [3, 4]"),
        ("missing_field", "opening needs 'dice3': two dice of 1 to 6, such as [3, 4]"),
    ]
    assert reasons[1]["zh"] == "“dealer”不能是 9；应是座位 0、1、2 或 3"


@pytest.mark.parametrize("odd", [None, 5, "x", []])
def test_an_input_that_is_no_object_is_refused(odd: object) -> None:
    for kind in GOOD:
        assert reasons_of(kind, odd)
