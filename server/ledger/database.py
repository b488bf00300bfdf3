"""Connections to the ledger's file: opened with care, one to each call, errors made plain.

WAL with `synchronous=FULL`: a commit is on the disk before it is acknowledged, and readers never
wait for a writer. Every call borrows a connection of its own, so any thread may call.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rules.reasons import Reason
from server.ledger.errors import BusyError, UnusableError
from server.ledger.migrations import MIGRATIONS, Migration, migrate

PATIENCE_S = 2.0
"""How long a writer waits for another before the answer is "busy"."""

SPARE_CONNECTIONS = 8


class Database:
    """The file of one ledger. It is opened at the first call, so that a bad file stops no program.

    Args:
        path: the file; its folder is made when the ledger is first written to.
        patience_s: how long to wait for another writer, in seconds.
        migrations: the versions of the tables.
    """

    def __init__(
        self,
        path: Path,
        patience_s: float = PATIENCE_S,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self.path = path
        self._patience_s = patience_s
        self._migrations = migrations
        self._lock = threading.Lock()
        self._spare: list[sqlite3.Connection] = []
        self._ready = False
        self._opened: tuple[int, int] | None = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection on which all reads see one state of the ledger.

        Raises:
            BusyError, UnusableError: the file cannot be used.
        """
        with self._borrowed() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection in a write transaction: committed at the end, undone by any exception.

        When the block has been left without an exception, what it wrote is on the disk.

        Raises:
            BusyError, UnusableError: the file cannot be used; nothing was written.
        """
        with self._borrowed() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the connections not in use; a later call opens new ones."""
        with self._lock:
            self._drop_spare()

    @contextmanager
    def _borrowed(self) -> Iterator[sqlite3.Connection]:
        with plain_errors(self.path):
            connection = self._take()
            try:
                yield connection
            except sqlite3.Error:
                connection.close()
                raise
            except BaseException:
                self._give_back(connection)
                raise
            self._give_back(connection)

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            # A file that was moved away still takes writes by its open connections: they would be
            # acknowledged and then be nowhere the user looks.
            if self._ready and _identity(self.path) != self._opened:
                self._drop_spare()
            if self._spare:
                return self._spare.pop()
            # The first opening checks and migrates; others wait for it under the lock.
            if not self._ready:
                connection = self._open()
                try:
                    _check_soundness(connection)
                    migrate(connection, self.path, self._migrations)
                    _use_wal(connection, self.path)
                except BaseException:
                    connection.close()
                    raise
                self._opened = _identity(self.path)
                self._ready = True
                return connection
        connection = self._open()
        _use_wal(connection, self.path)
        return connection

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            self.path,
            timeout=self._patience_s,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.row_factory = sqlite3.Row
        return connection

    def _drop_spare(self) -> None:
        spare, self._spare = self._spare, []
        self._ready = False
        for connection in spare:
            connection.close()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if self._ready and len(self._spare) < SPARE_CONNECTIONS:
                self._spare.append(connection)
                return
        connection.close()


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file lies at the path now, None for none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _check_soundness(connection: sqlite3.Connection) -> None:
    """Look the whole file over once; a damaged one must not be written to."""
    found = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
    if found != ["ok"]:
        raise sqlite3.DatabaseError("malformed: " + "; ".join(found))


def _use_wal(connection: sqlite3.Connection, path: Path) -> None:
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    if mode != "wal":
        raise UnusableError(
            Reason(
                "ledger_not_wal",
                f"{path} 所在的磁盘不支持可靠写入（WAL）。请把 data_folder 设到本机的磁盘上。",
                f"The drive of {path} does not support safe writing (WAL). "
                "Set data_folder to a folder on a local drive.",
            )
        )


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system say into errors that say what to do."""
    try:
        yield
    except (BusyError, UnusableError):
        raise
    except sqlite3.OperationalError as error:
        raise _operational(error, path) from error
    except sqlite3.IntegrityError:
        raise  # a fault of this program, not of the file
    except sqlite3.DatabaseError as error:
        if type(error) is sqlite3.DatabaseError:
            raise _damaged(error, path) from error
        raise
    except OSError as error:
        raise _not_writable(error.strerror or str(error), path) from error


def _operational(error: sqlite3.OperationalError, path: Path) -> BusyError | UnusableError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BusyError(
            Reason(
                "ledger_busy",
                "账本正被另一个程序写入，这次没有记下。请稍后再试。",
                "Another program is writing to the ledger; nothing was entered. Try again shortly.",
            )
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _damaged(error, path)
    return _not_writable(str(error), path)


def _damaged(error: sqlite3.Error, path: Path) -> UnusableError:
    return UnusableError(
        Reason(
            "ledger_damaged",
            f"账本文件 {path} 已损坏（{error}），没有改动它。请把它移到别处留存，"
            "再从导出的 JSON 恢复：zhuowu ledger import 文件。",
            f"The ledger {path} is damaged ({error}) and was left as it is. Move it away and keep "
            "it, then restore an exported JSON with: zhuowu ledger import FILE.",
        )
    )


def _not_writable(why: str, path: Path) -> UnusableError:
    return UnusableError(
        Reason(
            "ledger_not_writable",
            f"账本 {path} 无法读写（{why}），这次没有记下。请检查磁盘空间和文件夹权限，"
            "或另设 data_folder。",
            f"The ledger {path} cannot be read or written ({why}); nothing was entered. Check the "
            "free space and the folder's permissions, or set another data_folder.",
        )
    )
