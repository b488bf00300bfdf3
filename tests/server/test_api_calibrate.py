"""Teaching a set over HTTP: photos, names, learning, keeping; bad photos change nothing.

A stand-in for the models finds light tiles on a dark cloth and compares drawings, so that the
tests are about the interface; the shipped models take their turn in the tests of the page.
"""

from __future__ import annotations

import base64
import io
import threading
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from datasets.odd_sets import GUIDED_ROWS, odd_set
from server.app import create_app
from server.calibration_benches import IDLE_S, MAKES_ROOM_S, MOST_BENCHES, Benches
from server.config import Config
from server.errors import ApiError
from server.reading_service import ReadingService
from vision.calibration import TileSetLibrary, load_tile_set
from vision.classifier import crop
from vision.detector import Detections
from vision.opencv import cv2
from vision.values import CLASSES, FACES, NONE

CLOTH = (40, 70, 30)
WIDTH, HEIGHT, GAP, EDGE = 66, 88, 12, 40
PATIENCE_S = 600.0


def grey(pictures: Sequence[np.ndarray]) -> np.ndarray:
    """n x 256: small, grey, of mean 0 and length 1."""
    small = [cv2.resize(p[..., :3], (16, 16), interpolation=cv2.INTER_AREA) for p in pictures]
    flat = np.mean(np.asarray(small, np.float32), axis=3).reshape(len(small), -1)
    flat -= flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6))


@lru_cache
def templates() -> np.ndarray:
    """256 x 68: the faces of two sets as this module lays them out."""
    drawn = []
    for design in ("letters", "dark"):
        for name in FACES:
            whole = cv2.imdecode(np.frombuffer(photo(((name,),), design), np.uint8), 1)
            box = np.array([EDGE, EDGE, EDGE + WIDTH, EDGE + HEIGHT], float)
            drawn.append(crop(whole, box, 48))
    return grey(drawn).T


class Templates:
    """A classifier whose features say which drawing it is, and that knows no face."""

    side = 48
    classes = (*CLASSES, NONE)
    sha256 = "a" * 64
    has_features = True

    def look(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        turned = [grey(np.rot90(crops, k, axes=(1, 2))) @ templates() for k in range(4)]
        alike = np.max(turned, axis=0)
        features = np.exp(40 * (alike - alike.max(axis=1, keepdims=True)))
        answers = np.full((len(crops), len(self.classes)), 0.4 / 41, np.float32)
        answers[:, 0] = 0.6  # whatever it is, it says 1m
        return answers, features / np.linalg.norm(features, axis=1, keepdims=True)

    def classify(self, pixels: np.ndarray, boxes: np.ndarray, sets: object) -> np.ndarray:
        return np.tile(self.look(np.zeros((1, 48, 48, 3), np.uint8))[0], (len(boxes), 1))


class LightThings:
    """A detector of what is lighter than the cloth."""

    side = 64

    def detect(self, pixels: np.ndarray, least: float) -> Detections:
        light = (pixels.astype(int).sum(axis=2) > 300).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(light)
        big = [s for s in stats[1:] if s[2] > 12 and s[3] > 12]
        boxes = np.array([[x, y, x + w, y + h] for x, y, w, h, _ in big], float).reshape(-1, 4)
        scores = np.full((len(boxes), len(CLASSES)), 0.9)
        return Detections(boxes, scores)


class StandIn(ReadingService):
    """The reading service with these models."""

    def classifier_sha256(self) -> str:
        return Templates.sha256

    def reader(self, wait_s: float = 0.0) -> Any:
        return SimpleNamespace(detector=LightThings(), classifier=Templates(), tile_sets=None)


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    config = Config(data_folder=tmp_path, requests_a_second=10_000, requests_at_once=100_000)
    return create_app(config, StandIn(config)).test_client()


def photo(
    rows: Sequence[Sequence[str]] = GUIDED_ROWS, design: str = "letters", scale: float = 1.0
) -> bytes:
    """Tiles of a drawn set in rows on a cloth, as PNG."""
    tiles = odd_set(design, 1)
    height = EDGE * 2 + len(rows) * (HEIGHT + GAP)
    picture = np.full((height, EDGE * 2 + 9 * (WIDTH + GAP), 3), CLOTH, np.uint8)
    for r, row in enumerate(rows):
        for c, name in enumerate(row):
            drawn = tiles.face(name)[0] if name in FACES else np.full((88, 66, 3), 170, np.uint8)
            face = cv2.resize(drawn[..., :3], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
            x, y = EDGE + c * (WIDTH + GAP), EDGE + r * (HEIGHT + GAP)
            picture[y : y + HEIGHT, x : x + WIDTH] = np.maximum(face, 110)
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".png", picture)[1].tobytes())


