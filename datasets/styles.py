"""How one tile set looks: a `TileStyle` drawn at random from the ways real sets differ."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from datasets.fonts import FontFace, chinese_fonts, latin_fonts, wide_fonts

T = TypeVar("T")
RGB = tuple[int, int, int]

CIRCLES = ("rings", "target", "cross", "flower", "dotted", "solid", "ring", "pie")
ONE_CIRCLES = ("rosette", "sunflower", "target", "dots", "wheel", "character", "mandala", "coin")
BAMBOOS = ("pills", "bones", "beads", "plain", "outline", "segments")
BIRDS = ("parrot", "sparrow", "crane", "peacock", "fan", "abstract", "glyph")
WHITES = (
    "blank", "frame", "frame", "double", "double", "notched", "notched", "key",
    "letter", "framed letter", "key letter",
)  # fmt: skip
#: The same for pictures to train on, where what is rare is shown as often as what is common.
WIDE_WHITES = (
    "blank", "frame", "double", "notched", "key",
    "letter", "letter", "framed letter", "framed letter", "key letter",
)  # fmt: skip
CORNERS = ("none", "none", "none", "left", "right", "both", "opposite")


@dataclass(frozen=True)
class Palette:
    """The paints of a set (RGB)."""

    ink: RGB
    wan: RGB
    red: RGB
    green: RGB
    blue: RGB


@dataclass(frozen=True)
class BackStyle:
    """The material of a tile's back and sides (RGB), and how the thickness is layered.

    `layers` lists (share of the thickness, colour) from the back to the face.
    """

    colour: RGB
    pattern: str
    layers: tuple[tuple[float, RGB], ...]


@dataclass(frozen=True)
class TileStyle:
    """Everything that is common to the tiles of one set.

    `aspect` is height over width, `thickness` is thickness over width, `margin` the free share
    of the face on each side, `engraving` and `wear` run from 0 to 1.
    """

    seed: int
    aspect: float
    thickness: float
    corner_radius: float
    margin: float
    face: RGB
    palette: Palette
    brush: FontFace
    wan_brush: FontFace
    wind_brush: FontFace
    bold: float
    wan: str
    five: str
    fa: str
    dong: str
    circle: str
    circle_accent: bool
    circle_order: tuple[str, str, str]
    circle_scale: float
    one_circle: str
    bamboo: str
    bamboo_mixed: bool
    bamboo_width: float
    bird: str
    white: str
    white_letter: str
    corner: str
    corner_font: FontFace
    corner_paint: str
    corner_size: float
    engraving: float
    wear: float
    red_fives: bool
    back: BackStyle


_BLACK, _NAVY, _RED = (24, 24, 30), (24, 42, 135), (188, 24, 30)
_GREEN, _BLUE, _BOTTLE = (14, 112, 52), (26, 62, 165), (16, 58, 46)
_PALETTES: tuple[tuple[int, Palette], ...] = (
    (5, Palette(_NAVY, _RED, _RED, _GREEN, _NAVY)),
    (5, Palette(_BLACK, _RED, _RED, _GREEN, _BLUE)),
    (3, Palette(_BLACK, _RED, _RED, _BOTTLE, _BLACK)),
    (2, Palette(_BLACK, (150, 30, 40), (160, 40, 50), (28, 48, 58), (28, 48, 66))),
    (2, Palette((30, 90, 190), (225, 50, 45), (225, 50, 45), (40, 165, 80), (40, 110, 200))),
    (1, Palette((20, 100, 60), _RED, _RED, (20, 120, 60), (20, 100, 60))),
    (1, Palette((90, 165, 220), (240, 110, 95), (240, 110, 95), (90, 195, 130), (90, 165, 220))),
    (1, Palette(_BLACK, _BLACK, _RED, _BLACK, _BLACK)),
)
#: The commonest paints, for pictures that are to look like an ordinary set.
CLASSIC = tuple(palette for _, palette in _PALETTES[:2])
_FACES: tuple[tuple[int, RGB], ...] = (
    (7, (246, 244, 238)), (5, (252, 252, 252)), (3, (238, 230, 206)), (3, (233, 233, 229)),
    (2, (228, 236, 228)), (2, (225, 205, 155)), (1, (205, 222, 240)), (1, (240, 222, 214)),
)  # fmt: skip
_DARK_FACES: tuple[RGB, ...] = ((38, 38, 42), (20, 70, 52), (70, 28, 34), (28, 44, 88))
_DARK_PALETTE = Palette(
    (240, 238, 230), (235, 90, 80), (235, 90, 80), (120, 210, 150), (240, 220, 150)
)
_BACKS: tuple[RGB, ...] = (
    (24, 128, 78), (30, 160, 110), (16, 80, 52), (34, 96, 190), (110, 165, 225), (30, 50, 120),
    (232, 150, 30), (240, 120, 40), (240, 205, 60), (160, 20, 110), (120, 60, 150), (190, 30, 40),
    (120, 70, 40), (200, 165, 105), (226, 226, 216), (246, 246, 244), (60, 60, 66), (150, 200, 90),
    (240, 160, 180), (70, 180, 190),
)  # fmt: skip


def jitter(rng: random.Random, colour: RGB, spread: int) -> RGB:
    """A colour near `colour`, each channel moved by at most `spread`."""
    r, g, b = (min(255, max(0, c + rng.randint(-spread, spread))) for c in colour)
    return r, g, b


def _weighted(rng: random.Random, options: Sequence[tuple[int, T]]) -> T:
    return rng.choices([o for _, o in options], [w for w, _ in options])[0]


def _palette(rng: random.Random, dark: bool) -> Palette:
    base = _DARK_PALETTE if dark else _weighted(rng, _PALETTES)
    return Palette(*(jitter(rng, c, 16) for c in vars(base).values()))


def random_back(rng: random.Random, face: RGB) -> BackStyle:
    """A back: one colour, white all through, two-tone bamboo, or three layers."""
    colour = jitter(rng, rng.choice(_BACKS), 14)
    share = rng.uniform(0.22, 0.6)
    kind = rng.random()
    layers: tuple[tuple[float, RGB], ...]
    if kind < 0.12:  # one material all through, as white melamine sets are
        colour, layers = face, ((1.0, face),)
    elif kind < 0.8:
        layers = ((share, colour), (1 - share, face))
    elif kind < 0.9:
        middle = jitter(rng, rng.choice(_BACKS), 14)
        layers = ((share * 0.5, colour), (share * 0.5, middle), (1 - share, face))
    else:  # a wafer of the face's material on the very back
        layers = ((0.1, face), (share, colour), (0.9 - share, face))
        colour = face if rng.random() < 0.5 else colour
    pattern = rng.choice(("plain",) * 6 + ("grain", "grain", "lattice", "dots", "swirl", "sparkle"))
    return BackStyle(colour, pattern, layers)


def random_style(rng: random.Random, wide: bool = False) -> TileStyle:
    """A tile set as one might meet it, wholly decided by the state of `rng`.

    Args:
        rng: source of randomness.
        wide: in all the fonts of `wide_fonts`, with more of what is rare, for training pictures.
    """
    fonts = wide_fonts() if wide else chinese_fonts()
    kai = [font for font in fonts if "Kai" in font.family]  # what most sets are cut in
    brush = rng.choice(kai if kai and rng.random() < (0.3 if wide else 0.45) else fonts)
    dark = rng.random() < (0.08 if wide else 0.04)
    face = jitter(rng, rng.choice(_DARK_FACES) if dark else _weighted(rng, _FACES), 6)
    orders = (("blue", "green", "red"), ("green", "blue", "red"), ("green", "green", "red"),
              ("blue", "blue", "red"), ("blue", "green", "red"))  # fmt: skip
    japanese = rng.random() < 0.2
    return TileStyle(
        seed=rng.randrange(2**31),
        aspect=rng.uniform(1.2, 1.5),
        thickness=rng.uniform(0.55, 0.9),
        corner_radius=rng.uniform(0.04, 0.13),
        margin=rng.uniform(0.06, 0.19),
        face=face,
        palette=_palette(rng, dark),
        brush=brush,
        wan_brush=brush if rng.random() < 0.75 else rng.choice(fonts),
        wind_brush=brush if rng.random() < 0.7 else rng.choice(fonts),
        bold=rng.uniform(0.0, 0.012 if "Noto" in brush.family else 0.06 if wide else 0.04),
        wan=_weighted(rng, ((8, "萬"), (3, "万"), (1, ""))),
        five="五" if japanese else rng.choice(("五", "伍", "伍")),
        fa=_weighted(rng, ((6, "發"), (2, "发"), (2, "発"))),
        dong=_weighted(rng, ((5, "東"), (2, "东"))),
        circle=rng.choice(CIRCLES),
        circle_accent=rng.random() < 0.35,
        circle_order=rng.choice(orders),
        circle_scale=rng.uniform(0.88, 1.2),
        one_circle=rng.choice(ONE_CIRCLES),
        bamboo=rng.choice(BAMBOOS),
        bamboo_mixed=rng.random() < 0.5,
        bamboo_width=rng.uniform(0.75, 1.4),
        bird=rng.choice(BIRDS),
        white=rng.choice(WIDE_WHITES if wide else WHITES),
        white_letter=rng.choice(
            ("白", "B", "P", "板", "W") if wide else ("白", "白", "B", "P", "板", "W")
        ),
        corner=rng.choice(CORNERS),
        corner_font=rng.choice(latin_fonts()),
        corner_paint=rng.choice(("red", "ink", "blue", "green")),
        corner_size=rng.uniform(0.12, 0.18),
        engraving=rng.choice((0.0, rng.uniform(0.2, 0.6), rng.uniform(0.5, 1.0))),
        wear=rng.choice((0.0, 0.0, rng.uniform(0.0, 0.5), rng.uniform(0.3, 0.8))),
        red_fives=rng.random() < (0.6 if japanese else 0.12),
        back=random_back(rng, face),
    )
