"""`zhuowu sets add`: what cannot be is said before anything is read or learnt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from server.cli import zhuowu
from server.tile_sets import FOLDER
from vision.calibration import Example, TileSet, TileSetLibrary
from vision.calibration.choice import Figures
from vision.calibration.views import PATCH_SIDE, Patch


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZHUOWU_DATA_FOLDER", str(tmp_path))
    monkeypatch.delenv("ZHUOWU_CONFIG", raising=False)
    patch = Patch(np.full((PATCH_SIDE, PATCH_SIDE, 3), 90, np.uint8), (60, 80))
    figures = Figures(1, 1, 1, 0, "look")
    features = np.eye(3, 8, dtype=np.float32)
    one = TileSet("home", "a" * 64, (Example("1m", patch),), None, features, figures)
    TileSetLibrary(tmp_path / FOLDER).add(one)


def add(*args: object) -> Result:
    result = CliRunner().invoke(zhuowu, ["sets", "add", *map(str, args)])
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return result


def test_an_unknown_set_names_those_there_are(tmp_path: Path) -> None:
    assert "There are: home" in add("away", "x.jpg", "--tiles", "back", "--lang", "en").output


def test_words_that_are_no_tiles(tmp_path: Path) -> None:
    told = add("home", "x.jpg", "--tiles", "back dice9", "--lang", "en").output
    assert "123m, back and die1" in told
    assert "看不懂“dice9”" in add("home", "x.jpg", "--tiles", "dice9", "--lang", "zh").output
