"""The score sheet over HTTP: entered once, refused with reasons, never a status 500."""

from __future__ import annotations

import base64
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from server.ledger import Ledger
from server.ledger_api import LARGEST_BODY, blueprint_for

PLAYERS = ["甲", "乙", "丙", "丁"]


def coded(kind: str, size: tuple[int, int] = (8, 6), **more: Any) -> bytes:
    """A small picture, red at the left and blue at the right."""
    image = Image.new("RGB", size, (0, 0, 255))
    image.paste((255, 0, 0), (0, 0, size[0] // 2, size[1]))
    out = io.BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()


JPEG = coded("JPEG")
PICTURE = base64.b64encode(JPEG).decode()


def client_of(path: Path, patience_s: float = 2.0) -> FlaskClient:
    app = Flask("ledger_test")
    app.register_blueprint(blueprint_for(Ledger(path, patience_s=patience_s)))
    return app.test_client()


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    client = client_of(tmp_path / "ledger.sqlite")
    assert client.post("/api/ledger", json={"players": PLAYERS}).status_code == 201
    return client


def enter(client: FlaskClient, **hand: Any) -> dict[str, Any]:
    answer = client.post("/api/ledger/1/hands", json={"winner": 2, "fan": 6, **hand})
    assert answer.status_code == 201, answer.json
    body: dict[str, Any] = answer.json
    return body


def code(answer: Any) -> str:
    error = answer.json["error"]
    assert error["zh"]
    assert error["en"]
    return str(error["code"])


def test_a_whole_evening(client: FlaskClient) -> None:
    entered = enter(client, title="捉伍儿", reading={"tiles": ["5m"]}, seen=0)
    assert entered["number"] == 1
    line = entered["sheet"]["lines"][0]
    assert (line["deltas"], line["totals"]) == ([-6, -6, 18, -6], [-6, -6, 18, -6])
    assert (line["stands"], line["picture"], line["title"]) == (True, None, "捉伍儿")
    undone = client.post("/api/ledger/1/lines/1/undo")
    assert undone.status_code == 201
    assert undone.json["sheet"]["totals"] == [0, 0, 0, 0]
    redone = client.post("/api/ledger/1/lines/2/undo", json={"note": "没错"})
    assert redone.json["sheet"]["score"] == {"甲": -6, "乙": -6, "丙": 18, "丁": -6}
    fixed = client.post("/api/ledger/1/lines/1/correct", json={"winner": 2, "fan": 8})
    assert (fixed.status_code, code(client.post("/api/ledger/1/lines/2/undo"))) == (
        201,
        "already_undone",
    )
    client.post("/api/ledger/1/adjust", json={"deltas": [-3, 1, 1, 1], "note": "诈和"})
    totals = client.get("/api/ledger/1/totals").json
    assert totals["totals"] == [-11, -7, 25, -7]
    assert (totals["dealer"], totals["turns"], totals["circle"]) == (1, 1, 1)
    guos = client.get("/api/ledger").json
    assert (guos["count"], guos["guos"][0]["totals"]) == (1, [-11, -7, 25, -7])
    assert client.post("/api/ledger/1/close").json["closed_at"]
    assert code(client.post("/api/ledger/1/hands", json={})) == "guo_closed"
    assert client.post("/api/ledger/1/open").json["closed_at"] is None


def test_the_seats_are_drawn_for_the_next_guo(client: FlaskClient) -> None:
    """SPEC §2.4-2.6: 甲 rolls 5 and is East again; drawn void when nobody's neighbours change."""
    client.post("/api/ledger", json={"players": PLAYERS, "options": {"min_fan": 3}})
    draw = {"roller": 0, "dice": [2, 3], "picks": ["2z", "1z", "3z", "4z"]}
    path = "/api/ledger/2/next"
    early = client.post(path, json=draw)
    assert (early.status_code, code(early)) == (422, "guo_still_open")
    client.post("/api/ledger/2/close")
    same = client.post(path, json={**draw, "picks": ["1z", "2z", "3z", "4z"]})
    assert (same.status_code, code(same)) == (422, "draw_again")
    begun = client.post(path, json={**draw, "key": "n1"})
    assert begun.status_code == 201
    sheet = begun.json["sheet"]
    # 甲 drew South and 乙 East: 乙 deals first, then anticlockwise.
    assert sheet["players"] == ["乙", "甲", "丙", "丁"]
    assert (sheet["dealer"], sheet["options"]["min_fan"]) == (0, 3)
    assert client.post(path, json={**draw, "key": "n1"}).status_code == 200, "begun once"
    for change in ({"roller": 4}, {"dice": [0, 7]}, {"dice": 5}, {"picks": ["5m"]}, {"picks": 1}):
        assert client.post(path, json={**draw, **change}).status_code == 400
    twice = client.post(path, json={**draw, "picks": ["1z", "1z", "3z", "4z"]})
    assert (twice.status_code, code(twice)) == (422, "not_four_winds")
    assert client.post("/api/ledger/99/next", json=draw).status_code == 404


def test_a_retried_post_is_entered_once(client: FlaskClient) -> None:
    hand = {"winner": 2, "fan": 6}
    header = {"Idempotency-Key": "4f1c"}
    first = client.post("/api/ledger/1/hands", json=hand, headers=header)
    again = client.post("/api/ledger/1/hands", json={**hand, "key": "4f1c"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json["repeated"] is True
    assert len(again.json["sheet"]["lines"]) == 1
    other = client.post("/api/ledger/1/hands", json={"winner": 1, "fan": 6, "key": "4f1c"})
    assert (other.status_code, code(other)) == (409, "key_reused")
    late = client.post("/api/ledger/1/hands", json={**hand, "seen": 0})
    assert (late.status_code, code(late)) == (409, "sheet_moved_on")


def test_an_impossible_hand_gets_every_reason(client: FlaskClient) -> None:
    """SPEC §6.4 and §10.3."""
    answer = client.post(
        "/api/ledger/1/hands", json={"winner": 1, "fan": 1, "la": [0, 0, 0, 1], "zuo": False}
    )
    assert answer.status_code == 422
    codes = {reason["code"] for reason in answer.json["error"]["reasons"]}
    assert codes == {"below_min_fan", "la_without_zuo"}
    assert client.get("/api/ledger/1").json["lines"] == []


def test_a_preview_says_who_pays_whom(client: FlaskClient) -> None:
    answer = client.post("/api/ledger/1/preview", json={"winner": 2, "fan": 6}).json
    assert (answer["deltas"], answer["next_dealer"]) == ([-6, -6, 18, -6], 1)
    assert len(answer["payments"]) == 3
    assert client.get("/api/ledger/1").json["lines"] == []


def _secrets() -> Any:
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned a quarter to the right
    exif[0x010F] = "SecretMaker"
    exif.get_ifd(0x8825)[1] = "N"
    exif.get_ifd(0x8825)[2] = (39.0, 8.0, 33.5)
    return exif


@pytest.mark.parametrize(
    ("kind", "trailer"), [("JPEG", b""), ("JPEG", b"SecretMovie"), ("PNG", b""), ("WEBP", b"")]
)
def test_a_kept_picture_says_nothing_of_where_it_was_taken(
    client: FlaskClient, kind: str, trailer: bytes
) -> None:
    """Place, maker, comment and what phones append are gone; the picture stands upright."""
    more: dict[str, Any] = {"exif": _secrets()}
    if kind == "JPEG":
        more["comment"] = "SecretComment"
    if kind == "WEBP":
        more["lossless"] = True
    data = coded(kind, (40, 20), **more) + trailer
    assert b"Secret" in data
    text = base64.b64encode(data).decode()
    address = enter(client, picture=text, keep_picture=True)["sheet"]["lines"][0]["picture"]
    kept = client.get(address).data
    assert b"Secret" not in kept
    assert b"Exif" not in kept
    image = Image.open(io.BytesIO(kept))
    assert (image.format, image.size) == (kind, (20, 40)), "turned as the camera said"
    assert not image.getexif()
    top, bottom = image.convert("RGB").getpixel((10, 5)), image.convert("RGB").getpixel((10, 35))
    assert top[0] > 200 > bottom[0], "what was left is above after a turn to the right"
    # Brought back from an export it is the same picture, byte for byte.
    whole = client.get("/api/ledger/export.json?pictures=1").json
    assert client.post("/api/ledger/import", json=whole).json["differing"] == []


def test_what_looks_like_a_picture_but_is_none_is_refused(client: FlaskClient) -> None:
    fake = base64.b64encode(b"\xff\xd8\xff" + b"picture" * 10).decode()
    hand = {"winner": 2, "fan": 6, "picture": fake, "keep_picture": True}
    answer = client.post("/api/ledger/1/hands", json=hand)
    assert (answer.status_code, code(answer)) == (400, "bad_picture")


def test_a_picture_is_kept_only_when_the_user_says_so(client: FlaskClient) -> None:
    hand = {"winner": 2, "fan": 6, "picture": PICTURE}
    refused = client.post("/api/ledger/1/hands", json=hand)
    assert (refused.status_code, code(refused)) == (400, "picture_not_asked_for")
    entered = enter(client, picture=PICTURE, keep_picture=True)
    address = entered["sheet"]["lines"][0]["picture"]
    kept = client.get(address)
    assert (kept.data, kept.mimetype) == (JPEG, "image/jpeg")
    assert client.delete(address).json["lines"][0]["picture"] is None
    assert client.get(address).status_code == 404
    html = base64.b64encode(b"<script>alert(1)</script>").decode()
    bad = client.post("/api/ledger/1/hands", json={**hand, "picture": html, "keep_picture": True})
    assert (bad.status_code, code(bad)) == (400, "bad_picture")


def test_exports_and_import(client: FlaskClient, tmp_path: Path) -> None:
    enter(client, picture=PICTURE, keep_picture=True)
    table = client.get("/api/ledger/1/export.csv?lang=en")
    assert table.data.startswith(b"\xef\xbb\xbfno,")
    assert table.headers["Content-Disposition"] == "attachment; filename=zhuowu-1.csv"
    plain = client.get("/api/ledger/1/export.json").data
    assert PICTURE not in plain.decode()
    whole = client.get("/api/ledger/export.json?pictures=1").data
    assert PICTURE in whole.decode()
    fresh = client_of(tmp_path / "fresh.sqlite")
    answer = fresh.post("/api/ledger/import", data=whole, content_type="application/json")
    assert answer.json == {"added": [1], "present": [], "differing": []}
    assert fresh.get("/api/ledger/1").json == client.get("/api/ledger/1").json


@pytest.mark.parametrize(
    ("body", "status", "wanted"),
    [
        (b"{", 400, "bad_json"),
        (b"[]", 400, "bad_json"),
        (b'{"winner": NaN}', 400, "bad_json"),
        (b'{"title": "\\ud800"}', 400, "bad_json"),
        (b"\xff\xfe", 400, "bad_json"),
        (b"[" * 100_000, 400, "bad_json"),
        (b'{"winer": 1}', 400, "unknown_field"),
        (b'{"winner": 1, "fan": 1e999}', 400, "number_too_large"),
        (b'{"reading": 1e999}', 400, "bad_reading"),
        (b'{"title": 5}', 400, "bad_text"),
        (b'{"note": {}}', 400, "bad_text"),
        (b'{"key": 5}', 400, "bad_text"),
        (b'{"seen": "x"}', 400, "bad_number"),
        (b'{"title": "' + b"x" * 90 + b'"}', 400, "bad_text"),
        (b'{"reading": "' + b"x" * 70_000 + b'"}', 400, "bad_reading"),
        (b'{"dealer": 3}', 422, "not_the_dealer"),
    ],
)
def test_bad_bodies_are_refused(client: FlaskClient, body: bytes, status: int, wanted: str) -> None:
    answer = client.post("/api/ledger/1/hands", data=body, content_type="application/json")
    assert (answer.status_code, code(answer)) == (status, wanted)
    assert client.get("/api/ledger/1").json["lines"] == []


def test_sizes_and_kinds_are_limited(client: FlaskClient) -> None:
    large = b" " * (LARGEST_BODY + 1)
    answer = client.post("/api/ledger", data=large, content_type="application/json")
    assert (answer.status_code, code(answer)) == (413, "too_many_bytes")
    answer = client.post("/api/ledger", data=b"players=x", content_type="text/plain")
    assert (answer.status_code, code(answer)) == (415, "not_json")
    assert code(client.get("/api/ledger?limit=x")) == "bad_number"
    assert code(client.get("/api/ledger/9")) == "no_such_guo"
    assert code(client.get(f"/api/ledger/{10**40}")) == "no_such_guo"
    assert code(client.post(f"/api/ledger/1/lines/{10**40}/undo")) == "no_such_line"


def test_a_busy_ledger_answers_503_with_retry_after(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    client = client_of(path, patience_s=0.05)
    client.post("/api/ledger", json={"players": PLAYERS})
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = client.post("/api/ledger/1/hands", json={"winner": 2, "fan": 6})
        assert (answer.status_code, code(answer)) == (503, "ledger_busy")
        assert int(answer.headers["Retry-After"]) >= 1
        assert client.get("/api/ledger/1").status_code == 200
        other.execute("ROLLBACK")
    assert enter(client)["number"] == 1


def test_a_damaged_ledger_answers_503_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(b"no ledger at all " * 100)
    answer = client_of(path).get("/api/ledger")
    assert (answer.status_code, code(answer)) == (503, "ledger_damaged")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["open", "joker", "hand", "undo", "5m", PICTURE]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["player", "kind", "preset", "max_la", "x"]), inner)
    ),
    max_leaves=8,
)
FIELDS = [
    *("players", "options", "east", "key", "seen", "note", "deltas", "dealer", "winner", "fan"),
    *("gangs", "zuo", "la", "chan", "title", "reading", "picture", "keep_picture"),
    *("format", "version", "guos"),
]
PLACES = [
    *("", "/1/hands", "/1/preview", "/1/adjust", "/1/lines/1/undo", "/1/lines/1/correct"),
    *("/import", "/1/close", "/1/open"),
]


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    place=st.sampled_from(PLACES),
    body=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4),
)
def test_no_body_makes_a_server_error(
    client: FlaskClient, place: str, body: dict[str, Any]
) -> None:
    """The client raises what a handler does not catch, so an unforeseen error fails the test."""
    client.application.testing = True
    answer = client.post(
        "/api/ledger" + place, data=json.dumps(body), content_type="application/json"
    )
    assert answer.status_code in (200, 201, 400, 404, 409, 422)
    if answer.status_code >= 400:
        code(answer)
    json.dumps(client.get("/api/ledger").json, allow_nan=False)
