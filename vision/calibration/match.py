"""A face against the set's own pictures, laid on each other stroke by stroke.

The outline of a face is never exact, and a few pixels of shift undo any comparison. So each of the
set's pictures is first slid over the flat face in a few sizes and the four quarter turns, all at
once by one product at a low resolution, and the best ones are then fitted more closely: eight
numbers (shift, size, shear, perspective) by Gauss-Newton steps on the normalised correlation, held
near the outline by a prior (as in Lucas and Kanade's alignment, 1981; correlation as in Evangelidis
and Psarakis, 2008). What is compared is the logarithm of the brightness less its surroundings, so
neither the light nor the paint's strength counts. Nothing here depends on the classifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.calibration.examples import Example
from vision.calibration.outline import believable
from vision.opencv import cv2
from vision.values import FACES

# The face's pictures: width, height, and the rim that is left out (the tile's edge is no print).
WIDE, HIGH, RIM_X, RIM_Y = 36, 48, 5, 6
_COARSE_WIDE, _COARSE_HIGH, _COARSE_X, _COARSE_Y, _SLIDE = 24, 32, 3, 4, 4
_SIZES = (1.0, 0.88, 1.12)
# Strokes are what differs from its surroundings within this share of the face's height.
_STROKE, _DARKEST = 0.035, 12.0
_MOST_CONTRAST = 2.5  # of the set's middle contrast: glints and edges count no more than that
_BLANK = 0.35  # of the set's middle contrast: a face with less print has nothing to compare
# A poor fit (correlation about 0.5) is what a blank face gets from any other.
BLANK_SAYS = 8.0
# Standard deviations of what the outline leaves open: shifts, size and shear, perspective; in half
# faces. As many pixels of a face as this are independent of each other.
_OPEN = np.array([0.1, 0.1, 0.08, 0.1, 0.1, 0.08, 0.06, 0.06])
_TIES = 1 / _OPEN**2
_INDEPENDENT = 60.0
TRIES = 12
_STEPS, _LONGEST_STEP = 8, 0.12
_LOST = 0.15  # of the correlation: what a coarse fit that was not followed up may be too good
MOST_SAID = 30.0
"""The most that fits can say against a kind, natural logarithm of a likelihood ratio."""

_TO_UNIT = np.array([[2 / WIDE, 0, 1 / WIDE - 1], [0, 2 / HIGH, 1 / HIGH - 1], [0, 0, 1]])
_FROM_UNIT = np.linalg.inv(_TO_UNIT)
_INNER = (slice(RIM_Y, HIGH - RIM_Y), slice(RIM_X, WIDE - RIM_X))
_HOW = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


@dataclass(frozen=True, eq=False)
class Pictures:
    """A set's pictures, ready to be compared; m of them.

    Attributes:
        kinds: Class index of each.
        contrast: Middle contrast of the set's prints.
        fine: m x pixels, each of mean 0 and length 1.
        slopes: m x pixels x 8: how it changes with shift, size, shear and perspective.
        coarse: m x fewer pixels, likewise normalised.
        blank: Class indices of faces with no print.
    """

    kinds: np.ndarray
    contrast: float
    fine: np.ndarray
    slopes: np.ndarray
    coarse: np.ndarray
    blank: tuple[int, ...]

    def compare(self, crops: np.ndarray, outlines: np.ndarray) -> np.ndarray:
        """How well each kind's picture fits each face: n x 34, at least 0.

        In natural logarithms of likelihood ratios, against no likeness at all.

        Args:
            crops: n x side x side x 3, BGR.
            outlines: n x 4 x 2, the faces' corners, shares of the side.
        """
        said = self.printed(crops, outlines)
        said[:, list(self.blank)] = BLANK_SAYS
        return said

    def printed(self, crops: np.ndarray, outlines: np.ndarray, tries: int = TRIES) -> np.ndarray:
        """`compare` with 0 for blank faces.

        Args:
            crops: As there.
            outlines: As there.
            tries: How many of the pictures and turns are fitted closely, the likeliest first.
        """
        said = np.zeros((len(crops), len(FACES)))
        for row, (crop, outline) in enumerate(zip(crops, outlines, strict=True)):
            self._compare(crop, believable(outline) * crop.shape[0] - 0.5, said[row], tries)
        return said

    def _compare(self, crop: np.ndarray, corners: np.ndarray, said: np.ndarray, tries: int) -> None:
        """Fill one row of `printed`."""
        height = 1.15 * float(np.sqrt(cv2.contourArea(np.asarray(corners, np.float32))))
        strokes = self._strokes(crop, height)
        coarse = cv2.GaussianBlur(strokes, (0, 0), max(height / HIGH, 0.5))
        alike, changes = self._slid(coarse, corners)
        best = np.asarray(_said(np.maximum(alike - _LOST, 0)))
        np.maximum.at(said, self.kinds, best.max(axis=0))
        fine = cv2.GaussianBlur(strokes, (0, 0), max(0.5 * height / HIGH, 0.3))
        turns, numbers = np.unravel_index(
            np.argsort(-alike, axis=None, kind="stable")[:tries], alike.shape
        )
        for turn, number in zip(turns, numbers, strict=True):
            flat = cv2.getPerspectiveTransform(_frame(WIDE, HIGH), _rolled(corners, int(turn)))
            found = self._fitted(fine, flat, int(number), changes[turn, number])
            kind = self.kinds[number]
            said[kind] = max(said[kind], found)

    def _strokes(self, crop: np.ndarray, height: float) -> np.ndarray:
        most = _MOST_CONTRAST * self.contrast
        return np.asarray(np.clip(_strokes(crop, height), -most, most))

    def _slid(self, strokes: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The best place of each picture in each turn: correlations 4 x m, changes 4 x m x 8."""
        wide, high = _COARSE_WIDE, _COARSE_HIGH
        inner = (high - 2 * _COARSE_Y, wide - 2 * _COARSE_X)
        rows = slice(_COARSE_Y, _COARSE_Y + 2 * _SLIDE + 1)
        columns = slice(_COARSE_X, _COARSE_X + 2 * _SLIDE + 1)
        best = np.full((4, len(self.kinds)), -1.0)
        change = np.zeros((4, len(self.kinds), 8))
        for turn in range(4):
            flat = cv2.getPerspectiveTransform(_frame(wide, high), _rolled(corners, turn))
            for size in _SIZES:
                middle = np.array([wide, high]) / 2 - 0.5
                start = middle - size * (middle + _SLIDE)
                grown = flat @ np.array([[size, 0, start[0]], [0, size, start[1]], [0, 0, 1]])
                face = _warped(strokes, grown, wide + 2 * _SLIDE, high + 2 * _SLIDE)
                seen = np.lib.stride_tricks.sliding_window_view(face, inner)[rows, columns]
                fit = _unit(seen.reshape(-1, inner[0] * inner[1])) @ self.coarse.T
                place = fit.argmax(axis=0)
                found = fit[place, np.arange(fit.shape[1])]
                down, right = np.divmod(place, 2 * _SLIDE + 1)
                here = np.zeros((len(found), 8))
                here[:, 0] = (right - _SLIDE) * size * 2 / wide
                here[:, 1] = (down - _SLIDE) * size * 2 / high
                here[:, 2] = here[:, 5] = size - 1
                better = found > best[turn]
                best[turn][better], change[turn][better] = found[better], here[better]
        return best, change

    def _fitted(
        self, strokes: np.ndarray, flat: np.ndarray, number: int, change: np.ndarray
    ) -> float:
        """What the closest fit of one picture says for its kind, from a first place on."""
        picture, slopes = self.fine[number], self.slopes[number]
        pull = slopes.T @ slopes
        best = -np.inf
        for step in range(_STEPS + 1):
            seen = _warped(strokes, flat @ _FROM_UNIT @ _changed(change) @ _TO_UNIT, WIDE, HIGH)
            face = _unit(seen[_INNER].reshape(1, -1))[0]
            alike = float(face @ picture)
            said = float(_said(max(alike, 0.0))) - 0.5 * float((_TIES * change**2).sum())
            if step > 3 and said < best - 0.5:
                break
            best = max(best, said)
            weight = _INDEPENDENT / max(1 - max(alike, 0.0) ** 2, 0.15)
            off = face / max(alike, 0.3) - picture
            move = np.linalg.solve(
                pull * weight + np.diag(_TIES), slopes.T @ off * weight + _TIES * change
            )
            change = change - np.clip(move, -_LONGEST_STEP, _LONGEST_STEP)
        return best


