"""Arms of the players in a film: drawn once each, laid over every frame where they reach."""

from __future__ import annotations

import math
import random

import numpy as np
from numpy.typing import NDArray

from datasets.scene_camera import Camera
from datasets.scene_hands import draw_arm
from datasets.scene_render import Painter
from vision.opencv import cv2

_SIDE = 760
_PALM_Y, _PALM = 130.0, 42.0
_TIP_Y = _PALM_Y - 1.8 * _PALM
_PALM_WIDTHS = 1.45  # radius of a palm in tile widths

Point = tuple[float, float]


class Arm:
    """One player's arm.

    Args:
        side: 0 self, 1 right, 2 across, 3 left.
        rng: source of skin, sleeve and hand.
    """

    def __init__(self, side: int, rng: random.Random) -> None:
        self.side = side
        palm, up = np.array([_SIDE / 2, _PALM_Y]), np.array([0.0, -1.0])
        mask, picture = draw_arm(_SIDE, palm, up, _PALM, rng)
        self._mask: NDArray[np.uint8] = mask
        self._picture = picture.astype(np.uint8)

    def paint(self, painter: Painter, tip: Point) -> None:
        """Paint the arm with its fingertips over a point of the table, and hide what it hides."""
        height, width = painter.picture.shape[:2]
        warp, scale = self._warp(painter.camera, tip)
        corners = np.array([(0, 0), (_SIDE, 0), (_SIDE, _SIDE), (0, _SIDE)], float)
        placed = corners @ warp[:, :2].T + warp[:, 2]
        x0, y0 = np.maximum(np.floor(placed.min(0)).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(placed.max(0)).astype(int), (width, height))
        if x1 - x0 < 2 or y1 - y0 < 2 or not 0.05 < scale < 8:
            return
        warp[:, 2] -= (x0, y0)
        box = (int(x1 - x0), int(y1 - y0))
        mask = cv2.warpAffine(self._mask, warp, box)
        arm = cv2.warpAffine(self._picture, warp, box, borderMode=cv2.BORDER_REPLICATE)
        part = painter.picture[y0:y1, x0:x1]
        alpha = mask[..., None].astype(np.uint16)
        part[:] = (arm * alpha + part * (255 - alpha)) // 255
        painter.owner[y0:y1, x0:x1][mask > 127] = 0

    def _warp(self, camera: Camera, tip: Point) -> tuple[NDArray[np.float64], float]:
        """The similarity from the drawn arm to the picture, and its scale."""
        angle = self.side * math.pi / 2
        shoulder = np.array([20 * math.sin(angle) + 1.5 * math.cos(angle), -20 * math.cos(angle)])
        towards = np.array(tip) - shoulder
        towards /= np.linalg.norm(towards)
        back = np.array(tip) - 0.3 * towards
        points = np.array([(*tip, 0.9), (*back, 0.9)])
        pixels, depth = camera.project(points)
        along = pixels[0] - pixels[1]
        along /= max(float(np.linalg.norm(along)), 1e-6)
        scale = camera.focal / max(float(depth[0]), 1.0) * _PALM_WIDTHS / _PALM
        turn = np.array([[-along[1], -along[0]], [along[0], -along[1]]]) * scale
        shift = pixels[0] - turn @ np.array([_SIDE / 2, _TIP_Y])
        return np.column_stack([turn, shift]), scale
