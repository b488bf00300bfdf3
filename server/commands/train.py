"""`zhuowu train detector|classifier`: from public inputs to trained weights."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli import UserError

_photos = click.option(
    "--photos",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("../shared/photos"),
    show_default=True,
    help="Folder with train/, dice_train/ and crops/.",
)
_scenes = click.option(
    "--scenes",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Rendered scenes written by `zhuowu dataset synth`.",
)
_out = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for checkpoints; a run that was stopped goes on from there.",
)
_recipe = click.option(
    "--recipe",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Settings; default: the shipped models/recipe.toml.",
)
_threads = click.option("--threads", type=click.IntRange(1), default=2, show_default=True)
_iterations = click.option(
    "--iterations", type=click.IntRange(1), help="Override the recipe's number of batches."
)
_leave_out = click.option(
    "--leave-out",
    default="",
    metavar="PREFIX",
    help="Leave out tile photos whose names start with PREFIX (leave-one-set-out figures).",
)


@click.group()
def command() -> None:
    """Train the models (needs the extra packages: pip install 'zhuowu[train]')."""


@command.command()
@_photos
@_scenes
@_out
@_recipe
@_threads
@_iterations
@_leave_out
def detector(
    photos: Path,
    scenes: Path,
    out: Path,
    recipe: Path | None,
    threads: int,
    iterations: int | None,
    leave_out: str,
) -> None:
    """Train the detector; run it again to resume."""
    from dataclasses import replace

    from models.recipe import RECIPE_FILE, RecipeError, load_recipe
    from models.train_detector import train_detector
    from models.training import TrainingError

    try:
        settings = load_recipe(recipe or RECIPE_FILE)
        if iterations:
            settings = replace(settings, detector=replace(settings.detector, iterations=iterations))
        file = train_detector(settings, photos, scenes, out, threads, leave_out)
    except (RecipeError, TrainingError, FileNotFoundError) as error:
        raise UserError(str(error)) from error
    click.echo(f"detector weights: {file}")


@command.command()
@_photos
@_scenes
@_out
@_recipe
@_threads
@_iterations
@_leave_out
@click.option(
    "--detector",
    "detector_weights",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The trained detector, whose backbone the classifier starts from.",
)
@click.option(
    "--negatives",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Hard negatives found by `zhuowu train negatives`.",
)
@click.option(
    "--sets",
    "sets",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Exported tile sets (*.zwset), or a folder of them, whose owners agreed "
    "(`zhuowu sets export --consent`); may be given several times.",
)
def classifier(
    photos: Path,
    scenes: Path,
    out: Path,
    recipe: Path | None,
    threads: int,
    iterations: int | None,
    leave_out: str,
    detector_weights: Path | None,
    negatives: Path | None,
    sets: tuple[Path, ...],
) -> None:
    """Train the classifier; run it again to resume."""
    from dataclasses import replace

    from models.recipe import RECIPE_FILE, RecipeError, load_recipe
    from models.train_classifier import train_classifier
    from models.training import TrainingError

    try:
        settings = load_recipe(recipe or RECIPE_FILE)
        if iterations:
            changed = replace(settings.classifier, iterations=iterations)
            settings = replace(settings, classifier=changed)
        file = train_classifier(
            settings, photos, scenes, out, threads, detector_weights, leave_out, negatives, sets
        )
    except (RecipeError, TrainingError, FileNotFoundError) as error:
        raise UserError(str(error)) from error
    click.echo(f"classifier weights: {file}")


@command.command()
@_photos
@_scenes
@click.option(
    "--models",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder with the exported detector whose mistakes are wanted.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to write, one picture a line.",
)
@click.option("--most", type=click.IntRange(1), default=1500, show_default=True)
def negatives(photos: Path, scenes: Path, models: Path, out: Path, most: int) -> None:
    """Find what the detector takes for tiles and dice where there are none."""
    from models.mining import mine
    from models.recipe import load_recipe
    from models.sources import dice_photos, scene_files, tile_photos
    from vision.detector import Detector
    from vision.errors import VisionError
    from vision.model_store import open_store

    try:
        detector = Detector(open_store(models).model("detector"))
        pictures = [*dice_photos(photos), *scene_files(scenes), *tile_photos(photos)]
    except (VisionError, FileNotFoundError) as error:
        raise UserError(str(error)) from error
    found = mine(
        detector, pictures[:: max(1, len(pictures) // most)], load_recipe().data.photo_side, out
    )
    click.echo(f"{found} hard negatives: {out}")


@command.command()
@_photos
@click.option(
    "--models",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder with exported models that miss few tiles.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to write (the shipped one is models/backgrounds.json).",
)
def backgrounds(photos: Path, models: Path, out: Path) -> None:
    """Find the regions of the tile photos that may show tiles without a label."""
    from models.backgrounds import look_at_backgrounds
    from models.recipe import load_recipe
    from models.sources import tile_photos
    from vision.classifier import Classifier
    from vision.detector import Detector
    from vision.errors import VisionError
    from vision.model_store import open_store

    try:
        store = open_store(models)
        detector = Detector(store.model("detector"))
        classifier = Classifier(store.model("classifier"))
        pictures = tile_photos(photos, backgrounds=None)
    except (VisionError, FileNotFoundError) as error:
        raise UserError(str(error)) from error
    longest = load_recipe().data.photo_side
    found = look_at_backgrounds(detector, classifier, pictures, longest, out)
    click.echo(f"{found} regions in {len(pictures)} photos: {out}")
