"""Board games and round things: tiles of a board with number tokens, coins, chips, caps, buttons.

A round token with a number is what a detector most readily takes for a circle of the 饼 suit.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw

from datasets.fonts import latin_fonts
from datasets.scene_prints import WORDS, Made, bgr, chinese_font, print_text
from datasets.styles import RGB, jitter

_LANDS: tuple[RGB, ...] = (
    (40, 90, 45), (140, 180, 70), (225, 185, 70), (190, 95, 55), (130, 130, 135), (215, 195, 150),
    (70, 130, 180), (95, 60, 40), (170, 60, 60), (110, 80, 140), (235, 225, 205),
)  # fmt: skip
_CREAMS: tuple[RGB, ...] = ((248, 240, 215), (255, 255, 250), (235, 215, 170), (225, 225, 225))
_INKS: tuple[RGB, ...] = ((25, 25, 28), (190, 30, 30), (30, 60, 140), (40, 100, 50))
_METALS: tuple[RGB, ...] = ((205, 175, 95), (190, 192, 196), (180, 110, 70), (220, 215, 190))
_BRIGHTS: tuple[RGB, ...] = (
    (190, 35, 40), (35, 85, 170), (30, 120, 65), (235, 235, 230), (30, 30, 34), (235, 150, 40),
    (240, 210, 60), (120, 60, 130), (150, 100, 60),
)  # fmt: skip

Draw = ImageDraw.ImageDraw


def _disc(draw: Draw, x: float, y: float, r: float, **paint: RGB | int | None) -> None:
    draw.ellipse((x - r, y - r, x + r, y + r), **paint)  # type: ignore[arg-type]


def _number(draw: Draw, rng: random.Random, at: tuple[float, float], r: float, ink: RGB) -> None:
    """A number or a sign in the middle of a round token, maybe with dots below it."""
    text = rng.choice((*(str(n) for n in range(13)), "8", "6", "25", "50", "★", "A", "X", "?"))
    if rng.random() < 0.1:
        text = rng.choice(WORDS)
    fonts = (chinese_font(rng),) if len(text.encode()) > 2 else latin_fonts()
    font = rng.choice(fonts).at(max(6, round(r * rng.uniform(0.8, 1.25))))
    draw.text(at, text, font=font, fill=ink, anchor="mm")
    if rng.random() < 0.5:
        count, size = rng.randint(1, 5), r * 0.07
        for k in range(count):
            x = at[0] + (k - (count - 1) / 2) * size * 3
            _disc(draw, x, at[1] + r * 0.66, max(1.0, size), fill=ink)


def _token(draw: Draw, rng: random.Random, at: tuple[float, float], r: float) -> None:
    """A light round token printed or lying on a board."""
    _disc(draw, at[0] + r * 0.08, at[1] + r * 0.1, r, fill=(50, 45, 40))
    body = jitter(rng, rng.choice(_CREAMS), 8)
    ink = jitter(rng, rng.choice(_INKS[:2] if rng.random() < 0.8 else _INKS), 10)
    rim = ink if rng.random() < 0.3 else None
    _disc(draw, *at, r, fill=body, outline=rim, width=max(1, round(r * 0.08)))
    if rng.random() < 0.9:
        _number(draw, rng, at, r, ink)


def _land(image: Image.Image, rng: random.Random, shape: list[tuple[float, float]]) -> None:
    """One tile of a board: a colour with strokes of the same tone."""
    draw = ImageDraw.Draw(image)
    base = jitter(rng, rng.choice(_LANDS), 14)
    draw.polygon(shape, fill=base)
    xs, ys = [p[0] for p in shape], [p[1] for p in shape]
    cx, cy = sum(xs) / len(xs), sum(ys) / len(ys)
    reach = 0.3 * (max(xs) - min(xs))
    for _ in range(rng.randint(0, 14)):
        x, y = cx + rng.uniform(-reach, reach), cy + rng.uniform(-reach, reach)
        tone = jitter(rng, base, 45)
        if rng.random() < 0.5:
            draw.line((x, y, x + rng.gauss(0, 12), y + rng.gauss(0, 12)), fill=tone, width=3)
        else:
            draw.polygon([(x, y - 9), (x + 8, y + 6), (x - 8, y + 6)], fill=tone)
    draw.line([*shape, shape[0]], fill=jitter(rng, (215, 195, 150), 50), width=rng.choice((2, 5)))


def _cells(rng: random.Random, side: int) -> tuple[list[list[tuple[float, float]]], float]:
    """The outlines of a board's tiles, hexagons or squares, and the radius of a tile."""
    count = rng.choice((3, 4, 5, 5, 6, 8))
    step = 0.94 * side / count
    if rng.random() < 0.35:
        corners = [
            (side / 2 + (x - count / 2) * step, side / 2 + (y - count / 2) * step)
            for x in range(count)
            for y in range(count)
        ]
        squares = [[(x, y), (x + step, y), (x + step, y + step), (x, y + step)] for x, y in corners]
        return squares, step / 2
    r = step / math.sqrt(3)
    cells = []
    for row in range(-count, count + 1):
        for column in range(-count, count + 1):
            x, y = step * (column + row / 2), 1.5 * r * row
            if math.hypot(x, y) < 0.47 * side - r / 2:
                turns = [math.pi / 6 + k * math.pi / 3 for k in range(6)]
                cells.append(
                    [
                        (side / 2 + x + r * math.cos(a), side / 2 + y + r * math.sin(a))
                        for a in turns
                    ]
                )
    return cells, r


