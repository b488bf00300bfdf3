"""Real photos of tables as still sources: the hand row as the reader reads it, ponds left alone.

The photos are not part of the project; without them, or without models, this is skipped.
"""

from __future__ import annotations

import json
from collections import Counter
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
from vision.values import CLASSES, Box, TileReading

EVAL = Path(__file__).parents[2] / ".." / "shared" / "photos" / "eval"
# Hands in front of ponds and walls; in the last three the pond is labelled too.
SCENES = (
    "rb_370171060_856000659317550_7.jpg",
    "rb_370280965_2015775748788044_.jpg",
    "rb_382645002_1008823510368523_.jpg",
    "rb_387322686_247863291174459_2.jpg",
    "rb_387328136_252973981072647_7.jpg",
    "rb_379634318_160328417132022_8.jpg",
    "rb_387324697_344171238009450_8.jpg",
    "rb_387561687_358938869892132_7.jpg",
)
POND_LABELLED = SCENES[5:]
# A flower at the end of a row has no label, and lies in the row all the same: tile widths, heights.
ENDS = 3.0
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


def as_live(photo: str) -> Any:
    """What the live table makes of the photo, as of a table that lies still."""
    watcher = TableWatcher(ReaderLook(reader()))
    state = None
    for frame in every_frame(named_source(str(EVAL / "images" / photo))):
        state = watcher.see(frame.pixels, float(frame.position or 0.0), frame.wall)
    assert state is not None
    return state


def held(state: Any) -> list[TileReading]:
    return [p.tile for p in state.tiles if p.seat == 0 and p.role in ("hand", "drawn", "meld")]


def names(tiles: list[TileReading]) -> Counter[str]:
    return Counter(tile.tile for tile in tiles)


@pytest.mark.parametrize("photo", SCENES)
def test_the_hand_of_a_still_is_the_readers_and_the_pond_is_left_alone(photo: str) -> None:
    picture = load_photo(EVAL / "images" / photo) if reader() else None
    assert picture is not None
    found = labels(photo, picture.width, picture.height)
    # Where the pond is labelled too, the hand is the longest row; a pung may lie beside it.
    row = hand_row(found) if photo in POND_LABELLED else found
    tiles = held(as_live(photo))

    table = lay_out(reader().read(picture))
    read = [*table.hand, *([table.drawn] if table.drawn else [])]
    read += [tile for meld in table.melds for tile in meld.tiles]
    truth = Counter(name for name, _ in row)
    assert (names(tiles) == truth) >= (names(read) == truth), (
        "exact as a photo, and not as a still",
        names(tiles) - truth,
        truth - names(tiles),
    )

    strangers = [tile.tile for tile in tiles if not any(_beside(box, tile) for _, box in row)]
    assert strangers == [], "from the pond or a wall"
    assert len(tiles) >= 13, "the hand is there"


def test_the_photos_say_what_they_show() -> None:
    reader()
    manifest = {one["image"]: one for one in json.loads((EVAL / "manifest.json").read_text())}
    assert all("table_scene" in manifest[photo]["tags"] for photo in SCENES)
    pond = tuple(photo for photo in SCENES if "pond_labelled" in manifest[photo]["tags"])
    assert pond == POND_LABELLED
