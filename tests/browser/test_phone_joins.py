"""`zhuowu serve --lan` in a browser: a phone scans the QR code and becomes the table's camera."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from server.lan import lan_address
from tests.browser.waiting import PATIENCE_MS, PATIENCE_S
from vision.opencv import cv2

LIVE = '.live-banner[data-kind="live"], .live-banner[data-kind="doubt"]'
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """What the command prints: the address for this machine, and the one for phones.

    It listens on this machine alone, so the phone here goes to 127.0.0.1 instead.
    """
    if lan_address() is None:
        pytest.skip("this machine is in no network")
    process = subprocess.Popen(
        [sys.executable, "-m", "server.cli", "serve", "--lan", "--host", "127.0.0.1",
         "--port", "0", "--no-open"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
        env=os.environ | {"ZHUOWU_DATA_FOLDER": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path),
                          "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        own = process.stdout.readline().split()[-1]
        phones = process.stdout.readline().split()[-1]
        if not phones.startswith("https:"):
            pytest.skip(f"no certificate can be made here: {phones}")
        yield own, phones
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


@pytest.fixture
def phone(chromium: Any) -> Iterator[Any]:
    """A phone's browser with a camera."""
    browser = chromium.browser_type.launch(
        executable_path="/usr/bin/chromium",
        args=[
            "--no-sandbox",
            "--disable-gpu",
            "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream",
        ],
    )
    yield browser
    browser.close()


def scan(drawn: np.ndarray) -> str:
    """Read a code as a phone does, from several distances: OpenCV's reader fails now and then."""
    for size in (2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0):
        near = cv2.resize(drawn, None, fx=size, fy=size, interpolation=cv2.INTER_CUBIC)
        text, _, _ = cv2.QRCodeDetector().detectAndDecode(near)
        if text:
            return str(text)
    return ""


def test_a_phone_scans_the_code_and_is_the_camera(
    chromium: Any, phone: Any, lan: tuple[str, str], audit: Any
) -> None:
    own, address = lan
    here = chromium.new_page(viewport={"width": 1440, "height": 900}, locale="zh-CN")
    here.set_default_timeout(PATIENCE_MS)
    here.goto(f"{own}#live")
    here.locator(".live-phone img").wait_for()
    here.locator(".live-phone img").scroll_into_view_if_needed()
    here.locator(".live-phone img").evaluate("image => image.decode()")
    assert "code" not in here.url, "the code does not stay in the address"
    assert audit(here) == []
    drawn = cv2.imdecode(
        np.frombuffer(here.locator(".live-phone img").screenshot(scale="css"), np.uint8), 1
    )
    scanned = scan(drawn)
    assert scanned == address, "the code says what the terminal says"
    assert here.locator(".live-phone code").inner_text() == address

    there = re.sub(r"//[^/:]+", "//127.0.0.1", address)
    # The phone warns that nobody it knows has signed the certificate; one goes on.
    context = phone.new_context(
        viewport=PHONE, locale="zh-CN", is_mobile=True, has_touch=True, ignore_https_errors=True
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    refused = page.goto(there.split("?")[0])
    assert refused.status == 403
    page.goto(there)
    page.locator("#answer[data-kind]").wait_for(state="attached")
    assert "code" not in page.url
    page.goto(f"{page.url}#live")
    page.locator("#live-source").fill("/etc/hosts")
    page.locator("#live-start").click()
    page.locator(".status.wrong", has_text="只有运行捉伍的电脑").wait_for()
    page.locator("#live-browser").click()
    page.locator(LIVE).wait_for()
    here.locator(LIVE).wait_for()
    here.locator(".live-stage img[src^='blob:']").wait_for()

    context.close()  # the phone is put away
    here.locator('.live-banner[data-kind="offline"]').wait_for()
    here.close()
