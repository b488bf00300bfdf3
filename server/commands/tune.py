"""`zhuowu tune`: fit what a confidence means and write it into the models' manifest."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli import UserError

_folder = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.argument("folder", type=_folder)
@click.option("--photos", type=_folder, default=Path("../shared/photos/eval"), show_default=True)
@click.option("--scenes", type=_folder, help="Rendered scenes that no training saw (for backs).")
@click.option("--marked", type=click.FloatRange(0, 0.5), default=0.05, show_default=True)
def command(folder: Path, photos: Path, scenes: Path | None, marked: float) -> None:
    """Fit the confidence of the models in FOLDER on labelled photos; rewrites manifest.json."""
    from models.tune import tune
    from vision.errors import VisionError

    if not (photos / "manifest.json").exists():
        raise UserError(f"{photos} has no manifest.json: it is not a folder of labelled photos")
    try:
        found = tune(folder, photos, scenes, marked)
    except VisionError as error:
        raise UserError(str(error)) from error
    click.echo(", ".join(f"{name} {value:.3f}" for name, value in found.items()))
