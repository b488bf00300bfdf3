"""The reader in time: late, hanging and lost sources, pauses, and clocks that jump. Fakes play the
source; time is injected."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.vision.fake_sources import (
    FOREVER,
    PATIENCE,
    FakeClock,
    FakeGrabber,
    FakeSource,
    deaf,
    picture,
    pixels,
    raise_,
    reaches,
    read,
    silence,
    wait_for,
    wait_until_waiting_again,
)
from vision.sources import Picture
from vision.sources.reasons import SourceError, in_use


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


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