def begin(client: FlaskClient, **told: Any) -> str:
    answer = client.post("/api/calibration", json=told)
    assert answer.status_code == 201, answer.text
    return f"/api/calibration/{answer.json['id']}"


def names(status: dict[str, Any], at: int = 0) -> list[str]:
    return [tile["tile"] for tile in status["photos"][at]["tiles"]]


def learn(client: FlaskClient, bench: str, **told: Any) -> dict[str, Any]:
    """Start to learn and wait for the end."""
    started = client.post(f"{bench}/learn", json=told)
    assert started.status_code == 202, started.text
    until = time.monotonic() + PATIENCE_S
    pause = threading.Event()
    while True:
        learning = client.get(bench).json["learning"]
        if learning["state"] != "learning":
            return dict(learning)
        assert time.monotonic() < until, "still learning"
        pause.wait(0.05)


def taught(client: FlaskClient, name: str = "厨房", design: str = "letters") -> str:
    """Teach and keep a set; its key."""
    bench = begin(client)
    assert client.post(f"{bench}/photos", data=photo(design=design)).status_code == 201
    assert learn(client, bench)["state"] == "learnt"
    kept = client.post(f"{bench}/keep", json={"name": name})
    assert kept.status_code == 201, kept.text
    return next(str(s["key"]) for s in kept.json["sets"] if s["name"] == name)


def test_a_guided_photo_is_learnt_and_only_then_kept(client: FlaskClient, tmp_path: Path) -> None:
    bench = begin(client)
    looked = client.post(f"{bench}/look", data=photo(GUIDED_ROWS[:1])).json
    assert looked["have"] == list(FACES[:9])
    assert client.get(bench).json["photos"] == [], "a look keeps nothing"
    status = client.post(f"{bench}/photos?preview=1", data=photo()).json
    assert status["preview"].startswith("data:image/jpeg;base64,"), "for browsers without HEIC"
    assert names(status) == list(FACES)
    assert status["missing"] == []
    assert all(len(tile["box"]) == 4 for tile in status["photos"][0]["tiles"])
    learning = learn(client, bench)
    assert learning["state"] == "learnt", learning["reasons"]
    assert learning["done"] == learning["total"]
    result = learning["result"]
    assert (result["before"], result["count"]) == (1, 34), "it called everything 1m"
    assert result["after"] > 30
    assert result["set"]["figures"]["after"] > result["set"]["figures"]["before"]
    assert {change["before"] for change in result["changes"]} == {"1m"}
    assert result["changes"][0]["picture"].startswith("data:image/jpeg;base64,")
    assert not (tmp_path / "tile_sets").exists(), "nothing is stored before it is said so"
    kept = client.post(f"{bench}/keep", json={"name": "厨房 kitchen"})
    assert kept.status_code == 201
    assert [s["name"] for s in kept.json["sets"]] == ["厨房 kitchen"]
    assert client.get(bench).status_code == 404, "with the set stored the pictures are forgotten"
    picture = client.get(f"/api/sets/{kept.json['sets'][0]['key']}/picture.jpg")
    assert cv2.imdecode(np.frombuffer(picture.data, np.uint8), 1).shape[1] == 9 * 72


