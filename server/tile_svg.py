"""Pictures of the tiles: one function draws every face, the back and the dice as SVG.

Drawn from shapes and strokes of our own, so no font and no third-party art is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from server.tile_glyphs import glyph_path

WIDTH, HEIGHT = 60, 80
"""Size of a tile in its own units (the SVG viewBox)."""

GREEN, RED, BLUE, INK = "#0f6b3c", "#b3202a", "#1f4f93", "#1d2733"
IVORY, EDGE, SHADE = "#fdfaf0", "#b9ad8e", "#d8cdb0"

NUMBERS = "一二三四伍六七八九"
WINDS = "東南西北"

# Centres of the circles of 2-9 饼: x, y, colour; the radius is by count.
_CIRCLES: dict[int, tuple[float, tuple[tuple[float, float, str], ...]]] = {
    2: (13.5, ((30, 22, GREEN), (30, 58, BLUE))),
    3: (10.5, ((16, 17, BLUE), (30, 40, RED), (44, 63, GREEN))),
    4: (11.5, ((17, 23, BLUE), (43, 23, GREEN), (17, 57, GREEN), (43, 57, BLUE))),
    5: (9.8, ((15, 17, BLUE), (45, 17, GREEN), (30, 40, RED), (15, 63, GREEN), (45, 63, BLUE))),
    6: (9.5, tuple((x, y, c) for y, c in ((16, GREEN), (42, RED), (63.5, RED)) for x in (18, 42))),
    7: (
        7.6,
        (
            *((13, 13, GREEN), (30, 20.5, GREEN), (47, 28, GREEN)),
            *((x, y, RED) for y in (47, 65) for x in (19, 41)),
        ),
    ),
    8: (8.2, tuple((x, y, BLUE) for y in (12.5, 31, 49.5, 68) for x in (19, 41))),
    9: (
        7.8,
        tuple((x, y, c) for y, c in ((15, GREEN), (40, RED), (65, BLUE)) for x in (12.5, 30, 47.5)),
    ),
}

# Sticks of 2-9 条: x, y of the middle, half length, angle in degrees, colour.
_Stick = tuple[float, float, float, float, str]
_STICKS: dict[int, tuple[_Stick, ...]] = {
    2: ((30, 22, 15, 0, GREEN), (30, 58, 15, 0, BLUE)),
    3: ((30, 22, 15, 0, BLUE), (17, 58, 15, 0, GREEN), (43, 58, 15, 0, GREEN)),
    4: (
        (17, 22, 15, 0, BLUE), (43, 22, 15, 0, GREEN),
        (17, 58, 15, 0, GREEN), (43, 58, 15, 0, BLUE),
    ),
    5: (
        (13, 22, 14, 0, GREEN), (47, 22, 14, 0, BLUE), (30, 40, 14, 0, RED),
        (13, 58, 14, 0, BLUE), (47, 58, 14, 0, GREEN),
    ),
    6: tuple((x, y, 15, 0, c) for y, c in ((22, GREEN), (58, BLUE)) for x in (13, 30, 47)),
    7: (
        (30, 14, 9.5, 0, RED),
        *((x, y, 10, 0, GREEN if x != 30 else BLUE) for y in (39.5, 64.5) for x in (13, 30, 47)),
    ),
    8: (
        (10, 22, 15, 0, GREEN), (50, 22, 15, 0, GREEN),
        (22.5, 22, 15.5, -34, GREEN), (37.5, 22, 15.5, 34, GREEN),
        (10, 58, 15, 0, BLUE), (50, 58, 15, 0, BLUE),
        (22.5, 58, 15.5, 34, BLUE), (37.5, 58, 15.5, -34, BLUE),
    ),
    9: tuple(
        (x, y, 10, 0, c) for x, c in ((13, GREEN), (30, RED), (47, BLUE)) for y in (15, 40, 65)
    ),
}  # fmt: skip


def _glyph(character: str, x: float, y: float, size: float, colour: str, pen: float = 11) -> str:
    return (
        f'<path fill="{colour}" transform="translate({x} {y}) scale({size / 100:.3f})" '
        f'd="{glyph_path(character, pen)}"/>'
    )


def _ring(x: float, y: float, r: float, colour: str) -> str:
    """One circle of 饼: a rim, a pale ring and a core with a dot."""
    return (
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="{colour}"/>'
        f'<circle cx="{x}" cy="{y}" r="{r * 0.72:.2f}" fill="{IVORY}"/>'
        f'<circle cx="{x}" cy="{y}" r="{r * 0.5:.2f}" fill="{colour}"/>'
        f'<circle cx="{x}" cy="{y}" r="{r * 0.18:.2f}" fill="{IVORY}"/>'
    )


def _rosette() -> str:
    """1 饼: one great flower of rings and petals."""
    parts = [
        f'<circle cx="30" cy="40" r="24" fill="{GREEN}"/>',
        f'<circle cx="30" cy="40" r="20.5" fill="{IVORY}"/>',
    ]
    for i in range(12):
        angle = math.radians(30 * i)
        x, y = 30 + 16.2 * math.cos(angle), 40 + 16.2 * math.sin(angle)
        parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="3.1" fill="{BLUE}"/>')
    parts.append(f'<circle cx="30" cy="40" r="11" fill="{RED}"/>')
    parts.append(f'<circle cx="30" cy="40" r="8" fill="{IVORY}"/>')
    for i in range(4):
        parts.append(
            f'<ellipse cx="30" cy="36" rx="2.2" ry="4" fill="{RED}" '
            f'transform="rotate({45 + 90 * i} 30 40)"/>'
        )
    return "".join(parts)


def _stick(x: float, y: float, half: float, angle: float, colour: str) -> str:
    """One bamboo stick of 条: two swelling halves, a node and a light line."""
    w = 4.5
    outline = (
        f"M{-w} {-half + 3}Q{-w} {-half} 0 {-half}T{w} {-half + 3}"
        f"Q{w - 1} {-half / 2:.1f} {w - 1.3:.1f} -1.5L{w} 0L{w - 1.3:.1f} 1.5"
        f"Q{w - 1} {half / 2:.1f} {w} {half - 3}Q{w} {half} 0 {half}T{-w} {half - 3}"
        f"Q{1 - w:.1f} {half / 2:.1f} {1.3 - w:.1f} 1.5L{-w} 0L{1.3 - w:.1f} -1.5"
        f"Q{1 - w:.1f} {-half / 2:.1f} {-w} {-half + 3}Z"
    )
    return (
        f'<g transform="translate({x} {y}) rotate({angle})"><path fill="{colour}" d="{outline}"/>'
        f'<path stroke="{IVORY}" stroke-width="1.1" stroke-linecap="round" '
        f'd="M0 {-half + 4}V-3M0 3V{half - 4}"/></g>'
    )


def _bird() -> str:
    """1 条: a bird of our own, a sparrow on a bamboo twig with its tail raised."""
    return (
        '<g transform="translate(1 3) scale(.93)">'
        f'<path fill="{GREEN}" d="M20 44C8 52 5 62 6 74C13 66 17 60 25 55Z"/>'
        f'<path fill="{BLUE}" d="M22 47C13 56 12 66 14 76C20 68 23 61 29 55Z"/>'
        f'<path fill="{RED}" d="M25 49C19 58 20 66 22 74C28 67 30 60 33 54Z"/>'
        f'<path fill="{GREEN}" d="M18 46C16 32 24 22 33 20C34 12 42 7 49 11'
        f'C54 14 55 20 52 25C53 38 50 52 38 57C29 60 20 56 18 46Z"/>'
        f'<path fill="{IVORY}" d="M24 42C26 32 33 28 40 29C42 38 37 48 28 50C25 48 24 45 24 42Z"/>'
        f'<path fill="{BLUE}" d="M26 42C28 35 33 32 38 32C39 38 35 44 29 46Z"/>'
        f'<path fill="{RED}" d="M52 16L59 19L52 22Z"/>'
        f'<path fill="{RED}" d="M40 10C38 6 39 3 42 2C42 5 44 6 46 10Z"/>'
        f'<circle cx="46" cy="17" r="3" fill="{IVORY}"/><circle cx="46.6" cy="17" r="1.5" '
        f'fill="{INK}"/>'
        f'<path fill="none" stroke="{RED}" stroke-width="2.2" stroke-linecap="round" '
        f'd="M36 57V67M42 55V66"/>'
        f'<path fill="none" stroke="{GREEN}" stroke-width="3.4" stroke-linecap="round" '
        f'd="M27 70Q40 65 55 68"/></g>'
    )


def _white() -> str:
    """5z 白: an empty frame with cut corners."""
    return (
        f'<path fill="none" stroke="{BLUE}" stroke-width="3.2" '
        'd="M14 9H46Q47 14 52 15V65Q47 66 46 71H14Q13 66 8 65V15Q13 14 14 9Z"/>'
        f'<path fill="none" stroke="{BLUE}" stroke-width="1.2" d="M17 16H43V64H17Z"/>'
    )


def _character(number: int) -> str:
    top = _glyph(NUMBERS[number - 1], 14, 5, 32, INK, 13)
    return top + _glyph("萬", 12.5, 41, 35, RED, 9.5)


def _dots(number: int) -> str:
    if number == 1:
        return _rosette()
    radius, places = _CIRCLES[number]
    return "".join(_ring(x, y, radius, colour) for x, y, colour in places)


def _bamboo(number: int) -> str:
    return _bird() if number == 1 else "".join(_stick(*stick) for stick in _STICKS[number])


def _honour(number: int) -> str:
    if number <= 4:
        return _glyph(WINDS[number - 1], 8, 18, 44, INK, 12)
    if number == 5:
        return _white()
    return _glyph(*(("發", 7, 16, 46, GREEN, 10) if number == 6 else ("中", 8, 17, 44, RED, 13)))


_SUITS: dict[str, Callable[[int], str]] = {
    "m": _character,
    "p": _dots,
    "s": _bamboo,
    "z": _honour,
}

_PIPS = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8),
         6: (0, 2, 3, 5, 6, 8)}  # fmt: skip


def _die(number: int) -> str:
    body = (
        f'<rect x="3" y="13" width="54" height="54" rx="9" fill="#ffffff" stroke="{EDGE}" '
        'stroke-width="1.5"/>'
    )
    colour = RED if number in (1, 4) else INK
    radius = 9 if number == 1 else 5.4
    for cell in _PIPS[number]:
        x, y = 15 + 15 * (cell % 3), 25 + 15 * (cell // 3)
        body += f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>'
    return body


def _back() -> str:
    """The back: a green slab with a woven lattice."""
    lines = "".join(f"M{x} 8L{x - 64} 72M{x - 64} 8L{x} 72" for x in range(12, 118, 13))
    return (
        '<rect x="1" y="1" width="58" height="78" rx="6" fill="#0d5a3a" stroke="#083a26"/>'
        '<svg x="7" y="7" width="46" height="66" viewBox="7 7 46 66">'
        f'<path fill="none" stroke="#7fb89b" stroke-width="1.1" d="{lines}"/></svg>'
        '<rect x="7" y="7" width="46" height="66" rx="3" fill="none" stroke="#a8d2bb" '
        'stroke-width="1.4"/>'
    )


def _slab() -> str:
    """The body of a face: a shaded edge under an ivory face."""
    return (
        f'<rect x=".75" y=".75" width="58.5" height="78.5" rx="6" fill="{SHADE}" '
        f'stroke="{EDGE}" stroke-width="1.5"/>'
        f'<rect x="2" y="2" width="56" height="74" rx="5" fill="{IVORY}"/>'
    )


def _joker_badge() -> str:
    """混 on a red seal in the corner: told by its shape and sign, not by colour alone."""
    seal = '<path d="M36 1H54Q59 1 59 6V24H41Q36 24 36 19Z" fill="#a3141f"/>'
    return seal + _glyph("混", 38.5, 3.5, 18, "#ffffff", 12.5)


def is_picture(tile: str) -> bool:
    """Whether `tile_svg` can draw this name: the 34 faces, `back`, `die1` to `die6`."""
    if tile == "back":
        return True
    if tile.startswith("die"):
        return tile[3:] in {"1", "2", "3", "4", "5", "6"}
    last = {"m": "9", "p": "9", "s": "9", "z": "7"}
    return len(tile) == 2 and tile[1] in last and "1" <= tile[0] <= last[tile[1]]


@lru_cache(maxsize=128)
def tile_svg(tile: str, *, joker: bool = False, width: int = WIDTH) -> str:
    """The picture of one tile as a whole SVG document.

    Args:
        tile: `1m`-`9m`, `1p`-`9p`, `1s`-`9s`, `1z`-`7z`, `back`, `die1`-`die6`.
        joker: mark a face with 混 in the corner (a back or a die has no such mark).
        width: width in pixels; the height follows (3:4).

    Raises:
        ValueError: no such tile.
    """
    if not is_picture(tile):
        raise ValueError(f"no such tile: {tile!r}; write 1m-9m, 1p-9p, 1s-9s, 1z-7z, back, die1-6")
    if tile == "back":
        body = _back()
    elif tile.startswith("die"):
        body = _die(int(tile[3:]))
    else:
        face = _SUITS[tile[1]](int(tile[0]))
        if joker:  # the seal takes the corner, so the face steps down and aside
            face = f'<g transform="translate(2 17) scale(.74)">{face}</g>{_joker_badge()}'
        body = _slab() + face
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{width}" height="{width * HEIGHT // WIDTH}">{body}</svg>'
    )
