"""Exposed sets of which not every tile was read right: three or four alike, all told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.melds import one_meld
from vision.table.placed import PlacedTile
from vision.values import FACES

# Least share of the common name, as a geometric mean over a set's tiles; and what a tile whose
# look leaves the name out says for it all the same.
LEAST_COMMON, LEAST_SHARE = 0.2, 0.02
SIZES = (3, 4)


def likely_sets(run: Sequence[PlacedTile]) -> list[list[PlacedTile]] | None:
    """Neighbouring faces as sets and nothing else, each tile named as its set most likely is.

    A sorted hand is full of pairs: at most one set may be other than as it was read.

    Args:
        run: Tiles side by side, from left to right.

    Returns:
        The sets; tiles renamed for it are doubtful. None where the tiles make no sets.
    """
    if len(run) < SIZES[0] or not all(p.tile.is_face for p in run):
        return None
    shares = np.array([_shares(p) for p in run])
    # Best way to cut off the first k tiles with so many sets renamed: log share, where the last
    # set begins, and whether it is renamed.
    best: dict[tuple[int, int], tuple[float, int, int]] = {(0, 0): (0.0, 0, 0)}
    for end in range(SIZES[0], len(run) + 1):
        for begin, renamed in [(end - size, n) for size in SIZES for n in (0, 1)]:
            common = _common(run[max(begin, 0) : end], shares[max(begin, 0) : end])
            exact = one_meld([p.tile for p in run[max(begin, 0) : end]]) is not None
            before = best.get((begin, renamed - (not exact)))
            if before is None or common is None:
                continue
            total = before[0] + common
            if total > best.get((end, renamed), (-np.inf, 0, 0))[0]:
                best[end, renamed] = total, begin, int(not exact)
    ends = [(best[len(run), n][0], n) for n in (0, 1) if (len(run), n) in best]
    if not ends:
        return None
    end, renamed = len(run), max(ends)[1]
    sets: list[list[PlacedTile]] = []
    while end:
        _, begin, fresh = best[end, renamed]
        sets.insert(0, _named(run[begin:end], shares[begin:end]))
        end, renamed = begin, renamed - fresh
    return sets


def _common(tiles: Sequence[PlacedTile], shares: np.ndarray) -> float | None:
    """Logarithm of the likeliest common name's share; None where it is too small."""
    common = float(np.log(shares).sum(0).max())
    return common if common >= len(tiles) * np.log(LEAST_COMMON) else None


def _shares(p: PlacedTile) -> np.ndarray:
    row = np.full(len(FACES), LEAST_SHARE)
    for name, share in p.tile.alternatives or ((p.tile.tile, p.tile.confidence),):
        if name in FACES:
            row[FACES.index(name)] = max(share, LEAST_SHARE)
    return row


def _named(tiles: Sequence[PlacedTile], shares: np.ndarray) -> list[PlacedTile]:
    if one_meld([p.tile for p in tiles]) is not None:
        return list(tiles)
    name = FACES[int(np.log(shares).sum(0).argmax())]
    return [
        p if p.tile.tile == name else replace(p, tile=replace(p.tile, tile=name, doubtful=True))
        for p in tiles
    ]
