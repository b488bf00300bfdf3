"""A tile's picture with nothing in it but its face.

A box around a tile that lies a little askew holds strips of table and of the tile's own sides as
well, and their edge is many times stronger than the print of a worn set. What differs from the
face's colour and is joined to the picture's rim is therefore painted over in the colour of the face
nearby.
"""

from __future__ import annotations

import numpy as np

from vision.opencv import cv2

_DARKEST = 12.0
# Natural logarithms: what differs more than this from the face is print or no face; what differs
# less than that is bare face.
_OTHER, _BARE = 0.3, 0.15
# Shares of the width: how far an edge's blur and shine reach, and over which the colour is taken.
_EDGE, _NEARBY = 0.04, 0.15
_MOST_OUTSIDE = 0.5
_RIM = 0.12


def face_only(tile: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same picture (BGR uint8) with face colour where it shows no face, and a mask of the face.

    A picture that seems to be no face for the most part is left as it is.
    """
    height, width = tile.shape[:2]
    logs = np.log(tile.astype(np.float32) + _DARKEST)
    y, x = round(_RIM * height), round(_RIM * width)
    body = np.median(logs[y : height - y, x : width - x].reshape(-1, 3), axis=0)
    off = np.abs(logs - body).max(axis=2)
    outside = _joined_to_rim(off > _OTHER)
    reach = 2 * max(1, round(_EDGE * width)) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    outside = cv2.dilate(outside.astype(np.uint8), kernel) > 0
    bare = ((off < _BARE) & ~outside).astype(np.float32)
    if not outside.any() or outside.mean() > _MOST_OUTSIDE or not bare.any():
        return tile, np.ones((height, width), bool)
    near = _NEARBY * width
    share = cv2.GaussianBlur(bare, (0, 0), near)[..., None]
    mean = cv2.GaussianBlur(logs * bare[..., None], (0, 0), near) / np.maximum(share, 1e-6)
    colour = np.where(share > 1e-3, mean, body)
    painted = np.where(outside[..., None], colour, logs)
    return np.clip(np.exp(painted) - _DARKEST, 0, 255).round().astype(np.uint8), ~outside


def _joined_to_rim(mask: np.ndarray) -> np.ndarray:
    """The parts of a mask that touch the picture's rim."""
    _, labels = cv2.connectedComponents(mask.astype(np.uint8))
    rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    return np.asarray(np.isin(labels, rim[rim > 0]))
