"""The detector's first weights: a YOLO11n that already knows mahjong tiles of game screens.

The PyPI package mahjong-detector 0.0.6 (author ssttkkl) carries an ONNX file that is an ultralytics
YOLO11n with batch norm folded into the convolutions. Its tensors map one to one into
`yolo11n.yaml`. The folded batch norm is re-estimated on real pictures, without changing what the
network computes, so that it can be trained on. Derived weights are AGPL-3.0.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from models.training import TrainingError, require_torch

# The package's class order: rank by rank through 万 饼 条, then honours by Japanese name.
SOURCE_TILES = (
    *(f"{rank}{suit}" for rank in range(1, 10) for suit in "mps"),
    *("7z", "5z", "6z", "2z", "4z", "3z", "1z"),
)
_BN_EPS = 1e-3


def source_file() -> Path:
    """The ONNX file inside the installed mahjong-detector package.

    Raises:
        TrainingError: the package is not installed.
    """
    spec = importlib.util.find_spec("mahjong_detector")
    if spec is None or spec.origin is None:
        raise TrainingError("the warm start needs the package: pip install mahjong-detector==0.0.6")
    return Path(spec.origin).with_name("model.onnx")


def warm_detector(classes: tuple[str, ...], architecture: str) -> Any:
    """A network of `architecture` for `classes` with the package's weights, in eval mode.

    Classes that the package does not know (back, dice) start from the mean of the known ones'
    weights, which lets them begin as "some object" rather than as noise.
    """
    torch = require_torch()
    import onnx
    from onnx import numpy_helper
    from ultralytics.nn.tasks import DetectionModel

    graph = onnx.load(str(source_file())).graph
    source = {
        item.name: torch.from_numpy(numpy_helper.to_array(item).copy())
        for item in graph.initializer
        if item.name.startswith("model.")
    }
    model = DetectionModel(architecture, nc=len(classes), verbose=False)
    rows = torch.tensor([classes.index(tile) for tile in SOURCE_TILES])
    state = model.state_dict()
    for name, value in state.items():
        if name.endswith("bn.weight"):
            value.fill_(math.sqrt(1 + _BN_EPS))
        elif name.endswith("running_mean"):
            value.zero_()
        elif name.endswith("running_var"):
            value.fill_(1)
        elif name.endswith("num_batches_tracked") or ".dfl" in name:
            continue
        else:
            folded = source[name.replace(".bn.bias", ".conv.bias")]
            if folded.shape == value.shape:
                value.copy_(folded)
            else:  # the class layer: 34 rows of the package spread over our classes
                value.copy_(folded.mean(0, keepdim=True).expand_as(value))
                value[rows] = folded
    model.load_state_dict(state)
    return model.eval()


def restore_batch_norm(model: Any, batches: Iterable[Any]) -> None:
    """Set every batch norm's statistics to those seen on `batches`, outputs unchanged.

    Args:
        model: network in eval mode.
        batches: tensors b x 3 x h x w, RGB 0..1.
    """
    torch = require_torch()
    sums: dict[str, list[Any]] = {}

    def watch(name: str) -> Any:
        def hook(_: Any, inputs: Any) -> None:
            x = inputs[0].detach().double()
            entry = sums.setdefault(name, [0, 0.0, 0.0])
            entry[0] += x.numel() // x.shape[1]
            entry[1] = entry[1] + x.sum((0, 2, 3))
            entry[2] = entry[2] + (x**2).sum((0, 2, 3))

        return hook

    norms = {n: m for n, m in model.named_modules() if isinstance(m, torch.nn.BatchNorm2d)}
    hooks = [m.register_forward_pre_hook(watch(n)) for n, m in norms.items()]
    with torch.no_grad():
        for batch in batches:
            model(batch)
    for hook in hooks:
        hook.remove()
    for name, norm in norms.items():
        count, total, squares = sums[name]
        mean = (total / count).float()
        variance = (squares / count - (total / count) ** 2).clamp_min(1e-4).float()
        gain = norm.weight.data / torch.sqrt(norm.running_var + norm.eps)
        offset = norm.bias.data - norm.running_mean * gain
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.data.copy_(gain * torch.sqrt(variance + norm.eps))
        norm.bias.data.copy_(offset + mean * gain)
