"""A hand laid open is told once it lies there, also where its last tiles come to light late."""

from __future__ import annotations

import pytest

from vision.table.placed import PlacedTile
from vision.tracking.opened import PART_S, WHOLE_S, OpenHands
from vision.values import TileReading

HAND = ("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "1z", "1z", "1z", "6z", "6z")
STEP = 0.1


def _told(counts: list[tuple[float, int]]) -> tuple[float, bool] | None:
    """When a hand is told of which from each time on so many tiles show; and whether as whole."""
    hands, at = OpenHands(), 0.0
    for k in range(60):
        at = STEP * k
        count = next(number for since, number in reversed(counts) if at >= since)
        tiles = [
            PlacedTile(TileReading(name, 0.9, (0.0, 0.0, 20.0, 28.0), index=n), "hand", 1, n, -11.0)
            for n, name in enumerate(HAND[:count])
        ]
        opened = hands.opened(tiles, {}, at)
        if opened is not None:
            return at, opened.whole
    return None


@pytest.mark.parametrize(
    ("counts", "when", "whole"),
    [
        ([(0.0, 14)], WHOLE_S, True),
        ([(0.0, 12)], PART_S, False),
        # Tiles that the picture's border cuts are read late: the hand lay open all the while.
        ([(0.0, 11), (0.7, 12), (1.5, 13)], 1.5 + WHOLE_S, False),
        ([(0.0, 12), (1.5, 14)], 1.5 + WHOLE_S, True),
        # Fewer than before: somebody is still at it.
        ([(0.0, 13), (1.5, 11)], 1.5 + PART_S, False),
    ],
)
def test_an_open_hand_is_told(counts: list[tuple[float, int]], when: float, whole: bool) -> None:
    told = _told(counts)
    assert told is not None
    assert told[1] is whole
    assert told[0] == pytest.approx(when, abs=STEP + 1e-6)


def test_a_few_tiles_are_no_open_hand() -> None:
    assert _told([(0.0, 6)]) is None
