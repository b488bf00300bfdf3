"""A model file is loaded only when it is the one that the manifest names."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from vision.errors import ModelError
from vision.model_store import ENVIRONMENT, KINDS, default_folder, open_store
from vision.runtime import Session


def write_store(folder: Path, **changes: Any) -> Path:
    (folder / "detector.onnx").write_bytes(b"weights")
    entry = {
        "task": "detector",
        "file": "detector.onnx",
        "sha256": hashlib.sha256(b"weights").hexdigest(),
        "input_size": 640,
        "classes": ["1m", "2m"],
        "licence": "AGPL-3.0-or-later",
        "calibration": [[0.2, 0.1], [0.9, 0.95]],
    }
    entry.update(changes)
    manifest = {"format": 1, "threshold": 0.45, "models": [entry]}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def code_of(call: Any) -> str:
    with pytest.raises(ModelError) as caught:
        call()
    assert caught.value.zh
    assert caught.value.en
    return caught.value.code


def test_a_matching_file_is_given_out(tmp_path: Path) -> None:
    store = open_store(write_store(tmp_path))
    model = store.model("detector")
    assert model.content() == b"weights"
    assert (model.input_size, model.classes) == (640, ("1m", "2m"))
    assert model.calibration == dict.fromkeys(KINDS, ((0.2, 0.1), (0.9, 0.95)))
    assert store.threshold == 0.45


def test_kinds_may_be_calibrated_apart(tmp_path: Path) -> None:
    tables = {"back": [[0.5, 0.2], [0.9, 0.9]], "die": []}
    store = open_store(write_store(tmp_path, calibration=tables))
    assert store.model("detector").calibration == {"back": ((0.5, 0.2), (0.9, 0.9))}


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    store = open_store(write_store(tmp_path))
    (tmp_path / "detector.onnx").write_bytes(b"weightz")
    assert code_of(store.model("detector").content) == "model_mismatch"
    assert code_of(lambda: Session(store.model("detector"))) == "model_mismatch"


def test_a_missing_file_and_a_missing_task(tmp_path: Path) -> None:
    store = open_store(write_store(tmp_path, file="gone.onnx"))
    assert code_of(store.model("detector").content) == "model_missing"
    assert code_of(lambda: store.model("classifier")) == "manifest_bad"


def test_bytes_that_match_but_are_no_model(tmp_path: Path) -> None:
    store = open_store(write_store(tmp_path))
    assert code_of(lambda: Session(store.model("detector"))) == "model_unusable"


@pytest.mark.parametrize(
    "changes",
    [
        {"file": "../outside.onnx"},
        {"input_size": "wide"},
        {"classes": None},
        {"calibration": [[0.9, 0.5], [0.2, 0.9]]},
        {"calibration": {"faces": [[0.2, 0.1]]}},
    ],
)
def test_a_bad_manifest_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    folder = write_store(tmp_path, **changes)
    assert code_of(lambda: open_store(folder)) == "manifest_bad"


def test_no_manifest_or_no_json(tmp_path: Path) -> None:
    assert code_of(lambda: open_store(tmp_path)) == "manifest_missing"
    (tmp_path / "manifest.json").write_text("{", encoding="utf-8")
    assert code_of(lambda: open_store(tmp_path)) == "manifest_bad"


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv(ENVIRONMENT)
    assert default_folder().name == "models"
