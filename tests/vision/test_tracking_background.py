"""Frames are taken in while a part of an earlier one is being read."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from vision.tracking.background import BackgroundLook
from vision.tracking.looking import Looking
from vision.values import Box, TileReading

SIZE = (480, 640)
CLOTH, BODY = (60, 140, 40), (225, 235, 240)
PLACE = (200.0, 200.0, 250.0, 268.0)
PATIENCE_S = 30.0


class SlowLook:
    """Reads a white tile wherever the frame shows one, once it is let through."""

    side = 640
    least = 0.4

    def __init__(self) -> None:
        self.let = threading.Semaphore(0)
        self.begun = threading.Semaphore(0)
        self.error: Exception | None = None

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        self.begun.release()
        assert self.let.acquire(timeout=PATIENCE_S)
        if self.error is not None:
            raise self.error
        if pixels[234, 225].tolist() != list(BODY):
            return ()
        return (TileReading("5m", 0.95, PLACE, (("5m", 0.95),)),)


class Table:
    """Frames of a table, ten a second, and what is made of them."""

    def __init__(self) -> None:
        self.look = SlowLook()
        self.background = BackgroundLook(self.look)
        self.looking = Looking(self.background)
        self.number = 0

    def frame(self, tile: bool, arm: bool = False) -> None:
        pixels = np.full((*SIZE, 3), CLOTH, np.uint8)
        if tile:
            x1, y1, x2, y2 = (int(v) for v in PLACE)
            pixels[y1:y2, x1:x2] = BODY
        if arm:
            pixels[:300, 180:260] = (120 + 10 * (self.number % 3), 150, 190)
        self.number += 1
        self.looking.see(pixels, 0.1 * self.number)

    def names(self) -> list[str]:
        return [track.tile for track in self.looking.tracks.all()]

    def let_through(self) -> None:
        """The look under way comes to its end; the next frame takes what it found."""
        assert self.look.begun.acquire(timeout=PATIENCE_S)
        under = self.looking._under_way
        assert under is not None
        self.look.let.release()
        assert under.ticket.wait(PATIENCE_S)


@pytest.fixture
def table() -> object:
    table = Table()
    yield table
    for _ in range(20):
        table.look.let.release()
    assert table.background.close(PATIENCE_S)


def test_frames_do_not_wait_for_a_look(table: Table) -> None:
    for _ in range(20):
        table.frame(tile=True)
    assert table.look.begun.acquire(timeout=PATIENCE_S)
    assert not table.look.begun.acquire(blocking=False), "one look at a time"
    assert table.names() == []
    table.look.begun.release()
    table.let_through()
    table.frame(tile=True)
    assert table.names() == ["5m"], "found in the frame that was looked at, told with a later one"


def test_what_moved_meanwhile_is_not_taken_from_the_older_frame(table: Table) -> None:
    """The tile is picked up while it is being read: it does not lie there any more."""
    table.frame(tile=True)
    table.frame(tile=True, arm=True)
    table.frame(tile=False)
    table.let_through()
    table.frame(tile=False)
    assert table.names() == []


def test_the_error_of_a_look_comes_with_the_next_frame_and_the_one_after_is_read(
    table: Table,
) -> None:
    table.frame(tile=True)
    table.look.error = ValueError("no model")
    table.let_through()
    with pytest.raises(ValueError, match="no model"):
        table.frame(tile=True)
    table.look.error = None
    table.frame(tile=True)
    table.let_through()
    table.frame(tile=True)
    assert table.names() == ["5m"]


def test_a_look_at_another_view_counts_for_nothing(table: Table) -> None:
    table.frame(tile=True)
    table.looking.place(None)
    table.let_through()
    table.frame(tile=True)
    assert table.names() == []


def test_a_closed_look_begins_nothing_and_leaves_no_thread() -> None:
    def threads() -> int:
        return sum(thread.name == "look" for thread in threading.enumerate())

    before = threads()
    for _ in range(20):
        table = Table()
        table.frame(tile=True)
        table.let_through()
        assert table.background.close(PATIENCE_S)
        assert table.background.begin(np.zeros((*SIZE, 3), np.uint8), PLACE, None) is None
    assert threads() == before
