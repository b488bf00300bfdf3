"""The ledger: every 锅 played, every hand entered, in one SQLite file that is only added to.

What a hand pays, who deals next and what undoing means is the rules' business (`rules.guo`); this
module keeps it. When a call that enters something returns, it is on the disk.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rules import RuleOptions
from rules.guo import Guo
from rules.reasons import Reason, RulesError
from rules.settlement import Settlement
from server.ledger import rows
from server.ledger.database import PATIENCE_S, Database
from server.ledger.errors import ConflictError, MalformedError, refused
from server.ledger.inputs import (
    LONGEST_NOTE,
    LONGEST_TITLE,
    Extras,
    Request,
    check_numbers,
    clean_count,
    clean_key,
    clean_players,
    clean_reading,
    clean_text,
    digest,
    read_result,
)
from server.ledger.records import Line, Picture, Sheet
from server.ledger.steps import check_open, find_line, play, with_note

FILE_NAME = "ledger.sqlite"
ANYONE = Request()
NOTHING_MORE = Extras()


@dataclass(frozen=True, slots=True)
class Entered:
    """What entering something has come to.

    Attributes:
        sheet: the 锅 as it is now.
        number: the line entered, 0 for the 锅 itself.
        repeated: the same request had been entered before; nothing was added now.
    """

    sheet: Sheet
    number: int
    repeated: bool


class Ledger:
    """One ledger file; every method may be called from any thread.

    All raise `BusyError` when another program holds the file and `UnusableError` when the file
    cannot be used; then nothing was entered.

    Args:
        path: the file, opened at the first call and made when there is none.
        now: the clock, for the times of entries.
        patience_s: how long to wait for another writer, in seconds.
    """

    def __init__(
        self,
        path: Path,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.path = path
        self._now = now
        self._database = Database(path, patience_s)

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        self._database.close()

    def begin(
        self,
        players: object,
        options: Mapping[str, Any] | None = None,
        east: int = 0,
        request: Request = ANYONE,
    ) -> Entered:
        """Start a 锅.

        Args:
            players: names by seat, anticlockwise.
            options: as `RuleOptions.from_mapping` takes them.
            east: seat that deals first.
            request: who asks.

        Raises:
            MalformedError, RefusedError: with every reason.
            ConflictError: the request's key was used for something else.
        """
        names = clean_players(players)
        check_numbers([options or {}, east])
        try:
            guo = Guo.begin(names, RuleOptions.from_mapping(options or {}), east)
        except RulesError as error:
            raise refused(error) from None
        asked = digest("begin", names, guo.options.to_mapping(), east)
        with self._database.writing() as db:
            before = self._before(db, request, asked)
            if before is not None:
                return before
            guo_id = rows.add_guo(db, uuid.uuid4().hex, guo, east, self._time())
            self._remember(db, request, asked, guo_id, 0)
            return Entered(rows.read_sheet(db, guo_id), 0, False)

    def preview(self, guo_id: int, result: object) -> Settlement:
        """What a hand would pay, without entering it.

        Raises:
            UnknownError, MalformedError, RefusedError: as `enter_hand`.
        """
        guo = self.sheet(guo_id).guo
        settled = read_result(guo, result)
        play(guo, lambda now: now.record(settled[0]))
        return settled[1]

    def enter_hand(
        self,
        guo_id: int,
        result: object,
        extras: Extras = NOTHING_MORE,
        note: str = "",
        request: Request = ANYONE,
    ) -> Entered:
        """Enter how a hand ended.

        Args:
            guo_id: the 锅.
            result: the `input` of a `settlement` request; the dealer may be left out.
            extras: title, reading, and the picture if the user wants it kept.
            note: a remark.
            request: who asks.

        Raises:
            UnknownError: no such 锅.
            MalformedError, RefusedError: with every reason.
            ConflictError: the key was used for something else, or the sheet has moved on.
        """

        def step(sheet: Sheet) -> Guo:
            ended = read_result(sheet.guo, result)[0]
            return with_note(play(sheet.guo, lambda guo: guo.record(ended)), note)

        note = clean_text(note, "note", LONGEST_NOTE)
        return self._append(guo_id, ("hand", result, note), step, extras, request)

    def correct(
        self,
        guo_id: int,
        number: int,
        result: object,
        extras: Extras = NOTHING_MORE,
        note: str = "",
        request: Request = ANYONE,
    ) -> Entered:
        """Enter anew how the hand of line `number` ended: a further line with the difference.

        Raises:
            UnknownError, MalformedError, RefusedError, ConflictError: as `enter_hand`.
        """

        def step(sheet: Sheet) -> Guo:
            line = find_line(sheet, number)
            data = result
            if line.entry.result is not None and isinstance(result, Mapping):
                data = {"dealer": line.entry.result.dealer, **result}
            ended = read_result(sheet.guo, data)[0]
            return play(sheet.guo, lambda guo: guo.correct(number - 1, ended, note))

        note = clean_text(note, "note", LONGEST_NOTE)
        return self._append(guo_id, ("correct", number, result, note), step, extras, request)

    def adjust(
        self, guo_id: int, deltas: object, note: object, request: Request = ANYONE
    ) -> Entered:
        """Enter points that belong to no hand; `note` says what for.

        Raises:
            UnknownError, MalformedError, RefusedError, ConflictError: as `enter_hand`.
        """
        why = clean_text(note, "note", LONGEST_NOTE, empty=False)
        if not isinstance(deltas, Sequence) or isinstance(deltas, str):
            raise MalformedError(
                Reason(
                    "bad_deltas",
                    "deltas 应是四家的分数",
                    "'deltas' must be four whole numbers by seat",
                )
            )
        check_numbers(list(deltas))

        def step(sheet: Sheet) -> Guo:
            return play(sheet.guo, lambda guo: guo.adjust(deltas, why))

        asked = ("adjust", list(deltas), why)
        return self._append(guo_id, asked, step, NOTHING_MORE, request)

    def undo(self, guo_id: int, number: int, note: str = "", request: Request = ANYONE) -> Entered:
        """Take line `number` back by a further line; undoing that one brings it back.

        Raises:
            UnknownError: no such 锅 or line.
            RefusedError: it is undone already, or a later line is about the same hand.
            MalformedError, ConflictError: as `enter_hand`.
        """

        def step(sheet: Sheet) -> Guo:
            find_line(sheet, number)
            return play(sheet.guo, lambda guo: guo.undo(number - 1, note))

        note = clean_text(note, "note", LONGEST_NOTE)
        return self._append(guo_id, ("undo", number, note), step, NOTHING_MORE, request)

    def set_closed(self, guo_id: int, closed: bool) -> Sheet:
        """End a 锅 before its time, or open it again.

        Raises:
            UnknownError: no such 锅.
        """
        with self._database.writing() as db:
            sheet = rows.read_sheet(db, guo_id)
            if closed != (sheet.closed_at is not None):
                when = self._time() if closed else None
                db.execute("UPDATE guo SET closed_at = ? WHERE id = ?", (when, guo_id))
            return rows.read_sheet(db, guo_id)

    def sheet(self, guo_id: int) -> Sheet:
        """A 锅 with all its lines.

        Raises:
            UnknownError: no such 锅.
        """
        with self._database.reading() as db:
            return rows.read_sheet(db, guo_id)

    def sheets(self) -> list[Sheet]:
        """Every 锅, the first one played first, as they were at one moment."""
        with self._database.reading() as db:
            return [rows.read_sheet(db, guo_id) for guo_id in rows.guo_ids(db)]

    def summaries(self, limit: int = 50, offset: int = 0) -> tuple[list[dict[str, Any]], int]:
        """One line for each 锅, the latest first, and how many there are in all."""
        with self._database.reading() as db:
            return rows.read_summaries(db, limit, offset), rows.count_guos(db)

    def picture(self, guo_id: int, number: int) -> Picture:
        """The picture kept with a line.

        Raises:
            UnknownError: there is none.
        """
        with self._database.reading() as db:
            return rows.read_picture(db, guo_id, number)

    def pictures(self, sheets: Sequence[Sheet]) -> dict[tuple[int, int], Picture]:
        """The pictures still kept with these 锅, by (id of the 锅, number of the line)."""
        found = {}
        with self._database.reading() as db:
            for sheet in sheets:
                for number, picture in rows.read_pictures(db, sheet.id):
                    found[sheet.id, number] = picture
        return found

    def forget_picture(self, guo_id: int, number: int) -> None:
        """Delete the picture kept with a line; the line itself stays.

        Raises:
            UnknownError: there is none.
        """
        with self._database.writing() as db:
            rows.read_picture(db, guo_id, number)
            rows.delete_picture(db, guo_id, number)

    def add_sheets(self, sheets: Sequence[tuple[Sheet, Mapping[int, Picture]]]) -> list[int]:
        """Add whole 锅 that came from elsewhere, all or none.

        Args:
            sheets: each with the pictures of its lines by number; `id` is chosen anew.

        Returns:
            The new ids.

        Raises:
            ConflictError: a 锅 with that uid is here already.
        """
        added = []
        with self._database.writing() as db:
            for sheet, pictures in sheets:
                if rows.id_of_uid(db, sheet.uid) is not None:
                    raise ConflictError(
                        Reason(
                            "already_here",
                            f"账本里已有这一锅（{sheet.uid}）",
                            f"this 锅 is in the ledger already ({sheet.uid})",
                        )
                    )
                guo_id = rows.add_guo(db, sheet.uid, sheet.guo, sheet.east, sheet.started_at)
                db.execute("UPDATE guo SET closed_at = ? WHERE id = ?", (sheet.closed_at, guo_id))
                for line in sheet.lines:
                    rows.add_line(db, guo_id, line, pictures.get(line.number))
                added.append(guo_id)
        return added

    def sheet_of_uid(self, uid: str) -> Sheet | None:
        """The 锅 with that uid, or None."""
        with self._database.reading() as db:
            guo_id = rows.id_of_uid(db, uid)
            return None if guo_id is None else rows.read_sheet(db, guo_id)

    def _append(
        self,
        guo_id: int,
        asked: tuple[Any, ...],
        step: Callable[[Sheet], Guo],
        extras: Extras,
        request: Request,
    ) -> Entered:
        """Add the line a step of the 锅 leads to, with its picture and its key, all or nothing."""
        extras = replace(
            extras,
            title=clean_text(extras.title, "title", LONGEST_TITLE),
            reading=clean_reading(extras.reading),
        )
        kept = None if extras.picture is None else extras.picture.sha256
        fingerprint = digest(guo_id, asked, extras.title, extras.reading, kept)
        with self._database.writing() as db:
            before = self._before(db, request, fingerprint)
            if before is not None:
                return before
            sheet = rows.read_sheet(db, guo_id)
            check_open(sheet, request)
            after = step(sheet)
            line = Line(
                len(after.entries),
                after.entries[-1],
                self._time(),
                extras.title,
                extras.reading,
                kept,
                extras.picture is not None,
                after.dealer,
                after.turns,
            )
            rows.add_line(db, guo_id, line, extras.picture)
            self._remember(db, request, fingerprint, guo_id, line.number)
            return Entered(rows.read_sheet(db, guo_id), line.number, False)

    def _before(self, db: sqlite3.Connection, request: Request, asked: str) -> Entered | None:
        """What a request has come to when it was entered before."""
        key = clean_key(request.key)
        clean_count(request.seen, "seen")
        row = None if key is None else rows.read_request(db, key)
        if row is None:
            return None
        if row["digest"] != asked:
            raise ConflictError(
                Reason(
                    "key_reused",
                    "这个 key 已用于另一个请求；每次记账请用新的 key",
                    "this key was used for another request; use a new key for each entry",
                )
            )
        return Entered(rows.read_sheet(db, row["guo"]), row["number"], True)

    def _remember(
        self, db: sqlite3.Connection, request: Request, asked: str, guo_id: int, number: int
    ) -> None:
        if request.key is not None:
            rows.add_request(db, request.key.strip(), asked, guo_id, number)

    def _time(self) -> str:
        return self._now().astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
