"""Hand every new frame to somebody, whatever that somebody does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from vision.sources.frame import Frame
from vision.sources.reader import SourceReader

LOOK_UP_S = 0.5


@dataclass(frozen=True)
class FollowStatus:
    """How the handling goes.

    Attributes:
        handled: Frames handled without an error.
        failed: Frames whose handling raised.
        last_error: The newest error, as a short sentence; None while all is well again.
    """

    handled: int = 0
    failed: int = 0
    last_error: str | None = None


class FrameFollower:
    """Calls `handle` with the newest frame, again and again, on one thread of its own.

    Frames that come while one is handled are passed over, but for the newest. An exception out of
    `handle` costs that frame, is counted and told, and the next frame is handled: the reader and
    everybody else do not notice.
    """

    def __init__(
        self,
        reader: SourceReader,
        handle: Callable[[Frame], None],
        error_pause_s: float = 0.2,
    ) -> None:
        """Begin at once; `error_pause_s` keeps a handler that always raises from costing a core."""
        self._reader = reader
        self._handle = handle
        self._error_pause_s = error_pause_s
        self._status = FollowStatus()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"follow {reader.name}", daemon=True)
        self._thread.start()

    def status(self) -> FollowStatus:
        """How it goes now."""
        return self._status

    def close(self, seconds: float = 5.0) -> bool:
        """Handle no further frame; True once the last `handle` is over, waiting `seconds`."""
        self._stopped.set()
        self._thread.join(timeout=seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        sequence = 0
        while not self._stopped.is_set():
            frame = self._reader.wait_newer(sequence, LOOK_UP_S)
            if frame is None:
                if self._reader.status().state == "ended":
                    return
                continue
            sequence = frame.sequence
            self._one(frame)

    def _one(self, frame: Frame) -> None:
        status = self._status
        try:
            self._handle(frame)
        except Exception as error:  # noqa: BLE001 - any handler's error costs one frame only
            text = f"{type(error).__name__}: {error}"[:200]
            self._status = replace(status, failed=status.failed + 1, last_error=text)
            self._stopped.wait(self._error_pause_s)
        else:
            self._status = replace(status, handled=status.handled + 1, last_error=None)
