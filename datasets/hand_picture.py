"""A picture of exactly the hand one asks for, as its owner would photograph it."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from datasets.faces import restyle
from datasets.felt import photograph_on_felt
from datasets.fonts import chinese_fonts
from datasets.scene_camera import aim
from datasets.scene_clutter import ClutterBox
from datasets.scene_items import Item, thrown
from datasets.scene_stage import Stage
from datasets.scene_types import FACES, Scene, SceneObject
from datasets.styles import CLASSIC, BackStyle, random_style
from datasets.tile_sets import TileSet
from rules import Meld

_SHAPE = 0.625  # height over width of the picture
_BETWEEN = 1.5  # tile widths between the hand and the melds


def render_hand(
    tiles: Sequence[str],
    drawn: str | None = None,
    melds: Sequence[Meld] = (),
    seed: int = 0,
    indicator: str | None = None,
    dice: Sequence[int] = (),
    width: int = 1280,
) -> Scene:
    """Render a hand row from its owner's seat.

    Args:
        tiles: the standing tiles from left to right (MPSZ), without the drawn one.
        drawn: a tile set apart at the right end.
        melds: exposed sets, laid flat to the left of the hand; of a concealed gang (暗杠) the
            outer tiles lie face down.
        seed: decides the tile set, the table and the light.
        indicator: a tile lying face up by itself beyond the row (the flipped 混 indicator).
        dice: values of dice lying beside it.
        width: of the picture in pixels; its height is 5/8 of that.

    Returns:
        A `Scene` whose objects are exactly the tiles and dice asked for, backs included.

    Raises:
        ValueError: when a tile is no MPSZ face; the message names it.
    """
    asked = [*tiles, *([drawn] if drawn else []), *(m.tile for m in melds)]
    for name in [*asked, *([indicator] if indicator else [])]:
        if name not in FACES:
            raise ValueError(f"{name!r} is not a tile: write 1m-9m, 1p-9p, 1s-9s or 1z-7z")
    rng = random.Random(f"hand {seed}")
    stage = Stage(rng, _tidy_set(rng), ClutterBox(seed))
    stage.gap = 0.01
    _lay_hand(stage, tiles, drawn, melds)
    _lay_beyond(stage, indicator, dice)
    return _photo(stage, rng, width)


def _tidy_set(rng: random.Random) -> TileSet:
    """A well-kept set: ivory or white, engraved, without corner letters."""
    style = random_style(rng)
    white = (246, 244, 236)
    colour = rng.choice(((28, 120, 84), (44, 96, 176), (222, 150, 40)))
    back = BackStyle(colour, "plain", ((0.35, colour), (0.65, white)))
    brush = next((f for f in chinese_fonts() if "Kai" in f.family), style.brush)
    return TileSet(
        restyle(
            style,
            face=white,
            palette=rng.choice(CLASSIC),
            wear=0.0,
            engraving=0.6,
            corner="none",
            wan="萬",
            white="double",
            red_fives=False,
            margin=0.09,
            aspect=1.36,
            thickness=0.75,
            back=back,
            brush=brush,
            wan_brush=brush,
            wind_brush=brush,
        )
    )


def _lay_hand(stage: Stage, tiles: Sequence[str], drawn: str | None, melds: Sequence[Meld]) -> None:
    with stage.seat(0):
        stage.standing_row(tiles, 0, 0)
        end = len(tiles) / 2 * (1 + stage.gap)
        if drawn:
            stage.upright(drawn, end + 0.5 + 0.8, 0, role="drawn")
        x = -end - _BETWEEN
        for meld in reversed(melds):
            count = len(meld.tiles)
            backs = (0, 3) if meld.kind == "gang_concealed" else ()
            stage.flat_row(meld.tiles, x - count / 2, 0.3, role="meld", backs=backs)
            x -= count + 0.8


def _lay_beyond(stage: Stage, indicator: str | None, dice: Sequence[int]) -> None:
    """The indicator and the dice, well apart from the row."""
    if indicator:
        stage.flat(indicator, -3.0, 5.0, stage.rng.gauss(0, 0.05), role="indicator")
    side = 0.62
    for i, value in enumerate(dice):
        centre = np.array([1.5 + 1.4 * i, 4.6 + 0.5 * (i % 2), side / 2])
        turn = stage.rng.uniform(0, 2 * math.pi)
        rotation, size = thrown(value, turn), (side, side, side)
        stage.items.append(Item(f"die{value}", centre, rotation, size, stage.die, "dice"))


def _photo(stage: Stage, rng: random.Random, width: int) -> Scene:
    focus = np.concatenate([item.corners() for item in stage.items])
    span = float(np.ptp(focus[:, 0]))
    camera = aim(
        focus,
        elevation=rng.uniform(0.5, 0.62),
        azimuth=-math.pi / 2 + rng.gauss(0, 0.03),
        distance=span * 1.5,
        roll=rng.gauss(0, 0.01),
        fill=0.88,
        size=width,
    )
    cloth = rng.randrange(9)
    photo, found = photograph_on_felt(stage, camera, rng, (-0.5, -0.7, 1.6), cloth, strength=0.12)
    height = round(width * _SHAPE)
    cut = (width - height) // 2
    objects = tuple(_shifted(o, cut) for o in found)
    return Scene(photo[cut : cut + height].copy(), objects, "hand picture")


def _shifted(found: SceneObject, up: int) -> SceneObject:
    x1, y1, x2, y2 = found.box
    quad = found.quad - np.array([0, up], np.float32)
    return replace(found, box=(x1, y1 - up, x2, y2 - up), quad=quad)
