"""`zhuowu serve --lan`: no request without a code, guests open nothing, https."""

from __future__ import annotations

import contextlib
import http.client
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from flask.testing import FlaskClient

from server.app import create_app
from server.config import Config
from server.lan import Access, lan_address
from server.live_hub import LiveHub
from server.reading_service import ReadingService
from server.tls_front import NoCertificate, TlsFront, certificate

PATIENCE_S = 60
ADDRESS = "http://192.168.1.5:8577/?code=guest"


@pytest.fixture
def access() -> Access:
    return Access(address=ADDRESS)


@pytest.fixture
def client(tmp_path: Path, access: Access) -> Iterator[FlaskClient]:
    config = Config(data_folder=tmp_path)
    service = ReadingService(config)
    hub = LiveHub(config, service)
    yield create_app(config, service, hub, access).test_client()
    hub.close()


@pytest.mark.parametrize(
    "path", ["/", "/api/live", "/api/live/events", "/static/js/main.js", "/tiles/1m.svg", "/?code="]
)
def test_nothing_is_told_without_the_code(client: FlaskClient, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": "zhuowu_code=wrong"}):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 403
        assert answer.json["error"]["code"] == "no_code"


def test_the_code_in_the_address_becomes_a_cookie(client: FlaskClient, access: Access) -> None:
    assert client.get("/?code=wrong").status_code == 403
    first = client.get(f"/?code={access.guest}")
    assert first.status_code == 303
    assert first.headers["Location"] == "/", "the code does not stay in the address"
    assert "HttpOnly" in first.headers["Set-Cookie"]
    assert client.get("/").status_code == 200
    assert client.get("/api/live").status_code == 200
    told = client.get("/api/lan").json
    assert told["address"] == ADDRESS
    assert told["secure"] is False


def test_the_qr_code_is_drawn(client: FlaskClient, access: Access) -> None:
    pytest.importorskip("segno")
    client.get(f"/?code={access.owner}")
    answer = client.get("/api/lan/qr.svg")
    assert answer.mimetype == "image/svg+xml"
    assert answer.text.startswith("<svg")


def test_a_guest_opens_no_files_and_addresses(client: FlaskClient, access: Access) -> None:
    """A phone with the code may be the camera, but may not have this machine's files shown."""
    source = {"source": "no/such/file"}
    guest = {"Authorization": f"Bearer {access.guest}"}
    owner = {"Authorization": f"Bearer {access.owner}"}
    refused = client.post("/api/live/source", json=source, headers=guest)
    assert refused.json["error"]["code"] == "owner_only"
    asked = client.post("/api/live/source", json=source, headers=owner)
    assert asked.json["error"]["code"] == "not_found"


def test_codes_differ_every_time() -> None:
    codes = {code for one in (Access(), Access()) for code in (one.owner, one.guest)}
    assert len(codes) == 4
    assert min(map(len, codes)) >= 20


def test_without_lan_no_code_is_needed(tmp_path: Path) -> None:
    config = Config(data_folder=tmp_path)
    plain = create_app(config, ReadingService(config)).test_client()
    assert plain.get("/api/lan").json == {"address": None, "secure": False, "qr": None}
    assert plain.get("/api/lan/qr.svg").status_code == 404


def test_without_openssl_it_is_said_what_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCertificate, match="photos"):
        certificate(tmp_path, "192.168.1.5")


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def test_https_carries_bytes_both_ways_and_outlives_bad_callers(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl on this machine")

    def echo(environ: dict, start: object) -> list[bytes]:  # type: ignore[type-arg]
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        start("200 OK", [("Content-Length", str(len(body)))])  # type: ignore[operator]
        return [body]

    backend = make_server("127.0.0.1", 0, echo, handler_class=_Quiet)
    threading.Thread(target=backend.serve_forever, daemon=True).start()
    cert, key = certificate(tmp_path / "c", "127.0.0.1")
    assert key.stat().st_mode & 0o077 == 0, "the key is for its owner alone"
    assert certificate(tmp_path / "c", "127.0.0.1") == (cert, key)
    front = TlsFront("127.0.0.1", 0, backend.server_port, cert, key)
    try:
        with socket.create_connection(("127.0.0.1", front.port), PATIENCE_S) as plain:
            plain.sendall(b"GET / HTTP/1.0\r\n\r\n")
            plain.settimeout(PATIENCE_S)
            with contextlib.suppress(ConnectionResetError):
                assert b"200" not in plain.recv(100)
        trusting = ssl.create_default_context(cafile=str(cert))  # also checks the address in it
        sent = bytes(range(256)) * 4096
        for _ in range(2):
            https = http.client.HTTPSConnection(
                "127.0.0.1", front.port, timeout=PATIENCE_S, context=trusting
            )
            https.request("POST", "/", body=sent)
            assert https.getresponse().read() == sent
            https.close()
    finally:
        front.close()
        backend.shutdown()
        backend.server_close()


def test_serve_lan_prints_addresses_that_work(tmp_path: Path) -> None:
    """The whole command: this machine's address, the phones' address, and an end at a signal."""
    if lan_address() is None:
        pytest.skip("this machine is in no network")
    process = subprocess.Popen(
        [sys.executable, "-m", "server.cli", "serve", "--lan", "--host", "127.0.0.1",
         "--port", "0", "--no-open"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
        env={"ZHUOWU_DATA_FOLDER": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path),
             "PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        first = process.stdout.readline()
        found = re.search(r"http://(127\.0\.0\.1:\d+)(/\?code=\S+)", first)
        assert found, first
        phones = process.stdout.readline()
        assert "?code=" in phones
        connection = http.client.HTTPConnection(found[1], timeout=PATIENCE_S)
        connection.request("GET", "/api/live")
        assert connection.getresponse().status == 403
        connection.close()
        connection.request("GET", found[2])
        opened = connection.getresponse()
        assert opened.status == 303
        cookie = opened.headers["Set-Cookie"].split(";")[0]
        connection.close()
        connection.request("GET", "/api/live", headers={"Cookie": cookie})
        assert connection.getresponse().status == 200
        connection.close()
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) is not None
