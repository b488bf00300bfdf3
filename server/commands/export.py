"""`zhuowu export`: trained weights to the shipped ONNX files, checked against the network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.cli import UserError

if TYPE_CHECKING:
    from models.recipe import Recipe

_file = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option("--detector", type=_file, help="detector.pt, or a checkpoint of its training.")
@click.option("--classifier", type=_file, help="classifier.pt, or a checkpoint of its training.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the ONNX files and manifest.json.",
)
@click.option(
    "--photos",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path("../shared/photos"),
    show_default=True,
    help="Folder whose eval/ photos the answers are compared on.",
)
@click.option(
    "--int8",
    "scenes",
    metavar="SCENES",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also write int8 twins into TO/int8, their ranges taken from the training photos and the "
    "rendered scenes in SCENES, and print the accuracy, time and size of both.",
)
@click.option("--recipe", type=_file, help="Settings; default: the shipped models/recipe.toml.")
def command(
    detector: Path | None,
    classifier: Path | None,
    folder: Path,
    photos: Path,
    scenes: Path | None,
    recipe: Path | None,
) -> None:
    """Export trained weights to ONNX and check that the files answer alike.

    With --int8 alone, twins of the models already in TO are written.
    """
    from models.export import ExportError, export_classifier, export_detector
    from models.recipe import RECIPE_FILE, RecipeError, load_recipe
    from models.training import TrainingError
    from vision.errors import VisionError

    if detector is None and classifier is None and scenes is None:
        raise UserError(
            "nothing to export: give --detector FILE, --classifier FILE, or both, or --int8 SCENES"
        )
    folder.mkdir(parents=True, exist_ok=True)
    try:
        settings = load_recipe(recipe or RECIPE_FILE)
        for name, weights, export in (
            ("detector", detector, export_detector),
            ("classifier", classifier, export_classifier),
        ):
            if weights is None:
                continue
            parity = export(weights, settings, folder, photos)
            click.echo(
                f"{name}: {folder / (name + '.onnx')}, largest difference from the network on "
                f"{parity.pictures} pictures: {parity.scores:.6f} (score), {parity.boxes:.4f} px"
            )
        if scenes is not None:
            _int8(folder, settings, photos, scenes)
    except (ExportError, RecipeError, TrainingError, VisionError) as error:
        raise UserError(str(error)) from error


def _int8(folder: Path, settings: Recipe, photos: Path, scenes: Path) -> None:
    """Write the int8 twins and print what they cost and gain."""
    from models.int8 import compare, export_int8

    if not (folder / "manifest.json").exists():
        raise UserError(f"{folder} holds no exported models: export --detector and --classifier")
    twins = export_int8(folder, settings, photos, scenes)
    click.echo("models      faces F1  exact  dice F1  ms (1 thread)  MB")
    for line in compare([folder, twins], photos / "eval"):
        click.echo(
            f"{line['models']:<10}  {line['faces_f1']:.4f}    {line['exact']:>3}    "
            f"{line['dice_f1']:.4f}   {line['ms']:>6.1f}         {line['megabytes']:.1f}"
        )
