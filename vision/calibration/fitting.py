"""One picture laid on a face as closely as it goes.

Eight numbers (shift, size, shear, perspective) are found by Gauss-Newton steps on the normalised
correlation, held near where they start by a prior (as in Lucas and Kanade's alignment, 1981;
correlation as in Evangelidis and Psarakis, 2008): first on strokes that are blurred, which find
their like from afar, then on fine ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.opencv import cv2

# The face's pictures: width, height, and the rim that is left out (the tile's edge is no print).
WIDE, HIGH, RIM_X, RIM_Y = 36, 48, 5, 6
INNER = (slice(RIM_Y, HIGH - RIM_Y), slice(RIM_X, WIDE - RIM_X))
_DARKEST = 12.0
# No stroke is stronger than this many times nearly all strokes of nearly all kinds (per cent); and
# a surrounding of which less than this share is print is none.
_STRONGER, _NEARLY_ALL, _MOST_KINDS, _LEAST_SHARE = 1.5, 99, 90, 0.05
_MOST_CONTRAST = 2.5  # of the set's middle contrast: glints and edges count no more than that
# Standard deviations of what the start leaves open: shifts, size and shear, perspective; in half
# faces. As many pixels of a face as this are independent of each other.
_OPEN = np.array([0.1, 0.1, 0.08, 0.1, 0.1, 0.08, 0.06, 0.06])
_TIES = 1 / _OPEN**2
_INDEPENDENT = 60.0
_STEPS, _LONGEST_STEP = 8, 0.12
_LED_STEPS = 5
_MOST_ALIKE = 0.98

_TO_UNIT = np.array([[2 / WIDE, 0, 1 / WIDE - 1], [0, 2 / HIGH, 1 / HIGH - 1], [0, 0, 1]])
_FROM_UNIT = np.linalg.inv(_TO_UNIT)
_HOW = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


@dataclass(frozen=True)
class Ink:
    """How a set's prints differ from their surroundings, natural logarithms of brightness.

    Attributes:
        contrast: The middle face's standard deviation.
        most: What is more than this is no print.
    """

    contrast: float
    most: float

    @classmethod
    def of(cls, prints: list[np.ndarray]) -> Ink:
        """Of a set's strokes."""
        inner = [face[INNER] for face in prints]
        strongest = [np.percentile(np.abs(face), _NEARLY_ALL) for face in inner]
        return cls(
            max(float(np.median([face.std() for face in inner])), 1e-3),
            _STRONGER * max(float(np.percentile(strongest, _MOST_KINDS)), 1e-3),
        )


@dataclass(frozen=True)
class Fineness:
    """What counts as a stroke: shares of the face's height.

    Attributes:
        blur: How far the picture is blurred.
        around: Strokes are what differs from its surroundings within this.
    """

    blur: float
    around: float

    def strokes(self, picture: np.ndarray, height: float, ink: Ink | None = None) -> np.ndarray:
        """Logarithm of the brightness, less its surroundings.

        Args:
            picture: BGR.
            height: Of the face in it, pixels.
            ink: What print there may be; None: whatever there is.
        """
        grey = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2GRAY)
        bright = np.log(grey.astype(np.float32) + _DARKEST)
        around = max(height * self.around, 1.0)
        found = bright - cv2.GaussianBlur(bright, (0, 0), around)
        if ink is not None:
            # The edge of a tile or the gap beside it is far stronger than the print of a worn set,
            # and shines into its surroundings: it is left out, and the rest compared with the rest.
            print_ = (np.abs(found) <= ink.most).astype(np.float32)
            share = np.maximum(cv2.GaussianBlur(print_, (0, 0), around), _LEAST_SHARE)
            found = (bright - cv2.GaussianBlur(bright * print_, (0, 0), around) / share) * print_
            most = _MOST_CONTRAST * ink.contrast
            found = np.clip(found, -most, most)
        return np.asarray(cv2.GaussianBlur(found, (0, 0), max(height * self.blur, 0.3)))


FINE, SOFT = Fineness(0.0104, 0.035), Fineness(0.045, 0.12)


