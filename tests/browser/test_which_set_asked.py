"""Two stored sets fit the photo alike: the page asks once, by tap or key, and remembers."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.waiting import PATIENCE_S, intercept, wait_for
from tests.server.twin_sets import a_set, hand
from vision.model_store import open_store

NAMES = ("厨房 kitchen", "club")


def ask(address: str, path: str, method: str = "GET", data: bytes | None = None) -> Any:
    request = urllib.request.Request(f"{address}api/{path}", data=data, method=method)
    return json.loads(urllib.request.urlopen(request, timeout=PATIENCE_S).read())


@pytest.fixture
def twins(address: str, models: None) -> Iterator[None]:
    """One set stored under two names; none is left for the next test."""
    sha256 = open_store().model("classifier").sha256.lower()
    for name in NAMES:
        ask(address, "sets/file", "POST", a_set(name, sha256).packed())
    yield
    for one in ask(address, "sets")["sets"]:
        ask(address, f"sets/{one['key']}", "DELETE")


def test_the_page_asks_once_which_set_it_is(open_desk: Any, twins: None, tmp_path: Path) -> None:
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(hand())
    desk = open_desk()
    page = desk.page
    question = page.locator('#which-set [role="group"]')
    desk.upload(photo)
    question.wait_for()
    assert question.get_attribute("aria-labelledby") == "which-set-title"
    assert page.locator("#which-set-title").inner_text() == "这是哪副牌？"
    status = page.locator("#photo-status")
    status.get_by_text("是哪副牌？请在下面说一声").wait_for()
    assert "club" not in status.inner_text(), "what is open is not told as if it were known"

    club = question.get_by_role("button", name="club")
    club.focus()
    page.keyboard.press("Enter")
    changing = page.locator("#which-set-change")
    changing.wait_for()
    desk.until("() => document.activeElement.id === 'which-set-change'")
    assert "club" in page.locator("#which-set").inner_text()
    assert "club" in status.inner_text()

    desk.upload(photo)
    page.locator("#which-set-change").wait_for()
    assert question.count() == 0, "the next photo is not asked about again"

    changing.click()
    desk.until("() => document.activeElement.id === 'which-set-0'")
    page.locator("#which-set-none").click()
    page.locator("#which-set", has_text="不是学过的牌").wait_for()
    assert "club" not in status.inner_text()


def test_what_was_put_right_stays_when_the_photo_is_read_as_of_a_set(
    open_desk: Any, twins: None, tmp_path: Path
) -> None:
    """The next reading may name, find and lose other tiles: only what nobody touched follows it."""
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(hand())
    desk = open_desk()
    page = desk.page
    desk.upload(photo)
    page.locator("#which-set-0").wait_for()
    read = desk.codes("hand")
    assert len(read) >= 6

    named, gone, untouched, lost = 0, 1, 2, 3
    right = next(code for code in ("9s", "8s") if code != read[named])
    other = next(code for code in ("6p", "7p") if code not in (read[untouched], right))
    desk.change("hand", named, right)
    page.locator("#table .group.hand .tile-button").nth(gone).focus()
    page.keyboard.press("Delete")
    page.locator("#add").click()
    desk.pick("1z")
    page.keyboard.press("Escape")
    page.locator("#flag-gang_draw").check()

    def otherwise(route: Any) -> None:
        answer = route.fetch()
        found = answer.json()
        hand_ids = found["layout"]["hand"]
        for tile in found["tiles"]:
            if tile["id"] in (hand_ids[untouched], hand_ids[named], hand_ids[gone]):
                tile["tile"] = other
        found["tiles"] = [one for one in found["tiles"] if one["id"] != hand_ids[lost]]
        found["doubts"] = [one for one in found["doubts"] if hand_ids[lost] not in one["tiles"]]
        found["layout"]["hand"] = [one for one in hand_ids if one != hand_ids[lost]]
        route.fulfill(response=answer, json=found)

    intercept(page, "**/api/read**", otherwise)
    page.locator("#which-set-1").click()
    page.locator("#which-set-change").wait_for()
    assert desk.codes("hand") == [right, other, *read[lost + 1 :], "1z"]
    assert page.locator("#flag-gang_draw").is_checked()
    assert "您改过的 3 处没动" in page.locator("#photo-status").inner_text()

    page.locator("#undo").click()
    as_read = desk.codes("hand")
    assert as_read == [other, other, other, *read[lost + 1 :]], "one step back: as it was read"


def test_a_watched_table_asks_once_which_set_it_is(
    open_desk: Any, address: str, twins: None, camera_off: None
) -> None:
    """Pictures are sent as by a phone; the answer counts, and what was put right stays."""
    ask(address, "live/source", "POST", json.dumps({"browser": True}).encode())
    page = open_desk(at="#live").page

    def sent(*wanted: Any) -> Any:
        """Whether all is there, once one more picture was sent."""
        ask(address, "live/frames", "POST", hand())
        return all(one.count() for one in wanted)

    club = page.locator("#live-which-set-title ~ .which-set-answers button", has_text="club")
    tile = page.locator(".live-hand .hand [data-strip]").first
    wait_for(page, lambda: sent(club, tile), "it is asked which set lies there")
    right = next(code for code in ("9s", "8s") if code != tile.get_attribute("data-code"))
    tile.click()
    page.locator(f'#picker .grid [data-code="{right}"]').click()
    put_right = page.locator(f'.live-hand .corrected[data-code="{right}"]')
    put_right.wait_for()

    club.focus()
    page.keyboard.press("Enter")
    told = page.locator(".live-set", has_text="club")
    wait_for(page, lambda: sent(told, put_right), "the set is told, and the tile stays put right")
    assert club.count() == 0, "it is not asked again"
    assert ask(address, "live")["session"]["tile_set"]["name"] == "club"
