"""Chinese characters of the tiles as brush strokes of our own design.

Each character is a list of strokes in a box of 100 x 100. A stroke is one letter for its kind
and the points it runs through, `x,y` apart by blanks:

====  =====================================================================
`h`   horizontal: set down firmly, thin in the middle, pressed at the end
`v`   vertical: firm above, a little thinner below
`p`   falls to the left (撇): firm, then thins out
`n`   falls to the right (捺): thin, then pressed near the end
`d`   dot (点): a drop
`k`   a bent stroke that ends in a thin hook (钩)
====  =====================================================================

Drawing them here keeps the page free of fonts: a client without Chinese fonts shows the same
tiles, and nothing of anybody's typeface is copied.
"""

from __future__ import annotations

import math

Point = tuple[float, float]

# Width along a stroke, as fractions of the pen, from its start to its end.
WIDTHS: dict[str, tuple[float, ...]] = {
    "h": (1.0, 0.72, 0.66, 0.8, 1.12),
    "v": (1.15, 0.95, 0.9, 0.95, 0.9),
    "p": (1.15, 1.0, 0.85, 0.6, 0.22),
    "n": (0.35, 0.6, 0.95, 1.35, 0.35),
    "d": (0.35, 0.9, 1.3, 1.35, 0.8),
    "k": (1.1, 1.0, 1.0, 1.0, 0.25),
}

GLYPHS: dict[str, tuple[str, ...]] = {
    "一": ("h 6,54 50,48 94,46",),
    "二": ("h 20,27 50,23 80,22", "h 6,80 50,75 94,74"),
    "三": ("h 16,17 50,13 84,12", "h 24,50 50,47 76,46", "h 5,87 50,82 95,81"),
    "四": (
        "v 12,22 15,55 20,88", "h 12,22 50,19 88,18", "v 88,18 85,50 81,88",
        "p 41,22 39,44 27,62", "k 60,22 60,50 65,58 77,56", "h 20,80 50,79 81,79",
    ),
    "伍": (
        "p 31,4 20,28 3,48", "v 19,36 19,64 19,97", "h 38,15 66,12 94,12",
        "v 66,14 60,50 54,88", "h 42,48 64,45 84,44", "v 84,44 82,66 80,88",
        "h 31,91 64,87 98,88",
    ),
    "六": ("d 44,3 51,11 55,20", "h 5,38 50,33 95,33", "p 37,49 27,72 8,94", "n 59,50 75,68 94,93"),
    "七": ("h 5,50 50,43 95,34", "k 43,5 43,60 48,84 66,89 91,86 93,68"),
    "八": ("p 39,20 33,56 5,92", "n 52,10 64,46 97,92"),
    "九": ("p 40,3 37,50 5,95", "h 12,36 40,33 67,31", "k 67,31 64,70 70,88 84,91 96,86 96,68"),
    "萬": (
        "h 5,15 50,12 95,12", "v 34,2 34,13 35,25", "v 66,2 66,13 64,25",
        "v 25,32 26,46 28,60", "h 25,32 50,30 76,30", "v 76,30 75,46 73,60",
        "h 27,45 50,44 74,44", "h 28,59 50,58 73,58", "v 50,31 50,56 50,83",
        "v 12,69 12,84 11,98", "h 12,69 50,66 89,66", "k 89,66 88,82 86,94 76,92",
        "h 28,87 46,83 65,80", "d 62,74 68,81 72,90",
    ),
    "東": (
        "h 9,19 50,15 91,15", "v 22,33 23,48 25,64", "h 22,33 50,31 79,31",
        "v 79,31 78,48 76,64", "h 24,47 50,46 77,46", "h 25,62 50,61 76,61",
        "v 50,2 50,50 50,98", "p 46,63 32,80 7,94", "n 54,63 70,79 95,94",
    ),
    "南": (
        "h 10,18 50,15 90,14", "v 50,2 50,16 48,33", "v 14,36 14,66 13,97",
        "h 14,36 50,33 87,33", "k 87,33 87,70 85,94 74,91", "d 34,43 38,48 41,55",
        "p 67,42 64,49 59,55", "h 29,61 50,59 71,58", "h 25,76 50,74 75,73",
        "v 50,58 50,76 50,95",
    ),
    "西": (
        "h 7,17 50,14 93,13", "v 14,38 17,66 19,96", "h 14,38 50,35 87,35",
        "v 87,35 85,64 83,94", "h 18,87 50,86 84,86", "p 39,17 39,44 27,68",
        "k 60,17 60,50 63,64 76,63",
    ),
    "北": (
        "v 36,8 36,50 36,97", "h 7,37 22,36 36,34", "h 3,82 20,75 37,66",
        "p 93,22 80,36 61,46", "k 60,7 60,64 63,84 76,88 95,86 96,68",
    ),
    "中": ("v 12,30 14,48 17,70", "h 12,30 50,27 88,26", "v 88,26 86,46 83,68",
           "h 17,65 50,63 84,62", "v 50,3 50,50 50,99"),
    "發": (
        "h 12,13 26,11 42,10", "p 42,10 30,32 3,50", "d 13,25 18,30 23,37",
        "n 58,4 68,26 97,47", "p 85,7 77,17 66,23", "p 96,21 88,30 77,35",
        "h 15,56 28,54 42,53", "v 42,53 42,59 41,66", "h 18,68 30,67 42,66",
        "v 18,68 17,74 15,80", "h 15,80 30,79 44,78", "k 44,78 43,90 38,98 29,94",
        "p 59,53 58,63 50,71", "h 59,53 68,52 78,51", "k 78,51 78,62 84,66 94,62",
        "h 53,76 68,74 83,73", "p 83,73 73,90 49,99", "n 58,78 72,90 97,98",
    ),
    "混": (
        "d 10,8 17,15 22,22", "d 3,38 10,44 16,51", "p 24,64 18,82 8,96",
        "v 40,8 40,26 41,46", "h 40,8 64,6 88,6", "v 88,6 88,26 86,46",
        "h 41,25 64,25 87,25", "h 41,44 64,43 86,43",
        "v 38,56 38,76 38,95", "h 38,72 47,71 56,70", "p 60,86 50,90 38,96",
        "p 92,62 84,69 72,73", "k 70,54 70,84 74,92 86,94 95,90 96,80",
    ),
}  # fmt: skip


