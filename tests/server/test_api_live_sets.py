"""The taught set that a watched table shows: told with its name, and refused with one word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from server.app import create_app
from server.config import Config
from server.live_hub import LiveHub
from server.reading_service import ReadingService
from server.tile_sets import FollowedSets
from tests.server.empty_look import Watching
from vision.calibration import Example, TileSet, TileSetLibrary, key_of
from vision.calibration.choice import Figures
from vision.calibration.head import Head
from vision.calibration.views import PATCH_SIDE, Patch
from vision.values import FACES

SHA256 = "a" * 64
PATCH = Patch(np.full((PATCH_SIDE, PATCH_SIDE, 3), 90, np.uint8), (60.0, 80.0))
# What a classifier says to three tiles of the set at home, one axis a kind.
ANSWERS = np.full((3, 42), 1 / 42)
FEATURES = np.eye(34, dtype=np.float32)[:3]


def a_set(name: str, prototypes: np.ndarray) -> TileSet:
    examples = tuple(Example(tile, PATCH) for tile in FACES)
    head = Head(np.zeros(34, np.float32), np.zeros((35, 34), np.float32))
    figures = Figures(1, 1, 1, 0.01, "look")
    return TileSet(name, SHA256, examples, head, prototypes, figures)


@pytest.fixture
def sets(tmp_path: Path) -> FollowedSets:
    library = TileSetLibrary(tmp_path / "tile_sets")
    library.add(a_set("家里 home", np.eye(34, dtype=np.float32)))
    library.add(a_set("away", -np.eye(34, dtype=np.float32)))
    return FollowedSets(library, SHA256, film=True)


@pytest.fixture
def client(tmp_path: Path, sets: FollowedSets) -> FlaskClient:
    config = replace(
        Config(), data_folder=tmp_path, requests_a_second=10_000, requests_at_once=100_000
    )
    service = ReadingService(config)
    hub = LiveHub(config, service, look=lambda wait_s: Watching(sets))
    return create_app(config, service, hub).test_client()


def told(client: FlaskClient) -> dict[str, str] | None:
    session = client.get("/api/live").json["session"]
    found: dict[str, str] | None = session["tile_set"]
    return found


def test_the_set_on_the_table_is_told_and_may_be_refused(
    client: FlaskClient, sets: FollowedSets
) -> None:
    assert client.post("/api/live/source", json={"browser": True}).status_code == 200
    assert told(client) is None
    assert sets.choose(ANSWERS, FEATURES) is not None
    assert told(client) == {"key": key_of("家里 home"), "name": "家里 home"}

    other = client.post("/api/live/tile-set", json={"refuse": key_of("away")})
    assert other.status_code == 409
    assert other.json["error"]["code"] == "other_set"
    refused = client.post("/api/live/tile-set", json={"refuse": key_of("家里 home")})
    assert refused.status_code == 200
    assert refused.json["session"]["tile_set"] is None
    assert sets.choose(ANSWERS, FEATURES) is None, "not taken for it again"
    assert told(client) is None
    for _ in range(2):  # more looks than those that spoke against it
        corrected = sets.choose(ANSWERS, -FEATURES)
    assert corrected is not None
    assert sets.chosen is not None
    assert sets.chosen.name == "away", "the other one still counts"


def test_another_source_begins_anew_and_a_chosen_set_may_be_refused_too(
    tmp_path: Path, sets: FollowedSets
) -> None:
    sets.refuse("家里 home")
    assert sets.choose(ANSWERS, FEATURES) is None
    assert sets.following().choose(ANSWERS, FEATURES) is not None
    library = TileSetLibrary(tmp_path / "tile_sets")
    library.use("away")
    sets.changed()
    assert sets.choose(ANSWERS, FEATURES) is not None, "chosen for every photo"
    sets.refuse("away")
    assert sets.choose(ANSWERS, FEATURES) is None


@pytest.mark.parametrize("body", [{}, {"refuse": None}, {"refuse": 3}, {"other": "x"}])
def test_a_refusal_without_a_set_is_refused(client: FlaskClient, body: dict[str, object]) -> None:
    assert client.post("/api/live/tile-set", json={"refuse": "x"}).status_code == 409
    client.post("/api/live/source", json={"browser": True})
    assert client.post("/api/live/tile-set", json=body).status_code in (400, 422)
    assert client.post("/api/live/tile-set", json={"refuse": "x"}).status_code == 409
