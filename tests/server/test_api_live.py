"""The live table over HTTP: sources, corrections and their undo, old pictures, many viewers."""

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
from server.live_hub import MOST_VIEWERS, LiveHub
from server.reading_service import ReadingService
from vision.opencv import cv2
from vision.values import Box, TileReading

# 23m + joker-free ready hand: waits for 1m and 4m.
HAND = ["2m", "3m", "5m", "6m", "7m", "1p", "2p", "3p", "7s", "8s", "9s", "9p", "9p"]
CLOTH, BODY = (60, 140, 40), (225, 235, 240)
PATIENCE_S = 60.0


class Seen:
    """Stands in for the models: finds the hand wherever the pixels show its tiles."""

    side = 640
    least = 0.4

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        return tuple(
            TileReading(name, 0.95, box, ((name, 0.95), ("1z", 0.03)))
            for name, box in zip(HAND, boxes(), strict=True)
            if pixels[int(box[1]) + 20, int(box[0]) + 15].min() > 180
        )


def boxes() -> list[Box]:
    return [(20.0 + 36 * k, 200.0, 54.0 + 36 * k, 246.0) for k in range(len(HAND))]


def jpeg(without: int | None = None) -> bytes:
    """The hand on cloth; perhaps one tile has been taken away."""
    pixels = np.full((300, 640, 3), CLOTH, np.uint8)
    for k, (x1, y1, x2, y2) in enumerate(boxes()):
        if k != without:
            pixels[int(y1) : int(y2), int(x1) : int(x2)] = BODY
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())


@pytest.fixture
def hub(tmp_path: Any) -> Iterator[LiveHub]:
    config = replace(
        Config(), data_folder=tmp_path, requests_a_second=10_000, requests_at_once=100_000
    )
    made = LiveHub(config, ReadingService(config), look=lambda wait_s: Seen())
    yield made
    made.close()


@pytest.fixture
def client(hub: LiveHub) -> FlaskClient:
    return create_app(hub._config, ReadingService(hub._config), hub).test_client()


def send_until(client: FlaskClient, wanted: Any, picture: bytes | None = None) -> dict[str, Any]:
    """Send pictures as a browser would, until the table is as wanted."""
    data = picture or jpeg()
    until = time.monotonic() + PATIENCE_S
    pause = threading.Event()
    while time.monotonic() < until:
        assert client.post("/api/live/frames", data=data).status_code == 200
        session = client.get("/api/live").json["session"]
        if session["state"] and wanted(session):
            return dict(session)
        pause.wait(0.1)
    raise AssertionError(f"not reached: {session}")


def hand(session: dict[str, Any]) -> list[str]:
    return list(session["state"]["seats"][0]["hand"])


def whole(session: dict[str, Any]) -> bool:
    mine = [one for one in session["state"]["analysis"] if one["seat"] == 0]
    return hand(session) == HAND and bool(mine) and mine[0]["advice"] is not None


def test_a_browser_is_the_camera_and_its_hand_is_judged(client: FlaskClient) -> None:
    assert client.get("/api/live").json["session"] is None
    assert client.post("/api/live/source", json={"browser": True}).status_code == 200
    session = send_until(client, whole)
    waits = session["state"]["analysis"][0]["advice"]["standing"]
    assert session["source"]["state"] == "live"
    assert {wait["tile"] for wait in waits["waits"] + waits["bare"]} == {"1m", "4m"}
    picture = client.get("/api/live/frame.jpg")
    assert picture.mimetype == "image/jpeg"
    assert cv2.imdecode(np.frombuffer(picture.data, np.uint8), 1).shape == (300, 640, 3)
    until = time.monotonic() + PATIENCE_S
    while True:  # the last picture sent may still be on its way through the reader
        tag = client.get("/api/live/frame.jpg").headers["ETag"]
        again = client.get("/api/live/frame.jpg", headers={"If-None-Match": tag})
        if again.status_code == 304:
            break
        assert time.monotonic() < until, "the same picture is sent again and again"


def test_the_rules_chosen_at_the_start_judge_the_hand(client: FlaskClient) -> None:
    """With a least of 1 番 any complete hand wins; below a least of 50 none does (SPEC §6.4)."""
    for least, won in ((1, {"1m", "4m"}), (50, set())):
        start = {"browser": True, "options": {"min_fan": least}}
        assert client.post("/api/live/source", json=start).status_code == 200
        session = send_until(client, whole)
        advice = session["state"]["analysis"][0]["advice"]
        assert advice["options"]["min_fan"] == least
        assert {wait["tile"] for wait in advice["standing"]["waits"]} == won
    bad = client.post("/api/live/source", json={"browser": True, "options": {"min_fan": "x"}})
    assert bad.status_code == 422


