"""`zhuowu export`: trained weights to the shipped ONNX files, checked against the network."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli import UserError

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
@click.option("--recipe", type=_file, help="Settings; default: the shipped models/recipe.toml.")
def command(
    detector: Path | None,
    classifier: Path | None,
    folder: Path,
    photos: Path,
    recipe: Path | None,
) -> None:
    """Export trained weights to ONNX and check that the files answer alike."""
    from models.export import ExportError, export_classifier, export_detector
    from models.recipe import RECIPE_FILE, RecipeError, load_recipe
    from models.training import TrainingError

    if detector is None and classifier is None:
        raise UserError("nothing to export: give --detector FILE, --classifier FILE, or both")
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
    except (ExportError, RecipeError, TrainingError) as error:
        raise UserError(str(error)) from error
