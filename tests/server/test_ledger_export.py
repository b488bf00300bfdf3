"""The ledger for other programs: CSV that is safe in a spreadsheet, JSON that comes back alike."""

from __future__ import annotations

import copy
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from server.ledger import Extras, Ledger, LedgerError, Picture
from server.ledger.export import ledger_to_json, safe_cell, sheet_to_csv
from server.ledger.restore import restore

PLAYERS = ["甲", "=HYPERLINK(1)", "+丙", "丁,\"'"]
_OUT = io.BytesIO()
Image.new("RGB", (4, 3), (12, 96, 71)).save(_OUT, "PNG")
PNG = Picture("image/png", _OUT.getvalue())


@pytest.fixture
def played(tmp_path: Path) -> Ledger:
    """A 锅 with a hand, its correction, a drawn hand undone and redone, and an adjustment."""
    ledger = Ledger(tmp_path / "played.sqlite")
    guo = ledger.begin(PLAYERS, {"max_la": 2}, 1).sheet.id
    won = {"winner": 1, "fan": 6, "zuo": True, "la": [0, 0, 2, 0]}
    ledger.enter_hand(guo, won, Extras("捉伍儿", {"tiles": ["5m"]}, PNG), "=1+1")
    ledger.correct(guo, 1, {**won, "fan": 8}, Extras("龙"), "龙的")
    ledger.enter_hand(guo, {"gangs": [{"player": 3, "kind": "open"}]})
    ledger.undo(guo, 3)
    ledger.undo(guo, 4)
    ledger.adjust(guo, [1, 1, 1, -3], "诈和")
    return ledger


def rows(ledger: Ledger, lang: str) -> list[list[str]]:
    text = sheet_to_csv(ledger.sheet(1), lang)
    assert text.startswith("\ufeff")
    assert text.endswith("\r\n")
    return list(csv.reader(io.StringIO(text[1:], newline="")))


def test_csv_has_every_line_with_points_and_totals(played: Ledger) -> None:
    """坐庄 doubles, two 拉庄 quadruple again (SPEC §10.3): 6 fan pays 12, 48, 12."""
    table = rows(played, "zh")
    assert [len(row) for row in table] == [23] * 7
    assert table[0][15:19] == ["甲", "'=HYPERLINK(1)", "'+丙", "丁,\"'"]
    first = table[1]
    assert (first[0], first[2:10]) == (
        "1",
        ["一盘", "是", "'=HYPERLINK(1)", "'=HYPERLINK(1)", "6", "捉伍儿", "", "是"],
    )
    assert first[10] == "'+丙 2"
    assert first[14] == "'=1+1"
    assert first[15:19] == ["-12", "72", "-48", "-12"]
    assert [row[2] for row in table[1:]] == ["一盘", "更正", "一盘", "撤销", "撤销", "另计"]
    assert [row[3] for row in table[1:]] == ["是", "是", "是", "否", "是", "是"]
    totals = played.sheet(1).guo.totals
    assert table[-1][19:] == [str(points) for points in totals]


def test_csv_speaks_english_too(played: Ledger) -> None:
    table = rows(played, "en")
    assert table[0][:3] == ["no", "time (UTC)", "kind"]
    assert table[3][8] == "丁,\"' open"


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", " =1", "\u3000=1", "＝1", "|x"])
def test_no_text_cell_begins_a_formula(text: str) -> None:
    assert safe_cell(text) == "'" + text


@pytest.mark.parametrize("text", ["", "甲", "5m", "a=b", "1-2"])
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert safe_cell(text) == text


def exported(ledger: Ledger, pictures: bool = True) -> dict[str, Any]:
    sheets = ledger.sheets()
    kept = ledger.pictures(sheets) if pictures else None
    data: dict[str, Any] = json.loads(json.dumps(ledger_to_json(sheets, kept)))
    return data


def test_what_is_exported_comes_back_alike(played: Ledger, tmp_path: Path) -> None:
    data = exported(played)
    fresh = Ledger(tmp_path / "fresh.sqlite")
    assert restore(fresh, data).to_json() == {"added": [1], "present": [], "differing": []}
    assert exported(fresh) == data
    assert fresh.sheet(1).to_json() == played.sheet(1).to_json()
    assert fresh.picture(1, 1) == PNG
    fresh.enter_hand(1, {"winner": 1, "fan": 2})
    assert fresh.sheet(1).guo.totals != played.sheet(1).guo.totals


