"""A face against the set's own pictures, laid on each other stroke by stroke.

The outline of a face is never exact, and a few pixels of shift undo any comparison. So each of the
set's pictures is first slid over the flat face in a few sizes and the four quarter turns, all at
once by one product at a low resolution, and the best ones are then fitted more closely
(`fitting`). What is compared is the logarithm of the brightness less its surroundings, so neither
the light nor the paint's strength counts. Where each picture lies best, it is drawn into the crop
and compared once more, there (`rendered`); that says which kind it is. Where no picture fits well,
the outline may be wrong, and every way to lie that the box leaves open is tried (`poses`). Nothing
here depends on the classifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.calibration import rendered
from vision.calibration.border import UNSEEN, shown, whole_boxes
from vision.calibration.examples import Example
from vision.calibration.face import face_only
from vision.calibration.fitting import (
    FINE,
    HIGH,
    INNER,
    SOFT,
    WIDE,
    Ink,
    Level,
    closest,
    frame,
    placed,
    printed,
    said_flat,
    unit,
    warped,
)
from vision.calibration.outline import believable
from vision.calibration.poses import poses_in
from vision.calibration.rendered import Seen, said_by, to_be_drawn
from vision.calibration.tries import (
    DRAWN,
    WAYS_OF_BELIEVED,
    WAYS_OF_EACH,
    WAYS_OF_LIKELY,
    believed,
    promising,
    settled,
)
from vision.classifier import MARGIN
from vision.opencv import cv2
from vision.values import FACES

_COARSE_WIDE, _COARSE_HIGH, _COARSE_X, _COARSE_Y, _ROOM = 24, 32, 3, 4, 4
# How far pictures are slid (coarse pixels) and in which sizes, on an outline and on a pose.
_SLIDE, _SIZES = 4, (1.0, 0.88, 1.12)
_SLIDE_POSE, _SIZES_POSE = 2, (1.0,)
_BLANK = 0.35  # of the set's middle contrast: a face with less print has nothing to compare
BLANK_FITS = 0.6
"""The correlation that no print stands for: so well does a picture fit by chance where none is."""
# To tell whether a face is of the set at all: so many pictures and turns fitted, so many drawn.
_GLANCES, _DRAWN_AT_A_GLANCE = 6, 2
# What fits so much worse than the best (natural logarithm) need not be drawn for a second time.
_HOPELESS = 8.0
MOST_SAID = 30.0
"""The most that fits can say against a kind, natural logarithm of a likelihood ratio."""

_WHOLE = np.zeros(4, bool)
_FROM_DRAWN = np.diag([WIDE / rendered.WIDE, HIGH / rendered.HIGH, 1.0])
_FROM_DRAWN[:2, 2] = (np.diag(_FROM_DRAWN)[:2] - 1) / 2


@dataclass(frozen=True, eq=False)
class _Places:
    """Where each picture may lie: h ways to lie, m pictures.

    Attributes:
        fits: h x m, what the coarse fits say.
        changes: h x m x 8, from the way to lie to the best place.
        flat: h ways to lie: the fine picture's pixels to the crop's.
        strokes: h pairs: the crop's strokes, fine and soft.
        unlikely: h, how much less likely each way is than others.
    """

    fits: np.ndarray
    changes: np.ndarray
    flat: list[np.ndarray]
    strokes: list[tuple[np.ndarray, np.ndarray]]
    unlikely: np.ndarray


@dataclass(frozen=True, eq=False)
class Pictures:
    """A set's pictures, ready to be compared; m of them.

    Attributes:
        kinds: Class index of each.
        fine: Their fine strokes.
        soft: Their blurred ones.
        coarse: m x few pixels of the fine ones, each of mean 0 and length 1.
        drawn: m pictures to be drawn (`rendered.to_be_drawn`).
        aspect: A face's length in widths.
        blank: Class indices of faces with no print.
    """

    kinds: np.ndarray
    fine: Level
    soft: Level
    coarse: np.ndarray
    drawn: np.ndarray
    aspect: float
    blank: tuple[int, ...]

    def compare(
        self,
        crops: np.ndarray,
        outlines: np.ndarray,
        sizes: np.ndarray | None = None,
        answers: np.ndarray | None = None,
        cuts: np.ndarray | None = None,
        thorough: np.ndarray | None = None,
    ) -> np.ndarray:
        """How well each kind's picture fits each face: n x 34 + 1, at least 0.

        In natural logarithms of likelihood ratios, against no likeness at all. The last column is
        what a picture fits by chance where there is none of them, as on a back or a blank face.

        Args:
            crops: n x side x side x 3, BGR.
            outlines: n x 4 x 2, the faces' corners, shares of the side.
            sizes: n x 2, width and height of the boxes that were cut out, pixels of the photo;
                without them the outlines are believed, and the crops are as fine as they look.
            answers: n x at least 34; the likeliest kinds are tried in any case.
            cuts: n x 4, which sides of the boxes the photo's border cuts (`border`).
            thorough: n booleans, where every picture is tried as long as none fits.
        """
        said = np.zeros((len(crops), len(FACES) + 1))
        for row, (crop, outline) in enumerate(zip(crops, outlines, strict=True)):
            corners = believable(outline) * crop.shape[0] - 0.5
            size = None if sizes is None else sizes[row]
            likely = [] if answers is None else np.argsort(-answers[row, : len(FACES)])[:3].tolist()
            cut = None if cuts is None else cuts[row]
            every = thorough is not None and bool(thorough[row])
            self._compare(crop, corners, size, cut, likely, every, said[row])
        return said

    def likeness(self, crops: np.ndarray, outlines: np.ndarray) -> np.ndarray:
        """How well that of the set's pictures fits which fits best, by pixel: n, at least 0.

        The natural logarithm of a likelihood ratio: brightness that correlates by r adds
        -ln(1 - r^2) / 2, each colour up to a quarter of that. Faster than `compare`: only what
        looks best at first is followed up.

        Args:
            crops: n x side x side x 3, BGR.
            outlines: n x 4 x 2, the faces' corners, shares of the side.
        """
        found = np.zeros(len(crops))
        for row, (crop, outline) in enumerate(zip(crops, outlines, strict=True)):
            places = self._on_outline(crop, believable(outline) * crop.shape[0] - 0.5)
            order = np.argsort(-places.fits, axis=None, kind="stable")[:_GLANCES]
            tried = [np.unravel_index(at, places.fits.shape) for at in order]
            fitted = [(*self._fitted(places, int(w), int(n)), int(w), int(n)) for w, n in tried]
            fitted.sort(key=lambda one: -one[0])
            seen = Seen.of(crop, crop.shape[0])
            for _, change, way, number in fitted[:_DRAWN_AT_A_GLANCE]:
                how = placed(places.flat[way], change) @ _FROM_DRAWN
                said, spoke = seen.likeness(self.drawn[number], how)
                found[row] = max(found[row], said / max(spoke, 1.0))
        return found

    def _compare(
        self,
        crop: np.ndarray,
        corners: np.ndarray,
        size: np.ndarray | None,
        cut: np.ndarray | None,
        kinds: list[int],
        every: bool,
        said: np.ndarray,
    ) -> None:
        """Fill one row of `compare`; `kinds` are likely so far, the likeliest first."""
        likely = np.isin(self.kinds, kinds)
        side = float(crop.shape[0])
        pixels = side if size is None else MARGIN * float(size.max())
        cut = _WHOLE if cut is None or size is None else cut
        shows = None
        if size is not None and cut.any():
            shows = shown(crop.shape[0], size * (side / pixels), cut)
        seen = Seen.of(crop, pixels, shows)
        best, spoke = np.full(len(self.kinds), np.nan), np.zeros(len(self.kinds))
        places = self._on_outline(crop, corners)
        # What is believed already is looked at first, and mostly that is enough. Another name is
        # taken only when what is believed was laid wherever it may lie.
        first = np.isin(self.kinds, kinds[:1])
        self._drawn_in(seen, places, believed(places.fits, likely), best, spoke)
        if not settled(best, spoke, first):
            self._drawn_in(seen, places, promising(places.fits, likely), best, spoke)
        if size is not None and not settled(best, spoke, first):
            places = self._in_box(crop, size * (side / pixels), cut, shows)
            self._drawn_in(seen, places, promising(places.fits, likely), best, spoke)
            if first.any() and not first[np.nanargmax(best)]:
                ways = believed(places.fits, first, WAYS_OF_BELIEVED)[WAYS_OF_LIKELY:]
                self._drawn_in(seen, places, ways, best, spoke)
            if every and not settled(best, spoke):
                ways = believed(places.fits, np.ones(len(self.kinds), bool), WAYS_OF_EACH)
                self._drawn_in(seen, places, ways, best, spoke, DRAWN)
        # What was not even tried fits no better than the worst that was.
        said[self.kinds] = np.nan_to_num(best, nan=float(np.nanmin(best, initial=np.inf)))
        said[[*self.blank, -1]] = said_by(np.array([BLANK_FITS]), np.array([spoke.max()]))

    def _drawn_in(
        self,
        seen: Seen,
        places: _Places,
        tried: Sequence[tuple[int, int]],
        best: np.ndarray,
        spoke: np.ndarray,
        most: int | None = None,
    ) -> None:
        """Improve `best` (by picture, and how many pixels spoke) by drawing pictures in places.

        All that were `tried` are fitted; of these only the `most` that fit best are drawn.
        """
        fitted = [self._fitted(places, *one) for one in tried]
        least = max((said for said, _ in fitted), default=0.0) - _HOPELESS
        if most is not None and len(fitted) > most:
            least = max(least, sorted(said for said, _ in fitted)[-most])
        for (way, number), (said, change) in zip(tried, fitted, strict=True):
            if said < least and (most is not None or not np.isnan(best[number])):
                continue
            how = placed(places.flat[way], change) @ _FROM_DRAWN
            found, pixels = seen.likeness(self.drawn[number], how)
            found = max(found - places.unlikely[way], 0.0)
            if np.isnan(best[number]) or found > best[number]:
                best[number], spoke[number] = found, pixels

    def _on_outline(self, crop: np.ndarray, corners: np.ndarray) -> _Places:
        """Places on a face whose outline is known but for its turn."""
        outlines = np.stack([np.roll(corners, -turn, axis=0) for turn in range(4)])
        return self._slid(crop, outlines, np.zeros(4), _SIZES, _SLIDE)

    def _in_box(
        self, crop: np.ndarray, size: np.ndarray, cut: np.ndarray, shows: np.ndarray | None
    ) -> _Places:
        """Places in a box of which only width and height are known, pixels of the crop.

        Of one that the border cuts, `shows` says which pixels are the photo's.
        """
        outlines, unlikely = [], []
        for whole, off in whole_boxes(size, cut):
            poses = poses_in(float(whole[0]), float(whole[1]), self.aspect)
            upright = poses.outlines + crop.shape[0] / 2 - 0.5 + off
            outlines += [upright, np.roll(upright, -2, axis=1)]
            unlikely += [poses.unlikely + UNSEEN * bool(cut.any())] * 2
        both = np.concatenate(outlines), np.concatenate(unlikely)
        return self._slid(crop, *both, _SIZES_POSE, _SLIDE_POSE, shows)

    def _slid(
        self,
        crop: np.ndarray,
        outlines: np.ndarray,
        unlikely: np.ndarray,
        sizes: tuple[float, ...],
        reach: int,
        shows: np.ndarray | None = None,
    ) -> _Places:
        """The best place of each picture on each outline, corners in the order of the upright."""
        fits = np.zeros((len(outlines), len(self.kinds)))
        changes = np.zeros((len(outlines), len(self.kinds), 8))
        flat, strokes = [], []
        known: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        for way, corners in enumerate(np.asarray(outlines, np.float32)):
            height = 1.15 * float(np.sqrt(cv2.contourArea(corners)))
            about = round(4 * np.log2(max(height, 1.0)))
            if about not in known:
                high = 2 ** (about / 4)
                fine, soft = self.fine.seen(crop, high), self.soft.seen(crop, high)
                known[about] = (fine, soft) if shows is None else (fine * shows, soft * shows)
            coarse = cv2.GaussianBlur(known[about][0], (0, 0), max(height / HIGH, 0.5))
            alike, changes[way] = self._slid_on(coarse, corners, sizes, reach)
            fits[way] = said_flat(np.maximum(alike, 0)) - unlikely[way]
            flat.append(cv2.getPerspectiveTransform(frame(WIDE, HIGH), corners))
            strokes.append(known[about])
        return _Places(fits, changes, flat, strokes, unlikely)

    def _slid_on(
        self, strokes: np.ndarray, corners: np.ndarray, sizes: tuple[float, ...], reach: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """On one outline: correlations of the m pictures, and changes m x 8 to the best places."""
        wide, high = _COARSE_WIDE, _COARSE_HIGH
        inner = (high - 2 * _COARSE_Y, wide - 2 * _COARSE_X)
        rows = slice(_COARSE_Y + _ROOM - reach, _COARSE_Y + _ROOM + reach + 1)
        columns = slice(_COARSE_X + _ROOM - reach, _COARSE_X + _ROOM + reach + 1)
        best = np.full(len(self.kinds), -1.0)
        change = np.zeros((len(self.kinds), 8))
        flat = cv2.getPerspectiveTransform(frame(wide, high), corners)
        for size in sizes:
            middle = np.array([wide, high]) / 2 - 0.5
            start = middle - size * (middle + _ROOM)
            grown = flat @ np.array([[size, 0, start[0]], [0, size, start[1]], [0, 0, 1]])
            face = warped(strokes, grown, wide + 2 * _ROOM, high + 2 * _ROOM)
            seen = np.lib.stride_tricks.sliding_window_view(face, inner)[rows, columns]
            fit = unit(seen.reshape(-1, inner[0] * inner[1])) @ self.coarse.T
            place = fit.argmax(axis=0)
            found = fit[place, np.arange(fit.shape[1])]
            down, right = np.divmod(place, 2 * reach + 1)
            here = np.zeros((len(found), 8))
            here[:, 0] = (right - reach) * size * 2 / wide
            here[:, 1] = (down - reach) * size * 2 / high
            here[:, 2] = here[:, 5] = size - 1
            better = found > best
            best[better], change[better] = found[better], here[better]
        return best, change

    def _fitted(self, places: _Places, way: int, number: int) -> tuple[float, np.ndarray]:
        """What the closest fit of one picture says, and the change by which it lies there."""
        start = places.changes[way, number]
        strokes, flat = places.strokes[way], places.flat[way]
        return closest(self.fine, self.soft, strokes, flat, number, start)


def against_best(said: np.ndarray) -> np.ndarray:
    """`Pictures.compare` against the best kind of each face: `-MOST_SAID` to 0."""
    best = said[:, : len(FACES)].max(axis=1, keepdims=True)
    return np.asarray(np.clip(said - best, -MOST_SAID, 0))


def pictures_of(examples: Sequence[Example]) -> Pictures | None:
    """The pictures of a set's faces, of each kind the one seen largest; None when there is none."""
    largest: dict[str, Example] = {}
    for example in examples:
        known = largest.get(example.tile)
        if example.tile in FACES and (known is None or example.side > known.side):
            largest[example.tile] = example
    if not largest:
        return None
    of_kind = {FACES.index(tile): e.patch for tile, e in largest.items()}
    faces = {kind: face_only(patch.tile) for kind, patch in of_kind.items()}
    prints = {kind: printed(face, FINE) for kind, (face, _) in faces.items()}
    contrast = Ink.of(list(prints.values())).contrast
    kinds = [k for k, face in prints.items() if face[INNER].std() >= _BLANK * contrast]
    tiles = [faces[k][0] for k in kinds]
    return Pictures(
        np.array(kinds),
        Level.of(FINE, tiles),
        Level.of(SOFT, tiles),
        np.stack([_coarse(prints[k]) for k in kinds]),
        np.stack([to_be_drawn(*faces[k]) for k in kinds]),
        float(np.median([patch.size[1] / patch.size[0] for patch in of_kind.values()])),
        tuple(k for k in of_kind if k not in kinds),
    )


def _coarse(face: np.ndarray) -> np.ndarray:
    """A picture's inner part at low resolution, of mean 0 and length 1."""
    small = cv2.resize(
        cv2.GaussianBlur(face, (0, 0), 1.2), (_COARSE_WIDE, _COARSE_HIGH),
        interpolation=cv2.INTER_AREA,
    )  # fmt: skip
    inner = small[_COARSE_Y : _COARSE_HIGH - _COARSE_Y, _COARSE_X : _COARSE_WIDE - _COARSE_X]
    return unit(inner.reshape(1, -1))[0]
