"""The reader against every fault a source can have. Fakes play the source; time is injected, or
real with tiny deadlines. Nothing sleeps: tests wait for what they want to see."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.sources import FrameFollower, Picture, SourceReader, Timing, every_frame
from vision.sources.reasons import BadPicture, SourceError, camera_not_found, in_use, not_a_picture

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


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def fixed(value: float) -> Callable[[], float]:
    return lambda: value


def read(source: FakeSource, clock: FakeClock, chance: float = 0.5) -> SourceReader:
    return SourceReader(source, clock=clock, chance=fixed(chance))


def reaches(reader: SourceReader, state: str) -> Any:
    status = reader.wait_status(lambda s: s.state == state, FOREVER)
    assert status is not None
    return status


def test_a_frame_carries_its_times_name_and_number(clock: FakeClock) -> None:
    source = FakeSource(lambda n: [picture, lambda g: Picture(pixels(9), 999.5), silence])
    with read(source, clock) as reader:
        frame = reader.wait_newer(1, FOREVER)
        assert frame is not None
        assert (frame.sequence, frame.source, frame.at) == (2, "fake", 999.5)
        # Taken half a second before it was handed over: the time of day says so too.
        assert frame.wall == 1_700_000_000.0 - 0.5
        assert int(frame.pixels[0, 0, 0]) == 9
        with pytest.raises(ValueError, match="read-only"):
            frame.pixels[0, 0] = 0
        assert reader.newest() is frame


def test_a_stream_that_stops_is_stale_then_offline_then_back(clock: FakeClock) -> None:
    source = FakeSource(lambda n: [picture, silence])
    with read(source, clock) as reader:
        wait_for(source.entered, 2)
        assert reaches(reader, "live").reason is None
        stopped = clock.now

        clock.advance(1.6)
        stale = reaches(reader, "stale")
        assert stale.reason.code == "no_signal"
        frame = reader.newest()
        assert frame is not None
        assert frame.at == stopped, "the last frame stays, with its own age"

        clock.advance(2.5)
        offline = reader.wait_status(lambda s: s.next_try is not None, FOREVER)
        assert offline is not None
        assert offline.state == "offline"
        assert offline.reason is not None
        assert offline.reason.code == "no_signal"
        assert offline.since - stopped <= 5.0
        assert (offline.fps, offline.lost, offline.abandoned) == (0.0, 1, 0)

        clock.advance(0.3)
        back = reaches(reader, "live")
        assert back.since - offline.since <= 10.0
        assert back.frames == 2


def test_a_slow_stream_is_stale_between_its_pictures_but_never_lost(clock: FakeClock) -> None:
    go = threading.Semaphore(0)

    def when_told(grabber: FakeGrabber) -> Picture:
        assert go.acquire(timeout=PATIENCE)
        return picture(grabber)

    source = FakeSource(lambda n: [picture, *[when_told] * 5, silence])
    with read(source, clock) as reader:
        for number in range(1, 6):
            wait_for(source.entered)
            assert reader.wait_status(
                lambda s, n=number: s.frames == n and s.state == "live", FOREVER
            )
            clock.advance(3.0)
            assert reaches(reader, "stale").reason.code == "no_signal"
            go.release()
        assert reader.wait_status(lambda s: s.frames == 6, FOREVER)
        assert (reader.status().lost, len(source.opened)) == (0, 1)


def test_a_read_that_hangs_for_ever_is_abandoned_once(clock: FakeClock) -> None:
    release = threading.Event()
    source = FakeSource(lambda n: [picture, deaf(release) if n == 0 else silence])
    with read(source, clock) as reader:
        wait_for(source.entered, 2)
        started = clock.now
        clock.advance(4.1)
        assert source.opened[0].interrupted.wait(PATIENCE)
        clock.advance(0.6)
        status = reader.wait_status(lambda s: s.next_try is not None, FOREVER)
        assert status is not None
        assert (status.state, status.abandoned, status.hung_now) == ("offline", 1, 1)
        assert status.since - started <= 5.0
        assert source.opened[0].closed == 0, "nobody touches what another thread hangs in"

        clock.advance(0.3)
        reaches(reader, "live")
        release.set()
        cleaned = reader.wait_status(lambda s: s.hung_now == 0, FOREVER)
        assert cleaned is not None
        assert cleaned.abandoned == 1
        assert source.opened[0].closed == 1
        assert cleaned.state == "live"


def test_an_opening_that_hangs_is_closed_when_it_comes_back(clock: FakeClock) -> None:
    release = threading.Event()

    def script(n: int) -> list[Any]:
        if n == 0:
            source.opening.release()
            release.wait(PATIENCE)
        return [picture, silence]

    source = FakeSource(script)
    with read(source, clock) as reader:
        wait_for(source.opening)
        clock.advance(6.1)
        # Nothing can interrupt an opening: only the grace lies between deadline and abandoning.
        wait_until_waiting_again(reader, clock, 0.6, lambda s: s.abandoned == 1)
        release.set()
        cleaned = reader.wait_status(lambda s: s.hung_now == 0, FOREVER)
        assert cleaned is not None
        assert source.opened[0].closed == 1


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


def test_threads_that_hang_are_bounded_and_recovered_from(clock: FakeClock) -> None:
    release = threading.Event()
    source = FakeSource(lambda n: [deaf(release)] if n < 3 else [picture, silence])
    before = threading.active_count()
    with read(source, clock) as reader:
        wait_until_waiting_again(
            reader, clock, 0.7, lambda s: s.reason is not None and s.reason.code == "hung"
        )
        opened = len(source.opened)
        # Its watching thread, and three that never came back.
        assert threading.active_count() - before == 4
        for _ in range(20):
            clock.advance(2.0)
        status = reader.status()
        assert (len(source.opened), status.abandoned, status.hung_now) == (opened, 3, 3)
        assert opened == 3

        release.set()
        assert reader.wait_status(lambda s: s.hung_now == 0, FOREVER)
        wait_until_waiting_again(reader, clock, 0.2, lambda s: s.state == "live")
        assert reader.status().abandoned == 3


def test_the_promise_of_ten_seconds_in_the_worst_case(clock: FakeClock) -> None:
    """The source is back just after an attempt began that hangs to its deadline; the longest
    pause follows, with the most jitter there is."""

    def script(n: int) -> list[Any]:
        if n < 4:
            raise SourceError(in_use("fake"))
        return [silence] if n == 4 else [picture, silence]

    source = FakeSource(script)
    with read(source, clock, chance=1.0) as reader:
        for attempt in range(1, 5):
            status = reader.wait_status(
                lambda s, a=attempt: s.lost == a and s.next_try is not None, FOREVER
            )
            assert status is not None
            assert status.next_try is not None
            clock.advance(status.next_try - clock.now + 0.001)
        wait_for(source.entered)
        returned = clock.now

        clock.advance(6.001)
        status = reader.wait_status(lambda s: s.lost == 5 and s.next_try is not None, FOREVER)
        assert status is not None
        assert status.next_try is not None
        assert status.next_try - clock.now == pytest.approx(1.3)
        clock.advance(1.301)
        live = reaches(reader, "live")
        # Twice the grace could come on top were the attempt deaf, and the source's own opening.
        assert live.since - returned + 2 * 0.5 + 1.7 <= 10.01


@pytest.mark.parametrize(
    ("chance", "pauses"),
    [
        (0.0, (0.175, 0.35, 0.7, 0.7)),
        (0.5, (0.25, 0.5, 1.0, 1.0)),
        (1.0, (0.325, 0.65, 1.3, 1.3)),
    ],
)
def test_pauses_double_up_to_one_second_with_jitter(
    clock: FakeClock, chance: float, pauses: tuple[float, ...]
) -> None:
    source = FakeSource(lambda n: raise_(SourceError(in_use("fake"))))
    with read(source, clock, chance) as reader:
        for number, pause in enumerate(pauses, start=1):
            status = reader.wait_status(
                lambda s, n=number: s.lost == n and s.next_try is not None, FOREVER
            )
            assert status is not None
            assert status.next_try is not None
            assert status.next_try - clock.now == pytest.approx(pause)
            assert status.reason is not None
            assert (status.state, status.reason.code) == ("offline", "in_use")
            clock.advance(pause + 0.001)


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


def test_garbage_between_pictures_is_counted_and_passed_over() -> None:
    source = FakeSource(lambda n: [picture, *GARBAGE, picture, silence])
    with SourceReader(source, Timing(bad_pause_s=0.001)) as reader:
        frame = reader.wait_newer(1, PATIENCE)
        assert frame is not None
        assert frame.sequence == 2
        assert reader.status().bad_pictures == len(GARBAGE)


def test_nothing_but_garbage_is_offline_and_costs_no_core() -> None:
    def script(n: int) -> Iterable[Any]:
        return endless(GARBAGE[n % len(GARBAGE)]) if n < 2 else [picture, silence]

    source = FakeSource(script)
    with SourceReader(source, QUICK) as reader:
        status = reader.wait_status(lambda s: s.state == "offline", PATIENCE)
        assert status is not None
        assert status.reason is not None
        assert status.reason.code == "not_a_picture"
        # 0.3 s of patience with a rest of 0.01 s after each: 30, and one more at the edge.
        assert source.grabs <= 32
        assert reader.wait_status(lambda s: s.state == "live", PATIENCE)


@pytest.mark.parametrize("error", [RuntimeError("driver"), ValueError("?"), MemoryError()])
def test_whatever_a_driver_raises_the_reader_stays(error: Exception) -> None:
    source = FakeSource(lambda n: [picture, raising(error)] if n == 0 else [picture, silence])
    with SourceReader(source, QUICK) as reader:
        assert reader.wait_status(lambda s: s.lost >= 1, PATIENCE)
        assert reader.wait_newer(1, PATIENCE)
        assert source.opened[0].closed == 1


def test_a_hundred_disconnects_leak_nothing() -> None:
    source = FakeSource(lambda n: [picture, picture, no_more])
    with SourceReader(source, QUICK) as reader:
        assert reader.wait_status(lambda s: s.lost >= 3, PATIENCE)
        threads, files = threading.active_count(), handles()
        status = reader.wait_status(lambda s: s.lost >= 103, PATIENCE)
        assert status is not None
        assert status.frames >= 200
        assert threading.active_count() <= threads
        assert handles() <= files
    assert len(source.opened) >= 103
    assert all(grabber.closed == 1 for grabber in source.opened)
    assert not [t for t in threading.enumerate() if t.name.endswith(" fake")]


@pytest.mark.parametrize("jump", [86_400.0, -86_400.0])
def test_the_time_of_day_may_jump(clock: FakeClock, jump: float) -> None:
    go = threading.Semaphore(0)

    def when_told(grabber: FakeGrabber) -> Picture:
        assert go.acquire(timeout=PATIENCE)
        return picture(grabber)

    source = FakeSource(lambda n: [picture, when_told, when_told, silence])
    with read(source, clock) as reader:
        before = reaches(reader, "live")
        clock.time_of_day += jump
        clock.advance(0.1)
        go.release()
        frame = reader.wait_newer(1, FOREVER)
        assert frame is not None
        after = reader.status()
        assert (after.state, after.since, after.lost) == ("live", before.since, 0)
        assert after.fps == pytest.approx(1 / 0.1)
        go.release()


def test_a_sleep_of_the_machine_is_recovered_from(clock: FakeClock) -> None:
    source = FakeSource(lambda n: [picture, silence])
    with read(source, clock) as reader:
        wait_for(source.entered, 2)
        clock.advance(3600.0)
        status = reader.wait_status(lambda s: s.next_try is not None, FOREVER)
        assert status is not None
        assert status.state == "offline"
        clock.advance(0.3)
        assert reaches(reader, "live").frames == 2


def test_a_monotonic_clock_that_jumps_back_only_restarts_the_deadline(clock: FakeClock) -> None:
    source = FakeSource(lambda n: [picture, silence])
    with read(source, clock) as reader:
        wait_for(source.entered, 2)
        clock.advance(-3600.0)
        back_then = clock.now
        wait_until_waiting_again(reader, clock, 0.5, lambda s: s.state == "offline")
        assert source.opened[0].interrupted.is_set(), "by its deadline, not by itself"
        assert clock.now < back_then + 3600.0
        wait_until_waiting_again(reader, clock, 0.2, lambda s: s.state == "live")


def test_a_consumer_that_raises_harms_nobody() -> None:
    source = FakeSource(lambda n: endless(in_steps))
    step = threading.Semaphore(0)

    def in_steps(grabber: FakeGrabber) -> Picture | None:
        while not grabber.interrupted.is_set():
            if step.acquire(timeout=0.05):
                return picture(grabber)
        return None

    healthy = threading.Event()
    handled: list[int] = []
    seen = threading.Semaphore(0)

    def detector(frame: Any) -> None:
        seen.release()
        if not healthy.is_set():
            raise RuntimeError("detector")
        handled.append(frame.sequence)

    timing = Timing(grace_s=1.0)
    with SourceReader(source, timing) as reader:
        follower = FrameFollower(reader, detector, error_pause_s=0.0)
        for _ in range(5):
            step.release()
            wait_for(seen)
        status = reader.status()
        assert (status.state, status.frames, status.lost) == ("live", 5, 0)
        healthy.set()
        step.release()
        wait_for(seen)
        assert follower.close(PATIENCE)
        assert handled == [6]
        assert (follower.status().failed, follower.status().handled) == (5, 1)
        assert follower.status().last_error is None


def test_a_follower_ends_with_its_recording() -> None:
    reader = SourceReader(FakeSource(lambda n: [picture, no_more], live=False))
    seen = threading.Event()
    follower = FrameFollower(reader, lambda frame: seen.set())
    assert seen.wait(PATIENCE)
    assert reader.wait_status(lambda s: s.state == "ended", PATIENCE)
    assert follower.close(PATIENCE)


def test_a_recording_ends_and_its_last_frame_stays(clock: FakeClock) -> None:
    source = FakeSource(lambda n: [picture, picture, no_more], live=False)
    with read(source, clock) as reader:
        status = reaches(reader, "ended")
        assert status.reason.code == "end_of_file"
        assert (status.frames, status.lost) == (2, 0)
        assert reader.newest() is not None
        assert reader.wait_newer(2, FOREVER) is None
    assert len(source.opened) == 1
    assert source.opened[0].closed == 1


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (lambda n: raise_(SourceError(camera_not_found("fake"))), "not_found"),
        (lambda n: [*GARBAGE, no_more], "not_a_picture"),
        (lambda n: raise_(OSError("disk")), "failed"),
    ],
)
def test_a_recording_without_a_picture_says_why(
    script: Callable[[int], Iterable[Any]], code: str
) -> None:
    with SourceReader(FakeSource(script, live=False), QUICK) as reader:
        status = reader.wait_status(lambda s: s.state == "ended", PATIENCE)
        assert status is not None
        assert status.reason is not None
        assert status.reason.code == code
        assert status.to_json()["reason"]["zh"]


def test_close_frees_a_silent_source_and_may_come_twice() -> None:
    source = FakeSource(lambda n: [picture, silence])
    reader = SourceReader(source)
    wait_for(source.entered, 2)
    reader.close()
    reader.close()
    assert source.opened[0].closed == 1
    status = reader.status()
    assert (status.state, status.reason, status.abandoned) == ("ended", None, 0)
    assert not [t for t in threading.enumerate() if t.name.endswith(" fake")]


def test_every_frame_gives_each_one_in_order_and_passes_garbage_over() -> None:
    steps: list[Any] = [lambda g, v=v: Picture(pixels(v), position=v / 10) for v in range(1, 6)]
    source = FakeSource(lambda n: [*steps, *GARBAGE, picture, no_more], live=False)
    frames = list(every_frame(source))
    assert [int(f.pixels[0, 0, 0]) for f in frames] == [1, 2, 3, 4, 5, 7]
    assert [f.sequence for f in frames] == [1, 2, 3, 4, 5, 6]
    assert [f.position for f in frames[:5]] == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert source.opened[0].closed == 1


def test_every_frame_raises_when_the_source_hangs_and_when_nothing_is_a_picture() -> None:
    source = FakeSource(lambda n: [picture, silence], live=False)
    frames = every_frame(source, QUICK)
    assert next(frames).sequence == 1
    with pytest.raises(SourceError) as caught:
        next(frames)
    assert caught.value.code == "no_signal"
    assert source.opened[0].closed == 1

    with pytest.raises(SourceError) as caught:
        list(every_frame(FakeSource(lambda n: [*GARBAGE, no_more], live=False), QUICK))
    assert caught.value.code == "not_a_picture"


def test_every_frame_lets_go_when_it_is_left_early() -> None:
    source = FakeSource(lambda n: endless(picture), live=False)
    frames = every_frame(source)
    next(frames)
    frames.close()
    assert source.opened[0].closed == 1
    assert not [t for t in threading.enumerate() if t.name.endswith(" fake")]


def test_this_process_can_count_its_handles() -> None:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("no /proc here: the counts of handles above compare 0 with 0")
    before = handles()
    read_end, write_end = os.pipe()
    assert handles() == before + 2
    os.close(read_end)
    os.close(write_end)
