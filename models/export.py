"""From trained weights to the shipped ONNX files and their manifest, with a check of the answer.

The check runs the PyTorch network and the ONNX file on photos of all shapes, letterboxed and
cropped by the reader's own code, and refuses a file whose answers differ.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.recipe import Recipe
from models.train_classifier import CLASSIFIER_CLASSES
from models.training import require_torch, write_whole
from vision.values import CLASSES

LICENCE = "AGPL-3.0-or-later"
DETECTOR_SIZE = 640
TOLERANCE = 2e-3


class ExportError(RuntimeError):
    """The ONNX file does not answer like the network it was made from."""


@dataclass(frozen=True)
class Parity:
    """Largest differences seen between PyTorch and ONNX: scores (0..1) and boxes (pixels)."""

    scores: float
    boxes: float
    pictures: int


def _state(file: Path) -> dict[str, Any]:
    torch = require_torch()
    saved = torch.load(file, map_location="cpu", weights_only=True)
    return dict(saved.get("average", saved))


def detector_network(weights: Path, recipe: Recipe) -> Any:
    """The trained detector, fused and ready to export (input b x 3 x 640 x 640, RGB 0..1)."""
    from ultralytics.nn.tasks import DetectionModel

    architecture = recipe.detector.architecture
    model = DetectionModel(architecture, nc=len(CLASSES), verbose=False)
    model.load_state_dict(_state(weights))
    model.eval()
    model.fuse(verbose=False)
    head = model.model[-1]
    head.export, head.format, head.dynamic = True, "onnx", False
    return model


def classifier_network(weights: Path, recipe: Recipe) -> Any:
    """The trained classifier, input n x 3 x s x s, RGB 0..1.

    It answers twice: n x 42 probabilities, and the n x 1280 features they are made from, which
    let a user's own tile set be learnt without training the network.
    """
    torch = require_torch()
    from ultralytics.nn.tasks import ClassificationModel

    architecture = recipe.classifier.architecture
    model = ClassificationModel(architecture, nc=len(CLASSIFIER_CLASSES), verbose=False)
    model.load_state_dict(_state(weights))
    model.eval()
    model.fuse(verbose=False)
    backbone, head = model.model[:-1], model.model[-1]

    class WithFeatures(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.backbone, self.head = backbone, head

        def forward(self, x: Any) -> Any:
            features = self.head.pool(self.head.conv(self.backbone(x))).flatten(1)
            return self.head.linear(features).softmax(1), features

    return WithFeatures().eval()


def write_onnx(model: Any, file: Path, size: int, many: bool) -> None:
    """Export a network to a simplified ONNX file.

    Args:
        model: the network, in eval mode.
        file: where to write.
        size: side of the square input, pixels.
        many: let the number of pictures vary (and give the features as a second output).
    """
    torch = require_torch()
    import onnx
    import onnxslim

    example = torch.zeros(1, 3, size, size)
    with torch.no_grad():
        model(example)
    names = ["output", "features"] if many else ["output"]
    axes = {name: {0: "n"} for name in ("images", *names)} if many else None
    torch.onnx.export(
        model,
        (example,),
        str(file),
        opset_version=17,
        input_names=["images"],
        output_names=names,
        dynamic_axes=axes,
        dynamo=False,
    )
    onnx.save(onnxslim.slim(onnx.load(str(file))), str(file))


def answers(file: Path, batch: np.ndarray) -> np.ndarray:
    """The first output of an ONNX file for a batch."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    out: np.ndarray = session.run(None, {session.get_inputs()[0].name: batch})[0]
    return out


