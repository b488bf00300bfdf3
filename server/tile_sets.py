"""The user's taught tile sets: where they lie, and giving them to a reader."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

from server.cli import UserError
from server.config import Config, ConfigError, load_config

if TYPE_CHECKING:
    import numpy as np

    from vision.calibration import TileSet, TileSetLibrary
    from vision.calibration.chooser import SetChooser
    from vision.classifier import TaughtSet
    from vision.reader import Reader

FOLDER = "tile_sets"
LOOK_AGAIN_S = 1.0
log = logging.getLogger(__name__)


def open_library(config: Config | None = None) -> TileSetLibrary:
    """The library in the data folder of the configuration (UserError when that is wrong)."""
    from vision.calibration import TileSetLibrary

    if config is None:
        try:
            config = load_config().config
        except ConfigError as error:
            raise UserError(str(error)) from None
    return TileSetLibrary(config.data_folder / FOLDER)


def give_tile_sets(reader: Reader, library: TileSetLibrary) -> None:
    """Let a reader use the taught sets.

    Raises:
        CalibrationError: the set chosen for use needs to be fitted again.
    """
    # Most people have taught none: nothing is imported or opened for them.
    if library.folder.is_dir():
        reader.tile_sets = library.chooser(reader.classifier.sha256)


class FollowedSets:
    """The taught sets as they are now: sets stored, removed or chosen later count at once.

    It is what a server's reader takes as `tile_sets`.
    """

    def __init__(self, library: TileSetLibrary, classifier_sha256: str, film: bool = False) -> None:
        """Nothing is opened before the first photo.

        Args:
            library: where the sets lie.
            classifier_sha256: of the classifier in use.
            film: remember the set from look to look.
        """
        self._library = library
        self._classifier = classifier_sha256
        self._film = film
        self._lock = threading.Lock()
        self._state: Any = None
        self._looked = float("-inf")
        self._chooser: SetChooser | None = None
        self._refused: frozenset[str] = frozenset()

    def choose(
        self, answers: np.ndarray, features: np.ndarray, crops: np.ndarray | None = None
    ) -> TaughtSet | None:
        """See `vision.classifier.TileSets`."""
        chooser = self._current()
        return None if chooser is None else chooser.choose(answers, features, crops)

    def following(self) -> FollowedSets:
        """See `vision.classifier.TileSets`."""
        return FollowedSets(self._library, self._classifier, film=True)

    @property
    def chosen(self) -> TileSet | None:
        """The set of the photo that this thread read last; None when it was none of them."""
        chooser = self._chooser
        return None if chooser is None else chooser.chosen

    def _current(self) -> SetChooser | None:
        with self._lock:
            now = time.monotonic()
            if now - self._looked >= LOOK_AGAIN_S:
                self._looked = now
                state = self._library.state()
                if state != self._state:
                    self._state, self._chooser = state, self._opened()
            return self._chooser

    def refuse(self, name: str) -> None:
        """Take no photo for the set of this name any more, not even if it is chosen for use."""
        with self._lock:
            self._refused |= {name}
            self._looked, self._state, self._chooser = float("-inf"), None, None

    def changed(self) -> None:
        """Look at the folder again with the next photo."""
        with self._lock:
            self._looked = float("-inf")

    def _opened(self) -> SetChooser | None:
        from vision.errors import VisionError

        try:
            chooser = self._library.chooser(self._classifier)
        except VisionError as error:  # an outdated set must not cost anybody the reader
            log.warning("%s", error)
            return None
        if self._refused:
            from vision.calibration.chooser import SetChooser

            left = tuple(s for s in chooser.sets if s.name not in self._refused)
            pinned = chooser.pinned if chooser.pinned in left else None
            chooser = SetChooser(left, pinned)
        return chooser.following() if self._film else chooser
