"""Every development vector about the table: opening, seating, 相公, 铲, East seat, settlement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.answer import answer
from rules.table_answers import TABLE_TYPES

VECTORS = Path(__file__).parents[2] / ".." / "shared" / "rules" / "vectors"
FILES = ("dev_opening.jsonl", "dev_table.jsonl", "dev_settlement.jsonl")


def _cases() -> list[Any]:
    cases = []
    for name in FILES:
        path = VECTORS / name
        if path.exists():
            cases += [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [pytest.param(case, id=case["id"]) for case in cases]


CASES = _cases()


@pytest.mark.skipif(not CASES, reason="the shared rule vectors are not beside this repository")
def test_every_table_type_has_vectors() -> None:
    """SPEC §12 names these files and the types in them."""
    assert {case.values[0]["type"] for case in CASES} == set(TABLE_TYPES)


@pytest.mark.parametrize("case", CASES)
def test_vector(case: dict[str, Any]) -> None:
    """The answers of an oracle written apart from this project (SPEC §12); each line cites why."""
    answered = answer(case)
    assert answered.pop("id") == case["id"]
    if case["expect"] == {"error": True}:
        assert list(answered) == ["error"]
        assert answered["error"]
        assert all(reason["code"] and reason["zh"] and reason["en"] for reason in answered["error"])
        return
    assert answered == case["expect"], case["why"]


def asked(kind: str, **given: Any) -> list[str]:
    """The codes of the reasons why a request is refused."""
    return [reason["code"] for reason in answer({"type": kind, "input": given})["error"]]


def test_a_malformed_request_names_every_fault() -> None:
    """SPEC §12: an error names every reason that holds and answers nothing by halves."""
    assert asked("opening", dealer=4, dice1=[0, 1], dice2=[1, 2], colour="red") == [
        "unknown_field",
        "bad_field",
        "bad_field",
        "missing_field",
    ]
    assert asked("east_seat", roller=True, dice=[1, 1]) == ["bad_field"]
    assert asked("seating", order_before=["A", "B"], east=0, picks=["1z"]) == [
        "not_four_players",
        "not_four_winds",
    ]
    assert asked("xianggong", concealed_count=13, meld_count=5, has_drawn=False) == ["bad_field"]
    assert asked("chan", dealer=0, discards=[[0, "0m"]]) == ["bad_field"]
    assert asked("settlement", dealer=0, gangs=[{"player": 1}]) == ["bad_field"]
    assert asked("settlement", dealer=0, winner=1, fan=1) == ["below_min_fan"]


def test_no_input_and_unknown_options_are_refused() -> None:
    """SPEC §11: "An unknown option is an error", whatever is asked."""
    assert answer({"type": "chan"})["error"][0]["code"] == "malformed_input"
    given = {"roller": 0, "dice": [1, 1]}
    refused = answer({"type": "east_seat", "input": given, "options": {"min_fam": 2}})
    assert refused["error"][0]["code"] == "unknown_option"
    assert "min_fan" in refused["error"][0]["en"]
