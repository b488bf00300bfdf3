"""From tiles in a photo to a hand: rows, the drawn tile, exposed sets, and what is doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from vision import doubts as doubt_texts
from vision.melds import all_melds, gangs_within
from vision.roles import Casting, Part, cast, hand_tiles
from vision.rows import Field, Line, direction_of, find_rows, make_line
from vision.values import Doubt, MeldReading, PhotoReading, TableReading, TileReading

HAND_SIZES = (13, 14)
SWAPPED = 1.4
BESIDE_REACH = 2.2
ROW_REACH = 2.2
MELD_REACH = 14.0
SMALL_GAP = 0.8
LEAST_HAND = 5
TRIES = 5


def lay_out(reading: PhotoReading) -> TableReading:
    """Give every tile of a photo its role.

    The hand is the row with most faces. A tile set apart at its end or laid across it was
    drawn (单放); three or four alike set apart, or four with one face among backs, are exposed
    sets; everything else is left aside. What the photo does not settle becomes a doubt.
    """
    dice = tuple(tile for tile in reading.tiles if tile.is_die)
    field = Field.of([tile for tile in reading.tiles if not tile.is_die])
    rows = find_rows(field)
    rows = [row for row in rows if len(row) > 1] + [row for row in rows if len(row) == 1]
    faces = [tile for tile in field.tiles if tile.is_face]
    found = _best_table(field, rows)
    if found is not None and _count(found) not in HAND_SIZES:
        # Few tiles are a hand only where enough sets lie beside them.
        found = None if len(faces) in HAND_SIZES or len(found.hand) < LEAST_HAND else found
    if found is None and len(faces) in HAND_SIZES:
        found = _scattered(faces)
    if found is None:
        aside = field.tiles
        return TableReading((), None, (), None, aside, dice, (doubt_texts.no_hand(),))
    return _finish(field, found, dice)


def _prominence(tiles: Sequence[TileReading]) -> tuple[int, int]:
    """How much tiles look like the hand: by faces, sets counting for nothing."""
    return (0 if all_melds(tiles) else sum(tile.is_face for tile in tiles), len(tiles))


def _best_table(field: Field, rows: list[tuple[int, ...]]) -> TableReading | None:
    """The table as each likely row would have it as the hand; None when no face shows.

    A right number of tiles comes first, then a long row that is large and low in the photo.
    """
    size = field.sizes + 0.1 * field.centres[:, 1]

    def weight(row: tuple[int, ...], table: TableReading) -> tuple[bool, float]:
        faces = _prominence([field.tiles[k] for k in row])[0]
        near = float(size[list(row)].mean()) / float(size.max())
        return _count(table) in HAND_SIZES, faces / HAND_SIZES[0] + near

    ranked = sorted(rows, key=lambda row: _prominence([field.tiles[k] for k in row]))
    likely = [row for row in ranked[-TRIES:] if any(field.tiles[k].is_face for k in row)]
    tables = [(row, _from_row(field, rows, row)) for row in likely]
    best = max(tables, key=lambda entry: weight(*entry), default=None)
    return best[1] if best else None


def _is_end(pieces: list[tuple[TileReading, ...]], place: int, main: int) -> bool:
    """Whether nothing but sets lies beyond a piece, seen from the main one."""
    beyond = pieces[place + 1 :] if place > main else pieces[:place]
    return place != main and all(all_melds(piece) for piece in beyond)


def _count(table: TableReading) -> int:
    """Tiles as the rules count them: a set is three (SPEC §5.8)."""
    return len(table.hand) + (table.drawn is not None) + 3 * len(table.melds)


def _scattered(faces: Sequence[TileReading]) -> TableReading:
    hand = tuple(faces)
    return TableReading(hand, None, (), None, (), (), (doubt_texts.no_row(hand),))


def _from_row(field: Field, rows: list[tuple[int, ...]], main: tuple[int, ...]) -> TableReading:
    others = [row for row in rows if row != main]
    line = make_line(field, main, others)
    down = _towards_owner(field, line)
    if float(line.direction @ np.array([down[1], -down[0]])) < 0:
        line = _reversed(line)
    on_line = set(line.tiles)
    elsewhere = [row for row in others if on_line.isdisjoint(row)]
    outside, second_rows = _around(field, line, elsewhere, down)
    parts = _parts(field, line, elsewhere, second_rows, down)
    casting = cast(parts, sum(len(melds) for melds in outside))
    return _assemble(parts, casting, [m for melds in outside for m in melds], down)


def _towards_owner(field: Field, line: Line) -> np.ndarray:
    """Unit vector square to the line, towards whoever holds the hand.

    The feet of the 万 tiles decide where they agree; else the lower side of the photo.
    """
    normal = np.array([-line.direction[1], line.direction[0]])
    if normal[1] < -0.3 or (abs(normal[1]) <= 0.3 and normal[0] < 0):
        normal = -normal
    votes = [float(np.dot(foot, normal)) for k in line.tiles if (foot := field.tiles[k].down)]
    clear = [vote for vote in votes if abs(vote) > 0.7]
    flipped = sum(vote < 0 for vote in clear)
    return -normal if flipped >= 2 and flipped >= 0.75 * len(clear) else normal


def _reversed(line: Line) -> Line:
    return Line(
        tuple(type(s)(s.tiles[::-1]) for s in line.segments[::-1]),
        line.gaps[::-1],
        -line.direction,
        line.unit,
    )


def _around(
    field: Field, line: Line, elsewhere: list[tuple[int, ...]], down: np.ndarray
) -> tuple[list[list[MeldReading]], list[tuple[int, ...]]]:
    """Sets near the line, nearest first; and second rows of a hand stacked in two."""
    centres = field.centres[list(line.tiles)]
    melds: list[tuple[float, list[MeldReading]]] = []
    second: list[tuple[int, ...]] = []
    for row in elsewhere:
        if len(row) < 3:
            continue
        middle = field.centres[list(row)].mean(axis=0)
        distance = float(np.hypot(*(centres - middle).T).min()) / line.unit
        found = all_melds([field.tiles[k] for k in row])
        direction = direction_of(field, row)
        parallel = abs(float(direction @ line.direction)) > 0.95
        offset = abs(float((middle - centres.mean(axis=0)) @ down)) / line.unit
        if found and distance <= MELD_REACH:
            melds.append((distance, found))
        elif parallel and offset <= ROW_REACH and field.tiles[row[0]].is_face:
            second.append(row if float(direction @ line.direction) > 0 else row[::-1])
    melds.sort(key=lambda entry: entry[0])
    return [found for _, found in melds], second


def _parts(
    field: Field,
    line: Line,
    elsewhere: list[tuple[int, ...]],
    second_rows: list[tuple[int, ...]],
    down: np.ndarray,
) -> list[Part]:
    segments = [s.tiles for s in line.segments]
    gaps = list(line.gaps)
    pieces = [tuple(field.tiles[t] for t in segment) for segment in segments]
    longest = max(range(len(pieces)), key=lambda k: (*_prominence(pieces[k]), -k))
    ends = {k for k in range(len(pieces)) if _is_end(pieces, k, longest)}
    parts: list[Part] = []
    for k, (segment, tiles) in enumerate(zip(segments, pieces, strict=True)):
        between = gaps[min(k, longest) : max(k, longest)]
        gap = between[0 if k > longest else -1] if between else 0.0
        if k == longest:
            parts += _without_odd_ends(field, line, segment, k)
        else:
            crossed = len(segment) == 1 and _laid_across(field, line, segment[0])
            parts.append(Part(tiles, gap, end=k in ends, across=crossed))
    parts += [Part(tuple(field.tiles[t] for t in row), row=True) for row in second_rows[:1]]
    above = [p for p in parts if p.row and _is_above(p, parts, down)]
    parts = above + [p for p in parts if p not in above]
    for row in elsewhere:
        if len(row) == 1 and _is_beside(field, line, row[0]):
            parts.append(Part((field.tiles[row[0]],), beside=True))
    return parts


def _is_above(part: Part, parts: list[Part], down: np.ndarray) -> bool:
    main = next(p for p in parts if p.main)
    step = np.mean([t.centre for t in part.tiles], axis=0) - np.mean(
        [t.centre for t in main.tiles], axis=0
    )
    return float(step @ down) < 0


def _without_odd_ends(field: Field, line: Line, segment: tuple[int, ...], place: int) -> list[Part]:
    """The main part, with a tile that is laid across or unsure split off at either end."""
    parts: list[Part] = []
    body = list(segment)
    for end, at_end in ((0, place == 0), (-1, place == len(line.segments) - 1)):
        tile = body[end]
        across = at_end and _laid_across(field, line, tile)
        if len(body) > 2 and (across or field.tiles[tile].name_open):
            body.pop(end)
            parts.append(Part((field.tiles[tile],), end=at_end and across, across=across))
    main = Part(tuple(field.tiles[t] for t in body), main=True)
    before = [p for p in parts if p.tiles[0] is field.tiles[segment[0]]]
    return [*before, main, *(p for p in parts if p not in before)]


def _laid_across(field: Field, line: Line, tile: int) -> bool:
    """Whether a tile's longer side runs along the row while the others stand square to it."""
    if max(abs(line.direction)) < 0.94:
        return False
    axis = 0 if abs(line.direction[0]) > abs(line.direction[1]) else 1

    def ratio(k: int) -> float:
        box = field.tiles[k].box
        sides = (box[2] - box[0], box[3] - box[1])
        return sides[axis] / max(sides[1 - axis], 1e-6)

    others = [ratio(k) for k in line.tiles if k != tile]
    if not others:
        return False
    return ratio(tile) > 1.05 and ratio(tile) > SWAPPED * float(np.median(others))


