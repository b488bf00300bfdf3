"""Rendered scenes of mahjong tables with exact labels.

Example:
    >>> scene = SceneGenerator(seed=7, styles=2).scene("hand", size=320)
    >>> scene.image.shape
    (320, 320, 3)
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np

from datasets.scene_camera import Camera, aim
from datasets.scene_clutter import ClutterBox
from datasets.scene_effects import photograph
from datasets.scene_ground import paint_ground, table_top
from datasets.scene_hands import paint_hands
from datasets.scene_layouts import LAYOUTS, WIDE, View, choose_kind
from datasets.scene_render import Light, Painter, paint_shadows
from datasets.scene_stage import FLAT, Stage
from datasets.scene_types import Pixels, Scene
from datasets.tile_sets import SharedPictures, TileSet, drawn_set

_SCENES_PER_STYLE = 12  # the oldest style of the pool makes way for a new one after as many scenes
_TOPS = 48


def check_kind(kind: str | None) -> None:
    """Raise ValueError, which lists the known kinds, for one that is not among `LAYOUTS`."""
    if kind is not None and kind not in LAYOUTS:
        raise ValueError(f"no scene kind {kind!r}: use one of {', '.join(LAYOUTS)}")


class SceneGenerator:
    """Makes scenes one after another; the n-th scene depends only on the seed and n.

    Args:
        seed: any number; equal seeds give equal scenes.
        shared: folder with `art` (CC0 drawings) and `photos/crops` (MIT photographs), used as
            further tile sets in half of the scenes when given and present.
        styles: how many drawn tile sets are in use at a time; new ones come in steadily.
        wide: every scene is of a set of its own, drawn in the widest choice of styles.

    Raises:
        datasets.fonts.FontsMissing: when no Chinese font is installed (the message says which
            packages to install).
    """

    def __init__(
        self, seed: int, shared: Path | None = None, styles: int = 12, wide: bool = False
    ) -> None:
        if styles < 1:
            raise ValueError("styles must be at least 1: that many tile sets are drawn")
        self._seed = seed
        self._styles = styles
        self._wide = wide
        self._next = 0
        self._clutter = ClutterBox(seed)
        self._sets: dict[int, TileSet] = {}
        self._tops: dict[int, Pixels] = {}
        pictures = SharedPictures(shared) if shared is not None else None
        self._pictures = None if pictures is None or pictures.empty else pictures

    def scene(self, kind: str | None = None, size: int = 640) -> Scene:
        """The next scene: `kind` of `LAYOUTS` or any, a square of `size` pixels."""
        self._next += 1
        return self.scene_at(self._next - 1, kind, size)

    def scene_at(self, index: int, kind: str | None = None, size: int = 640) -> Scene:
        """The scene with number `index`, independent of what was made before.

        Raises:
            ValueError: for an unknown kind; the message lists the known ones.
        """
        check_kind(kind)
        rng = random.Random(f"{self._seed} scene {index}")
        kind = kind or choose_kind(rng)
        own = self._wide or kind == WIDE
        tiles = drawn_set(rng, wide=True) if own else self._choose_set(index, rng)
        stage = Stage(rng, tiles, self._clutter)
        stage.gap = rng.choice((0.0, 0.01, 0.02, 0.05))
        view = LAYOUTS[kind][1](stage)
        if rng.random() < 0.15:  # from farther away
            view = replace(view, fill=view.fill * rng.uniform(0.4, 0.8))
        self._add_clutter(stage, kind, view)
        camera = _camera(stage, view, size)
        light = _light(rng)
        top, floor = self._top(rng), self._top(rng)
        reach = rng.uniform(13.5, 18) if rng.random() < 0.3 else None
        picture = paint_ground(camera, rng, top, floor, reach)
        painter = Painter(picture, camera, light)
        painter.paint([i for i in stage.items if i.size[2] <= FLAT])  # they take shadows
        bodies = [i for i in stage.items if i.size[2] > FLAT]
        paint_shadows(picture, bodies, camera, light)
        painter.paint(bodies)
        if rng.random() < (0.5 if kind == "clutter" else 0.13):
            paint_hands(painter, rng)
        return Scene(photograph(picture, rng), painter.objects(), kind)

    def _choose_set(self, index: int, rng: random.Random) -> TileSet:
        if self._pictures is not None and rng.random() < 0.45:
            return self._pictures.choose(rng)
        number = index // _SCENES_PER_STYLE + rng.randrange(self._styles)
        if number not in self._sets:
            oldest = index // _SCENES_PER_STYLE
            for old in [n for n in self._sets if not oldest <= n < oldest + self._styles]:
                del self._sets[old]
            self._sets[number] = drawn_set(random.Random(f"{self._seed} set {number}"))
        return self._sets[number]

    def _top(self, rng: random.Random) -> Pixels:
        number = rng.randrange(_TOPS)
        if number not in self._tops:
            self._tops[number] = table_top(random.Random(f"{self._seed} top {number}"))
        return self._tops[number]

    def _add_clutter(self, stage: Stage, kind: str, view: View) -> None:
        """Things beside and behind the tiles, never under them."""
        rng = stage.rng
        if kind == "clutter" or rng.random() > 0.38:
            return
        used = [
            (i.centre[0], i.centre[1], math.hypot(*i.size[:2]) / 2)
            for i in stage.items
            if i.size[2] > FLAT
        ]
        for number in range(rng.randint(1, 5)):
            store = "board" if number == 0 and rng.random() < 0.25 else "any"
            thing = self._clutter.thing(rng, rng.uniform(-12, 12), rng.uniform(-9, 12), store)
            radius = math.hypot(*thing.size[:2]) / 2
            x, y = thing.centre[:2]
            if all(math.hypot(x - a, y - b) > radius + r for a, b, r in used):
                stage.items.append(thing)
                used.append((x, y, radius))
        if rng.random() < 0.35:
            stage.pieces((rng.uniform(-6, 6), rng.uniform(-4, 8)), 5.0, rng.randint(2, 16))
        if view.elevation < 0.95 and rng.random() < 0.5:
            ends = np.array([i.centre[:2] for i in stage.items])
            away = -ends @ np.array([math.cos(view.azimuth), math.sin(view.azimuth)])
            near = float(away.max()) + rng.uniform(1.5, 6)
            towards = view.azimuth + rng.gauss(0, 0.12)
            stage.items.append(self._clutter.standing_shelf(rng, towards, near))


def _camera(stage: Stage, view: View, size: int) -> Camera:
    focus = np.concatenate([i.corners() for i in stage.items if i.focus])
    span = float(np.ptp(focus, axis=0).max())
    rng = stage.rng
    return aim(
        focus,
        view.elevation,
        view.azimuth,
        max(3.0, span * view.distance),
        rng.gauss(0, 0.05),
        view.fill,
        size,
        rng.choice((0.0, rng.uniform(-0.06, 0.04))),
    )


def _light(rng: random.Random) -> Light:
    towards = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.7, 2)])
    return Light(
        towards / np.linalg.norm(towards),
        ambient=rng.uniform(0.55, 0.85),
        shadow=rng.uniform(0.2, 0.6),
        softness=rng.choice((3, 7, 13)),
    )
