"""Hands and sleeves in the way: fingers that reach into the picture over some of the tiles."""

from __future__ import annotations

import math
import random

import numpy as np
from numpy.typing import NDArray

from datasets.scene_render import Painter
from datasets.styles import RGB, jitter
from vision.opencv import cv2

_SKINS: tuple[RGB, ...] = (
    (232, 190, 160),
    (215, 165, 130),
    (190, 140, 105),
    (240, 205, 180),
    (150, 105, 75),
    (110, 75, 55),
)
_SLEEVES: tuple[RGB, ...] = (
    (30, 30, 36),
    (60, 70, 110),
    (200, 200, 205),
    (120, 40, 50),
    (70, 90, 70),
    (180, 150, 110),
)


def paint_hands(painter: Painter, rng: random.Random) -> None:
    """Paint one or two hands reaching in from the edges, and note what they hide."""
    for _ in range(rng.choice((1, 1, 2))):
        mask, picture = _hand(painter.picture.shape[0], rng)
        alpha = mask[..., None].astype(np.float32) / 255
        base = painter.picture.astype(np.float32)
        painter.picture[:] = (base + (picture - base) * alpha).astype(np.uint8)
        painter.cover(mask)


def _hand(size: int, rng: random.Random) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Mask and colours of an arm from the picture's edge with a palm and fingers."""
    angle = rng.uniform(0, 2 * math.pi)
    reach = rng.uniform(0.28, 0.55)  # of the palm from the picture's middle, in picture sides
    palm = np.array([0.5 + reach * math.cos(angle), 0.5 + reach * math.sin(angle)]) * size
    inwards = -np.array([math.cos(angle), math.sin(angle)])
    return draw_arm(size, palm, inwards, rng.uniform(0.05, 0.11) * size, rng)


def draw_arm(
    size: int, palm: NDArray[np.float64], inwards: NDArray[np.float64], r: float, rng: random.Random
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Mask and colours of an arm whose fingers point `inwards` (a unit vector).

    Args:
        size: side of both pictures in pixels.
        palm: middle of the palm in pixels.
        inwards: where the fingers point.
        r: radius of the palm in pixels.
        rng: source of skin, sleeve and the way the fingers are held.
    """
    skin = jitter(rng, rng.choice(_SKINS), 14)
    across = np.array([-inwards[1], inwards[0]])
    mask = np.zeros((size, size), np.uint8)
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = skin[::-1]
    elbow = palm - inwards * size
    shading = np.zeros((size, size), np.uint8)
    if rng.random() < 0.7:  # the sleeve starts behind the wrist
        sleeve = np.zeros((size, size), np.uint8)
        _limb(sleeve, palm - inwards * r * rng.uniform(1.8, 4), elbow, r * rng.uniform(0.9, 1.4))
        picture[sleeve > 0] = jitter(rng, rng.choice(_SLEEVES), 20)[::-1]
        mask |= sleeve
    _limb(mask, palm, elbow, r * 0.7)
    cv2.circle(mask, _at(palm), int(r), 255, -1, cv2.LINE_AA)
    spread = rng.uniform(0.2, 0.5)
    for k in range(4):
        side = (k - 1.5) / 1.5
        root = palm + across * side * r * 0.75 + inwards * r * 0.4
        lean = inwards + across * side * spread * rng.uniform(0.6, 1.2)
        lean /= np.linalg.norm(lean)
        middle = root + lean * r * rng.uniform(0.8, 1.1)
        tip = middle + (lean + across * rng.uniform(-0.25, 0.25)) * r * rng.uniform(0.5, 1.0)
        for a, b in ((root, middle), (middle, tip)):
            _limb(mask, a, b, r * 0.26)
            _limb(shading, a + across * r * 0.2, b + across * r * 0.2, r * 0.07)
    thumb = palm + across * rng.choice((-1, 1)) * r
    _limb(mask, thumb, thumb + (inwards + across * rng.uniform(-0.5, 0.5)) * r, r * 0.3)
    relief = cv2.GaussianBlur(mask, (0, 0), r * 0.35).astype(np.float32) / 255
    picture *= (0.55 + 0.5 * relief)[..., None]
    picture -= cv2.GaussianBlur(shading, (0, 0), 2)[..., None].astype(np.float32) * 0.25
    return cv2.GaussianBlur(mask, (3, 3), 0), np.clip(picture, 0, 255)


def _at(point: NDArray[np.float64]) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def _limb(
    mask: NDArray[np.uint8], a: NDArray[np.float64], b: NDArray[np.float64], half: float
) -> None:
    cv2.line(mask, _at(a), _at(b), 255, max(1, int(2 * half)), cv2.LINE_AA)
