"""The ledger for other programs: CSV for spreadsheets, JSON that can be brought back in."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from rules.guo import CORRECTION
from rules.settlement import HandResult
from server.ledger.records import Line, Picture, Sheet, line_to_json

FORMAT = "zhuowu-ledger"
FORMAT_VERSION = 1
BYTE_ORDER_MARK = "\ufeff"
"""Spreadsheets take a CSV file for UTF-8 only when it begins with this."""

FORMULA_SIGNS = "=+-@＝＋－＠|%"

_HEADS = {
    "zh": (
        *("序号", "时间（UTC）", "种类", "有效", "庄家", "和牌", "番", "名称", "杠", "坐庄"),
        *("拉庄", "铲", "更正第几条", "撤销第几条", "备注"),
    ),
    "en": (
        *("no", "time (UTC)", "kind", "stands", "dealer", "winner", "fan", "title", "kongs"),
        *("sit (坐庄)", "pulls (拉庄)", "chan (铲)", "corrects no", "undoes no", "note"),
    ),
}
_TOTAL = {"zh": "{name} 累计", "en": "{name} total"}
KIND_WORDS = {
    "zh": {"hand": "一盘", "correction": "更正", "undo": "撤销", "adjustment": "另计"},
    "en": {name: name for name in ("hand", "correction", "undo", "adjustment")},
}
_GANGS = {
    "zh": {"open": "明杠", "concealed": "暗杠", "joker": "混儿杠"},
    "en": {"open": "open", "concealed": "concealed", "joker": "joker"},
}
_YES_NO = {"zh": ("否", "是"), "en": ("no", "yes")}


def safe_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula: an apostrophe goes before its sign."""
    bare = text.lstrip()
    return "'" + text if bare and bare[0] in FORMULA_SIGNS else text


def kind_of(line: Line) -> str:
    """The kind of a line for people: "hand", "correction", "undo", or "adjustment" of points."""
    entry = line.entry
    return "adjustment" if entry.kind == CORRECTION and entry.corrects is None else entry.kind


def sheet_to_csv(sheet: Sheet, lang: str = "zh") -> str:
    """A 锅 as CSV with a byte order mark: a row for each line, points and totals by player.

    Args:
        sheet: the 锅.
        lang: language of the headings, "zh" or "en".
    """
    out = io.StringIO(newline="")
    out.write(BYTE_ORDER_MARK)
    writer = csv.writer(out, lineterminator="\r\n")
    players = sheet.guo.players
    totals = [_TOTAL[lang].format(name=name) for name in players]
    writer.writerow(safe_cell(text) for text in (*_HEADS[lang], *players, *totals))
    for row, running in zip(_rows(sheet, lang), sheet.running(), strict=True):
        cells = [safe_cell(cell) if isinstance(cell, str) else cell for cell in row]
        writer.writerow([*cells, *running])
    return out.getvalue()


def _rows(sheet: Sheet, lang: str) -> list[list[str | int | None]]:
    rows = []
    for line in sheet.lines:
        entry = line.entry
        rows.append(
            [
                line.number,
                line.entered_at,
                KIND_WORDS[lang][kind_of(line)],
                _YES_NO[lang][sheet.stands(line)],
                *_result_cells(entry.result, sheet.guo.players, line.title, lang),
                None if entry.corrects is None else entry.corrects + 1,
                None if entry.undoes is None else entry.undoes + 1,
                entry.note,
                *entry.deltas,
            ]
        )
    return rows


def _result_cells(
    result: HandResult | None, players: Sequence[str], title: str, lang: str
) -> list[str | int | None]:
    """Dealer, winner, fan, title, kongs, 坐庄, 拉庄, 铲."""
    if result is None:
        return [None, None, None, title, None, None, None, None]
    gangs = [f"{players[gang.player]} {_GANGS[lang][gang.kind]}" for gang in result.gangs]
    pulls = [f"{players[seat]} {times}" for seat, times in enumerate(result.la) if times]
    return [
        players[result.dealer],
        None if result.winner is None else players[result.winner],
        result.fan if result.winner is not None else None,
        title,
        "; ".join(gangs),
        _YES_NO[lang][result.zuo],
        "; ".join(pulls),
        _YES_NO[lang][result.chan],
    ]


def ledger_to_json(
    sheets: Sequence[Sheet], pictures: Mapping[tuple[int, int], Picture] | None = None
) -> dict[str, Any]:
    """Whole 锅 as JSON that `server.ledger.restore` brings back.

    Args:
        sheets: the 锅.
        pictures: kept pictures by (id of the 锅, number of the line); left out when None.
    """
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "guos": [_sheet_to_json(sheet, pictures or {}) for sheet in sheets],
    }


def _sheet_to_json(sheet: Sheet, pictures: Mapping[tuple[int, int], Picture]) -> dict[str, Any]:
    lines = []
    for line in sheet.lines:
        data = line_to_json(line)
        del data["has_picture"]
        picture = pictures.get((sheet.id, line.number))
        if picture is not None:
            data["picture"] = base64.b64encode(picture.data).decode("ascii")
        lines.append(data)
    return {
        "uid": sheet.uid,
        "players": list(sheet.guo.players),
        "options": sheet.guo.options.to_mapping(),
        "east": sheet.east,
        "started_at": sheet.started_at,
        "closed_at": sheet.closed_at,
        "totals": list(sheet.guo.totals),
        "lines": lines,
    }
