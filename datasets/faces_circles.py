"""The circle suit (饼): one to nine, in the designs real sets use."""

from __future__ import annotations

from itertools import pairwise

from datasets.canvas import Canvas, Point
from datasets.styles import RGB, TileStyle

#: (x, y, paint index) of each circle, paint index into `TileStyle.circle_order`.
_PLACES: dict[int, tuple[tuple[float, float, int], ...]] = {
    2: ((0.5, 0.25, 0), (0.5, 0.75, 1)),
    3: ((0.2, 0.18, 0), (0.5, 0.5, 2), (0.8, 0.82, 1)),
    4: ((0.25, 0.23, 0), (0.75, 0.23, 1), (0.25, 0.77, 1), (0.75, 0.77, 0)),
    5: ((0.22, 0.2, 0), (0.78, 0.2, 1), (0.5, 0.5, 2), (0.22, 0.8, 1), (0.78, 0.8, 0)),
    6: ((0.28, 0.14, 1), (0.72, 0.14, 1), (0.28, 0.54, 2), (0.72, 0.54, 2),
        (0.28, 0.86, 2), (0.72, 0.86, 2)),
    7: ((0.18, 0.1, 1), (0.5, 0.22, 1), (0.82, 0.34, 1), (0.3, 0.62, 2), (0.7, 0.62, 2),
        (0.3, 0.89, 2), (0.7, 0.89, 2)),
    8: tuple((x, y, 0) for y in (0.12, 0.373, 0.627, 0.88) for x in (0.28, 0.72)),
    9: tuple((x, y, c) for y, c in ((0.16, 1), (0.5, 2), (0.84, 0)) for x in (0.17, 0.5, 0.83)),
}  # fmt: skip
_RADIUS = {2: 0.24, 3: 0.19, 4: 0.21, 5: 0.18, 6: 0.175, 7: 0.135, 8: 0.155, 9: 0.155}


def draw_circles(canvas: Canvas, style: TileStyle, count: int, red: bool = False) -> None:
    """The `count` of circles; `red` paints all of them red, as on a red five."""
    palette = style.palette
    paints = [palette.red if red else getattr(palette, c) for c in style.circle_order]
    if count == 1:
        _DRAW_ONE[style.one_circle](canvas, style, paints)
        return
    radius = min(_RADIUS[count] * style.circle_scale, 0.48 * canvas.tall * _closest(count))
    for x, y, paint in _PLACES[count]:
        accent = palette.red if style.circle_accent else paints[paint]
        _coin(canvas, style.circle, (x, y), radius, paints[paint], accent)


def _closest(count: int) -> float:
    rows = sorted({y for _, y, _ in _PLACES[count]})
    return min((b - a for a, b in pairwise(rows)), default=1.0) + (0.14 if count == 7 else 0.0)


def _coin(canvas: Canvas, kind: str, at: Point, r: float, paint: RGB, accent: RGB) -> None:
    if kind == "rings":
        canvas.disc(at, r, paint)
        canvas.disc(at, r * 0.8, None)
        canvas.ring(at, r * 0.66, r * 0.16, paint)
        canvas.ring(at, r * 0.38, r * 0.14, accent)
        canvas.disc(at, r * 0.1, accent)
    elif kind == "target":
        canvas.disc(at, r, paint)
        canvas.disc(at, r * 0.72, None)
        canvas.disc(at, r * 0.5, accent)
        canvas.disc(at, r * 0.2, None)
    elif kind == "cross":
        canvas.disc(at, r, paint)
        for p in canvas.around(at, r * 0.52, 4, 0.785):
            canvas.disc(p, r * 0.24, None)
        canvas.disc(at, r * 0.16, None)
    elif kind == "flower":
        canvas.disc(at, r, paint)
        canvas.disc(at, r * 0.84, None)
        for p in canvas.around(at, r * 0.46, 6):
            canvas.disc(p, r * 0.22, accent)
        canvas.disc(at, r * 0.24, paint)
    elif kind == "dotted":
        canvas.disc(at, r, paint)
        for p in canvas.around(at, r * 0.72, 10):
            canvas.disc(p, r * 0.13, None)
        canvas.ring(at, r * 0.42, r * 0.1, accent if accent != paint else (240, 240, 235))
        canvas.disc(at, r * 0.3, None)
        canvas.disc(at, r * 0.15, accent)
    elif kind == "solid":
        canvas.disc(at, r * 0.95, paint)
        canvas.disc(at, r * 0.6, None)
        canvas.disc(at, r * 0.46, accent)
    elif kind == "ring":
        canvas.ring(at, r, r * 0.2, paint)
        canvas.ring(at, r * 0.55, r * 0.14, accent)
        canvas.disc(at, r * 0.18, accent)
    else:  # pie
        canvas.disc(at, r, paint)
        canvas.disc(at, r * 0.82, None)
        canvas.disc(at, r * 0.7, accent)
        for a, b in zip(
            canvas.around(at, r * 0.72, 4, 0.785)[:2],
            canvas.around(at, r * 0.72, 4, 0.785)[2:],
            strict=True,
        ):
            canvas.draw.line([canvas.px(a), canvas.px(b)], fill=(0, 0, 0, 0), width=4)
        canvas.disc(at, r * 0.2, None)


