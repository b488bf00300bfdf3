"""`zhuowu serve` says its address and explains a taken port; `zhuowu doctor` says what is wrong."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from server.app import create_app
from server.cli import UserError, zhuowu
from server.commands.serve import listen, page_address
from server.config import Config
from server.reading_service import ReadingService


@pytest.fixture
def quiet_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No settings of this machine's user."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("ZHUOWU_DATA_FOLDER", str(tmp_path / "data"))
    return tmp_path


def test_a_taken_port_is_explained() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        config = replace(Config(), port=port)
        with pytest.raises(UserError, match="--port") as caught:
            listen(config, create_app(config, ReadingService(config)))
    assert str(port) in caught.value.message
    assert "占用" in caught.value.message


def test_an_address_of_another_machine_is_explained() -> None:
    for host in ("203.0.113.7", "999.1.1.1", "a..b", "no such name"):
        config = replace(Config(), host=host, port=0)
        with pytest.raises(UserError, match=r"--host 127\.0\.0\.1"):
            listen(config, create_app(config, ReadingService(config)))


@pytest.mark.parametrize(("typed", "told"), [("scor", "'score'"), ("jugde", "'judge'"), ("qq", "")])
def test_an_unknown_command_is_told_the_nearest(typed: str, told: str) -> None:
    result = CliRunner().invoke(zhuowu, [typed])
    assert result.exit_code == 2
    assert f"No such command '{typed}'." in result.output
    assert ("The nearest is" in result.output) == bool(told)
    assert told in result.output


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:80/"),
        ("0.0.0.0", "http://127.0.0.1:80/"),
        ("::1", "http://[::1]:80/"),
    ],
)
def test_the_address_can_be_opened(host: str, address: str) -> None:
    assert page_address(replace(Config(), host=host), 80) == address


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address that `zhuowu serve` prints first, on a free port."""
    environment = os.environ | {
        "XDG_CONFIG_HOME": str(tmp_path_factory.mktemp("home")),
        "ZHUOWU_MAX_UPLOAD_MB": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--no-open"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait(60)


def test_serve_says_its_address_and_answers(address: str) -> None:
    with urllib.request.urlopen(address, timeout=60) as answer:
        assert "捉伍" in answer.read().decode()


@pytest.mark.parametrize("body", [b"\0" * (1024 * 1024 + 1), b"not a photo"])
def test_the_real_server_refuses_uploads_in_json(address: str, body: bytes) -> None:
    """Its own limit lies above the application's, so people see a reason and not a bare page."""
    request = urllib.request.Request(f"{address}api/read", data=body, method="POST")
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=60)
    assert caught.value.code == (413 if len(body) > 1024 else 422)
    assert json.load(caught.value)["error"]["zh"]


def test_bad_settings_stop_serve_with_the_reason(quiet_environment: Path) -> None:
    path = quiet_environment / "bad.toml"
    path.write_text("prot = 1\n")
    result = CliRunner().invoke(zhuowu, ["serve", "--config", str(path)])
    assert result.exit_code == 2
    assert "the nearest is 'port'" in result.output


def doctor(*more: str) -> tuple[int, str]:
    result = CliRunner().invoke(zhuowu, ["doctor", *more])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def test_doctor_prints_settings_with_their_origin(
    quiet_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZHUOWU_PORT", "8599")
    code, text = doctor()
    assert "ZHUOWU_PORT" in text
    assert "8599" in text
    assert "zhuowu/config.toml" in text.replace(os.sep, "/")
    report: dict[str, Any] = json.loads(doctor("--json")[1])
    assert report["config"]["port"] == 8599
    assert report["origins"]["port"] == "ZHUOWU_PORT"
    states = {check["name"]: check["state"] for check in report["checks"]}
    assert states["python"] == states["opencv"] == states["heic"] == states["data"] == "ok"
    assert code == int("failed" in states.values())


def test_doctor_fails_when_models_are_missing(
    quiet_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZHUOWU_MODELS", str(quiet_environment))
    code, text = doctor()
    assert code == 1
    assert "✗ models" in text
    assert "Install zhuowu again" in text


def test_doctor_refuses_unknown_settings(
    quiet_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZHUOWU_PROT", "1")
    code, text = doctor()
    assert code == 2
    assert "ZHUOWU_PROT" in text
