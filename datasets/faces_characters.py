"""Characters (万), winds, dragons, flowers and corner numerals: what fonts and frames draw."""

from __future__ import annotations

import math
import random

from datasets.canvas import Canvas
from datasets.styles import RGB, TileStyle

_NUMERALS = "一二三四五六七八九"
FLOWERS = "春夏秋冬梅蘭竹菊"
_FLOWER_VARIANTS = {"蘭": "兰", "春": "春"}
_EXTRAS = ("百", "福", "財", "财", "貓", "鼠", "龍", "聚", "花", "月")
_WIND_LETTERS = "ESWN"


def draw_character(canvas: Canvas, style: TileStyle, number: int, red: bool = False) -> None:
    """A tile of the 万 suit: numeral above, 萬 below, or a large numeral alone."""
    numeral = style.five if number == 5 else _NUMERALS[number - 1]
    ink = style.palette.red if red else style.palette.ink
    wan = style.palette.red if red else style.palette.wan
    if not style.wan:
        canvas.glyph(numeral, style.brush, (0.06, 0.14, 0.94, 0.86), ink, style.bold + 0.01, 1.2)
        return
    stretch = 1.5 if number > 3 else 1.25
    canvas.glyph(numeral, style.brush, (0.08, 0.0, 0.92, 0.4), ink, style.bold, stretch)
    canvas.glyph(style.wan, style.wan_brush, (0.06, 0.47, 0.94, 1.0), wan, style.bold * 0.7)


def draw_honour(canvas: Canvas, style: TileStyle, number: int) -> None:
    """A wind (1 to 4), the white dragon (5), the green (6) or the red one (7)."""
    palette, box = style.palette, (0.04, 0.12, 0.96, 0.88)
    if number <= 4:
        char = (style.dong, "南", "西", "北")[number - 1]
        canvas.glyph(char, style.wind_brush, box, palette.ink, style.bold)
    elif number == 5:
        _draw_white(canvas, style)
    elif number == 6:
        canvas.glyph(style.fa, style.wind_brush, box, palette.green, style.bold)
    else:
        canvas.glyph("中", style.wind_brush, (0.08, 0.04, 0.92, 0.96), palette.red, style.bold)


def _draw_white(canvas: Canvas, style: TileStyle) -> None:
    rng = random.Random(style.seed)
    palette = style.palette
    paint = rng.choice((palette.blue, palette.ink, palette.blue, palette.green))
    width = rng.uniform(0.035, 0.085)
    kind = style.white
    if kind == "frame" or kind == "framed letter":
        canvas.frame(0.0, width, paint, radius=rng.choice((0.0, 0.06, 0.12)))
    elif kind == "double":
        second = rng.choice((paint, paint, palette.red))
        canvas.frame(0.0, width, paint, radius=rng.choice((0.0, 0.05, 0.1)))
        canvas.frame(width * 1.9, width * 0.55, second, radius=rng.choice((0.0, 0.05)))
    elif kind == "notched":
        canvas.frame(0.0, width, paint, radius=rng.choice((0.0, 0.04)))
        gap = width * 1.8
        canvas.frame(gap, width * 0.45, paint, notch=0.13)
        for x in (gap, 1 - gap):
            for y in (gap, canvas.tall - gap):
                canvas.disc((x, y / canvas.tall), width * 0.35, paint)
    elif kind in ("key", "key letter"):
        _key_frame(canvas, paint, rng)
    if "letter" in kind:
        half = 0.3 if kind == "letter" and style.white_letter in "白板" else 0.15
        half = min(0.42, half * rng.uniform(1.0, 1.3)) if kind == "letter" else half
        box = (
            0.5 - half,
            0.5 - half * 1.1 / canvas.tall,
            0.5 + half,
            0.5 + half * 1.1 / canvas.tall,
        )
        font = style.brush if style.white_letter in "白板" else style.corner_font
        letter_paint = paint if half > 0.2 else rng.choice((palette.red, paint))
        canvas.glyph(style.white_letter, font, box, letter_paint, style.bold)


