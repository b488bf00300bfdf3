"""Dice of many makes: white with red one and four, coloured, translucent, large or tiny pips."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from datasets.scene_items import DIE_SIDES
from datasets.scene_types import Pixels
from datasets.styles import RGB, jitter
from datasets.tile_sets import level_for, pyramid
from vision.opencv import cv2

_SIDE = 96
_LOW, _MID, _HIGH = -1.0, 0.0, 1.0
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((_MID, _MID),),
    2: ((_LOW, _LOW), (_HIGH, _HIGH)),
    3: ((_LOW, _LOW), (_MID, _MID), (_HIGH, _HIGH)),
    4: ((_LOW, _LOW), (_HIGH, _LOW), (_LOW, _HIGH), (_HIGH, _HIGH)),
    5: ((_LOW, _LOW), (_HIGH, _LOW), (_MID, _MID), (_LOW, _HIGH), (_HIGH, _HIGH)),
    6: tuple((x, y) for x in (_LOW, _HIGH) for y in (_LOW, _MID, _HIGH)),
}
_WHITES: tuple[RGB, ...] = ((246, 245, 240), (250, 250, 250), (235, 228, 205), (222, 224, 226))
_COLOURS: tuple[RGB, ...] = (
    (185, 22, 28), (20, 110, 60), (26, 60, 165), (30, 30, 34), (120, 40, 140), (235, 190, 30),
    (235, 120, 30), (60, 160, 200), (230, 90, 140), (120, 125, 130), (110, 70, 40),
)  # fmt: skip


@dataclass
class DieLook:
    """The `Look` of a die: body, pips, how round and how clear it is."""

    body: RGB
    pips: tuple[RGB, RGB, RGB]  # of the one, of the four, of the others
    pip_radius: float
    one_radius: float
    spread: float
    radius: float
    clear: bool
    round_pips: bool = True
    _sides: dict[str, list[Pixels]] = field(default_factory=dict)

    def texture(self, side: str, width: float) -> Pixels:
        """The picture of one side."""
        if side not in self._sides:
            self._sides[side] = pyramid(self._draw(DIE_SIDES[side]))
        return level_for(self._sides[side], width)

    def layers(self) -> tuple[tuple[float, RGB], ...]:
        """One material all through."""
        return ((1.0, self.body),)

    def _draw(self, value: int) -> Pixels:
        scale = 4
        big = _SIDE * scale
        picture = np.empty((big, big, 3), np.uint8)
        picture[:] = self.body[::-1]
        if self.clear:  # light gathers in the middle of translucent plastic
            glow = np.zeros((48, 48), np.uint8)
            cv2.circle(glow, (24, 24), 16, 70, -1)
            glow = cv2.resize(cv2.GaussianBlur(glow, (0, 0), 6), (big, big))
            picture = cv2.add(picture, cv2.merge([glow, glow, glow]))
        paint = self.pips[0] if value == 1 else self.pips[1] if value == 4 else self.pips[2]
        r = self.one_radius if value == 1 else self.pip_radius
        for x, y in _PIPS[value]:
            at = (round(big * (0.5 + x * self.spread)), round(big * (0.5 + y * self.spread)))
            cv2.circle(picture, at, round(r * big), paint[::-1], -1, cv2.LINE_AA)
            if r * big > 20:  # the hollow of a pip: darker above, lighter below
                edge = tuple(int(c * 0.6) for c in paint[::-1])
                cv2.ellipse(picture, at, (round(r * big), round(r * big)), 0, 180, 360, edge, 5)
        return cv2.resize(picture, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)


def random_die(rng: random.Random) -> DieLook:
    """A make of dice; all the dice of one throw usually share it."""
    black: RGB = (22, 22, 26)
    red: RGB = jitter(rng, (200, 24, 30), 15)
    kind = rng.random()
    if kind < 0.6:  # white or ivory
        body = jitter(rng, rng.choice(_WHITES), 5)
        main = rng.choice((black, black, black, (24, 48, 140), red))
        chinese = rng.random() < 0.65
        pips = (red, red, main) if chinese else (main, main, main)
        if chinese and rng.random() < 0.15:
            pips = (red, main, main)
    else:
        body = jitter(rng, rng.choice(_COLOURS), 12)
        light = sum(body) > 420
        main = (
            black if light and rng.random() < 0.7 else rng.choice(((250, 250, 250), (240, 220, 90)))
        )
        pips = (main, main, main)
        if rng.random() < 0.1:
            pips = (red if sum(body) < 150 else main, main, main)
    touching = rng.random() < 0.2
    pip = rng.uniform(0.115, 0.13) if touching else rng.uniform(0.065, 0.11)
    spread = rng.uniform(0.21, 0.25) if touching else rng.uniform(0.22, 0.29)
    return DieLook(
        body=body,
        pips=pips,
        pip_radius=pip,
        one_radius=pip
        * (rng.uniform(1.4, 2.4) if kind < 0.6 and pips[0] == red else rng.uniform(1, 1.3)),
        spread=spread,
        radius=rng.uniform(0.08, 0.24),
        clear=kind >= 0.6 and rng.random() < 0.4,
    )
