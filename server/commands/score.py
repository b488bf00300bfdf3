"""`zhuowu score`: what the hand in a photo is worth, and why."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from rules import RuleOptions, RulesError, TileError, joker_kinds, parse_tiles
from server.cli import UserError
from server.language import LANG_OPTION, language, say
from server.photo_files import open_reader
from server.rule_option import RULE_OPTION


@click.command(name="score")
@click.argument("photo", type=click.Path(path_type=Path))
@click.option("--indicator", help="The turned tile 翻混牌, for example 5m.")
@click.option("--jokers", help="The joker kinds themselves, for example 5m6m.")
@RULE_OPTION
@click.option("--gang-draw", is_flag=True, help="The drawn tile replaced a gang (杠开).")
@click.option("--drawn", help="The drawn tile, or none; by default the one set apart.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@LANG_OPTION
def command(
    photo: Path,
    indicator: str | None,
    jokers: str | None,
    pairs: tuple[str, ...],
    gang_draw: bool,
    drawn: str | None,
    as_json: bool,
    lang: str,
) -> None:
    """Read the hand in PHOTO and say what it is worth, or what it waits for.

    Exits with 0 for a win or a list of waits, 1 for a hand that does not win (or waits for
    nothing yet), 2 when there is nothing that can be judged.
    """
    lang = language(lang)
    try:
        rules = RuleOptions.from_pairs(pairs)
    except RulesError as error:
        raise UserError("; ".join(say(lang, r.zh, r.en) for r in error.reasons)) from None
    kinds = _joker_kinds(indicator, jokers, rules.joker_rule, lang)
    drawn_tile = _drawn_tile(drawn, lang)
    reader = open_reader(lang)
    from server.score_photo import score
    from server.score_text import describe
    from vision.errors import VisionError
    from vision.layout import lay_out
    from vision.photo import load_photo
    from vision.reading import with_drawn

    try:
        reading = reader.read(load_photo(photo), four_of_a_kind=True)
        table = lay_out(reading)
        if drawn is not None:
            table = with_drawn(table, drawn_tile)
    except VisionError as error:
        if as_json:
            line = {"image": str(photo), "error": [error.to_json()]}
            click.echo(json.dumps(line, ensure_ascii=False))
            sys.exit(2)
        raise UserError(f"{photo}: {error.message(lang)}") from None
    scored = score(reading, table, kinds, rules, gang_draw=gang_draw, drawn_known=drawn is not None)
    if as_json:
        click.echo(json.dumps(scored.to_json(), ensure_ascii=False))
    else:
        click.echo("\n".join(describe(scored, lang)), err=bool(scored.reasons))
    sys.exit(scored.exit_code)


def _joker_kinds(
    indicator: str | None, jokers: str | None, rule: str, lang: str
) -> tuple[str, ...]:
    if indicator is not None and jokers is not None:
        raise UserError(
            say(
                lang,
                "--indicator 和 --jokers 只能给一个。",
                "Give --indicator or --jokers, not both.",
            )
        )
    if indicator is not None:
        return joker_kinds(_one_tile("--indicator", indicator, lang), rule)
    return tuple(dict.fromkeys(_tiles("--jokers", jokers, lang))) if jokers else ()


def _drawn_tile(drawn: str | None, lang: str) -> str | None:
    if drawn is None or drawn.strip().lower() == "none":
        return None
    return _one_tile("--drawn", drawn, lang)


def _one_tile(name: str, text: str, lang: str) -> str:
    tiles = _tiles(name, text, lang)
    if len(tiles) != 1:
        raise UserError(
            say(
                lang,
                f"{name} 要一张牌，例如 5m；现在是“{text}”。",
                f"{name} takes one tile, for example 5m, not {text!r}.",
            )
        )
    return tiles[0]


def _tiles(name: str, text: str, lang: str) -> tuple[str, ...]:
    try:
        return parse_tiles(text)
    except TileError as error:
        raise UserError(
            say(lang, f"{name}：看不懂“{text}”，请写 5m 这样的牌。", f"{name}: {error}")
        ) from None
