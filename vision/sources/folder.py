"""A folder of pictures, or one picture, as a recording."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from vision.errors import PhotoError
from vision.photo import SUFFIXES, load_photo
from vision.sources.frame import Picture
from vision.sources.reasons import (
    BadPicture,
    SourceError,
    failed,
    file_not_found,
    no_permission,
    not_a_picture,
)

FRAMES_A_SECOND = 10.0
# One picture by itself is looked at for so long: as long as tiles need to count as lying still.
STILL_S = 2.0


class FolderSource:
    """The pictures of a folder in the order of their names (`frame2` before `frame10`).

    Attributes:
        name: The folder's name.
        live: Always False: it ends.
    """

    live = False

    def __init__(
        self,
        path: Path,
        paced: bool = False,
        fps: float = FRAMES_A_SECOND,
        still_s: float = 0.0,
    ) -> None:
        """Nothing is read before it is opened.

        Args:
            path: A folder, or one picture.
            paced: Give `fps` pictures a second; else as fast as they are asked for.
            fps: Pictures a second, which also sets their positions in time.
            still_s: Seconds for which the last picture is given again, as of a table that lies
                still.
        """
        self._still = round(still_s * fps)
        self.name = path.name or str(path)
        self._path = path
        self._paced = paced
        self._fps = fps

    def open(self) -> FolderGrabber:
        """See `Source`."""
        try:
            files = self._files()
        except FileNotFoundError:
            raise SourceError(file_not_found(self.name)) from None
        except PermissionError:
            raise SourceError(no_permission(self.name)) from None
        except OSError as error:
            raise SourceError(failed(self.name, error.strerror or str(error))) from None
        if not files:
            detail = "folder without JPEG, PNG, WebP or HEIC files"
            raise SourceError(not_a_picture(self.name, detail))
        return FolderGrabber(self.name, [*files, *files[-1:] * self._still], self._fps, self._paced)

    def _files(self) -> list[Path]:
        if not self._path.is_dir():
            self._path.stat()
            return [self._path]
        inside = (p for p in self._path.iterdir() if p.suffix.lower() in SUFFIXES)
        return sorted((p for p in inside if p.is_file()), key=_in_order)


class FolderGrabber:
    """Reads the next file at each call."""

    def __init__(self, name: str, files: list[Path], fps: float, paced: bool) -> None:
        self._name = name
        self._files: Iterator[tuple[int, Path]] = iter(enumerate(files))
        self._fps = fps
        self._paced = paced
        self._first = True
        self._newest: tuple[Path, np.ndarray] | None = None
        self._stopped = threading.Event()

    def grab(self) -> Picture | None:
        """See `Grabber`."""
        if self._paced and not self._first:
            self._stopped.wait(1 / self._fps)
        self._first = False
        number, path = next(self._files, (0, None))
        if path is None or self._stopped.is_set():
            return None
        if self._newest is None or self._newest[0] != path:
            try:
                self._newest = path, load_photo(path).pixels
            except PhotoError as error:
                raise BadPicture(not_a_picture(f"{self._name}/{path.name}", error.code)) from None
        return Picture(self._newest[1], position=number / self._fps)

    def interrupt(self) -> None:
        """See `Grabber`."""
        self._stopped.set()

    def close(self) -> None:
        """See `Grabber`."""
        self._stopped.set()


def _in_order(path: Path) -> list[tuple[int, int, str]]:
    """Numbers in the name count as numbers."""
    parts = re.findall(r"\d+|\D+", path.name.lower())
    return [(0, int(p), "") if p.isdecimal() and p.isascii() else (1, 0, p) for p in parts]
