"""`zhuowu cameras`, with and without cameras."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from server.commands import cameras as cameras_command
from vision.opencv import cv2
from vision.sources import Camera, FolderSource


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two cameras, played by files: 0 gives a picture, 2 is not there any more."""
    picture = tmp_path / "a.png"
    image = np.full((48, 64, 3), 90, np.uint8)
    picture.write_bytes(cv2.imencode(".png", image)[1].tobytes())
    monkeypatch.setattr(
        cameras_command, "_cameras", lambda lang: (Camera(0, "HD Webcam"), Camera(2, "Capture"))
    )
    monkeypatch.setattr(
        "vision.sources.capture.CameraSource",
        lambda number: FolderSource(picture if number == 0 else tmp_path / "camera"),
    )


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cameras_command.command, ["--lang", "en", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def test_no_camera_says_what_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras_command, "_cameras", lambda lang: ())
    code, out, err = run()
    assert (code, out) == (1, "")
    assert "No camera found" in err
    assert "rtsp://" in err
    code, out, _ = run("--json")
    answer = json.loads(out)
    assert code == 1
    assert answer["cameras"] == []
    assert answer["error"]["code"] == "no_camera"
    assert "没有找到摄像头" in answer["error"]["zh"]


@pytest.mark.usefixtures("machine")
def test_cameras_are_listed_by_number_and_name() -> None:
    assert run() == (0, "0  HD Webcam\n2  Capture\n", "")
    code, out, _ = run("--json")
    assert code == 0
    assert json.loads(out) == {
        "cameras": [{"number": 0, "name": "HD Webcam"}, {"number": 2, "name": "Capture"}]
    }


@pytest.mark.usefixtures("machine")
def test_previews_are_saved_and_failures_told(tmp_path: Path) -> None:
    folder = tmp_path / "previews"
    code, out, _ = run("--json", "--preview", str(folder))
    good, bad = json.loads(out)["cameras"]
    assert code == 2
    assert (good["width"], good["height"]) == (64, 48)
    assert [p.name for p in folder.iterdir()] == ["camera0_HD-Webcam.jpg"]
    assert bad["error"]["code"] == "not_found"


@pytest.mark.usefixtures("machine")
def test_a_folder_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    code, _, err = run("--preview", str(blocked / "inside"))
    assert code == 2
    assert "Cannot write to" in err
