"""`zhuowu train`: from public inputs to the shipped models, in one command or step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from server.cli import UserError

if TYPE_CHECKING:
    from models.recipe import Recipe

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])
_folder = click.Path(file_okay=False, path_type=Path)
_there = click.Path(exists=True, file_okay=False, path_type=Path)
_file = click.Path(exists=True, dir_okay=False, path_type=Path)

_photos = click.option(
    "--photos",
    type=_folder,
    default=Path("../shared/photos"),
    show_default=True,
    help="Folder with train/, dice_train/, crops/ and eval/.",
)
_scenes = click.option(
    "--scenes",
    type=_folder,
    required=True,
    multiple=True,
    help="Rendered pictures (`zhuowu dataset synth`, `film-frames`); may be given several times.",
)
_out = click.option(
    "--out",
    type=_folder,
    required=True,
    help="Folder for all results; a run that was stopped goes on from there.",
)
_recipe = click.option(
    "--recipe", type=_file, help="Settings; default: the shipped models/recipe.toml."
)
_threads = click.option("--threads", type=click.IntRange(1), default=2, show_default=True)
_iterations = click.option(
    "--iterations", type=click.IntRange(1), help="Override the recipe's number of batches."
)


def _training(function: _Decorated) -> _Decorated:
    """The options of a single training."""
    leave_out = click.option(
        "--leave-out",
        default="",
        metavar="PREFIX",
        help="Leave out tile photos whose names start with PREFIX.",
    )
    for option in (leave_out, _iterations, _threads, _recipe, _out, _scenes, _photos):
        function = option(function)
    return function


@contextmanager
def _told() -> Iterator[None]:
    """What goes wrong as a message; a stop from the keyboard says how to go on."""
    from datasets.fonts import FontsMissing
    from models.export import ExportError
    from models.recipe import RecipeError
    from models.training import TrainingError
    from vision.errors import VisionError

    known = (RecipeError, TrainingError, ExportError, VisionError, FontsMissing, OSError)
    try:
        yield
    except known as error:
        raise UserError(str(error)) from error
    except KeyboardInterrupt:
        raise UserError("stopped; the same command goes on from here") from None


def _settings(recipe: Path | None) -> Recipe:
    from models.recipe import RECIPE_FILE, load_recipe

    return load_recipe(recipe or RECIPE_FILE)


@click.group()
def command() -> None:
    """Train the models (needs the extra packages: pip install 'zhuowu[train]')."""


@command.command(name="all")
@_photos
@_out
@_recipe
@_threads
@click.option(
    "--processes", type=click.IntRange(1), default=2, show_default=True, help="To render with."
)
@click.option("--plan", is_flag=True, help="Only say what would be done, and about how long.")
@click.option("--install", is_flag=True, help="Put the models in the place of the installed ones.")
def everything(
    photos: Path,
    out: Path,
    recipe: Path | None,
    threads: int,
    processes: int,
    plan: bool,
    install: bool,
) -> None:
    """Do every stage of the recipe: pictures, trainings, export, confidence, report.

    Stages whose results are in OUT are passed over, so that a run that was stopped at any moment
    goes on when the same command is given again. The models end in OUT/export.
    """
    from models.chain import Chain, about
    from server.picture_maker import DatasetPictures
    from vision.model_store import default_folder

    with _told():
        # Drawings and photographed crops lie beside the photos where there are any.
        shared = photos.resolve().parent if (photos / "crops").is_dir() else None
        maker = DatasetPictures(shared, processes)
        chain = Chain(_settings(recipe), photos, out, maker, threads)
        if plan:
            for planned in chain.plan():
                stage = planned.stage
                words = f"{stage.words()} ({about(stage.minutes)})"
                click.echo(f"{planned.state:<6} {stage.name}: {words}")
            return
        models = chain.run(click.echo)
        if install:
            chain.install(default_folder())
    click.echo(f"models: {models}, what they read: {models / 'report' / 'report.md'}")


@command.command()
@_training
def detector(
    photos: Path,
    scenes: tuple[Path, ...],
    out: Path,
    recipe: Path | None,
    threads: int,
    iterations: int | None,
    leave_out: str,
) -> None:
    """Train the detector; run it again to resume."""
    from models.train_detector import train_detector

    with _told():
        settings = _settings(recipe)
        if iterations:
            settings = replace(settings, detector=replace(settings.detector, iterations=iterations))
        file = train_detector(settings, photos, scenes, out, threads, leave_out)
    click.echo(f"detector weights: {file}")


@command.command()
@_training
@click.option(
    "--detector",
    "detector_weights",
    type=_file,
    help="The trained detector, whose backbone the classifier starts from.",
)
@click.option("--negatives", type=_file, help="Hard negatives found by `zhuowu train negatives`.")
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
    scenes: tuple[Path, ...],
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
    from models.train_classifier import train_classifier

    with _told():
        settings = _settings(recipe)
        if iterations:
            changed = replace(settings.classifier, iterations=iterations)
            settings = replace(settings, classifier=changed)
        file = train_classifier(
            settings, photos, scenes, out, threads, detector_weights, leave_out, negatives, sets
        )
    click.echo(f"classifier weights: {file}")


@command.command(name="leave-out")
@_photos
@_scenes
@_out
@_recipe
@_threads
@_iterations
@click.option(
    "--series",
    multiple=True,
    metavar="PREFIX",
    help="Beginning of the photos' names; may be given several times. Default: the recipe's.",
)
@click.option("--models", type=_there, help="To compare with; default: the shipped ones.")
@click.option("--install", is_flag=True, help="Put the figures on the shipped models' card.")
def leave_out_series(
    photos: Path,
    scenes: tuple[Path, ...],
    out: Path,
    recipe: Path | None,
    threads: int,
    iterations: int | None,
    series: tuple[str, ...],
    models: Path | None,
    install: bool,
) -> None:
    """Train a classifier without each series of photos and see how it names that series.

    Run it again to resume; what was measured is kept in OUT/leave_out.json and leave_out.md.
    """
    from models.leave_out import as_markdown, leave_out
    from models.leave_out import install as put_on_card
    from vision.model_store import default_folder

    with _told():
        settings = _settings(recipe)
        wanted = settings.leave_out
        wanted = replace(
            wanted, series=series or wanted.series, iterations=iterations or wanted.iterations
        )
        settings = replace(settings, leave_out=wanted)
        rows = leave_out(settings, photos, scenes, out, models, threads, click.echo)
        if install:
            put_on_card(rows, default_folder())
    click.echo(as_markdown(rows))


@command.command()
@_photos
@_scenes
@click.option(
    "--models",
    type=_there,
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
def negatives(photos: Path, scenes: tuple[Path, ...], models: Path, out: Path, most: int) -> None:
    """Find what the detector takes for tiles and dice where there are none."""
    from models.mining import mine, pictures_to_mine
    from vision.detector import Detector
    from vision.model_store import open_store

    with _told():
        detector = Detector(open_store(models).model("detector"))
        items = pictures_to_mine(photos, scenes, most)
        found = mine(detector, items, _settings(None).data.photo_side, out)
    click.echo(f"{found} hard negatives: {out}")


@command.command()
@_photos
@click.option(
    "--models", type=_there, required=True, help="Folder with exported models that miss few tiles."
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
    from models.sources import tile_photos
    from vision.classifier import Classifier
    from vision.detector import Detector
    from vision.model_store import open_store

    with _told():
        store = open_store(models)
        models_used = Detector(store.model("detector")), Classifier(store.model("classifier"))
        pictures = tile_photos(photos, backgrounds=None)
        found = look_at_backgrounds(*models_used, pictures, _settings(None).data.photo_side, out)
    click.echo(f"{found} regions in {len(pictures)} photos: {out}")
