"""Calibrations in progress are few and forgotten; the stored sets are chosen, shared, removed."""

from __future__ import annotations

import io
import threading
import time
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from server.calibration_benches import IDLE_S, MAKES_ROOM_S, MOST_BENCHES, Benches
from server.config import Config
from server.errors import ApiError
from tests.server.calibration_stand_in import (
    PATIENCE_S,
    StandIn,
    begin,
    photo,
    stand_in_client,
    taught,
)
from vision.calibration import load_tile_set


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return stand_in_client(tmp_path)


def test_sets_are_chosen_shared_and_removed(client: FlaskClient, tmp_path: Path) -> None:
    key = taught(client)
    assert client.post("/api/sets/use", json={"use": key}).json["use"] == key
    assert client.post("/api/sets/use", json={"use": "none"}).json["use"] == "none"
    assert client.post("/api/sets/use", json={"use": "f" * 16}).status_code == 404
    plain = client.get(f"/api/sets/{key}/file")
    assert "filename*=UTF-8''" in plain.headers["Content-Disposition"]
    agreed = client.get(f"/api/sets/{key}/file?consent=1").data
    for content, consent in ((plain.data, False), (agreed, True)):
        file = tmp_path / f"{consent}.zwset"
        file.write_bytes(content)
        assert load_tile_set(file).consent is consent
    again = client.post("/api/sets/file", data=plain.data)
    assert again.status_code == 409
    assert again.json["error"]["code"] == "name_taken"
    added = client.post("/api/sets/file?name=朋友的", data=agreed)
    assert added.status_code == 201
    assert {s["name"] for s in added.json["sets"]} == {"厨房", "朋友的"}
    assert client.post("/api/sets/file?replace=1", data=plain.data).status_code == 201
    left = client.delete(f"/api/sets/{key}").json["sets"]
    assert [s["name"] for s in left] == ["朋友的"]
    assert client.delete(f"/api/sets/{key}").status_code == 404


def test_calibrations_in_progress_are_few(client: FlaskClient) -> None:
    benches = [begin(client) for _ in range(MOST_BENCHES)]
    full = client.post("/api/calibration", json={})
    assert full.status_code == 429
    assert int(full.headers["Retry-After"]) > 0
    client.delete(benches[0])
    begin(client)


def test_a_calibration_that_nobody_goes_on_with_is_forgotten(tmp_path: Path) -> None:
    config = Config(data_folder=tmp_path)
    benches = Benches(config, StandIn(config))
    left, other = benches.begin(None), benches.begin(None)
    left.used -= IDLE_S + 1
    benches.begin(None)
    with pytest.raises(ApiError) as caught:
        benches.get(left.key)
    assert caught.value.status == 404
    assert benches.get(other.key) is other
    # With all places taken, one that nobody has asked for in a minute makes room.
    while len(benches._benches) < MOST_BENCHES:
        benches.begin(None)
    other.used -= MAKES_ROOM_S + 1
    benches.begin(None)
    with pytest.raises(ApiError, match="begin again"):
        benches.get(other.key)


def test_one_set_is_learnt_at_a_time_and_giving_up_ends_it(client: FlaskClient) -> None:
    first, second = begin(client), begin(client)
    for bench in (first, second):
        client.post(f"{bench}/photos", data=photo())
    assert client.post(f"{first}/learn", json={}).status_code == 202
    assert client.post(f"{first}/photos", data=photo()).status_code == 409
    refused = client.post(f"{second}/learn", json={})
    assert refused.status_code == 429
    assert refused.json["error"]["code"] == "busy"
    client.delete(first)
    until = time.monotonic() + PATIENCE_S
    while client.post(f"{second}/learn", json={}).status_code == 429:
        assert time.monotonic() < until, "what was given up learns on"
        threading.Event().wait(0.05)
    client.delete(second)


def test_a_form_from_another_page_changes_nothing(client: FlaskClient) -> None:
    evil = {"Origin": "http://evil.example"}
    assert client.post("/api/calibration", json={}, headers=evil).status_code == 403
    assert client.delete("/api/sets/x", headers=evil).status_code == 403
    sent = client.post("/api/sets/file", data=io.BytesIO(b"x"), headers=evil)
    assert sent.status_code == 403
