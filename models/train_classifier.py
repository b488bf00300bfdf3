"""Training of the classifier: 34 faces, back, six dice and "none of them", on square crops."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from models.crop_data import CropData
from models.mining import mined_pictures
from models.recipe import Recipe
from models.sources import dice_photos, scene_files, single_tiles, tile_photos
from models.training import (
    Run,
    TrainingError,
    half_precision,
    learning_rate,
    require_torch,
    start_run,
)
from rules import TILES
from vision.values import CLASSES

CLASSIFIER_CLASSES = (*CLASSES, "none")


def crop_data(
    recipe: Recipe, photos: Path, scenes: Path, leave_out: str = "", negatives: Path | None = None
) -> CropData:
    """The recipe's mixture of crops; arguments as in `models.train_detector.detector_data`.

    Args:
        negatives: hard negatives written by `models.mining.mine`.
    """
    if not (photos / "train" / "manifest.json").exists():
        raise TrainingError(
            f"no training photos in {photos}: it should hold train/ and dice_train/"
        )
    tiles = [
        p for p in tile_photos(photos) if not (leave_out and p.path.name.startswith(leave_out))
    ]
    settings = recipe.classifier
    dice = dice_photos(photos)
    rendered = scene_files(scenes) if scenes.exists() else []
    return CropData(
        tiles,
        dice,
        rendered,
        single_tiles(photos, TILES),
        (
            settings.photos,
            settings.dice_photos,
            settings.scenes,
            settings.single_tiles,
            settings.negatives,
        ),
        settings.image_size,
        recipe.data.seed,
        recipe.data.photo_side,
        mined_pictures(negatives, [*dice, *rendered]) if negatives else [],
    )


def batches(data: CropData, recipe: Recipe, first: int) -> Iterator[tuple[Any, Any]]:
    """Batches (crops b x 3 x s x s uint8 RGB, classes) from step `first` on."""
    torch = require_torch()
    settings = recipe.classifier

    class Steps:
        def __len__(self) -> int:
            return settings.iterations - first

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            start = (first + index) * settings.batch
            drawn = [data.sample(start + k) for k in range(settings.batch)]
            return np.stack([d[0] for d in drawn]), np.array([d[1] for d in drawn])

    loader = torch.utils.data.DataLoader(
        Steps(), batch_size=None, num_workers=1, prefetch_factor=6, collate_fn=lambda x: x
    )
    for crops, kinds in loader:
        yield torch.from_numpy(crops).permute(0, 3, 1, 2), torch.from_numpy(kinds)


def first_network(recipe: Recipe, detector: Path | None) -> Any:
    """A new classifier; with `start = "detector"` its backbone is the trained detector's."""
    torch = require_torch()
    from ultralytics.nn.tasks import ClassificationModel

    settings = recipe.classifier
    model = ClassificationModel(settings.architecture, nc=len(CLASSIFIER_CLASSES), verbose=False)
    if settings.start == "scratch":
        return model
    if detector is None or not detector.exists():
        raise TrainingError(
            'start = "detector" needs the trained detector: give --detector detector.pt'
        )
    source = torch.load(detector, map_location="cpu", weights_only=True)
    source = source.get("average", source)
    state = model.state_dict()
    for name, value in state.items():
        layer = int(name.split(".")[1])
        # The detector has one pooling layer (9) more than the classifier's backbone.
        twin = name if layer < 9 else name.replace("model.9.", "model.10.", 1)
        if layer <= 9 and source[twin].shape == value.shape:
            value.copy_(source[twin])
    model.load_state_dict(state)
    return model


def train_classifier(
    recipe: Recipe,
    photos: Path,
    scenes: Path,
    out: Path,
    threads: int = 2,
    detector: Path | None = None,
    leave_out: str = "",
    negatives: Path | None = None,
) -> Path:
    """Train, or go on training, the classifier; arguments as in `train_detector`.

    Args:
        detector: weights of the trained detector (`detector.pt` or a checkpoint).
        negatives: hard negatives (`zhuowu train negatives`).
    """
    torch = require_torch()
    torch.set_num_threads(threads)
    out.mkdir(parents=True, exist_ok=True)
    settings = recipe.classifier
    data = crop_data(recipe, photos, scenes, leave_out, negatives)
    checkpoint = out / "checkpoint.pt"
    run = start_run(first_network(recipe, detector), settings.weight_decay)
    run.resume(checkpoint)
    progress = tqdm(total=settings.iterations, initial=run.step, unit="batch", desc="classifier")
    began, saved = time.monotonic(), time.monotonic()
    recent: list[tuple[float, float]] = []
    for crops, kinds in batches(data, recipe, run.step):
        recent.append(_step(run, crops, kinds, recipe))
        progress.update()
        if run.step % 50 == 0:
            loss, right = np.mean(recent[-50:], 0)
            progress.set_postfix(loss=round(float(loss), 3), right=round(float(right), 3))
            line = {
                "step": run.step,
                "loss": round(float(loss), 4),
                "right": round(float(right), 4),
                "minutes": round((time.monotonic() - began) / 60, 2),
            }
            with (out / "log.jsonl").open("a") as log:
                log.write(json.dumps(line) + "\n")
        if time.monotonic() - saved > 120:
            run.save(checkpoint)
            saved = time.monotonic()
    progress.close()
    run.save(checkpoint)
    final = out / "classifier.pt"
    torch.save(run.average.state_dict(), final)
    return final


def _step(run: Run, crops: Any, kinds: Any, recipe: Recipe) -> tuple[float, float]:
    torch = require_torch()
    settings = recipe.classifier
    rate = learning_rate(
        run.step,
        settings.iterations,
        settings.learning_rate,
        settings.final_learning_rate,
        settings.warmup,
    )
    for group in run.optimiser.param_groups:
        group["lr"] = rate
    x = crops.float().div_(255).contiguous(memory_format=torch.channels_last)
    with half_precision("cpu"):
        scores = run.model(x)
    scores = (scores[0] if isinstance(scores, tuple) else scores).float()
    loss = torch.nn.functional.cross_entropy(
        scores, kinds, label_smoothing=settings.label_smoothing
    )
    run.step += 1
    if torch.isfinite(loss):
        loss.backward()
        torch.nn.utils.clip_grad_norm_(run.model.parameters(), 10.0)
        run.optimiser.step()
        run.update_average(settings.ema)
    run.optimiser.zero_grad(set_to_none=True)
    return float(loss), float((scores.argmax(1) == kinds).float().mean())
