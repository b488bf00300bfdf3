"""Figures of series left out: who is counted where, and what stands on the card."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from models.leave_out import (
    BEGIN,
    END,
    LeftOut,
    as_markdown,
    compare,
    install,
    leave_out,
    read_table,
    write_table,
)
from models.naming import NamedPhoto
from models.recipe import RECIPE_FILE
from models.training import TrainingError
from server.commands.train import command
from tests.models.tiny_photos import write_tiny_photos
from tests.models.tiny_recipe import tiny_recipe

MODELS = RECIPE_FILE.parent
ROW = LeftOut("le_", 59, 6500, 68, 0.875, 1.0, 0.98, 0.9975)


def named(file: str, *right: bool) -> NamedPhoto:
    return NamedPhoto(file, "source", right)


def test_a_series_is_told_from_all_other_photos() -> None:
    """Without it: 1 of 4 of its own faces, 1 of 1 others; the ordinary one: 4 of 4 and 0 of 1."""
    without = [
        named("le_1.jpg", True, False),
        named("le_2.jpg", False, False),
        named("x.jpg", True),
    ]
    ordinary = [named("le_1.jpg", True, True), named("le_2.jpg", True, True), named("x.jpg", False)]
    row = compare("le_", 59, 6500, without, ordinary)
    assert row == LeftOut("le_", 59, 6500, 4, 0.25, 1.0, 1.0, 0.0)


def test_the_table_is_kept_and_read_again(tmp_path: Path) -> None:
    write_table(tmp_path, [ROW])
    assert read_table(tmp_path / "leave_out.json") == [ROW]
    assert "| `le_` | 59 | 6,500 | 68 | 0.875 | 1.000 | 0.980 | 0.998 |" in (
        tmp_path / "leave_out.md"
    ).read_text("utf-8")
    assert read_table(tmp_path / "none.json") == []


def test_on_the_card_a_series_stands_once_with_its_newest_figures(tmp_path: Path) -> None:
    card = tmp_path / "CARD.md"
    card.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", "utf-8")
    other = replace(ROW, series="rb_")
    install([ROW, other], tmp_path)
    again = replace(ROW, iterations=9000)
    install([again], tmp_path)
    assert read_table(tmp_path / "leave_out.json") == [again, other]
    table = as_markdown([again, other])
    assert card.read_text("utf-8") == f"before\n{BEGIN}\n{table}{END}\nafter\n"
    card.write_text("no place\n", "utf-8")
    with pytest.raises(TrainingError, match="no place for the table"):
        install([ROW], tmp_path)


def test_the_card_shows_the_figures_kept_with_the_models() -> None:
    rows = read_table(MODELS / "leave_out.json")
    assert rows
    assert as_markdown(rows) in (MODELS / "CARD.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("series", "message"),
    [
        ((), "no series of photos is given: use --series"),
        (("set1", "set9"), "no photo in .*train has a name that begins with 'set9'"),
        (("set0_t",), "no photo in .*eval has a name that begins with 'set0_t'"),
    ],
)
def test_a_series_that_is_not_there_is_said_before_any_training(
    tmp_path: Path, series: tuple[str, ...], message: str
) -> None:
    photos = write_tiny_photos(tmp_path / "photos")
    recipe = tiny_recipe(tmp_path)
    recipe = replace(recipe, leave_out=replace(recipe.leave_out, series=series))
    with pytest.raises(TrainingError, match=message):
        leave_out(recipe, photos, (), tmp_path / "out", say=lambda _: None)


def test_what_is_measured_is_not_trained_again(tmp_path: Path) -> None:
    """On the command line, without torch; the budget is part of what was measured."""
    photos = write_tiny_photos(tmp_path / "photos")
    out = tmp_path / "out"
    out.mkdir()
    write_table(out, [replace(ROW, series="set1", iterations=50)])
    asked = ["leave-out", "--photos", str(photos), "--scenes", str(tmp_path), "--out", str(out)]
    result = CliRunner().invoke(command, [*asked, "--series", "set1", "--iterations", "50"])
    assert result.exit_code == 0, result.output
    assert "measured already" in result.output
    assert "| `set1` | 59 | 50 |" in result.output
