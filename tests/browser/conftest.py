"""A real server and a real Chromium for the page's tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.samples import list_samples, samples_folder
from tests.browser.waiting import PATIENCE_MS, PATIENCE_S, Held, wait_until

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's Chromium, driven by playwright."""
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `zhuowu serve` on a free port of this machine."""
    home = tmp_path_factory.mktemp("home")
    environment = os.environ | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "ZHUOWU_DATA_FOLDER": str(home / "data"),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--no-open"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    assert "http://127.0.0.1:" in first, first
    try:
        yield first.split()[-1]
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


@pytest.fixture(scope="session")
def models(address: str) -> None:
    """Skip where no models are installed: no photo can be read then."""
    if not list_samples():
        pytest.skip("no sample photos in datasets/samples")
    # A photo waits for the models, so its answer tells whether they loaded.
    request = urllib.request.Request(
        f"{address}api/read", data=list_samples()[0].path.read_bytes(), method="POST"
    )
    try:
        urllib.request.urlopen(request, timeout=PATIENCE_S).read()
    except urllib.error.HTTPError as error:
        pytest.skip(f"no usable models: {error.read()[:200]!r}")


@pytest.fixture
def camera_off(address: str) -> Iterator[None]:
    """No camera is running, neither for this test at its start nor for the next one."""
    request = urllib.request.Request(f"{address}api/live/source", method="DELETE")
    urllib.request.urlopen(request, timeout=PATIENCE_S).read()
    yield
    urllib.request.urlopen(request, timeout=PATIENCE_S).read()


class Desk:
    """The page as a person uses it."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def codes(self, place: str) -> list[str]:
        """The tiles of a place, by their pictures."""
        images = self.page.locator(f"#table .group.{place} .tile-button img")
        sources = images.evaluate_all("nodes => nodes.map(node => node.getAttribute('src'))")
        return [source.split("/")[-1].split(".")[0] for source in sources]

    def pick(self, code: str) -> None:
        self.page.locator(f'#picker .grid [data-code="{code}"]').click()

    def change(self, place: str, index: int, code: str) -> None:
        """Tap a tile and choose what it is."""
        self.page.locator(f"#table .group.{place} .tile-button").nth(index).click()
        self.pick(code)

    def until(self, function: str, value: Any = None) -> None:
        """Ask the page until a JavaScript function of `value` answers true."""
        wait_until(self.page, function, value)

    def hold(self, path: str, sent: bool = True, method: str | None = None) -> Held:
        """Hold back the next answer from an address; see `Held`."""
        return Held(self.page, path, sent, method)

    def fill(self, place: str, code: str) -> None:
        """Tap a free place and choose the tile."""
        self.page.locator(f'[data-slot="{place}"]').click()
        self.pick(code)

    def lay(self, tiles: list[str]) -> None:
        """Start from an empty table and lay the hand."""
        self.page.locator("#by-hand").click()
        for tile in tiles:
            self.pick(tile)
        self.page.keyboard.press("Escape")

    def action(self, label: str) -> None:
        """A button of the open picker by its text."""
        self.page.locator("#picker .moves button", has_text=label).first.click()

    def expect(self, kind: str, text: str = "") -> None:
        """Wait until the answer is of a kind and contains a text."""
        self.page.locator(f'#answer[data-kind="{kind}"]', has_text=text).wait_for()

    def upload(self, path: Path) -> None:
        self.page.set_input_files("#file", str(path))

    def put_right(self, sample: dict[str, Any]) -> None:
        """Correct whatever was read wrongly, as a person would: roles, number, then names."""
        last = self.page.locator("#table .group.hand .tile-button").last
        if not self.codes("drawn"):
            last.click()
            self.action("抓的牌")
        while len(self.codes("hand")) > len(sample["tiles"]):
            last.click()
            self.action("删掉这张")
        self.page.locator("#add").click()
        for _ in range(len(sample["tiles"]) - len(self.codes("hand"))):
            self.pick("1m")
        self.page.keyboard.press("Escape")
        missing = Counter(sample["tiles"]) - Counter(self.codes("hand"))
        surplus = Counter(self.codes("hand")) - Counter(sample["tiles"])
        for wrong, right in zip(surplus.elements(), missing.elements(), strict=True):
            self.change("hand", self.codes("hand").index(wrong), right)
        if self.codes("drawn") != [sample["drawn"]]:
            self.change("drawn", 0, sample["drawn"])
        assert sorted(self.codes("hand")) == sorted(sample["tiles"])

    def ready(self) -> None:
        """Wait until the page has its first answer, whichever view is looked at."""
        self.page.locator("#answer[data-kind]").wait_for(state="attached")

    def go(self, view: str) -> None:
        """Follow the link to a view."""
        self.page.locator(f'#views [data-view="{view}"]').click()
        self.page.locator(f"#view-{view}").wait_for()

    def roll(self, first: int, second: int, within: str = ".guide") -> None:
        """Tap a roll of two dice, and wait until it is taken."""
        before = self.page.locator(f"{within} .steps .done").count()
        for which, points in enumerate((first, second)):
            self.page.locator(f'{within} [data-which="{which}"][data-points="{points}"]').click()
        self.page.locator(f"{within} .steps .done").nth(before).wait_for()

    def begin(self, players: list[str]) -> None:
        """Begin a 锅 on the score sheet."""
        self.go("sheet")
        self.page.locator("[data-new], [data-player]").first.wait_for()
        if not self.page.locator("[data-player]").count():
            self.page.locator("[data-new]").click()
        for seat, name in enumerate(players):
            self.page.locator(f'[data-player="{seat}"]').fill(name)
        self.page.locator('.begin button[type="submit"]').click()
        self.page.locator("#view-sheet [data-winner]").first.wait_for()

    def settle(self, winner: int | None, fan: int = 0, taps: tuple[str, ...] = ()) -> None:
        """Say on the sheet how a hand ended; `taps` are gang-2-open, zuo, la-1 and the like."""
        sheet = self.page.locator("#view-sheet")
        sheet.locator(f'[data-winner="{"none" if winner is None else winner}"]').click()
        if fan:
            sheet.locator("[data-fan]").fill(str(fan))
            sheet.locator("[data-fan]").press("Tab")
        for tap in taps:
            name, _, value = tap.partition("-")
            sheet.locator(f'[data-{name}="{value}"]').click()
        sheet.locator('.account[aria-busy="false"] .payments').wait_for()

    def enter(self) -> None:
        """Enter what is settled on the sheet, and wait until it stands there."""
        lines = self.page.locator("[data-line]").count()
        self.page.locator("#view-sheet [data-enter]").click()
        self.page.locator("[data-line]").nth(lines).wait_for()

    def totals(self) -> list[str]:
        """The totals of the sheet by seat."""
        return self.page.locator("#view-sheet [data-total]").all_inner_texts()