def _is_beside(field: Field, line: Line, tile: int) -> bool:
    steps = field.centres[list(line.tiles)] - field.centres[tile]
    near = float(np.hypot(*steps.T).min()) / line.unit
    size = float(field.sizes[tile]) / float(np.median(field.sizes[list(line.tiles)]))
    return field.tiles[tile].is_face and near <= BESIDE_REACH and 0.7 < size < 1.4


def _assemble(
    parts: list[Part], casting: Casting, outside: list[MeldReading], down: np.ndarray
) -> TableReading:
    hand, melds = hand_tiles(parts, casting.roles)
    doubts: list[Doubt] = []
    for part, role in zip(parts, casting.roles, strict=True):
        if role == "meld" and part.gap < SMALL_GAP:
            doubts += [doubt_texts.meld_or_hand(m) for m in all_melds(part.tiles) or []]
    doubts += [
        doubt_texts.left_out(part.tiles[0])
        for part, role in zip(parts, casting.roles, strict=True)
        if role == "aside" and part.unsure and not part.beside
    ]
    melds += outside[: casting.melds_outside]
    for _, meld in gangs_within(hand, with_backs=False)[: casting.gangs_within]:
        melds.append(meld)
        doubts.append(doubt_texts.gang_in_row(meld))
        hand = [tile for tile in hand if tile not in meld.tiles]
    drawn = next(
        (p.tiles[0] for p, r in zip(parts, casting.roles, strict=True) if r == "drawn"), None
    )
    table = TableReading(tuple(hand), drawn, tuple(melds), None, (), (), ())
    doubts += _about_drawn(parts, table)
    doubts += _about_gaps(parts, casting, table)
    return TableReading(
        table.hand,
        drawn,
        table.melds,
        None,
        (),
        (),
        tuple(doubts),
        (float(down[0]), float(down[1])),
    )


