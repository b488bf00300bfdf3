"""The live view by keyboard alone: a camera started, a tile put right and taken back, the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from datasets.hand_picture import render_hand
from vision.opencv import cv2

LIVE = '.live-banner[data-kind="live"], .live-banner[data-kind="doubt"]'

HAND = ["2m", "3m", "5m", "6m", "7m", "1p", "2p", "3p", "7s", "8s", "9s", "9p", "9p"]
MOST_TABS = 150


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


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until the focus is where it should be, and can be seen there."""
    for _ in range(MOST_TABS):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            style = "s => { const o = getComputedStyle(document.activeElement); return o[s]; }"
            drawn = page.evaluate(style, "outlineStyle")
            inside = page.evaluate("() => document.activeElement.closest('svg') !== null")
            assert drawn == "solid" or inside
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by {MOST_TABS} tabs")


@pytest.mark.usefixtures("models", "camera_off")
def test_the_live_view_by_keyboard_alone(open_desk: Any, film: Path) -> None:
    desk = open_desk(language="en-US", at="#live")
    page, keyboard = desk.page, desk.page.keyboard
    page.locator("#live-source").wait_for()
    tab_to(page, "#live-source")
    keyboard.type(str(film))
    keyboard.press("Enter")
    page.locator(LIVE).wait_for()
    page.locator(".live-hand .hand [data-strip]").nth(12).wait_for()

    tab_to(page, ".live-hand [data-strip]")
    before = page.evaluate("() => document.activeElement.dataset.code")
    tile = page.evaluate("() => document.activeElement.dataset.strip")
    keyboard.press("Enter")
    page.locator("#picker[open]").wait_for()
    # A frame comes meanwhile, and the row is drawn anew.
    page.evaluate(
        """() => {
          const row = document.querySelector(".live-hand .hand .row");
          row.replaceChildren(...[...row.children].map((one) => one.cloneNode(true)));
        }"""
    )
    tab_to(page, "#picker .grid [data-code]")
    for key in ("ArrowDown", "ArrowRight"):
        keyboard.press(key)
    chosen = page.evaluate("() => document.activeElement.dataset.code")
    assert chosen != before
    keyboard.press("Enter")
    page.locator(f'.live-hand .corrected[data-strip="{tile}"][data-code="{chosen}"]').wait_for()
    assert page.evaluate("() => document.activeElement.dataset.strip") == tile, "the focus stays"

    keyboard.press("Enter")
    page.locator("#picker[open]").wait_for()
    keyboard.press("Escape")
    page.locator("#picker[open]").wait_for(state="detached")
    page.evaluate("() => document.getElementById('view-live').focus()")
    tab_to(page, "#live-undo")
    keyboard.press("Enter")
    page.locator(f'.live-hand [data-strip="{tile}"][data-code="{before}"]').wait_for()
    tab_to(page, "#live-stop")
    keyboard.press("Enter")
    page.locator(".live-banner").wait_for(state="hidden")
    page.locator("#live-source").wait_for()
