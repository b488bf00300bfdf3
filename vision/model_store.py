"""The model files a reader may trust: a folder with `manifest.json` and ONNX files.

The manifest names each file with its SHA-256; a file that does not match is not loaded.

    {"format": 1, "threshold": 0.3, "doubt_below": 0.6,
     "models": [{"task": "detector", "file": "detector.onnx", "sha256": "...", "input_size": 640,
                 "classes": ["1m", ...], "licence": "AGPL-3.0-or-later",
                 "calibration": [[0.3, 0.1], [0.9, 0.97]]}, ...]}

`calibration` may also be an object with one such table for each of `KINDS`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.errors import ModelError

ENVIRONMENT = "ZHUOWU_MODELS"
DEFAULT_THRESHOLD = 0.3
KINDS = ("face", "apart", "only", "alone", "back", "lone", "die", "small", "near")
Table = tuple[tuple[float, float], ...]
DEFAULT_DOUBT_BELOW = 0.6


@dataclass(frozen=True)
class ModelFile:
    """One entry of the manifest.

    Attributes:
        task: `"detector"` or `"classifier"`.
        path: Where the ONNX file lies.
        sha256: What its content must hash to.
        input_size: Side of the square input in pixels.
        classes: Output classes in order (MPSZ, `back`, `die1`..`die6`, `none`).
        licence: SPDX name.
        calibration: For each of `KINDS` the rising (raw, calibrated) pairs of the reader's
            confidence; a table may be missing.
    """

    task: str
    path: Path
    sha256: str
    input_size: int
    classes: tuple[str, ...]
    licence: str
    calibration: dict[str, Table] = field(default_factory=dict)

    def content(self) -> bytes:
        """The file's bytes.

        Raises:
            ModelError: The file is missing or does not match its SHA-256.
        """
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise ModelError(
                "model_missing",
                f"缺少模型文件 {self.path.name}（{error.strerror}）。请重新安装 zhuowu。",
                f"The model file {self.path.name} is missing ({error.strerror}). "
                "Install zhuowu again.",
            ) from None
        if hashlib.sha256(data).hexdigest() != self.sha256.lower():
            raise ModelError(
                "model_mismatch",
                f"模型文件 {self.path.name} 与清单不符（可能下载不完整或被改动），拒绝载入。"
                "请重新安装 zhuowu。",
                f"The model file {self.path.name} does not match the manifest (an incomplete "
                "download, or changed since): not loaded. Install zhuowu again.",
            )
        return data


@dataclass(frozen=True)
class ModelStore:
    """A manifest that has been read and checked for shape; files are checked when loaded.

    Attributes:
        folder: Where the manifest lies.
        models: By task.
        threshold: Confidence from which a tile is reported by default.
        doubt_below: Confidence under which a reported tile is marked doubtful.
    """

    folder: Path
    models: dict[str, ModelFile]
    threshold: float = DEFAULT_THRESHOLD
    doubt_below: float = DEFAULT_DOUBT_BELOW

    def model(self, task: str) -> ModelFile:
        """The entry for `task`; ModelError if there is none."""
        try:
            return self.models[task]
        except KeyError:
            raise _bad_manifest(self.folder, f"no model for task {task!r}") from None


def default_folder() -> Path:
    """`$ZHUOWU_MODELS`, or the installed `models` package."""
    override = os.environ.get(ENVIRONMENT)
    if override:
        return Path(override)
    spec = importlib.util.find_spec("models")
    places = list(spec.submodule_search_locations or []) if spec else []
    if not places:
        raise ModelError(
            "models_missing",
            "没有安装模型。请重新安装 zhuowu。",
            "The models are not installed. Install zhuowu again.",
        )
    return Path(places[0])


def open_store(folder: Path | None = None) -> ModelStore:
    """Read `manifest.json` of `folder` (default: `default_folder()`).

    Raises:
        ModelError: No manifest, or one that does not say what is needed.
    """
    folder = folder or default_folder()
    try:
        data = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except OSError:
        raise ModelError(
            "manifest_missing",
            f"模型文件夹里没有 manifest.json（{folder.name}）。"
            f"请重新安装 zhuowu，或检查环境变量 {ENVIRONMENT}。",
            f"The model folder ({folder.name}) has no manifest.json. Install zhuowu again, "
            f"or check the environment variable {ENVIRONMENT}.",
        ) from None
    except ValueError as error:
        raise _bad_manifest(folder, f"not JSON: {error}") from None
    try:
        entries = [_entry(folder, item) for item in data["models"]]
        return ModelStore(
            folder,
            {entry.task: entry for entry in entries},
            float(data.get("threshold", DEFAULT_THRESHOLD)),
            float(data.get("doubt_below", DEFAULT_DOUBT_BELOW)),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _bad_manifest(folder, f"{type(error).__name__}: {error}") from None


def _entry(folder: Path, item: dict[str, Any]) -> ModelFile:
    name = str(item["file"])
    if Path(name).name != name:
        raise ValueError(f"file name {name!r} leaves the folder")
    return ModelFile(
        task=str(item["task"]),
        path=folder / name,
        sha256=str(item["sha256"]),
        input_size=int(item["input_size"]),
        classes=tuple(str(c) for c in item["classes"]),
        licence=str(item["licence"]),
        calibration=_calibration(item.get("calibration", ())),
    )


def _calibration(given: Any) -> dict[str, Table]:
    """One table for all, or one for each kind."""
    tables = given if isinstance(given, dict) else dict.fromkeys(KINDS, given)
    found: dict[str, Table] = {}
    for kind, pairs in tables.items():
        if kind not in KINDS:
            raise ValueError(f"calibration of {kind!r}: use {', '.join(KINDS)}")
        table = tuple((float(raw), float(right)) for raw, right in pairs)
        if any(p[0] >= q[0] or p[1] > q[1] for p, q in itertools.pairwise(table)):
            raise ValueError("calibration is not rising")
        if table:
            found[kind] = table
    return found


def _bad_manifest(folder: Path, why: str) -> ModelError:
    return ModelError(
        "manifest_bad",
        f"模型清单 {folder.name}/manifest.json 无法使用（{why}）。请重新安装 zhuowu。",
        f"The model manifest {folder.name}/manifest.json is unusable ({why}). "
        "Install zhuowu again.",
    )
