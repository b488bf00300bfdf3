"""One source, read for ever: the newest frame, and an honest word on how the source is doing."""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any

from vision.sources.calls import CallGivenUp, Calls, CallsBlocked
from vision.sources.frame import Frame, Picture, is_picture, shared
from vision.sources.reasons import (
    BadPicture,
    Reason,
    SourceError,
    end_of_file,
    failed,
    hung,
    no_signal,
    not_a_picture,
)
from vision.sources.source import Clock, Grabber, Source, SystemClock, Timing, wait_out
from vision.sources.status import SourceStatus, State

FRAMES_FOR_RATE = 30


class SourceReader:
    """Reads a source on threads of its own and keeps only the newest frame.

    One thread grabs, one watches it: whatever the source does (stops, hangs, sends garbage), the
    status says so in time and the source is opened again, for ever. Nothing a consumer does can
    hold the reader up: consumers fetch.

    Examples:
        >>> with SourceReader(named_source("0")) as reader:            # doctest: +SKIP
        ...     frame = reader.wait_newer(0, seconds=10)
    """

    def __init__(
        self,
        source: Source,
        timing: Timing = Timing(),  # noqa: B008 - immutable
        clock: Clock | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """Begin to read at once.

        Args:
            source: What to read.
            timing: Its deadlines and pauses.
            clock: Time; the machine's own by default.
            chance: Numbers in 0..1 for the jitter of the pauses.
        """
        self._source = source
        self._timing = timing
        self._clock = clock or SystemClock()
        self._chance = chance
        self._changed = threading.Condition()
        self._calls = Calls(self._changed, self._clock, source.name, timing.most_hung)
        self._state: State = "connecting"
        self._since = self._clock.monotonic()
        self._since_wall = self._clock.wall()
        self._reason: Reason | None = None
        self._newest: Frame | None = None
        self._times: deque[float] = deque(maxlen=FRAMES_FOR_RATE)
        self._bad = 0
        self._last_was_bad = False
        self._lost = 0
        self._next_try: float | None = None
        self._life = self._since
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"watch {source.name}", daemon=True)
        self._thread.start()

    def __enter__(self) -> SourceReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The source's name."""
        return self._source.name

    def newest(self) -> Frame | None:
        """The newest frame there has been, however old; None before the first.

        Whoever scores a frame looks at `status().state` too: only `live` frames are now.
        """
        with self._changed:
            return self._newest

    def wait_newer(self, sequence: int, seconds: float) -> Frame | None:
        """The newest frame, once its sequence number is above `sequence`.

        Returns:
            None after `seconds`, or at once when no frame will come any more.
        """
        with self._changed:
            self._wait(lambda: self._sequence() > sequence or self._state == "ended", seconds)
            return self._newest if self._sequence() > sequence else None

    def status(self) -> SourceStatus:
        """How the source is doing now."""
        with self._changed:
            return SourceStatus(
                self._source.name,
                self._state,
                self._since,
                self._since_wall,
                self._reason,
                self._sequence(),
                self._rate(),
                self._bad,
                self._lost,
                self._next_try,
                self._calls.abandoned,
                self._calls.hung_now,
            )

    def wait_status(
        self, fits: Callable[[SourceStatus], bool], seconds: float
    ) -> SourceStatus | None:
        """The first status seen that `fits`; None after `seconds`."""
        with self._changed:
            found = self._wait(lambda: fits(self.status()), seconds)
            return self.status() if found else None

    def close(self) -> None:
        """Stop reading and let go of the source; may be called again."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if threading.current_thread() is not self._thread:
            # Twice the grace (interrupting, closing) is the most the watching thread needs.
            self._thread.join(timeout=2 * self._timing.grace_s + 5.0)

    def _wait(self, done: Callable[[], bool], seconds: float) -> bool:
        return wait_out(self._clock, self._changed, seconds, done)

    def _sequence(self) -> int:
        return self._newest.sequence if self._newest else 0

    def _rate(self) -> float:
        if self._state != "live" or len(self._times) < 2:
            return 0.0
        span = self._times[-1] - self._times[0]
        return (len(self._times) - 1) / span if span > 0 else 0.0

    def _enter(self, state: State, reason: Reason | None) -> None:
        """Change state, with the lock held; the same state for the same reason goes on."""
        if (state, reason) != (self._state, self._reason):
            if state != self._state:
                self._since = self._clock.monotonic()
                self._since_wall = self._clock.wall()
            self._state, self._reason = state, reason
        self._changed.notify_all()

    # The watching thread

    def _run(self) -> None:
        attempts = 0
        reason: Reason | None = None
        try:
            while not self._closing:
                started = self._clock.monotonic()
                reason = self._connection()
                if self._closing or not self._source.live:
                    break
                settled = abs(self._life - started) >= self._timing.settled_s
                attempts = 0 if settled else attempts + 1
                self._pause(max(0, attempts - 1), reason)
        finally:
            with self._changed:
                self._next_try = None
                self._enter("ended", None if self._closing else reason)
            self._calls.end()

    def _connection(self) -> Reason:
        """Open the source and read it until it is lost; why it was."""
        with self._changed:
            self._life = self._clock.monotonic()
            self._times.clear()
            self._last_was_bad = False
        before = self._sequence()
        grabber: Grabber | None = None
        reason = end_of_file(self.name)
        try:
            grabber = self._call(self._source.open, before, None, _close_late)
            while self._take(self._call(grabber.grab, before, grabber, _closer(grabber))):
                pass
            if self._source.live:
                reason = no_signal(self.name)
            elif self._sequence() == before and self._bad:
                reason = not_a_picture(self.name)
        except SourceError as error:
            reason = error.reason
        except CallGivenUp as given_up:
            reason = self._silence(before)
            grabber = None if given_up.abandoned else (grabber or given_up.value)
        except CallsBlocked:
            reason = hung(self.name, self._calls.hung_now)
        except Exception as error:  # noqa: BLE001 - a driver may raise anything; the reader stays
            reason = failed(self.name, f"{type(error).__name__}: {error}"[:120])
        with self._changed:
            if self._source.live and not self._closing:
                self._lost += 1
                self._enter("offline", reason)
        self._let_go(grabber)
        return reason

    def _call(
        self,
        work: Callable[[], Any],
        before: int,
        grabber: Grabber | None,
        late: Callable[[Any], None],
    ) -> Any:
        """A call into the source under the deadline that holds now; a `BadPicture` is its value."""
        try:
            return self._calls.run(
                work,
                lambda: self._limit(before),
                self._timing.grace_s,
                grabber.interrupt if grabber else None,
                late,
                self._tick,
                lambda: self._closing,
            )
        except BadPicture as error:
            return error

    def _limit(self, before: int) -> float:
        """When patience ends: `open_s` until the first picture, then `read_s` from the last."""
        now = self._clock.monotonic()
        if now < self._life:  # the clock jumped back: start counting anew
            self._life = now
        first = self._sequence() == before
        return self._life + (self._timing.open_s if first else self._timing.read_s)

    def _tick(self) -> float:
        """Turn stale in time; when to look again."""
        if self._state != "live":
            return float("inf")
        stale_at = self._life + self._timing.stale_s
        if self._clock.monotonic() < stale_at:
            return stale_at
        self._enter("stale", no_signal(self.name, self._timing.stale_s))
        return float("inf")

    def _take(self, picture: Picture | BadPicture | None) -> bool:
        """Keep a picture as the newest frame; False when there are no more."""
        if picture is None:
            return False
        with self._changed:
            now = self._clock.monotonic()
            if isinstance(picture, BadPicture) or not is_picture(picture):
                self._bad += 1
                self._last_was_bad = True
                # A source that sends garbage without pause must not cost a core.
                self._wait(lambda: self._closing, self._timing.bad_pause_s)
                return True
            taken = now if picture.taken is None else min(now, picture.taken)
            self._life = now
            self._last_was_bad = False
            self._times.append(now)
            self._newest = Frame(
                shared(picture.pixels),
                taken,
                self._clock.wall() - (now - taken),
                self.name,
                self._sequence() + 1,
                picture.position,
            )
            self._enter("live", None)
            return True

    def _silence(self, before: int) -> Reason:
        if self._last_was_bad:
            return not_a_picture(self.name)
        first = self._sequence() == before
        return no_signal(self.name, self._timing.open_s if first else self._timing.read_s)

    def _let_go(self, grabber: Grabber | None) -> None:
        if grabber is None:
            return
        until = self._clock.monotonic() + self._timing.grace_s
        try:
            self._calls.run(grabber.close, lambda: until, 0.0)
        except (CallGivenUp, CallsBlocked):
            return  # counted there; the thread that hangs in close is left behind
        except Exception:  # noqa: BLE001 - what cannot be closed is lost anyway
            return

    def _pause(self, attempts: int, reason: Reason) -> None:
        timing = self._timing
        pause = min(timing.longest_pause_s, timing.first_pause_s * 2.0 ** min(attempts, 16))
        pause *= 1 + timing.jitter * (2 * self._chance() - 1)
        with self._changed:
            self._next_try = self._clock.monotonic() + pause
            self._enter("offline", reason)
            self._wait(lambda: self._closing, pause)
            self._next_try = None


def _close_late(grabber: Grabber | None) -> None:
    """An opening that came back when nobody waited any more."""
    if grabber is not None:
        grabber.close()


def _closer(grabber: Grabber) -> Callable[[Any], None]:
    return lambda _: grabber.close()
