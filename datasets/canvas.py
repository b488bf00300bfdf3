"""The drawing surface of a tile face: paint on a transparent sheet, in units of the face."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from datasets.fonts import FontFace, able_to_draw
from datasets.styles import RGB

Point = tuple[float, float]


def smooth(points: Sequence[Point], closed: bool = False, steps: int = 8) -> list[Point]:
    """A Catmull-Rom curve through `points`, `steps` pieces between each two."""
    p = np.asarray(points, float)
    n = len(p)
    if closed:
        p = np.vstack([p[-1:], p, p[:2]])
        spans = n
    else:
        p = np.vstack([p[:1], p, p[-1:]])
        spans = n - 1
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    out: list[Point] = []
    for i in range(spans):
        a, b, c, d = p[i : i + 4]
        piece = 0.5 * (
            2 * b
            + (c - a) * t
            + (2 * a - 5 * b + 4 * c - d) * t**2
            + (3 * b - a - 3 * c + d) * t**3
        )
        out += [(float(x), float(y)) for x, y in piece]
    if not closed:
        out.append((float(p[-1][0]), float(p[-1][1])))
    return out


class Canvas:
    """Transparent paint over one face.

    Points are (x, y) with 0..1 across the art box (the face less its margins); lengths are in
    shares of the art box's width.
    """

    def __init__(self, width: int, height: int, margin: float) -> None:
        self.image = Image.new("RGBA", (width, height), (0, 0, 0, 0))
        self.draw = ImageDraw.Draw(self.image)
        self.x0 = width * margin
        self.y0 = height * margin * 0.9
        self.w = width - 2 * self.x0
        self.h = height - 2 * self.y0

    @property
    def tall(self) -> float:
        """Height of the art box over its width."""
        return self.h / self.w

    def px(self, point: Point) -> Point:
        """A point of the art box in pixels."""
        return self.x0 + point[0] * self.w, self.y0 + point[1] * self.h

    def _width(self, width: float) -> int:
        return max(1, round(width * self.w))

    def line(self, points: Sequence[Point], width: float, paint: RGB, curve: bool = False) -> None:
        """A stroke with round ends through `points`."""
        pts = [self.px(p) for p in (smooth(points) if curve else points)]
        w = self._width(width)
        self.draw.line(pts, fill=(*paint, 255), width=w, joint="curve")
        for x, y in (pts[0], pts[-1]):
            r = w / 2
            self.draw.ellipse((x - r, y - r, x + r, y + r), fill=(*paint, 255))

    def blob(
        self,
        points: Sequence[Point],
        paint: RGB | None,
        outline: RGB | None = None,
        w: float = 0.02,
    ) -> None:
        """A smooth closed shape; `paint` None cuts it out of the paint below."""
        pts = [self.px(p) for p in smooth(points, closed=True)]
        self.draw.polygon(pts, fill=(0, 0, 0, 0) if paint is None else (*paint, 255))
        if outline is not None:
            self.draw.line([*pts, pts[0]], fill=(*outline, 255), width=self._width(w))

    def disc(self, centre: Point, r: float, paint: RGB | None) -> None:
        """A filled circle of radius `r`; `paint` None cuts a hole."""
        self.oval(centre, r, r, paint)

    def oval(self, centre: Point, rx: float, ry: float, paint: RGB | None) -> None:
        """A filled upright ellipse; `paint` None cuts a hole."""
        x, y = self.px(centre)
        rx, ry = rx * self.w, ry * self.w
        fill = (0, 0, 0, 0) if paint is None else (*paint, 255)
        self.draw.ellipse((x - rx, y - ry, x + rx, y + ry), fill=fill)

    def ring(self, centre: Point, r: float, width: float, paint: RGB) -> None:
        """A circle line of outer radius `r`."""
        x, y = self.px(centre)
        r *= self.w
        box = (x - r, y - r, x + r, y + r)
        self.draw.ellipse(box, outline=(*paint, 255), width=self._width(width))

    def around(self, centre: Point, r: float, count: int, turn: float = 0.0) -> list[Point]:
        """`count` points on a circle of radius `r` (a true circle in pixels)."""
        out = []
        for i in range(count):
            a = 2 * math.pi * i / count + turn
            out.append((centre[0] + r * math.cos(a), centre[1] + r * math.sin(a) / self.tall))
        return out

    def frame(
        self, inset: float, width: float, paint: RGB, radius: float = 0.0, notch: float = 0.0
    ) -> None:
        """A rectangle line `inset` from the art box's edge, with round or cut corners."""
        x0, y0 = self.x0 + inset * self.w, self.y0 + inset * self.w
        x1, y1 = self.x0 + self.w - inset * self.w, self.y0 + self.h - inset * self.w
        w = self._width(width)
        if notch:
            n = notch * self.w
            pts = [(x0 + n, y0), (x1 - n, y0), (x1, y0 + n), (x1, y1 - n), (x1 - n, y1),
                   (x0 + n, y1), (x0, y1 - n), (x0, y0 + n), (x0 + n, y0)]  # fmt: skip
            self.draw.line(pts, fill=(*paint, 255), width=w, joint="curve")
        else:
            r = radius * self.w
            self.draw.rounded_rectangle((x0, y0, x1, y1), r, outline=(*paint, 255), width=w)

    def glyph(
        self,
        char: str,
        font: FontFace,
        box: tuple[float, float, float, float],
        paint: RGB,
        bold: float = 0.0,
        stretch: float = 1.35,
    ) -> None:
        """A character whose ink fills `box` (x0, y0, x1, y1), stretched by at most `stretch`."""
        size = 220
        face = able_to_draw(font, char).at(size)
        mask = Image.new("L", (2 * size, 2 * size), 0)
        stroke = round(bold * size)
        ImageDraw.Draw(mask).text(
            (size // 2, size // 3), char, font=face, fill=255, stroke_width=stroke
        )
        ink = mask.getbbox()
        if ink is None:
            return
        mask = mask.crop(ink)
        (x0, y0), (x1, y1) = self.px(box[:2]), self.px(box[2:])
        w, h = x1 - x0, y1 - y0
        shape, room = mask.width / mask.height, w / h
        if shape > room * stretch:
            h = w / shape * stretch
        elif shape < room / stretch:
            w = h * shape * stretch
        mask = mask.resize((max(2, round(w)), max(2, round(h))), Image.Resampling.BILINEAR)
        at = (round((x0 + x1) / 2 - mask.width / 2), round((y0 + y1) / 2 - mask.height / 2))
        layer = Image.new("RGBA", mask.size, (*paint, 255))
        layer.putalpha(mask)
        self.image.alpha_composite(layer, (max(0, at[0]), max(0, at[1])))
