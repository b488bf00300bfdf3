"""Dice too small to be read: that two were thrown is told all the same, so that somebody looks.

Pips on a die of ten pixels run into one another, and no model finds it. What can be seen is that
two small things of a die's size came to lie where the table was free. That is told as a throw
without values; it is never guessed what they show.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.opencv import cv2
from vision.table.placement import Placement
from vision.tracking.accept import as_wide_as
from vision.tracking.find_dice import SMALL, FoundDie
from vision.values import Box

EVERY_S = 0.2
MOST_WIDTH = 960
# Grey levels: what changes less between looks is still, what differs more from before is new.
STILL_STEP, NEW_STEP = 14, 22
STILL_LOOKS = 2
# Share of the difference by which the picture of the free table follows at each look.
FOLLOW = 0.15
LEAST_SIDE = 5.0
LEAST_ASPECT, LEAST_FILLED = 0.62, 0.5
LEAST_LOOKS, WAIT_S = 3, 0.5
TOGETHER_S, MOST_RATIO = 1.6, 1.7
SAME_PLACE = 0.6
# Sides of a die in tile widths, and how many tiles tell how large one is.
LEAST_DIE, MOST_DIE = 0.4, 0.85
LEAST_TILES = 8
# Dice are thrown between the walls: how far from the middle those are, in half table sides.
WITHIN_WALLS = 0.6
FORGET_S = 4.0


@dataclass
class _Speck:
    """A small new thing that lies still.

    Attributes:
        box: Where it was first seen, pixels.
        first_at, seen_at: Seconds.
        looks: Looks that saw it.
        fits: Whether it had a die's size when it was first seen and lay on free table.
    """

    box: Box
    first_at: float
    seen_at: float
    looks: int = 1
    fits: bool = True

    @property
    def width(self) -> float:
        """About its width in pixels."""
        return float(np.sqrt((self.box[2] - self.box[0]) * (self.box[3] - self.box[1])))

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is about its middle."""
        a, b, c, d = self.box
        return float(np.hypot(x - (a + c) / 2, y - (b + d) / 2)) < SAME_PLACE * self.width


