"""What the faces of one set look like in print: the second opinion beside the neural features.

A classifier's features forget what it was not trained to tell apart. So each crop is also laid
flat (`outline`), and its gradients and colours are compared with those of the set's own faces in
the four quarter turns by a ridge regression on histograms of oriented gradients, fitted on looks
whose corners are known. What is still in doubt is compared stroke by stroke (`match`). Nothing here
depends on the classifier's weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vision.calibration.head import FACE_COUNT, LEAST_P
from vision.calibration.match import MOST_SAID, Pictures, against_best
from vision.calibration.outline import EDGES, Linear, Outline, believable, ridge
from vision.calibration.pace import Memory
from vision.opencv import cv2
from vision.values import DICE, FACES

BLANK_AT = FACES.index("5z")
OTHERS = 1 + len(DICE)
FLAT = 64
TURNS = 4
# Ridge penalty in units of the mean variance over all looks, and how far a face is grown.
_TIGHT, _RIM = 0.3, 0.06
_GRADIENTS, _COLOURS, _GRID = 0.12, 0.25, 8
LEAST_FACE = 0.03
# A name so much likelier than the next (natural logarithm) is not questioned any more.
SURELY = 7.0
# A face that one picture fits so much better than all others, and better than no print does, is of
# that kind, if the general classifier knows no better: what is compared then counts in full.
# But pictures that both fit well are told apart by no small part of what speaks for them.
DECISIVE, DECISIVE_SHARE, IN_FULL = 12.0, 0.25, 1.0
# So does what is compared where no answer is believed by as much as this.
_UNSURE = 0.5
# Print too faint to fit better than no print does by far: nearly as well, and so much better than
# the print of any other kind. No bare table and no back among the set's photos is so like one kind.
_NEARLY, _LEADS = 0.8, 8.0
# Every picture is tried on what may be a face by this share.
_THOROUGHLY = 0.3
_LEAST_STEP, _MOST_WEIGHT = 1e-12, 100.0

_flat = cv2.HOGDescriptor((FLAT, FLAT), (16, 16), (8, 8), (8, 8), 9)
_SQUARE = np.array([[0, 0], [FLAT, 0], [FLAT, FLAT], [0, FLAT]], np.float32) - 0.5


@dataclass(frozen=True, eq=False)
class Shape:
    """The prints of one set.

    Attributes:
        outline: Finds the face's corners in a crop.
        prints: A flat face to 34 x 4 scores, by kind and by the corner that is the upright top
            left; None where the answers are as good without.
        weight: Of a score of one against a natural logarithm of the answers.
        closer: Weight of what `match` says; 0: nothing is compared stroke by stroke.
        printless: How well a picture fits where there is no print, as a share of what `match` takes
            it for: worn print fits no better than that now and then.
    """

    outline: Outline
    prints: Linear | None
    weight: float = 1.0
    closer: float = 0.0
    printless: float = 1.0

    @property
    def helps(self) -> bool:
        """Whether it changes any answer."""
        return self.prints is not None or self.closer > 0

    def scores(self, crops: np.ndarray) -> np.ndarray:
        """n x 34: how much each crop's face is like each kind's, about 0 to 1; 0 without prints."""
        if not len(crops) or self.prints is None:
            return np.zeros((len(crops), FACE_COUNT), np.float32)
        told = self.prints(described(flattened(crops, self.outline(crops))))
        return np.asarray(told.reshape(-1, FACE_COUNT, TURNS).max(axis=2))

    def adjust(self, answers: np.ndarray, crops: np.ndarray) -> np.ndarray:
        """Answers with the faces' shares moved among them; what is no face keeps its share."""
        if self.prints is None:
            return answers
        return blended(answers, self.scores(crops), self.weight)

    def settle(
        self,
        answers: np.ndarray,
        crops: np.ndarray,
        pictures: Pictures,
        sizes: np.ndarray | None = None,
        stands: np.ndarray | None = None,
        memory: Memory | None = None,
        cuts: np.ndarray | None = None,
        strange: bool = False,
    ) -> np.ndarray:
        """The same once more, stroke by stroke, where that can still change a name.

        Args:
            answers: n x classes, as good as they are without.
            crops: The upright crops.
            pictures: Of this set.
            sizes: n x 2, width and height of the boxes that were cut out, pixels of the photo.
            stands: n booleans: what is not to be changed; by default anything may be.
            memory: Of a film: what was found before counts, and few new faces are looked at.
            cuts: n x 4 booleans, which sides of the boxes the photo's border cuts.
            strange: The general classifier is not to be believed about this set's names.
        """
        # What looks like no face at all is not known by its name either. Elsewhere to try more is
        # to find more that only seems to fit.
        free = strange | (answers.argmax(axis=1) >= FACE_COUNT)
        doubted = in_doubt(answers, np.where(free, max(self.closer, IN_FULL), self.closer))
        rows = doubted if stands is None else doubted[~stands[doubted]]
        if not len(rows):
            return answers
        changed = answers.copy()
        if cuts is not None:
            cuts = cuts & free[:, None]
        thorough = free & (answers[:, :FACE_COUNT].sum(axis=1) >= _THOROUGHLY)

        def compare(some: np.ndarray) -> np.ndarray:
            faces = rows[some]
            size, cut = (None if part is None else part[faces] for part in (sizes, cuts))
            outlines = self.outline(crops[faces])
            return pictures.compare(
                crops[faces], outlines, size, answers[faces], cut, thorough[faces]
            )

        if memory is None:
            said = compare(np.arange(len(rows)))
        else:
            said = memory.said(crops[rows], answers[rows], compare)
        said = self._without_print(said, pictures)
        faint = free[rows] & leads(said) & ~_back_or_die(answers[rows])
        said = _not_bare(said, faint, pictures)
        unsure = answers[rows].max(axis=1) < _UNSURE
        full = free[rows] & (decisive(said) | faint | unsure)
        weights = np.where(full, max(self.closer, IN_FULL), self.closer)
        changed[rows] = blended(answers[rows], against_best(said), weights[:, None])
        return changed

    def _without_print(self, said: np.ndarray, pictures: Pictures) -> np.ndarray:
        """`Pictures.compare` with less for what has no print, where the set's print is worn.

        But the frame of a white dragon fits the rim of any bare tile.
        """
        said = said.copy()
        worn = said[:, :FACE_COUNT].argmax(axis=1) != BLANK_AT
        bare = [*pictures.blank, FACE_COUNT]
        said[np.ix_(worn, bare)] *= self.printless
        return said


