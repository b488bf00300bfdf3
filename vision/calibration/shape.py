"""What the faces of one set look like in print: the second opinion beside the neural features.

A classifier's features forget what it was not trained to tell apart. So each crop is also laid
flat: where the face's corners lie is told by the crop's edges, the face is brought to a square,
and its gradients and colours are compared with those of the set's own faces in the four quarter
turns. Both steps are ridge regressions on histograms of oriented gradients (Dalal and Triggs,
2005), fitted on looks whose corners are known; nothing here depends on the classifier's weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vision.calibration.head import FACE_COUNT, LEAST_P
from vision.opencv import cv2

WHOLE, FLAT = 96, 64
TURNS = 4
# Ridge penalties in units of the mean variance over all looks, and how far a face is grown.
_LOOSE, _TIGHT, _RIM = 0.3, 0.3, 0.06
_GRADIENTS, _COLOURS, _GRID = 0.12, 0.25, 8
_SMALLEST = 0.04  # of the crop's area: an outline smaller than this is none
_CODES, _LEAST_STEP, _MOST_WEIGHT = 127.0, 1e-12, 100.0

_whole = cv2.HOGDescriptor((WHOLE, WHOLE), (24, 24), (12, 12), (12, 12), 9)
_flat = cv2.HOGDescriptor((FLAT, FLAT), (16, 16), (8, 8), (8, 8), 9)
_SQUARE = np.array([[0, 0], [FLAT, 0], [FLAT, FLAT], [0, FLAT]], np.float32) - 0.5


@dataclass(frozen=True, eq=False)
class Linear:
    """A fitted ridge regression: inputs less `mean`, times `weights`, plus `middle`."""

    mean: np.ndarray
    weights: np.ndarray
    middle: np.ndarray

    def __call__(self, inputs: np.ndarray) -> np.ndarray:
        """n x d to n x outputs."""
        return np.asarray((inputs - self.mean) @ self.weights + self.middle)


@dataclass(frozen=True, eq=False)
class Shape:
    """The prints of one set.

    Attributes:
        outline: Edges of a crop to its face's corners (8 numbers, shares of the crop's side).
        prints: A flat face to 34 x 4 scores, by kind and by the corner that is the upright top
            left.
        weight: Of a score of one against a natural logarithm of the answers.
    """

    outline: Linear
    prints: Linear
    weight: float = 1.0

    def scores(self, crops: np.ndarray) -> np.ndarray:
        """n x 34: how much each crop's face is like each kind's, about 0 to 1."""
        if not len(crops):
            return np.zeros((0, FACE_COUNT), np.float32)
        corners = self.outline(edges(crops)).reshape(-1, 4, 2)
        told = self.prints(described(flattened(crops, corners)))
        return np.asarray(told.reshape(-1, FACE_COUNT, TURNS).max(axis=2))

    def adjust(self, answers: np.ndarray, crops: np.ndarray) -> np.ndarray:
        """Answers with the faces' shares moved among them; what is no face keeps its share."""
        return blended(answers, self.scores(crops), self.weight)


def blended(answers: np.ndarray, scores: np.ndarray, weight: float) -> np.ndarray:
    """n x classes answers moved by n x 34 scores."""
    logs = np.log(np.maximum(answers[:, :FACE_COUNT], LEAST_P)) + weight * scores
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    changed = answers.copy()
    faces = answers[:, :FACE_COUNT].sum(axis=1, keepdims=True)
    changed[:, :FACE_COUNT] = powers / powers.sum(axis=1, keepdims=True) * faces
    return changed


def packed_shape(shape: Shape) -> dict[str, np.ndarray]:
    """Arrays for a set's file; the weights in 255 steps for each output."""
    arrays = {"shape_weight": np.array(shape.weight, np.float32)}
    for name, part in (("outline", shape.outline), ("prints", shape.prints)):
        steps = np.maximum(np.abs(part.weights).max(axis=0), _LEAST_STEP) / _CODES
        arrays |= {
            f"{name}_mean": part.mean.astype(np.float16),
            f"{name}_weights": np.round(part.weights / steps).astype(np.int8),
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
    parts = []
    for name, inputs, outputs in (
        ("outline", _whole.getDescriptorSize(), 8),
        ("prints", _flat.getDescriptorSize() + 3 * _GRID**2, FACE_COUNT * TURNS),
    ):
        weights = arrays[f"{name}_weights"].astype(np.float32) * arrays[f"{name}_steps"]
        mean = arrays[f"{name}_mean"].astype(np.float32)
        middle = arrays[f"{name}_middle"].astype(np.float32)
        if (weights.shape, mean.shape, middle.shape) != ((inputs, outputs), (inputs,), (outputs,)):
            raise ValueError(f"{name} of shape {weights.shape}")
        if not all(np.isfinite(array).all() for array in (weights, mean, middle)):
            raise ValueError("numbers that are none")
        parts.append(Linear(mean, weights, middle))
    weight = float(arrays["shape_weight"])
    if not 0 < weight <= _MOST_WEIGHT:
        raise ValueError(f"a weight of {weight}")
    return Shape(parts[0], parts[1], weight)


def edges(crops: np.ndarray) -> np.ndarray:
    """n x side x side x 3 to n x d gradients of the whole crop."""
    return np.stack([_whole.compute(_sized(crop, WHOLE)).ravel() for crop in crops])


def flattened(crops: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The faces as squares.

    Args:
        crops: n x side x side x 3.
        corners: n x 4 x 2, shares of the side; an impossible outline gives the whole crop.
    """
    side = crops.shape[1]
    faces = []
    for crop, outline in zip(crops, corners, strict=True):
        around = np.asarray(outline, np.float32)
        if cv2.contourArea(around) < _SMALLEST or not cv2.isContourConvex(around):
            around = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
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


def first_corner(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Outlines from the corner that is top left in the picture, and which corner that is.

    Args:
        corners: n x 4 x 2, clockwise from the upright tile's top left.

    Returns:
        The same corners in the order of the picture, and n numbers 0..3.
    """
    first = corners.sum(axis=2).argmin(axis=1)
    order = (first[:, None] + np.arange(4)) % 4
    return np.take_along_axis(corners, order[..., None], axis=1), first


def fit_outline(inputs: np.ndarray, corners: np.ndarray) -> Linear:
    """Edges (n x d) to corners in the picture's order (n x 4 x 2)."""
    return _ridge(inputs, corners.reshape(len(corners), 8), _LOOSE)


def fit_prints(inputs: np.ndarray, labels: np.ndarray, first: np.ndarray) -> Linear:
    """Described faces to the scores of kinds and turns."""
    wanted = np.zeros((len(labels), FACE_COUNT * TURNS), np.float32)
    wanted[np.arange(len(labels)), labels * TURNS + first] = 1
    return _ridge(inputs, wanted, _TIGHT)


def _ridge(inputs: np.ndarray, outputs: np.ndarray, penalty: float) -> Linear:
    mean, middle = inputs.mean(axis=0), outputs.mean(axis=0)
    centred = inputs - mean
    gram = centred.T @ centred
    gram[np.diag_indices_from(gram)] += penalty * np.trace(gram) / len(gram)
    weights = np.linalg.solve(gram, centred.T @ (outputs - middle))
    return Linear(mean, np.asarray(weights, np.float32), middle)


def _sized(crop: np.ndarray, side: int) -> np.ndarray:
    picture = np.ascontiguousarray(crop)
    if picture.shape[0] == side:
        return picture
    return np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA))
