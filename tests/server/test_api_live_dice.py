"""The opening's dice from the live camera: rolled before it, told, put right."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from server.app import create_app
from server.config import Config
from server.live_hub import LiveHub
from server.reading_service import ReadingService
from tests.vision.pip_places import PIP_PLACES
from vision.opencv import cv2
from vision.values import Box, TileReading

PATIENCE_S = 60.0
GAP_S = 0.04
CLOTH, IVORY, INK = (60, 130, 45), (215, 235, 240), (20, 20, 20)
SIDE = 74


class WindsOnly:
    """Stands in for the models: knows the wind that lies where the picture is quite white."""

    side = 640
    least = 0.4
    box: Box = (500.0, 40.0, 540.0, 94.0)

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        if pixels[60, 520].min() < 250:
            return ()
        return (TileReading("2z", 0.95, self.box, (("2z", 0.95),)),)


def picture(dice: tuple[tuple[int, int, int], ...] = (), wind: bool = False) -> bytes:
    """The cloth, dice (pips, x, y) drawn on it, and perhaps a wind tile."""
    pixels = np.full((480, 640, 3), CLOTH, np.uint8)
    for pips, x, y in dice:
        cv2.rectangle(pixels, (x, y), (x + SIDE, y + SIDE), IVORY, -1)
        for a, b in PIP_PLACES[pips]:
            middle = (x + SIDE // 2 + 20 * a, y + SIDE // 2 + 20 * b)
            cv2.circle(pixels, middle, 7, INK, -1, cv2.LINE_AA)
    if wind:
        x1, y1, x2, y2 = (int(v) for v in WindsOnly.box)
        pixels[y1:y2, x1:x2] = 255
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 97])[1].tobytes())


@pytest.fixture
def hub(tmp_path: Any) -> Iterator[LiveHub]:
    config = replace(
        Config(), data_folder=tmp_path, requests_a_second=10_000, requests_at_once=100_000
    )
    made = LiveHub(config, ReadingService(config), look=lambda wait_s: WindsOnly())
    yield made
    made.close()


@pytest.fixture
def client(hub: LiveHub) -> FlaskClient:
    return create_app(hub._config, ReadingService(hub._config), hub).test_client()


def give(client: FlaskClient, hub: LiveHub, picture: bytes) -> None:
    """Send a picture of the browser's camera and wait until it has been looked at."""
    before, until = hub.session().frames_taken(), time.monotonic() + PATIENCE_S
    pause = threading.Event()
    pause.wait(GAP_S)  # pictures come apart, as a camera's do
    assert client.post("/api/live/frames", data=picture).status_code == 200
    while hub.session().frames_taken() == before:
        assert time.monotonic() < until, "a picture is never looked at"
        pause.wait(0.005)


def show(client: FlaskClient, hub: LiveHub, wanted: Any, *pictures: bytes) -> dict[str, Any]:
    """Show the browser's camera pictures, the last of them until it is as wanted."""
    until = time.monotonic() + PATIENCE_S
    left = list(pictures)
    while time.monotonic() < until:
        data = left.pop(0) if len(left) > 1 else left[0]
        give(client, hub, data)
        seen: dict[str, Any] = json.loads(client.get("/api/live/dice").data)
        if len(left) == 1 and wanted(seen):
            return seen
    raise AssertionError(f"not reached: {seen}")


def rolled(
    client: FlaskClient, hub: LiveHub, number: int, *dice: tuple[int, int, int]
) -> dict[str, Any]:
    """Roll dice: they cross the table, then rest."""
    way = [picture(tuple((d[0], d[1] - 90 + 30 * k, d[2]) for d in dice)) for k in range(3)]
    told = (picture(), *way, picture(dice))
    return show(client, hub, lambda seen: len(seen["throws"]) >= number, *told)


def start(client: FlaskClient, hub: LiveHub) -> None:
    assert client.post("/api/live/source", json={"browser": True}).status_code == 200
    for _ in range(6):  # the empty cloth first
        give(client, hub, picture())


def test_without_a_camera_there_are_no_dice(client: FlaskClient) -> None:
    seen = client.get("/api/live/dice")
    assert seen.status_code == 200
    assert json.loads(seen.data)["session"] is None
    assert json.loads(seen.data)["throws"] == []
    assert client.post("/api/live/rolls", json={"rolls": []}).status_code == 409


def test_two_rolls_are_told_in_order_and_can_be_put_right(
    client: FlaskClient, hub: LiveHub
) -> None:
    start(client, hub)
    first = rolled(client, hub, 1, (3, 150, 200), (4, 330, 220))
    assert [throw["values"] for throw in first["throws"]] == [[3, 4]]
    assert not first["throws"][0]["doubtful"]
    second = rolled(client, hub, 2, (2, 180, 250), (6, 380, 180))
    assert [throw["values"] for throw in second["throws"]] == [[3, 4], [2, 6]]
    assert len({throw["id"] for throw in second["throws"]}) == 2
    assert second["rolls"] == [[3, 4], [2, 6]]
    assert second["source"] == "live"
    said = client.post("/api/live/rolls", json={"rolls": [[3, 4], [2, 5]]})
    assert json.loads(said.data)["rolls"] == [[3, 4], [2, 5]]
    assert json.loads(client.get("/api/live/dice").data)["rolls"] == [[3, 4], [2, 5]]


def test_one_die_is_doubtful_and_counts_as_no_roll(client: FlaskClient, hub: LiveHub) -> None:
    """Every roll of the game has two dice (SPEC §3)."""
    start(client, hub)
    seen = rolled(client, hub, 1, (5, 200, 220))
    assert seen["throws"][0]["values"] == [5]
    assert seen["throws"][0]["doubtful"]
    assert seen["rolls"] == []


def test_a_wind_that_is_turned_over_is_told(client: FlaskClient, hub: LiveHub) -> None:
    start(client, hub)
    seen = show(client, hub, lambda seen: seen["winds"], picture(), picture(wind=True))
    assert [wind["tile"] for wind in seen["winds"]] == ["2z"]


@pytest.mark.parametrize(
    "rolls", [None, "x", [[1, 7]], [[1]], [[1, 2]] * 4, [[True, 2]], [[1.5, 2]]]
)
def test_rolls_that_are_none_are_refused(client: FlaskClient, hub: LiveHub, rolls: Any) -> None:
    start(client, hub)
    answer = client.post("/api/live/rolls", json={"rolls": rolls})
    assert answer.status_code == 422
    assert json.loads(answer.data)["error"]["zh"]
