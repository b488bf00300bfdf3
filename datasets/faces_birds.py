"""The bird of the one of bamboos (1s): seven designs of our own."""

from __future__ import annotations

import math
import random

import numpy as np
from PIL import Image

from datasets.canvas import Canvas, Point
from datasets.fonts import symbol_font
from datasets.styles import TileStyle


def draw_bird(canvas: Canvas, style: TileStyle) -> None:
    """The bird of this set, a little different for every `style.seed`."""
    _BIRDS[style.bird](canvas, style, random.Random(style.seed))


def _moved(rng: random.Random, points: list[Point], by: float = 0.015) -> list[Point]:
    return [(x + rng.uniform(-by, by), y + rng.uniform(-by, by)) for x, y in points]


def _parrot(canvas: Canvas, style: TileStyle, rng: random.Random) -> None:
    """A slender bird on a bamboo twig, long tail down: the commonest design."""
    p = style.palette
    first, second = rng.sample((p.green, p.blue, p.red), 2)
    canvas.line(_moved(rng, [(0.02, 0.52), (0.3, 0.56), (0.62, 0.53), (0.98, 0.46)]), 0.05, p.green)
    for x, y in ((0.06, 0.49), (0.92, 0.44)):
        canvas.disc((x, y), 0.05, p.green)
    tail = [(0.4, 0.55), (0.62, 0.55), (0.66, 0.8), (0.74, 1.0), (0.55, 0.92), (0.46, 0.75)]
    canvas.blob(_moved(rng, tail), p.red)
    canvas.line([(0.52, 0.6), (0.6, 0.8), (0.68, 0.94)], 0.025, second, curve=True)
    body = [(0.42, 0.16), (0.62, 0.2), (0.74, 0.4), (0.66, 0.58), (0.44, 0.6), (0.32, 0.42)]
    canvas.blob(_moved(rng, body), first)
    canvas.blob(_moved(rng, [(0.5, 0.27), (0.66, 0.36), (0.62, 0.52), (0.47, 0.48)]), second)
    for y in (0.34, 0.4, 0.46):
        canvas.draw.line([canvas.px((0.48, y)), canvas.px((0.63, y + 0.03))], (0, 0, 0, 0), 3)
    canvas.disc((0.45, 0.14), 0.14, first)
    canvas.disc((0.43, 0.13), 0.055, None)
    canvas.disc((0.43, 0.13), 0.028, p.ink)
    canvas.blob([(0.34, 0.12), (0.18, 0.16), (0.22, 0.2), (0.36, 0.18)], p.red)
    for dx in (-0.06, 0.02, 0.1):
        canvas.line([(0.46, 0.05), (0.46 + dx, -0.02)], 0.025, second)


def _sparrow(canvas: Canvas, style: TileStyle, rng: random.Random) -> None:
    """A plump perched bird with its tail down to the left."""
    p = style.palette
    first, second = rng.sample((p.green, p.red, p.blue), 2)
    body = [(0.3, 0.2), (0.55, 0.14), (0.72, 0.3), (0.7, 0.52), (0.5, 0.66), (0.3, 0.55)]
    canvas.blob(_moved(rng, body), first)
    canvas.blob([(0.36, 0.28), (0.52, 0.2), (0.62, 0.32), (0.6, 0.48), (0.44, 0.5)], None)
    canvas.blob(_moved(rng, [(0.4, 0.32), (0.55, 0.36), (0.6, 0.56), (0.42, 0.5)]), second)
    for k in range(3):
        x = 0.4 - 0.06 * k
        canvas.line([(0.45, 0.6), (x, 0.78), (x - 0.1, 0.98)], 0.04, second, curve=True)
    for x in (0.5, 0.6):
        canvas.line([(x, 0.62), (x + 0.04, 0.8)], 0.03, p.ink)
    canvas.line([(0.3, 0.82), (0.62, 0.8), (0.95, 0.72)], 0.05, p.green, curve=True)
    canvas.disc((0.5, 0.2), 0.05, p.ink)
    canvas.blob([(0.3, 0.2), (0.12, 0.25), (0.3, 0.29)], p.red)
    canvas.line([(0.46, 0.14), (0.4, 0.04), (0.34, 0.02)], 0.03, second, curve=True)