def decisive(said: np.ndarray) -> np.ndarray:
    """Which faces one picture fits far better than all others and better than none; n booleans."""
    second, first = np.sort(said[:, :FACE_COUNT], axis=1)[:, -2:].T
    far = np.maximum(DECISIVE, DECISIVE_SHARE * first)
    return np.asarray((first - second >= far) & (first >= said[:, FACE_COUNT]))


def leads(said: np.ndarray) -> np.ndarray:
    """Which faces the picture of one kind fits, if faintly, far better than all others; n booleans.

    But the frame of a white dragon fits the rim of any bare tile.
    """
    faces = said[:, :FACE_COUNT]
    second, first = np.sort(faces, axis=1)[:, -2:].T
    printed = faces.argmax(axis=1) != BLANK_AT
    return np.asarray(
        printed & (first - second >= _LEADS) & (first >= _NEARLY * said[:, FACE_COUNT])
    )


def _back_or_die(answers: np.ndarray) -> np.ndarray:
    """Which answers rather are a back or a die; n booleans."""
    return np.asarray(answers[:, FACE_COUNT : FACE_COUNT + OTHERS].sum(axis=1) >= _UNSURE)


def _not_bare(said: np.ndarray, faint: np.ndarray, pictures: Pictures) -> np.ndarray:
    """`Pictures.compare` where, of the `faint` faces, no print fits no better than the second."""
    said = said.copy()
    bare = [*pictures.blank, FACE_COUNT]
    second = np.sort(said[:, :FACE_COUNT], axis=1)[:, -2:-1]
    said[:, bare] = np.where(faint[:, None], np.minimum(said[:, bare], second), said[:, bare])
    return said


def in_doubt(answers: np.ndarray, closer: float | np.ndarray) -> np.ndarray:
    """Indices of answers that may be a face and could be named otherwise by `match`."""
    second, first = np.sort(answers, axis=1)[:, -2:].T if len(answers) else np.zeros((2, 0))
    surely = np.log(np.maximum(first, LEAST_P)) - np.log(np.maximum(second, LEAST_P))
    maybe_face = answers[:, :FACE_COUNT].sum(axis=1) >= LEAST_FACE
    return np.flatnonzero(maybe_face & (surely < np.minimum(closer * MOST_SAID, SURELY)))


def blended(answers: np.ndarray, scores: np.ndarray, weight: float | np.ndarray) -> np.ndarray:
    """n x classes answers moved by scores.

    Args:
        answers: n x classes.
        scores: n x 34, what is no face then keeps its share; or n x 34 + 1, the last of everything
            that is no face.
        weight: Of a score of one against a natural logarithm of the answers; or n x 1.
    """
    moved = answers[:, : None if scores.shape[1] > FACE_COUNT else FACE_COUNT]
    rest = np.repeat(scores[:, FACE_COUNT:], moved.shape[1] - FACE_COUNT, axis=1)
    full = np.concatenate([scores[:, :FACE_COUNT], rest], axis=1)
    logs = np.log(np.maximum(moved, LEAST_P)) + weight * full
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    changed = answers.copy()
    total = moved.sum(axis=1, keepdims=True)
    changed[:, : moved.shape[1]] = powers / powers.sum(axis=1, keepdims=True) * total
    return changed


