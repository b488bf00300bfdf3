"""How a source is doing, as one immutable value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from vision.sources.reasons import Reason

State = Literal["connecting", "live", "stale", "offline", "ended"]


@dataclass(frozen=True)
class SourceStatus:
    """The state of a source at one moment.

    Attributes:
        source: Its name.
        state: `connecting` (never seen yet), `live`, `stale` (the last picture is getting old),
            `offline` (lost; it is tried again for ever) or `ended` (a recording is over, or the
            reader was closed).
        since: Monotonic seconds at which this state began.
        since_wall: The same as the time of day, Unix seconds.
        reason: Why it is not live; None while it is.
        frames: Good frames so far.
        fps: Frames a second over the last ones; 0 when not live.
        bad_pictures: Things that came and were no picture.
        lost: How many times the source was lost, or could not be opened.
        next_try: Monotonic seconds of the next attempt; None when none is waited for.
        abandoned: Calls into the source that never came back, ever; each was counted once.
        hung_now: Those of them that still have not come back.
    """

    source: str
    state: State
    since: float
    since_wall: float
    reason: Reason | None
    frames: int
    fps: float
    bad_pictures: int
    lost: int
    next_try: float | None
    abandoned: int
    hung_now: int

    def to_json(self) -> dict[str, Any]:
        """Everything a page shows; monotonic times are left out, they mean nothing there."""
        return {
            "source": self.source,
            "state": self.state,
            "since": self.since_wall,
            "reason": None if self.reason is None else self.reason.to_json(),
            "frames": self.frames,
            "fps": round(self.fps, 2),
            "bad_pictures": self.bad_pictures,
            "lost": self.lost,
            "hung": self.hung_now,
        }
