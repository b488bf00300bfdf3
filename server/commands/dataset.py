"""`zhuowu dataset`: rendered scenes, previews, conversion and checking of labelled pictures."""

from __future__ import annotations

import json
from pathlib import Path

import click

from server.cli import UserError

_folder = click.Path(file_okay=False, path_type=Path)
_shared = click.option(
    "--shared",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with art/ and photos/crops/: further tile sets for half of the scenes.",
)
_seed = click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
_kind = click.option("--kind", help="One kind of scene only (hand, table, dice, ...).")


@click.group()
def command() -> None:
    """Make, convert and check labelled pictures."""


@command.command()
@click.option("--out", type=_folder, required=True, help="Folder for the .jpg and .npy files.")
@click.option("--count", type=click.IntRange(1), default=1000, show_default=True)
@_seed
@_shared
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True)
@click.option("--size", type=click.IntRange(64, 4096), default=640, show_default=True)
@_kind
@click.option("--wide", is_flag=True, help="Each scene of another set, in many more styles.")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def synth(
    out: Path,
    count: int,
    seed: int,
    shared: Path | None,
    processes: int,
    size: int,
    kind: str | None,
    wide: bool,
    as_json: bool,
) -> None:
    """Render scenes with exact labels; a stopped run goes on where it was."""
    from datasets.fonts import FontsMissing
    from datasets.write import write_scenes

    _known_kind(kind)
    try:
        made = write_scenes(out, count, seed, shared, processes, size, kind, wide=wide)
    except (FontsMissing, OSError) as error:
        raise UserError(str(error)) from error
    if as_json:
        click.echo(json.dumps({"made": made, "there": count, "folder": str(out)}))
    else:
        click.echo(f"{made} scenes made, {count} in {out}")


@command.command(name="film-frames")
@click.option("--out", type=_folder, required=True, help="Folder for the .jpg and .npy files.")
@click.option("--films", type=click.IntRange(1), default=60, show_default=True)
@click.option(
    "--seed", type=click.IntRange(0), default=60_000, show_default=True, help="Of the first."
)
@click.option("--share", type=click.FloatRange(0, 1), default=0.14, show_default=True)
@_shared
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def film_frames(
    out: Path, films: int, seed: int, share: float, shared: Path | None, as_json: bool
) -> None:
    """Keep a SHARE of the frames of filmed rounds as labelled pictures, beside rendered scenes.

    Their seeds begin where no film of `zhuowu trial` does; a stopped run goes on with the film it
    was at.
    """
    from datasets.film_frames import training_films, write_film_frames
    from datasets.fonts import FontsMissing

    try:
        made = write_film_frames(out, training_films(films, seed, shared), share)
    except (FontsMissing, OSError, ValueError) as error:
        raise UserError(str(error)) from error
    if as_json:
        click.echo(json.dumps({"made": made, "films": films, "folder": str(out)}))
    else:
        click.echo(f"{made} pictures of {films} films made in {out}")


@command.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path), required=False)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--count", type=click.IntRange(1, 100), default=12, show_default=True)
@_seed
@_shared
@_kind
@click.option("--faces", is_flag=True, help="Show the faces of tile sets instead of scenes.")
def preview(
    source: Path | None,
    out: Path,
    count: int,
    seed: int,
    shared: Path | None,
    kind: str | None,
    faces: bool,
) -> None:
    """Draw a contact sheet: scenes or faces, or the labelled pictures of SOURCE."""
    from datasets import contact_sheets
    from datasets.exchange import DatasetError, load_dataset
    from datasets.fonts import FontsMissing

    _known_kind(kind)
    try:
        if faces:
            sheet = contact_sheets.face_sheet(seed, count)
        elif source is not None:
            sheet = contact_sheets.dataset_sheet(load_dataset(source), count)
        else:
            sheet = contact_sheets.scene_sheet(seed, count, kind, shared)
        contact_sheets.save(sheet, out)
    except (FontsMissing, DatasetError, OSError) as error:
        raise UserError(str(error)) from error
    click.echo(f"{out}")


def _known_kind(kind: str | None) -> None:
    from datasets.scene import check_kind

    try:
        check_kind(kind)
    except ValueError as error:
        raise UserError(str(error)) from error


