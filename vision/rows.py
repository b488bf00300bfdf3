"""Rows of tiles: chains of neighbours found at any tilt, and the line they lie on.

Lengths are measured in `unit`, the short side of a tile. It follows from a box's width and
height and the row's direction (a tile's long side is about 1.35 short sides), and is the same
for a tile that stands and one laid across. Standing tiles seen from above are foreshortened:
their extent along the row sets a lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vision.values import TileReading

ASPECT = 1.35
LEAST_STEP, MOST_STEP = 0.5, 1.6
MOST_SIDESTEP = 0.38
MOST_SIZE_RATIO = 1.7
# Share of a box's extent along a straight row that is surely not more than the short side.
LEAST_SHARE = 0.8
STRAIGHT = 0.94
MEMORY = 4
GAP = 0.3
# At an end of the line a smaller gap will do, where it stands out from all the others.
END_GAP = 0.12
END_GAP_RATIO = 2.5
MOST_GAP = 5.0
MOST_LINE_OFFSET = 0.6


@dataclass(frozen=True, eq=False)
class Field:
    """The tiles of a photo as arrays: centres and sides n x 2, sizes n (mean of the sides)."""

    tiles: tuple[TileReading, ...]
    centres: np.ndarray
    sides: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, tiles: Sequence[TileReading]) -> Field:
        """Centres and sizes of `tiles`."""
        boxes = np.array([t.box for t in tiles], float).reshape(-1, 4)
        sides = boxes[:, 2:] - boxes[:, :2]
        return cls(tuple(tiles), (boxes[:, :2] + boxes[:, 2:]) / 2, sides, sides.mean(axis=1))

    def unit(self, tile: int, direction: np.ndarray) -> float:
        """Short side of a tile that stands square to `direction` (a unit vector)."""
        spread = abs(float(direction[0])) + abs(float(direction[1]))
        short = 2 * float(self.sizes[tile]) / ((1 + ASPECT) * spread)
        axis = int(abs(direction[1]) > abs(direction[0]))
        if abs(float(direction[axis])) >= STRAIGHT:
            short = max(short, LEAST_SHARE * float(self.sides[tile, axis]))
        return max(short, 1e-6)


@dataclass(frozen=True)
class Segment:
    """Tiles that lie side by side without a gap, as indices into the field."""

    tiles: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Line:
    """Segments on one line, in the order of `direction`.

    Attributes:
        segments: From one end to the other.
        gaps: Free space between neighbouring segments, in units.
        direction: Unit vector along the line.
        unit: Median short side of its tiles in pixels.
    """

    segments: tuple[Segment, ...]
    gaps: tuple[float, ...]
    direction: np.ndarray
    unit: float

    @property
    def tiles(self) -> tuple[int, ...]:
        """All its tiles in order."""
        return tuple(tile for segment in self.segments for tile in segment.tiles)


def find_rows(field: Field) -> list[tuple[int, ...]]:
    """Chains of neighbouring tiles, longest first, each tile in one chain; singles last."""
    chains: list[tuple[int, ...]] = []
    seen: set[tuple[int, int]] = set()
    for first, second in _neighbours(field):
        if (first, second) in seen:
            continue
        chain = _grow(field, first, second)
        seen.update(pairwise(chain))
        chains.append(chain)
    chains.sort(key=lambda chain: (-len(chain), _bend(field, chain)))
    used: set[int] = set()
    rows: list[tuple[int, ...]] = []
    for chain in chains:
        for part in _unused_parts(chain, used):
            if len(part) >= 2:
                rows.append(part)
                used.update(part)
    rows.sort(key=len, reverse=True)
    return rows + [(tile,) for tile in range(len(field.tiles)) if tile not in used]


def _neighbours(field: Field) -> list[tuple[int, int]]:
    """Pairs that could lie side by side, closest first."""
    count = len(field.tiles)
    if count < 2:
        return []
    vectors = field.centres[None] - field.centres[:, None]
    lengths = np.hypot(vectors[..., 0], vectors[..., 1])
    pairs = []
    for first in range(count):
        for second in range(first + 1, count):
            length = float(lengths[first, second])
            if length < 1e-6 or not _alike(field, first, second):
                continue
            unit = field.unit(first, vectors[first, second] / length)
            if LEAST_STEP * unit <= length <= MOST_STEP * unit:
                pairs.append((length / unit, first, second))
    return [(first, second) for _, first, second in sorted(pairs)]


def _alike(field: Field, first: int, second: int) -> bool:
    ratio = float(field.sizes[first] / max(field.sizes[second], 1e-6))
    return 1 / MOST_SIZE_RATIO <= ratio <= MOST_SIZE_RATIO


def _grow(field: Field, first: int, second: int) -> tuple[int, ...]:
    forward = [first, second]
    while (tile := _next(field, forward)) is not None:
        forward.append(tile)
    backward = forward[::-1]
    while (tile := _next(field, backward)) is not None:
        backward.append(tile)
    return tuple(backward[::-1])


def _next(field: Field, chain: list[int]) -> int | None:
    """The tile that goes on where the last few of `chain` point."""
    last = chain[-1]
    along = field.centres[last] - field.centres[chain[max(0, len(chain) - MEMORY)]]
    length = float(np.hypot(*along))
    if length < 1e-6:
        return None
    along = along / length
    unit = field.unit(last, along)
    steps = field.centres - field.centres[last]
    ahead = (steps @ along) / unit
    aside = np.abs(steps[:, 0] * along[1] - steps[:, 1] * along[0]) / unit
    ratio = field.sizes / max(float(field.sizes[last]), 1e-6)
    fits = (ahead >= LEAST_STEP) & (ahead <= MOST_STEP) & (aside <= MOST_SIDESTEP)
    fits &= (ratio >= 1 / MOST_SIZE_RATIO) & (ratio <= MOST_SIZE_RATIO)
    fits[chain] = False
    if not fits.any():
        return None
    return int(np.argmin(np.where(fits, ahead + 2 * aside, np.inf)))


def _bend(field: Field, chain: tuple[int, ...]) -> float:
    """Mean distance of the chain's tiles from its own straight line, in units."""
    direction = direction_of(field, chain)
    steps = field.centres[list(chain)] - field.centres[list(chain)].mean(axis=0)
    aside = np.abs(steps[:, 0] * direction[1] - steps[:, 1] * direction[0])
    return float(aside.mean()) / field.unit(chain[0], direction)


