"""The live view in Chromium: a film, this device's camera, corrections, a lost camera."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from datasets.film import Film
from datasets.hand_picture import render_hand
from tests.browser.live_hand import hand, put_right
from tests.browser.waiting import PATIENCE_MS, PATIENCE_S, wait_until
from vision.opencv import cv2

HAND = ["2m", "3m", "5m", "6m", "7m", "1p", "2p", "3p", "7s", "8s", "9s", "9p", "9p"]
WAITED = {"1m", "4m"}


@pytest.fixture
def no_camera(address: str) -> Iterator[None]:
    """No camera is left running for the next test."""
    yield
    request = urllib.request.Request(f"{address}api/live/source", method="DELETE")
    urllib.request.urlopen(request, timeout=PATIENCE_S).read()


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The beginning of a round, filmed, a few seconds; and where it ends, standing for minutes."""
    folder = tmp_path_factory.mktemp("film")
    round_ = Film(3, "seat", short=True, width=640, fps=2)
    images = [image for image, _ in islice(round_.frames(), 60)]
    for name, fps, shown in (("round", 8, images), ("standing", 2, images[-1:] * 600)):
        path = str(folder / f"{name}.avi")
        writer = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"MJPG"), fps, round_.size)
        for image in shown:
            writer.write(image)
        writer.release()
    return folder / "round.avi", folder / "standing.avi"


@pytest.fixture(scope="module")
def hand_camera(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser whose camera looks at a rendered hand that waits for two tiles."""
    scene = render_hand(HAND, seed=11, width=960)
    coded = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    path = tmp_path_factory.mktemp("camera") / "hand.mjpeg"
    path.write_bytes(coded * 4)
    browser = chromium.browser_type.launch(
        executable_path="/usr/bin/chromium",
        args=[
            "--no-sandbox",
            "--disable-gpu",
            "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-video-capture={path}",
        ],
    )
    yield browser
    browser.close()


def wait_for_banner(page: Any, kind: str) -> None:
    """Wait for a state of the camera; a live one may have doubts to be looked at."""
    kinds = ("live", "doubt") if kind == "live" else (kind,)
    banner = ", ".join(f'.live-banner[data-kind="{one}"]' for one in kinds)
    page.locator(banner).wait_for()


def session_number(address: str) -> int:
    """Which table is watched."""
    with urllib.request.urlopen(f"{address}api/live", timeout=PATIENCE_S) as answer:
        return int(json.loads(answer.read())["session"]["number"])


def test_this_devices_camera_from_picture_to_waits(
    hand_camera: Any, address: str, models: None, no_camera: None
) -> None:
    """Started by a tap, read, put right, undone, watched by a second page, lost and found."""
    context = hand_camera.new_context(viewport={"width": 390, "height": 844}, locale="zh-CN")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "console",
        lambda m: problems.append(m.text) if "Content Security" in m.text else None,
    )
    page.goto(f"{address}#live")
    page.locator("#live-browser").click()
    wait_for_banner(page, "live")
    page.locator(".live-hand .hand [data-strip]").nth(12).wait_for()

    # Whatever was misread is put right as a person would: tap it, choose what it is.
    assert put_right(page, HAND) <= 4
    wait_until(
        page,
        """wanted => [...document.querySelectorAll("[data-wait]")]
          .map((one) => one.dataset.wait).sort().join() === wanted""",
        ",".join(sorted(WAITED)),
    )
    assert "番" in page.locator("[data-wait]").first.inner_text()
    assert "还有 4 张" in page.locator("[data-wait]").first.inner_text()

    # A correction on the picture stands while pictures go on coming, and is undone by a tap.
    page.locator('.live-stage [data-code="9p"]').first.click()
    page.locator('#picker .grid [data-code="1z"]').click()
    page.locator('.live-hand .corrected[data-code="1z"]').wait_for()
    shown = page.locator(".live-stage img").get_attribute("src")
    wait_until(page, "before => document.querySelector('.live-stage img').src !== before", shown)
    assert "1z" in hand(page)
    second = context.new_page()
    second.goto(f"{address}#live")
    second.locator('.live-hand .corrected[data-code="1z"]').wait_for()
    page.locator("#live-undo").click()
    for viewer in (page, second):
        viewer.locator('.live-hand [data-code="1z"]').wait_for(state="detached")

    # The camera stops: a clear banner, and nothing is scored from the old picture; then it is back.
    page.evaluate("import('/static/js/livecamera.js').then((m) => m.stopCamera())")
    for viewer in (page, second):
        wait_for_banner(viewer, "offline")
        viewer.locator("[data-withheld]").wait_for()
        assert viewer.locator("[data-wait]").count() == 0
        assert len(hand(viewer)) == len(HAND), "what was seen last stays to be looked at"
    # Only the device that was the camera can go on, and its table has waited for it.
    assert second.locator("[data-camera-again]").count() == 0
    table = session_number(address)
    page.locator("[data-camera-again]").click()
    wait_for_banner(page, "live")
    page.locator("[data-wait]").first.wait_for()
    assert session_number(address) == table
    context.close()
    assert problems == []


def test_a_film_is_watched_to_its_end(
    open_desk: Any, films: tuple[Path, Path], models: None, no_camera: None, audit: Any
) -> None:
    desk = open_desk(language="en-US")
    page = desk.page
    desk.go("live")
    page.locator("#live-source").fill("no/such/film.avi")
    page.locator("#live-start").click()
    page.locator('.live-banner[data-kind="offline"]', has_text="film.avi").wait_for()
    page.locator("#view-live summary").click()
    page.locator("#live-source").fill("ftp://host/film")
    page.locator("#live-start").click()
    page.locator(".status.wrong", has_text="rtsp://").wait_for()
    whole, standing = films
    page.locator("#live-source").fill(str(standing))
    page.locator("#live-source").press("Enter")
    wait_for_banner(page, "live")
    page.locator(".live-stage [data-tile]").first.wait_for()
    assert audit(page) == []
    # One that is over in a few seconds: a busy machine may read little of it, but its last picture.
    page.locator("#view-live summary").click()
    page.locator("#live-source").fill(str(whole))
    page.locator("#live-source").press("Enter")
    wait_for_banner(page, "ended")
    assert page.locator("[data-withheld]").count() == 1
    assert page.locator("#view-live [data-wait]").count() == 0
    page.locator("#live-stop").click()
    page.locator("#live-source").wait_for()
    page.locator(".live-banner").wait_for(state="hidden")
    # Nothing empty stands there: the form, and where the camera is best put.
    cards = page.locator("#view-live .card:visible h2").all_inner_texts()
    assert cards == ["Start a camera", "Where to put the camera"]
