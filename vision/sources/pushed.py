"""Frames posted by a browser: whoever receives them pushes, the reader grabs."""

from __future__ import annotations

import threading

from vision.photo import load_photo
from vision.sources.frame import Picture
from vision.sources.source import Clock, SystemClock


class PushSource:
    """A phone's or laptop's camera, whose pictures arrive as requests.

    Attributes:
        name: What people call it.
        live: Always True: it may fall silent and come back.
    """

    live = True

    def __init__(self, name: str, clock: Clock | None = None) -> None:
        """Pictures may be pushed at once; before a reader comes only the newest is kept."""
        self.name = name
        self._clock = clock or SystemClock()
        self._arrived = threading.Condition()
        self._newest: Picture | None = None

    def push(self, data: bytes) -> Picture:
        """Take one JPEG, PNG, WebP or HEIC picture as the newest.

        Decoding happens here, on the thread of the request, so that the answer can say what is
        wrong with the picture.

        Raises:
            PhotoError: It is empty, too large, broken or no picture.
        """
        taken = self._clock.monotonic()
        picture = Picture(load_photo(data, self.name).pixels, taken)
        with self._arrived:
            # Two requests may be decoded at the same time and finish in either order.
            if self._newest is None or taken >= (self._newest.taken or 0.0):
                self._newest = picture
            self._arrived.notify_all()
        return picture

    def open(self) -> PushGrabber:
        """See `Source`."""
        return PushGrabber(self)

    def _take(self, stopped: threading.Event) -> Picture | None:
        with self._arrived:
            while self._newest is None and not stopped.is_set():
                self._arrived.wait()
            picture, self._newest = self._newest, None
            return None if stopped.is_set() else picture

    def _wake(self) -> None:
        with self._arrived:
            self._arrived.notify_all()


class PushGrabber:
    """Waits for the next pushed picture."""

    def __init__(self, source: PushSource) -> None:
        self._source = source
        self._stopped = threading.Event()

    def grab(self) -> Picture | None:
        """See `Grabber`."""
        return self._source._take(self._stopped)

    def interrupt(self) -> None:
        """See `Grabber`."""
        self._stopped.set()
        self._source._wake()

    def close(self) -> None:
        """See `Grabber`."""
        self._stopped.set()
