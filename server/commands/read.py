"""`zhuowu read`: name every tile in photos."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from server.language import LANG_OPTION, language, say
from server.photo_files import open_reader, photo_files

if TYPE_CHECKING:
    from vision.errors import VisionError
    from vision.values import PhotoReading, TileReading


@click.command(name="read")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a photo, one a line.")
@click.option(
    "--one-set",
    is_flag=True,
    help="The photo shows one set of tiles: no tile may appear five times.",
)
@click.option(
    "--conf",
    type=click.FloatRange(0, 1),
    help="Report tiles from this confidence on (default: chosen for the models).",
)
@LANG_OPTION
def command(
    paths: tuple[Path, ...], as_json: bool, one_set: bool, conf: float | None, lang: str
) -> None:
    """Read the tiles in photos, or in every photo of folders.

    Exits with 2 when any photo could not be read; the others are read all the same.
    """
    lang = language(lang)
    photos = photo_files(paths, lang)
    reader = open_reader(lang)
    from vision.errors import VisionError
    from vision.photo import load_photo

    failed = 0
    quiet = not sys.stderr.isatty() or len(photos) < 2
    for path in tqdm(photos, disable=quiet, unit="photo", file=sys.stderr):
        try:
            photo = load_photo(path)
            reading = reader.read(photo, four_of_a_kind=one_set, least_confidence=conf)
        except VisionError as error:
            failed += 1
            _print_error(path, error, as_json, lang)
        else:
            _print_reading(reading, as_json, lang)
    if failed:
        sys.exit(2)


def _print_error(path: Path, error: VisionError, as_json: bool, lang: str) -> None:
    if as_json:
        line = json.dumps({"image": str(path), "error": error.to_json()}, ensure_ascii=False)
        click.echo(line)
    else:
        click.echo(f"{path}: {error.message(lang)}", err=True)


def _print_reading(reading: PhotoReading, as_json: bool, lang: str) -> None:
    if as_json:
        click.echo(json.dumps(reading.to_json(), ensure_ascii=False))
        return
    faces = [tile for tile in reading.tiles if tile.is_face]
    backs = sum(tile.tile == "back" for tile in reading.tiles)
    dice = [tile for tile in reading.tiles if tile.is_die]
    click.echo(f"{reading.image}  {reading.width}×{reading.height}")
    click.echo(say(lang, f"  牌 {len(faces)} 张：", f"  {len(faces)} tiles: ") + _names(faces))
    if backs:
        click.echo(say(lang, f"  牌背 {backs} 张", f"  {backs} tile backs"))
    if dice:
        click.echo(say(lang, "  骰子：", "  dice: ") + " ".join(d.tile[3:] for d in dice))
    doubtful = [tile for tile in reading.tiles if tile.doubtful]
    for tile in doubtful:
        others = ", ".join(f"{name} {p:.0%}" for name, p in tile.alternatives[:3])
        place = f"({tile.centre[0]:.0f}, {tile.centre[1]:.0f})"
        click.echo(
            say(
                lang,
                f"  存疑 {tile.tile}，位置 {place}：{others}",
                f"  doubtful {tile.tile} at {place}: {others}",
            )
        )
    for note in reading.notes:
        click.echo(say(lang, f"  注意：{note.zh}", f"  note: {note.en}"))


def _names(tiles: list[TileReading]) -> str:
    return " ".join(tile.tile + ("?" if tile.doubtful else "") for tile in tiles)
