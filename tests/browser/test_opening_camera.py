"""The opening guide fed by the live camera: real pictures of dice, and a camera made up."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.browser.waiting import PATIENCE_S, intercept, wait_for
from vision.opencv import cv2

CLOTH, IVORY, INK = (60, 130, 45), (215, 235, 240), (20, 20, 20)
SIDE = 74
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
PLACES = ((150, 200), (360, 240))


def picture(*dice: tuple[int, int, int]) -> bytes:
    """The cloth with dice (pips, x, y) on it."""
    pixels = np.full((480, 640, 3), CLOTH, np.uint8)
    for pips, x, y in dice:
        cv2.rectangle(pixels, (x, y), (x + SIDE, y + SIDE), IVORY, -1)
        for a, b in PIPS[pips]:
            middle = (x + SIDE // 2 + 20 * a, y + SIDE // 2 + 20 * b)
            cv2.circle(pixels, middle, 7, INK, -1, cv2.LINE_AA)
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 97])[1].tobytes())


class Camera:
    """Sends pictures as a browser's camera does."""

    def __init__(self, address: str, page: Any) -> None:
        self.address, self.page, self.thrown = address, page, 0
        self.call("api/live/source", json.dumps({"browser": True}).encode(), "application/json")

    def call(self, path: str, data: bytes | None = None, kind: str = "image/jpeg") -> Any:
        headers = {"Content-Type": kind} if data is not None else {}
        request = urllib.request.Request(f"{self.address}{path}", data=data, headers=headers)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.loads(answer.read())

    def show(self, data: bytes, times: int = 1) -> None:
        for _ in range(times):
            self.call("api/live/frames", data)
            self.page.wait_for_timeout(60)

    def roll(self, *points: int, until: Any) -> None:
        """Dice cross the table and rest, and are shown until the page says so."""
        # No two throws one after the other end in the same place.
        lower = SIDE * (self.thrown % 2)
        self.thrown += 1
        dice = [(pips, x, y + lower) for pips, (x, y) in zip(points, PLACES, strict=False)]
        self.show(picture(), 8)
        for k in range(3):
            self.show(picture(*((pips, x - 90 + 30 * k, y) for pips, x, y in dice)))
        ends = time.monotonic() + PATIENCE_S
        while not until():
            assert time.monotonic() < ends, self.call("api/live/dice")
            self.show(picture(*dice))
            # Flat drawn dice may leave the models unsure: then the page asks, and a tap settles it.
            self.page.evaluate("() => document.querySelector('[data-use-dice]')?.click()")


@pytest.fixture
def no_camera(address: str) -> Iterator[None]:
    """No camera is left running for the next test."""
    yield
    request = urllib.request.Request(f"{address}api/live/source", method="DELETE")
    urllib.request.urlopen(request, timeout=PATIENCE_S).read()


def test_rolls_that_the_camera_sees_fill_the_guide_and_can_be_put_right(
    open_desk: Any, address: str, models: None, no_camera: None
) -> None:
    """Seed: 7 is 对门 (三七十一对门); a roll put right by hand leaves the next one as it was."""
    desk = open_desk(at="#opening")
    steps = desk.page.locator(".guide .steps")
    camera = Camera(address, desk.page)
    desk.page.locator('[data-dice-source="live"], [data-dice-source="connecting"]').wait_for()
    camera.roll(3, 4, until=lambda: steps.locator(".done").count() == 1)
    assert "三七11对门" in steps.inner_text()
    assert steps.locator(".from-camera").count() == 1
    camera.roll(2, 6, until=lambda: steps.locator(".done").count() == 2)
    assert "2+6=8" in steps.inner_text()

    steps.locator(".small-button").first.click()
    steps.locator(".now", has_text="庄家先掷").wait_for()
    desk.roll(4, 5)
    steps.locator(".done", has_text="2+6=8").wait_for()
    assert "五九自手" in steps.inner_text()
    assert steps.locator(".from-camera").count() == 1, "the first is by hand now"
    wait_for(
        desk.page,
        lambda: camera.call("api/live/dice")["rolls"] == [[4, 5], [2, 6]],
        "the live table counts what the page shows",
    )

    camera.roll(5, until=lambda: desk.page.locator(".dice-offer").count() == 1)
    assert "没看清两个点数" in desk.page.locator(".dice-offer").inner_text()
    assert steps.locator(".done").count() == 2, "one die is no roll"


