"""Where and when pixels change, at little cost: a grey difference on a small picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.opencv import cv2

WIDTH = 240
# Grey levels out of 255 by which a cell differs once something really moved there.
LEAST_STEP = 9.0
LEAST_COMPANY = 3.0
# The picture that cells are compared with follows slow changes of light at this rate a second.
FOLLOW_RATE = 0.5
SETTLE_S = 0.25
# Grey levels of what tells how the light changed, and the share of the picture that must be so.
DARK, WHITE, LEAST_LIT = 24.0, 255.0, 0.1
GREAT_SHARE = 0.25
# Blocks down and across, and the share of a block's cells from which on it has changed.
BLOCKS, LEAST_IN_BLOCK = (6, 8), 0.02


@dataclass(frozen=True, eq=False)
class Motion:
    """What moved in one frame.

    Attributes:
        moving: Cells (h x w bool) in which something changed within the last `SETTLE_S`.
        changed: Cells that differ in this very frame.
        scale: Pixels a cell, across.
        share: Share of the cells that differ in this frame.
    """

    moving: np.ndarray
    changed: np.ndarray
    scale: float
    share: float

    @cached_property
    def spread(self) -> float:
        """Share of the picture's blocks in which something differs in this frame.

        An arm fills a corner of the picture; a camera that is pushed changes it everywhere.
        """
        rows, columns = (
            side // count for side, count in zip(self.changed.shape, BLOCKS, strict=True)
        )
        if not rows or not columns:
            return float(self.changed.any())
        whole = self.changed[: rows * BLOCKS[0], : columns * BLOCKS[1]]
        shares = whole.reshape(BLOCKS[0], rows, BLOCKS[1], columns).mean(axis=(1, 3))
        return float((shares > LEAST_IN_BLOCK).mean())

    @property
    def any(self) -> bool:
        """Whether anything moves."""
        return bool(self.moving.any())

    def within(self, box: tuple[float, float, float, float]) -> float:
        """Share of the cells of a box (pixels) in which something moves."""
        cells = self._cells(self.moving, box)
        return float(cells.mean()) if cells.size else 0.0

    def _cells(self, which: np.ndarray, box: tuple[float, float, float, float]) -> np.ndarray:
        return which[cells_of(box, self.scale, which.shape)]


def cells_of(
    box: tuple[float, float, float, float], scale: float, shape: tuple[int, ...]
) -> tuple[slice, slice]:
    """The cells that a box of pixels touches, as slices of rows and columns; never empty ones."""
    x1, y1, x2, y2 = (value / scale for value in box)
    top = int(np.clip(np.floor(y1), 0, shape[0] - 1))
    left = int(np.clip(np.floor(x1), 0, shape[1] - 1))
    bottom = int(np.clip(np.ceil(y2), top + 1, shape[0]))
    right = int(np.clip(np.ceil(x2), left + 1, shape[1]))
    return slice(top, bottom), slice(left, right)


def _in_company(cells: np.ndarray) -> np.ndarray:
    """Without lone cells: compression and noise flicker in them, things are larger."""
    around = cv2.boxFilter(cells.astype(np.float32), -1, (3, 3), normalize=False)
    return np.asarray(cells & (around >= LEAST_COMPANY))


def _in_this_light(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """What was seen before, in the light of now: brighter light makes everything brighter by the
    same factor, up to white."""
    lit = before > DARK
    if lit.mean() < LEAST_LIT:
        return np.asarray(before + float(np.median(now - before)))
    gain = float(np.median(now[lit] / before[lit]))
    expected = np.minimum(before * gain, WHITE)
    return np.asarray(expected + float(np.median(now - expected)))


class ChangeDetector:
    """Compares each frame with what was there before.

    A change of the whole picture's brightness (a lamp, an exposure, a cloud) is taken out first,
    and slow changes are followed, so that they count as no motion.
    """

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._before: np.ndarray | None = None
        self._last_change: np.ndarray | None = None
        self._at = 0.0

    def reset(self) -> None:
        """Forget what was seen: the next frame is the first."""
        self._before = None

    def moved_within(self, seconds: float, at: float) -> np.ndarray:
        """The cells (h x w bool) in which something changed in the `seconds` before `at`."""
        assert self._last_change is not None
        return np.asarray(at - self._last_change < seconds)

    def look(self, pixels: np.ndarray, at: float) -> Motion:
        """What moved up to this frame.

        Args:
            pixels: BGR, always the same size; another size starts anew.
            at: Monotonic seconds. A clock that jumped back counts as no time passed.
        """
        height, width = pixels.shape[:2]
        scale = width / WIDTH
        size = (WIDTH, max(1, round(height / scale)))
        small = cv2.cvtColor(
            cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
        ).astype(np.float32)
        before, last = self._before, self._last_change
        if before is None or last is None or before.shape != small.shape:
            self._before = small
            self._last_change = np.full(small.shape, -np.inf)
            self._at = at
            nothing = np.zeros(small.shape, bool)
            return Motion(nothing, nothing, scale, 0.0)
        passed = max(0.0, at - self._at)
        if at < self._at:
            last[:] = np.minimum(last, at)
        self._at = at
        expected = _in_this_light(before, small)
        changed = _in_company(np.abs(small - expected) > LEAST_STEP)
        last[changed] = at
        follow = min(1.0, FOLLOW_RATE * passed)
        self._before = np.where(changed, small, expected + follow * (small - expected))
        return Motion(at - last < SETTLE_S, changed, scale, float(changed.mean()))
