"""Readings with every joker at face value, for 素的 as a fan of its own (SPEC §9.4)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.hand import Hand
from rules.reading import Group, Placed, Reading
from rules.tiles import KINDS, TILES

_Kinds = tuple[int, ...]


def decompositions(counts: list[int], sets: int, pairs: int) -> Iterator[tuple[_Kinds, ...]]:
    """Every way to part counts of the 34 kinds into sets and pairs, without jokers."""
    kind = next((k for k, count in enumerate(counts) if count), None)
    if kind is None:
        if sets == pairs == 0:
            yield ()
        return
    shapes: list[_Kinds] = []
    if pairs and counts[kind] >= 2:
        shapes.append((kind, kind))
    if sets and counts[kind] >= 3:
        shapes.append((kind, kind, kind))
    if sets and kind < 27 and kind % 9 < 7 and counts[kind + 1] and counts[kind + 2]:
        shapes.append((kind, kind + 1, kind + 2))
    for shape in shapes:
        left = counts.copy()
        for part in shape:
            left[part] -= 1
        is_pair = len(shape) == 2
        for rest in decompositions(left, sets - (not is_pair), pairs - is_pair):
            yield (shape, *rest)


def face_readings(hand: Hand) -> Iterator[Reading]:
    """Every reading of the hand in which each tile, joker or not, stands for itself."""
    counts = [0] * len(TILES)
    for tile in hand.tiles:
        counts[KINDS[tile]] += 1
    melds = tuple(
        Group(meld.kind, tuple(Placed(tile, tile, tile in hand.jokers) for tile in meld.tiles))
        for meld in hand.melds
    )
    for shapes in decompositions(counts, 4 - len(melds), 1):
        if hand.win_tile is None:
            yield Reading((*(_group(hand, shape, -1) for shape in shapes), *melds))
            continue
        drawn = KINDS[hand.win_tile]
        for at in [i for i, shape in enumerate(shapes) if drawn in shape]:
            groups = (
                _group(hand, shape, drawn if i == at else -1) for i, shape in enumerate(shapes)
            )
            yield Reading((*groups, *melds))


def _group(hand: Hand, shape: _Kinds, drawn: int) -> Group:
    tiles = [TILES[kind] for kind in shape]
    mark = shape.index(drawn) if drawn >= 0 else -1
    form = "pair" if len(shape) == 2 else "triplet" if shape[0] == shape[1] else "run"
    return Group(
        form,
        tuple(Placed(tile, tile, tile in hand.jokers, i == mark) for i, tile in enumerate(tiles)),
    )
