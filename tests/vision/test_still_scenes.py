"""Real photos of tables as still sources: the hand row as the reader reads it, ponds left alone.

The photos are not part of the project; without them, or without models, this is skipped.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.errors import ModelError
from vision.layout import lay_out
from vision.photo import load_photo
from vision.reader import Reader
from vision.sources import every_frame, named_source
from vision.tracking.looking import ReaderLook
from vision.tracking.watcher import TableWatcher
from vision.values import CLASSES, Box, PhotoReading, TileReading

EVAL = Path(__file__).parents[2] / ".." / "shared" / "photos" / "eval"
# So many photos are of tables; in some the pond is labelled too.
TABLE_SCENES = 33
# Flowers at the end of a row, up to three, have no label and lie in it all the same: tile widths,
# heights.
ENDS = 4.0
IN_ROW = 0.6


@cache
def reader() -> Reader:
    if not (EVAL / "images").is_dir():
        pytest.skip("the shared photos are not beside this checkout")
    try:
        return Reader(threads=1)
    except ModelError as error:
        pytest.skip(f"no trained models here: {error}")


def labels(photo: str, width: int, height: int) -> list[tuple[str, Box]]:
    lines = (EVAL / "labels" / Path(photo).with_suffix(".txt").name).read_text().splitlines()
    found = []
    for line in filter(None, lines):
        name, x, y, w, h = line.split()
        middle = np.array([float(x) * width, float(y) * height])
        half = np.array([float(w) * width, float(h) * height]) / 2
        low, high = middle - half, middle + half
        box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        found.append((CLASSES[int(name)], box))
    return found


def hand_row(found: list[tuple[str, Box]]) -> list[tuple[str, Box]]:
    """The longest row of labelled tiles, side by side: the hand."""

    def middle(box: Box) -> float:
        return (box[1] + box[3]) / 2

    rows = [
        [
            other
            for other in found
            if abs(middle(other[1]) - middle(one[1])) < IN_ROW * (one[1][3] - one[1][1])
        ]
        for one in found
    ]
    return max(rows, key=len)


def _beside(box: Box, tile: TileReading) -> bool:
    """Whether a tile lies where a labelled one does, or in a row with it."""
    x, y = tile.centre
    across = abs(x - (box[0] + box[2]) / 2) / (box[2] - box[0])
    down = abs(y - (box[1] + box[3]) / 2) / (box[3] - box[1])
    return across < ENDS and down < IN_ROW


class OnceLook:
    """Reads a photo once: a still is the same picture at every look."""

    def __init__(self) -> None:
        self.inner = ReaderLook(reader())
        self.side, self.least = self.inner.side, self.inner.least
        self.found: tuple[TileReading, ...] | None = None

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        if self.found is None:
            self.found = self.inner(pixels, part, closer)
        return self.found


def as_live(photo: str, look: OnceLook) -> Any:
    """What the live table makes of the photo, as of a table that lies still."""
    watcher = TableWatcher(look)
    state = None
    for frame in every_frame(named_source(str(EVAL / "images" / photo))):
        state = watcher.see(frame.pixels, float(frame.position or 0.0), frame.wall)
    assert state is not None
    return state


def as_photo(look: OnceLook, width: int, height: int) -> list[TileReading]:
    """The hand of the same reading as a photo's: what reaches the reader's threshold counts."""
    sure = [tile for tile in look.found or () if tile.confidence >= look.least]
    numbered = tuple(replace(tile, index=k) for k, tile in enumerate(sure))
    return list(lay_out(PhotoReading("photo", width, height, numbered, {})).used)


def held(state: Any) -> list[TileReading]:
    return [p.tile for p in state.tiles if p.seat == 0 and p.role in ("hand", "drawn", "meld")]


def names(tiles: list[TileReading]) -> Counter[str]:
    return Counter(tile.tile for tile in tiles)


@cache
def scenes() -> dict[str, bool]:
    """The photos of tables, and whether the pond is labelled."""
    reader()
    manifest = json.loads((EVAL / "manifest.json").read_text())
    tables = [one for one in manifest if "table_scene" in one["tags"]]
    return {one["image"]: "pond_labelled" in one["tags"] for one in tables}


@pytest.mark.parametrize("number", range(TABLE_SCENES))
def test_the_hand_of_a_still_is_the_readers_and_the_pond_is_left_alone(number: int) -> None:
    photo, pond_labelled = list(scenes().items())[number]
    picture = load_photo(EVAL / "images" / photo)
    found = labels(photo, picture.width, picture.height)
    # Where the pond is labelled too, the hand is the longest row; a pung may lie beside it.
    row = hand_row(found) if pond_labelled else found
    look = OnceLook()
    tiles = held(as_live(photo, look))

    read = as_photo(look, picture.width, picture.height)
    truth = Counter(name for name, _ in row)
    assert (names(tiles) == truth) >= (names(read) == truth), (
        "exact as a photo, and not as a still",
        names(tiles) - truth,
        truth - names(tiles),
    )

    strangers = [tile.tile for tile in tiles if not any(_beside(box, tile) for _, box in row)]
    assert strangers == [], "from the pond or a wall"
    assert len(tiles) >= min(13, len(row)), "the hand is there"


def test_every_photo_of_a_table_is_asked_for() -> None:
    assert len(scenes()) == TABLE_SCENES
