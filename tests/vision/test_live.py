"""The live table: one producer, many readers; errors, stale sources and corrections."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from vision.live import CorrectionError, LiveTable
from vision.sources.frame import Frame
from vision.tracking.state import TableState
from vision.values import Box, TileReading

HAND = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p", "1p", "2p", "3p"]
CLOTH, BODY = (60, 140, 40), (225, 235, 240)


class Seen:
    """Finds what it is told lies there; the pixels are drawn to match."""

    side = 640
    least = 0.4

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.error: Exception | None = None
        self.looks = 0

    def boxes(self) -> list[Box]:
        return [(20.0 + 36 * k, 200.0, 54.0 + 36 * k, 246.0) for k in range(len(self.names))]

    def frame(self, number: int) -> Frame:
        pixels = np.full((300, 640, 3), CLOTH, np.uint8)
        for x1, y1, x2, y2 in self.boxes():
            pixels[int(y1) : int(y2), int(x1) : int(x2)] = BODY
        return Frame(pixels, 0.1 * number, 1e9 + 0.1 * number, "fake", number)

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        self.looks += 1
        if self.error is not None:
            raise self.error
        return tuple(
            TileReading(name, 0.95, box, ((name, 0.95),))
            for name, box in zip(self.names, self.boxes(), strict=True)
        )


def _run(table: LiveTable, seen: Seen, first: int, count: int) -> TableState:
    for number in range(first, first + count):
        table.handle(seen.frame(number))
    state = table.state()
    assert state is not None
    return state


def _names(state: TableState) -> list[str]:
    return [p.tile.tile for p in state.seats[0].hand]


def test_a_hand_is_read_judged_and_then_left_alone() -> None:
    seen = Seen(HAND)
    table = LiveTable(seen)
    state = _run(table, seen, 1, 40)
    assert _names(state) == HAND
    (analysis,) = state.analysis
    assert analysis.advice is not None
    standing = analysis.advice.standing
    assert standing is not None
    # 123456789m 11p 23p waits for 1p and 4p (SPEC: a dragon 龙 makes it a win).
    assert {wait.tile for wait in standing.waits} == {"1p", "4p"}
    looks = seen.looks
    later = _run(table, seen, 41, 60)
    assert seen.looks == looks  # nothing moved: nothing was read
    assert later.version == state.version


def test_an_error_is_told_and_is_no_empty_table() -> None:
    seen = Seen(HAND)
    table = LiveTable(seen)
    _run(table, seen, 1, 40)
    seen.error = RuntimeError("out of memory")
    seen.names = ["1z"]
    raised = 0
    for number in range(41, 60):
        try:
            table.handle(seen.frame(number))
        except RuntimeError:
            raised += 1
    state = table.state()
    assert raised > 0
    assert state is not None
    assert state.error == "RuntimeError: out of memory"
    assert _names(state) == HAND
    seen.error, seen.names = None, HAND
    assert _run(table, seen, 60, 20).error is None


def test_the_state_of_a_frame_never_follows_a_newer_correction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A frame's state is held up on its way out while somebody corrects a tile."""
    seen = Seen(HAND)
    table = LiveTable(seen)
    tile = _run(table, seen, 1, 40).tiles[0].tile.index
    publish, on_its_way, go_on = table._publish, threading.Event(), threading.Event()

    def slowly(state: TableState) -> None:
        if not on_its_way.is_set():
            on_its_way.set()
            assert go_on.wait(10)
        publish(state)

    monkeypatch.setattr(table, "_publish", slowly)
    frame = threading.Thread(target=table.handle, args=(seen.frame(41),))
    frame.start()
    assert on_its_way.wait(10)
    word = threading.Thread(target=table.corrections.tile, args=(tile, "9s"))
    word.start()
    word.join(0.2)  # were it not to wait for the frame, its state would be out by now
    go_on.set()
    for thread in (frame, word):
        thread.join(10)
    state = table.state()
    assert state is not None
    assert "9s" in _names(state)


def test_an_old_state_is_marked_stale_and_never_lost() -> None:
    seen = Seen(HAND)
    table = LiveTable(seen)
    source = ["live"]
    table.follow(lambda: source[0])
    assert not _run(table, seen, 1, 40).stale
    source[0] = "offline"
    state = table.state()
    assert state is not None
    assert state.stale
    assert _names(state) == HAND


def test_readers_get_the_newest_state_and_each_event_once() -> None:
    seen = Seen(HAND)
    table = LiveTable(seen)
    with table.subscribe() as first, table.subscribe() as second:
        assert first.next(0.0) is None
        _run(table, seen, 1, 40)
        state = first.next(0.0)
        assert state is not None
        assert state == table.state()
        assert first.next(0.0) is None  # nothing newer
        assert second.next(0.0) == state
        assert first.events(state) == first.events(state) == ()


def test_a_waiting_reader_is_woken_by_a_frame() -> None:
    seen = Seen(HAND)
    table = LiveTable(seen)
    got: list[TableState | None] = []
    reader = threading.Thread(target=lambda: got.append(table.subscribe().next(20.0)))
    reader.start()
    _run(table, seen, 1, 1)
    reader.join(20.0)
    assert not reader.is_alive()
    assert got[0] is not None


def test_a_correction_changes_state_and_analysis_and_survives_frames() -> None:
    seen = Seen(HAND)
    table = LiveTable(seen)
    state = _run(table, seen, 1, 40)
    last = state.seats[0].hand[-1].tile.index
    corrected = table.corrections.tile(last, "4p")
    assert corrected is not None
    assert _names(corrected)[-1] == "4p"
    (analysis,) = corrected.analysis
    assert analysis.hand.concealed[-1] == "4p"
    assert _names(_run(table, seen, 41, 20))[-1] == "4p"


def test_the_indicator_can_be_named() -> None:
    seen = Seen(HAND)
    table = LiveTable(seen)
    _run(table, seen, 1, 40)
    state = table.corrections.indicator("1p")
    assert state is not None
    assert state.jokers == ("1p", "2p")  # 中下滚, SPEC §4.3
    back = table.corrections.indicator(None)
    assert back is not None
    assert back.jokers == ()


def test_corrections_that_cannot_be_say_why() -> None:
    seen = Seen(HAND)
    table = LiveTable(seen)
    _run(table, seen, 1, 40)
    with pytest.raises(CorrectionError, match="no tile"):
        table.corrections.tile(1, "0m")
    with pytest.raises(CorrectionError, match="no longer on the table"):
        table.corrections.tile(999, "1m")
    with pytest.raises(CorrectionError, match="two dice"):
        table.corrections.rolls(((7, 1),))
    with pytest.raises(CorrectionError, match="seat"):
        table.corrections.dealer(4)


def test_states_are_values() -> None:
    seen = Seen(HAND)
    table = LiveTable(seen)
    state = _run(table, seen, 1, 40)
    assert replace(state) == state
    data = state.to_json()
    assert data["seats"][0]["hand"] == HAND
    assert data["stale"] is False