@dataclass
class SmallDice:
    """Watches for pairs of small things that come to lie still together."""

    _last: np.ndarray | None = None
    _free: np.ndarray | None = None
    _stirs: deque[np.ndarray] = field(default_factory=lambda: deque(maxlen=STILL_LOOKS))
    _specks: list[_Speck] = field(default_factory=list)
    _known: list[Box] = field(default_factory=list)
    _looked_at: float = float("-inf")

    def reset(self) -> None:
        """Another view: nothing is known of it."""
        self.__init__()  # type: ignore[misc]

    def see(
        self,
        pixels: np.ndarray,
        is_size: Callable[[Box], bool],
        covered: Sequence[Box],
        at: float,
    ) -> tuple[FoundDie, ...]:
        """Two dice that have come to rest now and are too small to be read; mostly none.

        Args:
            pixels: The frame, BGR.
            is_size: Whether a thing in this box is as large as a die.
            covered: Tiles that lie there; what changes on them is no die.
            at: Seconds.
        """
        if 0 <= at - self._looked_at < EVERY_S:
            return ()
        self._looked_at = at
        scale = max(1.0, pixels.shape[1] / MOST_WIDTH)
        found = self._new_things(pixels, scale)
        for box in found:
            self._meet(box, is_size, covered, at)
        self._specks = [one for one in self._specks if at - one.seen_at <= FORGET_S]
        return self._pair(at)

    def _new_things(self, pixels: np.ndarray, scale: float) -> list[Box]:
        """Boxes of what lies still and was not there before."""
        small = pixels
        if scale > 1:
            small = cv2.resize(
                pixels, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA
            )
        now = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 0.8), cv2.COLOR_BGR2LAB)
        last, self._last = self._last, now
        if last is None or self._free is None or last.shape != now.shape:
            self._free = now.astype(np.float32)
            self._stirs.clear()
            return []
        self._stirs.append(cv2.absdiff(now, last).max(axis=2) >= STILL_STEP)
        if len(self._stirs) < STILL_LOOKS:
            return []
        still = ~np.logical_or.reduce(list(self._stirs))
        differs = cv2.absdiff(now, self._free.astype(np.uint8)).max(axis=2) > NEW_STEP
        boxes = _boxes((still & differs).astype(np.uint8), scale)
        cv2.accumulateWeighted(now, self._free, FOLLOW, still.astype(np.uint8))
        return boxes

    def _meet(
        self, box: Box, is_size: Callable[[Box], bool], covered: Sequence[Box], at: float
    ) -> None:
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        same = next((one for one in self._specks if one.holds(x, y)), None)
        if same is not None:
            same.seen_at, same.looks = at, same.looks + 1
            return
        # Where dice lay, something new is the table without them.
        left = next((known for known in self._known if _inside(x, y, known)), None)
        if left is not None:
            self._known.remove(left)
        fits = left is None and is_size(box) and not any(_inside(x, y, tile) for tile in covered)
        self._specks.append(_Speck(box, at, at, fits=fits))

    def _pair(self, at: float) -> tuple[FoundDie, ...]:
        """The two that came to lie together, once both have lain there long enough."""
        lying = [
            one
            for one in self._specks
            if one.fits and one.looks >= LEAST_LOOKS and at - one.seen_at <= 2 * EVERY_S
        ]
        if len(lying) != 2:
            return ()
        first, second = lying
        widths = sorted((first.width, second.width))
        apart = abs(first.first_at - second.first_at)
        newest = max(first.first_at, second.first_at)
        if apart > TOGETHER_S or widths[1] > MOST_RATIO * widths[0] or at - newest < WAIT_S:
            return ()
        for one in lying:
            one.fits = False
            self._known.append(one.box)
        dice = (FoundDie(first.box, None), FoundDie(second.box, None))
        return tuple(sorted(dice, key=lambda die: die.box[0]))


def die_size(
    placement: Placement | None, size: tuple[int, int], tiles: Sequence[Box]
) -> Callable[[Box], bool] | None:
    """Tells whether a thing is as large as a die; None where dice are large enough to be read.

    Args:
        placement: Where the table lies; without one the tiles tell, when there are many.
        size: Of the frame.
        tiles: Boxes of the tiles that show.
    """
    if placement is not None:
        plane, unit = placement.plane(*size), placement.tile
        middle = plane.to_picture(np.zeros((1, 2)), 0.0)[0]
        x, y, half = float(middle[0]), float(middle[1]), SMALL / 2
        if as_wide_as((x - half, y - half, x + half, y + half), plane, unit) < LEAST_DIE:
            return None

        def is_die(box: Box) -> bool:
            at = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
            inside = float(np.abs(plane.to_table(at, 0.0)).max()) <= WITHIN_WALLS
            return inside and LEAST_DIE <= as_wide_as(box, plane, unit) <= MOST_DIE

        return is_die
    if len(tiles) < LEAST_TILES:
        return None
    tile = float(np.median([min(b[2] - b[0], b[3] - b[1]) for b in tiles]))
    least, most = LEAST_DIE * tile, MOST_DIE * tile
    if least > SMALL:
        return None
    return lambda box: (
        least <= min(box[2] - box[0], box[3] - box[1])
        and max(box[2] - box[0], box[3] - box[1]) <= most
    )


def _boxes(mask: np.ndarray, scale: float) -> list[Box]:
    """Compact things in a mask, in pixels of the frame."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    found = []
    for x, y, w, h, area in stats[1:count]:
        compact = min(w, h) >= LEAST_ASPECT * max(w, h) and area >= LEAST_FILLED * w * h
        if compact and min(w, h) >= LEAST_SIDE and max(w, h) * scale < 2 * SMALL:
            found.append((x * scale, y * scale, (x + w) * scale, (y + h) * scale))
    return found


def _inside(x: float, y: float, box: Box) -> bool:
    return box[0] < x < box[2] and box[1] < y < box[3]