def test_partial_photos_are_one_set_and_ask_for_what_is_missing(client: FlaskClient) -> None:
    bench = begin(client)
    first = client.post(f"{bench}/photos", data=photo(GUIDED_ROWS[:2])).json
    # Rows of nine that nobody can read: a person says which they are.
    client.post(f"{bench}/photos/0", json={"tiles": list(FACES[:18])})
    first = client.get(bench).json
    assert first["missing"] == list(FACES[18:])
    second = client.post(f"{bench}/photos", data=photo(GUIDED_ROWS[2:])).json
    client.post(f"{bench}/photos/1", json={"tiles": list(FACES[18:])})
    assert len(second["photos"]) == 2
    assert client.get(bench).json["missing"] == []
    assert learn(client, bench)["state"] == "learnt"
    # A photo taken away is missed again, and what was learnt with it is gone.
    left = client.delete(f"{bench}/photos/0").json
    assert left["missing"] == list(FACES[:18])
    assert left["learning"] is None
    assert client.post(f"{bench}/keep", json={"name": "x"}).status_code == 409


def bad(client: FlaskClient, data: bytes, tiles: list[str]) -> list[dict[str, Any]]:
    """What is said against a photo with these names; nothing may come of it."""
    bench = begin(client)
    added = client.post(f"{bench}/photos", data=data)
    assert added.status_code == 201, added.text
    assert client.post(f"{bench}/photos/0", json={"tiles": tiles}).status_code == 200
    learning = learn(client, bench)
    assert learning["state"] == "refused"
    assert client.post(f"{bench}/keep", json={"name": "x"}).status_code == 409
    assert client.get("/api/sets").json["sets"] == []
    return list(learning["reasons"])


def test_bad_photos_are_told_what_to_do_and_change_nothing(client: FlaskClient) -> None:
    """Missing kinds, a kind twice, tiles too small, names of two different tiles swapped."""
    missing = bad(client, photo(GUIDED_ROWS[:3]), list(FACES[:27]))
    assert [r["code"] for r in missing] == ["missing_kinds"]
    assert "1z 2z 3z 4z 5z 6z 7z" in missing[0]["en"]
    assert "补拍" in missing[0]["zh"]
    twice = bad(client, photo(), [*FACES[:33], "1m"])
    assert "1m came more than once" in twice[0]["en"]
    assert twice[0]["tiles"] == [[0, 0], [0, 33]], "the two tiles to look at"
    small = bad(client, photo(scale=0.25), list(FACES))
    assert "too_small" in [r["code"] for r in small]
    rows = (*GUIDED_ROWS, ("9p",))
    alike = bad(client, photo(rows), [*FACES, "3s"])
    assert [r["code"] for r in alike] == ["unlike_examples"]
    assert alike[0]["tiles"] == [[0, FACES.index("3s")], [0, 34]]


def test_photos_of_two_sets_are_refused(client: FlaskClient) -> None:
    bench = begin(client)
    for number, design in enumerate(("letters", "dark")):
        client.post(f"{bench}/photos", data=photo(design=design))
        client.post(f"{bench}/photos/{number}", json={"tiles": list(FACES)})
    learning = learn(client, bench)
    assert [r["code"] for r in learning["reasons"]] == ["another_set"]
    assert client.get("/api/sets").json["sets"] == []


def correction(tile: str, design: str = "letters") -> dict[str, Any]:
    face = photo(((tile,),), design)
    whole = cv2.imdecode(np.frombuffer(face, np.uint8), 1)
    part = whole[: HEIGHT + 2 * EDGE, : WIDTH + 2 * EDGE]
    coded = cv2.imencode(".png", part)[1].tobytes()
    box = [EDGE, EDGE, EDGE + WIDTH, EDGE + HEIGHT]
    return {"tile": tile, "picture": base64.b64encode(coded).decode(), "box": box}


def test_corrections_in_play_are_learnt_by_a_stored_set(
    client: FlaskClient, tmp_path: Path
) -> None:
    key = taught(client)
    bench = begin(client, add_to=key)
    told = {"examples": [correction("3s"), correction("7p")]}
    status = client.post(f"{bench}/examples", json=told).json
    assert status["add_to"]["name"] == "厨房"
    assert names(status) == ["3s", "7p"]
    learning = learn(client, bench)
    assert learning["state"] == "learnt", learning["reasons"]
    [stored] = TileSetLibrary(tmp_path / "tile_sets").sets()
    before = len(stored.examples)
    assert client.post(f"{bench}/keep", json={}).status_code == 201
    [stored] = TileSetLibrary(tmp_path / "tile_sets").sets()
    assert len(stored.examples) == before + 2


