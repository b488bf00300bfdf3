"""The user's taught tile sets: where they lie, and giving them to a reader."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.cli import UserError
from server.config import Config, ConfigError, load_config

if TYPE_CHECKING:
    import numpy as np

    from vision.calibration import TileSet, TileSetLibrary
    from vision.calibration.chooser import SetChooser
    from vision.classifier import TaughtSet
    from vision.reader import Reader
    from vision.values import Note

FOLDER = "tile_sets"
LOOK_AGAIN_S = 1.0
log = logging.getLogger(__name__)
NO_SET = "none"
"""In place of a set's key: none of those that it might be."""


@dataclass(frozen=True)
class Said:
    """What somebody says about a photo's set, which counts where the photo leaves it open.

    Attributes:
        key: which set it is (`key_of`); None: not said.
        refused: keys of sets that it is not.
    """

    key: str | None = None
    refused: frozenset[str] = frozenset()


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
        self._pinned: str | None = None
        self._said = threading.local()

    def choose(
        self, answers: np.ndarray, features: np.ndarray, crops: np.ndarray | None = None
    ) -> TaughtSet | None:
        """See `vision.classifier.TileSets`."""
        chooser = self._current()
        if chooser is None:
            return None
        chosen = chooser.choose(answers, features, crops)
        said: Said | None = getattr(self._said, "by", None)
        if said is None or not chooser.candidates:
            return chosen
        from vision.calibration import key_of

        names = {key_of(one.name): one.name for one in chooser.candidates}
        if said.key in names:
            return chooser.take(names[said.key])
        return chooser.take(None) if names.keys() <= said.refused else chosen

    @contextmanager
    def told(self, said: Said) -> Iterator[None]:
        """While this thread reads a photo: what its caller says about the set in it."""
        self._said.by = said
        try:
            yield
        finally:
            self._said.by = None

    def following(self) -> FollowedSets:
        """See `vision.classifier.TileSets`."""
        return FollowedSets(self._library, self._classifier, film=True)

    @property
    def chosen(self) -> TileSet | None:
        """The set of the photo that this thread read last; None when it was none of them."""
        chooser = self._chooser
        return None if chooser is None else chooser.chosen

    @property
    def candidates(self) -> tuple[TileSet, ...]:
        """The sets that the photo may show which this thread read last, where that is open."""
        chooser = self._chooser
        return () if chooser is None else chooser.candidates

    @property
    def settled(self) -> bool:
        """Whether `candidates` of this thread's photo are settled by what was `told`."""
        return self._chooser is not None and self._chooser.told

    @property
    def in_use(self) -> bool:
        """See `vision.classifier.TileSets`."""
        return self._chooser is not None and self._chooser.in_use

    def notes(self) -> tuple[Note, ...]:
        """See `vision.classifier.TileSets`."""
        chooser = self._chooser
        return () if chooser is None else chooser.notes()

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

    def take(self, name: str | None) -> None:
        """Of a film: it shows the set of this name; None: none of the `candidates`."""
        refused = frozenset(one.name for one in self.candidates) if name is None else frozenset()
        with self._lock:
            self._pinned = name
            self._refused = (self._refused | refused) - {name or ""}
            # At once, so that it is told before anything is read again.
            self._looked, self._state = time.monotonic(), self._library.state()
            self._chooser = self._opened()

    def changed(self) -> None:
        """Look at the folder again with the next photo."""
        with self._lock:
            self._looked = float("-inf")

    def _opened(self) -> SetChooser | None:
        from vision.calibration.chooser import SetChooser
        from vision.errors import VisionError

        try:
            chooser = self._library.chooser(self._classifier)
        except VisionError as error:  # an outdated set must not cost anybody the reader
            log.warning("%s", error)
            return SetChooser((), None, (self._library.in_use(),))
        if self._refused or self._pinned:
            left = tuple(s for s in chooser.sets if s.name not in self._refused)
            said = next((s for s in left if s.name == self._pinned), None)
            pinned = said or (chooser.pinned if chooser.pinned in left else None)
            chooser = SetChooser(left, pinned, chooser.waiting)
        return chooser.following() if self._film else chooser
