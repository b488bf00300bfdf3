"""What a source is, small enough for a fake of a few lines, and the clock readers go by."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from vision.sources.frame import Picture


class Grabber(Protocol):
    """An opened source. `grab` runs on one thread; `interrupt` comes from another."""

    def grab(self) -> Picture | None:
        """The next picture (for a live source, the newest); None when there are no more.

        Raises:
            BadPicture: This one picture is none; the next may be asked for.
            SourceError: The source is lost and must be opened again.
        """

    def interrupt(self) -> None:
        """Make a `grab` in progress give up. Must not block; may be called more than once."""

    def close(self) -> None:
        """Let go of everything; called after the last `grab` came back."""


class Source(Protocol):
    """Something that can be opened, again and again, and then gives pictures.

    Attributes:
        name: What people call it; holds no password.
        live: True when it should always give pictures (reopened for ever when it stops);
            False for a recording, which ends.
    """

    @property
    def name(self) -> str: ...

    @property
    def live(self) -> bool: ...

    def open(self) -> Grabber:
        """Begin; slow work belongs into the first `grab`, which can be interrupted.

        Raises:
            SourceError: It cannot be opened; the reason says why.
        """


class Clock(Protocol):
    """Time as readers see it; tests bring their own."""

    def monotonic(self) -> float:
        """Seconds that only go forward."""

    def wall(self) -> float:
        """Unix seconds; may jump."""

    def wait(self, condition: threading.Condition, seconds: float | None) -> None:
        """Wait for a notification (the lock is held), at most `seconds`; may wake early."""


class SystemClock:
    """The machine's clock."""

    def monotonic(self) -> float:
        """See `Clock`."""
        return time.monotonic()

    def wall(self) -> float:
        """See `Clock`."""
        return time.time()

    def wait(self, condition: threading.Condition, seconds: float | None) -> None:
        """See `Clock`."""
        condition.wait(seconds)


def wait_out(
    clock: Clock,
    condition: threading.Condition,
    seconds: float,
    done: Callable[[], bool],
    start: float | None = None,
) -> bool:
    """Wait, with `condition` held, until `done()` or until `seconds` have passed since `start`.

    A clock that jumps, in either direction, ends the wait rather than stretching it.

    Returns:
        Whether it is done.
    """
    start = clock.monotonic() if start is None else start
    while not done():
        passed = clock.monotonic() - start
        if not 0 <= passed < seconds:
            return False
        clock.wait(condition, seconds - passed)
    return True


@dataclass(frozen=True)
class Timing:
    """Deadlines of a reader, in seconds.

    The defaults keep the promises: offline at most 5 s after the last picture, and live again
    at most 10 s after a source that opens within 1.7 s is back: an attempt begun just before its
    return (`open_s`), letting go of it (twice `grace_s`), and the longest pause (`longest_pause_s`
    and its jitter) come first.

    Attributes:
        open_s: From opening to the first picture.
        read_s: From one good picture to the next; then the source is offline.
        stale_s: From the last good picture until the source is called stale.
        grace_s: How long an interrupted call may take to come back before it is abandoned.
        first_pause_s: Pause before the first new attempt; doubled for each further one.
        longest_pause_s: The longest pause, before jitter.
        jitter: Share by which each pause is varied, up and down.
        settled_s: A connection this old has earned the short pause again.
        bad_pause_s: Pause after a picture that is none.
        most_hung: Calls that never came back, at one time, before no further one is made.
    """

    open_s: float = 6.0
    read_s: float = 4.0
    stale_s: float = 1.5
    grace_s: float = 0.5
    first_pause_s: float = 0.25
    longest_pause_s: float = 1.0
    jitter: float = 0.3
    settled_s: float = 5.0
    bad_pause_s: float = 0.05
    most_hung: int = 3
