"""The whole path in a browser: a photo in, one tile corrected, the score changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.waiting import intercept

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.usefixtures("models")
def test_upload_correct_score_undo(
    open_desk: Any, first_sample: dict[str, Any], viewport: dict[str, int]
) -> None:
    """没混儿捉伍儿龙 is 2×(3+4) = 14 (the seed's list); with 5m misread it falls."""
    desk = open_desk(viewport, at="#by-hand")
    desk.upload(first_sample["path"])
    desk.page.locator("#photo-status", has_text="认出").wait_for()
    desk.put_right(first_sample)
    if not desk.codes("indicator"):
        desk.fill("indicator", first_sample["indicator"])
    desk.expect("win", "14 番")
    desk.expect("win", "没混儿捉伍儿龙")
    desk.expect("win", "(3+4)×2 = 14")
    desk.change("drawn", 0, "6m")
    desk.expect("no_win")
    desk.page.locator("#undo").click()
    desk.expect("win", "14 番")
    desk.page.locator("#redo").click()
    desk.expect("no_win")


@pytest.mark.usefixtures("models")
def test_page_opens_on_a_working_sample(open_desk: Any, first_sample: dict[str, Any]) -> None:
    desk = open_desk()
    desk.page.locator(f'[data-sample="{first_sample["file"]}"][aria-pressed="true"]').wait_for()
    desk.page.locator("#stage .box").first.wait_for()
    assert desk.codes("indicator") == [first_sample["indicator"]]
    assert len(desk.codes("hand")) >= 12
    assert desk.page.locator("#stage .box").count() >= 13


@pytest.mark.usefixtures("models")
def test_a_samples_turned_tile_does_not_pass_to_an_own_photo(
    open_desk: Any, first_sample: dict[str, Any]
) -> None:
    """Whoever drops a photo on the opening sample must not be scored with the sample's jokers."""
    desk = open_desk()
    desk.page.locator(f'[data-sample="{first_sample["file"]}"][aria-pressed="true"]').wait_for()
    desk.page.locator("#stage .box").first.wait_for()
    assert desk.codes("indicator") == [first_sample["indicator"]]
    desk.upload(Path(first_sample["path"]).with_name("waiting.jpg"))
    desk.page.locator('[data-sample][aria-pressed="true"]').wait_for(state="detached")
    assert desk.codes("indicator") == []


@pytest.mark.usefixtures("models")
def test_every_sample_is_one_tap_away(open_desk: Any) -> None:
    desk = open_desk()
    buttons = desk.page.locator("[data-sample]")
    for index in range(buttons.count()):
        buttons.nth(index).click()
        name = buttons.nth(index).get_attribute("data-sample")
        desk.page.locator(f'[data-sample="{name}"][aria-pressed="true"]').wait_for()
        desk.page.locator("#photo-status", has_text="认出").wait_for()
        assert desk.codes("hand")


@pytest.mark.usefixtures("models")
def test_turned_tile_marked_on_the_photo(open_desk: Any, first_sample: dict[str, Any]) -> None:
    """Tapping a box while marking makes it the turned tile; its kind and the next are jokers."""
    desk = open_desk()
    desk.upload(first_sample["path"])
    desk.page.locator("#photo-status", has_text="认出").wait_for()
    desk.page.locator("#mark").click()
    assert desk.page.locator("#mark").get_attribute("aria-pressed") == "true"
    box = desk.page.locator("#stage .box.hand").first
    tile = box.get_attribute("data-tile")
    box.click()
    desk.page.locator(f'#table .group.indicator [data-tile="{tile}"]').wait_for()
    desk.page.locator("#table .group.jokers img").nth(1).wait_for()
    assert desk.page.locator("#mark").get_attribute("aria-pressed") == "false"


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("way", ["drop", "paste"])
def test_photos_may_be_dropped_and_pasted(
    open_desk: Any, first_sample: dict[str, Any], way: str
) -> None:
    desk = open_desk(at="#by-hand")
    desk.page.evaluate(
        """async ([way, url]) => {
          const blob = await (await fetch(url)).blob();
          const carrier = new DataTransfer();
          carrier.items.add(new File([blob], "hand.jpg", {type: "image/jpeg"}));
          const event = way === "drop"
            ? new DragEvent("drop", {dataTransfer: carrier, bubbles: true, cancelable: true})
            : new ClipboardEvent("paste", {clipboardData: carrier, bubbles: true});
          document.getElementById("stage").dispatchEvent(event);
        }""",
        [way, f"/samples/{first_sample['file']}"],
    )
    desk.page.locator("#stage .box").first.wait_for()
    assert len(desk.codes("hand")) >= 12


BAD_PHOTOS = {
    "empty.jpg": b"",
    "words.jpg": "这不是照片".encode(),
    "cut.png": b"\x89PNG\r\n\x1a\n",
    "page.heic": b"<html><script>alert(1)</script>",
}


def test_a_bad_photo_is_explained_and_costs_nothing(open_desk: Any, tmp_path: Path) -> None:
    desk = open_desk(at="#by-hand")
    desk.lay(["1m", "2m"])
    for name, content in BAD_PHOTOS.items():
        path = tmp_path / name
        path.write_bytes(content)
        with desk.page.expect_response("**/api/read**") as answer:
            desk.upload(path)
        assert answer.value.status == 422
        desk.page.locator("#photo-status.wrong").wait_for()
        assert len(desk.page.locator("#photo-status").inner_text()) > 8
        assert desk.codes("hand") == ["1m", "2m"], "the table is as it was"


@pytest.mark.usefixtures("models")
def test_a_photo_the_browser_cannot_show_is_shown_by_the_server(
    open_desk: Any, first_sample: dict[str, Any]
) -> None:
    """HEIC in most browsers: the upright picture comes back with the reading."""
    desk = open_desk(at="#by-hand")
    desk.page.evaluate("URL.createObjectURL = () => 'blob:nothing-here'")
    desk.upload(first_sample["path"])
    desk.page.locator('#stage img[src^="data:image/jpeg"]').wait_for()
    desk.page.locator("#stage .box").first.wait_for()
    width = desk.page.locator("#stage img").evaluate(
        "async (image) => { await image.decode(); return image.naturalWidth; }"
    )
    assert width > 100


def test_a_server_that_is_gone_is_said_so(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    intercept(desk.page, "**/api/score", lambda route: route.abort())
    desk.lay(["1m", "2m"])
    desk.expect("error", "连不上捉伍程序")
    desk.page.unroute("**/api/score")
    desk.change("hand", 0, "3m")
    desk.expect("impossible")