def test_corrections_of_another_set_are_refused_and_the_set_stays(
    client: FlaskClient, tmp_path: Path
) -> None:
    key = taught(client)
    content = next((tmp_path / "tile_sets").glob("*.zwset")).read_bytes()
    bench = begin(client, add_to=key)
    told = {"examples": [correction(tile, "dark") for tile in FACES[:8]]}
    assert client.post(f"{bench}/examples", json=told).status_code == 201
    learning = learn(client, bench)
    assert [r["code"] for r in learning["reasons"]] == ["another_set"]
    assert client.post(f"{bench}/keep", json={}).status_code == 409
    assert next((tmp_path / "tile_sets").glob("*.zwset")).read_bytes() == content


def test_backs_and_dice_are_a_photo_of_their_own(client: FlaskClient) -> None:
    bench = begin(client)
    client.post(f"{bench}/photos", data=photo())
    others = client.post(f"{bench}/photos?others=1", data=photo((("back",) * 5,))).json
    assert names(others, 1) == ["back"] * 5
    assert others["back"]
    assert others["missing"] == []
    learning = learn(client, bench)
    assert learning["state"] == "learnt", learning["reasons"]
    told = learning["result"]["set"]
    assert told["backs"]
    assert told["others"]["after"] >= told["others"]["before"]


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


def test_what_cannot_be_is_refused_with_a_reason(client: FlaskClient) -> None:
    bench = begin(client)
    nothing = cv2.imencode(".png", np.full((200, 200, 3), CLOTH, np.uint8))[1].tobytes()
    good = correction("3s")
    tries: list[tuple[int, Any]] = [
        (422, client.post(f"{bench}/photos", data=b"no photo")),
        (422, client.post(f"{bench}/look", data=b"")),
        (422, client.post(f"{bench}/photos", data=nothing)),
        (422, client.post(f"{bench}/learn", json={})),
        (422, client.post(f"{bench}/learn", json={"insist": 1})),
        (404, client.post(f"{bench}/photos/7", json={"tiles": []})),
        (404, client.delete(f"{bench}/photos/7")),
        (422, client.post(f"{bench}/photos/7", json={"tiles": "1m"})),
        (409, client.post(f"{bench}/keep", json={"name": "x"})),
        (404, client.get("/api/calibration/nothing")),
        (404, client.delete("/api/calibration/nothing")),
        (404, client.post("/api/calibration", json={"add_to": "nothing"})),
        (422, client.post("/api/calibration", json={"add_to": 3})),
        (422, client.post("/api/sets/file", data=b"no set")),
        (413, client.post("/api/sets/file", data=bytes(3 * 2**20))),
        (404, client.get("/api/sets/nothing/file")),
        (404, client.get("/api/sets/nothing/picture.jpg")),
        (422, client.post(f"{bench}/examples", json={"examples": []})),
        (422, client.post(f"{bench}/examples", json={"examples": [good | {"tile": "0m"}]})),
        (422, client.post(f"{bench}/examples", json={"examples": [good | {"box": [1, 2, 3]}]})),
        (422, client.post(f"{bench}/examples", json={"examples": [good | {"box": [9, 9, 9, 9]}]})),
        (422, client.post(f"{bench}/examples", json={"examples": [good | {"picture": "~"}]})),
        (422, client.post(f"{bench}/examples", json={"examples": [good | {"picture": "AAAA"}]})),
        (413, client.post(f"{bench}/examples", data=bytes(3 * 2**20))),
        (400, client.post(f"{bench}/examples", data=b"[")),
    ]
    for status, answer in tries:
        assert answer.status_code == status, answer.text
        assert answer.json["error"]["zh"]
    client.post(f"{bench}/photos", data=photo())
    for names_told in (["1m"], [*FACES[:33], "9z"]):
        refused = client.post(f"{bench}/photos/0", json={"tiles": names_told})
        assert refused.status_code == 422
    assert client.delete(bench).json == {"ended": True}
    assert client.get(bench).status_code == 404


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
