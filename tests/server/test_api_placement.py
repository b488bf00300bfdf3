"""Where the table lies, over HTTP: placed by hand, saved by name, chosen again, refused."""

from __future__ import annotations

import importlib.util
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from datasets.scene_tables import lay_table
from server.app import create_app
from server.config import Config
from server.live_hub import LiveHub
from server.reading_service import ReadingService
from vision.opencv import cv2
from vision.values import Box, TileReading

_spec = importlib.util.spec_from_file_location(
    "table_scenes", Path(__file__).parents[1] / "vision" / "table_scenes.py"
)
assert _spec is not None
assert _spec.loader is not None
scenes = importlib.util.module_from_spec(_spec)
sys.modules.setdefault("table_scenes", scenes)
_spec.loader.exec_module(scenes)

CORNERS = [[0.1, 0.95], [0.9, 0.95], [0.75, 0.2], [0.25, 0.2]]
PLACED = {"name": "客厅 lounge", "view": "seat", "corners": CORNERS, "me": 1}
PATIENCE_S = 60.0


class Nothing:
    """Finds no tile, or those it is given."""

    side = 640
    least = 0.4

    def __init__(self) -> None:
        self.tiles: tuple[TileReading, ...] = ()

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        return self.tiles


@pytest.fixture
def look() -> Nothing:
    return Nothing()


@pytest.fixture
def hub(tmp_path: Path, look: Nothing) -> Iterator[LiveHub]:
    config = replace(
        Config(), data_folder=tmp_path, requests_a_second=10_000, requests_at_once=100_000
    )
    made = LiveHub(config, ReadingService(config), look=lambda wait_s: look)
    yield made
    made.close()


@pytest.fixture
def client(hub: LiveHub) -> FlaskClient:
    return create_app(hub._config, ReadingService(hub._config), hub).test_client()


def watched(client: FlaskClient, pixels: np.ndarray | None = None) -> dict[str, Any]:
    """A browser's camera, with a picture that has been taken in."""
    if client.get("/api/live").json["session"] is None:
        client.post("/api/live/source", json={"browser": True})
    if pixels is None:
        pixels = np.full((360, 640, 3), (60, 140, 40), np.uint8)
    data = cv2.imencode(".jpg", pixels)[1].tobytes()
    until = time.monotonic() + PATIENCE_S
    pause = threading.Event()
    while time.monotonic() < until:
        assert client.post("/api/live/frames", data=data).status_code == 200
        pause.wait(0.2)
        session = client.get("/api/live").json["session"]
        if session["state"]:
            return dict(session)
    raise AssertionError("no picture was taken in")


def test_a_table_is_placed_saved_and_chosen_again(client: FlaskClient) -> None:
    watched(client)
    assert client.get("/api/live/placement").json == {"current": None, "saved": []}
    said = client.post("/api/live/placement", json=PLACED).json
    assert said["current"]["corners"] == CORNERS
    assert (said["current"]["name"], said["current"]["me"]) == ("客厅 lounge", 1)
    assert [one["name"] for one in said["saved"]] == ["客厅 lounge"]
    assert client.get("/api/live").json["session"]["state"]["placement"] == "客厅 lounge"
    above = {**PLACED, "name": "above", "view": "overhead", "me": 0}
    client.post("/api/live/placement", json=above)
    again = client.post("/api/live/placement", json={"name": "客厅 lounge"}).json
    assert (again["current"]["view"], len(again["saved"])) == ("seat", 2)
    assert client.delete("/api/live/placement").json["current"] is None
    assert client.get("/api/live").json["session"]["state"]["placement"] is None
    # Chosen at the start of another camera, as `zhuowu watch --placement` does.
    start = {"browser": True, "placement": "above"}
    assert client.post("/api/live/source", json=start).status_code == 200
    assert client.get("/api/live/placement").json["current"]["name"] == "above"
    left = client.delete("/api/live/placements/above").json
    assert [one["name"] for one in left["saved"]] == ["客厅 lounge"]
    assert client.get("/api/live/cameras").json["placements"] == ["客厅 lounge"]


def test_the_guess_is_shown_and_settled_by_saving_it(client: FlaskClient, look: Nothing) -> None:
    """A whole table laid by hand, at the boxes a camera above it would see."""
    assert client.get("/api/live/placement/guess").status_code == 409, "no camera yet"
    watched(client)
    assert client.get("/api/live/placement/guess").json == {"guess": None}, "no tile shows"
    stage, camera = scenes.stage_of(1), scenes.camera_of("overhead")
    stage.deck._flowers = 0.0
    lay_table(stage, everything=True)
    look.tiles = tuple(scenes.readings_of(stage, camera)[0])
    cloth = np.full((camera.size, camera.size, 3), (60, 140, 40), np.uint8)
    until = time.monotonic() + PATIENCE_S
    while (session := watched(client, cloth))["state"]["placement"] != "guess":
        seen = (session["error"], len(session["state"]["tiles"]), session["source"]["frames"])
        assert time.monotonic() < until, f"the table was not guessed by itself: {seen}"
    assert "placement_guessed" in [doubt["code"] for doubt in session["state"]["doubts"]]
    guess = client.get("/api/live/placement/guess").json["guess"]
    truth = np.array(scenes.placement_of(camera, "overhead").corners)
    assert np.abs(np.array(guess["corners"]) - truth).max() < 0.08
    assert client.post("/api/live/placement", json=guess).json["error"]["code"] == "name_taken"
    client.post("/api/live/placement", json={**guess, "name": "mine"})
    settled = client.get("/api/live").json["session"]["state"]
    assert settled["placement"] == "mine"
    assert "placement_guessed" not in [doubt["code"] for doubt in settled["doubts"]]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": ""}, "bad_placement"),
        ({"name": "a/b"}, "bad_placement"),
        ({"name": "guess"}, "name_taken"),
        ({"name": 7}, "bad_value"),
        ({"view": "sideways"}, "bad_placement"),
        ({"me": 4}, "bad_placement"),
        ({"me": True}, "bad_value"),
        ({"corners": CORNERS[:3]}, "bad_value"),
        ({"corners": CORNERS[::-1]}, "bad_placement"),
        ({"corners": [[0.1, 0.1], [0.2, 0.1], [0.3, 0.1], [0.4, 0.1]]}, "bad_placement"),
        ({"corners": [[0.1, "x"], *CORNERS[1:]]}, "bad_value"),
        ({"corners": [[9.0, 0.9], *CORNERS[1:]]}, "bad_placement"),
        ({"corners": [[0.1, 1e400], *CORNERS[1:]]}, "bad_placement"),
        ({"tile": 1}, "bad_placement"),
        ({"size": 1}, "unknown_key"),
    ],
)
def test_what_is_no_table_is_refused_and_nothing_is_saved(
    client: FlaskClient, change: dict[str, Any], code: str
) -> None:
    watched(client)
    answer = client.post("/api/live/placement", json={**PLACED, **change})
    assert answer.status_code == 422, answer.text
    assert answer.json["error"]["code"] == code
    assert answer.json["error"]["zh"]
    assert client.get("/api/live/placement").json == {"current": None, "saved": []}


def test_an_unknown_name_and_a_missing_camera_are_told_so(client: FlaskClient) -> None:
    assert client.post("/api/live/placement", json=PLACED).json["error"]["code"] == "no_source"
    watched(client)
    unknown = client.post("/api/live/placement", json={"name": "nowhere"})
    assert (unknown.status_code, unknown.json["error"]["code"]) == (422, "no_placement")
    assert client.delete("/api/live/placements/nowhere").status_code == 422
