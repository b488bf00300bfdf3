"""Teaching a set and cameras: answers that come late, and taps that come quickly.

The program's answers are made up here, so that each comes exactly when the test says.
"""

from __future__ import annotations

import json
from typing import Any

from tests.browser.waiting import intercept, wait_for

PICTURE = """() => new Promise((done) => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [320, 200];
  canvas.getContext("2d").fillRect(0, 0, 320, 200);
  canvas.toBlob(async (blob) => done([...new Uint8Array(await blob.arrayBuffer())]), "image/png");
})"""
# A camera that is given only when the test says so.
CAMERA = """() => {
  window.given = [];
  navigator.mediaDevices.getUserMedia = () => new Promise((done) => {
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").fillRect(0, 0, 9, 9);
    const media = canvas.captureStream(5);
    window.given.push({ media, give: () => done(media) });
  });
}"""
GIVE = "() => window.given.forEach((one) => one.give())"
LET_GO = "() => window.given.every((one) => one.media.getTracks()[0].readyState === 'ended')"
TURN = "() => new Promise((done) => setTimeout(done))"


class Bench:
    """What `/api/calibration` would say, made up: photos with two tiles."""

    def __init__(self, page: Any) -> None:
        self.photos: list[dict[str, Any]] = []
        self.begun = 0
        self.given_up: list[str] = []
        intercept(page, "**/api/calibration", self._begin)
        intercept(page, "**/api/calibration/*", self._about)
        intercept(page, "**/api/calibration/*/photos?*", self._photo)
        intercept(page, "**/api/calibration/*/photos/*", self.name)

    def status(self) -> dict[str, Any]:
        return {
            "id": f"bench{self.begun}", "add_to": None, "photos": self.photos, "have": [],
            "missing": ["9s"], "back": False, "dice": [], "learning": None,
        }  # fmt: skip

    def _begin(self, route: Any) -> None:
        self.begun += 1
        route.fulfill(status=201, json=self.status())

    def _about(self, route: Any) -> None:
        if route.request.method == "DELETE":
            self.given_up.append(route.request.url.rsplit("/", 1)[1])
        route.fulfill(json=self.status())

    def _photo(self, route: Any) -> None:
        tiles = [
            {"tile": "1m", "box": box, "doubtful": False, "alternatives": []}
            for box in ([10, 10, 90, 120], [150, 10, 230, 120])
        ]
        number = len(self.photos)
        self.photos.append(
            {"number": number, "width": 320, "height": 200, "others": False, "tiles": tiles}
        )
        route.fulfill(status=201, json=self.status())

    def name(self, route: Any) -> None:
        """Answer what the tiles of the photo are called."""
        for tile, name in zip(
            self.photos[0]["tiles"], route.request.post_data_json["tiles"], strict=True
        ):
            tile["tile"] = name
        route.fulfill(json=self.status())


def give_photo(page: Any) -> None:
    data = bytes(page.evaluate(PICTURE))
    page.set_input_files(
        "#teach-file", {"name": "tiles.png", "mimeType": "image/png", "buffer": data}
    )


def test_two_tiles_named_quickly_keep_both_names(open_desk: Any) -> None:
    desk = open_desk(at="#tiles")
    page = desk.page
    bench = Bench(page)
    give_photo(page)
    page.locator('[data-at="0:1"]').wait_for()
    named: list[Any] = []
    intercept(page, "**/api/calibration/*/photos/*", lambda route: named.append(route))
    for at, code in ((0, "2m"), (1, "3m")):
        page.locator(f'[data-at="0:{at}"]').click()
        page.locator(f'#picker .grid [data-code="{code}"]').click()
    for number in range(2):
        wait_for(page, lambda number=number: len(named) > number, "a name is sent")  # type: ignore[misc]
        bench.name(named[number])
    for at, code in ((0, "2m"), (1, "3m")):
        page.locator(f'[data-at="0:{at}"][data-code="{code}"]').wait_for()


