"""Every development vector about the table: opening, seating, 相公, 铲, East seat, settlement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.options import RuleOptions
from rules.reasons import RulesError
from rules.table_answers import TABLE_TYPES, answer_table

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
    options = RuleOptions.from_mapping(case.get("options", {}))
    if case["expect"] == {"error": True}:
        with pytest.raises(RulesError) as refused:
            answer_table(case["type"], case["input"], options)
        assert refused.value.reasons
        return
    assert answer_table(case["type"], case["input"], options) == case["expect"], case["why"]