def check_parity(model: Any, file: Path, batches: Sequence[np.ndarray], boxes: bool) -> Parity:
    """Compare a network with its ONNX file.

    Raises:
        ExportError: an answer differs by more than 0.002 (score) or 0.5 pixels (box).
    """
    torch = require_torch()
    worst_score = worst_box = 0.0
    for batch in batches:
        with torch.no_grad():
            ours = model(torch.from_numpy(batch))
        ours = (ours[0] if isinstance(ours, tuple | list) else ours).numpy()
        theirs = answers(file, batch)
        difference = np.abs(ours - theirs)
        if boxes:
            worst_box = max(worst_box, float(difference[:, :4].max()))
            difference = difference[:, 4:]
        worst_score = max(worst_score, float(difference.max()))
    if worst_score > TOLERANCE or worst_box > 0.5:
        raise ExportError(
            f"{file.name} differs from the network: {worst_score:.5f} (score), {worst_box:.2f} px"
        )
    return Parity(worst_score, worst_box, sum(len(b) for b in batches))


def describe(file: Path, task: str, size: int, classes: Sequence[str]) -> dict[str, Any]:
    """The manifest's entry for a model file."""
    return {
        "task": task,
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "input_size": size,
        "classes": list(classes),
        "licence": LICENCE,
    }


def write_manifest(folder: Path, entries: Sequence[dict[str, Any]]) -> Path:
    """Write `manifest.json`, keeping the thresholds and calibration of an earlier one."""
    file = folder / "manifest.json"
    old = json.loads(file.read_text("utf-8")) if file.exists() else {}
    before = {entry["task"]: entry for entry in old.get("models", [])}
    for entry in entries:
        if "calibration" in before.get(entry["task"], {}):
            entry["calibration"] = before[entry["task"]]["calibration"]
    done = {entry["task"] for entry in entries}
    kept = [entry for task, entry in before.items() if task not in done]
    models = sorted([*kept, *entries], key=lambda e: str(e["task"]), reverse=True)
    manifest = {"format": 1, **old, "models": models}
    write_whole(file, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    return file


def varied_pictures(photos: Path, count: int = 12) -> list[np.ndarray]:
    """Photos of different shapes, upright BGR."""
    from vision.photo import load_photo

    chosen: dict[tuple[int, int], np.ndarray] = {}
    for file in sorted((photos / "eval" / "images").iterdir()):
        picture = load_photo(file).pixels
        chosen.setdefault(picture.shape[:2], picture)
        if len(chosen) >= count:
            break
    return list(chosen.values())


def export_detector(weights: Path, recipe: Recipe, folder: Path, photos: Path) -> Parity:
    """Write `detector.onnx` and its manifest entry into `folder`."""
    from vision.detector import letterbox, to_input

    model = detector_network(weights, recipe)
    file = folder / "detector.onnx"
    write_onnx(model, file, DETECTOR_SIZE, many=False)
    batches = [to_input(letterbox(p, DETECTOR_SIZE)[0]) for p in varied_pictures(photos)]
    parity = check_parity(model, file, batches, boxes=True)
    write_manifest(folder, [describe(file, "detector", DETECTOR_SIZE, CLASSES)])
    return parity


def export_classifier(weights: Path, recipe: Recipe, folder: Path, photos: Path) -> Parity:
    """Write `classifier.onnx` and its manifest entry into `folder`."""
    from vision.classifier import crop

    model = classifier_network(weights, recipe)
    side = recipe.classifier.image_size
    file = folder / "classifier.onnx"
    write_onnx(model, file, side, many=True)
    batches = []
    rng = np.random.default_rng(0)
    for picture in varied_pictures(photos):
        height, width = picture.shape[:2]
        corner = rng.uniform(0, 0.7, (8, 2)) * (width, height)
        boxes = np.concatenate([corner, corner + rng.uniform(20, 0.3 * height, (8, 2))], 1)
        crops = np.stack([crop(picture, box, side) for box in boxes])[..., ::-1]
        batches.append(np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32) / 255)
    parity = check_parity(model, file, batches, boxes=False)
    write_manifest(folder, [describe(file, "classifier", side, CLASSIFIER_CLASSES)])
    return parity
