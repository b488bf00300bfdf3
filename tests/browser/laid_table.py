"""A table laid out thing by thing before a made-up camera, and a real server that watches it.

What lies on the table is drawn as plain blocks; a made-up look names the blocks that show. Frames
carry their own time, and the next one comes only once the one before it has been handled, so that
what is seen does not hang on the speed of the machine.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from server.app import create_app
from server.commands.serve import listen
from server.config import Config
from server.live_hub import LiveHub
from server.reading_service import ReadingService
from tests.browser.waiting import PATIENCE_S
from vision.sources import Picture
from vision.table import Placement
from vision.values import Box, TileReading

CLOTH, IVORY = (60, 130, 45), (215, 235, 240)
# The picture is just the table, seen from straight above: 27 tiles wide.
UNIT, TILES_ACROSS = 30, 27
SIDE = UNIT * TILES_ACROSS
# Seconds of the film between frames; of the machine between looks whether the last one is handled,
# and how often that is looked up before it is shown again: a silent camera counts as lost.
STEP_S, LATER_S, LOOK_UPS = 0.1, 0.02, 50
FULL = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))


@dataclass(frozen=True)
class Thing:
    """A block on the table.

    Attributes:
        name: What the look takes it for.
        x, y: Its middle in tile widths from the table's middle, as its seat sees it: y is negative
            towards the seat.
        seat: 0..3.
        size: Width and height in tile widths, as its seat sees it.
        confidence: Of the look.
    """

    name: str
    x: float
    y: float
    seat: int = 0
    size: tuple[float, float] = (1.0, 1.36)
    confidence: float = 0.95

    @property
    def box(self) -> Box:
        """Where it lies, pixels."""
        x, y, (width, height) = self.x, -self.y, self.size
        for _ in range(self.seat):
            x, y, width, height = y, -x, height, width
        middle = (SIDE / 2 + UNIT * x, SIDE / 2 + UNIT * y)
        half = (UNIT * width / 2, UNIT * height / 2)
        return (middle[0] - half[0], middle[1] - half[1], middle[0] + half[0], middle[1] + half[1])


class LaidTable:
    """The table, its camera (a recording that goes on until the end of the test) and its look.

    Attributes:
        things: What lies there now.
    """

    name, live, side, least = "laid", False, 640, 0.4

    def __init__(self, *things: Thing) -> None:
        """Lay these."""
        self.things: list[Thing] = list(things)
        self.hub: LiveHub | None = None
        self.position = 0.0
        self._known = 0
        self._gone = threading.Event()

    def lay(self, *things: Thing) -> None:
        """Lay more."""
        self.things = [*self.things, *things]

    # The source

    def open(self) -> LaidTable:
        """It is there at once."""
        return self

    def grab(self) -> Picture | None:
        """The table as it lies now, a little later than the frame before once that is handled."""
        for _ in range(LOOK_UPS):
            if self._handled() > self._known or self._gone.wait(LATER_S):
                break
        if self._gone.is_set():
            return None
        if self._handled() > self._known or not self.position:
            self._known = self._handled()
            self.position += STEP_S
        pixels = np.full((SIDE, SIDE, 3), CLOTH, np.uint8)
        for thing in self.things:
            x1, y1, x2, y2 = (round(v) for v in thing.box)
            pixels[y1:y2, x1:x2] = IVORY
        return Picture(pixels, position=self.position)

    def interrupt(self) -> None:
        """End."""
        self._gone.set()

    def close(self) -> None:
        """End."""
        self._gone.set()

    def _handled(self) -> int:
        session = self.hub.session_or_none() if self.hub else None
        return session.frames_taken() if session else 0

    # The look

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        """The things whose middle shows in the picture."""
        found = []
        for thing in self.things:
            x1, y1, x2, y2 = thing.box
            if (pixels[round((y1 + y2) / 2), round((x1 + x2) / 2)] == IVORY).all():
                shares = ((thing.name, thing.confidence),)
                found.append(TileReading(thing.name, thing.confidence, thing.box, shares))
        return tuple(found)


@contextmanager
def watched(table: LaidTable, data: Path) -> Iterator[tuple[str, LiveHub]]:
    """A server of its own on a free port of this machine that watches the table.

    Gives:
        Its address, and its live table.
    """
    config = replace(
        Config(), port=0, data_folder=data, requests_a_second=10_000, requests_at_once=100_000
    )
    service = ReadingService(config)
    hub = table.hub = LiveHub(config, service, look=lambda wait_s: table)
    server = listen(config, create_app(config, service, hub))
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            server.asyncore.loop(timeout=LATER_S, count=1, map=server._map)

    serving = threading.Thread(target=serve, name="laid table", daemon=True)
    serving.start()
    try:
        hub.save_placement(Placement("laid", "overhead", FULL))
        hub._begin(table, "laid", 0.0, None)
        yield f"http://127.0.0.1:{server.effective_port}/", hub
    finally:
        hub.close()
        server.task_dispatcher.shutdown()
        over.set()
        serving.join(PATIENCE_S)
        assert not serving.is_alive()
        server.asyncore.close_all(server._map)
        server.close()
