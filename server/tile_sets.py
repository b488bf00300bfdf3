"""The user's taught tile sets: where they lie, and giving them to a reader."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from server.cli import UserError
from server.config import Config, ConfigError, load_config

if TYPE_CHECKING:
    from vision.calibration import TileSetLibrary
    from vision.reader import Reader

FOLDER = "tile_sets"
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
