"""The network is cut and comes back: every view says so, keeps what it shows, and goes on."""

from __future__ import annotations

from typing import Any

import pytest

from rules import parse_tiles

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
GONE = {"zh-CN": "连不上", "en-US": "cannot be reached"}


@pytest.mark.parametrize(
    ("language", "viewport"), [("zh-CN", PHONE), ("en-US", DESKTOP)], ids=["zh-phone", "en-desktop"]
)
def test_a_page_without_a_network_says_so_and_goes_on_afterwards(
    open_desk: Any, language: str, viewport: dict[str, int]
) -> None:
    desk = open_desk(viewport, language, at="#by-hand")
    page, gone = desk.page, GONE[language]
    desk.lay(list(parse_tiles("1234m6789m23p7m11z")))
    desk.fill("drawn", "5m")
    desk.fill("indicator", "6m")
    desk.expect("win", "14")
    desk.begin(["Ann", "Bob", "Cat", "Dan"])
    desk.settle(2, 6)

    page.context.set_offline(True)
    page.locator("#view-sheet [data-enter]").click()
    page.locator("#view-sheet .account .notice", has_text=gone).wait_for()
    assert page.locator("[data-line]").count() == 0, "nothing is shown as entered"
    desk.go("score")
    desk.change("drawn", 0, "1z")
    desk.expect("error", gone)
    assert desk.codes("drawn") == ["1z"], "the table is edited all the same"
    page.locator("#undo").click()
    assert desk.codes("drawn") == ["5m"]
    desk.go("opening")
    page.locator("#view-opening .notice").first.wait_for()
    desk.go("learn")
    page.locator("#view-learn .notice").first.wait_for()

    page.context.set_offline(False)
    desk.go("sheet")
    page.locator("#view-sheet [data-enter]").click()
    page.locator('[data-line="1"]').wait_for()
    assert page.locator("[data-line]").count() == 1
    desk.go("score")
    desk.change("drawn", 0, "1z")
    desk.expect("no_win")
    page.locator("#undo").click()
    desk.expect("win", "14")
    desk.go("opening")
    desk.roll(3, 4)
    desk.go("learn")
    page.locator("#fan-zhuowu summary").wait_for()


@pytest.mark.usefixtures("camera_off")
def test_the_live_view_says_that_it_is_cut_off_and_joins_again(open_desk: Any) -> None:
    desk = open_desk(at="#live")
    page = desk.page
    page.locator("#live-source").wait_for()
    page.context.set_offline(True)
    page.locator('.live-banner[data-kind="offline"]').wait_for()
    page.context.set_offline(False)
    page.locator(".live-banner").wait_for(state="hidden")
