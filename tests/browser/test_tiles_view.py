"""Teaching a set in Chromium: guided by the camera, bad photos refused, corrections offered."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.odd_sets import GUIDED_ROWS, OneSetScenes, laid_out, odd_set
from datasets.scene import SceneGenerator
from vision.opencv import cv2
from vision.values import FACES

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
PATIENCE_MS = 120_000
LEARNING_MS = 900_000
NAME = "厨房那副"


def ask(address: str, path: str, method: str = "GET", data: bytes | None = None) -> Any:
    request = urllib.request.Request(f"{address}api/{path}", data=data, method=method)
    return json.loads(urllib.request.urlopen(request, timeout=120).read())


@pytest.fixture
def no_sets(address: str) -> Iterator[None]:
    """No set is left for the next test."""
    yield
    for one in ask(address, "sets")["sets"]:
        ask(address, f"sets/{one['key']}", "DELETE")


def photo(
    folder: Path, name: str, rows: Sequence[Sequence[str]] = GUIDED_ROWS, design: str = "letters"
) -> Path:
    """A photo of a deliberately odd set, laid in rows."""
    path = folder / f"{name}.jpg"
    assert cv2.imwrite(str(path), laid_out(odd_set(design), rows, seed=2).image)
    return path


@pytest.fixture(scope="module")
def set_camera(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser whose camera looks at the lettered set, laid out as the page asks."""
    image = laid_out(odd_set("letters"), seed=2).image
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    path = tmp_path_factory.mktemp("camera") / "set.mjpeg"
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


def codes(page: Any, number: int = 0) -> list[str]:
    """The names on a photo, in reading order."""
    boxes = page.locator(f'[data-photo="{number}"] .teach-tile')
    found: list[str] = boxes.evaluate_all("nodes => nodes.map(node => node.dataset.code)")
    return found


def rename(page: Any, at: int, code: str, number: int = 0) -> None:
    """Tap a tile on a photo and say what it is."""
    page.locator(f'[data-at="{number}:{at}"]').click()
    page.locator(f'#picker .grid [data-code="{code}"]').click()
    page.locator(f'[data-at="{number}:{at}"][data-code="{code}"]').wait_for()


def show_backs_and_dice(page: Any, address: str, folder: Path, audit: Any) -> int:
    """One more photo, of the same set's backs and of dice: the page reads it as nothing else.

    Every tile found is given its true name by where it lies; how many there are.
    """
    scene = laid_out(odd_set("letters"), (), seed=3, backs=4, dice=4)
    path = folder / "others.jpg"
    assert cv2.imwrite(str(path), scene.image)
    page.locator("#teach-kind-others").check()
    page.locator("#teach-others-have").wait_for()
    with page.expect_response(lambda answer: "/photos?" in answer.url) as taken:
        page.set_input_files("#teach-file", str(path))
    page.locator('[data-photo="1"] .box').first.wait_for()
    calibration = taken.value.url.split("/calibration/")[1].split("/")[0]
    found = ask(address, f"calibration/{calibration}")["photos"][-1]["tiles"]
    assert len(found) >= 6, "of four backs and four large dice nearly all are found"
    for at, tile in enumerate(found):
        x, y = (tile["box"][0] + tile["box"][2]) / 2, (tile["box"][1] + tile["box"][3]) / 2
        [true] = [
            o.tile for o in scene.objects if o.box[0] < x < o.box[2] and o.box[1] < y < o.box[3]
        ]
        assert tile["tile"] == "back" or tile["tile"].startswith("die"), "no face is offered"
        if tile["tile"] != true:
            rename(page, at, true, 1)
    dice = {code for code in codes(page, 1) if code.startswith("die")}
    have = page.locator("#teach-others-have").inner_text()
    assert all(die[3] in have for die in dice), have
    assert audit(page) == []
    return len(found)


