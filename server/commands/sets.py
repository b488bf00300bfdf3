"""`zhuowu sets`: the tile sets that were taught."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.cli import UserError
from server.language import LANG_OPTION, language, say

if TYPE_CHECKING:
    from models.calibration_trial import Trial
    from vision.calibration import TileSet

JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(name="sets")
def command() -> None:
    """List, choose, share and remove the tile sets taught with `zhuowu calibrate`."""


@contextmanager
def _told(lang: str) -> Iterator[None]:
    """Errors of calibration as messages."""
    from vision.errors import VisionError

    try:
        yield
    except VisionError as error:
        raise UserError(error.message(lang)) from None


@command.command(name="list")
@JSON_OPTION
@LANG_OPTION
def list_sets(as_json: bool, lang: str) -> None:
    """List the sets, and which is in use."""
    lang = language(lang)
    from server.tile_sets import open_library
    from vision.model_store import open_store

    library = open_library()
    with _told(lang):
        current = open_store().model("classifier").sha256.lower()
    sets, used = library.sets(), library.in_use()
    if as_json:
        rows = [s.to_json() | {"stale": s.classifier != current} for s in sets]
        click.echo(json.dumps({"use": used, "sets": rows}, ensure_ascii=False))
        return
    if not sets:
        click.echo(
            say(
                lang,
                '还没有校准过的牌具。运行：zhuowu calibrate 照片 --name "我的牌"',
                'No set was taught yet. Run: zhuowu calibrate PHOTO --name "my set"',
            )
        )
        return
    for s in sets:
        notes = []
        if s.name == used:
            notes.append(say(lang, "使用中", "in use"))
        if s.classifier != current:
            notes.append(say(lang, "模型已更新，请运行 zhuowu sets refit", "run zhuowu sets refit"))
        elif not s.helps:
            notes.append(say(lang, "通用模型已够好", "the general model suffices"))
        kinds = say(lang, f"{s.to_json()['kinds']} 种", f"{s.to_json()['kinds']} kinds")
        click.echo(f"{s.name}  {kinds}  {'; '.join(notes)}".rstrip())
    if used == "auto":
        click.echo(say(lang, "按照片自动选用。", "The set in a photo is recognised by itself."))
    elif used == "none":
        click.echo(say(lang, "目前一副也不用。", "None is used at present."))


@command.command(name="use")
@click.argument("name")
@LANG_OPTION
def use(name: str, lang: str) -> None:
    """Use the set NAME for every photo, or `auto` (recognise it), or `none`."""
    lang = language(lang)
    from server.tile_sets import open_library

    with _told(lang):
        open_library().use(name)
    click.echo(say(lang, f"使用：{name}", f"in use: {name}"))


@command.command(name="remove")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@LANG_OPTION
def remove(name: str, yes: bool, lang: str) -> None:
    """Delete the set NAME."""
    lang = language(lang)
    from server.tile_sets import open_library

    library = open_library()
    with _told(lang):
        library.get(name)
        if not yes:
            click.confirm(say(lang, f"删除“{name}”？", f"Delete {name!r}?"), abort=True)
        library.remove(name)
    click.echo(say(lang, f"已删除：{name}", f"deleted: {name}"))


@command.command(name="export")
@click.argument("name")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="New file for the set; with --training-crops a folder.",
)
@click.option(
    "--training-crops",
    is_flag=True,
    help="With the owner's consent: the tiles as labelled pictures, crops/<tile>/*.jpg, for "
    "training the general model.",
)
@click.option(
    "--consent",
    is_flag=True,
    help="The owner lets the set be used to train the general model (`zhuowu train classifier "
    "--sets`); the file says so.",
)
@LANG_OPTION
def export(name: str, output: Path, training_crops: bool, consent: bool, lang: str) -> None:
    """Write the set NAME to a file that others can import.

    The file holds small pictures of the tiles, and no other part of the photos.
    """
    lang = language(lang)
    from dataclasses import replace

    from server.tile_sets import open_library
    from vision.calibration.library import write_training_crops

    with _told(lang):
        tile_set = open_library().get(name)
        try:
            if training_crops:
                count = write_training_crops(tile_set, output)
                click.echo(say(lang, f"{count} 张图：{output}", f"{count} pictures in {output}"))
                return
            if consent:
                tile_set = replace(tile_set, consent=True)
            with output.open("xb") as file:
                file.write(tile_set.packed())
        except FileExistsError:
            raise UserError(
                say(
                    lang, f"{output} 已存在，请换个文件名。", f"{output} exists: choose a new name."
                )
            ) from None
        except OSError as error:
            text = error.strerror or str(error)
            raise UserError(
                say(lang, f"无法写入 {output}：{text}", f"Cannot write {output}: {text}")
            ) from None
    click.echo(str(output))


@command.command(name="import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--name", help="Store it under this name instead of its own.")
@click.option("--replace", "replace_old", is_flag=True, help="Replace a set of the same name.")
@LANG_OPTION
def bring_in(file: Path, name: str | None, replace_old: bool, lang: str) -> None:
    """Store the set in an exported FILE."""
    lang = language(lang)
    from server.tile_sets import open_library

    with _told(lang):
        tile_set = open_library().bring_in(file, name, replace_old)
    click.echo(say(lang, f"已导入：{tile_set.name}", f"imported: {tile_set.name}"))


@command.command(name="add")
@click.argument("name")
@click.argument("photo", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--tiles",
    "told",
    required=True,
    metavar="TILES",
    help='What the photo shows in reading order, such as "back back die1 die5" or "123m 5z"; '
    "`none` for what is no example.",
)
@click.option("--yes", is_flag=True, help="The names are right: do not question them.")
@LANG_OPTION
def add(name: str, photo: Path, told: str, yes: bool, lang: str) -> None:
    """Teach the set NAME more from PHOTO: its backs and dice, or further tiles.

    Nothing is changed when the photo will not do, or when what the set knows already would be
    read worse.
    """
    lang = language(lang)
    from tqdm import tqdm

    from server.photo_files import open_reader
    from server.tile_sets import open_library
    from vision.calibration import add_examples, gather
    from vision.photo import load_photo

    names = _named(told, lang)
    library = open_library()
    with _told(lang):
        tile_set = library.get(name)
        reader = open_reader(lang, taught=False)
        # Only what is said to lie there is learnt; bare table comes from the first photo.
        more = [e for e in gather(reader, load_photo(photo), names) if e.tile != "none"]
        with tqdm(disable=not sys.stderr.isatty(), file=sys.stderr, unit="step") as bar:

            def show(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            fresh = add_examples(tile_set, more, reader.classifier, insist=yes, progress=show)
        library.add(fresh, replace_old=True)
    click.echo(_learnt_more(name, len(more), fresh, lang))


def _named(told: str, lang: str) -> list[str]:
    """The tiles, backs and dice in a text, in order."""
    from rules import TileError, parse_tiles
    from vision.values import BACK, DICE, NONE

    names: list[str] = []
    for word in told.split():
        if word in (BACK, *DICE, NONE):
            names.append(word)
            continue
        try:
            names += parse_tiles(word)
        except TileError as error:
            raise UserError(
                say(
                    lang,
                    f"--tiles：看不懂“{word}”，请写 123m、back、die1 这样的词。",
                    f"--tiles: {error}; write words such as 123m, back and die1.",
                )
            ) from None
    return names


def _learnt_more(name: str, count: int, fresh: TileSet, lang: str) -> str:
    text = say(
        lang, f"“{name}”多学了 {count} 个样例。", f"{name!r} has learnt {count} more examples."
    )
    figures = fresh.others_figures
    if figures is not None:
        text += say(
            lang,
            f"背面和骰子：变样后认对 {figures.before:.1%} → {figures.after:.1%}。",
            f" Backs and dice: disguised looks named rightly {figures.before:.1%} -> "
            f"{figures.after:.1%}.",
        )
    return text


@command.command(name="refit")
@LANG_OPTION
def refit(lang: str) -> None:
    """Fit the sets again that an update of the models has left behind (no new photos needed)."""
    lang = language(lang)
    from tqdm import tqdm

    from server.photo_files import open_reader
    from server.tile_sets import open_library

    library = open_library()
    reader = open_reader(lang, taught=False)
    with tqdm(disable=not sys.stderr.isatty(), file=sys.stderr, unit="step") as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.n = done
            bar.refresh()

        with _told(lang):
            fresh = library.refit(reader.classifier, show)
    if not fresh:
        click.echo(say(lang, "都是最新的。", "All sets are up to date."))
    for s in fresh:
        click.echo(say(lang, f"已重新拟合：{s.name}", f"fitted again: {s.name}"))


@command.command(name="trial")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--draws", type=click.IntRange(1, 20), default=3, show_default=True)
@click.option("--least", type=click.IntRange(2), default=60, show_default=True)
@click.option(
    "--render-odd",
    is_flag=True,
    help="First render photos of deliberately odd tile sets into FOLDER.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which draw.")
@click.option(
    "--photos", type=click.IntRange(1, 100), default=7, show_default=True, help="Of each odd set."
)
@JSON_OPTION
def trial(
    folder: Path,
    draws: int,
    least: int,
    render_odd: bool,
    seed: int,
    photos: int,
    as_json: bool,
) -> None:
    """Measure what calibration gains on FOLDER's labelled photos, set by set.

    Sets with fewer than --least labelled faces are left out.
    """
    from models.calibration_trial import remaining_errors_gone, run_trials
    from vision.classifier import Classifier
    from vision.model_store import open_store

    if render_odd:
        from datasets.fonts import FontsMissing
        from datasets.odd_sets import write_trial

        try:
            write_trial(folder, photos=photos, seed=seed)
        except (FontsMissing, OSError) as error:
            raise UserError(str(error)) from None
    if not (folder / "manifest.json").exists():
        raise UserError(f"{folder} has no manifest.json: it is not a folder of labelled photos")
    with _told("en"):
        classifier = Classifier(open_store().model("classifier"))
        trials = run_trials(folder, classifier, draws, least)
    gone = remaining_errors_gone(trials)
    if as_json:
        rows = [t.to_json() for t in trials]
        click.echo(json.dumps({"sets": rows, "errors_gone_below_098": gone}))
        return
    click.echo(_told_trials(trials))
    if gone is not None:
        click.echo(f"errors gone, mean over sets that start below 0.98: {gone:.0%}")


def _told_trials(trials: Sequence[Trial]) -> str:
    """Tables of the figures by set, and by size of the faces."""
    lines = [
        "| set | faces | before | after | worst change | hand rows exact "
        "| recognised: right, asked, none, wrong |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = [t.to_json() for t in trials]
    for row in rows:
        figures = "| 0 | - | - | - | -"
        if row["before"] is not None:
            hands = row["rows"]
            figures = (
                f"| {row['faces']} | {row['before']:.3f} | {row['after']:.3f} "
                f"| {row['worst_change']:+.3f} "
                f"| {hands['exact_before']} -> {hands['exact_after']} of {hands['photos']}"
            )
        told = ", ".join(str(count) for count in row["recognised"].values())
        lines.append(f"| {row['source']} {figures} | {told} |")
    lines += [
        "",
        "| set, shorter side in pixels | faces | right before | right after | wrong, not marked |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row['source']}, from {size['from']:.0f} | {size['faces']} | {size['right_before']} "
        f"| {size['right_after']} | {size['wrong_unmarked']} |"
        for row in rows
        for size in row["sizes"]
        if size["faces"]
    ]
    return "\n".join(lines)
