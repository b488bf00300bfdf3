"""`zhuowu read` and `zhuowu score` on drawn tables, folders, and files that are no photos."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from server.cli import zhuowu
from vision.errors import ModelError
from vision.model_store import open_store


def _hostile() -> ModuleType:
    path = Path(__file__).with_name("test_photo_loading.py")
    spec = importlib.util.spec_from_file_location("hostile_photos", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HOSTILE: dict[str, tuple[bytes, str]] = _hostile().HOSTILE


@pytest.fixture(autouse=True)
def _models() -> None:
    try:
        open_store().model("detector").content()
    except ModelError as error:
        pytest.skip(f"no trained models here: {error}")


def call(*args: object) -> Result:
    result = CliRunner().invoke(zhuowu, [str(arg) for arg in args])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def plain_photo(path: Path) -> Path:
    Image.fromarray(np.full((480, 640, 3), (60, 110, 70), np.uint8)).save(path)
    return path


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_twenty_hostile_files_get_a_message_each_and_exit_2(tmp_path: Path) -> None:
    assert len(HOSTILE) >= 20
    paths = []
    for name, (data, _) in HOSTILE.items():
        path = tmp_path / name
        path.write_bytes(data)
        paths.append(path)
    good = plain_photo(tmp_path / "good.png")
    result = call("read", *paths, good, tmp_path / "missing.jpg", "--json")
    assert result.exit_code == 2
    found = lines(result)
    assert [Path(line["image"]).name for line in found] == [*HOSTILE, "good.png", "missing.jpg"]
    for line, (_, code) in zip(found, HOSTILE.values(), strict=False):
        assert line["error"]["code"] == code
        assert line["error"]["zh"]
        assert line["error"]["en"]
    assert found[-2]["tiles"] == []
    assert found[-1]["error"]["code"] == "not_found"


@pytest.mark.parametrize("name", ["empty.jpg", "truncated.jpg", "bomb_30000.png", "text.jpg"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_score_says_what_is_wrong_with_a_file(tmp_path: Path, name: str, lang: str) -> None:
    path = tmp_path / name
    path.write_bytes(HOSTILE[name][0])
    result = call("score", path, "--lang", lang)
    assert result.exit_code == 2
    assert name in result.output
    assert ("。" in result.output) == (lang == "zh")
    as_json = call("score", path, "--json")
    assert as_json.exit_code == 2
    assert lines(as_json)[0]["error"][0]["code"] == HOSTILE[name][1]


def test_an_empty_photo_has_no_hand(tmp_path: Path) -> None:
    result = call("score", plain_photo(tmp_path / "table.png"), "--lang", "en")
    assert result.exit_code == 2
    assert "No hand found" in result.output


def test_a_folder_is_read_photo_by_photo(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    plain_photo(tmp_path / "b.jpg")
    plain_photo(tmp_path / "deeper" / "a.PNG")
    (tmp_path / "notes.txt").write_text("no photo")
    result = call("read", tmp_path, "--json")
    assert result.exit_code == 0
    assert [Path(line["image"]).name for line in lines(result)] == ["b.jpg", "a.PNG"]
    first = lines(result)[0]
    assert {"image", "width", "height", "tiles", "ms"} <= set(first)
    assert (first["width"], first["height"]) == (640, 480)


def test_a_folder_without_photos(tmp_path: Path) -> None:
    result = call("read", tmp_path, "--lang", "en")
    assert result.exit_code == 2
    assert "No photo found" in result.output


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["--indicator", "5x"], "5x"),
        (["--indicator", "5m6m"], "one tile"),
        (["--indicator", "5m", "--jokers", "5m6m"], "not both"),
        (["--jokers", "hello"], "hello"),
        (["--option", "min_fam=3"], "min_fan"),
        (["--option", "min_fan"], "min_fan"),
        (["--drawn", "10m"], "0m"),
    ],
)
def test_score_refuses_options_it_cannot_understand(
    tmp_path: Path, args: list[str], word: str
) -> None:
    photo = plain_photo(tmp_path / "table.png")
    result = call("score", photo, *args, "--lang", "en")
    assert result.exit_code == 2
    assert word in result.output


def test_models_that_do_not_match_stop_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store()
    manifest = json.loads((store.folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["models"][0]["sha256"] = "0" * 64
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for model in store.models.values():
        (tmp_path / model.path.name).write_bytes(model.path.read_bytes())
    monkeypatch.setenv("ZHUOWU_MODELS", str(tmp_path))
    result = call("read", plain_photo(tmp_path / "x.png"), "--lang", "en")
    assert result.exit_code == 2
    assert "does not match" in result.output
