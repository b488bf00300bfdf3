"""A real server and a real Chromium for the page's tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.samples import list_samples, samples_folder

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
    environment = os.environ | {"HOME": str(home), "XDG_CONFIG_HOME": str(home)}
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
        process.wait(10)


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
        urllib.request.urlopen(request, timeout=120).read()
    except urllib.error.HTTPError as error:
        pytest.skip(f"no usable models: {error.read()[:200]!r}")


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
        self.page.locator(f'#answer[data-kind="{kind}"]', has_text=text).wait_for(timeout=10_000)

    def upload(self, path: Path) -> None:
        self.page.set_input_files("#file", str(path))

    def ready(self) -> None:
        """Wait until the page has its first answer."""
        self.page.locator("#answer[data-kind]").wait_for(timeout=120_000)


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
    ) -> Desk:
        context = chromium.new_context(
            viewport=viewport,
            locale=language,
            color_scheme=theme,
            has_touch=viewport["width"] < 600,
            is_mobile=viewport["width"] < 600,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
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
