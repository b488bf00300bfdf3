"""Which parts of the frame to read, and when: only where something changed, once it lies still."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.opencv import cv2
from vision.table.placement import Placement
from vision.tracking.change import SETTLE_S, Motion, cells_of
from vision.values import Box

# Seconds of stillness after which a part is looked at, again and again. The last ones only while
# something in it is unresolved.
LOOKS_AT = (0.0, 0.15, 0.55, 1.1)
EXTRA_LOOKS_AT = (2.0, 3.5, 5.0, 7.0, 9.0, 12.0)
# Where something keeps moving, the rest of the part is looked at now and then all the same.
RESTLESS_S, RESTLESS_EVERY_S = 0.8, 0.5
# As large as the reader's own closer look makes small tiles.
LONG_SIDE_PX = 58.0
LEAST_WINDOW, OVERLAP_TILES = 256.0, 2.0
OUTLINE = 1.08
# A window is read when the table fills at least this share of it, counted in cells (pixels a side).
LEAST_PART, CELL = 0.02, 4


@dataclass
class Part:
    """One part of the frame that is read at a time.

    Attributes:
        box: x1, y1, x2, y2 in pixels.
        moved_at: When something last moved in it; None when nothing did since all was read.
        since: Since when it has not been still.
        looked: Looks since `moved_at`.
        looked_at: When the last look was.
        looks: All looks ever.
    """

    box: Box
    moved_at: float | None = None
    since: float = 0.0
    looked: int = 0
    looked_at: float = float("-inf")
    looks: int = 0


class Lookout:
    """Keeps the parts of the frame and says which of them are due."""

    def __init__(self, size: tuple[int, int], placement: Placement | None, side: int) -> None:
        """Every part is due at once.

        Args:
            size: Width and height of the frames.
            placement: Where the table lies; None: the whole frame is one part.
            side: Side of the detector's input in pixels.
        """
        self.outline = _outline(size, placement)
        self.parts = [Part(box) for box in _boxes(size, placement, side, self.outline)]
        self._mask: np.ndarray | None = None
        self.wake(float("-inf"))

    def wake(self, at: float) -> None:
        """Everything may have changed."""
        for part in self.parts:
            part.moved_at, part.since, part.looked = at, at, 0

    def watch(self, motion: Motion, at: float) -> None:
        """Take in what moved."""
        if not motion.changed.any():
            return
        changed = motion.changed & self._within(motion)
        for part in self.parts:
            if changed[cells_of(part.box, motion.scale, changed.shape)].any():
                if part.moved_at is None or part.looked or at - part.moved_at > SETTLE_S:
                    part.since = at if part.moved_at is None or part.looked else part.since
                part.moved_at = at
                part.looked = 0

    def due(self, at: float, unresolved: list[Box]) -> list[Part]:
        """The parts to read now, the most urgent first.

        Args:
            at: Monotonic seconds.
            unresolved: Boxes of tiles that another look may settle.
        """
        found = []
        for part in self.parts:
            if part.moved_at is None:
                continue
            still = at - part.moved_at - SETTLE_S
            if still < 0:
                restless = at - part.since > RESTLESS_S
                wanted = restless and at - part.looked_at >= RESTLESS_EVERY_S
            else:
                wanted = self._wants(part, still, unresolved)
            if wanted:
                found.append(part)
        return sorted(found, key=lambda part: (part.looked, part.looked_at))

    def looked(self, part: Part, at: float) -> None:
        """A part has been read."""
        part.looked_at = at
        part.looks += 1
        if part.moved_at is not None and at - part.moved_at >= SETTLE_S:
            part.looked += 1

    @property
    def idle(self) -> bool:
        """Whether nothing is left to read until something moves."""
        return all(part.moved_at is None for part in self.parts)

    def _wants(self, part: Part, still: float, unresolved: list[Box]) -> bool:
        if part.looked < len(LOOKS_AT):
            return still >= LOOKS_AT[part.looked]
        extra = part.looked - len(LOOKS_AT)
        if extra >= len(EXTRA_LOOKS_AT) or not any(_touches(part.box, b) for b in unresolved):
            part.moved_at = None
            return False
        return still >= EXTRA_LOOKS_AT[extra]

    def _within(self, motion: Motion) -> np.ndarray:
        """The cells of the table."""
        if self._mask is None or self._mask.shape != motion.changed.shape:
            mask = np.zeros(motion.changed.shape, np.uint8)
            points = np.round(self.outline / motion.scale).astype(np.int32)
            cv2.fillConvexPoly(mask, points, 1)
            self._mask = mask > 0
        return self._mask


def _touches(first: Box, second: Box) -> bool:
    return (
        first[0] < second[2]
        and second[0] < first[2]
        and first[1] < second[3]
        and second[1] < first[3]
    )


def _outline(size: tuple[int, int], placement: Placement | None) -> np.ndarray:
    width, height = size
    if placement is None:
        return np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    plane = placement.plane(width, height)
    edge = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * OUTLINE
    # Standing tiles reach above the far edge in the picture.
    both = np.concatenate([plane.to_picture(edge, 0.0), plane.to_picture(edge, 2 * placement.tile)])
    hull = cv2.convexHull(both.astype(np.float32)).reshape(-1, 2)
    return np.clip(np.asarray(hull, float), [0, 0], [width, height])


def _boxes(
    size: tuple[int, int], placement: Placement | None, side: int, outline: np.ndarray
) -> list[Box]:
    width, height = size
    if placement is None:
        return [(0.0, 0.0, float(width), float(height))]
    low, high = outline.min(0), outline.max(0)
    tile = _tile_px(size, placement)
    window = max(LEAST_WINDOW, side * tile / LONG_SIDE_PX)
    columns = _cuts(float(low[0]), float(high[0]), window, OVERLAP_TILES * tile)
    rows = _cuts(float(low[1]), float(high[1]), window, OVERLAP_TILES * tile)
    boxes = [(x1, y1, x2, y2) for y1, y2 in rows for x1, x2 in columns]
    # Counted in cells: clipping one polygon by another fails where their edges nearly meet.
    cells = np.zeros((int(height) // CELL + 1, int(width) // CELL + 1), np.uint8)
    cv2.fillConvexPoly(cells, np.round(outline / CELL).astype(np.int32), 1)
    return [box for box in boxes if _cells_in(cells, box) * CELL**2 > LEAST_PART * window**2]


def _cells_in(cells: np.ndarray, box: Box) -> int:
    x1, y1, x2, y2 = (round(value / CELL) for value in box)
    return int(cells[y1:y2, x1:x2].sum())


def _tile_px(size: tuple[int, int], placement: Placement) -> float:
    """Longer side of a small tile on this table, in pixels."""
    plane = placement.plane(*size)
    unit = placement.tile
    spots = np.array([(0, 0.7), (0, 0), (-0.6, 0.3), (0.6, 0.3), (0, -0.6)])
    boxes = [plane.box_of(np.array([x, y, 0]), (unit, 1.36 * unit, 0)) for x, y in spots]
    longer = sorted(float(max(b[2] - b[0], b[3] - b[1])) for b in boxes)
    return longer[1]


def _cuts(start: float, end: float, window: float, overlap: float) -> list[tuple[float, float]]:
    length = end - start
    if length <= window:
        return [(start, end)]
    count = int(np.ceil((length - overlap) / (window - overlap)))
    step = (length - overlap) / count
    return [(start + k * step, start + k * step + step + overlap) for k in range(count)]
