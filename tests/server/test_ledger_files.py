"""The ledger's file: migrated whole or not at all, never overwritten, shared by threads."""

from __future__ import annotations

import os
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from server.ledger import BusyError, Ledger, Request, UnusableError
from server.ledger.database import Database
from server.ledger.migrations import APPLICATION_ID, MIGRATIONS

PLAYERS = ["甲", "乙", "丙", "丁"]


def pragma(path: Path, name: str) -> object:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(f"PRAGMA {name}").fetchone()[0]


def used_ledger(path: Path) -> Ledger:
    ledger = Ledger(path, patience_s=0.05)
    guo = ledger.begin(PLAYERS).sheet.id
    ledger.enter_hand(guo, {"winner": 2, "fan": 6})
    return ledger


def test_the_file_is_wal_fully_synchronous_and_marked(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "ledger.sqlite"
    database = Database(path)
    with database.writing() as db:
        assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert db.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert db.execute("PRAGMA foreign_keys").fetchone()[0] == 1
        with database.reading() as other:
            assert other.execute("PRAGMA synchronous").fetchone()[0] == 2
    database.close()
    assert pragma(path, "application_id") == APPLICATION_ID
    assert pragma(path, "user_version") == len(MIGRATIONS)


def test_a_later_migration_keeps_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    used_ledger(path).close()
    later = Database(path, migrations=(*MIGRATIONS, ("ALTER TABLE guo ADD COLUMN place TEXT",)))
    with later.reading() as db:
        assert [tuple(row) for row in db.execute("SELECT id, place FROM guo")] == [(1, None)]
        assert db.execute("SELECT count(*) FROM entry").fetchone()[0] == 1
    later.close()
    assert pragma(path, "user_version") == len(MIGRATIONS) + 1


def test_a_migration_that_fails_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    used_ledger(path).close()
    bad = ("ALTER TABLE guo ADD COLUMN place TEXT", "DROP TABLE nothing_of_that_name")
    with pytest.raises(UnusableError), Database(path, migrations=(*MIGRATIONS, bad)).reading():
        pass
    assert pragma(path, "user_version") == len(MIGRATIONS)
    ledger = Ledger(path)
    assert ledger.sheet(1).guo.totals == (-6, -6, 18, -6)
    ledger.close()
    with closing(sqlite3.connect(path)) as db:
        assert "place" not in [row[1] for row in db.execute("PRAGMA table_info(guo)")]


def test_an_older_program_refuses_a_newer_file(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    used_ledger(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(UnusableError) as caught:
        Ledger(path).summaries()
    assert caught.value.code == "ledger_newer"
    assert "99" in caught.value.en
    assert pragma(path, "user_version") == 99


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
        db.commit()
    before = path.read_bytes()
    with pytest.raises(UnusableError) as caught:
        Ledger(path).begin(PLAYERS)
    assert caught.value.code == "ledger_foreign"
    assert path.read_bytes() == before


@pytest.mark.parametrize("harm", ["text", "head", "middle"])
def test_a_damaged_file_is_reported_and_never_overwritten(tmp_path: Path, harm: str) -> None:
    path = tmp_path / "ledger.sqlite"
    used_ledger(path).close()
    data = bytearray(path.read_bytes())
    if harm == "text":
        data = bytearray(b"these are my notes, not a ledger\n" * 40)
    elif harm == "head":
        data[:16] = b"\0" * 16
    else:
        data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    ledger = Ledger(path)
    for _ in range(2):
        with pytest.raises(UnusableError) as caught:
            ledger.begin(PLAYERS)
        assert caught.value.code == "ledger_damaged"
        assert str(path) in caught.value.en
        assert "zhuowu ledger import" in caught.value.zh
    ledger.close()
    assert path.read_bytes() == data


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "file" / "ledger.sqlite", tmp_path):
        with pytest.raises(UnusableError) as caught:
            Ledger(path).begin(PLAYERS)
        assert caught.value.code == "ledger_not_writable"


def test_a_full_disk_enters_nothing_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    database = Database(path)
    with database.writing() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(UnusableError) as caught, database.writing() as db:
        db.execute("CREATE TABLE more AS SELECT randomblob(900000) AS bytes")
    assert caught.value.code == "ledger_not_writable"
    assert "full" in caught.value.en
    with database.reading() as db:
        found = db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'more'")
        assert found.fetchone()[0] == 0
    database.close()


def test_a_writer_elsewhere_makes_writers_busy_but_never_readers(tmp_path: Path) -> None:
    ledger = used_ledger(tmp_path / "ledger.sqlite")
    with closing(sqlite3.connect(ledger.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE guo SET closed_at = 'x'")
        with pytest.raises(BusyError):
            ledger.enter_hand(1, {"winner": 1, "fan": 2}, request=Request("k"))
        assert ledger.sheet(1).closed_at is None
        other.execute("ROLLBACK")
    assert ledger.enter_hand(1, {"winner": 1, "fan": 2}, request=Request("k")).repeated is False
    ledger.close()


def test_many_threads_enter_at_once_and_every_hand_counts_once(tmp_path: Path) -> None:
    """Each of 8 threads enters 5 hands, every request sent twice, while others read."""
    ledger = Ledger(tmp_path / "ledger.sqlite", patience_s=60)
    guo = ledger.begin(PLAYERS).sheet.id
    start = threading.Barrier(10)

    def enter(thread: int) -> None:
        start.wait()
        for hand in range(5):
            for _ in range(2):
                # The dealer wins, so that he deals all of these hands.
                request = Request(f"{thread}-{hand}")
                ledger.enter_hand(guo, {"winner": 0, "fan": 2}, request=request)

    def read(_: int) -> None:
        start.wait()
        for _ in range(20):
            sheet = ledger.sheet(guo)
            assert sheet.guo.totals[0] == 6 * len(sheet.lines)

    with ThreadPoolExecutor(10) as pool:
        jobs = [pool.submit(enter, thread) for thread in range(8)]
        jobs += [pool.submit(read, thread) for thread in range(2)]
        for job in jobs:
            job.result()
    sheet = ledger.sheet(guo)
    ledger.close()
    assert len(sheet.lines) == 40
    assert sheet.guo.totals == (240, -80, -80, -80)


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be moved on Windows")
def test_a_ledger_moved_away_while_in_use_is_not_written_to_unseen(tmp_path: Path) -> None:
    ledger = used_ledger(tmp_path / "ledger.sqlite")
    ledger.path.rename(tmp_path / "kept.sqlite")
    for suffix in ("-wal", "-shm"):
        (tmp_path / f"ledger.sqlite{suffix}").rename(tmp_path / f"kept.sqlite{suffix}")
    assert ledger.summaries() == ([], 0)
    ledger.begin(PLAYERS)
    ledger.close()
    assert Ledger(ledger.path).summaries()[1] == 1
    assert Ledger(tmp_path / "kept.sqlite").sheet(1).guo.totals == (-6, -6, 18, -6)


def test_two_ledgers_on_one_file_see_each_other(tmp_path: Path) -> None:
    one, two = Ledger(tmp_path / "ledger.sqlite"), Ledger(tmp_path / "ledger.sqlite")
    guo = one.begin(PLAYERS).sheet.id
    two.enter_hand(guo, {"winner": 2, "fan": 6})
    assert one.sheet(guo).guo.totals == (-6, -6, 18, -6)
    one.close()
    two.close()