def test_what_is_given_up_stays_given_up(open_desk: Any) -> None:
    desk = open_desk(at="#tiles")
    page = desk.page
    bench = Bench(page)
    give_photo(page)
    page.locator('[data-photo="0"]').wait_for()
    held: list[Any] = []
    intercept(page, "**/api/calibration/*/photos?*", lambda route: held.append(route))
    give_photo(page)
    wait_for(page, lambda: len(held) == 1, "the second photo is sent")
    page.locator("#teach-give-up").click()
    page.locator("[data-photo]").first.wait_for(state="detached")
    held[0].fulfill(status=201, json=bench.status())
    page.evaluate(TURN)
    assert page.locator("[data-photo]").count() == 0
    wait_for(page, lambda: bench.given_up == ["bench1"], "the program forgets it too")


def test_the_set_chosen_last_is_used(open_desk: Any) -> None:
    desk = open_desk()
    page = desk.page
    figures = {"before": 0.5, "after": 0.9}
    sets = [
        {
            "key": key * 16, "name": key, "kinds": 34, "backs": False, "dice": 0, "consent": False,
            "stale": False, "helps": True, "figures": figures, "examples": 34,
        }
        for key in "ab"
    ]  # fmt: skip
    used: list[Any] = []
    intercept(page, "**/api/sets", lambda route: route.fulfill(json={"use": "auto", "sets": sets}))
    intercept(page, "**/api/sets/use", lambda route: used.append(route))
    desk.go("tiles")
    for key in ("a" * 16, "b" * 16):
        page.locator(f'[id="use-{key}"]').click()
    wait_for(page, lambda: bool(used), "the first choice is sent")
    page.evaluate(TURN)
    assert len(used) == 1, "the second waits, so that the program has it last"
    for number, key in enumerate(("a" * 16, "b" * 16)):
        wait_for(page, lambda number=number: len(used) > number, "a choice is sent")  # type: ignore[misc]
        assert json.loads(used[number].request.post_data)["use"] == key
        used[number].fulfill(json={"use": key, "sets": sets})
    page.locator(f'[id="use-{"b" * 16}"]:checked').wait_for()


def test_a_camera_that_is_given_too_late_is_let_go(open_desk: Any) -> None:
    """Opened twice in one breath it is asked for once; left meanwhile it is not kept on."""
    desk = open_desk(at="#live")
    page = desk.page
    started: list[Any] = []
    intercept(page, "**/api/live/source", lambda route: started.append(route) or route.abort())
    page.locator("#live-browser").wait_for()
    page.evaluate(CAMERA)
    page.locator("#live-browser").evaluate("node => { node.click(); node.click(); }")
    assert page.evaluate("() => window.given.length") == 1
    page.evaluate("import('/static/js/livecamera.js').then((m) => m.stopCamera())")
    page.evaluate(GIVE)
    desk.until(LET_GO)
    assert started == [], "no camera is begun that nobody wants"
    desk.go("tiles")
    page.evaluate(CAMERA)
    page.locator("#teach-camera-start").click()
    wait_for(page, lambda: page.evaluate("() => window.given.length") == 1, "a camera is asked for")
    desk.go("opening")
    page.evaluate(GIVE)
    desk.until(LET_GO)


def test_what_one_no_longer_agrees_to_is_not_held(open_desk: Any) -> None:
    held = open_desk(at="#by-hand").page.evaluate(
        """async () => {
          const corrections = await import("/static/js/corrections.js");
          const url = document.querySelector("[data-sample] img").src;
          const photo = { url, width: 96 };
          const tiles = [{ id: 1, box: [10, 10, 40, 50], tile: "1z", was: "2z", set: null }];
          corrections.agree(true);
          const first = corrections.fromDesk(photo, tiles);
          await Promise.all([first, corrections.fromDesk(photo, [])]);
          const newest = corrections.fixes().length;
          const late = corrections.fromDesk(photo, tiles);
          corrections.agree(false);
          await late;
          return [newest, corrections.fixes().length];
        }"""
    )
    assert held == [0, 0]
