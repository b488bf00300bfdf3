"""Who may call the server, what its answers forbid, and how it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from server.app import create_app
from server.config import Config
from server.reading_service import ReadingService


def make_app(config: Config) -> Flask:
    return create_app(config, ReadingService(config))


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    with make_app(Config()).test_client() as client:
        yield client


@pytest.mark.parametrize("host", ["127.0.0.1:8577", "localhost", "[::1]:8577", "LOCALHOST:1"])
def test_names_of_this_machine_are_served(client: FlaskClient, host: str) -> None:
    assert client.get("/api/options", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "[", "", "evil@127.0.0.1.x", "192.168.1.5"]
)
def test_other_names_are_refused(client: FlaskClient, host: str) -> None:
    """A name of another site that resolves to this machine (DNS rebinding) gets nothing."""
    answer = client.get("/api/options", headers={"Host": host})
    assert answer.status_code == 403
    assert answer.json["error"]["code"] == "host_not_allowed"
    assert "allowed_hosts" in answer.json["error"]["en"]


def test_configured_names_are_served() -> None:
    app = make_app(replace(Config(), allowed_hosts=("table.local",), host="192.168.1.5"))
    for host in ("table.local:8577", "192.168.1.5:8577"):
        assert app.test_client().get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://localhost"}, 200),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:9"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_posts_must_come_from_the_page(
    client: FlaskClient, headers: dict[str, str], status: int
) -> None:
    assert client.post("/api/score", json={}, headers=headers).status_code == status


@pytest.mark.parametrize("path", ["/", "/api/options", "/tiles/5m.svg", "/static/js/main.js", "/x"])
def test_every_answer_is_dressed(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_page_has_no_inline_script_and_no_outside_address(client: FlaskClient) -> None:
    text = client.get("/").text
    assert "<script>" not in text
    assert "http://" not in text
    assert "https://" not in text
    assert " on" + "click=" not in text


@pytest.mark.parametrize(("header", "lang"), [("zh-CN,zh;q=0.9", "zh-CN"), ("de,en", "en")])
def test_page_starts_in_the_language_of_the_browser(
    client: FlaskClient, header: str, lang: str
) -> None:
    assert f'<html lang="{lang}"' in client.get("/", headers={"Accept-Language": header}).text


def test_configured_language_wins() -> None:
    client = make_app(replace(Config(), language="zh")).test_client()
    assert '<html lang="zh-CN"' in client.get("/", headers={"Accept-Language": "en"}).text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/tiles/0m.svg", 404),
        ("GET", "/tiles/..%2f..%2fconfig.svg", 404),
        ("GET", "/samples/..%2fsamples.json", 404),
        ("GET", "/samples/none.jpg", 404),
        ("GET", "/api/score", 405),
        ("DELETE", "/api/read", 405),
        ("GET", "/static/../config.py", 404),
    ],
)
def test_refusals_are_json_in_both_languages(
    client: FlaskClient, method: str, path: str, status: int
) -> None:
    answer = client.open(path, method=method)
    assert answer.status_code == status
    assert set(answer.json["error"]) == {"code", "zh", "en"}


def test_tile_pictures_are_svg_and_can_be_kept(client: FlaskClient) -> None:
    answer = client.get("/tiles/5m.svg")
    assert answer.mimetype == "image/svg+xml"
    assert client.get("/tiles/5m.svg?joker=1").data != answer.data
    again = client.get("/tiles/5m.svg", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_an_unforeseen_error_is_told_without_its_details(caplog: pytest.LogCaptureFixture) -> None:
    app = make_app(Config())

    @app.get("/breaks")
    def breaks() -> str:
        raise RuntimeError("a detail of the program")

    answer = app.test_client().get("/breaks")
    assert answer.status_code == 500
    assert answer.json["error"]["code"] == "internal"
    assert "detail" not in answer.text
    assert "a detail of the program" in caplog.text


def test_status_says_when_models_are_missing(tmp_path: Path) -> None:
    config = replace(Config(), models=tmp_path)
    service = ReadingService(config)
    client = create_app(config, service).test_client()
    assert client.get("/api/status").json == {"models": "loading"}
    service.start()
    service.wait_until_loaded(60)
    assert client.get("/api/status").json == {"models": "failed"}
