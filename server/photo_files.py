"""Photos named on the command line, and the reader for them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from server.cli import UserError
from server.language import say
from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.reader import Reader


def open_reader(lang: str, taught: bool = True) -> Reader:
    """The reader with the shipped models; UserError when this machine cannot run it.

    Args:
        lang: Language of the messages.
        taught: Let it use the tile sets taught by calibration.
    """
    try:
        from vision.reader import Reader

        reader = Reader()
        if taught:
            from server.tile_sets import give_tile_sets, open_library

            give_tile_sets(reader, open_library())
        return reader
    except VisionError as error:
        raise UserError(error.message(lang)) from None


def photo_files(paths: Iterable[Path], lang: str) -> list[Path]:
    """The files named, and the photos (by suffix) in the folders named, folders sorted.

    Raises:
        UserError: A folder cannot be listed, or nothing at all was found.
    """
    try:
        from vision.photo import SUFFIXES
    except VisionError as error:
        raise UserError(error.message(lang)) from None
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        try:
            inside = sorted(path.rglob("*"))
        except OSError as error:
            text = error.strerror or str(error)
            raise UserError(
                say(lang, f"无法打开文件夹 {path}：{text}", f"Cannot list {path}: {text}")
            ) from None
        found += [p for p in inside if p.suffix.lower() in SUFFIXES and p.is_file()]
    if not found:
        raise UserError(
            say(
                lang,
                "没有找到照片（JPEG、PNG、WebP、HEIC）。",
                "No photo found (JPEG, PNG, WebP, HEIC).",
            )
        )
    return found
