"""The mean of two trainings' weights: as sure on photos as the one, as wide as the other."""

from __future__ import annotations

import os
from pathlib import Path

from models.training import TrainingError, require_torch


def write_mean(first: Path, second: Path, share: float, out: Path) -> None:
    """Write the weighted mean of two networks' weights.

    It is a network of use only where one training grew out of the other.

    Args:
        first, second: weight files of the same architecture (`classifier.pt`).
        share: of the second, 0..1.
        out: where the mean is written, in one step.

    Raises:
        TrainingError: the share is none, or the networks differ in shape.
    """
    if not 0 <= share <= 1:
        raise TrainingError(f"the share of {second} in a mean is 0 to 1, not {share}")
    torch = require_torch()
    a, b = (torch.load(file, map_location="cpu", weights_only=True) for file in (first, second))
    shapes = [{name: value.shape for name, value in state.items()} for state in (a, b)]
    if shapes[0] != shapes[1]:
        raise TrainingError(f"{first} and {second} are not of the same architecture")
    mean = {
        name: a[name].lerp(value, share) if value.is_floating_point() else value
        for name, value in b.items()
    }
    partial = out.with_name(out.name + ".partial")
    torch.save(mean, partial)
    os.replace(partial, out)
