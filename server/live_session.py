"""One source being watched: its reader, its table, its newest picture, what people put right."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rules import RuleOptions
from server.errors import ApiError

if TYPE_CHECKING:
    from vision.sources import Source
    from vision.table import Placement
    from vision.tracking.looking import Look
    from vision.tracking.state import TableState

PICTURE_WIDTH = 1280
JPEG_QUALITY = 80
EVENTS_SHOWN = 12
MOST_UNDO = 50


class LiveSession:
    """A source from its start until another is chosen.

    Attributes:
        number: counts the sessions of this server.
        table: what is seen.
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

        self.number = number
        self._pushed = source if isinstance(source, PushSource) else None
        self.table = LiveTable(look, placement, options)
        self._reader = SourceReader(source)
        self.table.follow(lambda: self._reader.status().state)
        self._follower = FrameFollower(self._reader, self.table.handle)
        self._encoding = threading.Lock()
        self._picture: tuple[int, bytes] = (0, b"")
        self._correcting = threading.Lock()
        self._corrected: dict[int, str] = {}
        self._named: dict[str, Any] = {"indicator": None, "dealer": None}
        self._undo: list[Callable[[], object]] = []
        self._changes = 0

    def close(self) -> None:
        """Let go of the source."""
        self._follower.close()
        self._reader.close()
        self.table.close()

    # What is seen

    def key(self) -> tuple[Any, ...]:
        """Differs whenever `to_json` has something new to tell; the fourth is the version."""
        state, status = self.table.state(), self._reader.status()
        version = -1 if state is None else state.version
        error = self._error(state)
        return self.number, status.state, status.reason, version, error, self._changes

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
        here = set() if state is None else {p.tile.index for p in state.tiles}
        return {
            "number": self.number,
            "source": status,
            "browser": self._pushed is not None,
            "error": self._error(state),
            "state": seen,
            "events": [e.to_json() for e in state.events[-EVENTS_SHOWN:]] if state else [],
            "corrected": sorted(here & set(self._corrected)),
            "named": dict(self._named),
            "undo": len(self._undo),
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

    # What people put right

    def correct(self, identity: int, tile: str | None) -> None:
        """This tile is a `tile` until it moves; None takes that back. Can be undone.

        Raises:
            ApiError: the tile is gone (409), or there is no such tile (422).
        """
        with self._correcting:
            before = self._corrected.get(identity)
            self._set_tile(identity, tile)
            self._remember(lambda: self._set_tile(identity, before))

    def remove(self, identity: int) -> None:
        """Nothing lies there; what is still seen there is found anew.

        Raises:
            ApiError: the tile is gone (409).
        """
        with self._correcting:
            _said(lambda: self.table.corrections.nothing(identity))
            self._changes += 1

    def name(self, what: str, value: Any) -> None:
        """Name the `indicator` (a tile) or the `dealer` (a seat); None: as it is seen.

        Raises:
            ApiError: 422 for a value that is none.
        """
        with self._correcting:
            before = self._named[what]
            self._set_named(what, value)
            self._remember(lambda: self._set_named(what, before))

    def new_hand(self) -> None:
        """Another hand begins; what was put right before cannot be undone any more."""
        with self._correcting:
            _said(self.table.corrections.new_hand)
            self._named["indicator"] = None
            self._undo.clear()
            self._changes += 1

    def undo(self) -> None:
        """Take the newest correction back.

        Raises:
            ApiError: 409 when there is none, or its tile is gone.
        """
        with self._correcting:
            if not self._undo:
                raise ApiError(409, "nothing_to_undo", "没有可撤销的。", "Nothing to undo.")
            self._changes += 1
            self._undo.pop()()

    def _set_tile(self, identity: int, tile: str | None) -> None:
        _said(lambda: self.table.corrections.tile(identity, tile))
        if tile is None:
            self._corrected.pop(identity, None)
        else:
            self._corrected[identity] = tile

    def _set_named(self, what: str, value: Any) -> None:
        _said(lambda: getattr(self.table.corrections, what)(value))
        self._named[what] = value

    def _remember(self, back: Callable[[], object]) -> None:
        self._undo.append(back)
        del self._undo[:-MOST_UNDO]
        self._changes += 1


def _said(work: Callable[[], object]) -> None:
    """Do a correction; what cannot be done is refused as the interface refuses things."""
    from vision.live import CorrectionError

    try:
        work()
    except CorrectionError as error:
        status = 409 if error.code == "tile_gone" else 422
        raise ApiError(status, error.code, error.zh, error.en) from None


def _jpeg(pixels: Any) -> bytes:
    from vision.opencv import cv2

    scale = PICTURE_WIDTH / pixels.shape[1]
    if scale < 1:
        pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    coded: bytes = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[
        1
    ].tobytes()
    return coded