def _unused_parts(chain: tuple[int, ...], used: set[int]) -> list[tuple[int, ...]]:
    parts: list[list[int]] = [[]]
    for tile in chain:
        if tile in used:
            parts.append([])
        else:
            parts[-1].append(tile)
    return [tuple(part) for part in parts if part]


def direction_of(field: Field, chain: Sequence[int]) -> np.ndarray:
    """Unit vector from a chain's first tile to its last; along x for a single tile."""
    along = field.centres[chain[-1]] - field.centres[chain[0]]
    length = float(np.hypot(*along))
    return along / length if length > 1e-6 else np.array([1.0, 0.0])


def make_line(field: Field, row: tuple[int, ...], others: Sequence[tuple[int, ...]]) -> Line:
    """The row with what lies on its line beyond a gap, cut into segments at the gaps.

    Args:
        field: The tiles.
        row: A chain of tiles.
        others: Further chains; those on the line are taken in.
    """
    parts = [row]
    rest = [other for other in others if set(other).isdisjoint(row)]
    for end in (True, False):
        while (found := _beyond(field, parts, rest, end)) is not None:
            rest = [other for other in rest if set(other).isdisjoint(found)]
            parts = [*parts, found] if end else [found, *parts]
    tiles = [tile for part in parts for tile in part]
    direction = direction_of(field, tiles)
    unit = float(np.median([field.unit(tile, direction) for tile in row]))
    steps = np.hypot(*(field.centres[tiles[1:]] - field.centres[tiles[:-1]]).T)
    pitches = _local_pitches(steps)
    segments: list[list[int]] = [[tiles[0]]]
    gaps: list[float] = []
    excess = steps / pitches - 1
    for place, tile in enumerate(tiles[1:]):
        if excess[place] > GAP or _end_stands_out(excess, place):
            gaps.append(float(steps[place] - pitches[place]) / unit)
            segments.append([])
        segments[-1].append(tile)
    return Line(tuple(Segment(tuple(s)) for s in segments), tuple(gaps), direction, unit)


def _local_pitches(steps: np.ndarray) -> np.ndarray:
    """The usual step around each step: perspective makes a row's steps shrink along it."""
    pitches = steps.copy()
    for place in range(len(steps)):
        near = np.delete(steps, place)[max(0, place - 3) : place + 3]
        pitches[place] = np.median(near) if len(near) else steps[place]
    return np.asarray(pitches)


def _end_stands_out(excess: np.ndarray, place: int) -> bool:
    """Whether the first or last gap is small but larger than any other."""
    if place not in (0, len(excess) - 1) or len(excess) < 4:
        return False
    others = float(np.max(np.abs(np.delete(excess, place))))
    return bool(excess[place] > END_GAP and excess[place] > END_GAP_RATIO * others)


def _beyond(
    field: Field, parts: list[tuple[int, ...]], rest: list[tuple[int, ...]], end: bool
) -> tuple[int, ...] | None:
    """The nearest chain that goes on the line past one end, in the line's order."""
    tiles = [tile for part in parts for tile in part]
    if not end:
        tiles = tiles[::-1]
    last = tiles[-1]
    along = direction_of(field, tiles[-max(MEMORY, len(tiles) // 2) :])
    unit = field.unit(last, along)
    best: tuple[float, tuple[int, ...]] | None = None
    for other in rest:
        for chain in (other, other[::-1]):
            step = (field.centres[chain[0]] - field.centres[last]) / unit
            ahead = float(step @ along)
            aside = abs(float(step[0] * along[1] - step[1] * along[0]))
            straight = len(chain) == 1 or float(direction_of(field, chain) @ along) > 0.96
            near = 0.5 < ahead < MOST_GAP + 1 and aside < MOST_LINE_OFFSET
            if straight and near and _alike(field, chain[0], last):
                best = min(best or (ahead, chain), (ahead, chain))
    if best is None:
        return None
    return best[1] if end else best[1][::-1]
