"""The live table put right on the page: moved, added, placed, passed on, asked why."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from datasets.hand_picture import render_hand
from tests.browser.waiting import PATIENCE_S, wait_for
from vision.opencv import cv2

# 伍万 between 四六万 is missing: 捉伍儿 when 6m is turned (7 jokers: 6m and 7m).
HAND = ["1m", "2m", "3m", "4m", "6m", "1p", "2p", "3p", "7s", "8s", "9s", "9p", "9p"]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same picture for as long as a test may take."""
    scene = render_hand(HAND, seed=11, width=960)
    height, width = scene.image.shape[:2]
    path = tmp_path_factory.mktemp("film") / "still.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 2, (width, height))
    for _ in range(600):
        writer.write(scene.image)
    writer.release()
    return path


def ask(address: str, path: str, body: Any = None, method: str | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"} if data else {}
    request = urllib.request.Request(address + path, data=data, headers=headers, method=method)
    return json.load(urllib.request.urlopen(request, timeout=PATIENCE_S))


@pytest.fixture
def watching(open_desk: Any, address: str, models: None, film: Path) -> Iterator[Any]:
    """The live view with the whole hand seen and named right."""
    ask(address, "api/live/source", {"source": str(film)})
    desk = open_desk(at="#live")
    page = desk.page
    page.locator(".live-hand .hand [data-strip]").nth(len(HAND) - 1).wait_for()

    def row() -> list[Any]:
        seen = ask(address, "api/live")["session"]["state"]["tiles"]
        return sorted((one for one in seen if one["role"] == "hand"), key=lambda one: one["box"][0])

    wait_for(page, lambda: len(row()) == len(HAND), "the whole hand lies before the camera")
    for one, name in zip(row(), HAND, strict=True):
        if one["tile"] != name:
            ask(address, "api/live/correct", {"id": one["id"], "tile": name})
    desk.until("names => JSON.stringify(names) === JSON.stringify("
               "[...document.querySelectorAll('.live-hand .hand [data-strip]')]"
               ".map(node => node.dataset.code))", HAND)  # fmt: skip
    yield desk
    ask(address, "api/live/source", method="DELETE")


def strip(page: Any, part: str) -> list[str]:
    found: list[str] = page.locator(f"{part} [data-strip]").evaluate_all(
        "nodes => nodes.map(node => node.dataset.code)"
    )
    return found


def test_a_tile_is_moved_added_denied_undone_and_done_again(watching: Any, audit: Any) -> None:
    page = watching.page
    page.locator('.live-hand [data-code="9p"]').last.click()
    page.locator("#picker .moves button", has_text="对家").nth(1).click()
    page.locator('[data-seat="2"] [data-code="9p"].corrected').wait_for()
    assert strip(page, ".live-hand .hand") == HAND[:-1]

    # A tile the camera misses: its place is pointed at by keyboard, then it is chosen.
    page.locator("#live-add").click()
    layer = page.locator("#live-add-layer")
    layer.wait_for()
    for _ in range(4):
        page.keyboard.press("Shift+ArrowUp")
    assert "30%" in str(layer.get_attribute("aria-label"))
    page.keyboard.press("Enter")
    page.locator('#picker .grid [data-code="5m"]').click()
    added = page.locator('.live-stage [data-code="5m"]')
    added.wait_for()
    assert "您加的" in str(added.get_attribute("aria-label"))
    layer.wait_for(state="detached")
    page.locator('.live-stage [data-code="5m"]').click()
    page.locator("#picker .moves button", has_text="刚抓的").click()
    page.locator('.live-hand .drawn [data-code="5m"]').wait_for()

    page.locator('.live-stage [data-code="1m"]').click()
    page.locator("#picker .danger", has_text="这里没有牌").click()
    page.locator(".live-stage [data-absent]").wait_for()
    assert audit(page) == []
    page.locator("#live-redo:disabled").wait_for()
    # Keys undo in Live as they do on the desk.
    for _ in range(3):
        page.keyboard.press("Control+z")
    page.locator(".live-stage [data-absent]").wait_for(state="detached")
    page.locator('.live-stage [data-code="5m"]').wait_for(state="detached")
    assert strip(page, ".live-hand .hand") == HAND[:-1]
    page.locator("#live-undo").click()
    page.locator(".live-hand .hand [data-strip]").nth(12).wait_for()
    assert strip(page, ".live-hand .hand") == HAND
    page.locator("#live-redo").click()
    page.locator('[data-seat="2"] [data-code="9p"]').wait_for()
    # Said not to be there, a tile can be brought back where it lies.
    page.locator('.live-stage [data-code="1m"]').click()
    page.locator("#picker .danger", has_text="这里没有牌").click()
    page.locator(".live-stage [data-absent]").focus()
    page.keyboard.press("Enter")
    page.locator("#picker .moves button", has_text="按看到的").click()
    page.locator('.live-hand [data-code="1m"]').wait_for()


def test_answers_that_come_late_and_quick_taps_do_no_harm(watching: Any, address: str) -> None:
    """Nothing on the still picture would ever put right what an old answer has overwritten."""
    page = watching.page
    tile = int(page.locator('.live-hand [data-code="1m"]').get_attribute("data-strip"))
    shown = page.locator(f'.live-hand [data-strip="{tile}"]')

    def is_now(code: str) -> None:
        page.locator(f'.live-hand [data-strip="{tile}"][data-code="{code}"]').wait_for()

    # Three words about one tile, taken back by keys pressed faster than the first is answered.
    for code in ("2z", "3z", "4z"):
        ask(address, "api/live/correct", {"id": tile, "tile": code})
    is_now("4z")
    undo = watching.hold("**/api/live/undo")
    for _ in range(3):
        page.keyboard.press("Control+z")
    undo.arrived()
    undo.let_go()
    is_now("1m")

    # Somebody else says another word before the answer to an undo comes: the newer one stays.
    ask(address, "api/live/correct", {"id": tile, "tile": "2z"})
    is_now("2z")
    undo = watching.hold("**/api/live/undo")
    page.keyboard.press("Control+z")
    is_now("1m")
    ask(address, "api/live/correct", {"id": tile, "tile": "3z"})
    is_now("3z")
    undo.let_go()
    assert shown.get_attribute("data-code") == "3z"

    # Undo and redo reach the server in the order of the keys, however slowly the first one goes.
    undo = watching.hold("**/api/live/undo", sent=False)
    redo = watching.hold("**/api/live/redo")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+y")
    undo.let_go()
    redo.let_go()
    assert undo.request.response().status == 200
    assert redo.request.response().status == 200
    is_now("3z")


def test_other_rules_reach_the_table_that_is_watched(watching: Any, address: str) -> None:
    """SPEC §4.3: seven jokers are two kinds, eleven are three."""
    page = watching.page
    ask(address, "api/live/correct", {"indicator": "5p"})
    jokers = page.locator('[data-part="hand"] .jokers img')
    jokers.nth(1).wait_for()
    assert page.locator("#live-use-rules").count() == 0
    # A change on the desk reaches the table, also while another view is looked at.
    watching.go("score")
    page.locator("#rules-body details summary").click()
    page.locator("#option-joker_rule").select_option(index=1)
    watching.go("live")
    jokers.nth(2).wait_for()
    assert ask(address, "api/live")["session"]["options"]["joker_rule"] == "11"
    # Somebody else plays by other rules: said here, and changed only by a tap.
    ask(address, "api/live/rules", {"options": {"min_fan": 50}})
    page.locator("#live-use-rules").wait_for()
    jokers.nth(2).wait_for(state="detached")
    page.locator("#live-use-rules").click()
    page.locator("#live-use-rules").wait_for(state="detached")
    jokers.nth(2).wait_for()
    # The rules of a 锅 are those it was begun with.
    watching.begin(["王", "李", "赵", "钱"])
    watching.go("score")
    page.locator("#option-joker_rule").select_option(index=0)
    watching.go("live")
    jokers.nth(2).wait_for()
    assert ask(address, "api/live")["session"]["options"]["joker_rule"] == "11"


def test_the_table_is_placed_by_mouse_and_keyboard_saved_and_chosen_again(
    watching: Any, address: str, audit: Any
) -> None:
    page = watching.page
    page.locator("#live-place").click()
    first = page.locator('[data-corner="0"]')
    first.wait_for()
    assert page.evaluate("document.activeElement.dataset.corner") == "0"
    page.keyboard.press("Shift+ArrowRight")
    assert "左起 11%" in str(first.get_attribute("aria-label"))
    # Dragged beyond the picture, which has room around it.
    box = page.locator('[data-corner="1"]').bounding_box()
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 30, steps=4)
    page.mouse.up()
    label = str(page.locator('[data-corner="1"]').get_attribute("aria-label"))
    assert int(label.split("左起 ")[1].split("%")[0]) > 95
    assert page.locator('[data-side="0"]').get_attribute("aria-pressed") == "true"
    page.locator('[data-side="3"]').click()
    assert page.locator('[data-side="3"]').get_attribute("aria-pressed") == "true"
    assert page.locator('[data-side="0"]').inner_text() == "下家"
    page.locator('input[value="overhead"]').check()
    page.locator("#place-name").fill("客厅")
    assert audit(page) == []
    page.locator("#place-save").click()
    page.locator(".live-hint", has_text="客厅").wait_for()
    placed = ask(address, "api/live/placement")
    assert (placed["current"]["name"], placed["current"]["me"]) == ("客厅", 3)
    assert placed["current"]["view"] == "overhead"
    assert ask(address, "api/live")["session"]["state"]["placement"] == "客厅"
    # Not used, and chosen again by its name.
    page.locator("#live-place", has_text="客厅").click()
    page.locator("#place-none").click()
    page.locator("#live-place", has_text="设机位").click()
    page.locator('[data-saved="客厅"]').click()
    page.locator("#live-place", has_text="客厅").wait_for()
    # Corners that cross are told so, and nothing is sent.
    page.locator("#live-place").click()
    first.focus()
    for _ in range(60):
        page.keyboard.press("Shift+ArrowRight")
    page.locator(".place-said", has_text="不能交叉").wait_for()
    page.locator("#place-save").click()
    page.locator('[data-forget="客厅"]').click()
    page.locator('[data-saved="客厅"]').wait_for(state="detached")
    page.locator("#place-cancel").click()
    page.locator(".live-stage [data-tile]").first.wait_for()


