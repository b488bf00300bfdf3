"""The bamboo suit (条): two to nine sticks in several shapes; the bird is in `faces_birds`."""

from __future__ import annotations

import math

from PIL import Image, ImageDraw

from datasets.canvas import Canvas, Point
from datasets.styles import RGB, TileStyle

_THREE = (0.16, 0.5, 0.84)
#: (x, y, paint) of each stick: "a" and "b" are the set's two bamboo paints, "r" is red.
_PLACES: dict[int, tuple[tuple[float, float, str], ...]] = {
    2: ((0.5, 0.25, "a"), (0.5, 0.75, "b")),
    3: ((0.5, 0.25, "a"), (0.25, 0.75, "a"), (0.75, 0.75, "a")),
    4: ((0.25, 0.25, "a"), (0.75, 0.25, "b"), (0.25, 0.75, "b"), (0.75, 0.75, "a")),
    5: ((0.15, 0.25, "a"), (0.85, 0.25, "b"), (0.5, 0.5, "r"), (0.15, 0.75, "b"),
        (0.85, 0.75, "a")),
    6: tuple((x, y, c) for y, c in ((0.25, "a"), (0.75, "b")) for x in _THREE),
    7: ((0.5, 0.14, "r"), *((x, y, "a") for y in (0.5, 0.84) for x in _THREE)),
    9: tuple((x, y, c) for y in (0.15, 0.5, 0.85)
             for x, c in zip(_THREE, ("a", "r", "b"), strict=True)),
}  # fmt: skip
_LENGTH = {2: 0.44, 3: 0.44, 4: 0.42, 5: 0.4, 6: 0.42, 7: 0.29, 8: 0.4, 9: 0.28}


def draw_bamboo(canvas: Canvas, style: TileStyle, count: int, red: bool = False) -> None:
    """The `count` (2 to 9) of sticks; `red` paints all of them red, as on a red five."""
    palette = style.palette
    other = palette.blue if style.bamboo_mixed else palette.green
    paints = {"a": palette.green, "b": other, "r": palette.red}
    if red:
        paints = dict.fromkeys(paints, palette.red)
    width = (0.17 if count < 6 else 0.14) * style.bamboo_width
    length = _LENGTH[count] * canvas.tall
    if count == 8:
        _eight(canvas, style, length, width * 0.95, paints)
        return
    for x, y, paint in _PLACES[count]:
        _stick(canvas, style.bamboo, (x, y), length, width, paints[paint])


def _eight(
    canvas: Canvas, style: TileStyle, length: float, width: float, paints: dict[str, RGB]
) -> None:
    """Four sticks like an M above and four like a W below (or the other way round)."""
    sign = 1 if style.seed % 4 else -1
    for y, turn, paint in ((0.25, -1, "a"), (0.75, 1, "b")):
        for x in (0.08, 0.92):
            _stick(canvas, style.bamboo, (x, y), length, width, paints[paint])
        lean = math.degrees(math.atan2(0.38, length))
        for x, side in ((0.31, 1), (0.69, -1)):
            angle = lean * turn * side * sign
            _stick(canvas, style.bamboo, (x, y), length * 0.97, width, paints[paint], angle)


def _stick(
    canvas: Canvas, kind: str, at: Point, length: float, width: float, paint: RGB, angle: float = 0
) -> None:
    """One stick; lengths in art widths, `angle` in degrees counter-clockwise."""
    w, h = width * canvas.w, length * canvas.w
    mask = Image.new("L", (round(w * 1.6) + 4, round(h) + 4), 0)
    _SHAPES[kind](ImageDraw.Draw(mask), mask.width / 2, 2.0, w, h)
    if angle:
        mask = mask.rotate(angle, expand=True, resample=Image.Resampling.BICUBIC)
    layer = Image.new("RGBA", mask.size, (*paint, 255))
    layer.putalpha(mask)
    x, y = canvas.px(at)
    corner = (max(0, round(x - mask.width / 2)), max(0, round(y - mask.height / 2)))
    canvas.image.alpha_composite(layer, corner)


