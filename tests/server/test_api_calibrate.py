"""Teaching a set over HTTP: photos, names, learning, keeping; bad photos change nothing."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from datasets.odd_sets import GUIDED_ROWS
from tests.server.calibration_stand_in import (
    CLOTH,
    EDGE,
    HEIGHT,
    WIDTH,
    begin,
    learn,
    names,
    photo,
    stand_in_client,
    taught,
)
from vision.calibration import TileSetLibrary
from vision.opencv import cv2
from vision.values import FACES


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return stand_in_client(tmp_path)


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
