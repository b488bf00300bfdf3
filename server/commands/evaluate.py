"""`zhuowu evaluate`: how well the reader reads labelled photos, figures and every error."""

from __future__ import annotations

import json
from pathlib import Path

import click

from server.cli import UserError


@click.command()
@click.argument(
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path("../shared/photos/eval"),
)
@click.option("--models", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--report",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write report.md, figures.json and a picture of every error into this folder.",
)
@click.option("--confidence", type=click.FloatRange(0, 1), help="Instead of the shipped threshold.")
@click.option("--one-set", is_flag=True, help="The photos show one set: at most four of a kind.")
@click.option(
    "--naming",
    metavar="PREFIX",
    is_flag=False,
    flag_value="",
    help="Only name the labelled boxes of photos whose names start with PREFIX (all by default).",
)
@click.option(
    "--scenes",
    is_flag=True,
    help="FOLDER holds rendered scenes (`zhuowu dataset synth`), everything in them labelled.",
)
@click.option("--json", "as_json_", is_flag=True, help="Figures as one JSON object.")
def command(
    folder: Path,
    models: Path | None,
    report: Path | None,
    confidence: float | None,
    one_set: bool,
    naming: str | None,
    scenes: bool,
    as_json_: bool,
) -> None:
    """Score the reader on FOLDER (images/, labels/, manifest.json, ignore.json).

    Figures for tiles, backs and dice of rendered tables: `--scenes FOLDER`.
    """
    from models.evaluate import as_json, as_markdown, evaluate, write_report
    from models.measure import load_scenes
    from vision.errors import VisionError
    from vision.model_store import open_store
    from vision.reader import Reader

    photos = load_scenes(folder) if scenes else folder
    if scenes and not photos:
        raise UserError(
            f"{folder} holds no rendered scenes: write some with `zhuowu dataset synth`"
        )
    if not scenes and not (folder / "manifest.json").exists():
        raise UserError(f"{folder} has no manifest.json: it is not a folder of labelled photos")
    if naming is not None:
        click.echo(json.dumps(_naming(folder, models, naming), ensure_ascii=False))
        return
    try:
        reader = Reader(open_store(models))
        result = evaluate(photos, reader, least_confidence=confidence, four_of_a_kind=one_set)
    except VisionError as error:
        raise UserError(str(error)) from error
    if report is not None:
        click.echo(f"report: {write_report(result, folder.name, report)}", err=True)
    if as_json_:
        click.echo(json.dumps(as_json(result), ensure_ascii=False))
    else:
        click.echo(as_markdown(result, folder.name))


def _naming(folder: Path, models: Path | None, prefix: str) -> dict[str, float]:
    from models.naming import naming_accuracy
    from vision.classifier import Classifier
    from vision.errors import VisionError
    from vision.model_store import open_store

    try:
        classifier = Classifier(open_store(models).model("classifier"))
    except VisionError as error:
        raise UserError(str(error)) from error
    return naming_accuracy(folder, classifier, prefix)
