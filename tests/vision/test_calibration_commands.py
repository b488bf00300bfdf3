"""`zhuowu calibrate` and `zhuowu sets` with the shipped models on a rendered set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from datasets.odd_sets import GUIDED_ROWS, laid_out, odd_set
from server.cli import zhuowu
from server.commands.calibrate import _alike, _taken_for
from tests.server.twin_sets import a_set
from vision.calibration import TileSetLibrary, tile_boxes
from vision.errors import ModelError
from vision.model_store import open_store
from vision.opencv import cv2
from vision.photo import load_photo
from vision.reader import Reader


@pytest.fixture(autouse=True)
def _models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZHUOWU_DATA_FOLDER", str(tmp_path / "data"))
    monkeypatch.delenv("ZHUOWU_CONFIG", raising=False)
    try:
        open_store().model("detector").content()
    except ModelError as error:
        pytest.skip(f"no trained models here: {error}")


def call(*args: object, text: str | None = None) -> Result:
    result = CliRunner().invoke(zhuowu, [str(arg) for arg in args], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The guided photo of a lettered set, and one that lacks a row."""
    folder = tmp_path_factory.mktemp("photos")
    tiles = odd_set("letters")
    made = {}
    for name, rows in (("whole", GUIDED_ROWS), ("three", GUIDED_ROWS[:3])):
        made[name] = folder / f"{name}.jpg"
        scene = laid_out(tiles, rows, seed=2)
        assert cv2.imwrite(str(made[name]), scene.image)
    return made


@pytest.mark.slow
def test_one_guided_photo_teaches_a_set_that_the_next_reading_uses(
    photos: dict[str, Path], tmp_path: Path
) -> None:
    tiles = [tile for row in GUIDED_ROWS for tile in row]
    before = tile_boxes(Reader(), load_photo(photos["whole"]), 34)
    taught = call("calibrate", photos["whole"], "--name", "letters", "--grid", "guided", "--json")
    assert taught.exit_code == 0, taught.output
    about = json.loads(taught.stdout)
    assert about["kinds"] == 34
    assert about["like"] is None, "no other set is stored"
    assert about["helps"]
    assert about["figures"]["after"] > about["figures"]["before"]
    listed = json.loads(call("sets", "list", "--json").output)
    assert listed["use"] == "auto"
    assert [s["name"] for s in listed["sets"]] == ["letters"]
    from server.photo_files import open_reader

    after = tile_boxes_taught(open_reader("en"), photos["whole"])
    general = [t.tile for t in before]
    assert sum(a == b for a, b in zip(general, tiles, strict=True)) < 30  # letters for winds
    assert sum(a == b for a, b in zip(after, tiles, strict=True)) >= 33
    file = tmp_path / "mine.zwset"
    assert call("sets", "export", "letters", "-o", file).exit_code == 0
    assert file.stat().st_size < 2 * 1024 * 1024
    assert call("sets", "export", "letters", "-o", file).exit_code == 2  # never overwritten
    assert call("sets", "remove", "letters", "--yes").exit_code == 0
    assert call("sets", "import", file, "--name", "friend").exit_code == 0
    assert "friend" in call("sets", "list").output
    assert call("sets", "use", "friend").exit_code == 0
    assert call("sets", "use", "nobody").exit_code == 2


def tile_boxes_taught(reader: Reader, path: Path) -> list[str]:
    """Names in reading order by a reader with taught sets."""
    return [tile.tile for tile in tile_boxes(reader, load_photo(path), 34)]


def test_a_photo_without_a_row_changes_nothing(photos: dict[str, Path], tmp_path: Path) -> None:
    names = "123456789m123456789p123456789s"
    result = call("calibrate", photos["three"], "--name", "x", "--tiles", names)
    assert result.exit_code == 2
    assert "7 kinds are missing: 1z 2z 3z 4z 5z 6z 7z" in result.output
    wrong = call("calibrate", photos["three"], "--name", "x", "--tiles", names + "1z")
    assert wrong.exit_code == 2
    assert "tiles were found, but 28 were named" in wrong.output
    chinese = call("calibrate", photos["three"], "--name", "x", "--tiles", names, "--lang", "zh")
    assert "还缺 7 种牌" in chinese.output
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--tiles", "1m", "--grid", "guided"), "not both"),
        (("--tiles", "1m", "--tiles", "2m"), "one for each photo"),
        (("--tiles", "0x"), "--tiles"),
    ],
)
def test_options_that_do_not_fit(
    photos: dict[str, Path], args: tuple[str, ...], words: str
) -> None:
    result = call("calibrate", photos["three"], "--name", "x", *args)
    assert result.exit_code == 2
    assert words in result.output


def test_files_that_are_no_photo_or_no_set(tmp_path: Path) -> None:
    junk = tmp_path / "junk.jpg"
    junk.write_bytes(b"junk")
    assert call("calibrate", junk, "--name", "x", "--yes").exit_code == 2
    assert call("sets", "import", junk).exit_code == 2
    assert call("sets", "import", tmp_path / "none.zwset").exit_code == 2


def test_a_set_that_looks_like_a_stored_one_is_told_to_its_owner(tmp_path: Path) -> None:
    """Photos of the two may be mixed up; a set is not compared with itself."""
    reader = Reader()
    library = TileSetLibrary(tmp_path)
    library.add(a_set("club", reader.classifier.sha256))
    assert _taken_for(library, a_set("kitchen", reader.classifier.sha256), reader) == "club"
    assert _taken_for(library, a_set("club", reader.classifier.sha256), reader) is None
    for lang in ("zh", "en"):
        assert "club" in _alike("club", lang)
