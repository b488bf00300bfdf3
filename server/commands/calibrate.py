"""`zhuowu calibrate`: teach the reader one's own tile set from a photo."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tqdm import tqdm

from rules import TileError, parse_tiles
from server.cli import UserError
from server.language import LANG_OPTION, language, say
from server.photo_files import open_reader

if TYPE_CHECKING:
    from vision.calibration import Example, TileSet, TileSetLibrary
    from vision.reader import Reader


@click.command(name="calibrate")
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--name", required=True, help='What to call the set, for example "kitchen set".')
@click.option(
    "--tiles",
    "names",
    multiple=True,
    metavar="TILES",
    help="The tiles of a photo in reading order, for example 123m456p; once for each photo.",
)
@click.option(
    "--grid",
    type=click.Choice(["guided"]),
    help="Each photo shows all 34 kinds in four rows: 1-9m, 1-9p, 1-9s, 1-7z.",
)
@click.option("--yes", is_flag=True, help="The names are right: do not question them.")
@click.option("--replace", "replace_old", is_flag=True, help="Replace a set of the same name.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@LANG_OPTION
def command(
    photos: tuple[Path, ...],
    name: str,
    names: tuple[str, ...],
    grid: str | None,
    yes: bool,
    replace_old: bool,
    as_json: bool,
    lang: str,
) -> None:
    """Teach the reader the tile set in PHOTOS: one tile of each of the 34 kinds, face up.

    Name the tiles with --tiles, or lay them in the four rows of --grid guided. With neither, the
    reader's own reading is shown and asked about (taken as it is with --yes). Nothing is stored
    when a photo will not do; the reasons are printed, and the exit code is 2.
    """
    lang = language(lang)
    labels = _labels(photos, names, grid, lang)
    reader = open_reader(lang, taught=False)
    from server.tile_sets import open_library
    from vision.calibration import CalibrationError
    from vision.errors import VisionError

    library = open_library()
    try:
        library.check_free(name, replace_old)
        examples = _gather(reader, photos, labels, yes, lang)
        tile_set = _taught(name, examples, reader, yes)
        like = _taken_for(library, tile_set, reader)
        library.add(tile_set, replace_old)
    except CalibrationError as error:
        if as_json:
            line = {"error": [reason.to_json() for reason in error.reasons]}
            click.echo(json.dumps(line, ensure_ascii=False))
            sys.exit(2)
        raise UserError(error.message(lang)) from None
    except VisionError as error:
        raise UserError(error.message(lang)) from None
    if as_json:
        click.echo(json.dumps(tile_set.to_json() | {"like": like}, ensure_ascii=False))
        return
    click.echo(_report(tile_set, lang))
    if like is not None:
        click.echo(_alike(like, lang))


def _labels(
    photos: tuple[Path, ...], names: tuple[str, ...], grid: str | None, lang: str
) -> list[tuple[str, ...] | None]:
    if names and grid:
        raise UserError(
            say(lang, "--tiles 和 --grid 只能给一个。", "Give --tiles or --grid, not both.")
        )
    if grid:
        from vision.values import FACES

        return [FACES] * len(photos)
    if not names:
        return [None] * len(photos)
    if len(names) != len(photos):
        raise UserError(
            say(
                lang,
                f"有 {len(photos)} 张照片，却给了 {len(names)} 个 --tiles；每张照片要一个。",
                f"{len(photos)} photos but {len(names)} --tiles: give one for each photo.",
            )
        )
    try:
        return [parse_tiles(text) for text in names]
    except TileError as error:
        raise UserError(
            say(lang, "--tiles：看不懂，请写 123m456p 这样的牌。", f"--tiles: {error}")
        ) from None


def _gather(
    reader: Reader,
    photos: tuple[Path, ...],
    labels: list[tuple[str, ...] | None],
    yes: bool,
    lang: str,
) -> list[Example]:
    from vision.calibration import gather, tile_boxes
    from vision.photo import load_photo

    examples: list[Example] = []
    for number, (path, told) in enumerate(zip(photos, labels, strict=True)):
        photo = load_photo(path)
        if told is None and not yes:
            told = _asked(path, [t.tile for t in tile_boxes(reader, photo)], lang)
        examples += gather(reader, photo, told, number)
    return examples


def _asked(path: Path, tiles: list[str], lang: str) -> tuple[str, ...] | None:
    """The reading as the person confirms or corrects it; None when it is right as it is."""
    click.echo(f"{path}: {len(tiles)}", err=True)
    for start in range(0, len(tiles), 9):
        click.echo("  " + " ".join(tiles[start : start + 9]), err=True)
    question = say(
        lang,
        "对吗？回车确认，或按次序写出全部的牌（如 123m456p）",
        "Right? Press Enter, or write all tiles in order (for example 123m456p)",
    )
    answer = click.prompt(question, default="", show_default=False, err=True)
    if not answer.strip():
        return None
    try:
        return parse_tiles(answer)
    except TileError as error:
        raise UserError(str(error)) from None


def _taught(name: str, examples: list[Example], reader: Reader, yes: bool) -> TileSet:
    from vision.calibration import teach

    with tqdm(disable=not sys.stderr.isatty(), file=sys.stderr, unit="step") as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        return teach(name, examples, reader.classifier, insist=yes, progress=show)


def _taken_for(library: TileSetLibrary, tile_set: TileSet, reader: Reader) -> str | None:
    """Which other stored set the tiles just taught may be taken for."""
    import numpy as np

    from vision.calibration.chooser import taken_for
    from vision.calibration.views import plain_view
    from vision.values import FACES

    classifier = reader.classifier
    stored = [s for s in library.sets() if s.classifier == classifier.sha256]
    others = tuple(s for s in stored if s.name != tile_set.name)
    faces = [e.patch for e in tile_set.examples if e.tile in FACES]
    if not others or not faces:
        return None
    looks = np.stack([plain_view(patch, classifier.side) for patch in faces])
    return taken_for(others, *classifier.look(looks), looks)


def _alike(name: str, lang: str) -> str:
    return say(
        lang,
        f"这副牌看着像已经存的“{name}”，拍照时两副可能认混：分不清时会问您，也可以用 "
        "zhuowu sets use 指定。",
        f"This set looks like {name!r}, which is stored already: photos of the two may be mixed "
        "up. Where it is open you are asked; zhuowu sets use says which it is.",
    )


def _report(tile_set: TileSet, lang: str) -> str:
    figures = tile_set.figures
    kinds = tile_set.to_json()["kinds"]
    if not tile_set.helps:
        return say(
            lang,
            f"已记住“{tile_set.name}”（{kinds} 种牌）。通用模型已能认好这副牌（变样后 "
            f"{figures.before:.1%}），不作改动。",
            f"Stored {tile_set.name!r} ({kinds} kinds). The general model already reads this set "
            f"({figures.before:.1%} of disguised looks): nothing is changed.",
        )
    return say(
        lang,
        f"已学会“{tile_set.name}”（{kinds} 种牌）：变样后的牌认对 {figures.before:.1%} → "
        f"{figures.after:.1%}（未用于学习的样子）。今后的照片会自动认出这副牌。",
        f"Learnt {tile_set.name!r} ({kinds} kinds): disguised looks named rightly "
        f"{figures.before:.1%} -> {figures.after:.1%} (looks held out). Photos of this set are "
        "recognised from now on.",
    )