def test_a_change_of_the_rules_reaches_the_table_that_is_watched(client: FlaskClient) -> None:
    """A least of 50 番 is beyond this hand (SPEC §6.4); a turned 9p makes 1p and 9p seven jokers,
    and by the rule of eleven 2p as well (SPEC §4.3)."""

    def play_by(**options: Any) -> Any:
        answer = client.post("/api/live/rules", json={"options": options})
        assert answer.status_code == 200, answer.text
        return answer.json["session"]

    assert play_by(min_fan=50) is None, "nothing is watched, and nothing changes"
    client.post("/api/live/source", json={"browser": True, "options": {"min_fan": 1}})
    assert client.get("/api/live").json["session"]["options"]["min_fan"] == 1
    session = send_until(client, whole)
    assert len(session["state"]["analysis"][0]["advice"]["standing"]["waits"]) == 2
    assert correct(client, indicator="9p")["state"]["jokers"] == ["1p", "9p"]
    correct(client, indicator=None)
    assert play_by(min_fan=50)["options"]["min_fan"] == 50
    session = send_until(client, whole)
    advice = session["state"]["analysis"][0]["advice"]
    assert advice["options"]["min_fan"] == 50
    assert advice["standing"]["waits"] == []
    assert session["undo"] == 2, "what people have said about the tiles stands"
    correct(client, indicator="9p")
    assert play_by(joker_rule="11_next2")["state"]["jokers"] == ["1p", "2p", "9p"]
    assert client.post("/api/live/rules", json={}).status_code == 422
    assert client.post("/api/live/rules", json={"options": {"min_fan": 0}}).status_code == 422


def test_of_two_messages_the_greater_number_is_never_the_older_one(hub: LiveHub) -> None:
    """One message is held up while it is read; another is asked for, and the table changes."""
    reading, go_on, table = threading.Event(), threading.Event(), {"state": "old"}

    class Slow:
        """A session that is read slowly the first time."""

        def to_json(self) -> dict[str, str]:
            if not reading.is_set():
                reading.set()
                assert go_on.wait(PATIENCE_S)
            return dict(table)

    hub._session = Slow()  # type: ignore[assignment]
    told: list[dict[str, Any]] = []
    first, second = (
        threading.Thread(target=lambda: told.append(json.loads(hub.message()))) for _ in range(2)
    )
    first.start()
    assert reading.wait(PATIENCE_S)
    second.start()
    second.join(0.2)  # were it not to wait for the first, it would tell the old state by now
    table["state"] = "new"
    go_on.set()
    for thread in (first, second):
        thread.join(PATIENCE_S)
    hub._session = None
    assert [one["message"] for one in sorted(told, key=lambda one: one["message"])] == [1, 2]
    assert {one["session"]["state"] for one in told} == {"new"}
    assert len({one["run"] for one in told}) == 1


def test_a_correction_outlives_frames_until_the_tile_moves_and_can_be_undone(
    client: FlaskClient,
) -> None:
    client.post("/api/live/source", json={"browser": True})
    session = send_until(client, whole)
    first = next(one for one in session["state"]["tiles"] if one["tile"] == "2m")["id"]
    said = client.post("/api/live/correct", json={"id": first, "tile": "1z"}).json["session"]
    assert hand(said)[0] == "1z"
    assert said["corrected"] == [first]
    frames = said["source"]["frames"]
    later = send_until(client, lambda now: now["source"]["frames"] > frames + 5)
    assert hand(later)[0] == "1z", "later frames still show a 2m, and the user's word stands"
    undone = client.post("/api/live/undo").json["session"]
    assert hand(undone)[0] == "2m"
    assert undone["corrected"] == []
    client.post("/api/live/correct", json={"id": first, "tile": "1z"})
    send_until(client, lambda now: len(hand(now)) == 12, jpeg(without=0))
    back = send_until(client, lambda now: len(hand(now)) == 13)
    assert hand(back)[0] == "2m", "the tile has moved: it is read anew"
    gone = client.post("/api/live/correct", json={"id": first, "tile": "1z"})
    assert gone.status_code == 409
    assert gone.json["error"]["zh"]