def _crane(canvas: Canvas, style: TileStyle, rng: random.Random) -> None:
    """A wading bird: long neck, one raised wing of strokes, thin legs."""
    p = style.palette
    main = rng.choice((p.blue, p.ink, p.green))
    neck = [(0.2, 0.1), (0.34, 0.08), (0.4, 0.2), (0.32, 0.34), (0.42, 0.48)]
    canvas.line(_moved(rng, neck), 0.06, main, curve=True)
    canvas.line([(0.22, 0.1), (0.02, 0.16)], 0.035, p.red)
    canvas.disc((0.27, 0.09), 0.065, p.red)
    canvas.blob(
        _moved(rng, [(0.34, 0.44), (0.6, 0.4), (0.8, 0.52), (0.62, 0.64), (0.4, 0.6)]), main
    )
    for k in range(6):
        a = -0.2 - 0.24 * k
        tip = (0.55 + 0.42 * math.cos(a), 0.48 + 0.44 * math.sin(a))
        middle = (0.55 + 0.22 * math.cos(a - 0.25), 0.48 + 0.22 * math.sin(a - 0.25))
        canvas.line([(0.55, 0.5), middle, tip], 0.045, main if k % 2 else p.red, curve=True)
    for k in range(3):
        canvas.line([(0.75, 0.54), (0.98, 0.56 + 0.07 * k)], 0.04, main)
    for x in (0.48, 0.6):
        canvas.line([(x, 0.62), (x - 0.04, 0.8), (x + 0.02, 0.98)], 0.03, p.red)
        canvas.line([(x + 0.02, 0.98), (x - 0.14, 0.99)], 0.025, p.red)


def _peacock(canvas: Canvas, style: TileStyle, rng: random.Random) -> None:
    """A bird in profile with a sweeping tail of eyes."""
    p = style.palette
    for k in range(5):
        a = 0.55 + 0.2 * k
        tip = (0.42 + 0.55 * math.cos(a), 0.42 + 0.52 * math.sin(a))
        canvas.line([(0.4, 0.42), tip], 0.06, p.green if k % 2 else p.blue)
        canvas.disc(tip, 0.085, p.green)
        canvas.disc(tip, 0.05, None)
        canvas.disc(tip, 0.035, p.red)
    body = [(0.26, 0.2), (0.4, 0.22), (0.56, 0.4), (0.5, 0.58), (0.32, 0.56), (0.22, 0.38)]
    canvas.blob(_moved(rng, body), p.blue)
    canvas.line([(0.3, 0.3), (0.28, 0.16), (0.34, 0.06)], 0.1, p.blue, curve=True)
    canvas.disc((0.35, 0.07), 0.075, p.blue)
    canvas.disc((0.35, 0.06), 0.025, None)
    canvas.line([(0.29, 0.08), (0.16, 0.11)], 0.035, p.red)
    for dx in (-0.02, 0.06, 0.14):
        canvas.line([(0.37, 0.03), (0.36 + dx, -0.05)], 0.02, p.red)
        canvas.disc((0.36 + dx, -0.05), 0.022, p.red)
    for x in (0.34, 0.44):
        canvas.line([(x, 0.56), (x - 0.02, 0.86)], 0.03, p.red)
        canvas.line([(x - 0.1, 0.88), (x + 0.06, 0.88)], 0.03, p.red)


