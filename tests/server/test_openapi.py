"""The description of the interface, its page, the rate limit, and guesses from the description."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings

from server import rate_limit
from server.apidoc import undocumented
from server.app import create_app
from server.config import Config
from server.rate_limit import RateLimit
from server.reading_service import ReadingService
from server.tile_sets import FOLDER
from vision.calibration import Example, TileSet, TileSetLibrary, key_of
from vision.calibration.choice import Figures
from vision.calibration.views import PATCH_SIDE, Patch

ELSEWHERE = ("/api/read", "/api/live/events", "/api/live/source", "/api/sets/file")
"""Photos, streams and files, which have tests of their own."""


@pytest.fixture(scope="module")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def app(data_folder: Path) -> Flask:
    config = Config(data_folder=data_folder, requests_a_second=100_000, requests_at_once=1_000_000)
    return create_app(config, ReadingService(config))


def a_set() -> TileSet:
    """A taught set of one tile."""
    patch = Patch(np.full((PATCH_SIDE, PATCH_SIDE, 3), 90, np.uint8), (60, 80))
    features, figures = np.eye(3, 8, dtype=np.float32), Figures(1, 1, 1, 0, "look")
    return TileSet("home", "a" * 64, (Example("1m", patch),), None, features, figures)


def test_every_route_says_what_it_does(app: Flask) -> None:
    assert undocumented(app) == []


def test_the_description_is_whole(app: Flask) -> None:
    about = app.test_client().get("/api/openapi.json").json
    assert about["openapi"].startswith("3.1")
    assert about["paths"]["/api/score"]["post"]["requestBody"]
    names = []
    for path, methods in about["paths"].items():
        for method, one in methods.items():
            names.append(one["operationId"])
            assert one["summary"], (method, path)
            assert one["description"], (method, path)
            given = {p["name"] for p in one["parameters"] if p["in"] == "path"}
            assert given == {part[1:-1] for part in path.split("/") if part.startswith("{")}
    assert len(set(names)) == len(names)


def test_the_examples_of_the_description_work(app: Flask) -> None:
    client = app.test_client()
    client.post("/api/ledger", json={"players": ["a", "b", "c", "d"]})
    tried = 0
    for path, methods in client.get("/api/openapi.json").json["paths"].items():
        for method, one in methods.items():
            content = one.get("requestBody", {}).get("content", {}).get("application/json", {})
            if "example" not in content:
                continue
            address = path.replace("{guo_id}", "1").replace("{number}", "1")
            answer = client.open(address, method=method.upper(), json=content["example"])
            wanted = (404, 422) if "{number}" in path else ()
            assert answer.status_code in (200, 201, *wanted), (path, answer.text)
            tried += 1
    assert tried >= 10


def test_the_page_needs_nothing_from_elsewhere(app: Flask) -> None:
    answer = app.test_client().get("/api/docs")
    assert answer.status_code == 200
    assert "http" not in answer.text.replace("http-equiv", "")
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_the_ledger_is_guarded_like_the_rest(app: Flask) -> None:
    client = app.test_client()
    players = {"players": ["a", "b", "c", "d"]}
    foreign = client.post("/api/ledger", json=players, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403
    rebound = client.get("/api/ledger", headers={"Host": "evil.example"})
    assert rebound.status_code == 403
    form = client.post("/api/ledger", data="players=a", content_type="text/plain")
    assert form.status_code == 415, "a form of another page cannot send JSON"
    gone = client.delete("/api/ledger/1/lines/1/picture", headers={"Origin": "http://evil.example"})
    assert gone.status_code == 403


def test_a_bucket_empties_and_fills_again() -> None:
    at = [0.0]
    limit = RateLimit(2, 3, now=lambda: at[0])
    assert [limit.take("a") for _ in range(3)] == [0, 0, 0]
    assert limit.take("a") == pytest.approx(0.5)
    assert limit.take("b") == 0, "another caller has a bucket of its own"
    at[0] = 0.5
    assert limit.take("a") == 0
    assert limit.take("a") > 0
    at[0] = 100
    assert [limit.take("a") > 0 for _ in range(4)] == [False, False, False, True]


def test_too_many_requests_are_told_when_to_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # By a clock that stands still: no request comes back, however slowly this machine asks.
    monkeypatch.setattr(rate_limit, "RateLimit", partial(RateLimit, now=lambda: 0.0))
    config = Config(data_folder=tmp_path, requests_a_second=1, requests_at_once=3)
    client = create_app(config, ReadingService(config)).test_client()
    for _ in range(3):
        assert client.get("/api/options").status_code == 200
    refused = client.get("/api/options")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) >= 1
    assert refused.json["error"]["zh"]
    assert client.get("/").status_code == 200, "the page itself still loads"


def test_guesses_from_the_description_reach_no_error_of_the_server(
    app: Flask, data_folder: Path
) -> None:
    """schemathesis makes requests that fit the description, and some that do not: no status 5xx.

    Photos are left out: tests/server/test_api_read.py sends broken ones by the hundred. So are the
    live stream, which never ends, and its sources: tests/server/test_api_live.py; and what is done
    within a calibration, which needs photos: tests/server/test_api_calibrate.py.
    """
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    client = app.test_client()
    sheet = client.post("/api/ledger", json={"players": ["e", "f", "g", "h"]}).json["sheet"]["id"]
    client.post(f"/api/ledger/{sheet}/hands", json={"winner": 2, "fan": 6})
    begun = client.post("/api/calibration", json={}).json["id"]
    library = TileSetLibrary(data_folder / FOLDER)
    here = {
        "guo_id": sheet,
        "number": 1,
        "key": "zhuowu",
        "calibration": begun,
        "set_key": key_of("home"),
    }
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", app)
    tried = set()
    worked = set()
    wrong = []
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path in (
            "/api/read",
            "/api/live/events",
            "/api/live/source",
            "/api/sets/file",
        ):
            continue
        if operation.path.startswith("/api/calibration/{calibration}/"):
            continue
        tried.add((operation.method, operation.path))
        library.add(a_set(), replace_old=True)  # an operation before may have removed it

        @settings(
            max_examples=12,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def guess(case: Any) -> None:
            # A number that nothing has is soon answered: most guesses ask for what is here.
            for name in here.keys() & (case.path_parameters or {}).keys():
                if str(case.path_parameters[name])[-1:] not in "123":
                    case.path_parameters[name] = here[name]
            answer = case.call()
            if answer.status_code < 300:
                worked.add((case.method.lower(), case.path))
            if answer.status_code >= 500:
                wrong.append((case.method, case.path, answer.status_code, answer.text[:200]))

        guess()
    assert wrong == []
    assert len(tried) > 20
    assert ("get", "/api/ledger/{guo_id}") in worked
    # No camera runs here, so most of the live table can only refuse.
    able = {one for one in tried if not one[1].startswith("/api/live/")}
    assert len(worked & able) > 0.7 * len(able), f"never worked: {sorted(able - worked)}"
