"""The table's layout on rendered hands: what was laid is what `lay_out` finds."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from datasets.hand_picture import render_hand
from datasets.scene_types import Scene, SceneObject
from rules import TILES, Meld
from vision.layout import lay_out
from vision.values import PhotoReading, TileReading


def _reading(scene: Scene) -> PhotoReading:
    """What a perfect reader would have seen: the labels, without roles."""
    found = sorted(scene.objects, key=lambda o: (o.box[1], o.box[0]))
    tiles = tuple(
        TileReading(o.tile, 0.99, o.box, ((o.tile, 0.99),), down=_down(o), index=i)
        for i, o in enumerate(found)
    )
    height, width = scene.image.shape[:2]
    return PhotoReading("rendered", width, height, tiles, {})


def _down(found: SceneObject) -> tuple[float, float]:
    foot = found.quad[2:].mean(0) - found.quad[:2].mean(0)
    x, y = foot / np.linalg.norm(foot)
    return float(x), float(y)


def _deal(rng: random.Random, melds: int, drawn: bool) -> tuple[list[str], str | None, list[Meld]]:
    kinds = list(TILES)
    rng.shuffle(kinds)
    sets = [
        Meld(rng.choice(("pong", "gang_open", "gang_concealed")), kinds.pop()) for _ in range(melds)
    ]
    deck = [kind for kind in kinds for _ in range(4)]
    rng.shuffle(deck)
    tiles = sorted(deck[: 13 - 3 * melds], key=TILES.index)
    return tiles, deck[40] if drawn else None, sets


def _names(tiles: Sequence[TileReading]) -> list[str]:
    return sorted(tile.tile for tile in tiles)


@pytest.mark.parametrize("melds", [0, 1, 2])
@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_hands_as_laid(melds: int, drawn: bool, seed: int) -> None:
    rng = random.Random(f"{seed} {melds} {drawn}")
    tiles, extra, sets = _deal(rng, melds, drawn)
    indicator = rng.choice(TILES)
    scene = render_hand(tiles, extra, sets, seed, indicator, dice=(2, 5), width=960)
    table = lay_out(_reading(scene))
    assert _names(table.hand) == sorted(tiles)
    assert (table.drawn.tile if table.drawn else None) == extra
    assert sorted((m.kind, m.tile) for m in table.melds) == sorted((m.kind, m.tile) for m in sets)
    assert table.indicator is not None
    assert table.indicator.tile == indicator
    assert sorted(die.tile for die in table.dice) == ["die2", "die5"]
