"""Languages, themes, contrast, names for screen readers, sizes: checked in the drawn page."""

from __future__ import annotations

from typing import Any

import pytest

from rules import parse_tiles
from tests.browser.waiting import PATIENCE_MS

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


def show_everything(desk: Any) -> None:
    """A win with jokers, every option open: most of what the page can show."""
    desk.lay(list(parse_tiles("1234m6789m23p7m11z")))
    desk.fill("drawn", "5m")
    desk.fill("indicator", "6m")
    desk.expect("win", "14")
    desk.page.locator("#rules summary").click()


@pytest.mark.parametrize(
    ("theme", "viewport", "language"),
    [
        ("light", DESKTOP, "zh-CN"),
        ("dark", DESKTOP, "en-US"),
        ("light", PHONE, "en-US"),
        ("dark", PHONE, "zh-CN"),
    ],
    ids=["light-desktop-zh", "dark-desktop-en", "light-phone-en", "dark-phone-zh"],
)
def test_contrast_names_and_sizes(
    open_desk: Any, audit: Any, theme: str, viewport: dict[str, int], language: str
) -> None:
    """WCAG 2.2 AA: text 4.5:1 (large 3:1), a name for every control, targets of 24 px."""
    desk = open_desk(viewport, language, theme)
    assert audit(desk.page) == []
    show_everything(desk)
    assert audit(desk.page) == []
    desk.page.locator("#table .tile-button").first.click()
    desk.page.locator("#picker[open]").wait_for()
    assert audit(desk.page) == []
    desk.page.keyboard.press("Escape")
    desk.change("drawn", 0, "1z")
    desk.expect("no_win")
    assert audit(desk.page) == []


def test_language_is_switched_and_remembered(open_desk: Any) -> None:
    desk = open_desk(language="zh-CN", at="#by-hand")
    assert desk.page.evaluate("document.documentElement.lang") == "zh-CN"
    show_everything(desk)
    desk.page.locator("#language").click()
    assert desk.page.evaluate("document.documentElement.lang") == "en"
    assert desk.page.locator("#answer-title").inner_text() == "Score"
    desk.expect("win", "14 fan")
    assert "5 Characters" in desk.page.locator("#table .group.drawn [data-tile]").get_attribute(
        "aria-label"
    )
    desk.page.reload()
    desk.ready()
    assert desk.page.evaluate("document.documentElement.lang") == "en"
    assert desk.page.locator("#language").inner_text() == "中文"


def test_theme_follows_the_system_and_can_be_chosen(open_desk: Any) -> None:
    desk = open_desk(theme="dark", at="#by-hand")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = desk.page.evaluate(ground)
    desk.page.locator("#theme").click()
    light = desk.page.evaluate(ground)
    assert dark != light
    desk.page.reload()
    desk.ready()
    assert desk.page.evaluate(ground) == light


def test_every_sentence_is_in_both_languages(open_desk: Any) -> None:
    """No Chinese key lacks its English or the other way round, and none is asked for in vain."""
    desk = open_desk(at="#by-hand")
    wrong = desk.page.evaluate(
        """async () => {
          const words = await import("/static/js/words.js");
          const keys = new Set();
          const files = ["main", "views", "desk", "answerview", "deskview", "doubtview", "editor",
            "photoview", "picker", "rulesview", "source", "tiles", "coach", "deskextras", "dice",
            "drillview", "learn", "live", "livecamera", "livefeed", "liveview", "opening",
            "paymentview", "seating", "settle", "sheet", "liveadd", "livedesk", "livepicker",
            "liveplace", "liverules", "liveset", "livestart", "adjust", "mytiles", "openingcamera",
            "whyview", "sheetlines", "tabledraw", "fixescard", "setscard", "teach", "teachview",
            "tilesdraw"];
          for (const file of files) {
            const text = await (await fetch(`/static/js/${file}.js`)).text();
            for (const [, key] of text.matchAll(/\\bt\\("(\\w+)"/g)) keys.add(key);
          }
          for (const node of document.querySelectorAll("[data-t]")) keys.add(node.dataset.t);
          const wrong = [];
          for (const language of words.LANGUAGES) {
            words.setLanguage(language);
            for (const key of keys) {
              try {
                if (!words.t(key)) wrong.push(`${language}: ${key} is empty`);
              } catch (error) {
                wrong.push(error.message);
              }
            }
          }
          return wrong;
        }"""
    )
    assert wrong == []


def test_focus_can_be_seen(open_desk: Any) -> None:
    desk = open_desk(at="#by-hand")
    for _ in range(6):
        desk.page.keyboard.press("Tab")
        outline = desk.page.evaluate(
            "(() => { const n = document.activeElement;"
            " const s = getComputedStyle(n.closest('.button') ?? n);"
            " return [s.outlineStyle, parseFloat(s.outlineWidth)]; })()"
        )
        assert outline[0] == "solid"
        assert outline[1] >= 2


def test_nothing_jumps_while_the_page_loads(chromium: Any, address: str) -> None:
    """Layout shift (CLS) below 0.1, the mark of a good page, up to the first answer."""
    page = chromium.new_page(viewport=PHONE)
    page.add_init_script(
        "window.shift = 0; new PerformanceObserver((list) => { for (const e of list.getEntries())"
        " if (!e.hadRecentInput) window.shift += e.value; })"
        ".observe({type: 'layout-shift', buffered: true});"
    )
    page.goto(address)
    page.locator("#answer[data-kind]").wait_for(timeout=PATIENCE_MS)
    assert page.evaluate("window.shift") < 0.1
    page.close()
