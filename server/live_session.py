"""One source being watched: its reader, its table, its newest picture, what people put right."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from rules import RuleOptions
from server.errors import ApiError
from server.live_corrections import CorrectionLog
from server.tile_sets import NO_SET

if TYPE_CHECKING:
    from server.tile_sets import FollowedSets
    from vision.sources import Source
    from vision.table import Placement
    from vision.tracking.looking import Look
    from vision.tracking.state import TableState

PICTURE_WIDTH = 1280
JPEG_QUALITY = 80
EVENTS_SHOWN = 12


class LiveSession:
    """A source from its start until another is chosen.

    Attributes:
        number: counts the sessions of this server.
        options: the rules that judge the hands.
        table: what is seen.
        log: what people put right.
    """

    def __init__(
        self,
        number: int,
        source: Source,
        look: Look,
        placement: Placement | None,
        options: RuleOptions,
    ) -> None:
        """Begin to watch at once."""
        from vision.live import LiveTable
        from vision.sources import FrameFollower, PushSource, SourceReader
        from vision.tracking.background import BackgroundLook

        self.number = number
        self.options = options
        # Only a look with models and taught sets has any.
        self._sets: FollowedSets | None = getattr(look, "tile_sets", None)
        self._pushed = source if isinstance(source, PushSource) else None
        # A recording ends, and its last frames must be read; a camera always has another frame.
        self._beside = BackgroundLook(look) if source.live else None
        self.table = LiveTable(self._beside or look, placement, options)
        self._reader = SourceReader(source)
        self.table.follow(lambda: self._reader.status().state)
        self._follower = FrameFollower(self._reader, self.table.handle)
        self._encoding = threading.Lock()
        self._picture: tuple[int, bytes] = (0, b"")
        self.log = CorrectionLog(self.table.corrections)

    def close(self) -> None:
        """Let go of the source."""
        self._follower.close()
        self._reader.close()
        self.table.close()
        if self._beside is not None:
            self._beside.close()

    def play_by(self, options: RuleOptions) -> None:
        """Judge the hands by other rules from now on."""
        self.options = options
        self.table.play_by(options)

    def tile_set(self) -> dict[str, str] | None:
        """Key and name of the taught set that the table shows; None when it is none of them."""
        shown = None if self._sets is None else self._sets.chosen
        if shown is None:
            return None
        from vision.calibration import key_of

        return {"key": key_of(shown.name), "name": shown.name}

    def set_candidates(self) -> list[dict[str, str]]:
        """Key and name of the taught sets that the table may show, where that is open."""
        found = () if self._sets is None else self._sets.candidates
        if not found:
            return []
        from vision.calibration import key_of

        return [{"key": key_of(one.name), "name": one.name} for one in found]

    def take_set(self, key: str) -> None:
        """It is the set of this key, or `NO_SET`: none of those it may be; for this source.

        Raises:
            ApiError: 409 when that is not open (any more).
        """
        asked = {one["key"]: one["name"] for one in self.set_candidates()}
        if self._sets is None or not asked or key not in (*asked, NO_SET):
            raise ApiError(
                409,
                "other_set",
                "现在没有在问是哪副牌具。",
                "Which set the table shows is not asked at present.",
            )
        self._sets.take(asked.get(key))
        self.table.look_anew()

    def refuse_set(self, key: str) -> None:
        """It is not the set of this key: as long as this source is watched, it is not used.

        Raises:
            ApiError: 409 when the table is not taken for this set (any more).
        """
        shown = self.tile_set()
        if self._sets is None or shown is None or shown["key"] != key:
            raise ApiError(
                409,
                "other_set",
                "牌桌现在没有按这副牌具看。",
                "The table is not taken for this set at present.",
            )
        self._sets.refuse(shown["name"])
        self.table.look_anew()

    def frames_taken(self) -> int:
        """How many frames have been handled."""
        return self._follower.status().handled

    def source_state(self) -> str:
        """How the source is doing: `live` or why not."""
        return self._reader.status().state

    # What is seen

    def key(self) -> tuple[Any, ...]:
        """Differs whenever `to_json` has something new to tell; the fourth is the version."""
        state, status = self.table.state(), self._reader.status()
        version = -1 if state is None else state.version
        error = self._error(state)
        asked = tuple(one["key"] for one in self.set_candidates())
        changes = self.log.changes, self.options, self.tile_set(), asked
        return self.number, status.state, status.reason, version, error, changes

    def wait_newer(self, key: tuple[Any, ...] | None, seconds: float) -> None:
        """Wait for a state of another version than the one in `key`."""
        self.table.wait_newer(-1 if key is None else key[3], seconds)

    def _error(self, state: TableState | None) -> str | None:
        # Before the first state there is no place but the follower where an error stands.
        return self._follower.status().last_error if state is None else state.error

    def to_json(self) -> dict[str, Any]:
        """The source, the state and what has been put right.

        An old state carries no analysis: nothing is scored from a picture that is not now.
        """
        status = self._reader.status().to_json()
        state = self.table.state()
        seen = None if state is None else state.to_json()
        if state is not None and seen is not None and state.stale:
            seen["analysis"] = []
        return {
            "number": self.number,
            "source": status,
            "browser": self._pushed is not None,
            "error": self._error(state),
            "options": self.options.to_mapping(),
            "tile_set": self.tile_set(),
            "set_candidates": self.set_candidates(),
            "state": seen,
            "events": [e.to_json() for e in state.events[-EVENTS_SHOWN:]] if state else [],
            "rolls": [list(roll) for roll in self.table.rolls()],
            **self.log.to_json(state),
        }

    def picture(self) -> tuple[int, bytes]:
        """The newest frame's number and the frame as JPEG, encoded once for all viewers.

        Raises:
            ApiError: 404 before the first frame.
        """
        frame = self._reader.newest()
        if frame is None:
            raise ApiError(404, "no_picture", "还没有画面。", "There is no picture yet.")
        with self._encoding:
            if self._picture[0] < frame.sequence:
                self._picture = (frame.sequence, _jpeg(frame.pixels))
            return self._picture

    def push(self, data: bytes) -> tuple[int, int]:
        """Take a picture of the browser that is the camera; its width and height.

        Raises:
            ApiError: another source is watched (409), or it is no picture (422).
        """
        if self._pushed is None:
            raise ApiError(
                409,
                "not_a_browser_camera",
                "现在用的不是浏览器的摄像头。",
                "The camera in use is not a browser's.",
            )
        from vision.errors import PhotoError

        try:
            picture = self._pushed.push(data)
        except PhotoError as error:
            raise ApiError(422, error.code, error.zh, error.en) from None
        return picture.pixels.shape[1], picture.pixels.shape[0]


def _jpeg(pixels: Any) -> bytes:
    from vision.opencv import cv2

    scale = PICTURE_WIDTH / pixels.shape[1]
    if scale < 1:
        pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    coded: bytes = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[
        1
    ].tobytes()
    return coded
