"""What the tiles of a calibration photo are called at first, before a person confirms it.

The reader's own names are poor on an odd set, but much is known: in the guided order each place has
its kind, and otherwise one tile of each kind lies there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from vision.knowledge import LEAST_P, best_kinds
from vision.values import BACK, DICE, FACES, TileReading

ROWS = (FACES[:9], FACES[9:18], FACES[18:27], FACES[27:])
"""The guided order: 万 1-9, 饼 1-9, 条 1-9, 东南西北白发中, each row from the left."""
OTHERS = (BACK, *DICE)
SURE = 0.9
UNSURE = 0.6
# A row counts as one of the guided order when the surely read tiles do not speak against it.
SPEAKS_AGAINST = 0.5


def rows_of(tiles: Sequence[TileReading]) -> list[list[TileReading]]:
    """Tiles in reading order, cut into rows where the next one starts again at the left."""
    rows: list[list[TileReading]] = []
    for tile in tiles:
        if rows and tile.centre[0] > rows[-1][-1].centre[0]:
            rows[-1].append(tile)
        else:
            rows.append([tile])
    return rows


def suggest_names(tiles: Sequence[TileReading], guided: bool = True) -> list[TileReading]:
    """Name faces as the guided order or one tile a kind suggests.

    Args:
        tiles: In reading order, with all their alternatives (`tile_boxes`).
        guided: The rows may be those of the guided order; whole rows of nine and seven are then
            taken for such when what was read for sure does not contradict it.

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
    best = best_kinds(_shares(tiles, FACES), copies=1)
    return [_named(t, FACES[int(k)]) for t, k in zip(tiles, best, strict=True)]


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
    """Names by whole rows of the guided order; None when the rows are no such."""
    rows = rows_of(tiles)
    sizes = [len(row) for row in rows]
    if not rows or any(size not in (7, 9) for size in sizes) or sizes.count(7) > 1:
        return None
    if sizes.count(9) > 3:
        return None
    kinds = [FACES.index(t) for row in ROWS for t in row]
    logs = [np.log(_shares(row, FACES)[:, kinds]) for row in rows]
    best: tuple[float, list[str]] | None = None
    for order in _orders(sizes):
        names = [tile for suit in order for tile in ROWS[suit]]
        total = sum(
            float(log[np.arange(len(log)), [FACES.index(t) for t in ROWS[suit]]].sum())
            for log, suit in zip(logs, order, strict=True)
        )
        if best is None or total > best[0]:
            best = total, names
    assert best is not None
    sure = [(t.tile, n) for t, n in zip(tiles, best[1], strict=True) if t.confidence >= SURE]
    against = sum(read != name for read, name in sure)
    # A whole photo of 9, 9, 9 and 7 is the guided one unless most of it speaks against that.
    limit = 0.7 if sizes == [9, 9, 9, 7] else SPEAKS_AGAINST
    return None if sure and against > limit * len(sure) else best[1]


def _orders(sizes: list[int]) -> list[tuple[int, ...]]:
    """Which rows of the guided order the rows may be."""
    if sizes == [9, 9, 9, 7]:
        return [(0, 1, 2, 3)]
    found = []
    for suits in permutations(range(3), sizes.count(9)):
        rest = iter(suits)
        found.append(tuple(3 if size == 7 else next(rest) for size in sizes))
    return found
