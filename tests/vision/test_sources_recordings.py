"""Recordings end, say why they have no picture, and give every frame in order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.vision.fake_sources import (
    FOREVER,
    GARBAGE,
    PATIENCE,
    QUICK,
    FakeClock,
    FakeSource,
    endless,
    no_more,
    picture,
    pixels,
    raise_,
    reaches,
    read,
    silence,
)
from vision.sources import Picture, SourceReader, every_frame
from vision.sources.reasons import SourceError, camera_not_found


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


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
