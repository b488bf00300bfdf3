"""Which readings count, and which are dice by their pips and their size.

A die in a table's picture is a few pixels wide, and a model that was taught tiles is shy of it;
round pips that make a die's face on something of a die's size are better evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from vision.pips import count_pips
from vision.table.faces import LEAST_OPEN, face_quads, on_tops, openness, too_grazing
from vision.table.placed import LENGTH, LYING_Z, fit_of
from vision.table.placement import Placement
from vision.table.plane import Plane
from vision.tracking.top_face import shows_side, top_pips
from vision.values import Box, TileReading

LEAST_LOOK = 0.1
# On a placed table many looks may make a tile of what each of them is hardly sure of.
LEAST_FAINT = 0.04
# A die's share among the alternatives from which its pips are asked.
LEAST_DIE_SHARE = 0.1
AGREED, COUNTED = 0.9, 0.7
# Sides of a die in tile widths.
LEAST_DIE, MOST_DIE = 0.25, 0.85
# Extents in tile widths: a tile lying along either axis, and standing; dice, also turned ones.
TILES = ((1.0, LENGTH, 0.0), (LENGTH, 1.0, 0.0), (1.0, 0.0, LENGTH))
DIE_MIDDLE = 0.3
# Dice are thrown between the walls: where those stand, in half table sides.
WITHIN_WALLS = 0.72
Block = tuple[float, float, float]
CUBES = tuple(
    (side * turn, side * turn, side) for side in (0.45, 0.55, 0.65) for turn in (1.0, 1.35)
)
BLANK = "5z"
# Print that is read as surely as this is no guess.
SURE_PRINT = 0.9
DOTS = tuple(f"{n}p" for n in range(1, 10))


def accept(
    found: Iterable[TileReading],
    pixels: np.ndarray,
    least: float,
    placement: Placement | None,
) -> tuple[TileReading, ...]:
    """The readings that count: sure ones, dice by their pips, and on a placed table faint faces.

    What is no more than a faint face counts only where a tile would lie as its box does; it takes
    many looks to make a tile of it (`Tracks`). A standing face of which but a strip is seen never
    counts: a hand that cannot be read is not there, rather than another hand.

    Args:
        found: What a look found from a confidence of `LEAST_LOOK` on.
        pixels: The frame they were found in, BGR.
        least: Confidence from which a reading counts by itself.
        placement: Where the table lies; it tells how large a die is.
    """
    plane = None
    if placement is not None:
        plane = placement.plane(pixels.shape[1], pixels.shape[0])
    kept = []
    found = tuple(found)
    faint = faint_faces(found, least, placement, (pixels.shape[1], pixels.shape[0]))
    guesses = _guesses(found, placement, (pixels.shape[1], pixels.shape[0]))
    for number, tile in enumerate(found):
        width, no_die = None, False
        if plane is not None and placement is not None:
            width = as_wide_as(tile.box, plane, placement.tile)
            no_die = tile.tile in DOTS and lies_flat(tile.box, plane, placement.tile)
            no_die = no_die or not among_walls(tile.box, plane, placement.tile)
        die = None if no_die else _as_die(tile, pixels, width, placement)
        sure = tile.confidence >= least and not (tile.is_die and _too_large(width))
        if die is not None:
            kept.append(die)
        elif (sure or number in faint) and number not in guesses:
            kept.append(tile)
    return tuple(kept)


def faint_faces(
    found: Sequence[TileReading],
    least: float,
    placement: Placement | None,
    size: tuple[int, int],
) -> set[int]:
    """Which of the readings are faint faces that lie as a tile does on this table."""
    asked = [k for k, tile in enumerate(found) if tile.is_face and tile.confidence < least]
    if placement is None or not asked:
        return set()
    quads = face_quads(np.array([found[k].box for k in asked]), placement, size)
    open_ = np.isfinite(quads).all(axis=(1, 2)) & (openness(quads) >= LEAST_OPEN)
    return {k for k, is_open in zip(asked, open_, strict=True) if is_open}


def _guesses(
    found: Sequence[TileReading], placement: Placement | None, size: tuple[int, int]
) -> set[int]:
    """Which of the readings are standing faces that are hardly seen, or a hand's blank tops."""
    asked = [k for k, tile in enumerate(found) if tile.is_face]
    if placement is None or not asked:
        return set()
    boxes = np.array([found[k].box for k in asked])
    blank = np.array([found[k].tile == BLANK for k in asked])
    sure = np.array([found[k].confidence >= SURE_PRINT for k in asked])
    hidden = too_grazing(boxes, placement, size, sure & ~blank)
    hidden |= blank & on_tops(boxes, placement, size)
    return {k for k, is_hidden in zip(asked, hidden, strict=True) if is_hidden}


