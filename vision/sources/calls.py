"""Calls that may never come back, made on a thread that can be left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from vision.sources.source import Clock, wait_out


class CallGivenUp(Exception):
    """A call whose result nobody waits for any more.

    Attributes:
        abandoned: It has not come back; its thread is left behind and cleans up by itself.
        value: What it returned, when it did come back after it was interrupted.
    """

    abandoned = False
    value: Any = None


class CallHung(CallGivenUp):
    """A call passed its deadline."""


class CallsStopped(CallGivenUp):
    """The owner asked for an end while a call was waited for."""


class CallsBlocked(Exception):
    """No call is made: too many earlier ones never came back."""


class _Call:
    """One call: what to do, what came of it, what to do if it comes back too late."""

    def __init__(self, work: Callable[[], Any], late: Callable[[Any], None]) -> None:
        self.work = work
        self.late = late
        self.done = False
        self.abandoned = False
        self.value: Any = None
        self.error: Exception | None = None


class Calls:
    """Makes one call at a time, each with a deadline.

    The calls run on one helper thread. A call that ignores its deadline and its interruption is
    abandoned, once, with its thread; should it ever come back, that thread cleans up after it and
    ends. At most `most_hung` threads are ever lost at the same time: then `CallsBlocked` is raised
    until one of them returns.

    Attributes:
        abandoned: Calls left behind so far.
        hung_now: Those of them that have not come back yet.
    """

    def __init__(
        self, changed: threading.Condition, clock: Clock, name: str, most_hung: int
    ) -> None:
        """`changed` is notified whenever a call comes back; its owner may wait on it too."""
        self._changed = changed
        self._clock = clock
        self._name = name
        self._most_hung = most_hung
        self._current: _Call | None = None
        self._thread: threading.Thread | None = None
        self._ended = False
        self.abandoned = 0
        self.hung_now = 0

    def run(
        self,
        work: Callable[[], Any],
        deadline: Callable[[], float],
        grace_s: float,
        interrupt: Callable[[], None] | None = None,
        late: Callable[[Any], None] = lambda value: None,
        tick: Callable[[], float] | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Any:
        """The value of `work()`, or its exception.

        Args:
            work: The call.
            deadline: Monotonic seconds by which it must be back; asked for anew at every wake-up.
            grace_s: How long it may take to come back once interrupted.
            interrupt: Makes it come back; must not block.
            late: Cleans up when an abandoned call comes back after all, on the lost thread; gets
                its value, or None.
            tick: Called at every wake-up (lock held); says when to be called next.
            stopped: True when the owner wants no result any more (lock held).

        Raises:
            CallHung: The deadline passed. The call was interrupted, or abandoned.
            CallsBlocked: It was not made: too many are hung already.
            CallsStopped: `stopped()` became true; the call was interrupted, or abandoned.
        """
        with self._changed:
            call = self._begin(work, late)
            problem: CallGivenUp | None = None
            while not call.done and problem is None:
                now = self._clock.monotonic()
                until = deadline()
                if stopped():
                    problem = CallsStopped()
                elif now >= until:
                    problem = CallHung()
                else:
                    if tick is not None:
                        until = min(until, tick())
                    self._clock.wait(self._changed, max(0.0, until - now))
        if problem is not None:
            problem.abandoned = not self._returned(call, interrupt, grace_s)
            problem.value = call.value
            raise problem
        if call.error is not None:
            raise call.error
        return call.value

    def end(self) -> None:
        """Let the helper thread end; nothing may be called after this."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(timeout=1.0)

    def _begin(self, work: Callable[[], Any], late: Callable[[Any], None]) -> _Call:
        if self._thread is None:
            if self.hung_now >= self._most_hung:
                raise CallsBlocked
            self._thread = threading.Thread(
                target=self._serve, name=f"grab {self._name}", daemon=True
            )
            self._thread.start()
        self._current = _Call(work, late)
        self._changed.notify_all()
        return self._current

    def _returned(self, call: _Call, interrupt: Callable[[], None] | None, grace_s: float) -> bool:
        """Interrupt `call`; True if it then came back, else it is abandoned with its thread."""
        start = self._clock.monotonic()
        if interrupt is not None:
            interrupt()
        with self._changed:
            if wait_out(self._clock, self._changed, grace_s, lambda: call.done, start):
                return True
            call.abandoned = True
            self.abandoned += 1
            self.hung_now += 1
            self._thread = None
            self._current = None
            return False

    def _serve(self) -> None:
        me = threading.current_thread()
        while True:
            with self._changed:
                while self._current is None or self._current.done:
                    if self._ended or self._thread is not me:
                        return
                    self._changed.wait()
                call = self._current
            try:
                call.value = call.work()
            except Exception as error:  # noqa: BLE001 - handed to whoever made the call
                call.error = error
            with self._changed:
                call.done = True
                abandoned = call.abandoned
                if self._current is call:
                    self._current = None
                self._changed.notify_all()
            if abandoned:
                self._come_back_late(call)
                return
            del call

    def _come_back_late(self, call: _Call) -> None:
        try:
            call.late(call.value)
        finally:
            with self._changed:
                self.hung_now -= 1
                self._changed.notify_all()
