"""`zhuowu bench live` measures what it says it measures (no time is asserted here)."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from rules import RuleOptions
from server import bench_live
from server.bench_camera import DrawnCamera
from server.live_session import LiveSession
from vision.values import Box, TileReading

PATIENCE_S = 30.0


class Blind:
    """Models that see nothing; they can be made to wait."""

    side = 640
    least = 0.4

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go_on = threading.Event()

    def __call__(self, pixels: Any, part: Box, closer: bool) -> tuple[TileReading, ...]:
        self.begun.set()
        assert self.go_on.wait(PATIENCE_S)
        return ()


def test_frames_are_taken_in_while_the_models_are_at_work() -> None:
    # "at least 10 frames/s taken in": a slow look must not hold the camera's frames up.
    look = Blind()
    camera = DrawnCamera()
    session = LiveSession(1, camera, look, None, RuleOptions())
    try:
        assert look.begun.wait(PATIENCE_S)
        before, until = session.frames_taken(), time.monotonic() + PATIENCE_S
        camera.move(True)
        while session.frames_taken() < before + 15 and time.monotonic() < until:
            state = session.table.state()
            version = -1 if state is None else state.version
            session.table.wait_newer(version, 0.1)
        assert session.frames_taken() >= before + 15
        state = session.table.state()
        assert state is not None
        assert state.error is None
    finally:
        look.go_on.set()
        session.close()
    assert not any(thread.name == "look" for thread in threading.enumerate())


def test_the_report_has_both_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_live, "SETTLE_S", 0.5)
    look = Blind()
    look.go_on.set()
    report = bench_live.measure(look, 6.0)
    assert report["camera_fps"] == 30.0
    for part in (report["moving"], report["idle"]):
        assert part["frames"] > 0
        assert part["core_share"] > 0
        assert part["cpu_ms_per_frame"] > 0
    assert report["moving"]["states"] > 0
    assert report["moving"]["looks"] > 0
    assert report["moving"]["frame_to_page_p95_ms"] >= report["moving"]["frame_to_page_p50_ms"] > 0
