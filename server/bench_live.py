"""`zhuowu bench live`: frames a second, frame to state, and the cost of an idle table."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator

import click
import numpy as np

from server.language import LANG_OPTION, language, say
from server.live_parts import open_look

FPS = 10.0
SIZE = (960, 720)
MOVE_S = 0.6


@click.command(name="live")
@click.option("--seconds", type=click.FloatRange(min=2), default=20.0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@LANG_OPTION
def command(seconds: float, as_json: bool, lang: str) -> None:
    """Measure the live table on drawn tiles, half of the time moving, half of it idle.

    Frames come at 10 a second, as from a camera that drops what is not taken; `frame_to_state` is
    from a frame's arrival to the state it leads to.
    """
    lang = language(lang)
    from vision.live import LiveTable

    table = LiveTable(open_look(lang))
    moving = _run(table, seconds / 2, _moving())
    settle = _run(table, 4.0, _still())
    idle = _run(table, seconds / 2, _still())
    parts = {"moving": moving, "idle": idle}
    answer = {**parts, "settling_frames": settle["frames"], "size": list(SIZE)}
    if as_json:
        click.echo(json.dumps(answer))
        return
    for name, zh in (("moving", "有牌在动"), ("idle", "静止")):
        part = parts[name]
        click.echo(
            say(
                lang,
                f"{zh}：每秒 {part['fps']} 帧，帧到状态 p95 {part['p95_ms']} 毫秒，"
                f"占一核 {part['core_share']:.0%}",
                f"{name}: {part['fps']} frames/s, frame to state p95 {part['p95_ms']} ms, "
                f"{part['core_share']:.0%} of a core",
            )
        )


def _run(table: object, seconds: float, frames: Iterator[np.ndarray]) -> dict[str, float]:
    """Hand frames to the table at the camera's pace for so long."""
    from vision.live import LiveTable
    from vision.sources.frame import Frame

    assert isinstance(table, LiveTable)
    waits: list[float] = []
    begin, cpu = time.monotonic(), time.process_time()
    number, drawing = 0, 0.0
    while time.monotonic() - begin < seconds:
        number += 1
        due = begin + number / FPS
        before = time.process_time()
        pixels = next(frames)
        drawing += time.process_time() - before
        time.sleep(max(0.0, due - time.monotonic()))
        arrived = time.monotonic()
        table.handle(Frame(pixels, arrived, time.time(), "bench", number))
        waits.append(time.monotonic() - arrived)
        if time.monotonic() > due + 1 / FPS:  # frames in between were dropped
            number = int((time.monotonic() - begin) * FPS)
    passed = time.monotonic() - begin
    return {
        "frames": len(waits),
        "fps": round(len(waits) / passed, 1),
        "p50_ms": round(float(np.percentile(waits, 50)) * 1000, 1),
        "p95_ms": round(float(np.percentile(waits, 95)) * 1000, 1),
        "core_share": round((time.process_time() - cpu - drawing) / passed, 3),
    }


def _table(held: tuple[float, float] | None) -> np.ndarray:
    """A row of drawn tiles on cloth, and perhaps one on its way."""
    pixels = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
    pixels[:] = (60, 130, 50)
    names = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "2z", "3z", "7z"]
    for k, name in enumerate(names):
        _put(pixels, name, 60 + 62 * k, 520)
    if held is not None:
        _put(pixels, "5m", int(held[0]), int(held[1]))
    return pixels


def _faces() -> dict[str, np.ndarray]:
    from datasets.hand_picture import render_hand

    faces: dict[str, np.ndarray] = {}
    names = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "2z", "3z", "7z", "5m"]
    scene = render_hand(names[:13], names[13], [], seed=3, width=SIZE[0])
    for thing in scene.objects:
        x1, y1, x2, y2 = (int(v) for v in thing.box)
        faces.setdefault(thing.tile, scene.image[y1:y2, x1:x2])
    return faces


_DRAWN: dict[str, np.ndarray] = {}


def _put(pixels: np.ndarray, name: str, x: int, y: int) -> None:
    if not _DRAWN:
        _DRAWN.update(_faces())
    face = _DRAWN[name]
    height, width = face.shape[:2]
    pixels[y : y + height, x : x + width] = face


def _moving() -> Iterator[np.ndarray]:
    """A tile is carried to another place, rests a moment, and is carried on."""
    rng = random.Random(7)
    at, aim = np.array([100.0, 200.0]), np.array([500.0, 100.0])
    steps = int(MOVE_S * FPS)
    while True:
        for k in range(steps):
            yield _table(tuple(at + (aim - at) * (k + 1) / steps))
        for _ in range(steps):
            yield _table(tuple(aim))
        at, aim = aim, np.array([rng.uniform(40, 860), rng.uniform(40, 380)])


def _still() -> Iterator[np.ndarray]:
    """Nothing moves; the sensor's noise does."""
    noise = np.random.default_rng(3)
    base = _table((500.0, 100.0)).astype(np.int16)
    grains = [noise.normal(0, 2, base.shape[:2]).astype(np.int16)[..., None] for _ in range(4)]
    while True:
        for grain in grains:
            yield np.clip(base + grain, 0, 255).astype(np.uint8)
