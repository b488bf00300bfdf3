"""The guided calibrations in progress: few at a time, forgotten when nobody goes on with them."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from server.calibration_bench import Bench
from server.config import Config
from server.errors import ApiError
from server.reading_service import ReadingService

if TYPE_CHECKING:
    from vision.calibration import TileSet, TileSetLibrary

MOST_BENCHES = 4
IDLE_S = 30 * 60.0
# One that nobody has asked for in this time makes room for another.
MAKES_ROOM_S = 60.0


class Benches:
    """The calibrations of one server, and the library their sets go to."""

    def __init__(self, config: Config, service: ReadingService) -> None:
        """Nothing in progress; nothing is opened."""
        self._config = config
        self._service = service
        self._lock = threading.Lock()
        self._benches: dict[str, Bench] = {}
        self._learning = threading.BoundedSemaphore(1)

    def library(self) -> TileSetLibrary:
        """Where the sets are stored."""
        from server.tile_sets import open_library

        return open_library(self._config)

    def begin(self, add_to: str | None) -> Bench:
        """Begin a calibration.

        Args:
            add_to: key of the stored set that is to learn more; None for a new set.

        Raises:
            ApiError: there are too many (429), or there is no such set (404).
        """
        base = None if add_to is None else self.stored(add_to)
        with self._lock:
            now = time.monotonic()
            for bench in [b for b in self._benches.values() if now - b.used > IDLE_S]:
                self._forget(bench)
            if len(self._benches) >= MOST_BENCHES:
                oldest = min(self._benches.values(), key=lambda b: b.used)
                if now - oldest.used < MAKES_ROOM_S:
                    raise ApiError(
                        429,
                        "busy",
                        "已有几处在校准。请先做完或关掉一处。",
                        "Several calibrations are in progress; finish or close one first.",
                        retry_after=30,
                    )
                self._forget(oldest)
            bench = Bench(base, lambda: self.library().sets())
            self._benches[bench.key] = bench
            return bench

    def get(self, key: str) -> Bench:
        """A calibration in progress.

        Raises:
            ApiError: there is none such (404).
        """
        with self._lock:
            bench = self._benches.get(key)
            if bench is None:
                raise ApiError(
                    404,
                    "no_calibration",
                    "这次校准已经结束或放弃了。请重新开始。",
                    "This calibration has ended or was given up; begin again.",
                )
            bench.used = time.monotonic()
            return bench

    def end(self, key: str) -> None:
        """Forget a calibration and all its pictures (ApiError 404 when there is none such)."""
        bench = self.get(key)
        with self._lock:
            self._forget(bench)

    def _forget(self, bench: Bench) -> None:
        bench.drop()
        self._benches.pop(bench.key, None)

    def learn(self, bench: Bench, insist: bool) -> None:
        """Begin to learn, one set at a time.

        Raises:
            ApiError: another one learns (429), or `Bench.learn` refuses.
        """
        reader = self._service.reader()
        if not self._learning.acquire(blocking=False):
            raise ApiError(
                429,
                "busy",
                "正在学另一副牌，请过一会儿再试。",
                "Another set is being learnt; try again in a moment.",
                retry_after=10,
            )
        try:
            bench.learn(reader, insist, self._learning.release)
        except BaseException:
            self._learning.release()
            raise

    def stored(self, key: str) -> TileSet:
        """A stored set by its key.

        Raises:
            ApiError: there is none such (404).
        """
        from vision.calibration import CalibrationError

        try:
            return self.library().by_key(key)
        except CalibrationError as error:
            raise ApiError(404, error.code, error.zh, error.en) from None
