"""Reading a part of a frame takes longer than a frame: here it goes on beside the frames."""

from __future__ import annotations

import threading

import numpy as np

from vision.table.placement import Placement
from vision.tracking.look import Look, read_part
from vision.values import Box, TileReading


class Ticket:
    """One look that is under way."""

    def __init__(self, pixels: np.ndarray, part: Box, placement: Placement | None) -> None:
        """Made by `BackgroundLook.begin`."""
        self.asked = (pixels, part, placement)
        self._found: tuple[TileReading, ...] | None = None
        self._error: Exception | None = None
        self._done = threading.Event()

    @property
    def done(self) -> bool:
        """Whether it is over, well or not."""
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is over; False after `seconds`."""
        return self._done.wait(seconds)

    def take(self) -> tuple[TileReading, ...]:
        """What it found.

        Raises:
            Exception: Whatever the look raised.
        """
        if self._error is not None:
            raise self._error
        return self._found or ()

    def work(self, look: Look) -> None:
        """Do it; on the thread of its `BackgroundLook`."""
        try:
            self._found = read_part(look, *self.asked)
        except Exception as error:  # noqa: BLE001 - told to whoever takes the result
            self._error = error
        finally:
            self._done.set()


class BackgroundLook:
    """A `Look` with a thread of its own, so that frames are taken in while it reads one.

    One look at a time: what is not begun now is asked for again with a newer frame.

    Attributes:
        side: See `Look`.
        least: See `Look`.
    """

    def __init__(self, look: Look) -> None:
        """The thread starts with the first look."""
        self._look = look
        self.side = look.side
        self.least = look.least
        self._changed = threading.Condition()
        self._next: Ticket | None = None
        self._closing = False
        self._thread: threading.Thread | None = None

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        """Look at once, whatever is under way; see `Look`."""
        return self._look(pixels, part, closer)

    def begin(self, pixels: np.ndarray, part: Box, placement: Placement | None) -> Ticket | None:
        """Begin a look (see `read_part`); None while another is under way, or once closed."""
        with self._changed:
            if self._next is not None or self._closing:
                return None
            self._next = Ticket(pixels, part, placement)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="look", daemon=True)
                self._thread.start()
            self._changed.notify_all()
            return self._next

    def close(self, seconds: float = 5.0) -> bool:
        """Begin no further look; True once the last one is over, waiting `seconds`."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            thread = self._thread
        if thread is None:
            return True
        thread.join(timeout=seconds)
        return not thread.is_alive()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._next is not None or self._closing)
                ticket = self._next
            if ticket is None or self._closing:
                return
            ticket.work(self._look)
            with self._changed:
                self._next = None
