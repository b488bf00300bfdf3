"""Dice by what they are: small square things on the cloth with round pips.

It works beside the models and costs little, so that it can look at every frame while dice roll.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.boxes import intersections
from vision.opencv import cv2
from vision.pips import count_pips
from vision.table.placement import Placement
from vision.tracking.accept import COUNTED, LEAST_DIE, MOST_DIE, among_walls, as_wide_as, lies_flat
from vision.tracking.cloth import Cloth
from vision.tracking.top_face import shows_side, top_pips
from vision.values import Box, TileReading

LEAST_SIDE, MOST_SHARE = 14.0, 0.3
LEAST_ASPECT, LEAST_FILLED = 0.72, 0.8
# One that shows its side may be a hexagon (three quarters of its box), and its mask is wider by the
# blur.
LEAST_FILLED_SIDE, RIM_PX = 0.72, 1
LARGE_WIDTH = 800
SAME_PLACE = 0.5
SAME_EDGE = 2.0
# A tile is read for sure from this confidence on, is so much longer than wide, and a print lies
# within it to this share.
SURE_TILE, LONG, WITHIN = 0.8, 1.18, 0.85
# Share of a box at most that print takes where the box might be a die's: seen from above a face is
# hardly longer than wide.
PRINT_SHARE = 0.45
AGREED, COUNTED_LARGE = 0.93, 0.82
# Pips on a die smaller than this (pixels) run into one another: the models must agree.
SMALL = 28.0
# Pips are counted in boxes of several sizes. A box that cuts pips off makes fewer of them, never
# more: the largest count that comes up often enough is the one.
GROWTHS = (1.16, 1.08, 1.0, 0.93, 0.87, 0.8, 0.74)
SHIFTS = ((0.0, 0.0), (-0.025, 0.025))
LEAST_AGREEING, LEAST_SHARE = 3, 0.34
# A die that lies turned leaves cloth in the corners of an upright box: it is counted in its own
# frame as well, unless it is as narrow as a tile.
LEAST_TURNED_ASPECT = 0.78
TURNED_REACH = 1.5
# Before the table's colours are known well, the commonest ones that make up these shares of what
# shows are tried as such.
FIRST_SHARES = (0.9, 0.8)

# Middle, width and height, degrees; pixels of the mask.
Turned = tuple[tuple[float, float], tuple[float, float], float]


@dataclass(frozen=True)
class FoundDie:
    """A thing that looks like a die.

    Attributes:
        box: Where it is, pixels.
        pips: 1..6; None when they cannot be counted.
    """

    box: Box
    pips: int | None

    @property
    def centre(self) -> np.ndarray:
        """The middle of its box."""
        return np.array([(self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2])

    @property
    def width(self) -> float:
        """About its width in pixels."""
        return float(np.sqrt((self.box[2] - self.box[0]) * (self.box[3] - self.box[1])))


def find_dice(
    pixels: np.ndarray,
    part: Box,
    cloth: Cloth,
    placement: Placement | None,
    asked: Callable[[Box], bool] | None = None,
) -> tuple[FoundDie, ...]:
    """Square things of a die's size that lie alone on the cloth, left to right.

    Without a placement only those with countable pips: any size might be a die's.

    Args:
        pixels: The frame, BGR.
        part: The part of it to look at.
        cloth: The table's colours.
        placement: Where the table lies; it tells how large a die is.
        asked: Which boxes matter; all by default. Counting pips is what costs.
    """
    x1, y1, x2, y2 = (max(0, int(v)) for v in part)
    cut = np.ascontiguousarray(pixels[y1:y2, x1:x2])
    if min(cut.shape[:2]) < LEAST_SIDE:
        return ()
    found: list[FoundDie] = []
    tried: list[Box] = []
    # Without a placement only large dice are looked for: half the pixels will do.
    scale = 2 if placement is None and cut.shape[1] > LARGE_WIDTH else 1
    small = cut[::scale, ::scale] if scale > 1 else cut
    for mask in cloth.things(np.ascontiguousarray(small)):
        for box, frame, filled in _squares(mask, small.shape[0]):
            a, b, c, d = (scale * value for value in box)
            there = (a + x1, b + y1, c + x1, d + y1)
            side = _shows_side(there, pixels, placement)
            if filled < LEAST_FILLED and not side:
                continue
            if side:
                there = (there[0] + RIM_PX, there[1] + RIM_PX, there[2] - RIM_PX, there[3] - RIM_PX)
            if not _of_size(there, pixels, placement) or _known(there, found):
                continue
            if _tried(there, tried) or (asked is not None and not asked(there)):
                continue
            tried.append(there)
            pips = _pips(pixels, there, placement)
            if pips is None and not side:
                pips = _pips_in_frame(pixels, frame, scale, (x1, y1))
            if pips is not None or placement is not None:
                found.append(FoundDie(there, pips))
    return tuple(sorted(found, key=lambda die: die.box[0]))


def dice_boxes(pixels: np.ndarray, part: Box, placement: Placement | None) -> list[Box]:
    """Where dice lie before the table's colours are known, so that theirs are not taken for such.

    Dice with countable pips only; arguments as for `find_dice`.
    """
    return [
        die.box
        for share in FIRST_SHARES
        for die in find_dice(pixels, part, Cloth.first(pixels, part, share), placement)
        if die.pips is not None
    ]


def _pips(pixels: np.ndarray, box: Box, placement: Placement | None) -> int | None:
    """Pips on a die: those on its top where they can be told from those on its side.

    Also from high above a strip of the side shows, and its pips may be those that are counted.
    """
    top = None if placement is None else top_pips(pixels, box, placement)
    if top is not None or _shows_side(box, pixels, placement):
        return top
    return steady_pips(pixels, box)


def _shows_side(box: Box, pixels: np.ndarray, placement: Placement | None) -> bool:
    size = (pixels.shape[1], pixels.shape[0])
    return placement is not None and shows_side(box, placement, size)


def steady_pips(pixels: np.ndarray, box: Box) -> int | None:
    """Pips on a die, counted in several boxes around it; None when no count prevails."""
    middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])
    size = np.array([box[2] - box[0], box[3] - box[1]])
    counts: Counter[int] = Counter()
    for growth in GROWTHS:
        for shift in SHIFTS:
            centre, half = middle + np.array(shift) * size, size * growth / 2
            pips = count_pips(pixels, np.concatenate([centre - half, centre + half]))
            if pips is not None:
                counts[pips] += 1
        if len(counts) == 1 and counts.total() > LEAST_AGREEING:
            break  # from large to small: what large boxes agree on, small ones do not mend
    often = [
        pips
        for pips, times in counts.items()
        if times >= LEAST_AGREEING and times >= LEAST_SHARE * counts.total()
    ]
    return max(often, default=None)


def _pips_in_frame(
    pixels: np.ndarray, frame: Turned, scale: int, origin: tuple[int, int]
) -> int | None:
    """Pips on a die that lies turned, counted with its edges upright."""
    (x, y), (first, second), angle = frame
    if min(first, second) < LEAST_TURNED_ASPECT * max(first, second):
        return None
    width, height = scale * first, scale * second
    middle = (scale * x + origin[0], scale * y + origin[1])
    side = int(np.ceil(TURNED_REACH * max(width, height)))
    turn = cv2.getRotationMatrix2D(middle, angle, 1.0)
    turn[:, 2] += side / 2 - np.array(middle)
    upright = cv2.warpAffine(pixels, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)
    a, b = (side - width) / 2, (side - height) / 2
    return steady_pips(np.asarray(upright), (a, b, a + width, b + height))


def with_dice(
    found: tuple[TileReading, ...], dice: tuple[FoundDie, ...]
) -> tuple[TileReading, ...]:
    """The readings with the dice that lie alone on the cloth and have countable pips."""
    kept = list(found)
    for die in dice:
        if die.pips is not None:
            kept = _put(kept, die.box, die.pips)
    return tuple(kept)


def is_print(box: Box, tile: TileReading) -> bool:
    """Whether what looks like a die is the print on a tile.

    A box longer than wide holds it, which no die has; or a much larger one.
    """
    x1, y1, x2, y2 = tile.box
    sides = sorted((x2 - x1, y2 - y1))
    if not tile.is_face or tile.confidence < SURE_TILE:
        return False
    share = 1 / LONG if sides[1] >= LONG * sides[0] else PRINT_SHARE
    shared = intersections(np.array([box], float), np.array([tile.box], float))[0, 0]
    own = (box[2] - box[0]) * (box[3] - box[1])
    return bool(shared >= WITHIN * own and own <= share * sides[0] * sides[1])


def _put(found: list[TileReading], box: Box, pips: int) -> list[TileReading]:
    """The readings with this die, in place of what was read in its place."""
    if any(is_print(box, tile) for tile in found):
        return found
    name = f"die{pips}"
    boxes = np.array([tile.box for tile in found], float).reshape(-1, 4)
    shared = intersections(boxes, np.array([box], float))[:, 0]
    size = (box[2] - box[0]) * (box[3] - box[1])
    own = np.maximum((boxes[:, 2:] - boxes[:, :2]).prod(axis=1), 1e-6)
    here = (shared / own > SAME_PLACE) & (own < 2.5 * size)
    same = [tile for tile, is_here in zip(found, here, strict=True) if is_here]
    others = [tile.tile for tile in same if tile.is_die and tile.tile != name]
    agrees = any(tile.tile == name for tile in same)
    alone = COUNTED if others or min(box[2] - box[0], box[3] - box[1]) < SMALL else COUNTED_LARGE
    confidence = AGREED if agrees else alone
    shares = [(name, confidence), *((other, 1 - confidence) for other in others[:1])]
    die = TileReading(name, confidence, box, tuple(shares), pips=pips)
    return [tile for tile in found if tile not in same] + [die]


def _squares(mask: np.ndarray, height: int) -> list[tuple[Box, Turned, float]]:
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return [found for contour in contours if (found := _square(contour, height)) is not None]


def _of_size(box: Box, pixels: np.ndarray, placement: Placement | None) -> bool:
    if placement is None:
        return True
    plane = placement.plane(pixels.shape[1], pixels.shape[0])
    unit = placement.tile
    of_size = LEAST_DIE <= as_wide_as(box, plane, unit) <= MOST_DIE
    return of_size and among_walls(box, plane, unit) and not lies_flat(box, plane, unit)


def _known(box: Box, found: list[FoundDie]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(d.box[0] < x < d.box[2] and d.box[1] < y < d.box[3] for d in found)


def _tried(box: Box, tried: list[Box]) -> bool:
    """Whether another mask showed the same thing: its pips count the same."""
    return any(max(abs(a - b) for a, b in zip(box, one, strict=True)) <= SAME_EDGE for one in tried)


def _square(contour: np.ndarray, height: int) -> tuple[Box, Turned, float] | None:
    """The box around a contour that is about square, upright and turned, and how far it fills it.

    None of one that fills it less than a die seen over its edge does.
    """
    frame = cv2.minAreaRect(contour)
    first, second = frame[1]
    least, most = min(first, second), max(first, second)
    if least < LEAST_SIDE or most > MOST_SHARE * height or least < LEAST_ASPECT * most:
        return None
    filled = float(cv2.contourArea(contour)) / (first * second)
    if filled < LEAST_FILLED_SIDE:
        return None
    x, y, w, h = cv2.boundingRect(contour)
    (a, b), angle = frame[0], frame[2]
    turned = ((float(a), float(b)), (float(first), float(second)), float(angle))
    return (float(x), float(y), float(x + w), float(y + h)), turned, filled
