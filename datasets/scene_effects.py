"""What a camera does to the light: uneven and coloured light, glare, blur, noise, JPEG."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from datasets.scene_types import Pixels
from vision.opencv import cv2


def photograph(picture: Pixels, rng: random.Random, strength: float = 1.0) -> Pixels:
    """The picture as a hand-held camera would have taken it.

    Args:
        picture: the clean rendering.
        rng: source of every choice.
        strength: 0 leaves only the mildest effects, 1 is the range of real photos.
    """
    noise = np.random.default_rng(rng.randrange(2**31))
    light = picture.astype(np.float32)
    light *= _unevenness(picture.shape[0], rng, noise, strength)[..., None]
    if rng.random() < 0.22 * strength:
        _add_glare(light, rng)
    if rng.random() < 0.15 * strength:
        _add_shadow(light, rng)
    tint = np.array([rng.gauss(1, 0.09), rng.gauss(1, 0.025), rng.gauss(1, 0.08)], np.float32)
    light *= 1 + (tint - 1) * strength
    contrast = 1 + (rng.uniform(0.7, 1.25) - 1) * strength
    light = (light - 128) * contrast + 128 + rng.uniform(-32, 24) * strength
    dim = rng.random() < 0.1 * strength and strength > 0.5
    if dim:
        light *= rng.uniform(0.4, 0.75)
    light = _blur(light, rng, strength)
    if rng.random() < 0.55 * strength:
        _add_noise(light, rng, noise, 2.0 if dim else 1.0)
    result = np.clip(light, 0, 255).astype(np.uint8)
    if rng.random() < 0.06 * strength:
        result = cv2.cvtColor(cv2.cvtColor(result, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if rng.random() < 0.5:
        quality = rng.randint(32, 92) if strength > 0.5 else 92
        packed = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        result = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return result


def _unevenness(
    size: int, rng: random.Random, noise: np.random.Generator, strength: float
) -> NDArray[np.float32]:
    grid = noise.random((3, 3), dtype=np.float32)
    field = cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC)
    return 1 + (field - 0.5) * rng.uniform(0.05, 0.65) * strength


def _spot(size: int, rng: random.Random, spread: tuple[int, int]) -> NDArray[np.float32]:
    small = size // 4
    mask = np.zeros((small, small), np.float32)
    at = (rng.randrange(small), rng.randrange(small))
    axes = (rng.randint(*spread), rng.randint(*spread))
    if rng.random() < 0.5:
        cv2.ellipse(mask, at, axes, rng.randrange(180), 0, 360, 1.0, -1)
    else:  # a window or a tube
        box = cv2.boxPoints((at, (axes[0] * 2, axes[1]), rng.randrange(180)))
        cv2.fillConvexPoly(mask, box.astype(np.int32), 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1.5, 10))
    return cv2.resize(mask, (size, size))


def _add_glare(light: NDArray[np.float32], rng: random.Random) -> None:
    for _ in range(rng.choice((1, 1, 2, 3))):
        light += (_spot(light.shape[0], rng, (2, 34)) * rng.uniform(40, 190))[..., None]


def _add_shadow(light: NDArray[np.float32], rng: random.Random) -> None:
    """The soft shadow of the photographer's hand, head or phone."""
    light *= (1 - _spot(light.shape[0], rng, (20, 80)) * rng.uniform(0.2, 0.55))[..., None]


def _blur(light: NDArray[np.float32], rng: random.Random, strength: float) -> NDArray[np.float32]:
    kind = rng.random() / max(strength, 1e-6)
    if kind < 0.34:
        return cv2.GaussianBlur(light, (0, 0), rng.uniform(0.4, 1.6))
    if kind < 0.46:  # the hand moved
        length = rng.randint(3, 9)
        kernel = np.zeros((length, length), np.float32)
        ends = (0, rng.randrange(length)), (length - 1, rng.randrange(length))
        cv2.line(kernel, *ends, 1.0)
        if rng.random() < 0.5:
            kernel = kernel.T.copy()
        return cv2.filter2D(light, -1, kernel / kernel.sum())
    if kind < 0.62:  # a small sensor, enlarged
        scale = rng.uniform(0.42, 0.85)
        small = cv2.resize(light, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        back = cv2.resize(small, light.shape[1::-1])
        if rng.random() < 0.3:  # and sharpened by its firmware
            back += (back - cv2.GaussianBlur(back, (0, 0), 1.5)) * rng.uniform(0.4, 1.2)
        return back
    return light


def _add_noise(
    light: NDArray[np.float32], rng: random.Random, noise: np.random.Generator, much: float
) -> None:
    size = light.shape[0]
    amount = rng.uniform(1, 9) * much
    if rng.random() < 0.5:
        light += noise.standard_normal((size, size, 1), dtype=np.float32) * amount
    else:  # webcam noise: coarse and coloured
        coarse = noise.standard_normal((size // 2, size // 2, 3), dtype=np.float32) * amount
        light += cv2.resize(coarse, (size, size))
