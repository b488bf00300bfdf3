"""Languages, themes, contrast, names for screen readers, sizes: checked in the drawn page."""

from __future__ import annotations

from typing import Any

import pytest

from rules import parse_tiles

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}

CONTRAST = """() => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = (top, under) =>
    [0, 1, 2].map((k) => top[k] * top[3] + under[k] * (1 - top[3])).concat(1);
  const ground = (node) => {
    const layers = [];
    for (let n = node; n; n = n.parentElement) {
      const colour = parse(getComputedStyle(n).backgroundColor);
      layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const poor = [];
  for (const node of document.querySelectorAll("body *")) {
    if (node.closest("svg, [disabled], noscript, .unseen, .skip")) continue;
    if (![...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    if (!node.checkVisibility() || !node.getClientRects().length) continue;
    const style = getComputedStyle(node);
    const back = ground(node);
    const text = over(parse(style.color), back);
    const [a, b] = [light(text), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) {
      poor.push(`${node.tagName}.${node.className} "${node.textContent.trim().slice(0, 20)}" `
        + ratio.toFixed(2));
    }
  }
  return poor;
}"""

NAMES = """() => {
  const problems = [];
  const nameOf = (node) => (node.getAttribute("aria-label") || node.textContent.trim()
    || [...(node.labels ?? [])].map((l) => l.textContent.trim()).join("")
    || document.getElementById(node.getAttribute("aria-labelledby"))?.textContent || "").trim();
  const named = "button, a[href], input, select, summary, dialog[open], "
    + "[role=button], [role=group], [role=img]";
  const short = (node) => node.outerHTML.slice(0, 90);
  for (const node of document.querySelectorAll(named)) {
    if (node.checkVisibility() && !nameOf(node)) problems.push(`no name: ${short(node)}`);
  }
  for (const node of document.querySelectorAll("img")) {
    if (!node.hasAttribute("alt")) problems.push(`no alt: ${short(node)}`);
    if (!node.hasAttribute("width")) problems.push(`no width: ${short(node)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  if (new Set(ids).size !== ids.length) problems.push("an id is used twice");
  if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
  for (const node of document.querySelectorAll("button, select, .button, summary")) {
    const {width, height} = node.getBoundingClientRect();
    if (node.checkVisibility() && (width < 24 || height < 24)) {
      problems.push(`too small to tap: ${short(node)} ${width}x${height}`);
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.push("wider than the screen");
  return problems;
}"""


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
    open_desk: Any, theme: str, viewport: dict[str, int], language: str
) -> None:
    """WCAG 2.2 AA: text 4.5:1 (large 3:1), a name for every control, targets of 24 px."""
    desk = open_desk(viewport, language, theme)
    assert desk.page.evaluate(CONTRAST) == []
    assert desk.page.evaluate(NAMES) == []
    show_everything(desk)
    assert desk.page.evaluate(CONTRAST) == []
    assert desk.page.evaluate(NAMES) == []
    desk.page.locator("#table .tile-button").first.click()
    desk.page.locator("#picker[open]").wait_for()
    assert desk.page.evaluate(CONTRAST) == []
    assert desk.page.evaluate(NAMES) == []
    desk.page.keyboard.press("Escape")
    desk.change("drawn", 0, "1z")
    desk.expect("no_win")
    assert desk.page.evaluate(CONTRAST) == []


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
            "drillview", "learn", "opening", "paymentview", "seating", "settle", "sheet",
            "sheetlines", "tabledraw"];
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
    page.locator("#answer[data-kind]").wait_for(timeout=120_000)
    assert page.evaluate("window.shift") < 0.1
    page.close()