def test_a_second_import_adds_nothing_and_changes_nothing(played: Ledger) -> None:
    data = exported(played)
    assert restore(played, data).to_json() == {"added": [], "present": [1], "differing": []}
    played.enter_hand(1, {"winner": 1, "fan": 2})
    assert restore(played, data).to_json() == {"added": [], "present": [], "differing": [1]}
    assert len(played.sheet(1).lines) == 7


def test_without_pictures_the_points_come_back_all_the_same(played: Ledger, tmp_path: Path) -> None:
    fresh = Ledger(tmp_path / "fresh.sqlite")
    restore(fresh, exported(played, pictures=False))
    assert fresh.sheet(1).guo == played.sheet(1).guo
    assert not fresh.sheet(1).lines[0].has_picture


def change(data: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    changed = copy.deepcopy(data)
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    if to is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return changed


LINE = ("guos", 0, "lines")


@pytest.mark.parametrize(
    ("path", "to", "code"),
    [
        (("format",), "other", "not_an_export"),
        (("version",), 2, "export_newer"),
        (("guos",), {}, "not_an_export"),
        (("guos", 0), 7, "bad_guo"),
        (("guos", 0, "uid"), "x", "bad_uid"),
        (("guos", 0, "uid"), KeyError, "missing_field"),
        (("guos", 0, "options"), {"max_laa": 1}, "unknown_option"),
        (("guos", 0, "options"), {}, "too_many_la"),
        (("guos", 0, "east"), 0, "not_the_dealer"),
        (("guos", 0, "players", 0), "", "bad_text"),
        (("guos", 0, "started_at"), "=1+1", "bad_time"),
        (("guos", 0, "closed_at"), 5, "bad_time"),
        ((*LINE, 0, "deltas"), [-12, 72, -48, -11], "points_differ"),
        ((*LINE, 0, "result", "fan"), 7, "points_differ"),
        ((*LINE, 0, "result", "fan"), 1, "below_min_fan"),
        ((*LINE, 0, "result"), None, "bad_result"),
        ((*LINE, 0, "picture"), "AAAA", "bad_picture"),
        ((*LINE, 0, "picture"), "not base64!", "bad_picture"),
        ((*LINE, 1, "corrects"), 3, "no_such_hand"),
        ((*LINE, 1, "corrects"), "1", "bad_number"),
        ((*LINE, 3, "undoes"), 2, "points_differ"),
        ((*LINE, 4, "undoes"), 3, "already_undone"),
        ((*LINE, 2, "number"), 9, "bad_line"),
        ((*LINE, 5, "deltas"), [1, 1, 1, 1], "unbalanced"),
        ((*LINE, 5, "kind"), "gift", "bad_kind"),
        ((*LINE, 5), None, "bad_line"),
        ((*LINE, 5, "note"), KeyError, "missing_field"),
    ],
)
def test_a_file_that_was_tampered_with_is_refused_whole(
    played: Ledger, tmp_path: Path, path: tuple[Any, ...], to: Any, code: str
) -> None:
    fresh = Ledger(tmp_path / "fresh.sqlite")
    with pytest.raises(LedgerError) as caught:
        restore(fresh, change(exported(played), *path, to=to))
    assert caught.value.code == code
    assert fresh.summaries() == ([], 0)


def test_one_bad_guo_keeps_the_good_ones_of_its_file_out(played: Ledger, tmp_path: Path) -> None:
    data = exported(played)
    bad = change(data, "guos", 0, "uid", to="f" * 32)["guos"][0]
    bad["lines"][0]["deltas"] = [0, 0, 0, 0]
    fresh = Ledger(tmp_path / "fresh.sqlite")
    with pytest.raises(LedgerError, match=r"锅 2: .*line 1"):
        restore(fresh, {**data, "guos": [*data["guos"], bad]})
    with pytest.raises(LedgerError, match="twice"):
        restore(fresh, {**data, "guos": data["guos"] * 2})
    assert fresh.summaries() == ([], 0)