@dataclass(frozen=True, eq=False)
class Level:
    """A set's m pictures at one fineness.

    Attributes:
        fineness: Which.
        ink: Of the set's prints.
        pictures: m x pixels, each of mean 0 and length 1.
        slopes: m x pixels x 8: how it changes with shift, size, shear and perspective.
    """

    fineness: Fineness
    ink: Ink
    pictures: np.ndarray
    slopes: np.ndarray

    @classmethod
    def of(cls, fineness: Fineness, faces: list[np.ndarray]) -> Level:
        """The level of faces seen from straight above, BGR."""
        ink = Ink.of([printed(face, fineness) for face in faces])
        prepared = [_prepared(printed(face, fineness, ink)) for face in faces]
        return cls(
            fineness,
            ink,
            np.stack([picture for picture, _ in prepared]),
            np.stack([slopes for _, slopes in prepared]),
        )

    def seen(self, crop: np.ndarray, height: float) -> np.ndarray:
        """The strokes of a crop with a face of about this height, pixels."""
        return self.fineness.strokes(crop, height, self.ink)

    def fitted(
        self, strokes: np.ndarray, flat: np.ndarray, number: int, change: np.ndarray, steps: int
    ) -> tuple[float, np.ndarray]:
        """The closest fit of one picture: what it says for its kind, and its change.

        Args:
            strokes: Of the crop.
            flat: 3 x 3, the picture's pixels to the crop's by where the face seems to lie.
            number: Which picture.
            change: Eight numbers to start from.
            steps: How many at most.
        """
        picture, slopes = self.pictures[number], self.slopes[number]
        kept = change
        pull = slopes.T @ slopes
        best = -np.inf
        for step in range(steps + 1):
            seen = warped(strokes, placed(flat, change), WIDE, HIGH)
            face = unit(seen[INNER].reshape(1, -1))[0]
            alike = float(face @ picture)
            said = float(said_flat(max(alike, 0.0))) - 0.5 * float((_TIES * change**2).sum())
            if step > 3 and said < best - 0.5:
                break
            if said > best:
                best, kept = said, change
            weight = _INDEPENDENT / max(1 - max(alike, 0.0) ** 2, 0.15)
            off = face / max(alike, 0.3) - picture
            move = np.linalg.solve(
                pull * weight + np.diag(_TIES), slopes.T @ off * weight + _TIES * change
            )
            change = change - np.clip(move, -_LONGEST_STEP, _LONGEST_STEP)
        return best, kept


def closest(
    fine: Level,
    soft: Level,
    strokes: tuple[np.ndarray, np.ndarray],
    flat: np.ndarray,
    number: int,
    change: np.ndarray,
) -> tuple[float, np.ndarray]:
    """The closest fit at the fine level, from the start given and from where blur leads.

    Args:
        fine: The fine level.
        soft: The blurred one.
        strokes: The crop's at both.
        flat: As for `Level.fitted`.
        number: Which picture.
        change: The start.
    """
    _, led = soft.fitted(strokes[1], flat, number, change, _LED_STEPS)
    here = fine.fitted(strokes[0], flat, number, change, 0)
    there = fine.fitted(strokes[0], flat, number, led, _STEPS)
    if there[0] >= here[0]:
        return there
    return max(there, fine.fitted(strokes[0], flat, number, change, _STEPS), key=lambda f: f[0])


def placed(flat: np.ndarray, change: np.ndarray) -> np.ndarray:
    """3 x 3, a picture's pixels to the crop's, once the eight numbers have changed it."""
    right, down, wide, lean, slant, high, first, second = change
    how = np.array([[1 + wide, lean, right], [slant, 1 + high, down], [-first, -second, 1]])
    return np.asarray(flat @ _FROM_UNIT @ how @ _TO_UNIT)


def said_flat(alike: np.ndarray | float) -> np.ndarray:
    """Log likelihood of a correlation of a face laid flat, against none."""
    return np.asarray(-0.5 * _INDEPENDENT * np.log(1 - np.minimum(alike, _MOST_ALIKE) ** 2))


def warped(picture: np.ndarray, how: np.ndarray, wide: int, high: int) -> np.ndarray:
    """What lies where: `how` takes the pixels of the result to the picture's."""
    return np.asarray(
        cv2.warpPerspective(picture, how, (wide, high), flags=_HOW, borderMode=cv2.BORDER_REPLICATE)
    )


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows of mean 0 and length 1."""
    centred = rows - rows.mean(axis=-1, keepdims=True)
    return np.asarray(centred / np.sqrt((centred**2).sum(axis=-1, keepdims=True) + 1e-6))


def frame(wide: int, high: int) -> np.ndarray:
    """The corners of a picture, clockwise from the top left."""
    return np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5


def printed(face: np.ndarray, fineness: Fineness, ink: Ink | None = None) -> np.ndarray:
    """The strokes of a face seen from straight above, BGR, as a picture to be compared."""
    strokes = fineness.strokes(face, face.shape[0], ink)
    return np.asarray(cv2.resize(strokes, (WIDE, HIGH), interpolation=cv2.INTER_AREA))


def _prepared(face: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A picture normalised, and how it changes."""
    smooth = cv2.GaussianBlur(face, (0, 0), 0.8)
    down, right = np.gradient(smooth)
    print_ = smooth[INNER].ravel()
    length = float(np.linalg.norm(print_ - print_.mean())) + 1e-6
    across = right[INNER].ravel() * WIDE / 2 / length
    along = down[INNER].ravel() * HIGH / 2 / length
    rows, columns = np.mgrid[0:HIGH, 0:WIDE]
    x = ((columns + 0.5) / WIDE * 2 - 1)[INNER].ravel()
    y = ((rows + 0.5) / HIGH * 2 - 1)[INNER].ravel()
    outward = across * x + along * y
    slopes = np.stack(
        [across, along, across * x, across * y, along * x, along * y, outward * x, outward * y], 1
    )
    fine = unit(print_[None])[0]
    slopes -= slopes.mean(axis=0)
    slopes -= np.outer(fine, fine @ slopes)
    return fine, np.asarray(slopes, np.float32)
