"""`zhuowu ledger`: the score sheets in the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.commands.ledger import command
from server.ledger import Ledger

PLAYERS = ["甲", "乙", "丙", "丁"]


def run(*arguments: str, expect: int = 0) -> Result:
    result = CliRunner().invoke(command, [*arguments, "--lang", "en"])
    assert result.exit_code == expect, result.output
    assert "Traceback" not in result.output
    return result


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.sqlite"
    ledger = Ledger(path)
    ledger.begin(PLAYERS)
    ledger.enter_hand(1, {"winner": 2, "fan": 6})
    ledger.undo(1, 1, "wrong tiles")
    ledger.enter_hand(1, {"winner": 0, "fan": 4})
    ledger.close()
    return path


def test_list_and_show_for_people_and_programs(path: Path) -> None:
    assert "甲 +12  乙 -4" in run("list", "--file", str(path)).output
    listed = json.loads(run("list", "--file", str(path), "--json").output)
    assert (listed["count"], listed["guos"][0]["totals"]) == (1, [12, -4, -4, -4])
    text = run("show", "1", "--file", str(path)).output
    assert "(undone)" in text
    assert "wrong tiles" in text
    assert "甲 deals next (1 in a row so far), circle 1 of 4" in text
    shown = json.loads(run("show", "1", "--file", str(path), "--json").output)
    assert [line["kind"] for line in shown["lines"]] == ["hand", "undo", "hand"]


def test_looking_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "none.sqlite"
    assert "Nothing in" in run("list", "--file", str(path)).output
    assert "no ledger" in run("show", "1", "--file", str(path), expect=2).output
    assert json.loads(run("export", "--file", str(path)).output)["guos"] == []
    assert not path.exists()


def test_the_data_folder_of_the_configuration_is_used(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZHUOWU_DATA_FOLDER", str(path.parent))
    assert "乙 -4" in run("list").output
    monkeypatch.setenv("ZHUOWU_DATA_FOLDERS", "x")
    assert "unknown setting" in run("list", expect=2).output


def test_export_and_import(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    run("export", "--file", str(path), "-o", str(out))
    assert "exists" in run("export", "--file", str(path), "-o", str(out), expect=2).output
    fresh = str(tmp_path / "fresh.sqlite")
    assert "1 added, 0 were here" in run("import", str(out), "--file", fresh).output
    again = json.loads(run("import", str(out), "--file", fresh, "--json").output)
    assert again == {"added": [], "present": [1], "differing": []}
    with Path(out).open(encoding="utf-8") as file:
        assert json.load(file)["guos"][0]["totals"] == [12, -4, -4, -4]
    table = run("export", "1", "--csv", "--file", str(path)).stdout_bytes
    assert table.startswith(b"\xef\xbb\xbfno,")
    assert table.count(b"\r\n") == 4


def test_mistakes_get_a_message(path: Path, tmp_path: Path) -> None:
    file = ("--file", str(path))
    assert "no 锅 7" in run("show", "7", *file, expect=2).output
    assert "give its ID" in run("export", "--csv", *file, expect=2).output
    bad = tmp_path / "bad.json"
    assert "no JSON" in run("import", str(bad), *file, expect=2).output
    bad.write_text("[1]")
    assert "not a ledger exported" in run("import", str(bad), *file, expect=2).output
    bad.write_bytes(b"\xff\xfe\x00")
    assert "no JSON" in run("import", str(bad), *file, expect=2).output
    path.write_bytes(b"not a ledger, certainly " * 200)
    assert "damaged" in run("list", *file, expect=2).output
