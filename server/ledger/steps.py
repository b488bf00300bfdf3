"""From one state of a sheet to the next, and what a sheet takes no further line for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.guo import Guo
from rules.reasons import Reason, RulesError
from server.ledger.errors import ConflictError, RefusedError, UnknownError, refused
from server.ledger.inputs import MOST_LINES, Request
from server.ledger.records import Line, Sheet


def with_note(guo: Guo, note: str) -> Guo:
    """The 锅 with a remark on its last entry."""
    return replace(guo, entries=(*guo.entries[:-1], replace(guo.entries[-1], note=note)))


def find_line(sheet: Sheet, number: int) -> Line:
    """The line of that number.

    Raises:
        UnknownError: there is none.
    """
    if type(number) is not int or not 1 <= number <= len(sheet.lines):
        raise UnknownError(
            Reason(
                "no_such_line",
                f"这一锅没有第 {number} 条记录",
                f"this 锅 has no line {number}; it has {len(sheet.lines)}",
            )
        )
    return sheet.lines[number - 1]


def play(guo: Guo, step: Callable[[Guo], Guo]) -> Guo:
    """What a step of the rules makes of a 锅.

    Raises:
        RefusedError: the rules refuse it, with every reason.
    """
    try:
        return step(guo)
    except RulesError as error:
        raise refused(error) from None


def check_open(sheet: Sheet, request: Request) -> None:
    """Refuse a line that the sheet cannot take now.

    Raises:
        ConflictError: the sheet has other lines than the caller has seen.
        RefusedError: it is closed or full.
    """
    if request.seen is not None and request.seen != len(sheet.lines):
        raise ConflictError(
            Reason(
                "sheet_moved_on",
                f"别处又记了账（现在有 {len(sheet.lines)} 条）；看过再记",
                f"the sheet has {len(sheet.lines)} lines by now, not {request.seen}: somebody "
                "else entered something; look again before you enter",
            )
        )
    if sheet.closed_at is not None:
        raise RefusedError(
            Reason(
                "guo_closed",
                "这一锅已经收了；要改先重新打开",
                "this 锅 is closed; open it again first",
            )
        )
    if len(sheet.lines) >= MOST_LINES:
        raise RefusedError(
            Reason(
                "too_many_lines",
                f"一锅最多记 {MOST_LINES} 条",
                f"a 锅 holds at most {MOST_LINES} lines; begin another",
            )
        )
