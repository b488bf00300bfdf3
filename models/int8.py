"""Int8 twins of the exported models: smaller and faster, with their accuracy measured beside.

Weights are quantised per channel, activations by the ranges seen on training pictures. The last
layers of the detector, which make boxes and scores out of numbers, stay in float.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from tqdm import tqdm

from models.crop_data import CropData
from models.evaluate import evaluate
from models.export import describe
from models.measure import row
from models.recipe import Recipe
from models.sources import Labelled, dice_photos, scene_files, tile_photos
from models.train_classifier import crop_data
from models.training import TrainingError
from vision.detector import letterbox, to_input
from vision.model_store import open_store
from vision.reader import Reader

# Parts of the detector's head whose numbers are pixels or logits.
FLOAT_PARTS = ("dfl", "Sigmoid", "Softmax", "Concat", "Reshape", "Transpose", "Split", "Slice")
FLOAT_MATHS = ("Mul", "Add", "Sub", "Div")
LONGEST = 1280
# How many training pictures, and batches of crops, the ranges are taken from.
PICTURES = 72
CROP_BATCHES = 40


def detector_batches(items: Sequence[Labelled], side: int) -> Iterator[np.ndarray]:
    """Pictures as the reader would give them to the detector."""
    for item in items:
        yield to_input(letterbox(item.load(LONGEST), side)[0])


def classifier_batches(data: CropData, count: int, batch: int = 16) -> Iterator[np.ndarray]:
    """Training crops, `count` batches of them."""
    for step in range(count):
        crops = np.stack([data.sample(step * batch + k)[0] for k in range(batch)])
        yield np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32) / 255


def stays_float(node: str) -> bool:
    """Whether the node called `node` (its ONNX name) is left in float32."""
    parts = node.split("/")
    if len(parts) < 3 or parts[1] != "model.23":
        return "/linear/" in node or node.endswith("Softmax")
    if parts[2].startswith((*FLOAT_PARTS, *FLOAT_MATHS)):
        return True
    # The last convolution of each branch: cv2.<level>.2 for boxes, cv3.<level>.2 for scores.
    return any(part.count(".") == 2 and part.endswith(".2") for part in parts[3:4])


def quantise(source: Path, target: Path, batches: Iterator[np.ndarray]) -> None:
    """Write the int8 twin of an ONNX file.

    Args:
        source: the exported float32 model.
        target: the file to write.
        batches: inputs from which the ranges of activations are taken.

    Raises:
        TrainingError: the quantiser is not installed (`pip install 'zhuowu[train]'`).
    """
    try:
        import onnx
        from onnxruntime.quantization import (
            CalibrationDataReader,
            QuantFormat,
            QuantType,
            quantize_static,
        )
        from onnxruntime.quantization.shape_inference import quant_pre_process
    except ImportError as error:
        raise TrainingError(
            "int8 models need the extra packages: pip install 'zhuowu[train]'"
        ) from error

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self._batches = iter(tqdm(batches, unit="batch", desc=f"{target.stem} int8"))

        def get_next(self) -> dict[str, Any] | None:
            batch = next(self._batches, None)
            return None if batch is None else {"images": batch}

    with TemporaryDirectory() as folder:
        ready = Path(folder) / source.name
        quant_pre_process(str(source), str(ready), skip_symbolic_shape=True)
        nodes = [node.name for node in onnx.load(str(ready)).graph.node]
        quantize_static(
            str(ready),
            str(target),
            Reader(),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=[name for name in nodes if stays_float(name)],
            extra_options={"CalibMovingAverage": True},
        )


def export_int8(folder: Path, recipe: Recipe, photos: Path, scenes: Path) -> Path:
    """Write int8 twins of the models in `folder` into `folder/int8`, with a manifest.

    Args:
        folder: exported models with their manifest.
        recipe: settings of the training pictures.
        photos: real training photos (`train/`, `dice_train/`, `crops/`).
        scenes: rendered scenes.

    Returns:
        The folder of the twins.
    """
    out = folder / "int8"
    out.mkdir(exist_ok=True)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    pictures = [*tile_photos(photos), *dice_photos(photos), *scene_files(scenes)]
    chosen = pictures[:: max(1, len(pictures) // PICTURES)]
    for number, entry in enumerate(manifest["models"]):
        name = entry["file"]
        batches = (
            detector_batches(chosen, entry["input_size"])
            if entry["task"] == "detector"
            else classifier_batches(crop_data(recipe, photos, scenes), CROP_BATCHES)
        )
        quantise(folder / name, out / name, batches)
        new = describe(out / name, entry["task"], entry["input_size"], entry["classes"])
        manifest["models"][number] = entry | new
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    (out / "manifest.json").write_text(text, "utf-8")
    return out


def compare(folders: Sequence[Path], yardstick: Path) -> list[dict[str, Any]]:
    """Accuracy on labelled photos, time and size of the models in each folder.

    Returns:
        One row a folder: its name, F1 of faces and dice, photos with exact faces, milliseconds of
        processor time for one photo with 14 tiles on one thread, and megabytes.
    """
    rows = []
    for folder in folders:
        reader = Reader(open_store(folder), threads=1)
        scores = evaluate(yardstick, reader).scores
        faces, dice = row(scores, "face"), row(scores, "die")
        size = sum(file.stat().st_size for file in folder.glob("*.onnx"))
        rows.append(
            {
                "models": folder.name,
                "faces_f1": round(faces["f1"], 4),
                "exact": faces["exact"],
                "dice_f1": round(dice["f1"], 4),
                "ms": round(milliseconds(reader), 1),
                "megabytes": round(size / 1e6, 1),
            }
        )
    return rows


def milliseconds(reader: Reader, tiles: int = 14, times: int = 9) -> float:
    """Median processor time of both models on one picture with `tiles` tiles."""
    noise = np.random.default_rng(0).integers(0, 255, (640, 640, 3), np.uint8)
    boxes = np.array([[40 * k, 200, 40 * k + 38, 260] for k in range(tiles)], np.float32)
    taken = []
    for _ in range(times):
        began = time.process_time()
        reader.detector.detect(noise, 0.5)
        reader.classifier.classify(noise, boxes)
        taken.append(time.process_time() - began)
    return float(np.median(taken)) * 1000
