"""Photos to readings for the server: models load once in the background, readings take turns."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.config import Config
from server.errors import ApiError
from server.tile_sets import Said

if TYPE_CHECKING:
    from server.tile_sets import FollowedSets
    from vision.photo import Photo
    from vision.reader import Reader
    from vision.tracking.looking import ReaderLook
    from vision.values import PhotoReading, TableReading

log = logging.getLogger("zhuowu.server")

LONGEST_LOAD_S = 60.0
LONGEST_WAIT_S = 30.0


@dataclass(frozen=True)
class ReadPhoto:
    """One photo with what was read in it.

    Attributes:
        photo: the photo.
        reading: its tiles.
        table: where they lie.
        tile_set: name of the taught set that it was read as, if any.
        candidates: names of the sets that it may show, where the photo leaves that open.
        set_told: the caller has said which of them it is.
    """

    photo: Photo
    reading: PhotoReading
    table: TableReading
    tile_set: str | None = None
    candidates: tuple[str, ...] = ()
    set_told: bool = False


class ReadingService:
    """Reads photos for many callers with one set of models.

    The web server answers while the models still load; a reading waits for them. At most
    `readings_at_once` run, `readings_waiting` more may wait, and any beyond that are told to
    come back, so that a burst of uploads costs neither memory nor the page's answers.
    """

    def __init__(self, config: Config) -> None:
        """Prepare; nothing is loaded before `start`."""
        self._config = config
        self._models = config.models
        self._places = threading.BoundedSemaphore(config.readings_at_once + config.readings_waiting)
        self._turns = threading.BoundedSemaphore(config.readings_at_once)
        self._loaded = threading.Event()
        self._reader: Reader | None = None
        self._sets: FollowedSets | None = None
        self._failure: ApiError | None = None

    def start(self) -> None:
        """Load the models in the background."""
        threading.Thread(target=self._load, name="load-models", daemon=True).start()

    def _load(self) -> None:
        try:
            # OpenCV and onnxruntime are imported here: the page must not wait for them.
            from vision.errors import VisionError
        except ImportError as error:
            self._fail("setup", str(error), str(error))
            return
        try:
            from server.tile_sets import FollowedSets, open_library
            from vision.model_store import open_store
            from vision.reader import Reader

            reader = Reader(open_store(self._models))
            self._sets = FollowedSets(open_library(self._config), reader.classifier.sha256)
            reader.tile_sets = self._sets
            self._reader = reader
        except VisionError as error:
            self._fail(error.code, error.zh, error.en)
        except Exception as error:  # any failure must reach the callers who wait for the models
            log.exception("the models cannot be loaded")
            self._fail(
                "models_unusable",
                f"模型无法载入（{error}）。请运行 zhuowu doctor。",
                f"The models cannot be loaded ({error}). Run: zhuowu doctor",
            )
        finally:
            self._loaded.set()

    def _fail(self, code: str, zh: str, en: str) -> None:
        log.error("%s", en)
        self._failure = ApiError(503, code, zh, en)
        self._loaded.set()

    @property
    def state(self) -> str:
        """`"loading"`, `"ready"` or `"failed"`."""
        if not self._loaded.is_set():
            return "loading"
        return "failed" if self._failure else "ready"

    def wait_until_loaded(self, timeout: float) -> bool:
        """Wait for the models, at most `timeout` seconds; False when they still load."""
        return self._loaded.wait(timeout)

    def read(self, data: bytes, name: str, said: Said | None = None) -> ReadPhoto:
        """Read one photo.

        Args:
            data: bytes of the file.
            name: what to call it.
            said: which taught set it is, where the photo leaves that open.

        Raises:
            ApiError: the photo is unusable (422), too many are waiting or the models are not
                there (503).
        """
        with self.turn():
            from vision.errors import PhotoError
            from vision.layout import lay_out
            from vision.photo import load_photo

            try:
                photo = load_photo(data, name)
            except PhotoError as error:
                status = 413 if error.code in ("too_many_bytes", "too_many_pixels") else 422
                raise ApiError(status, error.code, error.zh, error.en) from None
            reader, sets = self.reader(), self._sets
            if sets is None:
                reading = reader.read(photo, four_of_a_kind=True)
                return ReadPhoto(photo, reading, lay_out(reading))
            with sets.told(said or Said()):
                reading = reader.read(photo, four_of_a_kind=True)
            chosen = sets.chosen if reading.tiles else None
            shown = None if chosen is None else chosen.name
            asked = tuple(one.name for one in sets.candidates) if reading.tiles else ()
            told = bool(asked) and sets.settled
            return ReadPhoto(photo, reading, lay_out(reading), shown, asked, told)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold one of the places for a reading.

        Raises:
            ApiError: all are taken (503 with Retry-After).
        """
        if not self._places.acquire(blocking=False):
            raise _busy()
        try:
            if not self._turns.acquire(timeout=LONGEST_WAIT_S):
                raise _busy()
            try:
                yield
            finally:
                self._turns.release()
        finally:
            self._places.release()

    def look(self, wait_s: float) -> ReaderLook:
        """What the live table reads frames with: the same models.

        Args:
            wait_s: how long to wait while they load.

        Raises:
            ApiError: they are not there (503).
        """
        reader = self.reader(wait_s)
        from vision.tracking.looking import ReaderLook

        return ReaderLook(reader.for_film())

    def sets_changed(self) -> None:
        """The next photo is read with the taught sets as they are then."""
        if self._sets is not None:
            self._sets.changed()

    def classifier_sha256(self) -> str:
        """Which classifier is in use or will be once loaded; empty when there is none."""
        if self._reader is not None:  # the files may have been updated since it was loaded
            return self._reader.classifier.sha256
        from vision.errors import VisionError
        from vision.model_store import open_store

        try:
            return open_store(self._models).model("classifier").sha256.lower()
        except VisionError:
            return ""

    def reader(self, wait_s: float = LONGEST_LOAD_S) -> Reader:
        """The models, loaded.

        Args:
            wait_s: how long to wait while they load.

        Raises:
            ApiError: they are not there (503).
        """
        self._loaded.wait(wait_s)
        if self._failure is not None:
            raise self._failure
        if self._reader is None:
            raise ApiError(
                503,
                "models_loading",
                "模型还在载入，请过几秒再试。",
                "The models are still loading; try again in a few seconds.",
                retry_after=5,
            )
        return self._reader


def _busy() -> ApiError:
    return ApiError(
        503,
        "busy",
        "正在读别的照片，请过几秒再试。",
        "Other photos are being read; try again in a few seconds.",
        retry_after=3,
    )