def correct(client: FlaskClient, **said: Any) -> dict[str, Any]:
    answer = client.post("/api/live/correct", json=said)
    assert answer.status_code == 200, answer.text
    return dict(answer.json["session"])


def test_tiles_are_moved_denied_and_added_step_by_step_back_and_forth(client: FlaskClient) -> None:
    client.post("/api/live/source", json={"browser": True})
    tiles = send_until(client, whole)["state"]["tiles"]
    ids = {one["tile"]: one["id"] for one in tiles}
    moved = correct(client, id=ids["1p"], role="pond", seat=2)
    assert [one["pond"] for one in moved["state"]["seats"]] == [[], [], ["1p"], []]
    assert (moved["corrected"], moved["placed"]) == ([], [ids["1p"]])
    # One step: the tile's name and its place.
    both = correct(client, id=ids["2p"], tile="9m", role="indicator", seat=None)
    assert both["state"]["jokers"] == ["1m", "9m"], "9 wraps to 1 (SPEC §4.3)"
    denied = correct(client, id=ids["3p"], nothing=True)
    assert [one["id"] for one in denied["state"]["absent"]] == [ids["3p"]]
    added = correct(client, add={"tile": "4z", "x": 0.9, "y": 0.3, "role": "drawn", "seat": 0})
    assert added["state"]["seats"][0]["drawn"] == "4z"
    assert len(added["added"]) == 1
    assert added["corrected"] == [ids["2p"]], "an added tile shows nothing to learn from"
    assert (added["undo"], added["redo"]) == (4, 0)

    def step(which: str) -> dict[str, Any]:
        return dict(client.post(f"/api/live/{which}").json["session"])

    states = [step("undo") for _ in range(4)]
    assert [one["state"]["seats"][0]["drawn"] for one in states] == [None] * 4
    assert [len(one["state"]["absent"]) for one in states] == [1, 0, 0, 0]
    assert [one["state"]["jokers"] for one in states] == [["1m", "9m"]] * 2 + [[]] * 2
    assert hand(states[3]) == HAND
    assert (states[3]["undo"], states[3]["redo"], states[3]["placed"]) == (0, 4, [])
    again = [step("redo") for _ in range(4)]
    assert again[3]["state"]["seats"] == added["state"]["seats"]
    assert (again[3]["undo"], again[3]["redo"]) == (4, 0)
    assert client.post("/api/live/redo").status_code == 409
    step("undo")
    correct(client, id=ids["1p"], role=None)
    assert client.get("/api/live").json["session"]["redo"] == 0, "another way was gone"


def test_steps_about_tiles_that_have_moved_are_passed_over(client: FlaskClient) -> None:
    client.post("/api/live/source", json={"browser": True})
    tiles = send_until(client, whole)["state"]["tiles"]
    ids = {one["tile"]: one["id"] for one in tiles}
    correct(client, id=ids["5m"], tile="1z")
    correct(client, id=ids["2m"], role="loose")
    send_until(client, lambda now: len(now["state"]["tiles"]) == 12, jpeg(without=0))
    undone = client.post("/api/live/undo").json["session"]
    assert "5m" in hand(undone), "the step about the tile that went would change nothing"
    assert undone["undo"] == 0


def test_nothing_is_scored_from_an_old_picture(client: FlaskClient, hub: LiveHub) -> None:
    """The camera falls silent: the state stays, without an analysis; then the camera is back."""
    client.post("/api/live/source", json={"browser": True})
    send_until(client, whole)
    found = hub.session()._reader.wait_status(lambda s: s.state in ("stale", "offline"), PATIENCE_S)
    assert found is not None
    lost = client.get("/api/live").json["session"]
    assert lost["source"]["state"] != "live"
    assert lost["source"]["reason"]["zh"]
    assert lost["state"]["stale"] is True
    assert lost["state"]["analysis"] == []
    assert hand(lost) == HAND
    assert whole(send_until(client, whole))


