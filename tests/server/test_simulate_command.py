"""`zhuowu simulate`: text, JSON, the file of hands, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from rules.round import Round
from server.cli import zhuowu


def run(*args: str) -> tuple[int, str]:
    done = CliRunner().invoke(zhuowu, ["simulate", *args])
    return done.exit_code, done.output


def test_json_is_the_same_for_the_same_seed() -> None:
    """All but the time it took."""
    reports = []
    for _ in range(2):
        code, text = run("--games", "5", "--seed", "7", "--eager", "--json")
        assert code == 0
        report = json.loads(text)
        assert report.pop("seconds") >= 0
        reports.append(report)
    assert reports[0] == reports[1]
    assert reports[0]["games"] == 5
    assert reports[0]["options"]["min_fan"] == 2
    assert sum(reports[0]["totals"].values()) == 0


def test_text_says_what_was_checked() -> None:
    """For people."""
    code, text = run("--games", "2", "--mix", "--faults", "0.1")
    assert code == 0
    assert text.startswith("2 hands,")
    assert "every law held after every event" in text


def test_hands_are_written_one_a_line(tmp_path: Path) -> None:
    """Each line rebuilds a finished round."""
    out = tmp_path / "hands.jsonl"
    code, _ = run("--games", "3", "--seed", "1", "--option", "joker_rule=11", "--write", str(out))
    assert code == 0
    tables = [Round.from_json(json.loads(line)) for line in out.read_text("utf-8").splitlines()]
    assert len(tables) == 3
    assert all(table.is_over and table.options.joker_rule == "11" for table in tables)


def test_refusals_say_the_way_out(tmp_path: Path) -> None:
    """Exit 2 and a message; never a traceback."""
    code, text = run("--option", "min_fam=3")
    assert code == 2
    assert "min_fan" in text
    code, text = run("--mix", "--option", "min_fan=3")
    assert code == 2
    assert "--mix" in text
    code, text = run("--games", "1", "--write", str(tmp_path / "nowhere" / "x.jsonl"))
    assert code == 2
    assert "cannot write" in text
    assert run("--games", "0")[0] == 2
