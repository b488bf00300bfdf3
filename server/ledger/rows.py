"""The ledger's statements: each reads or writes rows on a connection that is in a transaction."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from rules.guo import TURNS_IN_A_GUO, Guo
from rules.reasons import Reason, RulesError
from rules.wall import SEATS
from server.ledger.errors import UnknownError, UnusableError
from server.ledger.records import Line, Picture, Sheet, entry_columns, sheet_from_rows, spell

LARGEST_ID = 2**63 - 1


def add_guo(db: sqlite3.Connection, uid: str, guo: Guo, east: int, started_at: str) -> int:
    """Write a new 锅 without its entries; its id."""
    added = db.execute(
        "INSERT INTO guo (uid, options, east, started_at) VALUES (?, ?, ?, ?)",
        (uid, spell(guo.options.to_mapping()), east, started_at),
    )
    guo_id = added.lastrowid
    assert guo_id is not None
    db.executemany(
        "INSERT INTO player (guo, seat, name) VALUES (?, ?, ?)",
        [(guo_id, seat, name) for seat, name in enumerate(guo.players)],
    )
    return guo_id


def add_line(db: sqlite3.Connection, guo_id: int, line: Line, picture: Picture | None) -> None:
    """Write a line with its picture."""
    columns = {"guo": guo_id, **entry_columns(line)}
    names = ", ".join(columns)
    marks = ", ".join(f":{name}" for name in columns)
    added = db.execute(f"INSERT INTO entry ({names}) VALUES ({marks})", columns)
    if picture is not None:
        db.execute(
            "INSERT INTO picture (entry, media_type, bytes) VALUES (?, ?, ?)",
            (added.lastrowid, picture.media_type, picture.data),
        )


def read_sheet(db: sqlite3.Connection, guo_id: int) -> Sheet:
    """A 锅 with all its lines.

    Raises:
        UnknownError: no such 锅.
        UnusableError: it was played by options this program does not know.
    """
    known = type(guo_id) is int and 0 < guo_id <= LARGEST_ID
    guo = db.execute("SELECT * FROM guo WHERE id = ?", (guo_id,)).fetchone() if known else None
    if guo is None:
        raise UnknownError(
            Reason(
                "no_such_guo",
                f"账本里没有第 {guo_id} 锅",
                f"the ledger has no 锅 {guo_id}; list them to see which there are",
            )
        )
    entries = db.execute(
        "SELECT entry.*, picture.entry IS NOT NULL AS has_picture FROM entry "
        "LEFT JOIN picture ON picture.entry = entry.id WHERE guo = ? ORDER BY number",
        (guo_id,),
    ).fetchall()
    try:
        return sheet_from_rows(guo, _players(db, guo_id), entries)
    except RulesError as error:
        raise UnusableError(
            Reason(
                "unknown_options",
                f"第 {guo_id} 锅用的规则本程序不认识：{error.reasons[0].zh}。请升级捉伍。",
                f"锅 {guo_id} was played by rules this program does not know: "
                f"{error.reasons[0].en}. Update Zhuowu.",
            )
        ) from None


def _players(db: sqlite3.Connection, guo_id: int) -> list[str]:
    found = db.execute("SELECT name FROM player WHERE guo = ? ORDER BY seat", (guo_id,))
    return [row["name"] for row in found]


def guo_ids(db: sqlite3.Connection) -> list[int]:
    """The ids of all 锅, the first one first."""
    return [row["id"] for row in db.execute("SELECT id FROM guo ORDER BY id")]


def count_guos(db: sqlite3.Connection) -> int:
    """How many 锅 there are."""
    return int(db.execute("SELECT count(*) FROM guo").fetchone()[0])


def id_of_uid(db: sqlite3.Connection, uid: str) -> int | None:
    """The id of the 锅 with that uid, or None."""
    row = db.execute("SELECT id FROM guo WHERE uid = ?", (uid,)).fetchone()
    return None if row is None else int(row["id"])


def read_summaries(db: sqlite3.Connection, limit: int, offset: int) -> list[dict[str, Any]]:
    """Id, players, times, hands entered and totals of each 锅, the latest first."""
    sums = ", ".join(f"coalesce(sum(entry.delta{seat}), 0)" for seat in range(SEATS))
    found = db.execute(
        "SELECT guo.id, guo.uid, guo.started_at, guo.closed_at, "
        f"json_array({sums}) AS totals, count(entry.id) AS lines, "
        "coalesce(sum(entry.kind = 'hand'), 0) AS hands, "
        "max(entry.entered_at) AS last_at, "
        "(SELECT turns_after FROM entry AS last WHERE last.guo = guo.id "
        " ORDER BY number DESC LIMIT 1) AS turns "
        "FROM guo LEFT JOIN entry ON entry.guo = guo.id "
        "GROUP BY guo.id ORDER BY guo.id DESC LIMIT ? OFFSET ?",
        (limit, offset),
    ).fetchall()
    return [_summary(row, _players(db, row["id"])) for row in found]


def _summary(row: sqlite3.Row, players: list[str]) -> dict[str, Any]:
    totals = json.loads(row["totals"])
    turns = row["turns"] or 0
    finished = turns >= TURNS_IN_A_GUO
    return {
        "id": row["id"],
        "uid": row["uid"],
        "players": players,
        "started_at": row["started_at"],
        "ended_at": row["closed_at"] or (row["last_at"] if finished else None),
        "lines": row["lines"],
        "hands": row["hands"],
        "turns": turns,
        "finished": finished,
        "totals": totals,
        "score": dict(zip(players, totals, strict=True)),
    }


def read_picture(db: sqlite3.Connection, guo_id: int, number: int) -> Picture:
    """The picture of a line.

    Raises:
        UnknownError: there is none.
    """
    known = 0 < guo_id <= LARGEST_ID and 0 < number <= LARGEST_ID
    row = None
    if known:
        row = db.execute(
            "SELECT media_type, bytes FROM picture JOIN entry ON entry.id = picture.entry "
            "WHERE guo = ? AND number = ?",
            (guo_id, number),
        ).fetchone()
    if row is None:
        raise UnknownError(
            Reason("no_picture", "这一条没有存图片", "no picture is kept with this line")
        )
    return Picture(row["media_type"], row["bytes"])


def read_pictures(db: sqlite3.Connection, guo_id: int) -> list[tuple[int, Picture]]:
    """All pictures of a 锅, with the numbers of their lines."""
    found = db.execute(
        "SELECT number, media_type, bytes FROM picture JOIN entry ON entry.id = picture.entry "
        "WHERE guo = ? ORDER BY number",
        (guo_id,),
    )
    return [(row["number"], Picture(row["media_type"], row["bytes"])) for row in found]


def delete_picture(db: sqlite3.Connection, guo_id: int, number: int) -> None:
    """Delete the picture of a line."""
    db.execute(
        "DELETE FROM picture WHERE entry IN (SELECT id FROM entry WHERE guo = ? AND number = ?)",
        (guo_id, number),
    )


def read_request(db: sqlite3.Connection, key: str) -> sqlite3.Row | None:
    """What a request key was used for, or None."""
    found = db.execute("SELECT digest, guo, number FROM request WHERE key = ?", (key,))
    row: sqlite3.Row | None = found.fetchone()
    return row


def add_request(db: sqlite3.Connection, key: str, digest: str, guo_id: int, number: int) -> None:
    """Write down what a request key was used for."""
    db.execute("INSERT INTO request VALUES (?, ?, ?, ?)", (key, digest, guo_id, number))