def _key_frame(canvas: Canvas, paint: RGB, rng: random.Random) -> None:
    """A frame of short bars between two lines, as on Hong Kong sets."""
    depth, line = 0.17, 0.025
    canvas.frame(0.0, line, paint)
    canvas.frame(depth, line, paint)
    count = rng.choice((4, 5, 6))
    d = depth / canvas.tall
    for i in range(count):
        x = (i + 0.5) / count
        for y in (d / 2, 1 - d / 2):
            canvas.line([(x - 0.25 / count, y), (x + 0.25 / count, y)], 0.04, paint)
    rows = round(count * canvas.tall)
    for i in range(rows):
        y = (i + 0.5) / rows
        for x in (depth / 2, 1 - depth / 2):
            canvas.line([(x, y - 0.25 / rows), (x, y + 0.25 / rows)], 0.04, paint)


def draw_flower(canvas: Canvas, style: TileStyle, number: int) -> None:
    """A flower or season tile (unlabelled in scenes): a plant, a character, maybe a numeral."""
    rng = random.Random(style.seed * 31 + number)
    palette = style.palette
    if number >= len(FLOWERS):
        char = _EXTRAS[(number - len(FLOWERS)) % len(_EXTRAS)]
        canvas.glyph(
            char,
            style.brush,
            (0.1, 0.2, 0.9, 0.8),
            rng.choice((palette.red, palette.green)),
            style.bold,
        )
        canvas.ring((0.5, 0.5), 0.48, 0.03, palette.blue)
        return
    char = FLOWERS[number]
    if style.wan == "万":
        char = _FLOWER_VARIANTS.get(char, char)
    left = rng.random() < 0.5
    paint = palette.red if number < 4 else palette.blue
    canvas.glyph(
        char,
        style.brush,
        (0.0, 0.0, 0.36, 0.26) if left else (0.64, 0.0, 1.0, 0.26),
        paint,
        style.bold,
    )
    digit_box = (0.72, 0.0, 0.9, 0.18) if left else (0.1, 0.0, 0.28, 0.18)
    canvas.glyph(str(number % 4 + 1), style.corner_font, digit_box, paint)
    stem_x = rng.uniform(0.4, 0.6)
    canvas.line(
        [(stem_x, 1.0), (0.5, 0.75), (rng.uniform(0.35, 0.65), 0.42)],
        0.04,
        palette.green,
        curve=True,
    )
    for _ in range(rng.randint(3, 6)):
        x, y = rng.uniform(0.15, 0.85), rng.uniform(0.55, 0.95)
        a = rng.uniform(-0.8, 0.8)
        canvas.line([(0.5, y), (x, y - 0.1 * math.cos(a))], 0.05, palette.green, curve=False)
    for _ in range(rng.randint(1, 3)):
        at = (rng.uniform(0.25, 0.75), rng.uniform(0.38, 0.62))
        for p in canvas.around(at, 0.09, 5, rng.random()):
            canvas.disc(p, 0.06, palette.red)
        canvas.disc(at, 0.05, None)


def draw_corners(canvas: Canvas, style: TileStyle, tile: str, edge: tuple[int, int]) -> None:
    """The Arabic numeral or Latin letter in the corners of the whole face (`edge`: its size)."""
    if style.corner == "none":
        return
    if tile[1] == "z":
        number = int(tile[0])
        text = _WIND_LETTERS[number - 1] if number <= 4 else ("P", "F", "C")[number - 5]
        if style.seed % 3 == 0 and number > 4:
            return
    else:
        text = tile[0]
    width, height = edge
    paint = getattr(style.palette, style.corner_paint)
    size = style.corner_size * 0.75
    whole = Canvas(width, height, 0.0)
    tall = height / width
    left = (0.06, 0.05, 0.06 + size, 0.05 + size * 1.35 / tall)
    right = (1 - 0.06 - size, 0.05, 1 - 0.06, left[3])
    if style.corner in ("left", "both"):
        whole.glyph(text, style.corner_font, left, paint, stretch=1.05)
    if style.corner in ("right", "opposite"):
        whole.glyph(text, style.corner_font, right, paint, stretch=1.05)
    if style.corner in ("both", "opposite"):
        turned = Canvas(width, height, 0.0)
        turned.glyph(
            text, style.corner_font, left if style.corner == "both" else right, paint, stretch=1.05
        )
        whole.image.alpha_composite(turned.image.rotate(180))
    canvas.image.alpha_composite(whole.image)
