"""One live table for many viewers: starts and stops its source, tells what is seen, corrects it.

One source is watched at a time. Each viewer gets the newest state whenever it is ready for one, so
a slow viewer misses states between and never holds up the table or another viewer. Answers may
overtake one another on their way, so every message has a number: of two, the greater is the newer.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from rules import RuleOptions
from server.config import Config
from server.errors import ApiError
from server.live_session import LiveSession
from server.reading_service import LONGEST_LOAD_S, ReadingService

if TYPE_CHECKING:
    from vision.sources import Source
    from vision.table import Placement, PlacementStore
    from vision.tracking.looking import Look

log = logging.getLogger("zhuowu.server")

T = TypeVar("T")
MOST_VIEWERS = 16
LOOK_UP_S = 0.5
KEEP_ALIVE_S = 10.0
RETRY_MS = 2000


class LiveHub:
    """The live table of the server.

    Args:
        config: settings in force; its rules judge the hands.
        service: has the models.
        look: reads parts of frames; by default the service's models.
    """

    def __init__(
        self,
        config: Config,
        service: ReadingService,
        look: Callable[[float], Look] | None = None,
    ) -> None:
        """Nothing is watched before `start`."""
        self._config = config
        self._look = look or service.look
        self._changing = threading.Lock()
        self._storing = threading.Lock()
        self._session: LiveSession | None = None
        self._problem: ApiError | None = None
        self._number = 0
        self._run = secrets.token_urlsafe(6)
        self._telling = threading.Lock()
        self._messages = 0
        self._viewers = threading.BoundedSemaphore(MOST_VIEWERS)
        self._closing = threading.Event()
        self._told: tuple[Any, str] = (None, "")

    # Sources

    def start(
        self,
        source: str,
        placement: str | None = None,
        wait_s: float = 0.0,
        options: RuleOptions | None = None,
    ) -> None:
        """Watch another source instead of the one before.

        Args:
            source: as for `zhuowu watch`: a camera's number or name, an address, a file, a folder.
            placement: where the table lies, by the name it was saved under.
            wait_s: how long to wait for models that still load.
            options: the rules that judge the hands; None: those of the configuration.

        Raises:
            ApiError: it is no source (422), or the models are not there (503).
        """
        from vision.sources import SourceError, named_source

        try:
            found = named_source(source, paced=True)
        except SourceError as error:
            raise ApiError(422, error.code, error.zh, error.en) from None
        self._begin(found, placement, wait_s, options)

    def start_browser(
        self, name: str, placement: str | None = None, options: RuleOptions | None = None
    ) -> None:
        """Watch the pictures that a browser will send with `push`.

        Raises:
            ApiError: the models are not there (503).
        """
        from vision.sources import PushSource

        self._begin(PushSource(name), placement, 0.0, options)

    def start_in_background(self, source: str, placement: str | None) -> None:
        """`start` once the models have loaded; what goes wrong is told to the viewers."""

        def work() -> None:
            try:
                self.start(source, placement, LONGEST_LOAD_S)
            except ApiError as error:
                log.error("%s", error.en)
                self._problem = error

        threading.Thread(target=work, name="start-live", daemon=True).start()

    def _begin(
        self, source: Source, placement: str | None, wait_s: float, chosen: RuleOptions | None
    ) -> None:
        placed = None if placement is None else self.placement_named(placement)
        look = self._look(wait_s)
        options = chosen or RuleOptions.from_mapping(dict(self._config.rules))
        with self._changing:
            if self._closing.is_set():
                return
            self._stop()
            self._number += 1
            self._session = LiveSession(self._number, source, look, placed, options)

    # Placements

    def placement_named(self, name: str) -> Placement:
        """The placement saved under a name.

        Raises:
            ApiError: there is none, or the file is broken (422).
        """
        return self._stored(lambda store: store.load(name))

    def placements(self) -> tuple[str, ...]:
        """The names of the saved placements."""
        return self._stored(lambda store: store.names())

    def saved_placements(self) -> list[Placement]:
        """Every saved placement."""
        return self._stored(lambda store: [store.load(name) for name in store.names()])

    def save_placement(self, placement: Placement) -> None:
        """Keep a placement under its name, in place of one of that name."""
        self._stored(lambda store: store.save(placement))

    def forget_placement(self, name: str) -> None:
        """Forget a saved placement."""
        self._stored(lambda store: store.delete(name))

    def _stored(self, work: Callable[[PlacementStore], T]) -> T:
        from vision.errors import VisionError
        from vision.table import PlacementStore

        with self._storing:
            try:
                return work(PlacementStore(self._config.data_folder))
            except VisionError as error:
                raise ApiError(422, error.code, error.zh, error.en) from None

    def stop(self) -> None:
        """Let go of the source; nothing happens when there is none."""
        with self._changing:
            self._stop()

    def _stop(self) -> None:
        session, self._session, self._problem = self._session, None, None
        if session is not None:
            session.close()

    def close(self) -> None:
        """Let go of the source and end every viewer's stream."""
        self.end_streams()
        self.stop()

    def end_streams(self) -> None:
        """Tell every viewer's stream to end; does not wait for them."""
        self._closing.set()
        session = self._session
        if session is not None:
            session.table.close()

    # What viewers ask

    def session_or_none(self) -> LiveSession | None:
        """The session that is watched, if any."""
        return self._session

    def session(self) -> LiveSession:
        """The session that is watched.

        Raises:
            ApiError: 409 when there is none.
        """
        session = self._session
        if session is None:
            raise ApiError(
                409, "no_source", "还没有开摄像头。", "No camera has been started: start one first."
            )
        return session

    def message(self) -> str:
        """What is known now, as JSON: `run`, `message`, `problem` and `session`.

        Of two messages of one run the one with the greater `message` is the newer. Another run is
        the program started again.
        """
        return self._text()

    def _message(self) -> tuple[Any, str]:
        """What the streams tell, made once for all viewers, and a key that tells it is new."""
        session, problem = self._session, self._problem
        key = (problem and problem.code, session and session.key())
        told = self._told
        if key != told[0] or not told[1]:
            # What is told is at least as new as the key: what changes meanwhile is told again.
            told = (key, self._text())
            self._told = told
        return told

    def _text(self) -> str:
        # Counted and read in one go: a message with a greater number never tells older things.
        with self._telling:
            self._messages += 1
            session, problem = self._session, self._problem
            body: dict[str, Any] = {
                "run": self._run,
                "message": self._messages,
                "problem": problem.to_json()["error"] if problem else None,
                "session": session.to_json() if session else None,
            }
        # A file's name may hold bytes that are no text; they must not cost every viewer the table.
        return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace").decode()

    def stream(self) -> Iterator[str]:
        """Server-sent events: a `live` event whenever something changed, comments in between.

        Raises:
            ApiError: too many are looking on already (503).
        """
        if not self._viewers.acquire(blocking=False):
            raise ApiError(
                503,
                "too_many_viewers",
                f"已有 {MOST_VIEWERS} 个页面在看。请关掉几个。",
                f"{MOST_VIEWERS} pages look on already; close some of them.",
                retry_after=10,
            )
        return _Stream(self)

    def _wait(self, key: Any) -> None:
        """Wait a moment for something new; a new state ends the wait at once."""
        session = self._session
        if session is None:
            self._closing.wait(LOOK_UP_S)
        else:
            session.wait_newer(key[1], LOOK_UP_S)


class _Stream(Iterator[str]):
    """One viewer's stream. Its place is free again once it is closed or has ended.

    A generator would not do: one that is closed before its first step runs no `finally`.
    """

    def __init__(self, hub: LiveHub) -> None:
        self._hub = hub
        self._parts = self._run()
        self._open = True

    def __next__(self) -> str:
        try:
            return next(self._parts)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._open:
            self._open = False
            self._hub._viewers.release()

    def _run(self) -> Iterator[str]:
        import time

        hub = self._hub
        yield f"retry: {RETRY_MS}\n\n"
        said: Any = object()
        spoke = time.monotonic()
        while not hub._closing.is_set():
            key, text = hub._message()
            now = time.monotonic()
            if key != said:
                said, spoke = key, now
                yield f"event: live\ndata: {text}\n\n"
            elif now - spoke >= KEEP_ALIVE_S:
                spoke = now
                yield ": still here\n\n"
            else:
                hub._wait(key)
        yield "event: bye\ndata: {}\n\n"
