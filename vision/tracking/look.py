"""What reads a part of a frame for the live table."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np

from vision.classifier import TileSets
from vision.photo import Photo
from vision.reader import Reader
from vision.table.faces import face_quads
from vision.table.placement import Placement
from vision.tracking.accept import LEAST_FAINT, LEAST_LOOK
from vision.values import Box, TileReading


class Look(Protocol):
    """Reads one part of a frame.

    Attributes:
        side: Side of the detector's input in pixels.
        least: Confidence from which a reading counts by itself.
    """

    side: int
    least: float

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        """The tiles in `part`, also unsure ones; boxes in pixels of the frame.

        Args:
            pixels: The whole frame, BGR.
            part: What to read.
            closer: Tiles may be small in it: look closer at them.
        """


@runtime_checkable
class TableLook(Look, Protocol):
    """A look that reads better where it is known how the table lies."""

    def on_table(
        self, pixels: np.ndarray, part: Box, placement: Placement
    ) -> tuple[TileReading, ...]:
        """As when it is called, of a placed table.

        Args:
            pixels: The whole frame, BGR.
            part: What to read.
            placement: Where the table lies.
        """


def read_part(
    look: Look, pixels: np.ndarray, part: Box, placement: Placement | None
) -> tuple[TileReading, ...]:
    """A part of a frame as a look reads it: of a placed table as well as it can."""
    if placement is not None and isinstance(look, TableLook):
        return look.on_table(pixels, part, placement)
    return look(pixels, part, placement is None)


class ReaderLook:
    """A `Look` with the shipped models."""

    def __init__(self, reader: Reader) -> None:
        """Share a reader that is loaded already."""
        self._reader = reader
        self.side = reader.detector.side
        self.least = reader.store.threshold

    @property
    def tile_sets(self) -> TileSets | None:
        """The taught sets, among which the reader recognises the table's; None for none."""
        return self._reader.tile_sets

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        """See `Look`."""
        return self._read(pixels, part, closer, None)

    def on_table(
        self, pixels: np.ndarray, part: Box, placement: Placement
    ) -> tuple[TileReading, ...]:
        """See `TableLook`."""
        return self._read(pixels, part, False, placement)

    def _read(
        self, pixels: np.ndarray, part: Box, closer: bool, placement: Placement | None
    ) -> tuple[TileReading, ...]:
        x1, y1 = int(part[0]), int(part[1])
        x2, y2 = int(np.ceil(part[2])), int(np.ceil(part[3]))
        cut = np.ascontiguousarray(pixels[y1:y2, x1:x2])
        corner, size = np.array([x1, y1]), (pixels.shape[1], pixels.shape[0])
        shift = np.tile(corner, 2)

        def faces(boxes: np.ndarray) -> np.ndarray:
            assert placement is not None
            return face_quads(boxes + shift, placement, size) - corner

        read = self._reader.read(
            Photo(cut, "frame"),
            second_look=closer,
            least_confidence=LEAST_LOOK if placement is None else LEAST_FAINT,
            faces=None if placement is None else faces,
        )
        found = []
        for tile in read.tiles:
            a, b, c, d = (float(v) for v in np.array(tile.box) + shift)
            found.append(replace(tile, box=(a, b, c, d)))
        return tuple(found)
