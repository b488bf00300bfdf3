"""Where a face's corners lie in the reader's crop of a tile.

Two ridge regressions on histograms of oriented gradients (Dalal and Triggs, 2005), fitted on looks
whose corners are known: one of the whole crop, and one that sees the face laid flat by what the
first says, with some room around it, and says how far each corner is off (a cascade, as in Xiong
and De la Torre's supervised descent, 2013). Nothing here depends on the classifier's weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.opencv import cv2

WHOLE = 96
_LOOSE = 0.3  # ridge penalty in units of the mean variance over all looks
_SMALLEST = 0.04  # of the crop's area: an outline smaller than this is none
_ROOM = 1.5  # side of the second picture, in sides of the face
_MOST_OFF = 0.4  # of the second picture's side
_EVERYTHING = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_PLACE = (_EVERYTHING - 0.5) / _ROOM + 0.5

_whole = cv2.HOGDescriptor((WHOLE, WHOLE), (24, 24), (12, 12), (12, 12), 9)
EDGES = int(_whole.getDescriptorSize())


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
class Outline:
    """Finds the corners.

    Attributes:
        rough: Edges of a crop to its face's corners (8 numbers, shares of the crop's side).
        close: Edges of the face laid flat to how far the corners are off (8 numbers, shares of
            that picture's side); None in files of earlier versions.
    """

    rough: Linear
    close: Linear | None = None

    def __call__(self, crops: np.ndarray) -> np.ndarray:
        """n x side x side x 3 crops to n x 4 x 2 corners, shares of the side.

        The corners go clockwise from the one that is top left in the picture.
        """
        if not len(crops):
            return np.zeros((0, 4, 2), np.float32)
        corners = self.rough(edges(crops)).reshape(-1, 4, 2)
        if self.close is not None:
            pictures, how = _laid_flat(crops, corners)
            corners = _in_crops(self.close(edges(pictures)), how, crops.shape[1])
        return np.asarray(corners, np.float32)


def edges(crops: np.ndarray) -> np.ndarray:
    """n x side x side x 3 to n x d gradients of the whole crop."""
    return np.stack([_whole.compute(_sized(crop, WHOLE)).ravel() for crop in crops])


def believable(corners: np.ndarray) -> np.ndarray:
    """The outline (4 x 2 shares); the whole crop for one that no face can have."""
    around = np.asarray(corners, np.float32)
    if cv2.contourArea(around) < _SMALLEST or not cv2.isContourConvex(around):
        return _EVERYTHING
    return around


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


def fit_outline(
    crops: np.ndarray,
    corners: np.ndarray,
    folds: Sequence[np.ndarray],
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Outline, np.ndarray]:
    """Fit both regressions.

    Args:
        crops: Looks, n x side x side x 3.
        corners: n x 4 x 2 shares of the side, in the picture's order (`first_corner`).
        folds: Masks of the looks that are held out together.
        tell: Called once after each fit.

    Returns:
        The outline, and what outlines that were fitted without its fold say of each look (for
        looks of no fold: the truth).
    """
    rough, told = _held_out(edges(crops), corners.reshape(-1, 8), folds, tell)
    pictures, how = _laid_flat(crops, told.reshape(-1, 4, 2))
    off = np.stack(
        [
            (_moved(place * crops.shape[1] - 0.5, np.linalg.inv(h)) + 0.5) / WHOLE - _PLACE
            for place, h in zip(corners, how, strict=True)
        ]
    )
    wanted = np.clip(off, -_MOST_OFF, _MOST_OFF).reshape(-1, 8)
    close, told_off = _held_out(edges(pictures), np.asarray(wanted, np.float32), folds, tell)
    return Outline(rough, close), _in_crops(told_off, how, crops.shape[1])


def _held_out(
    inputs: np.ndarray,
    outputs: np.ndarray,
    folds: Sequence[np.ndarray],
    tell: Callable[[str], None],
) -> tuple[Linear, np.ndarray]:
    """A regression on everything, and each fold's outputs by one that was fitted without it."""
    told = outputs.copy()
    for fold in folds:
        told[fold] = ridge(inputs[~fold], outputs[~fold], _LOOSE)(inputs[fold])
        tell("fit")
    return ridge(inputs, outputs, _LOOSE), told


def ridge(inputs: np.ndarray, outputs: np.ndarray, penalty: float) -> Linear:
    """Inputs (n x d) to outputs (n x m) by ridge regression."""
    mean, middle = inputs.mean(axis=0), outputs.mean(axis=0)
    centred = inputs - mean
    gram = centred.T @ centred
    gram[np.diag_indices_from(gram)] += penalty * np.trace(gram) / len(gram)
    weights = np.linalg.solve(gram, centred.T @ (outputs - middle))
    return Linear(mean, np.asarray(weights, np.float32), middle)


def _laid_flat(crops: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """The faces as squares with room around, and how each one's pixels lie in its crop."""
    pictures, how = [], []
    side = crops.shape[1]
    for crop, outline in zip(crops, corners, strict=True):
        target = believable(outline) * side - 0.5
        h = cv2.getPerspectiveTransform(
            np.asarray(_PLACE * WHOLE - 0.5, np.float32), np.asarray(target, np.float32)
        )
        pictures.append(
            cv2.warpPerspective(
                np.ascontiguousarray(crop),
                h,
                (WHOLE, WHOLE),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
        )
        how.append(h)
    return np.stack(pictures), how


def _in_crops(off: np.ndarray, how: Sequence[np.ndarray], side: int) -> np.ndarray:
    """Corners in the crops (n x 4 x 2 shares) from how far they are off on the flat faces."""
    places = (_PLACE + off.reshape(-1, 4, 2)) * WHOLE - 0.5
    moved = [_moved(place, h) for place, h in zip(places, how, strict=True)]
    return np.asarray((np.stack(moved) + 0.5) / side, np.float32)


def _moved(points: np.ndarray, how: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[None], how)[0])


def _sized(crop: np.ndarray, side: int) -> np.ndarray:
    picture = np.ascontiguousarray(crop)
    if picture.shape[0] == side:
        return picture
    return np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA))
