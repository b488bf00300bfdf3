"""An exported ledger brought back: every line is played again by the rules and must come out alike.

All 锅 of a file are checked before any is written, and they are written together or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from rules import RuleOptions
from rules.guo import Entry, Guo
from rules.reasons import Reason, RulesError
from server.ledger.errors import MalformedError, RefusedError, malformed
from server.ledger.export import FORMAT, FORMAT_VERSION
from server.ledger.inputs import (
    LONGEST_NOTE,
    LONGEST_TITLE,
    MOST_LINES,
    check_numbers,
    clean_players,
    clean_reading,
    clean_text,
    picture_from_base64,
    read_result,
)
from server.ledger.records import Line, Picture, Sheet
from server.ledger.steps import with_note
from server.ledger.store import Ledger

MOST_GUOS = 2000
_UID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Restored:
    """What bringing a file back came to.

    Attributes:
        added: ids of the 锅 added.
        present: ids of those that were here already, with the same lines.
        differing: ids of those that are here with other lines; they were left as they are.
    """

    added: tuple[int, ...]
    present: tuple[int, ...]
    differing: tuple[int, ...]

    def to_json(self) -> dict[str, list[int]]:
        """`{"added", "present", "differing"}`, ids each."""
        return {name: list(getattr(self, name)) for name in ("added", "present", "differing")}


def restore(ledger: Ledger, data: object) -> Restored:
    """Add the 锅 of an exported file that are not in the ledger yet.

    Raises:
        MalformedError: not an exported ledger, or from a newer program.
        RefusedError: a line that does not follow from those before it.
    """
    new, present, differing = [], [], []
    for number, guo in enumerate(_guos(data), 1):
        sheet, pictures = _located(f"锅 {number}", partial(_read_sheet, guo))
        here = ledger.sheet_of_uid(sheet.uid)
        if here is None:
            new.append((sheet, pictures))
        elif here.guo == sheet.guo:
            present.append(here.id)
        else:
            differing.append(here.id)
    if len({sheet.uid for sheet, _ in new}) != len(new):
        raise malformed(
            "uid_twice", "文件里同一锅出现两次", "the file holds the same 锅 (uid) twice"
        )
    added = ledger.add_sheets(new) if new else []
    return Restored(tuple(added), tuple(present), tuple(differing))


def _guos(data: object) -> list[Any]:
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise malformed(
            "not_an_export",
            "这不是捉伍导出的账本 JSON",
            f"this is not a ledger exported by Zhuowu (format {FORMAT!r})",
        )
    if type(data.get("version")) is not int or not 1 <= data["version"] <= FORMAT_VERSION:
        raise malformed(
            "export_newer",
            "这个文件由更新版本的捉伍导出；请升级捉伍",
            f"the file's version is {data.get('version')!r}, this program reads 1 to "
            f"{FORMAT_VERSION}; update Zhuowu",
        )
    guos = data.get("guos")
    if not isinstance(guos, list) or len(guos) > MOST_GUOS:
        raise malformed(
            "not_an_export",
            f"guos 应是不超过 {MOST_GUOS} 锅的列表",
            f"'guos' must be a list of at most {MOST_GUOS}",
        )
    return guos


def _located(where: str, read: Callable[[], Any]) -> Any:
    """What `read` gives; its errors say where in the file they are."""
    try:
        return read()
    except (MalformedError, RefusedError) as error:
        raise type(error)(*(_at(where, reason) for reason in error.reasons)) from None
    except RulesError as error:
        raise RefusedError(*(_at(where, reason) for reason in error.reasons)) from None
    except KeyError as error:
        missing = Reason("missing_field", f"缺少 {error}", f"{error} is missing")
        raise MalformedError(_at(where, missing)) from None


def _at(where: str, reason: Reason) -> Reason:
    return replace(reason, zh=f"{where}：{reason.zh}", en=f"{where}: {reason.en}")


def _read_sheet(data: object) -> tuple[Sheet, dict[int, Picture]]:
    if not isinstance(data, Mapping):
        raise malformed("bad_guo", "应是一个对象", "must be an object")
    uid = data["uid"]
    if not isinstance(uid, str) or not _UID.fullmatch(uid):
        raise malformed("bad_uid", "uid 不对", "'uid' must be 32 hexadecimal digits")
    options = data["options"]
    if not isinstance(options, Mapping):
        raise malformed("bad_options", "options 应是一个对象", "'options' must be an object")
    check_numbers(options)
    lines_data = data["lines"]
    if not isinstance(lines_data, list) or len(lines_data) > MOST_LINES:
        raise malformed(
            "bad_lines",
            f"lines 应是不超过 {MOST_LINES} 条的列表",
            f"'lines' must be a list of at most {MOST_LINES}",
        )
    east = data["east"]
    guo = Guo.begin(clean_players(data["players"]), RuleOptions.from_mapping(options), east)
    lines: list[Line] = []
    pictures: dict[int, Picture] = {}
    for number, line_data in enumerate(lines_data, 1):
        where = f"第 {number} 条 (line {number})"
        guo, line, picture = _located(where, partial(_read_line, guo, number, line_data))
        lines.append(line)
        if picture is not None:
            pictures[number] = picture
    closed = data["closed_at"]
    closed_at = None if closed is None else _time(closed)
    started_at = _time(data["started_at"])
    return Sheet(0, uid, started_at, closed_at, east, guo, tuple(lines)), pictures


def _read_line(guo: Guo, number: int, data: object) -> tuple[Guo, Line, Picture | None]:
    if not isinstance(data, Mapping):
        raise malformed("bad_line", "应是一个对象", "must be an object")
    if data["number"] != number:
        raise malformed("bad_line", "序号不连续", "the numbers of the lines do not follow")
    note = clean_text(data["note"], "note", LONGEST_NOTE)
    after = _play_again(guo, data, note)
    entry = after.entries[-1]
    _check_points(entry, data["deltas"])
    picture = picture_from_base64(data["picture"]) if "picture" in data else None
    line = Line(
        number,
        entry,
        _time(data["entered_at"]),
        clean_text(data["title"], "title", LONGEST_TITLE),
        clean_reading(data["reading"]),
        None if picture is None else picture.sha256,
        picture is not None,
        after.dealer,
        after.turns,
    )
    return after, line, picture


def _play_again(guo: Guo, data: Mapping[str, Any], note: str) -> Guo:
    kind, corrects, undoes = data["kind"], _index(data["corrects"]), _index(data["undoes"])
    if kind == "hand":
        return with_note(guo.record(read_result(guo, data["result"])[0]), note)
    if kind == "undo" and undoes is not None:
        return guo.undo(undoes, note)
    if kind == "correction" and corrects is not None:
        return guo.correct(corrects, read_result(guo, data["result"])[0], note)
    if kind == "correction" and isinstance(data["deltas"], list):
        check_numbers(data["deltas"])
        return guo.adjust(data["deltas"], note)
    raise malformed("bad_kind", "种类不对", "'kind' must be hand, correction or undo")


def _index(number: object) -> int | None:
    if number is None:
        return None
    if type(number) is not int:
        raise malformed("bad_number", "序号应是整数", "numbers of lines must be whole numbers")
    return number - 1


def _check_points(entry: Entry, deltas: object) -> None:
    if deltas != list(entry.deltas):
        raise RefusedError(
            Reason(
                "points_differ",
                f"分数 {deltas} 和规则算出的 {list(entry.deltas)} 不一样",
                f"its points {deltas} are not what the rules give, {list(entry.deltas)}",
            )
        )


def _time(value: object) -> str:
    text = value if isinstance(value, str) and len(value) <= LONGEST_TITLE else ""
    try:
        datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        raise malformed(
            "bad_time",
            "时间应写作 2025-01-31T20:00:00Z",
            "times must be written like 2025-01-31T20:00:00Z",
        ) from None
    return text
