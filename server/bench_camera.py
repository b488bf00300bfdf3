"""A drawn camera for `zhuowu bench live`: tiles on cloth, one of them carried about or none."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator

import numpy as np

from vision.sources import Picture

FPS = 30.0
SIZE = (960, 720)
MOVE_S, REST_S = 0.6, 0.6
NAMES = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "2z", "3z", "7z"]
HELD = "5m"


class DrawnCamera:
    """A source, and its own grabber, that draws `FPS` frames a second and drops what is late.

    Attributes:
        drawing_s: Processor seconds that drawing has cost so far.
    """

    name = "bench"
    live = True

    def __init__(self) -> None:
        """Nothing moves before `move`."""
        self.drawing_s = 0.0
        self._moving = False
        self._closed = threading.Event()
        self._faces = _faces()
        self._moves = self._carried()
        self._idle = self._still()
        self._due = 0.0

    def move(self, moving: bool) -> None:
        """Whether a tile is carried about from now on."""
        self._moving = moving

    def open(self) -> DrawnCamera:
        """See `Source`."""
        self._closed.clear()
        self._due = time.monotonic()
        return self

    def grab(self) -> Picture | None:
        """See `Grabber`."""
        self._due = max(self._due + 1 / FPS, time.monotonic() - 1 / FPS)
        if self._closed.wait(max(0.0, self._due - time.monotonic())):
            return None
        begin = time.thread_time()
        pixels = next(self._moves if self._moving else self._idle)
        self.drawing_s += time.thread_time() - begin
        return Picture(pixels)

    def interrupt(self) -> None:
        """See `Grabber`."""
        self._closed.set()

    def close(self) -> None:
        """See `Grabber`."""
        self._closed.set()

    def _carried(self) -> Iterator[np.ndarray]:
        """A tile is carried to another place, rests a moment, and is carried on."""
        rng = random.Random(7)
        at, aim = np.array([100.0, 200.0]), np.array([500.0, 100.0])
        begin = time.monotonic()
        while True:
            passed = time.monotonic() - begin
            if passed > MOVE_S + REST_S:
                at, aim = aim, np.array([rng.uniform(40, 860), rng.uniform(40, 380)])
                begin, passed = time.monotonic(), 0.0
            where = at + (aim - at) * min(1.0, passed / MOVE_S)
            yield self.table((float(where[0]), float(where[1])))

    def _still(self) -> Iterator[np.ndarray]:
        """Nothing moves; the sensor's noise does."""
        noise = np.random.default_rng(3)
        base = self.table((500.0, 100.0)).astype(np.int16)
        grains = [noise.normal(0, 2, base.shape[:2]).astype(np.int16)[..., None] for _ in range(4)]
        frames = [np.clip(base + grain, 0, 255).astype(np.uint8) for grain in grains]
        while True:
            yield from frames

    def table(self, held: tuple[float, float]) -> np.ndarray:
        """A row of tiles on cloth, and one more."""
        pixels = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
        pixels[:] = (60, 130, 50)
        places = [(name, 60 + 62 * k, 520) for k, name in enumerate(NAMES)]
        for name, x, y in [*places, (HELD, int(held[0]), int(held[1]))]:
            face = self._faces[name]
            pixels[y : y + face.shape[0], x : x + face.shape[1]] = face
        return pixels


def _faces() -> dict[str, np.ndarray]:
    from datasets.hand_picture import render_hand

    scene = render_hand(NAMES, HELD, [], seed=3, width=SIZE[0])
    faces: dict[str, np.ndarray] = {}
    for thing in scene.objects:
        x1, y1, x2, y2 = (int(v) for v in thing.box)
        faces.setdefault(thing.tile, scene.image[y1:y2, x1:x2])
    return faces