def against_best(said: np.ndarray) -> np.ndarray:
    """`Pictures.compare` against the best kind of each face: `-MOST_SAID` to 0."""
    return np.asarray(np.maximum(said - said.max(axis=1, keepdims=True), -MOST_SAID))


def pictures_of(examples: Sequence[Example]) -> Pictures | None:
    """The pictures of a set's faces, of each kind the one seen largest; None when there is none."""
    largest: dict[str, Example] = {}
    for example in examples:
        known = largest.get(example.tile)
        if example.tile in FACES and (known is None or example.side > known.side):
            largest[example.tile] = example
    if not largest:
        return None
    drawn = {
        FACES.index(tile): cv2.resize(
            _strokes(e.patch.tile, e.patch.tile.shape[0]),
            (WIDE, HIGH),
            interpolation=cv2.INTER_AREA,
        )
        for tile, e in largest.items()
    }
    print_of = {kind: float(face[_INNER].std()) for kind, face in drawn.items()}
    contrast = max(float(np.median(list(print_of.values()))), 1e-3)
    most = _MOST_CONTRAST * contrast
    kinds = [k for k in drawn if print_of[k] >= _BLANK * contrast]
    prepared = [_prepared(np.clip(drawn[k], -most, most)) for k in kinds]
    return Pictures(
        np.array(kinds),
        contrast,
        np.stack([fine for fine, _, _ in prepared]),
        np.stack([slopes for _, slopes, _ in prepared]),
        np.stack([coarse for _, _, coarse in prepared]),
        tuple(k for k in drawn if k not in kinds),
    )


