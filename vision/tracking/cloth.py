"""The colours of the table itself: a place that shows them and nothing else is empty.

Skin, sleeves and other tiles differ from the cloth; so a tile that a hand covers is not gone.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.opencv import cv2

BINS = (24, 32, 32)
FADE = 0.7
# The table's colours are the commonest ones that make up this share of what is no tile; the rest
# are things that were not found. A colour this common is the table's anyway.
COMMON_SHARE, LEAST_SHARE = 0.94, 0.01
EMPTY_SHARE = 0.72
SHRINK = 0.15
SAMPLE_WIDTH = 320

Box = tuple[float, float, float, float]


class Cloth:
    """Learns the table's colours from where no tile lies."""

    def __init__(self, common: float = COMMON_SHARE, always: float = LEAST_SHARE) -> None:
        """Nothing known yet: no place is empty.

        Args:
            common: The commonest colours that make up this share of what is no tile are the
                table's.
            always: So is a colour that makes up this share by itself.
        """
        self._share: np.ndarray | None = None
        self._common, self._always = common, always

    @property
    def known(self) -> bool:
        """Whether any colour of the table is known."""
        return self._share is not None

    @staticmethod
    def first(pixels: np.ndarray, part: Box, common: float) -> Cloth:
        """What the colours may be by one look, things that lie there not yet left out.

        Args:
            pixels: The frame, BGR.
            part: The part of it to look at.
            common: See `Cloth`; no rarer colour counts.
        """
        cloth = Cloth(common, always=1.0)
        x1, y1, x2, y2 = part
        cloth.learn(pixels, np.array([(x1, y1), (x2, y1), (x2, y2), (x1, y2)], float), ())
        return cloth

    def learn(self, pixels: np.ndarray, outline: np.ndarray, covered: Iterable[Box]) -> None:
        """Look at the table between the things on it.

        Args:
            pixels: The frame, BGR.
            outline: n x 2 corners of the table in pixels.
            covered: Boxes of tiles, and of whatever moves.
        """
        scale = min(1.0, SAMPLE_WIDTH / pixels.shape[1])
        small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        mask = np.zeros(small.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline * scale).astype(np.int32), 255)
        for box in covered:
            x1, y1, x2, y2 = (value * scale for value in box)
            mask[max(0, int(y1) - 1) : int(y2) + 2, max(0, int(x1) - 1) : int(x2) + 2] = 0
        if int((mask > 0).sum()) < 200:
            return
        counts = cv2.calcHist([_lab(small)], [0, 1, 2], mask, BINS, [0, 256] * 3)
        share = np.asarray(counts / max(float(counts.sum()), 1.0))
        self._share = share if self._share is None else FADE * self._share + (1 - FADE) * share

    def is_empty(self, pixels: np.ndarray, box: Box) -> bool:
        """Whether a place shows the table alone."""
        if self._share is None:
            return False
        x1, y1, x2, y2 = box
        dx, dy = SHRINK * (x2 - x1), SHRINK * (y2 - y1)
        rows = slice(max(0, int(y1 + dy)), max(0, int(np.ceil(y2 - dy))))
        columns = slice(max(0, int(x1 + dx)), max(0, int(np.ceil(x2 - dx))))
        patch = pixels[rows, columns]
        if not patch.size:
            return False
        return float(self.shows(np.ascontiguousarray(patch), self._known(1)).mean()) >= EMPTY_SHARE

    def things(self, pixels: np.ndarray) -> list[np.ndarray]:
        """Where something lies on the table, as bool masks: by colour alone, by lightness too.

        Empty while the table's colours are not known.
        """
        if self._share is None:
            return []
        anything = np.broadcast_to(self._known(0).any(axis=0), BINS)
        return [~self.shows(pixels, known) for known in (anything, self._known(1))]

    def shows(self, pixels: np.ndarray, known: np.ndarray) -> np.ndarray:
        """Which of `pixels` (BGR) have one of the colours `known` (bool, `BINS`)."""
        lab = _lab(cv2.GaussianBlur(pixels, (0, 0), 0.8))
        bins = [(lab[..., k].astype(np.intp) * BINS[k]) >> 8 for k in range(3)]
        return np.asarray(known[bins[0], bins[1], bins[2]])

    def _known(self, lighter: int) -> np.ndarray:
        """The table's colours; light and shadow move lightness by `lighter` bins, colour stays."""
        assert self._share is not None
        shares = np.sort(self._share, axis=None)[::-1]
        rank = int(np.searchsorted(np.cumsum(shares), self._common))
        least = min(max(float(shares[min(rank, len(shares) - 1)]), 1e-6), self._always)
        known = (self._share >= least).astype(np.uint8).reshape(BINS[0], -1)
        kernel = np.ones((2 * lighter + 1, 1), np.uint8)
        return np.asarray(cv2.dilate(known, kernel).reshape(BINS) > 0)


def _lab(pixels: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB))