_names = click.option(
    "--names",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON file that maps the set's class names to codes ('' leaves a class out).",
)


@command.command(name="import")
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=_folder, required=True, help="New folder: data.yaml, images, labels.")
@_names
def import_(source: Path, out: Path, names: Path | None) -> None:
    """Read SOURCE (data.yaml, COCO, CVAT, Label Studio, scenes) into our own class order."""
    _convert(source, out, "ultralytics", names)


@command.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=_folder, required=True, help="New folder.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["ultralytics", "coco", "cvat", "labelstudio"]),
    required=True,
)
@_names
def export(source: Path, out: Path, form: str, names: Path | None) -> None:
    """Write SOURCE in the form another tool reads."""
    _convert(source, out, form, names)


def _convert(source: Path, out: Path, form: str, names: Path | None) -> None:
    from datasets.exchange import DatasetError, load_dataset, save_dataset

    try:
        dataset = load_dataset(source, _mapping(names))
        save_dataset(dataset, out, form)
    except (DatasetError, OSError) as error:
        raise UserError(str(error)) from error
    boxes = sum(len(picture.boxes) for picture in dataset)
    click.echo(f"{len(dataset)} pictures with {boxes} labels written to {out}")


def _mapping(names: Path | None) -> dict[str, str] | None:
    if names is None:
        return None
    try:
        content = json.loads(names.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UserError(f"{names} is not JSON: {error}") from error
    if not isinstance(content, dict) or not all(isinstance(v, str) for v in content.values()):
        raise UserError(f'{names} must be an object of names to codes, such as {{"5B": "5s"}}.')
    return content


@command.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@_names
@click.option("--labels-only", is_flag=True, help="Do not compare the pixels of the faces.")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
@click.pass_context
def check(
    ctx: click.Context, source: Path, names: Path | None, labels_only: bool, as_json: bool
) -> None:
    """Look for wrong labels in SOURCE; exits with 1 when it finds any."""
    from datasets.exchange import DatasetError, load_dataset
    from datasets.label_check import check_dataset

    try:
        findings = check_dataset(load_dataset(source, _mapping(names)), look=not labels_only)
    except DatasetError as error:
        raise UserError(str(error)) from error
    if as_json:
        click.echo(json.dumps([{**vars(f), "path": str(f.path)} for f in findings]))
    else:
        for found in findings:
            where = "" if found.box is None else f" at {tuple(round(v) for v in found.box)}"
            click.echo(f"{found.path}{where}: {found.message} [{found.code}]")
        click.echo(f"{len(findings)} suspicious labels")
    ctx.exit(1 if findings else 0)


@command.command()
@click.argument("out", type=_folder)
@_seed
@click.option("--view", type=click.Choice(["overhead", "seat"]), default="overhead")
@click.option("--short", is_flag=True, help="A soon won round with fewer rests, for quick tests.")
@click.option("--width", type=click.IntRange(64, 3840), default=960, show_default=True)
@click.option("--fps", type=click.IntRange(1, 60), default=6, show_default=True)
@click.option("--speed", type=click.FloatRange(0.1, 20), default=1.0, show_default=True)
@click.option("--format", "form", type=click.Choice(["mp4", "avi"]), default="mp4")
@_shared
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def film(
    out: Path,
    seed: int,
    view: str,
    short: bool,
    width: int,
    fps: int,
    speed: float,
    form: str,
    shared: Path | None,
    as_json: bool,
) -> None:
    """Film a simulated round into OUT: the video, and truth.jsonl with what every frame shows."""
    import sys

    from datasets.film import Film
    from datasets.film_write import write_film
    from datasets.fonts import FontsMissing

    try:
        shown = Film(seed, view, short=short, width=width, fps=fps, speed=speed, shared=shared)
        made = write_film(shown, out, f".{form}", quiet=not sys.stderr.isatty())
    except (FontsMissing, OSError, ValueError) as error:
        raise UserError(str(error)) from error
    if as_json:
        report = {"video": str(made.video), "truth": str(made.truth)}
        click.echo(json.dumps({**report, "frames": made.frames, "events": made.events}))
    else:
        click.echo(f"{made.frames} frames with {made.events} events: {made.video}, {made.truth}")
