"""Two dice too small to be read are told as a throw that somebody must look at."""

from __future__ import annotations

import numpy as np

from vision.tracking.small_dice import SmallDice, die_size
from vision.values import Box

CLOTH, BODY, INK = (60, 130, 50), (30, 30, 30), (225, 225, 225)
TILES: list[Box] = [(20.0 + 22 * k, 300.0, 38.0 + 22 * k, 326.0) for k in range(10)]
FPS = 10


class Table:
    """Frames of a cloth with small black squares on it, and what is told."""

    def __init__(self) -> None:
        self.watch = SmallDice()
        self.number = 0
        self.told: list[tuple[Box, ...]] = []

    def show(self, seconds: float, *things: tuple[int, int, int]) -> None:
        for _ in range(round(seconds * FPS)):
            pixels = np.full((360, 640, 3), CLOTH, np.uint8)
            for x, y, side in things:
                pixels[y : y + side, x : x + side] = BODY
                pixels[y + 2 : y + 4, x + 2 : x + 4] = INK
            self.number += 1
            size = die_size(None, (640, 360), TILES)
            assert size is not None
            dice = self.watch.see(pixels, size, TILES, self.number / FPS)
            if dice:
                self.told.append(tuple(die.box for die in dice))
                assert all(die.pips is None for die in dice)

    def roll(self, *things: tuple[int, int, int]) -> None:
        for k in range(4):
            self.show(0.1, *((x - 120 + 30 * k, y, side) for x, y, side in things))


def test_two_small_dice_are_told_once_when_they_rest() -> None:
    table = Table()
    dice = (200, 100, 10), (330, 150, 10)
    table.show(2.0)
    table.roll(*dice)
    assert table.told == [], "not while they roll"
    table.show(3.0, *dice)
    (boxes,) = table.told
    assert [round(box[0]) for box in boxes] == [200, 330]
    table.show(2.0)
    assert len(table.told) == 1, "picked up, they are no throw"
    table.roll((240, 200, 10), (420, 90, 10))
    table.show(3.0, (240, 200, 10), (420, 90, 10))
    assert len(table.told) == 2


def test_one_thing_three_things_and_large_things_are_no_throw() -> None:
    for things in (
        [(200, 100, 10)],
        [(200, 100, 10), (330, 150, 10), (420, 60, 10)],
        [(200, 100, 18), (330, 150, 18)],
        [(200, 100, 10), (60, 308, 10)],
    ):
        table = Table()
        table.show(2.0)
        table.roll(*things)
        table.show(3.0, *things)
        assert table.told == [], things


def test_things_that_come_one_after_the_other_are_no_throw() -> None:
    table = Table()
    table.show(2.0)
    table.show(3.0, (200, 100, 10))
    table.show(3.0, (200, 100, 10), (330, 150, 10))
    assert table.told == []


def test_the_size_of_a_die_follows_from_the_tiles() -> None:
    assert die_size(None, (640, 360), TILES[:3]) is None, "three tiles tell nothing"
    close: list[Box] = [(0.0, 0.0, 90.0, 120.0)] * 10
    assert die_size(None, (640, 360), close) is None, "dice this large are read"
    size = die_size(None, (640, 360), TILES)
    assert size is not None
    assert size((0.0, 0.0, 10.0, 10.0))
    assert not size((0.0, 0.0, 17.0, 17.0))
    assert not size((0.0, 0.0, 5.0, 9.0))
