"""A source that plays a script, and a clock that moves only when told to, for the reader's tests.
Nothing here sleeps: tests wait for what they want to see."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from vision.sources import Picture, SourceReader, Timing
from vision.sources.reasons import BadPicture, not_a_picture

PATIENCE = 10.0
FOREVER = 1e9
QUICK = Timing(
    open_s=0.3,
    read_s=0.2,
    stale_s=0.1,
    grace_s=0.05,
    first_pause_s=0.001,
    longest_pause_s=0.002,
    bad_pause_s=0.01,
)


class FakeClock:
    """Time that moves only when told to."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.time_of_day = 1_700_000_000.0
        self._conditions: list[threading.Condition] = []

    def monotonic(self) -> float:
        return self.now

    def wall(self) -> float:
        return self.time_of_day

    def wait(self, condition: threading.Condition, seconds: float | None) -> None:
        if condition not in self._conditions:
            # Time may have moved before it was known here: wake at once, look again.
            self._conditions.append(condition)
            return
        assert condition.wait(PATIENCE), "nothing happened any more"

    def advance(self, seconds: float) -> None:
        self.now += seconds
        self.time_of_day += seconds
        for condition in list(self._conditions):
            with condition:
                condition.notify_all()


class FakeGrabber:
    """Plays one step for each grab."""

    def __init__(self, source: FakeSource, steps: Iterable[Callable[[FakeGrabber], Any]]) -> None:
        self.source = source
        self.steps = iter(steps)
        self.interrupted = threading.Event()
        self.closed = 0

    def grab(self) -> Any:
        self.source.grabs += 1
        self.source.entered.release()
        return next(self.steps)(self)

    def interrupt(self) -> None:
        self.interrupted.set()

    def close(self) -> None:
        self.closed += 1
        self.source.closings.release()


class FakeSource:
    """`script(n)` gives the steps of the n-th opening, or raises."""

    def __init__(self, script: Callable[[int], Iterable[Any]], live: bool = True) -> None:
        self.name = "fake"
        self.live = live
        self.script = script
        self.opened: list[FakeGrabber] = []
        self.opening = threading.Semaphore(0)
        self.entered = threading.Semaphore(0)
        self.closings = threading.Semaphore(0)
        self.attempts = 0
        self.grabs = 0

    def open(self) -> FakeGrabber:
        self.attempts += 1
        grabber = FakeGrabber(self, self.script(self.attempts - 1))
        self.opened.append(grabber)
        self.opening.release()
        return grabber


def wait_for(semaphore: threading.Semaphore, times: int = 1) -> None:
    for _ in range(times):
        assert semaphore.acquire(timeout=PATIENCE)


def pixels(value: int = 7) -> np.ndarray:
    return np.full((40, 48, 3), value, np.uint8)


def picture(grabber: FakeGrabber) -> Picture:
    return Picture(pixels())


def no_more(grabber: FakeGrabber) -> None:
    return None


def silence(grabber: FakeGrabber) -> None:
    """Waits until it is interrupted, as a killed process does."""
    assert grabber.interrupted.wait(PATIENCE)


def deaf(release: threading.Event) -> Callable[[FakeGrabber], None]:
    """Hangs whatever anybody says, until the test ends it."""
    return lambda grabber: (release.wait(PATIENCE), None)[1]


def raising(error: Exception) -> Callable[[FakeGrabber], None]:
    def step(grabber: FakeGrabber) -> None:
        raise error

    return step


def endless(step: Callable[[FakeGrabber], Any]) -> Iterator[Callable[[FakeGrabber], Any]]:
    while True:
        yield step


def handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0


def fixed(value: float) -> Callable[[], float]:
    return lambda: value


def read(source: FakeSource, clock: FakeClock, chance: float = 0.5) -> SourceReader:
    return SourceReader(source, clock=clock, chance=fixed(chance))


def reaches(reader: SourceReader, state: str) -> Any:
    status = reader.wait_status(lambda s: s.state == state, FOREVER)
    assert status is not None
    return status


def wait_until_waiting_again(
    reader: SourceReader, clock: FakeClock, step: float, fits: Callable[[Any], bool]
) -> None:
    """Move time in steps until the status fits: for moments no fake can see."""
    for _ in range(300):
        if fits(reader.status()):
            return
        clock.advance(step)
        with reader._changed:
            reader._changed.wait(0.01)
    raise AssertionError("the status never fitted")


def raise_(error: Exception) -> list[Any]:
    raise error


GARBAGE: list[Any] = [
    lambda g: Picture(np.zeros((40, 40), np.uint8)),
    lambda g: Picture(np.zeros((40, 40, 3), np.float32)),
    lambda g: Picture(np.zeros((0, 0, 3), np.uint8)),
    lambda g: Picture(np.zeros((40, 40, 4), np.uint8)),
    lambda g: "a page",
    raising(BadPicture(not_a_picture("fake"))),
]
