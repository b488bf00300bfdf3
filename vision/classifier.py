"""Which tile a box holds: a small classifier on square crops of the full photo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from vision.boxes import cut_sides
from vision.model_store import ModelFile
from vision.opencv import cv2
from vision.runtime import Session
from vision.values import BACK, NONE, Note

FEATURES = "features"
MARGIN = 1.08
BATCH = 32
# An upright answer this sure is not improved by looking at the other three quarter turns.
SURE = 0.9
# What was learnt of one's own set rests on few examples: all turns are looked at for longer.
SURE_OF_TAUGHT = 0.99
# A tile that is blank to this share looks the same turned: only its edges would change.
BLANK, BLANKS = 0.7, (BACK, "5z")
# Below this, quarter turns have not settled it: the tile may lie at an odd angle.
SETTLED = 0.8
ODD_ANGLES = (30.0, 60.0)
# The box of a tile at an odd angle is larger than the tile, so less of it is looked at.
ODD_MARGIN = 0.9
# Of three tries the best is partly luck; the choice is among equals, the share is not believed.
ODD_TRUST = 0.75
# A tile seen at a slant is not as long as it is: a box that is rounder or longer than a tile is
# looked at stretched to a tile's proportions. A little is taken off for the trying.
LEAST_LONG, MOST_LONG = 1.15, 1.65
STRETCH_TRUST = 0.9
# A die is seen from the side as well: turned by a quarter, a side would be its top. So it is looked
# at leaning a little, and mirrored, which changes no pips.
DIE_LEANS = (-8.0, 0.0, 8.0)
# A face's length in widths, and how much finer it is cut out before it is made small.
FACE_LENGTH, FINER = 1.36, 2
LEAST_SHARE = 1e-4
# From such a share of a face on that lies out of the picture, the picture's border cuts it.
CUT_SHARE = 0.12
# One bad look at a die must not forbid what the others agree on.
DIE_LEAST_SHARE = 1e-3


# (answers, features of the same crops, the crops) to better answers: what is known of one set.
Adjust = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


class TaughtSet(Protocol):
    """What is known of one set."""

    def adjust(self, answers: np.ndarray, features: np.ndarray, crops: np.ndarray) -> np.ndarray:
        """Better answers to crops, from their features; n x classes each."""

    def stands(self, general: np.ndarray) -> np.ndarray:
        """Which answers to upright crops, n x classes, may not be changed; n booleans."""

    def settle(
        self,
        answers: np.ndarray,
        crops: np.ndarray,
        sizes: np.ndarray,
        stands: np.ndarray,
        *,
        cuts: np.ndarray,
    ) -> np.ndarray:
        """Better answers still, at last, when all turns of the upright crops were looked at.

        The crops' boxes were of these sizes, n x 2 pixels, and the photo's border cuts these of
        their sides, n x 4 booleans; those that stand are not changed.
        """


class TileSets(Protocol):
    """The tile sets that were taught to the reader."""

    def choose(
        self, answers: np.ndarray, features: np.ndarray, crops: np.ndarray
    ) -> TaughtSet | None:
        """The set that corrects a photo's answers, from all its upright crops; None: no set."""

    @property
    def in_use(self) -> bool:
        """Whether a set corrected the photo that was asked about last."""

    def notes(self) -> tuple[Note, ...]:
        """What to tell whoever took the photo that was asked about last: which set may be open."""

    def following(self) -> TileSets:
        """The same for one film, whose looks may each show but few of its tiles."""


def crop(pixels: np.ndarray, box: np.ndarray, side: int, margin: float = MARGIN) -> np.ndarray:
    """The square around a box, `side` pixels wide, BGR uint8.

    The square's side is `margin` times the longer side of the box and shares its centre; beyond
    the photo the border is repeated. Shrinking averages areas, so fine strokes survive.
    """
    reach = max(float(box[2] - box[0]), float(box[3] - box[1]), 2.0) * margin / 2
    x, y = float(box[0] + box[2]) / 2, float(box[1] + box[3]) / 2
    left, top = round(x - reach), round(y - reach)
    size = max(2, round(2 * reach))
    height, width = pixels.shape[:2]
    columns = slice(min(max(left, 0), width - 1), max(min(left + size, width), 1))
    rows = slice(min(max(top, 0), height - 1), max(min(top + size, height), 1))
    part = pixels[rows, columns]
    above, before = max(0, -top), max(0, -left)
    below = max(0, size - above - part.shape[0])
    after = max(0, size - before - part.shape[1])
    if above or below or before or after:
        part = cv2.copyMakeBorder(part, above, below, before, after, cv2.BORDER_REPLICATE)
    how = cv2.INTER_AREA if size > side else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, (side, side), interpolation=how))


