"""`zhuowu bench live`: frames a second, frame to page, and the cost of an idle table."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from server.bench_camera import FPS, SIZE, DrawnCamera
from server.language import LANG_OPTION, language, say
from server.live_parts import open_look

if TYPE_CHECKING:
    from server.live_session import LiveSession

SETTLE_S = 4.0
# What the page does while it is looked at: it fetches the picture, and takes in every state.
PICTURE_EVERY_S = 0.25
LOOK_UP_S = 0.5


@click.command(name="live")
@click.option("--seconds", type=click.FloatRange(min=2), default=20.0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@LANG_OPTION
def command(seconds: float, as_json: bool, lang: str) -> None:
    """Measure the live table on drawn tiles, half of the time moving, half of it idle.

    A drawn camera gives 30 frames a second; what a page does that looks on is done too: every
    state is made into text, the picture is fetched four times a second. `fps` is how many frames
    were taken in; `frame_to_page` from the moment a frame was taken to the text of the state it
    led to; `look` from the frame that a look read to the end of that look. `core_share` is
    processor time of the whole program, the camera's drawing left out, against wall time.
    """
    lang = language(lang)
    answer = measure(open_look(lang), seconds)
    if as_json:
        click.echo(json.dumps(answer))
        return
    for name, zh in (("moving", "有牌在动"), ("idle", "静止")):
        part = answer[name]
        page, read = _ms(part["frame_to_page_p95_ms"]), _ms(part["look_p95_ms"])
        fps, share = part["fps"], f"{part['core_share']:.0%}"
        click.echo(
            say(
                lang,
                f"{zh}：每秒 {fps} 帧，帧到页面 p95 {page} 毫秒，"
                f"认牌 p95 {read} 毫秒，占一核 {share}",
                f"{name}: {fps} frames/s, frame to page p95 {page} ms, look p95 {read} ms, "
                f"{share} of a core",
            )
        )


def measure(look: Any, seconds: float) -> dict[str, Any]:
    """The figures of `zhuowu bench live`.

    Args:
        look: Reads parts of frames, see `vision.tracking.looking.Look`.
        seconds: Half of it moving, half of it idle; settling in between comes on top.
    """
    from rules import RuleOptions
    from server.live_session import LiveSession

    camera, timed = DrawnCamera(), TimedLook(look)
    session = LiveSession(1, camera, timed, None, RuleOptions())
    page = _Page(session)
    try:
        camera.move(True)
        moving = _part(session, camera, timed, page, seconds / 2)
        camera.move(False)
        threading.Event().wait(SETTLE_S)
        idle = _part(session, camera, timed, page, seconds / 2)
    finally:
        page.close()
        session.close()
    return {"moving": moving, "idle": idle, "size": list(SIZE), "camera_fps": FPS}


def _part(
    session: LiveSession, camera: DrawnCamera, look: TimedLook, page: _Page, seconds: float
) -> dict[str, Any]:
    frames, drawn = session.frames_taken(), camera.drawing_s
    page.waits.clear()
    look.waits.clear()
    begin, cpu = time.monotonic(), time.process_time()
    threading.Event().wait(seconds)
    passed = time.monotonic() - begin
    spent = time.process_time() - cpu - (camera.drawing_s - drawn)
    taken = session.frames_taken() - frames
    return {
        "frames": taken,
        "fps": round(taken / passed, 1),
        "states": len(page.waits),
        "frame_to_page_p50_ms": _percentile(page.waits, 50),
        "frame_to_page_p95_ms": _percentile(page.waits, 95),
        "looks": len(look.waits),
        "look_p95_ms": _percentile(look.waits, 95),
        "core_share": round(spent / passed, 3),
        "cpu_ms_per_frame": round(1000 * spent / max(taken, 1), 1),
    }


def _percentile(waits: list[float], which: int) -> float | None:
    return round(float(np.percentile(waits, which)) * 1000, 1) if waits else None


def _ms(value: float | None) -> str:
    return "-" if value is None else str(value)


class TimedLook:
    """A look that notes how long each took."""

    def __init__(self, look: Any) -> None:
        """Nothing measured yet."""
        self._look = look
        self.side, self.least = look.side, look.least
        self.waits: list[float] = []

    def __call__(self, pixels: np.ndarray, part: Any, closer: bool) -> Any:
        """See `Look`."""
        begin = time.monotonic()
        found = self._look(pixels, part, closer)
        self.waits.append(time.monotonic() - begin)
        return found


class _Page:
    """Does what a page that looks on makes the server do, on a thread of its own."""

    def __init__(self, session: LiveSession) -> None:
        self._session = session
        self.waits: list[float] = []
        self._closing = threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in self._work()]
        for thread in self._threads:
            thread.start()

    def _work(self) -> tuple[Any, Any]:
        return self._states, self._pictures

    def close(self) -> None:
        self._closing.set()
        for thread in self._threads:
            thread.join(timeout=5)

    def _states(self) -> None:
        key = None
        while not self._closing.is_set():
            self._session.wait_newer(key, LOOK_UP_S)
            state = self._session.table.state()
            if self._session.key() == key or state is None:
                continue
            key = self._session.key()
            json.dumps(self._session.to_json(), ensure_ascii=False)
            self.waits.append(time.monotonic() - state.at)

    def _pictures(self) -> None:
        from server.errors import ApiError

        while not self._closing.wait(PICTURE_EVERY_S):
            try:
                self._session.picture()
            except ApiError:
                continue  # before the first frame there is no picture
