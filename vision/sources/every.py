"""Every frame of a recording, one after the other, none dropped."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator
from typing import Any

from vision.sources.calls import CallGivenUp, Calls
from vision.sources.frame import Frame, Picture, is_picture, shared
from vision.sources.reasons import BadPicture, SourceError, no_signal, not_a_picture
from vision.sources.source import Clock, Grabber, Source, SystemClock, Timing


def every_frame(
    source: Source,
    timing: Timing = Timing(),  # noqa: B008 - immutable
    clock: Clock | None = None,
) -> Generator[Frame, None, None]:
    """Open `source` and give its frames in order, each only when it is asked for.

    Bad pictures between good ones are passed over. Close the iterator (or use it up) to let go
    of the source.

    Args:
        source: What to read; a live source gives frames until it is lost.
        timing: Its deadlines, which run only while a frame is waited for.
        clock: Time; the machine's own by default.

    Raises:
        SourceError: It cannot be opened, hangs, is lost, or gave no picture at all.
    """
    clock = clock or SystemClock()
    calls = Calls(threading.Condition(), clock, source.name, timing.most_hung)
    grabber: Grabber | None = None
    count = 0
    try:
        grabber = _within(calls, clock, timing, source, source.open, timing.open_s, None)
        patience = timing.open_s
        while (
            picture := _next_picture(calls, clock, timing, source, grabber, patience)
        ) is not None:
            count += 1
            patience = timing.read_s
            yield Frame(
                shared(picture.pixels),
                clock.monotonic() if picture.taken is None else picture.taken,
                clock.wall(),
                source.name,
                count,
                picture.position,
            )
        if not count:
            raise SourceError(not_a_picture(source.name))
    finally:
        if grabber is not None and not calls.hung_now:
            grabber.interrupt()  # a Ctrl-C may have left a grab in progress
            # What cannot be closed is lost anyway; the error under way matters more.
            with contextlib.suppress(Exception):
                calls.run(grabber.close, _deadline(clock, timing.grace_s), 0.0)
        calls.end()


def _next_picture(
    calls: Calls, clock: Clock, timing: Timing, source: Source, grabber: Grabber, patience: float
) -> Picture | None:
    """The next good picture within `patience` seconds."""
    until = clock.monotonic() + patience
    while True:
        left = until - clock.monotonic()
        if left <= 0:
            raise SourceError(not_a_picture(source.name))
        try:
            picture = _within(calls, clock, timing, source, grabber.grab, left, grabber)
        except BadPicture:
            continue
        if picture is None or is_picture(picture):
            return picture  # type: ignore[no-any-return]


def _within(
    calls: Calls,
    clock: Clock,
    timing: Timing,
    source: Source,
    work: Callable[[], Any],
    seconds: float,
    grabber: Grabber | None,
) -> Any:
    def late(value: Any) -> None:
        leftover = grabber or value
        if leftover is not None:
            leftover.close()

    try:
        return calls.run(
            work,
            _deadline(clock, seconds),
            timing.grace_s,
            grabber.interrupt if grabber else None,
            late,
        )
    except CallGivenUp:
        raise SourceError(no_signal(source.name, seconds)) from None


def _deadline(clock: Clock, seconds: float) -> Callable[[], float]:
    until = clock.monotonic() + seconds
    return lambda: until
