"""Attacks on the running program: other pages, other devices, floods, files, and what it tells."""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import shutil
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from server import rate_limit
from server.app import create_app
from server.commands.serve import MOST_FROM_ONE, listen
from server.config import Config
from server.lan import Access
from server.live_hub import LiveHub
from server.reading_service import ReadingService
from server.samples import list_samples
from server.tls_front import TlsFront, certificate

PATIENCE_S = 60


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return replace(
        Config(),
        port=0,
        data_folder=tmp_path / "data",
        max_upload_mb=1,
        requests_a_second=1000,
        requests_at_once=10_000,
    )


@pytest.fixture
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No request comes back to a bucket, however slowly this machine asks."""
    monkeypatch.setattr(rate_limit, "RateLimit", partial(rate_limit.RateLimit, now=lambda: 0.0))


@pytest.fixture
def client(config: Config) -> FlaskClient:
    return create_app(config, ReadingService(config)).test_client()


@pytest.fixture
def serve() -> Iterator[Callable[[Config, Any], int]]:
    """Serve an application as the program does; the port."""
    running: list[tuple[Any, threading.Thread]] = []

    def start(config: Config, app: Any) -> int:
        server = listen(config, app)
        thread = threading.Thread(target=server.run)
        thread.start()
        running.append((server, thread))
        return int(server.effective_port)

    yield start
    for server, thread in running:
        server.asyncore.close_all(server._map)
        server.close()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def status(port: int, method: str = "GET", path: str = "/api/options", **more: Any) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S, **more)
    try:
        connection.request(method, path)
        return connection.getresponse().status
    finally:
        connection.close()


# Other pages in the same browser


@pytest.mark.parametrize("path", ["/api/live/events", "/api/live/cameras", "/api/ledger"])
def test_another_page_embeds_nothing(client: FlaskClient, path: str) -> None:
    """An <img> of another page sends no Origin; it may not hold a viewer's place all the same."""
    for site in ("cross-site", "same-site"):
        headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
        assert client.get(path, headers=headers).status_code == 403