def tiled_board(rng: random.Random) -> Made:
    """A board of hexagons or squares, number tokens on most of them, roads and pieces between."""
    side = 840
    ground = jitter(rng, rng.choice(((60, 110, 170), (200, 180, 140), (50, 50, 54))), 20)
    image = Image.new("RGB", (side, side), ground)
    cells, r = _cells(rng, side)
    draw = ImageDraw.Draw(image)
    share, size = rng.uniform(0.4, 1.0), r * rng.uniform(0.3, 0.55)
    for shape in cells:
        _land(image, rng, shape)
        if rng.random() < share:
            x, y = (sum(p[k] for p in shape) / len(shape) for k in (0, 1))
            _token(draw, rng, (x + rng.gauss(0, r * 0.05), y + rng.gauss(0, r * 0.05)), size)
        if rng.random() < 0.4:  # a road along an edge
            k = rng.randrange(len(shape))
            road = (*shape[k], *shape[k - 1])
            draw.line(road, fill=jitter(rng, rng.choice(_BRIGHTS), 15), width=10)
    width = rng.uniform(9, 17)
    picture = np.rot90(bgr(image), rng.randrange(4)).copy()
    return picture, ground, (width, width, 0.015)


def token(rng: random.Random) -> Made:
    """A loose number token."""
    body = jitter(rng, rng.choice((*_CREAMS, *_CREAMS, *_BRIGHTS)), 10)
    image = Image.new("RGB", (160, 160), body)
    draw = ImageDraw.Draw(image)
    ink: RGB = rng.choice(_INKS) if sum(body) > 400 else (245, 240, 230)
    if rng.random() < 0.4:
        _disc(draw, 80, 80, rng.uniform(56, 72), outline=ink, width=rng.choice((2, 4, 8)))
    _number(draw, rng, (80, 80), 60, ink)
    side = rng.uniform(0.7, 1.3)
    return bgr(image), body, (side, side, rng.uniform(0.05, 0.15))


def coin(rng: random.Random) -> Made:
    """A coin: a rim, a numeral or a head, small writing."""
    body = jitter(rng, rng.choice(_METALS), 12)
    dark: RGB = tuple(int(c * 0.66) for c in body)  # type: ignore[assignment]
    light: RGB = tuple(min(255, int(c * 1.15)) for c in body)  # type: ignore[assignment]
    image = Image.new("RGB", (200, 200), body)
    draw = ImageDraw.Draw(image)
    _disc(draw, 100, 100, 92, outline=dark, width=4)
    if rng.random() < 0.3:
        _disc(draw, 100, 100, 62, fill=jitter(rng, rng.choice(_METALS), 12), outline=dark, width=2)
    if rng.random() < 0.6:
        text = rng.choice(("1", "2", "5", "10", "20", "50", "壹", "伍角"))
        draw.text((98, 98), text, font=chinese_font(rng).at(80), fill=light, anchor="mm")
        draw.text((101, 101), text, font=chinese_font(rng).at(80), fill=dark, anchor="mm")
    else:  # a head
        draw.ellipse((66, 46, 128, 122), fill=light, outline=dark, width=3)
        draw.pieslice((52, 108, 146, 200), 180, 360, fill=light, outline=dark, width=3)
    for k in range(rng.choice((0, 12, 20))):
        a = k * math.pi / 10
        _disc(draw, 100 + 80 * math.cos(a), 100 + 80 * math.sin(a), 3, fill=dark)
    side = rng.uniform(0.7, 1.1)
    return bgr(image), body, (side, side, 0.08)