def test_a_live_hand_goes_to_the_desk_and_its_picture_to_the_sheet(
    watching: Any, address: str
) -> None:
    """捉伍儿 with 6m turned; the frame is kept because the box is ticked."""
    page = watching.page
    ask(address, "api/live/correct", {"indicator": "1z"})
    ask(
        address, "api/live/correct",
        {"add": {"tile": "5m", "x": 0.5, "y": 0.1, "role": "drawn", "seat": 0}},
    )  # fmt: skip
    page.locator('.live-hand .drawn [data-code="5m"]').wait_for()
    page.locator(".live-win").wait_for()

    # Why, in Live: the win's whole reason.
    page.locator("[data-why-win]").click()
    page.locator("#why .fans", has_text="捉伍").wait_for()
    page.keyboard.press("Escape")

    page.locator('[data-to-desk="0"]').click()
    page.locator("#view-score").wait_for()
    watching.expect("win", "捉伍")
    assert watching.codes("hand") == HAND
    assert watching.codes("drawn") == ["5m"]
    assert watching.codes("indicator") == ["1z"]
    assert page.locator("#stage .box").count() >= len(HAND)
    watching.begin(["王", "李", "赵", "钱"])
    watching.go("score")
    settle = page.locator("#settle")
    settle.locator('[data-winner="1"]').click()
    settle.locator("[data-keep]").check()
    settle.locator("[data-enter]").click()
    settle.locator("[data-entered]").wait_for()
    watching.go("sheet")
    assert "捉伍" in page.locator('[data-line="1"]').inner_text()
    page.locator('[data-more="1"]').click()
    kept = page.locator(".kept img")
    kept.wait_for()
    source = str(kept.get_attribute("src"))
    data = urllib.request.urlopen(address.rstrip("/") + source, timeout=PATIENCE_S).read()
    assert data[:3] == b"\xff\xd8\xff"
    assert b"Exif" not in data


def test_why_a_waiting_tile_wins_and_advice_put_away_with_its_warnings(
    watching: Any, address: str
) -> None:
    page = watching.page
    ask(address, "api/live/correct", {"indicator": "1z"})
    page.locator('[data-wait="5m"]').wait_for()
    page.locator('[data-why-wait="5m"]').click()
    page.locator("#why .fans", has_text="捉伍").wait_for()
    page.locator("[data-close-why]").click()
    # During play nothing helps: no waits, no advice, no warning, no why.
    page.locator("#live-hide").check()
    page.locator("[data-wait]").first.wait_for(state="detached")
    advice = page.locator('[data-part="advice"]')
    assert advice.locator("[data-warning], .why-button, .headline").count() == 0
    advice.locator("button", has_text="打完").click()
    page.locator('[data-wait="5m"]').wait_for()
    # The next hand puts it away again.
    page.locator("#live-new-hand").click()
    page.locator("[data-wait]").first.wait_for(state="detached")
    page.locator("#live-hide").uncheck()
    page.locator('[data-why-wait="5m"], [data-wait], .headline').first.wait_for()