@pytest.fixture
def open_desk(chromium: Any, address: str) -> Iterator[Any]:
    """Open the page; at the end nothing may have gone wrong or left this machine."""
    contexts: list[Any] = []
    problems: list[str] = []

    def opened(
        viewport: dict[str, int] = DESKTOP,
        language: str = "zh-CN",
        theme: str = "light",
        at: str = "",
        browser: Any = None,
    ) -> Desk:
        context = (browser or chromium).new_context(
            viewport=viewport,
            locale=language,
            color_scheme=theme,
            has_touch=viewport["width"] < 600,
            is_mobile=viewport["width"] < 600,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: problems.append(f"script error: {error}"))
        page.on("request", lambda request: _check_request(request.url, address, problems))
        page.on(
            "console",
            lambda message: (
                problems.append(message.text) if "Content Security" in message.text else None
            ),
        )
        page.goto(address + at)
        desk = Desk(page)
        desk.ready()
        return desk

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture(scope="session")
def audit() -> Any:
    """Everything on a page that WCAG 2.2 AA would refuse, as far as a script can tell."""
    here = Path(__file__).parent
    scripts = [(here / name).read_text(encoding="utf-8") for name in ("contrast.js", "names.js")]

    def problems(page: Any) -> list[str]:
        return [found for script in scripts for found in page.evaluate(script)]

    return problems


def _check_request(url: str, address: str, problems: list[str]) -> None:
    if not url.startswith((address, "blob:", "data:")):
        problems.append(f"a request left this machine: {url}")


@pytest.fixture(scope="session")
def first_sample() -> dict[str, Any]:
    """The first sample with its true tiles."""
    if not list_samples():
        pytest.skip("no sample photos in datasets/samples")
    text = (samples_folder() / "samples.json").read_text(encoding="utf-8")
    sample: dict[str, Any] = json.loads(text)["samples"][0]
    return sample | {"path": samples_folder() / sample["file"]}