def poker_chip(rng: random.Random) -> Made:
    """A chip with spots on its edge and a value in the middle."""
    body, spot = (jitter(rng, c, 15) for c in rng.sample(_BRIGHTS, 2))
    image = Image.new("RGB", (200, 200), body)
    draw = ImageDraw.Draw(image)
    count = rng.choice((4, 6, 6, 8))
    for k in range(count):
        start = 360 / count * k
        draw.pieslice((2, 2, 198, 198), start, start + 150 / count, fill=spot)
    inner = jitter(rng, rng.choice((body, spot, (240, 240, 235))), 6)
    _disc(draw, 100, 100, 66, fill=inner, outline=spot, width=rng.choice((2, 6)))
    ink: RGB = (30, 30, 34) if sum(inner) > 400 else (245, 245, 240)
    _number(draw, rng, (100, 100), 52, ink)
    side = rng.uniform(1.3, 1.9)
    return bgr(image), body, (side, side, rng.uniform(0.12, 0.9))


def button_or_cap(rng: random.Random) -> Made:
    """A button with holes, or a bottle cap with a crimped rim and a sign."""
    body = jitter(rng, rng.choice((*_BRIGHTS, *_METALS)), 15)
    dark: RGB = tuple(int(c * 0.5) for c in body)  # type: ignore[assignment]
    image = Image.new("RGB", (180, 180), body)
    draw = ImageDraw.Draw(image)
    if rng.random() < 0.5:
        _disc(draw, 90, 90, rng.uniform(55, 74), outline=dark, width=rng.choice((3, 6)))
        holes = rng.choice((2, 4))
        for k in range(holes):
            a = 2 * math.pi * k / holes + math.pi / 4
            _disc(draw, 90 + 20 * math.cos(a), 90 + 20 * math.sin(a), 9, fill=dark)
        side, high = rng.uniform(0.5, 1.1), 0.12
    else:
        for k in range(21):
            a = 2 * math.pi * k / 21
            line = (90 + 68 * math.cos(a), 90 + 68 * math.sin(a))
            draw.line((*line, 90 + 88 * math.cos(a), 90 + 88 * math.sin(a)), fill=dark, width=5)
        _disc(draw, 90, 90, 62, fill=jitter(rng, rng.choice(_BRIGHTS), 15))
        _number(draw, rng, (90, 90), 46, (245, 245, 240))
        side, high = rng.uniform(1.0, 1.4), 0.25
    return bgr(image), body, (side, side, high)


def wooden_piece(rng: random.Random) -> Made:
    """A plain coloured cube or block: the size of a die, but without pips."""
    body = jitter(rng, rng.choice(_BRIGHTS), 20)
    picture = np.empty((40, 40, 3), np.uint8)
    picture[:] = body[::-1]
    side = rng.uniform(0.35, 0.7)
    return picture, body, (side, side * rng.choice((1, 1, 1.8, 2.6)), rng.choice((side, 0.3)))


