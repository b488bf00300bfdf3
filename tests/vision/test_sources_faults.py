"""What a driver, a picture or a consumer can do wrong, and what is freed afterwards: real time with
tiny deadlines."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.vision.fake_sources import (
    GARBAGE,
    PATIENCE,
    QUICK,
    FakeGrabber,
    FakeSource,
    endless,
    handles,
    no_more,
    picture,
    raising,
    silence,
    wait_for,
)
from vision.sources import FrameFollower, Picture, SourceReader, Timing


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


def test_this_process_can_count_its_handles() -> None:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("no /proc here: the counts of handles above compare 0 with 0")
    before = handles()
    read_end, write_end = os.pipe()
    assert handles() == before + 2
    os.close(read_end)
    os.close(write_end)
