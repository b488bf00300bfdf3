"""Real dice: every throw that is told has the value read off the frames by eye, or is doubtful.

The clips are not part of the project; without them these tests are skipped. No model is asked:
this is what `find_dice` and `DiceWatch` make of the pixels alone.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.sources import every_frame, named_source
from vision.tracking.dice import Throw
from vision.tracking.looking import Looking
from vision.values import Box, TileReading

CLIPS = Path(__file__).parents[2] / ".." / "shared" / "clips"
TRUTH = json.loads(Path(__file__).with_name("dice_clips.json").read_text())
STEP = {"one_white_die.mp4": 2, "two_ivory_dice.mp4": 1, "backgammon_dice_hands.mp4": 3}


class _Blind:
    """Models that see nothing but the pieces of the board, where there is one."""

    side = 640
    least = 0.4

    def __init__(self, pieces: list[list[float]]) -> None:
        self.pieces = [(x - 9, y - 9, x + 9, y + 9) for x, y in pieces]

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        return tuple(TileReading("back", 0.9, box, (("back", 0.9),)) for box in self.pieces)


@cache
def _throws(name: str) -> list[tuple[int, Throw]]:
    clip = CLIPS / name
    if not clip.is_file():
        pytest.skip(f"the clip {name} is not here")
    looking, told = Looking(_Blind(TRUTH["pieces"].get(name, []))), []
    for number, frame in enumerate(every_frame(named_source(str(clip)))):
        if number % STEP[name] == 0:
            looking.see(frame.pixels, float(frame.position or 0.0))
            told += [(number, throw) for throw in looking.take_throws()]
    return told


def _true(name: str, frame: int) -> dict[str, Any] | None:
    return next((t for t in TRUTH[name] if t["from"] <= frame <= t["to"] + 1), None)


@pytest.mark.parametrize("name", list(STEP))
def test_every_throw_is_right_or_doubtful_and_never_told_while_rolling(name: str) -> None:
    told = _throws(name)
    rolling = [(frame, throw.values) for frame, throw in told if _true(name, frame) is None]
    assert rolling == []
    found = set()
    for frame, throw in told:
        true = _true(name, frame)
        assert true is not None
        right = sorted(throw.values) == sorted(true["values"])
        assert right or throw.doubtful, (frame, throw.values, true["values"])
        found.add(true["from"])
    assert found == {true["from"] for true in TRUTH[name]}, "a throw was passed over in silence"


def test_dice_large_enough_are_read_and_small_ones_are_never_guessed() -> None:
    right = dict.fromkeys(STEP, 0)
    for name in STEP:
        for frame, throw in _throws(name):
            true = _true(name, frame)
            right[name] += true is not None and sorted(throw.values) == sorted(true["values"])
    assert right["one_white_die.mp4"] == 8
    assert right["two_ivory_dice.mp4"] == 6
    # Dice of ten pixels: told as doubtful, without values.
    assert right["backgammon_dice_hands.mp4"] == 0