def plain_block(rng: random.Random) -> Made:
    """Notes, erasers, chargers, bars, edges of racks: rectangles in light plain colours."""
    light = rng.choice(
        ((250, 250, 250), (240, 236, 225), (225, 225, 228), (255, 240, 150), (250, 215, 220),
         (200, 225, 240), (210, 180, 135), (60, 60, 64))
    )  # fmt: skip
    body = jitter(rng, light, 12)
    image = Image.new("RGB", (240, 200), body)
    draw = ImageDraw.Draw(image)
    kind = rng.random()
    if kind < 0.25:
        print_text(draw, rng, (20, 20, 225, 190), rng.choice((14, 22, 34)), (80, 80, 90))
    elif kind < 0.4:  # a charger's or a plug's moulding
        draw.rounded_rectangle((18, 18, 222, 182), 20, outline=jitter(rng, body, 30), width=4)
        draw.rectangle((100, 84, 140, 116), fill=jitter(rng, (90, 90, 95), 20))
    elif kind < 0.5:  # the sleeve of an eraser
        draw.rectangle((80, 0, 240, 200), fill=jitter(rng, rng.choice(_BRIGHTS), 20))
    shape = rng.choice(("note", "block", "block", "bar"))
    if shape == "note":
        return bgr(image), body, (rng.uniform(1.0, 5), rng.uniform(1.0, 5), 0.015)
    if shape == "block":
        size = (rng.uniform(0.8, 3.5), rng.uniform(0.6, 2.4), rng.uniform(0.2, 1.2))
        return bgr(image), body, size
    size = (rng.uniform(8, 26), rng.uniform(0.3, 2.5), rng.uniform(0.05, 1.2))
    return np.full((16, 64, 3), body[::-1], np.uint8), body, size


def _spine(image: Image.Image, rng: random.Random, x: int, width: int, top: int) -> None:
    draw = ImageDraw.Draw(image)
    cover = jitter(rng, rng.choice((*_BRIGHTS, *_LANDS)), 25)
    bottom = image.height
    draw.rectangle((x, top, x + width - 2, bottom), fill=cover)
    ink: RGB = (248, 246, 238) if sum(cover) < 400 else rng.choice(_INKS)
    for _ in range(rng.randint(0, 3)):
        y = rng.randint(top, bottom - 10)
        draw.rectangle((x, y, x + width - 2, y + rng.choice((3, 8, 40))), fill=jitter(rng, ink, 30))
    size = max(10, min(round(width * rng.uniform(0.5, 0.85)), 60))
    y = top + rng.randint(8, 50)
    if rng.random() < 0.65:  # a title downwards, sign by sign
        font = chinese_font(rng).at(size)
        for sign in (rng.choice(WORDS) for _ in range(rng.randint(2, 9))):
            if y + size > bottom - 30:
                break
            draw.text((x + width / 2, y), sign, font=font, fill=ink, anchor="ma")
            y += round(size * 1.08)
    else:  # a Latin title, turned
        words = "".join(rng.choice("ABCDEFGHIJKLMNOPRSTUW ") for _ in range(rng.randint(5, 18)))
        strip = Image.new("RGB", (max(20, bottom - top - 50), size + 6), cover)
        font = rng.choice(latin_fonts()).at(size)
        ImageDraw.Draw(strip).text((2, 0), words, font=font, fill=ink)
        image.paste(strip.rotate(-90, expand=True), (x + (width - size - 6) // 2, top + 30))
    if rng.random() < 0.6:  # the publisher's sign
        r = width * rng.uniform(0.18, 0.38)
        _disc(draw, x + width / 2, bottom - r - 12, r, outline=ink, width=3)
        _number(draw, rng, (x + width / 2, bottom - r - 12), r * 0.8, ink)


def shelf(rng: random.Random) -> Made:
    """A row of books or boxes standing side by side, as one wide picture of their spines."""
    height = 520
    wide = rng.randint(700, 1500)
    image = Image.new("RGB", (wide, height), jitter(rng, (60, 50, 44), 30))
    x = 0
    boxes = rng.random() < 0.3
    while x < wide:
        width = rng.randint(120, 380) if boxes else rng.randint(24, 110)
        _spine(image, rng, x, min(width, wide - x), rng.randint(0, 110))
        if wide - x - width < 20:
            break
        x += width
    high = rng.uniform(4.5, 9)
    return bgr(image), (90, 80, 70), (high * wide / height, high, rng.uniform(1.5, 5))


#: Round things (their outline is a circle) and the others.
ROUND_MAKERS: tuple[Callable[[random.Random], Made], ...] = (
    token, token, token, coin, poker_chip, button_or_cap,
)  # fmt: skip
PIECES: tuple[Callable[[random.Random], Made], ...] = (*ROUND_MAKERS, wooden_piece, wooden_piece)
