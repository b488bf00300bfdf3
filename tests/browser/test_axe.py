"""axe-core finds nothing wrong in any view: WCAG 2.2 A and AA, and axe's best practices.

Every view is walked in both languages, dark and light, on a desktop and on a phone, with what it
can open (pickers, folds, lists) open. The live view looks at a hand, so that tiles are outlined.
"""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import pytest

from datasets.hand_picture import render_hand
from rules import parse_tiles
from tests.browser.waiting import PATIENCE_S
from vision.opencv import cv2

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
LIGHT = {
    "type": "tag",
    "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
# The page is the same in the dark but for its colours.
DARK = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
FIND = """rules => axe.run(document, {
    runOnly: rules, resultTypes: ["violations"],
  }).then(({violations}) => violations.flatMap(({id, impact, nodes}) => nodes.map((node) =>
    `${impact} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`)))"""
HAND = ["2m", "3m", "5m", "6m", "7m", "1p", "2p", "3p", "7s", "8s", "9s", "9p", "9p"]
WHY = ".live-advice .why-button, .live-advice [data-why-help]"

Find = Callable[[Any, dict[str, Any]], list[str]]
Check = Callable[[Any, str], None]


@pytest.fixture(scope="session")
def find() -> Find:
    """What axe finds wrong on a page as it is, by some of its rules."""
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    script = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")

    def found(page: Any, rules: dict[str, Any]) -> list[str]:
        # The page's policy stays in force: it binds the page's scripts, not the test tool's.
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(script)
        problems: list[str] = page.evaluate(FIND, rules)
        return problems

    return found


@pytest.fixture(scope="session")
def axe(find: Find) -> Check:
    """Assert that axe finds nothing on a page, light and dark; the text says what is looked at."""

    def check(page: Any, what: str) -> None:
        for theme, rules in (("light", LIGHT), ("dark", DARK)):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            found = find(page, rules)
            assert found == [], f"{what}, {theme}: {found}"

    return check


@pytest.fixture(scope="module")
def picture() -> bytes:
    """A hand that waits for two tiles, from its owner's seat."""
    scene = render_hand(HAND, seed=11, width=960)
    return bytes(cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())


@pytest.fixture
def watched(address: str, models: None, picture: bytes) -> Iterator[None]:
    """The live table is sent pictures, as from a browser's camera, until the test ends."""

    def ask(method: str, path: str, body: bytes | None = None, kind: str = "image/jpeg") -> None:
        request = urllib.request.Request(
            f"{address}api/live/{path}", data=body, method=method, headers={"Content-Type": kind}
        )
        urllib.request.urlopen(request, timeout=PATIENCE_S).read()

    over = threading.Event()

    def send() -> None:
        while not over.wait(0.2):
            ask("POST", "frames", picture)

    ask("POST", "source", json.dumps({"browser": True}).encode(), "application/json")
    sender = threading.Thread(target=send)
    sender.start()
    yield
    over.set()
    sender.join(PATIENCE_S)
    ask("DELETE", "source")


def score(desk: Any, axe: Check) -> None:
    page = desk.page
    axe(page, "the sample")
    desk.lay(list(parse_tiles("1234m6789m23p7m11z")))
    desk.fill("drawn", "5m")
    desk.fill("indicator", "6m")
    desk.expect("win", "14")
    page.locator("#rules summary").click()
    axe(page, "a win, the rules open")
    page.locator("#table .tile-button").first.click()
    page.locator("#picker[open]").wait_for()
    axe(page, "the picker")
    page.keyboard.press("Escape")
    page.locator("#settle [data-winner]").first.click()
    page.locator("#settle .payments").wait_for()
    axe(page, "who pays")
    desk.change("drawn", 0, "1z")
    desk.expect("no_win")
    page.locator("[data-discard]").first.wait_for()
    axe(page, "advice")


def opening(desk: Any, axe: Check) -> None:
    page = desk.page
    desk.go("opening")
    axe(page, "before the first roll")
    for dice in ((6, 6), (4, 4), (1, 5)):
        desk.roll(*dice)
    page.locator(".seating summary").click()
    page.locator(".seating .steps").wait_for()
    axe(page, "the walls, the seats")
    page.locator("[data-turned]").click()
    axe(page, "the picker of the turned tile")
    desk.pick("5m")
    page.locator(".jokers-now").wait_for()
    axe(page, "the jokers")


def sheet(desk: Any, axe: Check) -> None:
    page = desk.page
    desk.go("sheet")
    axe(page, "a new sheet or the last one")
    desk.begin(["甲", "乙", "Bartholomew", "丁"])
    desk.settle(2, 6, ("gang-1-open", "zuo", "la-2"))
    axe(page, "a hand being settled")
    desk.enter()
    desk.settle(1, 4)
    desk.enter()
    page.locator('[data-undo="1"]').click()
    page.locator(".taken-back").wait_for()
    page.locator('[data-more="1"]').click()
    page.locator(".more .owed").wait_for()
    axe(page, "hands, one taken back")
    page.locator("[data-correct]").first.click()
    axe(page, "a line being corrected")


def tiles(desk: Any, axe: Check) -> None:
    desk.go("tiles")
    desk.page.locator(".guide-cell").nth(33).wait_for()
    axe(desk.page, "a set to be taught")
    desk.page.locator("#teach-kind-others").check()
    axe(desk.page, "a set of another kind")


def learn(desk: Any, axe: Check) -> None:
    page = desk.page
    desk.go("learn")
    page.locator("#fan-zhuowu_benhun_long summary").click()
    axe(page, "a combination")
    page.locator('.parts [href="#learn/words"]').click()
    page.locator(".terms").wait_for()
    axe(page, "the words")
    page.locator('.parts [href="#learn/drills"]').click()
    page.locator("[data-choice]").first.click()
    axe(page, "a drill")


def docs(desk: Any, axe: Check) -> None:
    desk.page.goto(desk.page.url.split("#")[0] + "api/docs")
    desk.page.locator("article.operation").first.wait_for()
    axe(desk.page, "the interface's description")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_axe_finds_nothing_in_any_view(
    open_desk: Any, axe: Check, viewport: dict[str, int], language: str
) -> None:
    desk = open_desk(viewport, language, at="#score")
    for view in (score, opening, sheet, tiles, learn, docs):
        view(desk, axe)


@pytest.mark.usefixtures("watched")
def test_axe_finds_nothing_at_a_live_table(open_desk: Any, axe: Check) -> None:
    page = open_desk(at="#live").page
    page.locator(".live-stage [data-tile]").nth(9).wait_for()
    page.locator(WHY).first.wait_for()
    for language in ("zh", "en"):
        for viewport in (DESKTOP, PHONE):
            page.set_viewport_size(viewport)
            axe(page, f"a live table, {language}, {viewport['width']}")
            page.locator(".live-hand [data-strip]").first.click()
            page.locator("#picker[open]").wait_for()
            axe(page, f"the picker over the live table, {language}, {viewport['width']}")
            page.keyboard.press("Escape")
            page.locator(WHY).first.click()
            page.locator("#why[open]").wait_for()
            axe(page, f"why, {language}, {viewport['width']}")
            page.locator("[data-close-why]").click()
            page.locator("#live-add").click()
            page.locator("#live-add-layer").wait_for()
            axe(page, f"a tile being added, {language}, {viewport['width']}")
            page.keyboard.press("Escape")
            page.locator("#live-place").click()
            page.locator('[data-corner="0"]').wait_for()
            axe(page, f"the table being placed, {language}, {viewport['width']}")
            page.locator("#place-cancel").click()
        page.locator("#language").click()


@pytest.mark.usefixtures("camera_off")
def test_axe_finds_nothing_before_a_camera_is_started(open_desk: Any, axe: Check) -> None:
    desk = open_desk(at="#live")
    desk.page.locator("#live-source").wait_for()
    axe(desk.page, "no camera yet")
    desk.page.locator("#live-source").fill("no/such/film.avi")
    desk.page.locator("#live-start").click()
    desk.page.locator('.live-banner[data-kind="offline"]').wait_for()
    axe(desk.page, "a camera that is not there")


def test_axe_would_find_it(open_desk: Any, find: Find) -> None:
    """The check itself: a picture without words, a nameless button, pale text are found."""
    page = open_desk(at="#by-hand").page
    assert find(page, LIGHT) == []
    page.evaluate(
        """() => {
          const spoil = document.createElement("p");
          spoil.append(new Image(9, 9), document.createElement("button"), "pale");
          spoil.style.color = "rgb(170, 170, 170)";
          document.getElementById("answer").append(spoil);
        }"""
    )
    found = " ".join(find(page, LIGHT))
    for rule in ("image-alt", "button-name", "color-contrast"):
        assert rule in found
