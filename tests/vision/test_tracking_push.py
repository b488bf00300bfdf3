"""A camera that is pushed a little is followed at once; shuffling before a game loses no view."""

from __future__ import annotations

import numpy as np

from vision.opencv import cv2
from vision.table.placement import Placement
from vision.tracking.change import GREAT_SHARE, ChangeDetector
from vision.tracking.looking import WIDE, Looking
from vision.values import Box, TileReading

SIZE = (640, 480)
CORNERS = ((0.05, 0.95), (0.95, 0.95), (0.95, 0.05), (0.05, 0.05))
PUSH = np.array([[1.002, -0.004, 6.0], [0.004, 1.002, 5.0], [0.0, 0.0, 1.0]])
FRAME_S = 0.2


def table(seed: int = 1, marks: int = 110) -> np.ndarray:
    """A cloth with tiles here and there, each with strokes of its own."""
    chance = np.random.default_rng(seed)
    pixels = np.full((SIZE[1], SIZE[0], 3), (60, 120, 40), np.uint8)
    for _ in range(marks):
        x, y = chance.integers(10, SIZE[0] - 30), chance.integers(10, SIZE[1] - 30)
        colour = tuple(int(v) for v in chance.integers(0, 255, 3))
        cv2.rectangle(pixels, (int(x), int(y)), (int(x) + 9, int(y) + 13), colour, -1)
        cv2.line(pixels, (int(x), int(y)), (int(x) + 8, int(y) + 12), (20, 20, 200), 1)
    return pixels


def quilt() -> np.ndarray:
    """A picture that has nothing in common with the table."""
    patches = np.random.default_rng(2).integers(0, 255, (12, 16, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(patches, SIZE, interpolation=cv2.INTER_NEAREST))


def pushed(pixels: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.warpPerspective(pixels, PUSH, SIZE, borderMode=cv2.BORDER_REPLICATE))


class OneTile:
    """Reads one tile wherever the table has been pushed to."""

    side, least = 640, 0.4

    def __init__(self) -> None:
        self.box: Box = (300.0, 220.0, 326.0, 256.0)

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        return (TileReading("5p", 0.9, self.box, (("5p", 0.9),)),)


def watch(looking: Looking, pixels: np.ndarray, at: float, frames: int) -> float:
    for _ in range(frames):
        looking.see(pixels, at)
        at += FRAME_S
    return at


def test_a_push_changes_the_picture_everywhere_and_an_arm_does_not() -> None:
    still, arm = table(), table()
    cv2.rectangle(arm, (360, 200), (640, 330), (110, 150, 215), -1)
    for later, wide in ((pushed(still), True), (arm, False)):
        changes = ChangeDetector()
        changes.look(still, 0.0)
        motion = changes.look(later, FRAME_S)
        assert (motion.spread >= WIDE) == wide
        assert motion.share < GREAT_SHARE, "its share alone would not tell"


def test_the_table_and_its_tiles_follow_a_push_as_soon_as_it_is_over() -> None:
    look = OneTile()
    looking = Looking(look, Placement("t", "overhead", CORNERS))
    at = watch(looking, table(), 0.0, 12)
    (before,) = looking.tracks.settled()
    corners = looking.placement.corners if looking.placement else ()
    shift = PUSH[:2, 2]
    look.box = tuple(v + shift[k % 2] for k, v in enumerate(look.box))  # type: ignore[assignment]
    watch(looking, pushed(table()), at, 2)
    assert looking.placement is not None
    moved = np.array(looking.placement.corners) - np.array(corners)
    assert np.abs(moved * SIZE).max() > 3.0
    (after,) = looking.tracks.settled()
    assert after.id == before.id
    assert np.abs(np.array(after.box) - np.array(look.box)).max() < 4.0


def test_another_picture_is_another_view_only_while_a_game_is_on() -> None:
    for guards in (True, False):
        looking = Looking(OneTile(), Placement("t", "overhead", CORNERS))
        at = watch(looking, table(), 0.0, 8)
        looking.guards = guards
        watch(looking, quilt(), at, 12)
        assert looking.view_lost == guards
