"""`zhuowu trial`: the live table on films of whole simulated rounds, against the truth."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from server.cli import UserError

if TYPE_CHECKING:
    from datasets.film import Film
    from datasets.film_report import Trial
    from vision.model_store import ModelStore
    from vision.tracking.looking import Look


@click.command()
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--films", type=click.IntRange(1), default=20, show_default=True)
@click.option("--whole", type=click.IntRange(0), default=0, help="So many of them are long rounds.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the first.")
@click.option("--reader", type=click.Choice(["models", "perfect"]), default="models")
@click.option(
    "--teach",
    is_flag=True,
    help="First teach the reader each film's tile set from one photo of its 34 kinds.",
)
@click.option("--models", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--width", type=click.IntRange(320, 3840), default=960, show_default=True)
@click.option("--fps", type=click.IntRange(2, 30), default=6, show_default=True)
@click.option(
    "--shared",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with art/ and photos/crops/: further tile sets for half of the films.",
)
@click.option("--json", "as_json", is_flag=True, help="Figures as one JSON object.")
def command(
    out: Path,
    films: int,
    whole: int,
    seed: int,
    reader: str,
    teach: bool,
    models: Path | None,
    width: int,
    fps: int,
    shared: Path | None,
    as_json: bool,
) -> None:
    """Film rounds (half from above, half from a seat), watch them, and compare with the truth.

    Each film's result is kept in OUT; a run that was stopped goes on where it was. OUT gets
    figures.json and report.md as well.
    """
    from datasets.film_report import as_markdown, figures, trials, try_all
    from datasets.fonts import FontsMissing
    from vision.errors import VisionError
    from vision.model_store import open_store

    if width % 16:
        raise UserError("The width must be a multiple of 16.")
    if teach and reader == "perfect":
        raise UserError("A perfect reader has nothing to learn: leave --teach or --reader out.")
    try:
        store = open_store(models)
        names = "" if reader == "perfect" else _names(store)
        settings = {"width": width, "fps": fps, "reader": reader, "models": names, "taught": teach}
        settings["shared"] = None if shared is None else str(shared)
        planned = trials(films, seed, min(whole, films), **settings)

        results = try_all(planned, out, _readers(store), _progress)
        numbers = figures(results)
        (out / "figures.json").write_text(json.dumps(numbers, indent=1), encoding="utf-8")
        report = as_markdown(numbers)
        (out / "report.md").write_text(report, encoding="utf-8")
    except (FontsMissing, VisionError, OSError) as error:
        raise UserError(str(error)) from error
    click.echo(json.dumps(numbers) if as_json else report)


def _readers(store: ModelStore) -> Callable[[Trial, Film], Look]:
    """Gives each film its reader: the models are loaded once, and what they were taught of a set
    is forgotten with the next film."""
    from vision.reader import Reader
    from vision.tracking.looking import ReaderLook

    loaded: list[Reader] = []

    def look(trial: Trial, film: Film) -> Look:
        if not loaded:
            loaded.append(Reader(store, threads=1))
        reader = loaded[0]
        reader.tile_sets = None
        if trial.taught:
            from datasets.film_taught import recogniser, teach_film

            reader.tile_sets = recogniser(teach_film(film, reader))
        return ReaderLook(reader)

    return look


def _progress(planned: Iterable[Trial]) -> Iterable[Trial]:
    quiet = not sys.stderr.isatty()
    return tqdm(planned, unit="film", disable=quiet, file=sys.stderr)


def _names(store: ModelStore) -> str:
    """What tells these models from others: the beginnings of their checksums."""
    return "+".join(store.model(task).sha256[:12] for task in ("detector", "classifier"))
