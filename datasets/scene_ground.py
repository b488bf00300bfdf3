"""What lies under and behind the tiles: cloth, wood, mats, boards, plain and printed tops."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from datasets.scene_camera import Camera
from datasets.scene_types import Pixels
from datasets.styles import RGB, jitter
from vision.opencv import cv2

_SIDE = 512
_CLOTHS: tuple[RGB, ...] = (
    (16, 84, 52), (20, 110, 70), (60, 175, 70), (12, 60, 44), (26, 60, 110), (80, 160, 190),
    (30, 36, 60), (120, 24, 34), (92, 92, 96), (36, 38, 40), (150, 140, 120), (30, 110, 120),
    (100, 60, 120), (200, 190, 170), (130, 150, 70),
)  # fmt: skip
_WOODS: tuple[RGB, ...] = (
    (120, 82, 52), (160, 120, 80), (204, 172, 130), (92, 62, 44), (70, 54, 46), (220, 200, 170),
    (150, 90, 50), (180, 175, 170),
)  # fmt: skip


def _noise(rng: np.random.Generator, rows: int, columns: int) -> NDArray[np.float32]:
    grid = rng.normal(0, 1, (rows, columns)).astype(np.float32)
    return cv2.resize(grid, (_SIDE, _SIDE), interpolation=cv2.INTER_CUBIC)


def _plain(colour: RGB) -> NDArray[np.float32]:
    top = np.empty((_SIDE, _SIDE, 3), np.float32)
    top[:] = colour[::-1]
    return top


def _cloth(rng: random.Random, noise: np.random.Generator) -> NDArray[np.float32]:
    top = _plain(jitter(rng, rng.choice(_CLOTHS), 18))
    top += (_noise(noise, 256, 256) * rng.uniform(1, 7) + _noise(noise, 4, 4) * 4)[..., None]
    y, x = np.mgrid[0:_SIDE, 0:_SIDE].astype(np.float32)
    if rng.random() < 0.35:  # weave or dotted rubber
        step = rng.choice((5, 8, 12, 16))
        bump = np.sin(x * 2 * np.pi / step) * np.sin(y * 2 * np.pi / step)
        top += (bump * rng.uniform(4, 18))[..., None]
    if rng.random() < 0.12:  # printed or embossed figures
        for _ in range(rng.randint(3, 9)):
            at = (rng.randrange(_SIDE), rng.randrange(_SIDE))
            tone = rng.uniform(-30, 30)
            ring = np.zeros((_SIDE, _SIDE), np.uint8)
            cv2.circle(ring, at, rng.randint(20, 120), 255, rng.choice((2, 5, 12, -1)), cv2.LINE_AA)
            top[ring > 127] += tone
    return top


def _wood(rng: random.Random, noise: np.random.Generator) -> NDArray[np.float32]:
    base = _plain(jitter(rng, rng.choice(_WOODS), 14))
    streaks = _noise(noise, 6, 90) * 0.6 + _noise(noise, 3, 24) + 0.3 * _noise(noise, 12, 250)
    top: NDArray[np.float32] = base * (
        1 + np.float32(0.07 * rng.uniform(0.4, 1.8)) * streaks[..., None]
    )
    if rng.random() < 0.4:  # planks
        step = rng.choice((64, 96, 128, 170))
        for x in range(0, _SIDE, step):
            top[:, x : x + step] *= rng.uniform(0.88, 1.1)
            top[:, x : x + 2] *= 0.6
    return top


def _grid(rng: random.Random, noise: np.random.Generator) -> NDArray[np.float32]:
    """Tiled floors, chequered cloths, ruled paper, game boards: squares that are no tiles."""
    one = jitter(rng, rng.choice((*_CLOTHS, (240, 240, 236), (235, 225, 200))), 15)
    two = jitter(rng, rng.choice((*_CLOTHS, (250, 250, 250), (60, 40, 30))), 15)
    top = _plain(one)
    step = rng.choice((24, 32, 48, 64, 96))
    line = max(1, step // rng.choice((8, 16, 30)))
    if rng.random() < 0.5:
        y, x = np.mgrid[0:_SIDE, 0:_SIDE] // step
        top[(x + y) % 2 == 0] = two[::-1]
    else:
        for k in range(0, _SIDE, step):
            top[k : k + line] = two[::-1]
            top[:, k : k + line] = two[::-1]
    return top + _noise(noise, 128, 128)[..., None] * 3


def _patches(rng: random.Random, noise: np.random.Generator) -> NDArray[np.float32]:
    """Patterned cloth, maps, covers: soft or hard patches of any colour."""
    n = rng.randint(3, 14)
    grid = noise.integers(0, 255, (n, n, 3)).astype(np.float32)
    how = rng.choice((cv2.INTER_CUBIC, cv2.INTER_NEAREST, cv2.INTER_LINEAR))
    top = cv2.resize(grid, (_SIDE, _SIDE), interpolation=how)
    grey = top.mean(-1, keepdims=True)
    return grey + (top - grey) * rng.uniform(0.05, 0.5)


def _stone(rng: random.Random, noise: np.random.Generator) -> NDArray[np.float32]:
    grey = rng.randint(60, 245)
    top = _plain(jitter(rng, (grey, grey, grey), 14))
    veins = np.abs(_noise(noise, 7, 7) + 0.4 * _noise(noise, 24, 24))
    top -= (np.exp(-veins * 9) * rng.uniform(0, 60))[..., None]
    return top + (_noise(noise, 200, 200) * rng.uniform(0.5, 6))[..., None]


_KINDS = ((9, _cloth), (5, _wood), (3, _stone), (1.2, _grid), (0.6, _patches))


def table_top(rng: random.Random) -> Pixels:
    """A square texture for a table top (512 x 512 x 3 uint8 BGR)."""
    noise = np.random.default_rng(rng.randrange(2**31))
    make = rng.choices([k for _, k in _KINDS], [w for w, _ in _KINDS])[0]
    return np.clip(make(rng, noise), 0, 255).astype(np.uint8)


def paint_ground(
    camera: Camera, rng: random.Random, top: Pixels, floor: Pixels, reach: float | None
) -> Pixels:
    """The picture of the empty table.

    Args:
        camera: the camera.
        rng: source of the texture's scale, turn and place.
        top: texture of the table.
        floor: texture of whatever is behind the table.
        reach: half the side of a square table, or None for a table that fills the view.
    """
    size = camera.size
    side = top.shape[0]
    turn = rng.choice((0.0, np.pi / 2)) + rng.gauss(0, 0.1)
    scale = rng.uniform(8, 26) / side
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    place = np.array([[c, -s, rng.uniform(-9, 9)], [s, c, rng.uniform(-9, 9)], [0, 0, 1]])
    ground = camera.ground_matrix()
    picture = cv2.warpPerspective(
        top, ground @ place, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    beyond = _beyond(camera, reach)
    if beyond.any():
        crop = floor[: rng.randint(side // 5, side), : rng.randint(side // 5, side)]
        behind = cv2.GaussianBlur(cv2.resize(crop, (size, size)), (0, 0), rng.uniform(0.8, 6))
        behind = cv2.convertScaleAbs(behind, alpha=rng.uniform(0.4, 1.0))
        picture[beyond] = behind[beyond]
    return picture


def _beyond(camera: Camera, reach: float | None) -> NDArray[np.bool_]:
    """Where the view passes over the table: above the horizon or past the table's edge."""
    size = camera.size
    x = (np.arange(size, dtype=np.float32) - camera.centre[0]) / camera.focal
    y = (np.arange(size, dtype=np.float32) - camera.centre[1]) / camera.focal
    a = camera.axes.astype(np.float32)
    fall = x[None] * a[0, 2] + y[:, None] * a[1, 2] + a[2, 2]
    beyond = fall > -0.03
    if reach is None or beyond.all():
        return beyond
    way = -camera.position[2] / np.minimum(fall, -0.03)
    for axis in (0, 1):
        ray = x[None] * a[0, axis] + y[:, None] * a[1, axis] + a[2, axis]
        beyond |= np.abs(camera.position[axis] + ray * way) > reach
    return beyond