def _about_drawn(parts: list[Part], table: TableReading) -> list[Doubt]:
    apart = [
        part.tiles[0]
        for part in parts
        if part.end and len(part.tiles) == 1 and part.tiles[0].is_face
    ]
    if _count(table) != 14:
        return []
    if table.drawn is None:
        return [doubt_texts.drawn_unknown(table.hand)]
    return [doubt_texts.drawn_tile(apart)] if len(apart) > 1 and table.drawn in apart else []


def _about_gaps(parts: list[Part], casting: Casting, table: TableReading) -> list[Doubt]:
    if _count(table) == 14:
        return []
    pieces = [p for p, r in zip(parts, casting.roles, strict=True) if r == "hand" and not p.row]
    return [
        doubt_texts.row_gap(before.tiles[-1], after.tiles[0])
        for before, after in pairwise(pieces)
        if 0.75 <= (after.gap if not after.main else before.gap) <= 1.3
    ]


def _finish(field: Field, found: TableReading, dice: tuple[TileReading, ...]) -> TableReading:
    """What is left over, the lone tile that may be the indicator, and doubts on names."""
    taken = {tile.index for tile in found.used}
    aside = tuple(tile for tile in field.tiles if tile.index not in taken)
    doubts = list(found.doubts)
    if _count(found) not in HAND_SIZES:
        held = (*found.hand, *((found.drawn,) if found.drawn else ()))
        doubts.append(doubt_texts.hand_count(held, len(found.melds)))
    lone = [tile for tile in aside if tile.is_face]
    indicator = lone[0] if len(lone) == 1 else None
    if indicator:
        doubts.append(doubt_texts.indicator_candidate(indicator))
        aside = tuple(tile for tile in aside if tile is not indicator)
    doubts += doubt_texts.about_tiles(found.used)
    doubts += [doubt_texts.die_pips(d) for d in dice if d.pips and d.tile != f"die{d.pips}"]
    return TableReading(
        found.hand,
        found.drawn,
        found.melds,
        indicator,
        aside,
        dice,
        tuple(doubts),
        found.down,
    )
