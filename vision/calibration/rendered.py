"""A set's picture drawn into the photo: as small, as slanted and as blurred as the face there.

To compare a face with the set's pictures it may be laid flat, but a face of a dozen pixels, or one
seen from low down, is then mostly what the enlarging made up. So the other way round: once it is
known where the picture lies on the face, it is drawn there at the photo's own resolution, blurred
by a few amounts, and correlated with what is seen: brightness, and the two colours against green,
each in logarithms and less its surroundings. How much a correlation says depends on how many pixels
there are to agree, so a small or blurred face says little, as it should. Nothing here depends on
the classifier.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.opencv import cv2

# The pictures drawn: width, height, and the rim that is left out (the tile's edge is no print).
WIDE, HIGH, _RIM = 72, 96, 8
_DARKEST = 12.0
# Sides of the square that is compared; a photo's own pixels where there are fewer.
_LEAST, _MOST = 24, 64
# Amounts of blur, pixels; each at most this share of the face's size.
_BLURS, _MOST_BLUR = (0.0, 1.0, 1.8, 3.0), 0.12
_SURROUNDINGS, _NEAREST = 0.08, 1.2  # share of the face's size, and pixels at least
# Blurred by a camera and its coding already before more is tried.
_OWN_BLUR = 0.8
# Of the pixels that blur leaves independent, so many speak for themselves: outlines and light are
# never exact. Colours are coded at half the resolution, so they have a quarter.
_SPEAK, _MOST_SPEAK, _COLOUR = 0.5, 125.0, 0.25
_LEAST_PIXELS = 12
# No print is stronger than so many times the picture's strongest stroke, or the middle noise.
_STRONGER, _NOISE = 1.5, 4.0
_LEAST_SHARE = 0.05
_MOST_ALIKE = 0.98


@dataclass(frozen=True, eq=False)
class Seen:
    """A tile's crop, ready for pictures to be drawn into it.

    Attributes:
        channels: side x side x 3.
        scale: Of its side to the crop's.
        shows: side x side booleans, which pixels are the photo's; None: all.
    """

    channels: np.ndarray
    scale: float
    shows: np.ndarray | None = None

    @classmethod
    def of(cls, crop: np.ndarray, pixels: float, shows: np.ndarray | None = None) -> Seen:
        """The crop at the resolution of its photo.

        Args:
            crop: side x side x 3, BGR.
            pixels: How many of the photo's pixels its side shows.
            shows: Which of its pixels are the photo's, where the border cuts it.
        """
        side = round(min(max(min(pixels, crop.shape[0]), _LEAST), _MOST))
        if shows is not None:
            shows = _sized(shows.astype(np.float32), side) > 0.5
        return cls(channels_of(_sized(crop, side)), side / crop.shape[0], shows)

    def likeness(self, picture: np.ndarray, how: np.ndarray) -> tuple[float, float]:
        """How well a picture fits what is seen.

        Args:
            picture: As `to_be_drawn` makes it.
            how: 3 x 3, its pixels to the crop's.

        Returns:
            What speaks for it, the natural logarithm of a likelihood ratio against no likeness;
            and how many pixels spoke.
        """
        drawn, inside = self._drawn(picture, how)
        count = int(inside.sum())
        if count < _LEAST_PIXELS:
            return 0.0, 0.0
        size = float(np.sqrt(count))
        best = (0.0, 0.0)
        for blur in _BLURS:
            if blur > _MOST_BLUR * size:
                break
            around = float(np.hypot(max(_SURROUNDINGS * size, _NEAREST), blur))
            seen, soft = self.channels, drawn
            if blur:  # what is blurred has no fine strokes: what is finer than that is noise
                soft = cv2.GaussianBlur(drawn, (0, 0), blur)
                seen = cv2.GaussianBlur(seen, (0, 0), blur / 2)
            soft = soft - cv2.GaussianBlur(soft, (0, 0), around)
            print_, where = _print_only(seen, inside, soft, around, self.shows)
            alike = _correlations(print_[where], soft[where])
            independent = int(where.sum()) / (2 * np.pi * (blur**2 + _OWN_BLUR**2))
            speak = min(_SPEAK * independent, _MOST_SPEAK)
            said = said_by(alike[:1], np.array([speak])) + _coloured(alike[1], speak)
            if said < best[0]:
                break  # it was sharper than that
            best = (said, speak)
        return best

    def _drawn(self, picture: np.ndarray, how: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The picture in the crop, and which of its pixels are within the face's rim."""
        side = self.channels.shape[0]
        fine = 2 if side > 2 * _LEAST else 4  # drawn finer and then made small: no jagged strokes
        grow = self.scale * fine
        into = np.array([[grow, 0, (grow - 1) / 2], [0, grow, (grow - 1) / 2], [0, 0, 1]]) @ how
        size = (side * fine, side * fine)
        large = cv2.warpPerspective(picture, into, size, borderMode=cv2.BORDER_REPLICATE)
        small = cv2.resize(large, (side, side), interpolation=cv2.INTER_AREA)
        inside = small[..., 3] > 0.5
        if self.shows is not None:
            inside &= self.shows
        return np.ascontiguousarray(small[..., :3]), inside


