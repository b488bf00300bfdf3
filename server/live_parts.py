"""What the live commands share: the models, and placements by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.cli import UserError
from server.photo_files import open_reader

if TYPE_CHECKING:
    from vision.table import Placement
    from vision.tracking.looking import ReaderLook


def open_look(lang: str) -> ReaderLook:
    """The shipped models, ready to read parts of frames.

    Raises:
        UserError: A model is missing or broken.
    """
    from vision.tracking.looking import ReaderLook

    return ReaderLook(open_reader(lang).for_film())


def placement_named(name: str | None, lang: str) -> Placement | None:
    """The placement saved under a name; None without a name.

    Raises:
        UserError: There is none of this name.
    """
    if name is None:
        return None
    from server.config import load_config
    from vision.errors import VisionError
    from vision.table import PlacementStore

    try:
        return PlacementStore(load_config().config.data_folder).load(name)
    except VisionError as error:
        raise UserError(error.message(lang)) from None