@pytest.mark.usefixtures("models", "no_sets")
def test_a_set_is_taught_through_the_camera(
    set_camera: Any, address: str, audit: Any, tmp_path: Path
) -> None:
    """Counted while it is filmed, taken by itself, checked, learnt, shown, stored, used."""
    context = set_camera.new_context(viewport=PHONE, locale="zh-CN")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "console",
        lambda m: problems.append(m.text) if "Content Security" in m.text else None,
    )
    page.goto(f"{address}#tiles")
    page.locator(".guide-cell").nth(33).wait_for()
    assert page.locator(".guide-cell.have").count() == 0
    page.locator("#teach-camera-start").click()
    # The overlay counts, and with all 34 in view the picture is taken by itself.
    page.locator("#teach-count [data-have]").wait_for()
    page.locator('[data-photo="0"] .box').nth(33).wait_for()
    page.locator(".guide-cell.have").nth(33).wait_for()
    assert page.locator("video").count() == 0, "the camera is let go of"
    for at, (shown, true) in enumerate(zip(codes(page), FACES, strict=True)):
        if shown != true:
            rename(page, at, true)
    assert codes(page) == list(FACES)
    assert audit(page) == []
    assert ask(address, "sets")["sets"] == [], "nothing is stored before it is said so"
    others = show_backs_and_dice(page, address, tmp_path, audit)

    page.locator("#teach-learn").click()
    page.locator("#teach-progress").wait_for()
    page.locator("#teach-figures").wait_for(timeout=LEARNING_MS)
    assert "→" in page.locator("#teach-figures").inner_text()
    page.locator("#teach-outcome p", has_text="背面和骰子").wait_for()
    page.locator(".changes li").first.wait_for()
    assert page.locator(".changes li").count() >= 5, "letters were read as something else"
    assert audit(page) == []
    page.locator("#teach-name").fill(NAME)
    page.locator("#teach-keep").click()
    page.locator("#teach-said", has_text=NAME).wait_for()
    page.locator(f'[data-set="{NAME}"]').wait_for()
    [stored] = ask(address, "sets")["sets"]
    assert stored["kinds"] == 34
    assert stored["figures"]["after"] > stored["figures"]["before"]
    assert stored["examples"] >= 34 + others
    assert stored["backs"] is True
    assert stored["dice"] >= 2
    assert stored["others"]["after"] >= stored["others"]["before"]

    # From now on a photo of this set is recognised, and one of another set is not taken for it.
    page.locator(f'[id="use-{stored["key"]}"]').check()
    page.locator("#use-auto").check()
    own = OneSetScenes(odd_set("letters"), 3).scene_at(0, "hand", 960)
    other = SceneGenerator(5).scene_at(1, "hand", 960)
    for scene, name in ((own, NAME), (other, None)):
        coded = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
        assert ask(address, "read", "POST", coded)["tile_set"] == name
    with page.expect_download() as download:
        page.locator(f'[id="export-{stored["key"]}"]').click()
        page.locator(f'[id="consent-{stored["key"]}"]').check()
        page.locator(f'[id="file-{stored["key"]}"]').click()
    file = tmp_path / "mine.zwset"
    download.value.save_as(file)
    page.locator(f'[id="remove-{stored["key"]}"]').click()
    page.locator(f'[id="sure-{stored["key"]}"]').click()
    page.locator(f'[data-set="{NAME}"]').wait_for(state="detached")
    page.set_input_files("#set-import", str(file))
    page.locator(f'[data-set="{NAME}"]').wait_for()
    [stored] = ask(address, "sets")["sets"]
    assert stored["consent"] is True

    # A tile put right in play becomes a further example by a tap; the rest stays as it was.
    page.locator("#fixes-consent").check()
    page.evaluate(
        """async (key) => {
          const corrections = await import("/static/js/corrections.js");
          const image = new Image();
          image.src = `/api/sets/${key}/picture.jpg`;
          await image.decode();
          const box = [0, 288, 72, 384];
          const tiles = [{id: 1, box, tile: "1z", alternatives: [["3m", 0.9]]}];
          const state = {width: image.naturalWidth, tiles};
          corrections.fromLive({number: 1, corrected: [1], state}, image);
        }""",
        stored["key"],
    )
    page.locator('[data-fix="1z"]').wait_for()
    page.locator("#fixes-add").click()
    page.locator("#teach-figures").wait_for(timeout=LEARNING_MS)
    page.locator("#teach-keep").click()
    page.locator('[data-fix="1z"]').wait_for(state="detached")
    [more] = ask(address, "sets")["sets"]
    assert more["examples"] == stored["examples"] + 1
    assert more["figures"]["after"] > more["figures"]["before"]
    context.close()
    assert problems == []


