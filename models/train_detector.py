"""Training of the detector: ultralytics' network and loss in a small loop of our own.

The loop exists for three things the stock trainer does not do on a CPU: bfloat16 with channels-last
tensors, partly labelled pictures (no background loss where labels are incomplete), and resuming at
any moment with the same next picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from models.detector_data import DetectorData, DetectorSample
from models.loop import CHECKPOINT, follow
from models.recipe import Recipe
from models.sources import FACES, Scenes, dice_photos, scene_files
from models.training import (
    TrainingError,
    earlier_network,
    half_precision,
    require_torch,
    start_run,
    to_float,
    training_photos,
)
from models.warm_start import restore_batch_norm, warm_detector
from vision.values import CLASSES


def detector_data(
    recipe: Recipe, photos: Path, scenes: Scenes, leave_out: str = ""
) -> DetectorData:
    """The recipe's mixture of real photos and rendered scenes.

    Args:
        recipe: shares and seed.
        photos: the folder that holds `train/` and `dice_train/`.
        scenes: the folders of rendered scenes; may be empty or absent.
        leave_out: leave out photos whose file name starts with this (for leave-one-set-out runs).
    """
    settings = recipe.detector
    tiles = training_photos(photos, settings.backgrounds, leave_out)
    return DetectorData(
        [
            (settings.photos, tiles),
            (settings.dice_photos, dice_photos(photos)),
            (settings.scenes, scene_files(scenes)),
        ],
        recipe.data.seed,
        recipe.data.photo_side,
        settings.mosaic,
        first_groups=2,
        all_from=settings.scenes_from * settings.batch,
        small_dice=settings.small_dice,
        dice=dice_photos(photos),
        recoloured=settings.recoloured_dice,
        near_dice=settings.near_dice,
    )


class PartlyKnown:
    """Binary cross-entropy that says nothing where the labels say nothing.

    Stands in for the loss's own `bce`. `mask` is set before every batch: b x anchors x classes.
    """

    def __init__(self) -> None:
        self.mask: Any = None

    def __call__(self, scores: Any, target: Any) -> Any:
        torch = require_torch()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            scores, target, reduction="none"
        )
        is_target = target.amax(2, keepdim=True) > 0
        return loss * torch.maximum(self.mask, is_target.to(self.mask.dtype))

    def set(self, samples: list[DetectorSample]) -> None:
        """Take the known cells and classes of a batch."""
        torch = require_torch()
        faces = _anchors(np.stack([s.known for s in samples]))
        others = _anchors(np.stack([s.bare for s in samples]))
        is_face = torch.arange(len(CLASSES)) < FACES
        self.mask = torch.where(is_face, faces[..., None], others[..., None])


def _anchors(cells: np.ndarray) -> Any:
    """A batch of cell masks as one row per picture, in the order of the network's anchors."""
    torch = require_torch()
    grid = torch.from_numpy(cells).float()
    return torch.cat(
        [grid.flatten(1), grid[:, 1::2, 1::2].flatten(1), grid[:, 2::4, 2::4].flatten(1)], 1
    )


def batches(data: DetectorData, recipe: Recipe, first: int) -> Iterator[list[DetectorSample]]:
    """Batches from step `first` on, prepared one process ahead."""
    torch = require_torch()
    settings = recipe.detector
    turn = int(settings.iterations * (1 - settings.last_share))

    class Steps:
        def __len__(self) -> int:
            return settings.iterations - first

        def __getitem__(self, index: int) -> list[DetectorSample]:
            step = first + index
            size = settings.image_size if step < turn else settings.last_image_size
            start = step * settings.batch
            return [data.sample(start + k, size) for k in range(settings.batch)]

    loader = torch.utils.data.DataLoader(
        Steps(), batch_size=None, num_workers=1, prefetch_factor=4, collate_fn=lambda x: x
    )
    yield from loader


def tensors(samples: list[DetectorSample]) -> tuple[Any, dict[str, Any]]:
    """The network's input (RGB 0..1, channels last) and the loss's targets."""
    torch = require_torch()
    x = torch.from_numpy(np.stack([s.image for s in samples])).permute(0, 3, 1, 2)
    x = x.float().div_(255).contiguous(memory_format=torch.channels_last)
    boxes = torch.from_numpy(np.concatenate([s.boxes for s in samples]))
    owner = np.concatenate([np.full(len(s.boxes), k) for k, s in enumerate(samples)])
    target = {
        "img": x,
        "cls": boxes[:, :1],
        "bboxes": boxes[:, 1:],
        "batch_idx": torch.from_numpy(owner).float(),
    }
    return x, target


def first_network(recipe: Recipe, data: DetectorData) -> Any:
    """The untrained or warm-started network of the recipe."""
    torch = require_torch()
    from ultralytics.nn.tasks import DetectionModel

    settings = recipe.detector
    if settings.start == "scratch":
        return DetectionModel(settings.architecture, nc=len(CLASSES), verbose=False)
    if settings.start.endswith(".pt"):
        return earlier_network(
            DetectionModel(settings.architecture, nc=len(CLASSES), verbose=False), settings.start
        )
    if settings.start != "mahjong-detector":
        raise TrainingError(
            f'start = "{settings.start}" is unknown: "mahjong-detector", "scratch" or the .pt file '
            "of an earlier run"
        )
    model = warm_detector(CLASSES, settings.architecture)
    some = [[data.sample(10**9 + 8 * k + j, 416) for j in range(8)] for k in range(4)]
    restore_batch_norm(
        model, [tensors(samples)[0].to(memory_format=torch.contiguous_format) for samples in some]
    )
    return model


def train_detector(
    recipe: Recipe, photos: Path, scenes: Scenes, out: Path, threads: int = 2, leave_out: str = ""
) -> Path:
    """Train, or go on training, the detector.

    Args:
        recipe: every setting.
        photos: real photos (`train/`, `dice_train/`).
        scenes: folders of rendered scenes.
        out: folder for `checkpoint.pt` (resumed when present), `log.jsonl` and `detector.pt`.
        threads: CPU threads.
        leave_out: see `detector_data`.

    Returns:
        The file with the averaged weights.
    """
    torch = require_torch()
    torch.set_num_threads(threads)
    from ultralytics.cfg import get_cfg
    from ultralytics.utils.loss import v8DetectionLoss

    out.mkdir(parents=True, exist_ok=True)
    settings = recipe.detector
    data = detector_data(recipe, photos, scenes, leave_out)
    torch.manual_seed(recipe.data.seed)  # for what no earlier weights fill
    model = first_network(recipe, data)
    model.args = get_cfg()
    model.names = dict(enumerate(CLASSES))
    run = start_run(model, settings.weight_decay)
    run.resume(out / CHECKPOINT)
    criterion = v8DetectionLoss(model)
    criterion.bce = PartlyKnown()

    def loss_of(samples: list[DetectorSample]) -> tuple[Any, dict[str, float]]:
        x, target = tensors(samples)
        criterion.bce.set(samples)
        with half_precision("cpu"):
            predictions = run.model(x)
        loss, items = criterion(to_float(predictions), target)
        return loss.sum(), {key: float(value) for key, value in items.items()}

    return follow(run, batches(data, recipe, run.step), loss_of, settings, out, "detector")
