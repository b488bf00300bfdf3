"""A blank tile: white dragon or back? The other tiles of the photo tell by their colours.

Faces of one set share one body colour, backs another. Where the two models cannot tell a 5z
from a back, its colour is compared with that of the tiles that are certain.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.classifier import crop
from vision.fusion import Fused
from vision.opencv import cv2
from vision.values import BACK, CLASSES, FACES

WHITE, BACK_CLASS = CLASSES.index("5z"), CLASSES.index(BACK)
SIDE = 32
CERTAIN = 0.8
LEAST_REFERENCES = 3
# A share of the lesser one from which the two are in question at all.
IN_QUESTION = 0.03
# Distances of colour in Lab units, lightness counting less: shadows change it.
LIGHTNESS_WEIGHT = 0.35
ALIKE, DIFFERENT = 9.0, 20.0
EVIDENCE = 4.0


def body_colour(pixels: np.ndarray, box: np.ndarray) -> np.ndarray:
    """The colour of a tile's body: Lab, lightness weighted, of the lighter part of its middle."""
    square = cv2.cvtColor(crop(pixels, box, SIDE), cv2.COLOR_BGR2LAB).astype(np.float32)
    middle = square[SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4].reshape(-1, 3)
    light = middle[middle[:, 0] >= np.median(middle[:, 0])]
    colour = np.median(light, axis=0) * np.array([100 / 255, 1.0, 1.0])
    return np.asarray(colour * np.array([LIGHTNESS_WEIGHT, 1.0, 1.0]))


def settle_blanks(pixels: np.ndarray, boxes: np.ndarray, fused: Fused) -> Fused:
    """Move probability between 5z and back where colour says so.

    Args:
        pixels: The photo, BGR.
        boxes: n x 4.
        fused: The models' joint answers for the boxes.
    """
    if not len(boxes):
        return fused
    pair = fused.shares[:, [WHITE, BACK_CLASS]]
    others = np.delete(fused.shares, [WHITE, BACK_CLASS], axis=1).max(axis=1)
    asked = np.flatnonzero((pair.min(axis=1) > IN_QUESTION) & (pair.max(axis=1) > others))
    sure = fused.confidences > CERTAIN
    faces = np.flatnonzero(sure & (fused.best < len(FACES)) & (fused.best != WHITE))
    if not len(asked) or len(faces) < LEAST_REFERENCES:
        return fused
    backs = np.flatnonzero(sure & (fused.best == BACK_CLASS) & (pair[:, 0] < IN_QUESTION))
    face_colour = np.median([body_colour(pixels, boxes[k]) for k in faces], axis=0)
    back_colours = [body_colour(pixels, boxes[k]) for k in backs]
    shares, confidences = fused.shares.copy(), fused.confidences.copy()
    for k in asked:
        colour = body_colour(pixels, boxes[k])
        from_faces = float(np.linalg.norm(colour - face_colour))
        from_backs = min((float(np.linalg.norm(colour - c)) for c in back_colours), default=None)
        winner = _verdict(from_faces, from_backs)
        if winner is not None:
            before = float(shares[k].max())
            shares[k] = _favour(shares[k], winner)
            confidences[k] = min(confidences[k] * np.sqrt(shares[k].max() / before), 1.0)
    return replace(fused, shares=shares, confidences=confidences)


def _verdict(from_faces: float, from_backs: float | None) -> int | None:
    """The class that the colours speak for, None when they say nothing."""
    if from_faces < ALIKE and (from_backs is None or from_backs > 2 * from_faces):
        return WHITE
    alike = from_backs is not None and from_backs < ALIKE and from_faces > 2 * from_backs
    return BACK_CLASS if alike or from_faces > DIFFERENT else None


def _favour(shares: np.ndarray, winner: int) -> np.ndarray:
    """`shares` with odds between 5z and back moved `EVIDENCE` times towards `winner`."""
    loser = WHITE if winner == BACK_CLASS else BACK_CLASS
    both = float(shares[winner] + shares[loser])
    out = shares.copy()
    weighted = EVIDENCE * float(shares[winner])
    out[winner] = both * weighted / (weighted + float(shares[loser]))
    out[loser] = both - out[winner]
    return out
