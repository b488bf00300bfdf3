"""Training of the classifier: 34 faces, back, six dice and "none of them", on square crops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.crop_data import CropData
from models.loop import CHECKPOINT, follow
from models.mining import mined_pictures
from models.recipe import Recipe
from models.shared_sets import shared_set_tiles
from models.sources import Scenes, dice_photos, scene_files, single_tiles
from models.training import (
    TrainingError,
    earlier_network,
    half_precision,
    require_torch,
    start_run,
    training_photos,
)
from rules import TILES
from vision.values import CLASSES

CLASSIFIER_CLASSES = (*CLASSES, "none")


def crop_data(
    recipe: Recipe,
    photos: Path,
    scenes: Scenes,
    leave_out: str = "",
    negatives: Path | None = None,
    shared: Sequence[tuple[Path, int]] = (),
) -> CropData:
    """The recipe's mixture of crops; arguments as in `models.train_detector.detector_data`.

    Args:
        negatives: hard negatives written by `models.mining.mine`.
        shared: tiles of sets whose owners agreed (`models.shared_sets`), drawn like the others
            that fill a picture.
    """
    settings = recipe.classifier
    tiles = training_photos(photos, settings.backgrounds, leave_out)
    dice = dice_photos(photos)
    rendered = scene_files(scenes)
    return CropData(
        tiles,
        dice,
        rendered,
        [*single_tiles(photos, TILES), *shared],
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
        mined_pictures(negatives, [*tiles, *dice, *rendered]) if negatives else [],
        settings.mined_from * settings.batch,
        settings.recoloured_dice,
        settings.far_dice,
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
    if settings.start.endswith(".pt"):
        return earlier_network(model, settings.start)
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
    scenes: Scenes,
    out: Path,
    threads: int = 2,
    detector: Path | None = None,
    leave_out: str = "",
    negatives: Path | None = None,
    sets: Sequence[Path] = (),
) -> Path:
    """Train, or go on training, the classifier; arguments as in `train_detector`.

    Args:
        detector: weights of the trained detector (`detector.pt` or a checkpoint).
        negatives: hard negatives (`zhuowu train negatives`).
        sets: exported tile sets, or folders of them, whose owners agreed.
    """
    shared = shared_set_tiles(sets, out) if sets else []
    torch = require_torch()
    torch.set_num_threads(threads)
    out.mkdir(parents=True, exist_ok=True)
    settings = recipe.classifier
    data = crop_data(recipe, photos, scenes, leave_out, negatives, shared)
    torch.manual_seed(recipe.data.seed)  # for what no earlier weights fill
    run = start_run(first_network(recipe, detector), settings.weight_decay)
    run.resume(out / CHECKPOINT)

    def loss_of(batch: tuple[Any, Any]) -> tuple[Any, dict[str, float]]:
        crops, kinds = batch
        x = crops.float().div_(255).contiguous(memory_format=torch.channels_last)
        with half_precision("cpu"):
            scores = run.model(x)
        scores = (scores[0] if isinstance(scores, tuple) else scores).float()
        loss = torch.nn.functional.cross_entropy(
            scores, kinds, label_smoothing=settings.label_smoothing
        )
        right = float((scores.argmax(1) == kinds).float().mean())
        return loss, {"loss": float(loss.detach()), "right": right}

    return follow(run, batches(data, recipe, run.step), loss_of, settings, out, "classifier")