def _as_die(
    tile: TileReading, pixels: np.ndarray, width: float | None, placement: Placement | None
) -> TileReading | None:
    """The reading as a die where its pips say so, None where they do not."""
    die_share = sum(p for name, p in tile.alternatives if name.startswith("die"))
    looks_so = tile.is_die or die_share >= LEAST_DIE_SHARE
    small = width is not None and LEAST_DIE <= width <= MOST_DIE
    if _too_large(width) or not (looks_so or (small and tile.tile in DOTS)):
        return None
    pips = _pips(tile, pixels, placement)
    if pips is None:
        return None
    name = f"die{pips}"
    best = max(
        (entry for entry in tile.alternatives if entry[0].startswith("die")),
        key=lambda entry: entry[1],
        default=(name, 0.0),
    )[0]
    confidence = AGREED if best == name else COUNTED
    confidence = max(confidence, tile.confidence if tile.tile == name else 0.0)
    shares = ((name, confidence), (best, 1 - confidence)) if best != name else ((name, confidence),)
    return replace(tile, tile=name, confidence=confidence, alternatives=shares, pips=pips)


def _pips(tile: TileReading, pixels: np.ndarray, placement: Placement | None) -> int | None:
    size = (pixels.shape[1], pixels.shape[0])
    if placement is not None:
        top = top_pips(pixels, tile.box, placement)
        if top is not None or shows_side(tile.box, placement, size):
            return top
    return tile.pips if tile.pips is not None else count_pips(pixels, np.array(tile.box))


def _too_large(width: float | None) -> bool:
    return width is not None and width > MOST_DIE * 1.15


def among_walls(box: Box, plane: Plane, unit: float) -> bool:
    """Whether something lies where dice are thrown: round spots at a hand are those of a tile."""
    middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
    return bool(np.abs(plane.to_table(middle, DIE_MIDDLE * unit)).max() <= WITHIN_WALLS)


def lies_flat(box: Box, plane: Plane, unit: float) -> bool:
    """Whether a box is sooner that of a lying or standing tile than that of a die.

    From a seat a far tile is as flat as a die is high: its dots are no pips.
    """
    middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
    thing = TileReading(DOTS[0], 1.0, box)

    def fits(height: float, blocks: Iterable[Block]) -> float:
        where = np.array([*(plane.to_table(middle, height * unit)[0] / unit), height])
        return min(fit_of(thing, plane, unit, where, sides) for sides in blocks)

    return fits(LYING_Z, TILES) <= fits(DIE_MIDDLE, CUBES)


def as_wide_as(box: Box, plane: Plane, unit: float) -> float:
    """About how wide a thing is that lies there, in tile widths."""
    middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
    at = plane.to_table(middle, LYING_Z / 2 * unit)[0]
    cube = plane.box_of(np.array([*at, unit / 2]), (unit, unit, unit))
    area = max((box[2] - box[0]) * (box[3] - box[1]), 1e-6)
    return float(np.sqrt(area / max((cube[2] - cube[0]) * (cube[3] - cube[1]), 1e-6)))