def _spline(points: list[Point], steps: int = 6) -> list[Point]:
    """Points of a Catmull-Rom curve through `points`, ends included."""
    padded = [points[0], *points, points[-1]]
    out: list[Point] = []
    for i in range(1, len(padded) - 2):
        p0, p1, p2, p3 = padded[i - 1 : i + 3]
        for step in range(steps):
            t = step / steps
            out.append(
                (
                    _catmull(p0[0], p1[0], p2[0], p3[0], t),
                    _catmull(p0[1], p1[1], p2[1], p3[1], t),
                )
            )
    out.append(points[-1])
    return out


def _catmull(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (
        2 * b
        + (c - a) * t
        + (2 * a - 5 * b + 4 * c - d) * t * t
        + (3 * b - a - 3 * c + d) * t * t * t
    )


def _width(profile: tuple[float, ...], t: float) -> float:
    position = t * (len(profile) - 1)
    index = min(int(position), len(profile) - 2)
    return profile[index] + (profile[index + 1] - profile[index]) * (position - index)


def stroke_path(stroke: str, pen: float) -> str:
    """The outline of one stroke as SVG path data.

    Args:
        stroke: kind letter and points, as in `GLYPHS`.
        pen: full width of the pen in the units of the box (100 x 100).
    """
    kind, *pairs = stroke.split()
    corners = [(float(x), float(y)) for x, y in (pair.split(",") for pair in pairs)]
    line = _spline(corners)
    left: list[Point] = []
    right: list[Point] = []
    for i, (x, y) in enumerate(line):
        before, after = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        length = math.hypot(dx, dy) or 1.0
        half = pen / 2 * _width(WIDTHS[kind], i / (len(line) - 1))
        left.append((x - dy / length * half, y + dx / length * half))
        right.append((x + dy / length * half, y - dx / length * half))
    start = pen / 2 * WIDTHS[kind][0]
    end = pen / 2 * WIDTHS[kind][-1]
    there = " ".join(f"{x:.1f} {y:.1f}" for x, y in left)
    back = " ".join(f"{x:.1f} {y:.1f}" for x, y in reversed(right))
    return (
        f"M{there}A{end:.1f} {end:.1f} 0 0 0 {right[-1][0]:.1f} {right[-1][1]:.1f}"
        f"L{back}A{start:.1f} {start:.1f} 0 0 0 {left[0][0]:.1f} {left[0][1]:.1f}Z"
    )


def glyph_path(character: str, pen: float = 11.0) -> str:
    """SVG path data of one character in a box of 100 x 100.

    Raises:
        KeyError: the character is none of `GLYPHS`.
    """
    return "".join(stroke_path(stroke, pen) for stroke in GLYPHS[character])
