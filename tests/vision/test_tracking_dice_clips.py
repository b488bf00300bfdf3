"""Real dice: every throw that is told has the value read off the frames by eye, or is doubtful.

The clips are not part of the project; without them these tests are skipped. No model is asked:
this is what `find_dice` and `DiceWatch` make of the pixels alone.
"""

from __future__ import annotations

import json
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
STEP = {"one_white_die.mp4": 2, "two_ivory_dice.mp4": 1}
# Throws that must be found, of 8 and 6; small dice wait for the models to agree, and the ivory dice
# lie still for a quarter of a second only.
LEAST_FOUND = {"one_white_die.mp4": 8, "two_ivory_dice.mp4": 6}


class _Blind:
    """Models that see nothing."""

    side = 640
    least = 0.4

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        return ()


def _throws(name: str) -> list[tuple[int, Throw]]:
    clip = CLIPS / name
    if not clip.is_file():
        pytest.skip(f"the clip {name} is not here")
    looking, told = Looking(_Blind()), []
    for number, frame in enumerate(every_frame(named_source(str(clip)))):
        if number % STEP[name] == 0:
            looking.see(frame.pixels, float(frame.position or 0.0))
            told += [(number, throw) for throw in looking.take_throws()]
    return told


def _true(name: str, frame: int) -> dict[str, Any] | None:
    return next((t for t in TRUTH[name] if t["from"] <= frame <= t["to"] + 1), None)


@pytest.mark.parametrize("name", ["one_white_die.mp4", "two_ivory_dice.mp4"])
def test_throws_are_right_or_doubtful_and_never_told_while_rolling(name: str) -> None:
    told = _throws(name)
    rolling = [(frame, throw.values) for frame, throw in told if _true(name, frame) is None]
    assert rolling == []
    right = set()
    for frame, throw in told:
        true = _true(name, frame)
        assert true is not None
        if sorted(throw.values) == sorted(true["values"]):
            right.add(true["from"])
        else:
            assert throw.doubtful, (frame, throw.values, true["values"])
    assert len(right) >= LEAST_FOUND[name]
