"""What the tiles of a calibration photo are called at first, before a person confirms it.

The reader's own names are poor on an odd set, but much is known: in the guided order each place has
its kind, and otherwise one tile of each kind lies there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from vision.calibration.rows import rows_of
from vision.knowledge import LEAST_P, best_kinds
from vision.values import BACK, DICE, FACES, TileReading

ROWS = (FACES[:9], FACES[9:18], FACES[18:27], FACES[27:])
"""The guided order: 万 1-9, 饼 1-9, 条 1-9, 东南西北白发中, each row from the left."""
OTHERS = (BACK, *DICE)
SURE = 0.9
UNSURE = 0.6
# Share of the surely read tiles that may speak against the guided order: on an odd set the reader
# is sure of much that is wrong, but a part of the rows could also be anything else.
AGAINST_WHOLE, AGAINST_PART = 0.7, 0.5
MOST_PLACES, MOST_HOLES = len(FACES), 12


def suggest_names(
    tiles: Sequence[TileReading], guided: bool = True, wanted: Sequence[str] = FACES
) -> list[TileReading]:
    """Name faces as the guided order or one tile a kind suggests.

    Args:
        tiles: In reading order, with all their alternatives (`tile_boxes`).
        guided: The rows may be those of the guided order; whole rows of nine and seven, or four
            rows with a few tiles not found, are then taken for such when what was read for sure
            does not contradict it.
        wanted: The kinds that earlier photos did not show: few tiles are taken for some of these.

    Returns:
        The same tiles; `doubtful` where somebody should look closely.
    """
    if not tiles:
        return []
    named = _guided(tiles) if guided else None
    if named is not None:
        return [
            replace(t, tile=name, doubtful=t.tile != name and t.confidence >= SURE)
            for t, name in zip(tiles, named, strict=True)
        ]
    if len(tiles) > len(FACES):  # not one of each kind: the reader's own names, faces only
        return [_own_name(t, FACES) for t in tiles]
    among = tuple(wanted) if len(tiles) <= len(wanted) else FACES
    best = best_kinds(_shares(tiles, among), copies=1)
    return [_named(t, among[int(k)]) for t, k in zip(tiles, best, strict=True)]


def suggest_others(tiles: Sequence[TileReading]) -> list[TileReading]:
    """Name what lies in a photo of nothing but backs and dice."""
    return [_own_name(tile, OTHERS) for tile in tiles]


def _own_name(tile: TileReading, among: Sequence[str]) -> TileReading:
    return _named(tile, next((t for t, _ in tile.alternatives if t in among), among[0]))


def _named(tile: TileReading, name: str) -> TileReading:
    share = dict(tile.alternatives).get(name, 0.0)
    return replace(tile, tile=name, confidence=share, doubtful=share < UNSURE)


def _shares(tiles: Sequence[TileReading], names: Sequence[str]) -> np.ndarray:
    """Tiles x names, rows summing to one."""
    known = [dict(tile.alternatives) for tile in tiles]
    table = np.array([[one.get(name, 0.0) for name in names] for one in known])
    table = np.maximum(table, LEAST_P)
    return np.asarray(table / table.sum(axis=1, keepdims=True))


def _guided(tiles: Sequence[TileReading]) -> list[str] | None:
    """Names by the rows of the guided order; None when the rows are no such."""
    rows = rows_of(tiles)
    sizes = [len(row) for row in rows]
    whole = all(size in (7, 9) for size in sizes)
    if whole and sizes.count(7) <= 1 and sizes.count(9) <= 3:
        choices = [[name for suit in order for name in ROWS[suit]] for order in _orders(sizes)]
    elif len(rows) == len(ROWS) and len(tiles) >= MOST_PLACES - MOST_HOLES:
        choices = _with_holes(rows)
    else:
        return None
    logs = np.log(_shares(tiles, FACES))
    places = np.arange(len(tiles))
    scored = [
        (float(logs[places, [FACES.index(n) for n in names]].sum()), names) for names in choices
    ]
    if not scored:
        return None
    names = max(scored)[1]
    sure = [(t.tile, n) for t, n in zip(tiles, names, strict=True) if t.confidence >= SURE]
    against = sum(read != name for read, name in sure)
    # Four rows are the guided ones unless most of what is read speaks against that.
    limit = AGAINST_WHOLE if len(rows) == len(ROWS) else AGAINST_PART
    return None if sure and against > limit * len(sure) else names


def _orders(sizes: list[int]) -> list[tuple[int, ...]]:
    """Which rows of the guided order the rows may be."""
    if sizes == [9, 9, 9, 7]:
        return [(0, 1, 2, 3)]
    found = []
    for suits in permutations(range(3), sizes.count(9)):
        rest = iter(suits)
        found.append(tuple(3 if size == 7 else next(rest) for size in sizes))
    return found


def _with_holes(rows: list[list[TileReading]]) -> list[list[str]]:
    """Names for four rows in which some tiles were not found, by where the others lie.

    The last row may begin below the first tile of the others, or lie in the middle: every reading
    that fits is given.
    """
    pitch = float(np.median([_pitch(row) for row in rows]))
    left = float(np.median([row[0].centre[0] for row in rows[:3]]))
    names: list[list[str]] = [[]]
    for row, kinds in zip(rows, ROWS, strict=True):
        x = np.array([tile.centre[0] for tile in row])
        columns = np.round((x - left) / pitch).astype(int)
        shifts = (0,) if kinds is not ROWS[3] else (0, 1, 2)
        fits = [
            [kinds[c - s] for c in columns]
            for s in shifts
            if (np.diff(columns) > 0).all() and columns[0] >= s and columns[-1] - s < len(kinds)
        ]
        names = [before + here for before in names for here in fits]
    return names


def _pitch(row: list[TileReading]) -> float:
    """From one tile to the next: the middle step, among so many of which few skip a tile."""
    steps = np.diff([tile.centre[0] for tile in row])
    return float(np.median(steps)) if len(steps) else float(row[0].box[2] - row[0].box[0])
