"""The tiles of one set in a scene: shuffled, drawn one after another."""

from __future__ import annotations

import random

from datasets.faces import flower_names
from datasets.scene_types import FACES


class Deck:
    """The 136 tiles of a set, shuffled; a second set is opened when they run out."""

    def __init__(self, rng: random.Random, flowers: float = 0.03) -> None:
        self._rng = rng
        self._flowers = flowers
        self._tiles: list[str] = []

    def _open(self) -> None:
        fresh = [face for face in FACES for _ in range(4)]
        self._rng.shuffle(fresh)
        self._tiles = fresh + self._tiles

    def draw(self, count: int, ordered: bool = False) -> list[str]:
        """The next `count` tiles, sorted by kind when `ordered`; a few may be flowers."""
        while len(self._tiles) < count:
            self._open()
        drawn = [self._tiles.pop() for _ in range(count)]
        if ordered:
            drawn.sort(key=FACES.index)
        for i in range(count):
            if self._rng.random() < self._flowers:
                drawn[i] = self._rng.choice(flower_names())
        return drawn

    def draw_same(self, count: int) -> list[str]:
        """`count` tiles of one kind (at most four)."""
        kinds: list[str] = []
        while not kinds:
            kinds = [face for face in FACES if self._tiles.count(face) >= count]
            if not kinds:
                self._open()
        kind = self._rng.choice(kinds)
        for _ in range(count):
            self._tiles.remove(kind)
        return [kind] * count