def _one_rosette(canvas: Canvas, style: TileStyle, paints: list[RGB]) -> None:
    at, red = (0.5, 0.5), style.palette.red
    for p in canvas.around(at, 0.34, 16):
        canvas.disc(p, 0.075, paints[0])
    canvas.disc(at, 0.33, paints[1])
    canvas.disc(at, 0.27, None)
    canvas.disc(at, 0.24, red)
    for p in canvas.around(at, 0.13, 5, 0.6):
        canvas.disc(p, 0.055, None)


def _one_sunflower(canvas: Canvas, style: TileStyle, paints: list[RGB]) -> None:
    at, green, red = (0.5, 0.5), style.palette.green, style.palette.red
    count = 14
    for p, q in zip(canvas.around(at, 0.37, count), canvas.around(at, 0.35, count), strict=True):
        canvas.line([at, p], 0.13, green)
        canvas.disc(q, 0.048, None)
    canvas.disc(at, 0.29, None)
    canvas.ring(at, 0.27, 0.045, paints[1])
    canvas.ring(at, 0.19, 0.03, red)
    canvas.line([(0.4, 0.5), (0.6, 0.5)], 0.03, red)
    canvas.line([(0.5, 0.5 - 0.1 / canvas.tall), (0.5, 0.5 + 0.1 / canvas.tall)], 0.03, red)


def _one_target(canvas: Canvas, style: TileStyle, paints: list[RGB]) -> None:
    at, palette = (0.5, 0.5), style.palette
    canvas.disc(at, 0.44, palette.blue)
    canvas.disc(at, 0.32, palette.green)
    for p in canvas.around(at, 0.27, 14):
        canvas.disc(p, 0.022, palette.red)
    canvas.disc(at, 0.22, palette.red)
    canvas.disc(at, 0.16, None)


def _one_dots(canvas: Canvas, style: TileStyle, paints: list[RGB]) -> None:
    at, red = (0.5, 0.5), style.palette.red
    canvas.ring(at, 0.47, 0.035, paints[0])
    for p in canvas.around(at, 0.37, 12):
        canvas.disc(p, 0.055, paints[0])
    canvas.ring(at, 0.28, 0.035, paints[1])
    canvas.disc(at, 0.2, red)
    for p in canvas.around(at, 0.1, 4, 0.785):
        canvas.disc(p, 0.045, None)


def _one_wheel(canvas: Canvas, style: TileStyle, paints: list[RGB]) -> None:
    at, red = (0.5, 0.5), style.palette.red
    canvas.ring(at, 0.46, 0.05, paints[0])
    for i, p in enumerate(canvas.around(at, 0.36, 20)):
        canvas.line([at, p], 0.025, paints[0] if i % 2 else red)
    canvas.disc(at, 0.25, None)
    canvas.ring(at, 0.24, 0.05, red)
    canvas.disc(at, 0.12, paints[1])


def _one_character(canvas: Canvas, style: TileStyle, paints: list[RGB]) -> None:
    at, red = (0.5, 0.5), style.palette.red
    count = 18
    for p in canvas.around(at, 0.4, count):
        canvas.disc(p, 0.075, paints[0])
    for p in canvas.around(at, 0.41, count):
        canvas.disc(p, 0.04, None)
    canvas.disc(at, 0.36, None)
    canvas.ring(at, 0.34, 0.04, paints[1])
    half = 0.19
    box = (0.5 - half, 0.5 - half / canvas.tall, 0.5 + half, 0.5 + half / canvas.tall)
    char = "壽福喜田吉"[style.seed % 5]
    canvas.glyph(char, style.brush, box, red, style.bold)


def _one_mandala(canvas: Canvas, style: TileStyle, paints: list[RGB]) -> None:
    at, red = (0.5, 0.5), style.palette.red
    for r, count, size, paint in (
        (0.41, 18, 0.068, paints[0]),
        (0.27, 12, 0.062, red),
        (0.14, 7, 0.052, paints[1]),
    ):
        for p in canvas.around(at, r, count):
            canvas.disc(p, size, paint)
            canvas.disc(p, size * 0.45, None)
    canvas.disc(at, 0.06, red)


def _one_coin(canvas: Canvas, style: TileStyle, paints: list[RGB]) -> None:
    at, red = (0.5, 0.5), style.palette.red
    canvas.disc(at, 0.46, paints[0])
    canvas.disc(at, 0.41, None)
    canvas.disc(at, 0.37, paints[1])
    for p in canvas.around(at, 0.26, 8):
        canvas.disc(p, 0.075, None)
        canvas.disc(p, 0.035, red)
    canvas.disc(at, 0.15, None)
    canvas.disc(at, 0.11, red)


_DRAW_ONE = {
    "rosette": _one_rosette,
    "sunflower": _one_sunflower,
    "target": _one_target,
    "dots": _one_dots,
    "wheel": _one_wheel,
    "character": _one_character,
    "mandala": _one_mandala,
    "coin": _one_coin,
}