def _fan(canvas: Canvas, style: TileStyle, rng: random.Random) -> None:
    """A peacock from the front: a round fan of rings above a small body."""
    p = style.palette
    main = rng.choice((p.ink, p.blue, p.green))
    centre = (0.5, 0.4)
    for r, count, size in ((0.4, 13, 0.075), (0.25, 9, 0.07), (0.11, 5, 0.06)):
        for x, y in canvas.around(centre, r, count, 0.3):
            if y > 0.66:
                continue
            canvas.disc((x, y), size, main)
            canvas.disc((x, y), size * 0.6, None)
            canvas.disc((x, y), size * 0.32, p.red)
    canvas.blob(
        _moved(rng, [(0.4, 0.52), (0.6, 0.52), (0.68, 0.72), (0.5, 0.86), (0.32, 0.72)]), main
    )
    canvas.line([(0.5, 0.66), (0.5, 0.46)], 0.09, main)
    canvas.disc((0.5, 0.45), 0.07, p.red)
    canvas.line([(0.44, 0.86), (0.36, 0.98)], 0.035, main)
    canvas.line([(0.56, 0.86), (0.64, 0.98)], 0.035, main)
    canvas.blob([(0.22, 0.7), (0.36, 0.74), (0.28, 0.86)], main)
    canvas.blob([(0.78, 0.7), (0.64, 0.74), (0.72, 0.86)], main)


def _abstract(canvas: Canvas, style: TileStyle, rng: random.Random) -> None:
    """A few strong strokes: head, wing lines, tail."""
    p = style.palette
    main = rng.choice((p.ink, p.green, p.red, p.blue))
    other = rng.choice((p.red, main))
    canvas.line(
        _moved(rng, [(0.2, 0.12), (0.42, 0.08), (0.5, 0.26), (0.36, 0.44), (0.5, 0.62)], 0.03),
        0.06,
        main,
        curve=True,
    )
    canvas.line(
        _moved(rng, [(0.48, 0.22), (0.78, 0.3), (0.8, 0.52), (0.5, 0.62)], 0.03),
        0.05,
        main,
        curve=True,
    )
    for k in range(4):
        start = (0.5 + 0.02 * k, 0.34 + 0.06 * k)
        canvas.line(
            _moved(rng, [start, (0.68, start[1] + 0.02), (0.88, start[1] - 0.1)], 0.02),
            0.03,
            other,
            curve=True,
        )
    for k in range(4):
        canvas.line(
            _moved(rng, [(0.48, 0.6), (0.4 + 0.1 * k, 0.8), (0.24 + 0.2 * k, 0.99)], 0.02),
            0.04,
            other if k % 2 else main,
            curve=True,
        )
    canvas.disc((0.37, 0.14), 0.035, other)
    canvas.line([(0.2, 0.12), (0.06, 0.2)], 0.04, other)


def _glyph(canvas: Canvas, style: TileStyle, rng: random.Random) -> None:
    """The bird of the character 🀐, without that character's frame, in two or three paints."""
    font = symbol_font()
    if font is None:
        _peacock(canvas, style, rng)
        return
    p = style.palette
    canvas.glyph("\U0001f010", font, (-0.14, -0.1, 1.14, 1.1), p.green, 0.004, stretch=1.2)
    top, middle = rng.choice(
        ((p.red, p.green), (p.blue, p.green), (p.green, p.green), (p.ink, p.red))
    )
    pixels = np.array(canvas.image)
    (x0, y0), (x1, y1) = canvas.px((-0.02, 0.0)), canvas.px((1.02, 1.0))
    pixels[: int(y0), :, 3] = pixels[int(y1) :, :, 3] = 0  # the frame around the glyph
    pixels[:, : int(x0), 3] = pixels[:, int(x1) :, 3] = 0
    pixels[: int(y0 + 0.45 * (y1 - y0)), :, :3] = middle
    pixels[: int(y0 + 0.25 * (y1 - y0)), :, :3] = top
    canvas.image.paste(Image.fromarray(pixels))


_BIRDS = {
    "parrot": _parrot,
    "sparrow": _sparrow,
    "crane": _crane,
    "peacock": _peacock,
    "fan": _fan,
    "abstract": _abstract,
    "glyph": _glyph,
}