def packed_shape(shape: Shape) -> dict[str, np.ndarray]:
    """Arrays for a set's file; the weights in 255 steps for each output, outlines' finer."""
    arrays = {
        "shape_weight": np.array(shape.weight, np.float32),
        "shape_closer": np.array(shape.closer, np.float32),
        "shape_printless": np.array(shape.printless, np.float32),
    }
    parts = {"outline": shape.outline.rough, "close": shape.outline.close, "prints": shape.prints}
    for name, part in parts.items():
        if part is None:
            continue
        codes = np.iinfo(np.int8 if name == "prints" else np.int16)
        steps = np.maximum(np.abs(part.weights).max(axis=0), _LEAST_STEP) / codes.max
        arrays |= {
            f"{name}_mean": part.mean.astype(np.float16),
            f"{name}_weights": np.round(part.weights / steps).astype(codes.dtype),
            f"{name}_steps": steps.astype(np.float32),
            f"{name}_middle": part.middle.astype(np.float32),
        }
    return arrays


def unpacked_shape(arrays: Mapping[str, np.ndarray]) -> Shape | None:
    """What `packed_shape` packed; None where a file has none.

    Raises:
        ValueError: the arrays do not fit.
    """
    if "shape_weight" not in arrays:
        return None
    parts: dict[str, Linear] = {}
    for name, inputs, outputs in (
        ("outline", EDGES, 8),
        ("close", EDGES, 8),
        ("prints", _flat.getDescriptorSize() + 3 * _GRID**2, FACE_COUNT * TURNS),
    ):
        if name != "outline" and f"{name}_weights" not in arrays:
            continue  # the prints are not used, or it is an earlier version's file
        weights = arrays[f"{name}_weights"].astype(np.float32) * arrays[f"{name}_steps"]
        mean = arrays[f"{name}_mean"].astype(np.float32)
        middle = arrays[f"{name}_middle"].astype(np.float32)
        if (weights.shape, mean.shape, middle.shape) != ((inputs, outputs), (inputs,), (outputs,)):
            raise ValueError(f"{name} of shape {weights.shape}")
        if not all(np.isfinite(array).all() for array in (weights, mean, middle)):
            raise ValueError("numbers that are none")
        parts[name] = Linear(mean, weights, middle)
    weight = float(arrays["shape_weight"])
    closer = float(arrays["shape_closer"]) if "shape_closer" in arrays else 0.0
    printless = float(arrays["shape_printless"]) if "shape_printless" in arrays else 1.0
    if not (0 < weight <= _MOST_WEIGHT and 0 <= closer <= _MOST_WEIGHT and 0 < printless <= 1):
        raise ValueError(f"weights of {weight}, {closer} and {printless}")
    outline = Outline(parts["outline"], parts.get("close"))
    return Shape(outline, parts.get("prints"), weight, closer, printless)


def flattened(crops: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The faces as squares.

    Args:
        crops: n x side x side x 3.
        corners: n x 4 x 2, shares of the side; an impossible outline gives the whole crop.
    """
    side = crops.shape[1]
    faces = []
    for crop, outline in zip(crops, corners, strict=True):
        around = believable(outline)
        middle = around.mean(axis=0)
        grown = (middle + (around - middle) * (1 + _RIM)) * side - 0.5
        how = cv2.getPerspectiveTransform(np.asarray(grown, np.float32), _SQUARE)
        picture = np.ascontiguousarray(crop)
        faces.append(
            cv2.warpPerspective(picture, how, (FLAT, FLAT), borderMode=cv2.BORDER_REPLICATE)
        )
    return np.stack(faces)


def described(faces: np.ndarray) -> np.ndarray:
    """Flat faces to n x d: gradients, and colours against the tile's own."""
    rows = []
    for face in faces:
        cells = cv2.resize(face, (_GRID, _GRID), interpolation=cv2.INTER_AREA).astype(np.float32)
        body = np.percentile(face.reshape(-1, 3), 70, axis=0) + 8
        ratio = np.log((cells + 8) / body)
        tones = [ratio[..., 2] - ratio[..., 1], ratio[..., 0] - ratio[..., 1], ratio.mean(axis=2)]
        colours = np.clip(np.stack(tones), -1, 1).ravel()
        rows.append(np.concatenate([_flat.compute(face).ravel() * _GRADIENTS, colours * _COLOURS]))
    return np.asarray(np.stack(rows), np.float32)


def fit_prints(inputs: np.ndarray, labels: np.ndarray, first: np.ndarray) -> Linear:
    """Described faces to the scores of kinds and turns."""
    wanted = np.zeros((len(labels), FACE_COUNT * TURNS), np.float32)
    wanted[np.arange(len(labels)), labels * TURNS + first] = 1
    return ridge(inputs, wanted, _TIGHT)
