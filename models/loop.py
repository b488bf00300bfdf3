"""The loop both trainings run: step after step, a log, a checkpoint every two minutes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from models.recipe import TrainingRecipe
from models.training import Run, learning_rate, require_torch

CHECKPOINT = "checkpoint.pt"
CHECKPOINT_SECONDS = 120
LOG_EVERY = 20
LARGEST_GRADIENT = 10.0


def follow(
    run: Run,
    batches: Iterable[Any],
    loss_of: Callable[[Any], tuple[Any, dict[str, float]]],
    settings: TrainingRecipe,
    out: Path,
    name: str,
) -> Path:
    """Train over `batches` to the end of the recipe.

    Args:
        run: the run, resumed where it stood.
        batches: from `run.step` on.
        loss_of: the loss of a batch (to be made smaller) and figures for the log.
        settings: iterations, learning rate and the like.
        out: folder for `checkpoint.pt`, `log.jsonl` and the weights.
        name: what is trained; the weights go to `<name>.pt`.

    Returns:
        The file with the averaged weights.
    """
    torch = require_torch()
    progress = tqdm(total=settings.iterations, initial=run.step, unit="batch", desc=name)
    began = saved = time.monotonic()
    recent: list[dict[str, float]] = []
    for batch in batches:
        _set_rate(run, settings)
        loss, figures = loss_of(batch)
        _descend(run, loss, settings.ema)
        recent.append(figures)
        progress.update()
        if run.step % LOG_EVERY == 0:
            means = {k: float(np.mean([r[k] for r in recent[-LOG_EVERY:]])) for k in figures}
            progress.set_postfix({k: round(v, 3) for k, v in means.items()})
            line = means | {"step": run.step, "minutes": (time.monotonic() - began) / 60}
            with (out / "log.jsonl").open("a") as log:
                log.write(json.dumps({k: round(v, 5) for k, v in line.items()}) + "\n")
        if time.monotonic() - saved > CHECKPOINT_SECONDS:
            run.save(out / CHECKPOINT)
            saved = time.monotonic()
    progress.close()
    run.save(out / CHECKPOINT)
    final = out / f"{name}.pt"
    torch.save(run.average.state_dict(), final)
    return final


def _set_rate(run: Run, settings: TrainingRecipe) -> None:
    rate = learning_rate(
        run.step,
        settings.iterations,
        settings.learning_rate,
        settings.final_learning_rate,
        settings.warmup,
    )
    for group in run.optimiser.param_groups:
        group["lr"] = rate


def _descend(run: Run, loss: Any, ema: float) -> None:
    """One step down; a loss that is no number is passed over."""
    torch = require_torch()
    run.step += 1
    if torch.isfinite(loss):
        loss.backward()
        torch.nn.utils.clip_grad_norm_(run.model.parameters(), LARGEST_GRADIENT)
        run.optimiser.step()
        run.update_average(ema)
    run.optimiser.zero_grad(set_to_none=True)
