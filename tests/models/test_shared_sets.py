"""Exported sets as training data: only with their owner's consent, every tile under its class."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from models.crop_data import CropData
from models.shared_sets import FOLDER, shared_set_tiles
from models.training import TrainingError
from server.cli import zhuowu
from vision.calibration import Example, TileSet
from vision.calibration.choice import Figures
from vision.calibration.views import PATCH_SIDE, Patch
from vision.values import CLASSES

SHOWN = ("1m", "9p", "7z", "back", "die3")


def exported(folder: Path, name: str, consent: bool) -> Path:
    """A set's file; each tile is a grey of its own."""
    examples = tuple(
        Example(tile, Patch(np.full((PATCH_SIDE, PATCH_SIDE, 3), 40 * n + 20, np.uint8), (60, 80)))
        for n, tile in enumerate(SHOWN)
    )
    figures = Figures(1, 1, 1, 0, "look")
    one = TileSet(name, "a" * 64, examples, None, np.eye(3, 8, dtype=np.float32), figures)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}-{consent}.zwset"
    replace(one, consent=consent).save(file)
    return file


def test_agreed_sets_become_single_tiles_and_are_drawn(tmp_path: Path) -> None:
    files = [exported(tmp_path / "a", "home", True), exported(tmp_path / "b", "home", True)]
    found = shared_set_tiles([files[0], tmp_path / "b"], tmp_path / "out")
    kinds = [CLASSES.index(tile) for tile in SHOWN]
    assert sorted(kind for _, kind in found) == sorted(kinds * 2), "same name, both are there"
    for file, kind in found:
        grey = 40 * kinds.index(kind) + 20
        assert abs(int(cv2.imread(str(file)).mean()) - grey) < 3
    again = shared_set_tiles(files[:1], tmp_path / "out")
    assert len(list((tmp_path / "out" / FOLDER).rglob("*.jpg"))) == len(again) == len(SHOWN)
    data = CropData([], [], [], again, (0, 0, 0, 1, 0), 48, 1, 640)
    drawn = {data.sample(number)[1] for number in range(60)}
    assert drawn == set(kinds)


def test_sets_without_consent_and_broken_files_are_refused_by_name(tmp_path: Path) -> None:
    mute = exported(tmp_path, "mute", False)
    broken = tmp_path / "broken.zwset"
    broken.write_bytes(b"nothing")
    agreed = exported(tmp_path, "agreed", True)
    with pytest.raises(TrainingError) as caught:
        shared_set_tiles([agreed, mute, broken], tmp_path / "out")
    assert f"{mute}: its owner has not agreed" in str(caught.value)
    assert "broken.zwset is no whole tile-set file" in str(caught.value)
    assert not (tmp_path / "out").exists(), "nothing is written when one may not be used"
    (tmp_path / "none").mkdir()
    with pytest.raises(TrainingError, match="no set files"):
        shared_set_tiles([tmp_path / "none"], tmp_path / "out")


def test_the_command_refuses_a_set_without_consent(tmp_path: Path) -> None:
    mute = exported(tmp_path, "mute", False)
    told = ["train", "classifier", "--scenes", tmp_path, "--out", tmp_path / "o", "--sets", mute]
    result = CliRunner().invoke(zhuowu, [str(one) for one in told])
    assert result.exit_code == 2
    assert "has not agreed" in result.output


def test_the_export_says_that_its_owner_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZHUOWU_DATA_FOLDER", str(tmp_path / "data"))
    monkeypatch.delenv("ZHUOWU_CONFIG", raising=False)
    source = exported(tmp_path, "home", False)
    for args in (
        ("sets", "import", source),
        ("sets", "export", "home", "-o", tmp_path / "plain.zwset"),
        ("sets", "export", "home", "-o", tmp_path / "agreed.zwset", "--consent"),
    ):
        result = CliRunner().invoke(zhuowu, [str(arg) for arg in args])
        assert result.exit_code == 0, result.output
    assert len(shared_set_tiles([tmp_path / "agreed.zwset"], tmp_path / "out")) == len(SHOWN)
    with pytest.raises(TrainingError, match="has not agreed"):
        shared_set_tiles([tmp_path / "plain.zwset"], tmp_path / "out")
