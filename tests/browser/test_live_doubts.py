"""Doubts of the live table that a person settles by a tap or two; what the state says then."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.laid_table import LaidTable, Thing, watched
from tests.browser.waiting import PATIENCE_S, wait_for

DIE = (0.6, 0.6)
WALL = (Thing("back", 0, -9, 2), Thing("back", 1, -9, 2))


@pytest.fixture
def table() -> LaidTable:
    """Some wall, and nobody has moved."""
    return LaidTable(*WALL)


@pytest.fixture
def address(table: LaidTable, tmp_path: Path) -> Iterator[str]:
    """In place of the one server of all tests: its camera looks at the laid table."""
    with watched(table, tmp_path) as (found, _):
        yield found


class Live:
    """The live view, and what the server says."""

    def __init__(self, desk: Any, address: str, table: LaidTable) -> None:
        self.page, self.address, self.table = desk.page, address, table

    def ask(self, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data else {}
        request = urllib.request.Request(self.address + path, data=data, headers=headers)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.loads(answer.read())["session"]

    def until(self, is_so: Any, what: str) -> dict[str, Any]:
        """Wait until the session is so; the session then."""
        seen: dict[str, Any] = {}

        def now() -> bool:
            seen.update(self.ask("api/live"))
            return seen["state"] is not None and bool(is_so(seen))

        wait_for(self.page, now, what)
        return seen

    def discard(self, seat: int, tile: str, x: float) -> None:
        """Lay a discard and wait until it is told."""
        self.table.lay(Thing(tile, x, -4, seat))

        def told(session: dict[str, Any]) -> bool:
            return any(
                one["event"] == "discarded" and (one.get("seat"), one.get("tile")) == (seat, tile)
                for one in session["events"]
            )

        self.until(told, f"seat {seat} discarded {tile}")

    def doubt(self, code: str) -> Any:
        return self.page.locator(f'[data-part="doubts"] [data-doubt="{code}"]')


def doubts(session: dict[str, Any]) -> set[str]:
    return {one["code"] for one in session["state"]["doubts"]}


@pytest.fixture
def live(open_desk: Any, address: str, table: LaidTable) -> Live:
    """The live view of the laid table."""
    return Live(open_desk(at="#live"), address, table)


def test_a_roll_in_doubt_is_settled_by_a_tap_and_missing_rolls_are_entered(live: Live) -> None:
    """SPEC §2: the three rolls of the opening, in order."""
    page = live.page
    live.table.lay(Thing("die3", -1, 0, size=DIE), Thing("die4", 1, 0.5, size=DIE, confidence=0.6))
    live.doubt("roll").locator("button", has_text="3+5").click()
    live.doubt("roll").wait_for(state="detached")
    assert live.ask("api/live")["rolls"] == [[3, 5]]
    live.doubt("dealer").locator("button", has_text="自己").click()
    live.doubt("dealer").wait_for(state="detached")

    # Nobody saw the turned tile: once somebody plays it is asked for, and entered (SPEC §3).
    live.discard(0, "1p", -2)
    live.doubt("turned_unseen").locator('[data-about="turned"]').click()
    page.locator('#picker .grid [data-code="5m"]').click()
    live.doubt("turned_unseen").wait_for(state="detached")
    assert live.ask("api/live")["state"]["turned"] == "5m"
    live.doubt("rolls_missing").locator('[data-about="roll"]').click()
    page.locator('#picker [data-place="0"]').click()  # the one that was seen was the second
    for which, points in enumerate((2, 6)):
        page.locator(f'#picker [data-which="{which}"][data-points="{points}"]').click()
    page.locator("#live-roll-0", has_text="2+6").wait_for()
    assert page.locator("#live-roll-1").inner_text() == "3+5"
    # One is missing still; it is typed.
    live.doubt("rolls_missing").locator('[data-about="roll"]').click()
    page.locator("#picker .die").first.wait_for()
    page.keyboard.press("1")
    page.keyboard.press("4")
    live.doubt("rolls_missing").wait_for(state="detached")
    session = live.ask("api/live")
    assert session["rolls"] == [[2, 6], [3, 5], [1, 4]]
    assert session["state"]["round"]["dealer"] == 0
    assert not {"roll", "rolls_missing", "dealer"} & doubts(session)
    # Any of them is put right where they stand.
    page.locator("#live-roll-1").click()
    page.keyboard.press("6")
    page.keyboard.press("6")
    page.locator("#live-roll-1", has_text="6+6").wait_for()
    assert live.ask("api/live")["rolls"] == [[2, 6], [6, 6], [1, 4]]


def test_a_discard_that_was_missed_is_chosen_undone_and_chosen_again(
    live: Live, audit: Any
) -> None:
    """SPEC §4: the turn passes to the right, so seat 1 discarded between seats 0 and 2."""
    page = live.page
    live.ask("api/live/correct", {"indicator": "5m"})
    live.discard(0, "1p", -2)
    live.discard(2, "3p", -2)
    live.doubt("discard_unseen").locator('[data-about="unseen"]').click()
    page.locator('#picker .grid [data-code="9s"]').click()
    live.doubt("discard_unseen").wait_for(state="detached")
    told = page.locator(".live-events li", has_text="下家打九条")
    told.wait_for()
    session = live.ask("api/live")
    assert "discard_unseen" not in doubts(session)
    assert (session["state"]["round"]["applied"], session["state"]["round"]["moves"]) == (3, 3)
    revised = session["events"][-1]
    assert (revised["event"], revised["seat"], revised["tile"]) == ("revised", 1, "9s")

    page.locator("#live-undo").click()
    live.doubt("discard_unseen").wait_for()
    page.locator("#live-redo").click()
    live.doubt("discard_unseen").wait_for(state="detached")
    # It comes to light, misread: it is what was said.
    live.table.lay(Thing("8s", -2, -4, 1))
    late = live.until(
        lambda now: now["state"]["seats"][1]["pond"] == ["9s"], "the tile is the one that was said"
    )
    assert "discard_unseen" not in doubts(late)
    assert late["state"]["round"]["applied"] == 3, "and no further discard"
    page.locator('[data-seat="1"] .corrected[data-code="9s"]').wait_for()
    # Who does not know leaves the next one as it is, on this page.
    live.discard(3, "4p", -2)
    live.discard(1, "5s", -1)
    live.doubt("discard_unseen").locator("[data-leave]").click()
    page.locator('[data-part="doubts"]').wait_for(state="hidden")
    page.locator('.live-banner[data-kind="live"]').wait_for()
    assert "discard_unseen" in doubts(live.ask("api/live")), "the state says it all the same"
    # No faces at my side: the placement may be wrong, and can be looked at.
    page.locator('[data-trouble="seat"] button').wait_for()
    assert audit(page) == []