def _prepared(face: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A picture normalised, how it changes, and its coarse version."""
    smooth = cv2.GaussianBlur(face, (0, 0), 0.8)
    down, right = np.gradient(smooth)
    print_ = smooth[_INNER].ravel()
    length = float(np.linalg.norm(print_ - print_.mean())) + 1e-6
    across, along = (
        right[_INNER].ravel() * WIDE / 2 / length,
        down[_INNER].ravel() * HIGH / 2 / length,
    )
    rows, columns = np.mgrid[0:HIGH, 0:WIDE]
    x = ((columns + 0.5) / WIDE * 2 - 1)[_INNER].ravel()
    y = ((rows + 0.5) / HIGH * 2 - 1)[_INNER].ravel()
    outward = across * x + along * y
    slopes = np.stack(
        [across, along, across * x, across * y, along * x, along * y, outward * x, outward * y], 1
    )
    fine = _unit(print_[None])[0]
    slopes -= slopes.mean(axis=0)
    slopes -= np.outer(fine, fine @ slopes)
    small = cv2.resize(
        cv2.GaussianBlur(face, (0, 0), 1.2), (_COARSE_WIDE, _COARSE_HIGH),
        interpolation=cv2.INTER_AREA,
    )  # fmt: skip
    inner = small[_COARSE_Y : _COARSE_HIGH - _COARSE_Y, _COARSE_X : _COARSE_WIDE - _COARSE_X]
    return fine, np.asarray(slopes, np.float32), _unit(inner.reshape(1, -1))[0]


def _strokes(picture: np.ndarray, height: float) -> np.ndarray:
    """Logarithm of the brightness, less its surroundings."""
    grey = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2GRAY)
    bright = np.log(grey.astype(np.float32) + _DARKEST)
    return np.asarray(bright - cv2.GaussianBlur(bright, (0, 0), max(height * _STROKE, 1.0)))


def _changed(change: np.ndarray) -> np.ndarray:
    """The homography of eight numbers, in half faces from the middle."""
    right, down, wide, lean, slant, high, first, second = change
    return np.array([[1 + wide, lean, right], [slant, 1 + high, down], [-first, -second, 1]])


def _said(alike: np.ndarray | float) -> np.ndarray:
    """Log likelihood of a correlation of so many independent pixels, against none."""
    return np.asarray(-0.5 * _INDEPENDENT * np.log(1 - np.minimum(alike, 0.98) ** 2))


def _warped(picture: np.ndarray, how: np.ndarray, wide: int, high: int) -> np.ndarray:
    return np.asarray(
        cv2.warpPerspective(picture, how, (wide, high), flags=_HOW, borderMode=cv2.BORDER_REPLICATE)
    )


def _frame(wide: int, high: int) -> np.ndarray:
    return np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5


def _rolled(corners: np.ndarray, turn: int) -> np.ndarray:
    return np.asarray(np.roll(corners, -turn, axis=0), np.float32)


def _unit(rows: np.ndarray) -> np.ndarray:
    centred = rows - rows.mean(axis=-1, keepdims=True)
    return np.asarray(centred / np.sqrt((centred**2).sum(axis=-1, keepdims=True) + 1e-6))
