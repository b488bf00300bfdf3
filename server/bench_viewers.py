"""`zhuowu bench viewers`: do the page and the interface stay quick while many look on?"""

from __future__ import annotations

import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np

from server.language import LANG_OPTION, language, say
from server.live_hub import MOST_VIEWERS

GOAL_MS = 300.0
FRAME_S = 0.2  # as the page sends them
PICTURE_S = 0.25  # as the page fetches them
ASK_S = 0.25
MOVE_EVERY = 15  # frames: a tile is carried to another place every three seconds
MOVE_FRAMES = 3
PATIENCE_S = 30.0
SCORE = {
    "hand": ["1m", "2m", "3m", "4m", "6m", "7m", "7m", "8m", "9m", "2p", "3p", "1z", "1z"],
    "drawn": "5m",
    "indicator": "6m",
}
QUESTIONS: tuple[tuple[str, str, Any], ...] = (
    ("GET", "/", None),
    ("GET", "/static/js/main.js", None),
    ("GET", "/tiles/5m.svg", None),
    ("GET", "/api/live", None),
    ("GET", "/api/live/frame.jpg", None),
    ("GET", "/api/ledger", None),
    ("GET", "/api/options", None),
    ("POST", "/api/score", SCORE),
    ("POST", "/api/advise", {"hand": SCORE["hand"], "indicator": "6m"}),
)