def to_be_drawn(face: np.ndarray, shows: np.ndarray) -> np.ndarray:
    """A picture to be drawn: `HIGH` x `WIDE` x 4, its channels and where it shows the face.

    Args:
        face: BGR, seen from straight above.
        shows: Mask of what is face.
    """
    channels = channels_of(cv2.resize(face, (WIDE, HIGH)))
    where = cv2.resize(shows.astype(np.float32), (WIDE, HIGH)) * _INSIDE
    return np.dstack([channels, where])


def channels_of(picture: np.ndarray) -> np.ndarray:
    """BGR to brightness and the two colours against green: logarithms, the same shape."""
    logs = np.log(picture.astype(np.float32) + _DARKEST)
    grey = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2GRAY).astype(np.float32)
    red, blue = logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]
    return np.dstack([np.log(grey + _DARKEST), red, blue])


def said_by(alike: np.ndarray, speak: np.ndarray) -> float:
    """Log likelihood of correlations of so many pixels, against none; unlikeness says nothing."""
    kept = np.clip(alike, 0, _MOST_ALIKE)
    return float((-0.5 * speak * np.log(1 - kept**2)).sum())


def _coloured(alike: float, speak: float) -> float:
    """What both colours together say: a picture in other colours is another one."""
    said = said_by(np.array([abs(alike)]), np.array([2 * _COLOUR * speak]))
    return said if alike > 0 else -said


def _print_only(
    seen: np.ndarray,
    inside: np.ndarray,
    drawn: np.ndarray,
    around: float,
    shows: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray]:
    """What is seen less its surroundings, without edges and glints; and where it may be print.

    They are far stronger than the picture's strokes and than the noise, and would shine into their
    surroundings.
    """
    strokes = seen - cv2.GaussianBlur(seen, (0, 0), around)
    middle = np.median(np.abs(strokes[inside]), axis=0)
    most = np.maximum(_STRONGER * np.abs(drawn[inside]).max(axis=0), _NOISE * middle)
    print_ = (np.abs(strokes) <= most).all(axis=2)
    if shows is not None:
        print_ &= shows
    if print_.all():
        return strokes, inside
    share = cv2.GaussianBlur(print_.astype(np.float32), (0, 0), around)[..., None]
    known = cv2.GaussianBlur(seen * print_[..., None], (0, 0), around)
    return seen - known / np.maximum(share, _LEAST_SHARE), inside & print_


def _correlations(seen: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Of brightness, and of both colours together: hue counts, and how much of it; n x 3 to 2."""
    if len(seen) < _LEAST_PIXELS:
        return np.zeros(2)
    seen, drawn = seen - seen.mean(axis=0), drawn - drawn.mean(axis=0)
    shared = (seen * drawn).sum(axis=0)
    own, other = (seen**2).sum(axis=0), (drawn**2).sum(axis=0)
    length = np.sqrt([own[0] * other[0], own[1:].sum() * other[1:].sum()])
    # Paint without colour, or a photo without: nothing to agree on.
    return np.asarray(np.array([shared[0], shared[1:].sum()]) / (length + 1e-2))


def _sized(crop: np.ndarray, side: int) -> np.ndarray:
    picture = np.ascontiguousarray(crop)
    if picture.shape[0] == side:
        return picture
    return np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA))


_INSIDE = np.zeros((HIGH, WIDE), np.float32)
_INSIDE[_RIM : HIGH - _RIM, _RIM * WIDE // HIGH : WIDE - _RIM * WIDE // HIGH] = 1
