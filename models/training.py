"""What both trainings share: schedule, moving average, checkpoints that resume exactly.

Runs on CPU in bfloat16 with channels-last tensors, which is about 1.8 times as fast as the stock
trainer there, and on a GPU when there is one.
"""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.sources import BACKGROUNDS_FILE, Labelled, tile_photos


class TrainingError(RuntimeError):
    """Training cannot start; the message says what is missing and how to get it."""


def write_whole(file: Path, text: str) -> None:
    """Write a text file in one step, so that a kill leaves the old or the new one."""
    partial = file.with_name(file.name + ".partial")
    partial.write_text(text, "utf-8")
    os.replace(partial, file)


def require_torch() -> Any:
    """Import torch, with a message that names the extra when it is missing."""
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "0")
    try:
        import torch
        import ultralytics  # noqa: F401
    except ImportError as error:
        raise TrainingError(
            "training needs the extra packages: pip install 'zhuowu[train]'"
        ) from error
    return torch


def learning_rate(step: int, total: int, peak: float, final: float, warmup: int) -> float:
    """Cosine from `peak` down to `final * peak` over `total` steps, after a linear warm-up."""
    share = min(step / max(total, 1), 1.0)
    cosine = final + (1 - final) * 0.5 * (1 + math.cos(math.pi * share))
    return peak * min(1.0, (step + 1) / max(warmup, 1)) * cosine


@dataclass
class Run:
    """A training run: network, its moving average, optimiser and the step reached."""

    model: Any
    average: Any
    optimiser: Any
    step: int = 0

    def update_average(self, decay: float) -> None:
        """Move the averaged weights towards the trained ones."""
        torch = require_torch()
        decay = min(decay, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            states = zip(
                self.average.state_dict().values(), self.model.state_dict().values(), strict=True
            )
            for slow, fast in states:
                if slow.dtype.is_floating_point:
                    slow.mul_(decay).add_(fast.detach(), alpha=1 - decay)
                else:
                    slow.copy_(fast)

    def save(self, path: Path) -> None:
        """Write a checkpoint in one step, so that a kill leaves the old or the new one."""
        torch = require_torch()
        partial = path.with_suffix(".partial")
        torch.save(
            {
                "step": self.step,
                "model": self.model.state_dict(),
                "average": self.average.state_dict(),
                "optimiser": self.optimiser.state_dict(),
            },
            partial,
        )
        os.replace(partial, path)

    def resume(self, path: Path) -> bool:
        """Load a checkpoint if there is one; True when it did."""
        torch = require_torch()
        if not path.exists():
            return False
        saved = torch.load(path, map_location="cpu", weights_only=True)
        self.model.load_state_dict(saved["model"])
        self.average.load_state_dict(saved["average"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.step = int(saved["step"])
        return True


def start_run(model: Any, weight_decay: float) -> Run:
    """AdamW over a network, weight decay on matrices only, with an averaged copy beside it."""
    torch = require_torch()
    model.train()
    model.to(memory_format=torch.channels_last)
    average = copy.deepcopy(model).eval()
    learnt = [p for name, p in model.named_parameters() if ".dfl" not in name]
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(".dfl" not in name)
    groups = [
        {"params": [p for p in learnt if p.ndim > 1], "weight_decay": weight_decay},
        {"params": [p for p in learnt if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return Run(model, average, torch.optim.AdamW(groups, lr=1e-3))


@contextmanager
def half_precision(device: str) -> Iterator[None]:
    """Forward pass in bfloat16."""
    torch = require_torch()
    with torch.autocast(device, dtype=torch.bfloat16):
        yield


def to_float(value: Any) -> Any:
    """Every tensor in a nested structure, as float32: the loss is not taken in bfloat16."""
    torch = require_torch()
    if torch.is_tensor(value):
        return value.float()
    if isinstance(value, dict):
        return {key: to_float(item) for key, item in value.items()}
    return [to_float(item) for item in value]


def training_photos(photos: Path, backgrounds: bool, leave_out: str) -> list[Labelled]:
    """The tile photos to train on.

    Args:
        photos: the folder that holds `train/`.
        backgrounds: whether what lies around the labelled tiles is known.
        leave_out: leave out photos whose file name starts with this, if anything.

    Raises:
        TrainingError: there are none.
    """
    if not (photos / "train" / "manifest.json").exists():
        raise TrainingError(
            f"no training photos in {photos}: it should hold train/ and dice_train/"
        )
    found = tile_photos(photos, BACKGROUNDS_FILE if backgrounds else None)
    return [p for p in found if not (leave_out and p.path.name.startswith(leave_out))]


def earlier_network(model: Any, file: str) -> Any:
    """`model` with the weights that an earlier run wrote.

    Raises:
        TrainingError: there is no such file, or it holds another network.
    """
    torch = require_torch()
    if not Path(file).exists():
        raise TrainingError(f"there are no weights to start from at {file}")
    saved = torch.load(file, map_location="cpu", weights_only=True)
    try:
        model.load_state_dict(saved.get("average", saved))
    except RuntimeError as error:
        raise TrainingError(f"{file} holds the weights of another network") from error
    return model
