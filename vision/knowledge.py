"""What the game knows that a picture does not: four of each kind, no more."""

from __future__ import annotations

import numpy as np

COPIES = 4
LEAST_P = 1e-4


def best_kinds(probabilities: np.ndarray, copies: int = COPIES) -> np.ndarray:
    """The jointly likeliest kind of each tile when a kind has only `copies` tiles.

    It maximises the product of the tiles' probabilities over all assignments with at most
    `copies` tiles a kind: a min-cost flow. The unconstrained optimum (every tile its own best)
    is repaired one surplus tile at a time along the cheapest chain of reassignments, which
    keeps it optimal (successive shortest paths).

    Args:
        probabilities: tiles x kinds, rows summing to about one.
        copies: Tiles of a kind on the table.

    Returns:
        A kind index for each tile.

    Raises:
        ValueError: There are more tiles than `copies` of every kind together.
    """
    count, kinds = probabilities.shape
    if count > copies * kinds:
        raise ValueError(f"{count} tiles cannot be {copies} each of {kinds} kinds")
    cost = -np.log(np.maximum(probabilities, LEAST_P))
    chosen = np.argmax(probabilities, axis=1) if count else np.zeros(0, int)
    while True:
        held = np.bincount(chosen, minlength=kinds)
        crowded = np.flatnonzero(held > copies)
        if not len(crowded):
            return chosen
        for tile, kind in _cheapest_chain(cost, chosen, int(crowded[0]), held < copies):
            chosen[tile] = kind


def _cheapest_chain(
    cost: np.ndarray, chosen: np.ndarray, source: int, free: np.ndarray
) -> list[tuple[int, int]]:
    """Moves (tile, new kind) that carry one tile's surplus from `source` to a free kind."""
    kinds = cost.shape[1]
    steps = np.full((kinds, kinds), np.inf)
    movers = np.zeros((kinds, kinds), int)
    for kind in np.unique(chosen):
        tiles = np.flatnonzero(chosen == kind)
        extra = cost[tiles] - cost[tiles, kind][:, None]
        steps[kind] = extra.min(axis=0)
        movers[kind] = tiles[extra.argmin(axis=0)]
    np.fill_diagonal(steps, np.inf)
    reach = np.full(kinds, np.inf)
    reach[source] = 0.0
    before = np.full(kinds, -1)
    for _ in range(kinds):  # Bellman-Ford: a step back to a better kind has negative cost
        through = reach[:, None] + steps
        best = through.min(axis=0)
        better = best < reach - 1e-12
        if not better.any():
            break
        before[better] = through.argmin(axis=0)[better]
        reach[better] = best[better]
    kind = int(np.argmin(np.where(free, reach, np.inf)))
    moves: list[tuple[int, int]] = []
    while kind != source:
        previous = int(before[kind])
        moves.append((int(movers[previous, kind]), kind))
        kind = previous
    return moves


def calibrate(raw: float, table: tuple[tuple[float, float], ...]) -> float:
    """`raw` through a rising table of (raw, calibrated) pairs; itself when there is none."""
    if not table:
        return raw
    return float(np.interp(raw, [a for a, _ in table], [b for _, b in table]))


def crowding(names: np.ndarray, copies: int = COPIES) -> np.ndarray:
    """Factors on the confidence of tiles of which more than `copies` are read.

    Of n alike in a photo of one set, at least n - copies are no such tile: gaming discs read as
    one-circles, say. A photo may show two sets, so the factor is only sqrt(copies / n).

    Args:
        names: The kind of each tile, as integers.
        copies: Tiles of a kind in a set.
    """
    if not len(names):
        return np.ones(0)
    counts = np.bincount(names)[names]
    return np.asarray(np.sqrt(np.minimum(1.0, copies / counts)))