def turned_crop(
    pixels: np.ndarray, box: np.ndarray, side: int, degrees: float, margin: float = ODD_MARGIN
) -> np.ndarray:
    """A square around a box turned by `degrees`; by default a little closer than `crop`."""
    wide = round(side * 1.45)
    larger = crop(pixels, box, wide, margin * wide / side)
    turn = cv2.getRotationMatrix2D(((wide - 1) / 2, (wide - 1) / 2), degrees, 1.0)
    turn[:, 2] -= (wide - side) / 2
    return np.asarray(cv2.warpAffine(larger, turn, (side, side), borderMode=cv2.BORDER_REPLICATE))


def flat_crop(pixels: np.ndarray, quad: np.ndarray, side: int) -> np.ndarray:
    """The face with these corners in the picture as if seen from straight above, upright.

    Args:
        pixels: The photo.
        quad: 4 x 2 pixels: top left, top right, bottom right, bottom left of the face.
        side: Of the square that is made; the face stands in its middle as in `crop`.
    """
    high = FINER * side / MARGIN
    wide = high / FACE_LENGTH
    left, top = (FINER * side - wide) / 2, (FINER * side - high) / 2
    right, bottom = left + wide, top + high
    there = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    turn = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), there)
    large = (FINER * side, FINER * side)
    flat = cv2.warpPerspective(pixels, turn, large, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(flat, (side, side), interpolation=cv2.INTER_AREA))