def _joint(draw: ImageDraw.ImageDraw, x: float, y: float, w: float, h: float) -> None:
    draw.rounded_rectangle((x - w * 0.58, y - h, x + w * 0.58, y + h), h, fill=255)


def _pills(draw: ImageDraw.ImageDraw, x: float, y: float, w: float, h: float) -> None:
    knot = h * 0.05
    for top in (y + knot * 0.6, y + h / 2):
        bottom = top + h / 2 - knot * 0.6
        draw.rounded_rectangle((x - w * 0.38, top, x + w * 0.38, bottom), w * 0.34, fill=255)
        draw.line((x, top + h * 0.09, x, bottom - h * 0.09), fill=40, width=max(1, round(w * 0.16)))
    for cy in (y + knot, y + h / 2, y + h - knot):
        _joint(draw, x, cy, w, knot)


def _bones(draw: ImageDraw.ImageDraw, x: float, y: float, w: float, h: float) -> None:
    knot = h * 0.075
    draw.rectangle((x - w * 0.26, y + knot, x + w * 0.26, y + h - knot), fill=255)
    for cy in (y + knot, y + h / 2, y + h - knot):
        _joint(draw, x, cy, w, knot)
    for top, bottom in ((0.2, 0.4), (0.6, 0.8)):
        draw.line((x, y + h * top, x, y + h * bottom), fill=0, width=max(1, round(w * 0.14)))


def _beads(draw: ImageDraw.ImageDraw, x: float, y: float, w: float, h: float) -> None:
    r = min(w * 0.62, h / 5.2)
    for i in range(3):
        cy = y + r + i * (h - 2 * r) / 2
        draw.ellipse((x - r * 0.95, cy - r, x + r * 0.95, cy + r), fill=255)
        draw.ellipse((x - r * 0.4, cy - r * 0.45, x + r * 0.4, cy + r * 0.45), fill=0)
    draw.rectangle((x - w * 0.14, y + 1.8 * r, x + w * 0.14, y + h - 1.8 * r), fill=255)


def _plain(draw: ImageDraw.ImageDraw, x: float, y: float, w: float, h: float) -> None:
    draw.rounded_rectangle((x - w * 0.4, y, x + w * 0.4, y + h), w * 0.38, fill=255)
    draw.line((x - w * 0.4, y + h / 2, x + w * 0.4, y + h / 2), fill=0, width=max(2, round(h / 22)))
    for cy in (y + h * 0.25, y + h * 0.75):
        draw.ellipse((x - w * 0.13, cy - h * 0.1, x + w * 0.13, cy + h * 0.1), fill=30)


def _outline(draw: ImageDraw.ImageDraw, x: float, y: float, w: float, h: float) -> None:
    line = max(2, round(w * 0.22))
    for top in (y, y + h / 2):
        box = (x - w * 0.46, top, x + w * 0.46, top + h / 2)
        draw.rounded_rectangle(box, w * 0.42, outline=255, width=line)
    draw.line((x, y + h * 0.14, x, y + h * 0.86), fill=255, width=max(1, line // 2))


def _segments(draw: ImageDraw.ImageDraw, x: float, y: float, w: float, h: float) -> None:
    for i in range(3):
        top = y + i * h / 3
        points = [
            (x - w * 0.5, top), (x + w * 0.5, top), (x + w * 0.28, top + h / 6),
            (x + w * 0.5, top + h / 3 - 2), (x - w * 0.5, top + h / 3 - 2),
            (x - w * 0.28, top + h / 6),
        ]  # fmt: skip
        draw.polygon(points, fill=255)
    draw.line((x, y + h * 0.05, x, y + h * 0.95), fill=0, width=max(1, round(w * 0.13)))


_SHAPES = {
    "pills": _pills,
    "bones": _bones,
    "beads": _beads,
    "plain": _plain,
    "outline": _outline,
    "segments": _segments,
}