@pytest.mark.usefixtures("models", "no_sets")
def test_bad_photos_get_advice_and_change_nothing(
    open_desk: Any, address: str, tmp_path: Path
) -> None:
    desk = open_desk(language="en-US", at="#tiles")
    page = desk.page
    page.set_default_timeout(PATIENCE_MS)
    learn = page.locator("#teach-learn")

    # Kinds are missing: named, asked for, and nothing can be learnt yet.
    page.set_input_files("#teach-file", str(photo(tmp_path, "three", GUIDED_ROWS[:3])))
    page.locator('[data-photo="0"] .box').nth(26).wait_for()
    page.locator("#teach-part-head .counted", has_text="still missing, 7").wait_for()
    assert page.locator(".guide-cell:not(.have)").count() == 7
    page.locator("#teach-learn:disabled").wait_for()
    # The missing row in a second photo completes the set.
    page.set_input_files("#teach-file", str(photo(tmp_path, "last", GUIDED_ROWS[3:])))
    page.locator('[data-photo="1"] .box').nth(6).wait_for()
    for at, true in enumerate(FACES[27:]):
        if codes(page, 1)[at] != true:
            rename(page, at, true, 1)
    for at, true in enumerate(FACES[:27]):
        if codes(page)[at] != true:
            rename(page, at, true)
    page.locator("#teach-part-head .all-there").wait_for()

    # One kind twice: another is missing, and the count says which.
    rename(page, 9, "2p")
    page.locator('.guide-cell[data-kind="1p"]:not(.have)').wait_for()
    page.locator("#teach-learn:disabled").wait_for()
    # Both confirmed wrongly, each as the other: told which two, on the picture as well.
    rename(page, 10, "1p")
    learn.click()
    page.locator('[data-reason="wrong_names"]').wait_for()
    page.locator('[data-photo="0"] .box.marked').nth(1).wait_for()
    assert page.locator('[data-photo="0"] .box.marked').count() == 2
    rename(page, 9, "1p")
    rename(page, 10, "2p")

    # Another set in a further photo.
    page.set_input_files("#teach-file", str(photo(tmp_path, "dark", design="dark")))
    page.locator('[data-photo="2"] .box').nth(27).wait_for()
    learn.click()
    page.locator('[data-reason="another_set"]').wait_for()
    page.locator("#drop-2").click()
    page.locator('[data-photo="2"]').wait_for(state="detached")

    # No tiles at all, and no photo at all.
    cloth = tmp_path / "cloth.png"
    assert cv2.imwrite(str(cloth), np.full((480, 640, 3), (40, 70, 30), np.uint8))
    page.set_input_files("#teach-file", str(cloth))
    page.locator("#teach-error", has_text="No tiles were found").wait_for()
    junk = tmp_path / "junk.jpg"
    junk.write_bytes(b"junk")
    page.set_input_files("#teach-file", str(junk))
    page.locator("#teach-error").wait_for()
    assert page.locator("[data-photo]").count() == 2, "what was there before is still there"
    assert ask(address, "sets")["sets"] == []
    page.locator("#teach-give-up").click()
    page.locator("[data-photo]").first.wait_for(state="detached")


@pytest.mark.usefixtures("models")
def test_corrections_are_offered_only_with_consent(
    open_desk: Any, first_sample: dict[str, Any], audit: Any
) -> None:
    desk = open_desk(at="#by-hand")
    page = desk.page
    desk.upload(first_sample["path"])
    page.locator("#photo-status", has_text="认出").wait_for()
    desk.change("hand", 0, "1z")
    desk.go("tiles")
    page.locator("#fixes-consent").wait_for()
    assert page.locator("[data-fix]").count() == 0, "nothing is held before it is agreed to"
    page.locator("#fixes-consent").check()
    desk.go("score")
    desk.change("hand", 1, "7z")
    desk.go("tiles")
    page.locator('[data-fix="7z"]').wait_for()
    assert page.locator('[data-fix="7z"] img').get_attribute("src").startswith("data:image/jpeg")
    assert audit(page) == []
    desk.go("score")
    page.locator("#undo").click()
    desk.go("tiles")
    page.locator('[data-fix="7z"]').wait_for(state="detached")
    # At the live table: what was put right is held, also when the tile has left, until taken back.
    live_tile = {"id": 5, "box": [30, 20, 60, 60], "tile": "9p", "alternatives": [["8p", 0.6]]}
    for corrected, tiles, held in (
        ([5], [live_tile], 1),
        ([], [], 1),
        ([], [live_tile], 0),
    ):
        session = {"number": 3, "corrected": corrected, "state": {"width": 400, "tiles": tiles}}
        page.evaluate(
            """async (session) => {
              const corrections = await import("/static/js/corrections.js");
              const image = document.querySelector("#stage img");
              await image.decode();
              corrections.fromLive(session, image);
            }""",
            session,
        )
        desk.until("n => document.querySelectorAll('[data-fix=\"9p\"]').length === n", held)
    page.locator("#fixes-consent").uncheck()
    page.locator("[data-fix]").first.wait_for(state="detached")


def test_the_view_by_keyboard_in_the_dark(open_desk: Any, audit: Any) -> None:
    desk = open_desk(PHONE, theme="dark", language="en-US", at="#tiles")
    page = desk.page
    page.locator(".guide-cell").nth(33).wait_for()
    assert audit(page) == []
    page.locator("#teach-kind-others").focus()
    page.keyboard.press("Space")
    page.locator("#teach-order").wait_for(state="detached")
    assert page.evaluate("document.activeElement.id") == "teach-kind-others"
    page.locator("#language").click()
    page.locator("#tiles-teach-title", has_text="教一副新牌").wait_for()
    assert audit(page) == []