def test_two_viewers_get_the_same_and_end_with_the_server(
    client: FlaskClient, hub: LiveHub
) -> None:
    client.post("/api/live/source", json={"browser": True})
    send_until(client, whole)
    told: list[list[str]] = [[], []]

    def view(which: int) -> None:
        told[which].extend(hub.stream())

    threads = [threading.Thread(target=view, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    client.post("/api/live/correct", json={"indicator": "3s"})
    until = time.monotonic() + PATIENCE_S
    while not all(any('"indicator": "3s"' in part for part in own) for own in list(told)):
        assert time.monotonic() < until, "a viewer was not told"
        threading.Event().wait(0.02)
    hub.end_streams()
    for thread in threads:
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the stream ends at shutdown"
    for own in told:
        assert own[0].startswith("retry:")
        assert own[-1].startswith("event: bye")
        last = json.loads(own[-2].split("data: ", 1)[1])
        assert last["session"]["named"]["indicator"] == "3s"
        assert last["session"]["state"]["jokers"] == ["3s", "4s"], "the turned tile and the next"


def test_viewers_are_bounded_and_a_place_becomes_free(hub: LiveHub, client: FlaskClient) -> None:
    streams = [hub.stream() for _ in range(MOST_VIEWERS)]
    refused = client.get("/api/live/events")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    streams.pop().close()  # type: ignore[attr-defined]
    hub.stream().close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("source", {}, 422),
        ("source", {"source": ""}, 422),
        ("source", {"source": "no/such/file"}, 422),
        ("source", {"source": "a\0b/"}, 422),
        ("source", {"source": "ftp://x/"}, 422),
        ("source", {"source": "0", "placement": "nowhere"}, 422),
        ("source", {"file": "x"}, 422),
        ("correct", {}, 422),
        ("correct", {"id": "x", "tile": "1m"}, 422),
        ("correct", {"id": 99, "tile": "1m"}, 409),
        ("correct", {"id": 1, "tile": "0m"}, 422),
        ("correct", {"indicator": "9z"}, 422),
        ("correct", {"dealer": 4}, 422),
        ("correct", {"dealer": True}, 422),
        ("correct", {"ids": [], "role": "loose"}, 422),
        ("correct", {"ids": [1] * 99, "role": "loose"}, 422),
        ("correct", {"id": 1}, 422),
        ("correct", {"id": 1, "role": "absent"}, 422),
        ("correct", {"id": 1, "role": "pond"}, 422),
        ("correct", {"id": 1, "role": "pond", "seat": 4}, 422),
        ("correct", {"id": 1, "role": ["pond"], "seat": 1}, 422),
        ("correct", {"id": 99, "role": "pond", "seat": 1}, 409),
        ("correct", {"add": []}, 422),
        ("correct", {"add": {"tile": "5m"}}, 422),
        ("correct", {"add": {"tile": "5m", "x": True, "y": 0.5}}, 422),
        ("correct", {"add": {"tile": "5m", "x": 1e400, "y": 0.5}}, 422),
        ("correct", {"add": {"tile": "0m", "x": 0.5, "y": 0.5}}, 422),
        ("correct", {"add": {"tile": "5m", "x": 0.5, "y": 0.5, "role": "x"}}, 422),
        ("correct", {"discard": []}, 422),
        ("correct", {"discard": {"move": True, "tile": "5m"}}, 422),
        ("correct", {"discard": {"move": -1, "tile": "back"}}, 422),
        ("correct", {"discard": {"move": -1, "tile": "5m"}}, 409),
        ("redo", None, 409),
        ("undo", None, 409),
        ("frames", b"no picture", 422),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(
    client: FlaskClient, path: str, body: Any, status: int
) -> None:
    client.post("/api/live/source", json={"browser": True})
    if path != "frames":
        send_until(client, lambda now: True)
    given = {"data": body} if isinstance(body, bytes) else {"json": body}
    answer = client.post(f"/api/live/{path}", **given)
    assert answer.status_code == status, answer.text
    assert answer.json["error"]["zh"]


def test_without_a_camera_one_is_asked_for(client: FlaskClient) -> None:
    for answer in (
        client.get("/api/live/frame.jpg"),
        client.post("/api/live/frames", data=jpeg()),
        client.post("/api/live/undo"),
        client.post("/api/live/correct", json={"new_hand": True}),
    ):
        assert answer.status_code == 409
        assert answer.json["error"]["code"] == "no_source"


def test_another_page_cannot_start_a_camera(client: FlaskClient) -> None:
    foreign = client.post(
        "/api/live/source", json={"source": "0"}, headers={"Origin": "http://evil.example"}
    )
    assert foreign.status_code == 403