@dataclass
class Seen:
    """What was measured.

    Attributes:
        waits: milliseconds of every answer, by what was asked.
        events: live events by viewer.
        pictures: pictures fetched by all viewers.
        wrong: answers that may not be, and viewers that lost their stream.
    """

    waits: dict[str, list[float]] = field(default_factory=dict)
    events: list[int] = field(default_factory=list)
    pictures: int = 0
    wrong: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Figures: milliseconds over all answers and by question."""
        every = [ms for own in self.waits.values() for ms in own]
        return {
            **_figures(every),
            "over_goal": sum(ms > GOAL_MS for ms in every),
            "events": self.events,
            "pictures": self.pictures,
            "wrong": self.wrong[:20],
            "questions": {name: _figures(own) for name, own in self.waits.items()},
        }


def _figures(waits: list[float]) -> dict[str, Any]:
    at = {
        name: float(np.percentile(waits, q)) for name, q in (("p50", 50), ("p95", 95), ("p99", 99))
    }
    return {"answers": len(waits), **{f"{k}_ms": round(v, 1) for k, v in at.items()},
            "max_ms": round(max(waits), 1)}  # fmt: skip


@click.command(name="viewers")
@click.option("--viewers", type=click.IntRange(1, MOST_VIEWERS), default=10, show_default=True)
@click.option("--seconds", type=click.FloatRange(min=3), default=60.0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@LANG_OPTION
def command(viewers: int, seconds: float, as_json: bool, lang: str) -> None:
    """Measure the page while many look at a live table in which tiles are moved.

    A server of its own is sent five pictures a second. Every viewer keeps a stream of events and
    fetches pictures as the page does; meanwhile the page and its interface are asked four times a
    second. Exits with 1 when an answer took longer than 300 ms or went wrong.
    """
    lang = language(lang)
    seen = measure(viewers, seconds)
    found = {"viewers": viewers, "seconds": seconds, **seen.to_json()}
    if as_json:
        click.echo(json.dumps(found))
    else:
        click.echo(
            say(
                lang,
                f"{viewers} 个页面看了 {seconds:.0f} 秒，问了 {found['answers']} 次：中位 "
                f"{found['p50_ms']} 毫秒，p95 {found['p95_ms']}，p99 {found['p99_ms']}，最长 "
                f"{found['max_ms']}；超过 {GOAL_MS:.0f} 毫秒 {found['over_goal']} 次，"
                f"出错 {len(seen.wrong)} 次",
                f"{viewers} viewers for {seconds:.0f} s, {found['answers']} questions: median "
                f"{found['p50_ms']} ms, p95 {found['p95_ms']}, p99 {found['p99_ms']}, longest "
                f"{found['max_ms']}; {found['over_goal']} over {GOAL_MS:.0f} ms, "
                f"{len(seen.wrong)} went wrong",
            )
        )
    if found["over_goal"] or seen.wrong:
        raise SystemExit(1)


def measure(viewers: int, seconds: float) -> Seen:
    """Start a server, let `viewers` look on for `seconds`, and ask meanwhile."""
    frames = _frames()
    with _server() as port, _Crowd(port, frames) as crowd:
        crowd.begin(viewers)
        return crowd.ask(seconds)


@contextmanager
def _server() -> Iterator[int]:
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--no-open"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"ZHUOWU_DATA_FOLDER": folder, "PYTHONIOENCODING": "utf-8"},
            cwd=Path(__file__).parents[1],
            encoding="utf-8",
        )
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline().split(":")[-1].strip("/\n "))
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def _frames() -> list[bytes]:
    """The table as JPEGs: a tile is carried to another place, then all lies still for a while."""
    from server.bench_camera import DrawnCamera
    from vision.opencv import cv2

    camera, chance = DrawnCamera(), random.Random(7)
    found = []
    at = np.array([100.0, 200.0])
    for _ in range(6):
        aim = np.array([chance.uniform(40, 860), chance.uniform(40, 380)])
        steps = [at + (aim - at) * k / MOVE_FRAMES for k in range(1, MOVE_FRAMES + 1)]
        for place in [*steps, *[aim] * (MOVE_EVERY - MOVE_FRAMES)]:
            coded = cv2.imencode(".jpg", camera.table((place[0], place[1])))[1]
            found.append(coded.tobytes())
        at = aim
    return found


class _Crowd:
    """A camera, the viewers, and somebody who asks."""

    def __init__(self, port: int, frames: list[bytes]) -> None:
        self._port, self._frames = port, frames
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []
        self._noting = threading.Lock()
        self.seen = Seen()

    def __enter__(self) -> _Crowd:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(PATIENCE_S)

    def begin(self, viewers: int) -> None:
        """Start the camera and the viewers; returns when each has been told of a state."""
        self._say("POST", "/api/live/source", {"browser": True})
        self._start(self._send)
        self.seen.events = [0] * viewers
        for number in range(viewers):
            self._start(self._look, number)
            self._start(self._fetch, number)
        until = time.monotonic() + PATIENCE_S
        while not all(self.seen.events):
            if time.monotonic() > until or self.seen.wrong:
                raise RuntimeError(f"not every viewer was told: {self.seen}")
            self._over.wait(0.05)

    def ask(self, seconds: float) -> Seen:
        """Ask one question after the other for so long."""
        until = time.monotonic() + seconds
        connection = self._connection()
        number = 0
        while time.monotonic() < until:
            method, path, body = QUESTIONS[number % len(QUESTIONS)]
            number += 1
            begin = time.perf_counter()
            status, _ = _answer(connection, method, path, body)
            wait = (time.perf_counter() - begin) * 1000
            self.seen.waits.setdefault(f"{method} {path}", []).append(wait)
            if status != 200:
                self._note(f"{method} {path}: {status}")
            self._over.wait(ASK_S)
        connection.close()
        self._over.set()
        return self.seen

    def _start(self, work: Any, *arguments: Any) -> None:
        def whole() -> None:
            try:
                work(*arguments)
            except (OSError, http.client.HTTPException) as error:
                self._note(f"{work.__name__}: {error!r}")

        thread = threading.Thread(target=whole, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _note(self, what: str) -> None:
        if not self._over.is_set():
            with self._noting:
                self.seen.wrong.append(what)

    def _connection(self, device: int | None = None) -> http.client.HTTPConnection:
        """To the server, from an address that is a device's own where the system has such."""
        own = None if device is None or sys.platform != "linux" else (f"127.0.1.{device + 1}", 0)
        return http.client.HTTPConnection(
            "127.0.0.1", self._port, timeout=PATIENCE_S, source_address=own
        )

    def _say(self, method: str, path: str, body: Any) -> None:
        """Say something until it is taken: the models may still be loading."""
        until = time.monotonic() + 4 * PATIENCE_S
        while True:
            status, text = _answer(self._connection(), method, path, body)
            if status == 200:
                return
            if status != 503 or time.monotonic() > until:
                raise RuntimeError(f"{method} {path}: {status} {text[:200]!r}")
            self._over.wait(0.5)

    def _send(self) -> None:
        connection = self._connection()
        number = 0
        while not self._over.wait(FRAME_S):
            status, _ = _answer(
                connection, "POST", "/api/live/frames", self._frames[number % len(self._frames)]
            )
            number += 1
            if status != 200:
                self._note(f"frames: {status}")

    def _look(self, number: int) -> None:
        connection = self._connection(number)
        connection.request("GET", "/api/live/events")
        stream = connection.getresponse()
        while not self._over.is_set():
            line = stream.readline()
            if not line:
                self._note(f"viewer {number} lost its stream ({stream.status})")
                return
            self.seen.events[number] += line.startswith(b"event: live")
        connection.close()

    def _fetch(self, number: int) -> None:
        connection = self._connection(number)
        tag = ""
        while not self._over.wait(PICTURE_S):
            connection.request("GET", "/api/live/frame.jpg", headers={"If-None-Match": tag})
            answer = connection.getresponse()
            answer.read()
            tag = answer.headers.get("ETag", "")
            if answer.status == 200:
                with self._noting:
                    self.seen.pictures += 1
            elif answer.status not in (304, 409, 404):  # 404: no picture has come yet
                self._note(f"picture: {answer.status}")
        connection.close()


def _answer(
    connection: http.client.HTTPConnection, method: str, path: str, body: Any
) -> tuple[int, bytes]:
    kind = "image/jpeg" if isinstance(body, bytes) else "application/json"
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    connection.request(method, path, data, {"Content-Type": kind})
    answer = connection.getresponse()
    return answer.status, answer.read()
