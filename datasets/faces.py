"""Pictures of tile faces and backs in a given style: paint, engraving, wear, material."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from datasets.canvas import Canvas
from datasets.faces_bamboo import draw_bamboo
from datasets.faces_birds import draw_bird
from datasets.faces_characters import draw_character, draw_corners, draw_flower, draw_honour
from datasets.faces_circles import draw_circles
from datasets.styles import RGB, TileStyle
from vision.opencv import cv2

Pixels = NDArray[np.uint8]

#: Width of a face picture in pixels; its height is this times the style's aspect.
FACE_WIDTH = 168
_DRAWN_AT = 2  # faces are drawn larger by this and reduced, which smooths every edge


def draw_face(tile: str, style: TileStyle, red: bool = False) -> Pixels:
    """The face of `tile`.

    Args:
        tile: an MPSZ face (`1m` .. `7z`) or `flower0` .. `flower17` for a tile without a label.
        style: the set it belongs to.
        red: paint a five wholly red, as the red fives of Japanese sets.

    Returns:
        H x W x 3 uint8 BGR with W = `FACE_WIDTH` and H = W x `style.aspect`, upright.

    Raises:
        ValueError: for a name that is no face.
    """
    width = FACE_WIDTH * _DRAWN_AT
    height = round(FACE_WIDTH * style.aspect) * _DRAWN_AT
    margin = style.margin
    if style.corner != "none":
        margin = max(margin, 0.13)
    canvas = Canvas(width, height, margin)
    if tile.startswith("flower"):
        draw_flower(canvas, style, int(tile[6:]))
    else:
        _draw_suit(canvas, tile, style, red)
        draw_corners(canvas, style, tile, (width, height))
    paint = cv2.cvtColor(np.asarray(canvas.image), cv2.COLOR_RGBA2BGRA)
    small = (FACE_WIDTH, height // _DRAWN_AT)
    seed = random.Random(f"{style.seed} {tile}").randrange(2**31)
    return _finish(cv2.resize(paint, small, interpolation=cv2.INTER_AREA), style, seed)


def _draw_suit(canvas: Canvas, tile: str, style: TileStyle, red: bool) -> None:
    if (
        len(tile) != 2
        or tile[0] not in "123456789"
        or tile[1] not in "mpsz"
        or tile in ("8z", "9z")
    ):
        raise ValueError(f"{tile!r} is not a tile face: use 1m-9m, 1p-9p, 1s-9s, 1z-7z or flowerN")
    number = int(tile[0])
    if tile[1] == "m":
        draw_character(canvas, style, number, red)
    elif tile[1] == "p":
        draw_circles(canvas, style, number, red)
    elif tile == "1s":
        draw_bird(canvas, style)
    elif tile[1] == "s":
        draw_bamboo(canvas, style, number, red)
    else:
        draw_honour(canvas, style, number)


def material(shape: tuple[int, int], colour: RGB, rng: np.random.Generator) -> NDArray[np.float32]:
    """A plain surface of `colour` (RGB) with a slight unevenness: float32 BGR 0..255."""
    height, width = shape
    base = np.empty((height, width, 3), np.float32)
    base[:] = colour[::-1]
    coarse = rng.normal(0, 1, (5, 4)).astype(np.float32)
    base += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[..., None] * 1.6
    fine = rng.normal(0, 1, (height // 2, width // 2)).astype(np.float32)
    return base + cv2.resize(fine, (width, height))[..., None] * 1.2


def _finish(paint: Pixels, style: TileStyle, seed: int) -> Pixels:
    """Lay the paint (BGRA) on the tile's material, with wear and the relief of the engraving."""
    rng = np.random.default_rng(seed)
    height, width = paint.shape[:2]
    face = material((height, width), style.face, rng)
    alpha = paint[..., 3].astype(np.float32) / 255
    if style.wear:
        noise = rng.normal(0, 1, (height // 6, width // 6)).astype(np.float32)
        noise = cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
        fine = rng.normal(0, 1, (height, width)).astype(np.float32)
        keep = 1 - style.wear * (0.35 + 0.45 * noise + 0.12 * fine)
        alpha *= np.clip(keep, 0.12, 1)
    colour = paint[..., :3].astype(np.float32)
    face += (colour - face) * alpha[..., None]
    if style.engraving:
        depth = cv2.GaussianBlur(paint[..., 3].astype(np.float32) / 255, (0, 0), 1.6)
        slope = np.zeros_like(depth)
        slope[1:-1, 1:-1] = (depth[2:, 2:] - depth[:-2, :-2]) * 0.5
        face += (-150 * style.engraving * slope)[..., None]
    return np.clip(face, 0, 255).astype(np.uint8)


def draw_back(style: TileStyle) -> Pixels:
    """The back of the set's tiles: H x W x 3 uint8 BGR, the size of its faces."""
    rng = np.random.default_rng(style.seed)
    height, width = round(FACE_WIDTH * style.aspect), FACE_WIDTH
    back = material((height, width), style.back.colour, rng)
    pattern = style.back.pattern
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / width
    if pattern == "grain":
        streaks = rng.normal(0, 1, (6, width // 3)).astype(np.float32)
        back += cv2.resize(streaks, (width, height), interpolation=cv2.INTER_LINEAR)[..., None] * 9
    elif pattern == "lattice":
        lines = (np.abs((x * 7 + y * 7) % 1 - 0.5) < 0.06) | (
            np.abs((x * 7 - y * 7) % 1 - 0.5) < 0.06
        )
        back[lines] += 45 if back.mean() < 128 else -40
    elif pattern == "dots":
        dots = ((x * 8) % 1 - 0.5) ** 2 + ((y * 8) % 1 - 0.5) ** 2 < 0.05
        back[dots] += 50 if back.mean() < 128 else -45
    elif pattern == "swirl":
        marble = cv2.resize(
            rng.normal(0, 1, (9, 7)).astype(np.float32),
            (width, height),
            interpolation=cv2.INTER_CUBIC,
        )
        back += (np.sin(marble * 4) * 14)[..., None]
    elif pattern == "sparkle":
        back[rng.random((height, width)) < 0.02] += 70
    return np.clip(back, 0, 255).astype(np.uint8)


def flower_names() -> tuple[str, ...]:
    """The names `draw_face` takes for tiles without a label: flowers, seasons and jokers."""
    return tuple(f"flower{i}" for i in range(18))


def restyle(style: TileStyle, **changes: object) -> TileStyle:
    """A copy of `style` with some of its fields changed."""
    return replace(style, **changes)  # type: ignore[arg-type]