class MadeUp:
    """What `/api/live/dice` would say, made up."""

    def __init__(self, page: Any) -> None:
        self.seen: dict[str, Any] = {
            "session": 7, "source": "live", "throws": [], "rolls": [], "indicator": None,
            "winds": [],
        }  # fmt: skip
        self.told: list[Any] = []
        intercept(page, "**/api/live/dice", lambda route: route.fulfill(json=self.seen))
        intercept(page, "**/api/live/rolls", self._rolls)

    def _rolls(self, route: Any) -> None:
        self.told.append(route.request.post_data_json["rolls"])
        self.seen["rolls"] = self.told[-1]
        route.fulfill(json=self.seen)

    def throw(self, *values: int, doubtful: bool = False) -> None:
        number = len(self.seen["throws"]) + 1
        self.seen["throws"].append(
            {"id": f"{number}", "values": list(values), "doubtful": doubtful}
        )
        if len(values) == 2:
            self.seen["rolls"] = [*self.seen["rolls"], list(values)]

    def wind(self, tile: str) -> None:
        self.seen["winds"].append(
            {"id": len(self.seen["winds"]) + 1, "tile": tile, "doubtful": False}
        )


def at_opening(open_desk: Any, **more: Any) -> tuple[Any, MadeUp]:
    """The guide is looked at, with a made-up camera, from the beginning."""
    desk = open_desk(**more)
    camera = MadeUp(desk.page)
    return desk, camera


def test_an_unsure_roll_is_offered_and_nothing_is_filled_in_when_not_wanted(
    open_desk: Any,
) -> None:
    desk, camera = at_opening(open_desk)
    desk.go("opening")
    steps = desk.page.locator(".guide .steps")
    desk.page.locator('[data-dice-source="live"]').wait_for()
    camera.throw(3, 4, doubtful=True)
    offer = desk.page.locator(".dice-offer")
    offer.get_by_text("3+4，拿不准").wait_for()
    assert steps.locator(".done").count() == 0
    desk.page.locator("[data-use-dice]").click()
    steps.locator(".done", has_text="3+4=7").wait_for()
    desk.page.locator("#dice-by-itself").uncheck()
    camera.throw(2, 6)
    offer.get_by_text("看到 2+6").wait_for()
    assert steps.locator(".done").count() == 1
    desk.page.locator("[data-leave-dice]").click()
    offer.wait_for(state="detached")
    assert steps.locator(".done").count() == 1


def test_what_was_seen_before_and_the_turned_tile_are_taken(open_desk: Any) -> None:
    desk, camera = at_opening(open_desk, language="en-US")
    for dice in ((3, 4), (2, 3), (1, 5)):
        camera.throw(*dice)
    camera.seen["indicator"] = {"tile": "5m", "doubtful": False}
    desk.go("opening")
    desk.page.locator("[data-use-rolls]", has_text="3+4 · 2+3 · 1+5").wait_for()
    assert desk.page.locator(".guide .steps .done").count() == 0, "nothing old by itself"
    desk.page.locator("[data-use-rolls]").click()
    desk.page.locator(".jokers-now img").nth(1).wait_for()
    assert desk.page.locator(".guide .steps .done .from-camera").count() == 3
    desk.page.locator("[data-turned]").click()
    desk.pick("7p")
    desk.page.locator('.jokers-now img[src*="8p"]').wait_for()
    desk.page.locator("[data-dice-source]").wait_for()
    desk.go("score")
    assert desk.codes("indicator") == ["7p"], "what is said by hand stays"


def test_seats_are_drawn_with_the_cameras_dice_and_winds(open_desk: Any) -> None:
    """SPEC §2: seat 1 rolls 6, so seat 2 is East and picks first."""
    desk, camera = at_opening(open_desk)
    desk.go("opening")
    seating = desk.page.locator(".seating")
    seating.locator("summary").click()
    seating.locator(".steps", has_text="掷两个色子").wait_for()
    desk.page.locator('[data-dice-source="live"]').wait_for()
    camera.wind("3z")  # lay there before anybody picked
    camera.throw(2, 4)
    seating.locator(".steps .done .from-camera").wait_for()
    assert desk.page.locator(".guide .steps .done").count() == 0, "the roll went to 打风"
    wait_for(desk.page, lambda: camera.told == [[]], "and is none of the opening's")
    camera.wind("2z")
    seating.locator('.picked img[src*="2z"]').wait_for()
    camera.wind("1z")
    seating.locator('.picked img[src*="1z"]').wait_for()
    seating.locator("[data-pick-back]").click()
    seating.locator('[data-wind="1z"]:enabled').wait_for()
    for wind in ("4z", "1z", "3z"):
        seating.locator(f'[data-wind="{wind}"]:enabled').click()
        seating.locator(f'[data-wind="{wind}"]:disabled, [data-use-seats]').first.wait_for()
    seating.locator("[data-use-seats]").wait_for()
    seating.locator("[data-seat-roll-again]").click()
    seating.locator(".steps .now", has_text="掷两个色子").wait_for()