def test_another_page_may_link_here(client: FlaskClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    for path in ("/", "/api/docs"):
        assert client.get(path, headers=headers).status_code == 200


def test_a_rebound_name_gets_nothing_from_any_route(client: FlaskClient) -> None:
    """evil.example resolves to this machine: its page is of the same origin as its requests."""
    headers = {"Host": "evil.example", "Origin": "http://evil.example"}
    headers["Sec-Fetch-Site"] = "same-origin"
    rules = [rule for rule in client.application.url_map.iter_rules() if not rule.arguments]
    assert len(rules) > 15
    for rule in rules:
        for method in (rule.methods or set()) - {"OPTIONS"}:
            assert client.open(rule.rule, method=method, headers=headers).status_code == 403


def test_every_changing_route_refuses_other_origins(client: FlaskClient) -> None:
    tried = 0
    for rule in client.application.url_map.iter_rules():
        path = rule.rule.replace("<int:guo_id>", "1").replace("<int:number>", "1")
        for method in (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}:
            answer = client.open(path, method=method, headers={"Origin": "https://evil.example"})
            assert answer.status_code == 403, (method, path)
            tried += 1
    assert tried > 12


# Bodies

JSON_ROUTES = ("/api/score", "/api/advise", "/api/settle", "/api/ledger", "/api/live/source")
BODIES = {
    "deep": b"[" * 60_000,
    "deep object": b'{"hand":' * 6_000 + b"1" + b"}" * 6_000,
    "huge number": b'{"fan":' + b"9" * 60_000 + b"}",
    "not a number": b'{"hand": NaN}',
    "half a character": b'{"source": "\\ud800", "players": ["\\ud800"]}',
    "no text": b"\xff\xfe\x00",
    "too long": b'{"hand":"' + b"x" * 2_000_000 + b'"}',
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("path", JSON_ROUTES)
def test_monstrous_json_is_refused(client: FlaskClient, path: str, body: str) -> None:
    answer = client.post(path, data=BODIES[body], content_type="application/json")
    assert answer.status_code in (400, 413, 422), answer.text
    assert answer.json["error"]["zh"]
    assert client.get("/api/live").status_code == 200


def test_a_body_without_a_length_is_bounded_too(
    serve: Callable[[Config, Any], int], config: Config
) -> None:
    """Chunks that never say how many: the server stops reading at its limit."""
    port = serve(config, create_app(config, ReadingService(config)))
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as caller:
        caller.sendall(
            b"POST /api/read HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        with contextlib.suppress(OSError):  # it may close before everything is sent
            for _ in range(64):
                caller.sendall(b"10000\r\n" + b"\0" * 0x10000 + b"\r\n")
            caller.sendall(b"0\r\n\r\n")
        assert caller.recv(100).split()[1] == b"413"


# Floods


def test_callers_who_never_finish_do_not_stop_the_page(
    serve: Callable[[Config, Any], int], config: Config
) -> None:
    """Slow loris: more half-sent requests than the server has threads."""
    port = serve(config, create_app(config, ReadingService(config)))
    with contextlib.ExitStack() as open_ones:
        for number in range(80):
            caller = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
            open_ones.enter_context(caller)
            half = b"POST /api/read HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\nx"
            caller.sendall(half if number % 2 else b"GET / HTTP/1.1\r\nHost: 127")
        assert status(port) == 200


def test_one_device_cannot_hold_every_connection(
    serve: Callable[[Config, Any], int], config: Config
) -> None:
    port = serve(config, create_app(config, ReadingService(config)))
    other = ("127.0.0.9", 0)
    with contextlib.ExitStack() as open_ones:
        try:
            callers = [
                socket.create_connection(("127.0.0.1", port), PATIENCE_S, other)
                for _ in range(MOST_FROM_ONE + 1)
            ]
        except OSError:
            pytest.skip("this system has no further loopback addresses")
        for caller in callers:
            open_ones.enter_context(caller)
        assert callers[-1].recv(1) == b"", "the one too many is closed"
        assert status(port) == 200, "the page on this machine is not held up"


@pytest.mark.usefixtures("still_clock")
def test_a_device_cannot_use_up_the_requests_of_the_others(
    serve: Callable[[Config, Any], int], config: Config, tmp_path: Path
) -> None:
    """Behind the https front every device still has a bucket of its own."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl on this machine")
    few = replace(config, requests_a_second=1, requests_at_once=3)
    port = serve(few, create_app(few, ReadingService(few)))
    front = TlsFront("127.0.0.1", 0, port, *certificate(tmp_path / "certificate", "127.0.0.1"))
    try:
        seen = [over_https(front.port, "127.0.0.8") for _ in range(4)]
        assert seen == [200, 200, 200, 429]
        assert over_https(front.port, "127.0.0.7") == 200
        assert status(port) == 200
    except OSError:
        pytest.skip("this system has no further loopback addresses")
    finally:
        front.close()


def over_https(port: int, own: str) -> int:
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection(
        "127.0.0.1", port, timeout=PATIENCE_S, context=trusting, source_address=(own, 0)
    )
    try:
        connection.request("GET", "/api/options")
        return connection.getresponse().status
    finally:
        connection.close()


# The code of --lan


@pytest.mark.usefixtures("still_clock")
def test_codes_cannot_be_tried_one_after_the_other(config: Config) -> None:
    few = replace(config, requests_a_second=1, requests_at_once=5)
    app = create_app(few, ReadingService(few), access=Access())
    tries = [app.test_client().get(f"/?code={n}").status_code for n in range(6)]
    assert tries == [403] * 5 + [429]


def test_the_code_is_told_to_no_other_site_and_no_log(
    config: Config, caplog: pytest.LogCaptureFixture
) -> None:
    access = Access()
    app = create_app(config, ReadingService(config), access=access)

    @app.get("/api/breaks")
    def breaks() -> str:
        raise RuntimeError("a fault")

    caplog.set_level(logging.DEBUG)
    client = app.test_client()
    first = client.get(f"/?code={access.guest}")
    assert first.headers["Referrer-Policy"] == "no-referrer"
    assert access.guest not in first.headers["Location"]
    cookie = first.headers["Set-Cookie"]
    assert "SameSite=Lax" in cookie, "another site's request does not carry it"
    assert client.get(f"/api/breaks?code={access.guest}").status_code == 500
    assert "a fault" in caplog.text
    assert access.guest not in caplog.text
    assert access.guest not in client.get("/").text


# Nothing leaves this machine, no photo is kept


class Witness:
    """What Python itself reports: connections made and files written."""

    def __init__(self) -> None:
        self.on = False
        self.outward: list[str] = []
        self.written: list[str] = []

    def __call__(self, event: str, details: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
            where = details[1] if event != "socket.getaddrinfo" else details[0]
            if not str(where).lstrip("('").startswith(("127.", "::1", "localhost")):
                self.outward.append(f"{event} {where}")
        if event == "open" and isinstance(details[0], str | bytes):
            name, mode, flags = details
            if any(letter in (mode or "") for letter in "wax+") or flags & 3:
                self.written.append(str(name))
        if event in ("subprocess.Popen", "os.system"):
            self.outward.append(f"{event} {details[0]}")


@pytest.fixture(scope="module")
def witness() -> Witness:
    """Audit hooks stay for good, so there is one for the module."""
    made = Witness()
    sys.addaudithook(made)
    return made


@pytest.mark.skipif(not list_samples(), reason="no photos in datasets/samples")
def test_a_photo_is_read_without_a_file_or_a_connection(
    config: Config, witness: Witness, tmp_path: Path
) -> None:
    """Raw, as a form that Flask would spool to disk, as a camera's frame, on the score sheet."""
    photo = list_samples()[0].path
    large = photo.read_bytes() + b"\0" * 700_000  # beyond what a form keeps in memory by itself
    service = ReadingService(config)
    hub = LiveHub(config, service, look=lambda wait_s: _SeesNothing())
    client = create_app(config, service, hub).test_client()
    service.start()
    service.wait_until_loaded(120)
    if service.state != "ready":
        pytest.skip("no usable models in models/")
    sheet = client.post("/api/ledger", json={"players": ["a", "b", "c", "d"]}).json["sheet"]["id"]
    before = sorted(config.data_folder.rglob("*"))
    witness.outward.clear()
    witness.written.clear()
    witness.on = True
    try:
        assert client.post("/api/read?preview=1", data=large).status_code == 200
        form = {"photo": (photo.open("rb"), "hand.jpg")}
        assert client.post("/api/read", data=form).status_code == 200
        hub.start_browser("browser")
        assert client.post("/api/live/frames", data=photo.read_bytes()).status_code == 200
        unasked = {"winner": 1, "fan": 4, "picture": _base64(photo)}
        entered = client.post(f"/api/ledger/{sheet}/hands", json=unasked)
    finally:
        witness.on = False
        hub.close()
    assert witness.outward == []
    assert [name for name in witness.written if "ledger.sqlite" not in name] == []
    assert entered.json["error"]["code"] == "picture_not_asked_for"
    assert client.get(f"/api/ledger/{sheet}").json["lines"] == []
    assert sorted(config.data_folder.rglob("*")) == before, "no photo has become a file"


def test_the_witness_sees(witness: Witness, tmp_path: Path) -> None:
    witness.outward.clear()
    witness.written.clear()
    witness.on = True
    try:
        (tmp_path / "photo.jpg").write_bytes(b"x")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
    except OSError:
        pass
    finally:
        witness.on = False
    assert witness.written == [str(tmp_path / "photo.jpg")]
    assert witness.outward == ["socket.connect ('192.0.2.1', 9)"]


class _SeesNothing:
    side = 640
    least = 0.4

    def __call__(self, pixels: Any, part: Any, closer: bool) -> tuple[Any, ...]:
        return ()


def _base64(path: Path) -> str:
    import base64

    return base64.b64encode(path.read_bytes()).decode("ascii")


# Files


@pytest.mark.parametrize("name", ["../../secret", "..\\secret", "/etc/passwd", "a\0b", "x" * 5000])
def test_no_name_leads_out_of_the_data_folder(
    client: FlaskClient, config: Config, name: str
) -> None:
    (config.data_folder.parent / "secret").write_text("{}")
    body = json.dumps({"browser": True, "placement": name})
    answer = client.post("/api/live/source", data=body, content_type="application/json")
    assert answer.status_code == 422
    assert "secret" not in answer.json["error"]["code"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/%2e%2e/app.py",
        "/static/..%2f..%2fpyproject.toml",
        "/static/..\\app.py",
        "/samples/..%2f..%2f..%2fpyproject.toml",
        "/tiles/..%2f5m.svg",
        "/static//etc/passwd",
        "/static/a%00b",
    ],
)
def test_no_address_leads_out_of_the_folders(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code in (404, 308)
