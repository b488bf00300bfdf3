"""The ledger's tables, version by version.

`PRAGMA user_version` counts the migrations a file has seen. Each runs in one transaction that also
raises the count, so that a file is never between two versions. A released migration is never
changed: what comes later is a further one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from rules.reasons import Reason
from server.ledger.errors import UnusableError

APPLICATION_ID = 0x5A685775
"""Marks a SQLite file as a Zhuowu ledger ("ZhWu")."""

Migration = tuple[str, ...]

_TABLES: Migration = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    """CREATE TABLE guo (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        options TEXT NOT NULL,
        east INTEGER NOT NULL CHECK (east BETWEEN 0 AND 3),
        started_at TEXT NOT NULL,
        closed_at TEXT
    ) STRICT""",
    """CREATE TABLE player (
        guo INTEGER NOT NULL REFERENCES guo (id),
        seat INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 3),
        name TEXT NOT NULL,
        PRIMARY KEY (guo, seat),
        UNIQUE (guo, name)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE entry (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        guo INTEGER NOT NULL REFERENCES guo (id),
        number INTEGER NOT NULL CHECK (number >= 1),
        kind TEXT NOT NULL CHECK (kind IN ('hand', 'correction', 'undo')),
        entered_at TEXT NOT NULL,
        delta0 INTEGER NOT NULL,
        delta1 INTEGER NOT NULL,
        delta2 INTEGER NOT NULL,
        delta3 INTEGER NOT NULL,
        has_result INTEGER NOT NULL CHECK (has_result IN (0, 1)),
        dealer INTEGER CHECK (dealer BETWEEN 0 AND 3),
        winner INTEGER CHECK (winner BETWEEN 0 AND 3),
        fan INTEGER,
        gangs TEXT,
        zuo INTEGER CHECK (zuo IN (0, 1)),
        la TEXT,
        chan INTEGER CHECK (chan IN (0, 1)),
        title TEXT NOT NULL,
        reading TEXT,
        picture_sha256 TEXT,
        corrects INTEGER CHECK (corrects < number),
        undoes INTEGER CHECK (undoes < number),
        note TEXT NOT NULL,
        turn_before INTEGER NOT NULL,
        dealer_after INTEGER NOT NULL CHECK (dealer_after BETWEEN 0 AND 3),
        turns_after INTEGER NOT NULL,
        UNIQUE (guo, number),
        CHECK (delta0 + delta1 + delta2 + delta3 = 0)
    ) STRICT""",
    """CREATE TABLE picture (
        entry INTEGER PRIMARY KEY REFERENCES entry (id),
        media_type TEXT NOT NULL,
        bytes BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE request (
        key TEXT PRIMARY KEY,
        digest TEXT NOT NULL,
        guo INTEGER NOT NULL REFERENCES guo (id),
        number INTEGER
    ) STRICT, WITHOUT ROWID""",
    """CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
        BEGIN SELECT RAISE(ABORT, 'entries of the ledger are never changed'); END""",
    """CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry
        BEGIN SELECT RAISE(ABORT, 'entries of the ledger are never deleted'); END""",
)

MIGRATIONS: tuple[Migration, ...] = (_TABLES,)


def check_owner(connection: sqlite3.Connection, path: Path, newest: int) -> int:
    """The version of a file, once it is known to be a ledger this program can use.

    Raises:
        UnusableError: the file belongs to a newer Zhuowu or to another program.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    owner = int(connection.execute("PRAGMA application_id").fetchone()[0])
    tables = int(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
    if owner != APPLICATION_ID and (owner or version or tables):
        raise UnusableError(
            Reason(
                "ledger_foreign",
                f"{path} 是别的程序的数据库，没有改动它。请换一个账本位置。",
                f"{path} is the database of another program and was left alone. "
                "Choose another place for the ledger.",
            )
        )
    if version > newest:
        raise UnusableError(
            Reason(
                "ledger_newer",
                f"{path} 由更新版本的捉伍写成（格式 {version}，本程序只认到 {newest}），"
                "没有改动它。请升级捉伍。",
                f"{path} was written by a newer Zhuowu (format {version}; this program knows up to "
                f"{newest}) and was left alone. Update Zhuowu.",
            )
        )
    return version


def migrate(
    connection: sqlite3.Connection, path: Path, migrations: Sequence[Migration] = MIGRATIONS
) -> None:
    """Bring a file to the newest version; a new file starts at none.

    Args:
        connection: in autocommit mode.
        path: the file, for messages.
        migrations: all versions, in order.

    Raises:
        UnusableError: see `check_owner`.
        sqlite3.Error: a statement failed; that migration has left no trace.
    """
    while check_owner(connection, path, len(migrations)) < len(migrations):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Read again under the lock: another process may have migrated meanwhile.
            version = check_owner(connection, path, len(migrations))
            if version < len(migrations):
                for statement in migrations[version]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {version + 1}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
