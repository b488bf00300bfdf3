"""`zhuowu watch` and `zhuowu replay`: what cannot be used is said in words, with exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import zhuowu
from server.commands.replay import command as replay
from server.commands.watch import command as watch
from vision.table import Placement, PlacementStore

CORNERS = ((0.1, 0.9), (0.9, 0.9), (0.7, 0.2), (0.3, 0.2))


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZHUOWU_DATA_FOLDER", str(tmp_path / "data"))


def test_a_live_source_is_no_recording() -> None:
    result = CliRunner().invoke(replay, ["0", "--lang", "en"])
    assert result.exit_code == 2
    assert "zhuowu watch" in result.output


@pytest.mark.parametrize("command", [watch, replay])
def test_a_missing_file_is_named(command: object) -> None:
    result = CliRunner().invoke(command, ["no/such/game", "--lang", "en"])  # type: ignore[arg-type]
    assert result.exit_code == 2
    assert "no/such/game" in result.output or "game" in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("command", [watch, replay])
def test_an_unknown_placement_names_those_there_are(command: object, tmp_path: Path) -> None:
    PlacementStore(tmp_path / "data").save(Placement("living room", "seat", CORNERS))
    result = CliRunner().invoke(
        command,  # type: ignore[arg-type]
        ["0", "--placement", "kitchen", "--lang", "en"],
    )
    assert result.exit_code == 2
    assert "kitchen" in result.output
    assert "living room" in result.output


def test_both_commands_are_listed() -> None:
    result = CliRunner().invoke(zhuowu, ["--help"])
    assert "watch" in result.output
    assert "replay" in result.output