class Classifier:
    """Names tiles; its class list may or may not hold dice and `none`."""

    def __init__(self, model: ModelFile, threads: int | None = None) -> None:
        """Load the model (ModelError when it may not be trusted)."""
        self.side = model.input_size
        self.classes = model.classes
        self.sha256 = model.sha256.lower()
        self._session = Session(model, threads)

    @property
    def has_features(self) -> bool:
        """Whether the model also gives the features its answers are made from."""
        return FEATURES in self._session.outputs

    @property
    def has_dice(self) -> bool:
        """Whether the model can name dice."""
        return "die1" in self.classes

    def warm_up(self) -> None:
        """Run once on grey, so that the first photo does not pay for it."""
        self.look(np.full((1, self.side, self.side, 3), 128, np.uint8))

    def crops(self, pixels: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """n x side x side x 3 crops of `boxes`."""
        if not len(boxes):
            return np.zeros((0, self.side, self.side, 3), np.uint8)
        return np.stack([crop(pixels, box, self.side) for box in boxes])

    def classify(
        self,
        pixels: np.ndarray,
        boxes: np.ndarray,
        tile_sets: TileSets | None = None,
        quads: np.ndarray | None = None,
        dice: np.ndarray | None = None,
    ) -> np.ndarray:
        """Class probabilities of what each of `boxes` holds, n x classes.

        Where it is known how a face lies, it is looked at as its owner sees it as well, and what
        both looks say counts. Else turns are tried where they pay: an unsure upright answer is
        averaged with those of the other three quarter turns, and where that settles nothing, it is
        looked at stretched to a tile's proportions, and at odd angles. Dice are never turned by a
        quarter: several looks at them count together.

        Args:
            pixels: The photo.
            boxes: n x 4, pixels.
            tile_sets: Taught sets; the one that this photo shows corrects every answer.
            quads: n x 4 x 2, the faces' corners as `flat_crop` takes them; NaN where unknown.
            dice: n booleans: what the box holds is a die; by default none is.
        """
        crops = self.crops(pixels, boxes)
        answers, features = self.look(crops)
        taught = None
        if tile_sets is not None and self.has_features and len(boxes):
            taught = tile_sets.choose(answers, features, crops)
        adjust = None if taught is None else taught.adjust
        stands = np.zeros(len(boxes), bool)
        if taught is not None:
            stands = taught.stands(answers)
            better = taught.adjust(answers, features, crops)
            answers = np.where(stands[:, None], answers, better)
        sure = SURE if adjust is None else SURE_OF_TAUGHT
        known = np.zeros(len(boxes), bool)
        if quads is not None and len(boxes):
            known = np.isfinite(quads).all(axis=(1, 2))
            for rows, how in ((known & ~stands, adjust), (known & stands, None)):
                answers[rows] = self._with_flat(pixels, quads[rows], answers[rows], how)
        known |= stands
        if adjust is None:
            blank = [name in BLANKS for name in self.classes]
            known |= answers[:, blank].sum(axis=1) >= BLANK
        # A classifier without dice is not asked about them.
        as_dice = np.zeros(len(boxes), bool) if dice is None or not self.has_dice else dice
        unsure = np.flatnonzero((answers.max(axis=1, initial=0) < sure) & ~known & ~as_dice)
        self._look_closer(pixels, boxes, crops, answers, unsure, adjust)
        if taught is not None:
            sizes = np.asarray(boxes[:, 2:] - boxes[:, :2], float)
            cuts = cut_sides(boxes, pixels.shape[1], pixels.shape[0])
            answers = taught.settle(answers, crops, sizes, stands, cuts=cuts)
        if as_dice.any():
            answers[as_dice] = self._dice(pixels, boxes[as_dice])
        return answers

    def _look_closer(
        self,
        pixels: np.ndarray,
        boxes: np.ndarray,
        crops: np.ndarray,
        answers: np.ndarray,
        unsure: np.ndarray,
        adjust: Adjust | None,
    ) -> None:
        """Better `answers` in the rows `unsure`: turned, stretched, at odd angles."""
        if not len(unsure):
            return
        # What was taught knows a face by its print, upright or not: what the mean over all turns
        # waters down still stands against the best of many tries.
        upright = answers.max(axis=1) * (adjust is not None)
        answers[unsure] = self._over_quarter_turns(crops[unsure], answers[unsure], adjust)
        self._stretch(pixels, boxes, answers, unsure, adjust)
        odd = unsure[answers[unsure].max(axis=1, initial=0) < SETTLED]
        if NONE in self.classes:
            odd = odd[answers[odd].argmax(axis=1) != self.classes.index(NONE)]
        for degrees in ODD_ANGLES if len(odd) else ():
            turned = np.stack([turned_crop(pixels, boxes[i], self.side, degrees) for i in odd])
            tried = self._over_quarter_turns(turned, self._run(turned, adjust), adjust) * ODD_TRUST
            best = np.maximum(answers[odd].max(axis=1), upright[odd] * ODD_TRUST)
            better = tried.max(axis=1) > best
            answers[odd[better]] = tried[better]

    def _dice(self, pixels: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """What several looks at each die agree on: the geometric mean of their shares."""
        leaning = [
            np.stack([turned_crop(pixels, box, self.side, lean, MARGIN) for box in boxes])
            for lean in DIE_LEANS
        ]
        looks = [view for crops in leaning for view in (crops, crops[:, :, ::-1])]
        logs = [np.log(np.maximum(self.look(view)[0], DIE_LEAST_SHARE)) for view in looks]
        together = np.exp(np.mean(logs, axis=0))
        return np.asarray(together / together.sum(axis=1, keepdims=True))

    def _stretch(
        self,
        pixels: np.ndarray,
        boxes: np.ndarray,
        answers: np.ndarray,
        unsure: np.ndarray,
        adjust: Adjust | None,
    ) -> None:
        """Better `answers` for tiles that are seen at a slant."""
        sides = np.maximum(boxes[unsure, 2:] - boxes[unsure, :2], 1e-6)
        long = sides.max(axis=1) / sides.min(axis=1)
        slanted = unsure[
            ((long < LEAST_LONG) | (long > MOST_LONG)) & (answers[unsure].max(axis=1) < SETTLED)
        ]
        if not len(slanted):
            return
        x1, y1, x2, y2 = boxes[slanted].T
        corners = np.stack([x1, y1, x2, y1, x2, y2, x1, y2], axis=1).reshape(-1, 4, 2)
        total = np.zeros((len(slanted), len(self.classes)))
        for turns in range(4):
            quads = np.roll(corners, turns, axis=1)
            total += self._run(
                np.stack([flat_crop(pixels, quad, self.side) for quad in quads]), adjust
            )
        tried = total / 4 * STRETCH_TRUST
        better = tried.max(axis=1) > answers[slanted].max(axis=1)
        answers[slanted[better]] = tried[better]

    def _with_flat(
        self, pixels: np.ndarray, quads: np.ndarray, answers: np.ndarray, adjust: Adjust | None
    ) -> np.ndarray:
        """What both looks agree on: the geometric mean of their shares."""
        if not len(quads):
            return answers
        flat = np.stack([flat_crop(pixels, quad, self.side) for quad in quads])
        both = np.sqrt(
            np.maximum(answers, LEAST_SHARE) * np.maximum(self._run(flat, adjust), LEAST_SHARE)
        )
        return np.asarray(both / both.sum(axis=1, keepdims=True))

    def _over_quarter_turns(
        self, crops: np.ndarray, upright: np.ndarray, adjust: Adjust | None
    ) -> np.ndarray:
        total = upright.copy()
        for turns in (1, 2, 3):
            total += self._run(np.rot90(crops, turns, axes=(1, 2)), adjust)
        return total / 4

    def _run(self, crops: np.ndarray, adjust: Adjust | None) -> np.ndarray:
        answers, features = self.look(crops)
        return answers if adjust is None else adjust(answers, features, crops)

    def look(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Answers (n x classes) and features (n x d; n x 0 where the model gives none)."""
        answers = [np.zeros((0, len(self.classes)), np.float32)]
        features: list[np.ndarray] = []
        for start in range(0, len(crops), BATCH):
            chunk = crops[start : start + BATCH, :, :, ::-1].transpose(0, 3, 1, 2)
            found = self._session.run_all(np.ascontiguousarray(chunk, np.float32) / 255)
            answers.append(found[self._session.outputs[0]])
            features.append(found.get(FEATURES, np.zeros((len(chunk), 0), np.float32)))
        return np.concatenate(answers), np.concatenate(features or [np.zeros((0, 0), np.float32)])
