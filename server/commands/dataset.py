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
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def synth(
    out: Path,
    count: int,
    seed: int,
    shared: Path | None,
    processes: int,
    size: int,
    kind: str | None,
    as_json: bool,
) -> None:
    """Render scenes with exact labels; a stopped run goes on where it was."""
    from datasets.fonts import FontsMissing
    from datasets.write import write_scenes

    _known_kind(kind)
    try:
        made = write_scenes(out, count, seed, shared, processes, size, kind)
    except (FontsMissing, OSError) as error:
        raise UserError(str(error)) from error
    if as_json:
        click.echo(json.dumps({"made": made, "there": count, "folder": str(out)}))
    else:
        click.echo(f"{made} scenes made, {count} in {out}")


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
    from datasets.scene_layouts import LAYOUTS

    if kind is not None and kind not in LAYOUTS:
        raise UserError(f"No scene kind {kind!r}: use one of {', '.join(LAYOUTS)}.")
