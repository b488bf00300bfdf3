"""A 锅 as the ledger keeps it: the rules' value and what they do not know, to rows and back.

Lines are numbered from 1, as people count; inside `rules` entries have indices from 0.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules import RuleOptions
from rules.guo import HAND, Entry, Guo, result_to_json
from rules.guo_chain import is_undone, standing
from rules.settlement import Gang, HandResult
from rules.wall import SEATS


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a hand, kept because the user said so.

    Attributes:
        media_type: "image/jpeg", "image/png" or "image/webp".
        data: the file's bytes.
    """

    media_type: str
    data: bytes

    @property
    def sha256(self) -> str:
        """The fingerprint of the bytes, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the sheet.

    Attributes:
        number: 1, 2, 3 ... within its 锅.
        entry: what the rules know of it.
        entered_at: time in UTC, ISO 8601.
        title: the win's name, such as 双混儿捉伍儿龙; "" for none.
        reading: what the camera read, any JSON value, or None.
        picture_sha256: fingerprint of the picture that was kept, or None.
        has_picture: whether that picture is still there.
        dealer_after: seat that deals next.
        turns_after: dealers' turns completed.
    """

    number: int
    entry: Entry
    entered_at: str
    title: str = ""
    reading: Any = None
    picture_sha256: str | None = None
    has_picture: bool = False
    dealer_after: int = 0
    turns_after: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """One 锅 with all its lines.

    Attributes:
        id: its number in this ledger.
        uid: its name in every ledger, kept by export and import.
        started_at: time in UTC, ISO 8601.
        closed_at: when the table ended it before its time, or None.
        east: seat that dealt first.
        guo: what the rules know of it.
        lines: one for each of `guo.entries`.
    """

    id: int
    uid: str
    started_at: str
    closed_at: str | None
    east: int
    guo: Guo
    lines: tuple[Line, ...]

    @property
    def ended_at(self) -> str | None:
        """When it was closed, or its last line when all sixteen turns are played; None before."""
        if self.closed_at is None and self.guo.is_finished:
            return self.lines[-1].entered_at
        return self.closed_at

    @property
    def dealer_streak(self) -> int:
        """How many hands in a row the next dealer has dealt already (连庄)."""
        dealers = [
            line.entry.result.dealer
            for line in self.lines
            if line.entry.kind == HAND and line.entry.result is not None and self.stands(line)
        ]
        count = 0
        for dealer in reversed(dealers):
            if dealer != self.guo.dealer:
                break
            count += 1
        return count

    def stands(self, line: Line) -> bool:
        """Whether a line is not taken back."""
        index = line.number - 1
        if line.entry.kind == HAND:
            return standing(self.guo.entries, index).stands
        return not is_undone(self.guo.entries, index)

    def running(self) -> list[list[int]]:
        """The totals by seat after each line."""
        totals = [0] * SEATS
        rows = []
        for line in self.lines:
            totals = [a + b for a, b in zip(totals, line.entry.deltas, strict=True)]
            rows.append(totals)
        return rows

    def totals_json(self) -> dict[str, Any]:
        """The score and whose deal it is."""
        guo = self.guo
        return {
            "totals": list(guo.totals),
            "score": guo.score,
            "running": self.running(),
            "dealer": guo.dealer,
            "dealer_name": guo.players[guo.dealer],
            "dealer_streak": self.dealer_streak,
            "turns": guo.turns,
            "circle": guo.circle,
            "finished": guo.is_finished,
        }

    def to_json(self) -> dict[str, Any]:
        """The whole sheet."""
        running = self.running()
        return {
            "id": self.id,
            "uid": self.uid,
            "players": list(self.guo.players),
            "options": self.guo.options.to_mapping(),
            "east": self.east,
            "started_at": self.started_at,
            "closed_at": self.closed_at,
            "ended_at": self.ended_at,
            **{name: value for name, value in self.totals_json().items() if name != "running"},
            "lines": [
                {
                    **line_to_json(line),
                    "stands": self.stands(line),
                    "totals": running[line.number - 1],
                }
                for line in self.lines
            ],
        }


def line_to_json(line: Line) -> dict[str, Any]:
    """One line as JSON, numbers counting from 1."""
    entry = line.entry
    return {
        "number": line.number,
        "kind": entry.kind,
        "entered_at": line.entered_at,
        "deltas": list(entry.deltas),
        "result": None if entry.result is None else result_to_json(entry.result),
        "title": line.title,
        "reading": line.reading,
        "has_picture": line.has_picture,
        "corrects": _number(entry.corrects),
        "undoes": _number(entry.undoes),
        "note": entry.note,
    }


def _number(index: int | None) -> int | None:
    return None if index is None else index + 1


def _index(number: int | None) -> int | None:
    return None if number is None else number - 1


def spell(value: Any) -> str:
    """A JSON value as compact text.

    Raises:
        ValueError: a number that JSON has not.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def entry_columns(line: Line) -> dict[str, Any]:
    """The columns of a line's row, without its 锅."""
    entry, result = line.entry, line.entry.result
    known = {
        "number": line.number,
        "kind": entry.kind,
        "entered_at": line.entered_at,
        **{f"delta{seat}": points for seat, points in enumerate(entry.deltas)},
        "has_result": int(result is not None),
        "title": line.title,
        "reading": None if line.reading is None else spell(line.reading),
        "picture_sha256": line.picture_sha256,
        "corrects": _number(entry.corrects),
        "undoes": _number(entry.undoes),
        "note": entry.note,
        "turn_before": entry.turn_before,
        "dealer_after": line.dealer_after,
        "turns_after": line.turns_after,
    }
    if result is None:
        return known
    fields = result_to_json(result)
    return known | {
        **{name: fields[name] for name in ("dealer", "winner", "fan")},
        "zuo": int(result.zuo),
        "chan": int(result.chan),
        "gangs": spell(fields["gangs"]),
        "la": spell(fields["la"]),
    }


def line_from_row(row: sqlite3.Row) -> Line:
    """The line of a row of `entry` (with the column `has_picture`)."""
    result = None
    if row["has_result"]:
        result = HandResult(
            row["dealer"],
            row["winner"],
            row["fan"],
            tuple(Gang(gang["player"], gang["kind"]) for gang in json.loads(row["gangs"])),
            bool(row["zuo"]),
            tuple(json.loads(row["la"])),
            bool(row["chan"]),
        )
    entry = Entry(
        row["kind"],
        tuple(row[f"delta{seat}"] for seat in range(SEATS)),
        result,
        _index(row["corrects"]),
        row["turn_before"],
        row["note"],
        _index(row["undoes"]),
    )
    return Line(
        row["number"],
        entry,
        row["entered_at"],
        row["title"],
        None if row["reading"] is None else json.loads(row["reading"]),
        row["picture_sha256"],
        bool(row["has_picture"]),
        row["dealer_after"],
        row["turns_after"],
    )


def sheet_from_rows(guo: sqlite3.Row, players: Sequence[str], rows: Sequence[sqlite3.Row]) -> Sheet:
    """The sheet of a row of `guo`, its players by seat, and the rows of its entries in order.

    Raises:
        OptionError: the 锅 was played by options this program does not know.
    """
    lines = tuple(line_from_row(row) for row in rows)
    value = Guo(
        tuple(players),
        RuleOptions.from_mapping(json.loads(guo["options"])),
        lines[-1].dealer_after if lines else guo["east"],
        lines[-1].turns_after if lines else 0,
        tuple(line.entry for line in lines),
    )
    return Sheet(
        guo["id"], guo["uid"], guo["started_at"], guo["closed_at"], guo["east"], value, lines
    )
