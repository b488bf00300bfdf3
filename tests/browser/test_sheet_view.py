"""The score sheet in a browser: entering, undo, who pays whom, export, keyboard, lost answers."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from rules import parse_tiles
from tests.browser.waiting import intercept

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
PLAYERS = ["王", "李", "赵", "钱"]


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_few_hands_undone_and_brought_back(open_desk: Any, viewport: dict[str, int]) -> None:
    """Seed: 坐庄 ×2 and 拉庄 ×2 between dealer and puller, an open kong 1 from each."""
    desk = open_desk(viewport, at="#sheet")
    desk.begin(PLAYERS)
    desk.settle(2, 6, ("gang-1-open", "zuo", "la-2"))
    deltas = desk.page.locator("#view-sheet .payments [data-delta]").all_inner_texts()
    assert deltas == ["−26", "−2", "+35", "−7"]
    assert "轮到李坐庄" in desk.page.locator("#view-sheet .next-dealer").inner_text()
    desk.enter()
    assert desk.totals() == ["−26", "−2", "+35", "−7"]
    assert desk.page.locator("#view-sheet .deals").get_attribute("data-seat") == "1"
    desk.settle(None, taps=("gang-0-concealed",))
    desk.enter()
    assert desk.totals() == ["−20", "−4", "+33", "−9"]
    assert desk.page.locator("#view-sheet .deals").get_attribute("data-seat") == "2", (
        "a drawn hand in which only another has a kong passes the deal"
    )
    desk.page.locator('[data-undo="2"]').click()
    desk.page.locator('[data-line="2"].taken-back').wait_for()
    assert desk.totals() == ["−26", "−2", "+35", "−7"]
    desk.page.locator('[data-undo="3"]').click()
    desk.page.locator('[data-line="4"]').wait_for()
    assert desk.totals() == ["−20", "−4", "+33", "−9"]
    desk.page.locator('[data-more="1"]').click()
    desk.page.locator(".more .owed").wait_for()
    assert "王 给 赵" in desk.page.locator(".more .owed").inner_text()
    assert desk.page.locator(".chart polyline").count() == 4


def test_a_win_on_the_desk_is_entered_in_four_taps_and_one(open_desk: Any) -> None:
    """捉伍儿本混儿龙 is 14 (seed); its name and tiles go on the sheet, a picture does not."""
    desk = open_desk(at="#sheet")
    desk.begin(PLAYERS)
    desk.go("score")
    desk.lay(list(parse_tiles("1234m6789m23p7m11z")))
    desk.fill("drawn", "5m")
    desk.fill("indicator", "6m")
    desk.expect("win", "14")
    settle = desk.page.locator("#settle")
    settle.locator('[data-winner="1"]').click()
    settle.locator('[data-gang="1-concealed"]').click()
    settle.locator("[data-zuo]").click()
    settle.locator('[data-la="1"]').click()
    desk.page.locator('#settle [data-delta="1"]', has_text="+96").wait_for()
    settle.locator("[data-enter]").click()
    settle.locator("[data-entered]").wait_for()
    desk.go("sheet")
    line = desk.page.locator('[data-line="1"]')
    assert "捉伍儿本混儿龙" in line.inner_text()
    desk.page.locator('[data-more="1"]').click()
    assert desk.page.locator(".reading-row img").count() == 15
    assert desk.page.locator(".kept").count() == 0


@pytest.mark.usefixtures("models")
def test_a_photo_is_kept_only_when_asked_for(open_desk: Any, first_sample: dict[str, Any]) -> None:
    desk = open_desk(at="#sheet")
    desk.begin(PLAYERS)
    desk.go("score")
    desk.upload(first_sample["path"])
    desk.page.locator("#photo-status", has_text="认出").wait_for()
    desk.put_right(first_sample)
    if not desk.codes("indicator"):
        desk.fill("indicator", first_sample["indicator"])
    desk.expect("win")
    settle = desk.page.locator("#settle")
    settle.locator('[data-winner="0"]').click()
    settle.locator("[data-keep]").check()
    settle.locator("[data-enter]").click()
    settle.locator("[data-entered]").wait_for()
    desk.go("sheet")
    desk.page.locator('[data-more="1"]').click()
    kept = desk.page.locator(".kept img")
    kept.wait_for()
    # No polling here: the page's CSP forbids what Playwright would poll with.
    assert (
        kept.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }") > 100
    )
    desk.page.locator(".kept .danger").click()
    kept.wait_for(state="detached")


def test_an_answer_that_got_lost_enters_the_hand_once(open_desk: Any) -> None:
    desk = open_desk(at="#sheet")
    desk.begin(PLAYERS)

    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    intercept(desk.page, "**/api/ledger/*/hands", lose)
    desk.settle(3, 8)
    desk.page.locator("#view-sheet [data-enter]").click()
    desk.page.locator("#view-sheet .account .notice", has_text="连不上").wait_for()
    desk.page.unroute("**/api/ledger/*/hands")
    desk.page.locator("#view-sheet [data-enter]").click()
    desk.page.locator('[data-line="1"]').wait_for()
    assert desk.page.locator("[data-line]").count() == 1
    assert desk.totals() == ["−8", "−8", "−8", "+24"]


def test_export_holds_every_line(open_desk: Any, tmp_path: Path) -> None:
    desk = open_desk(at="#sheet")
    desk.begin(PLAYERS)
    desk.settle(3, 8)
    desk.enter()
    for word, name in (("存成 CSV", "sheet.csv"), ("存成 JSON", "sheet.json")):
        with desk.page.expect_download() as download:
            desk.page.locator(".sheet a", has_text=word).click()
        download.value.save_as(tmp_path / name)
    rows = list(csv.reader(io.StringIO((tmp_path / "sheet.csv").read_text("utf-8-sig"))))
    assert any("王" in cell for cell in rows[0])
    assert any("24" in cell for cell in rows[1])
    whole = json.loads((tmp_path / "sheet.json").read_text("utf-8"))
    assert "王" in json.dumps(whole, ensure_ascii=False)


def test_the_sheet_is_for_paper_too(open_desk: Any) -> None:
    desk = open_desk(theme="dark", at="#sheet")
    desk.begin(PLAYERS)
    desk.settle(3, 8)
    desk.enter()
    desk.page.emulate_media(media="print")
    assert desk.page.locator(".views").is_hidden()
    assert desk.page.locator("#view-sheet [data-winner]").first.is_hidden()
    assert desk.page.locator(".lines").is_visible()
    ground = desk.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"


def test_a_hand_is_entered_by_keyboard_alone(open_desk: Any) -> None:
    desk = open_desk(language="en-US", at="#sheet")
    desk.begin(["Ann", "Bob", "Cat", "Dan"])
    keyboard = desk.page.keyboard
    desk.page.locator("#view-sheet [data-winner]").first.focus()
    keyboard.press("Tab")
    keyboard.press("Enter")
    assert desk.page.evaluate("document.activeElement.dataset.winner") == "1", "the focus stays"
    for _ in range(10):
        keyboard.press("Tab")
        if desk.page.evaluate("document.activeElement.matches('[data-fan]')"):
            break
    keyboard.type("4")
    for _ in range(30):
        keyboard.press("Tab")
        # Leaving the field settles the hand; the button comes with the answer.
        desk.page.locator("#view-sheet [data-enter]:enabled").wait_for()
        if desk.page.evaluate("document.activeElement.matches('[data-enter]')"):
            break
    keyboard.press("Enter")
    desk.page.locator('[data-line="1"]').wait_for()
    assert desk.totals() == ["−4", "+12", "−4", "−4"]
    assert desk.page.evaluate("document.activeElement.matches('[data-entered]')")


def test_bad_names_are_told_so_and_kept(open_desk: Any) -> None:
    desk = open_desk(at="#sheet")
    desk.page.locator("[data-new], [data-player]").first.wait_for()
    if not desk.page.locator("[data-player]").count():
        desk.page.locator("[data-new]").click()
    for seat, name in enumerate(["王", "王", "李", "赵"]):
        desk.page.locator(f'[data-player="{seat}"]').fill(name)
    desk.page.locator('.begin button[type="submit"]').click()
    desk.page.locator("#view-sheet .notice", has_text="四个不同的玩家").wait_for()
    assert desk.page.locator('[data-player="3"]').input_value() == "赵"


def test_a_line_is_corrected_by_a_further_line(open_desk: Any) -> None:
    """What was entered stays; the difference follows, and the correction can be taken back."""
    desk = open_desk(at="#sheet")
    desk.begin(PLAYERS)
    desk.settle(2, 6, ("gang-1-open", "zuo", "la-2"))
    desk.enter()
    assert desk.totals() == ["−26", "−2", "+35", "−7"]
    sheet = desk.page.locator("#view-sheet")
    desk.page.locator('[data-correct="1"]').click()
    desk.page.locator('[data-correcting="1"]').wait_for()
    # What was said stands there to be changed: the winner, the kong, 坐庄 and 拉庄.
    for mark in ('[data-winner="2"]', '[data-gang="1-open"]', "[data-zuo]", '[data-la="2"]'):
        assert sheet.locator(mark).get_attribute("aria-pressed") == "true"
    assert sheet.locator("[data-fan]").input_value() == "6"
    sheet.locator("[data-fan]").fill("8")
    sheet.locator("[data-fan]").press("Tab")
    desk.page.locator('#view-sheet [data-delta="0"]', has_text="−34").wait_for()
    desk.enter()
    # 8 番: 8x2x2 from the dealer, 8 from each other; the kong counts as before.
    assert desk.totals() == ["−34", "−4", "+47", "−9"]
    line = desk.page.locator('[data-line="2"]')
    assert "改第 1 行" in line.inner_text()
    assert desk.page.locator('[data-line="1"].taken-back').count() == 0
    # Corrected again it begins from what stands now.
    desk.page.locator('[data-correct="1"]').click()
    assert sheet.locator("[data-fan]").input_value() == "8"
    desk.page.locator("[data-correct-cancel]").click()
    desk.page.locator("[data-correcting]").wait_for(state="detached")
    desk.page.locator('[data-undo="2"]').click()
    desk.page.locator('[data-line="3"]').wait_for()
    assert desk.totals() == ["−26", "−2", "+35", "−7"]


def test_points_beside_the_hands_must_add_up_and_say_why(open_desk: Any) -> None:
    desk = open_desk(language="en-US", at="#sheet")
    desk.begin(["Ann", "Bob", "Cat", "Dan"])
    desk.page.locator("#adjust summary").click()
    desk.page.locator('[data-adjust="0"]').fill("-3")
    desk.page.locator("#adjust-sum", has_text="−3").wait_for()
    assert desk.page.locator("#adjust-enter").is_disabled()
    for seat in (1, 2, 3):
        desk.page.locator(f'[data-adjust="{seat}"]').fill("1")
    assert desk.page.locator("#adjust-enter").is_disabled(), "no reason yet"
    desk.page.locator("#adjust-note").fill("false win")
    desk.page.locator("#adjust-note").press("Enter")
    desk.page.locator('[data-line="1"]', has_text="false win").wait_for()
    assert desk.totals() == ["−3", "+1", "+1", "+1"]


def test_the_seats_are_drawn_for_the_next_guo_on_the_page(open_desk: Any) -> None:
    """SPEC §2.4-2.6: the same order again is void after a 锅; another one begins the next sheet."""
    desk = open_desk(at="#sheet")
    desk.begin(PLAYERS)
    desk.page.locator("[data-close]").click()
    desk.page.locator("[data-next-guo]").click()
    desk.page.locator(".seating [data-name]").first.wait_for()
    shown = [desk.page.locator(f'[data-name="{k}"]').input_value() for k in range(4)]
    assert shown == PLAYERS
    for which, points in enumerate((2, 3)):
        desk.page.locator(f'.seating [data-which="{which}"][data-points="{points}"]').click()
    for wind in ("2z", "1z", "3z", "4z"):
        desk.page.locator(f'.seating [data-wind="{wind}"]:enabled').click()
    desk.page.locator("[data-use-seats]").click()
    desk.page.locator('[data-player="3"]').wait_for()
    order = [desk.page.locator(f'[data-player="{k}"]').input_value() for k in range(4)]
    assert order == ["李", "王", "赵", "钱"], "李 drew East and deals first"
    desk.page.locator('.begin button[type="submit"]').click()
    desk.page.locator("#view-sheet [data-winner]").first.wait_for()
    assert desk.totals() == ["0", "0", "0", "0"]
