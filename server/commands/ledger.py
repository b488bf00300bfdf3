"""`zhuowu ledger`: the score sheets in the terminal."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from server.cli import UserError
from server.config import ConfigError, load_config
from server.language import LANG_OPTION, language, say
from server.ledger import FILE_NAME, Ledger, LedgerError, Picture, Sheet
from server.ledger.export import KIND_WORDS, kind_of, ledger_to_json, sheet_to_csv
from server.ledger.restore import restore

LARGEST_FILE = 2**30
"""Bytes of a file to bring back: what the pictures of many evenings come to."""

FILE_OPTION = click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The ledger (default: ledger.sqlite in the data folder of the configuration).",
)
JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(name="ledger")
def command() -> None:
    """Show, export and bring back the score sheets."""


@command.command(name="list")
@FILE_OPTION
@JSON_OPTION
@LANG_OPTION
def list_guos(path: Path | None, as_json: bool, lang: str) -> None:
    """List every 锅, the latest first."""
    lang = language(lang)
    with _ledger(path, lang) as ledger:
        count = ledger.summaries(1)[1] if ledger.path.exists() else 0
        guos = ledger.summaries(count)[0] if count else []
    if as_json:
        click.echo(json.dumps({"guos": guos, "count": count}, ensure_ascii=False))
        return
    if not guos:
        click.echo(say(lang, f"{ledger.path} 里还没有账。", f"Nothing in {ledger.path} yet."))
    for guo in guos:
        click.echo(_summary_line(guo, lang))


@command.command(name="show")
@click.argument("guo_id", type=click.IntRange(1), metavar="ID")
@FILE_OPTION
@JSON_OPTION
@LANG_OPTION
def show(guo_id: int, path: Path | None, as_json: bool, lang: str) -> None:
    """Show every line of the 锅 with number ID."""
    lang = language(lang)
    with _ledger(path, lang) as ledger:
        sheet = _sheet(ledger, guo_id, lang)
    if as_json:
        click.echo(json.dumps(sheet.to_json(), ensure_ascii=False))
    else:
        click.echo("\n".join(_sheet_lines(sheet, lang)))


@command.command(name="export")
@click.argument("guo_id", type=click.IntRange(1), metavar="ID", required=False)
@click.option("--csv", "as_csv", is_flag=True, help="CSV for spreadsheets (needs ID).")
@click.option("--json", "as_json", is_flag=True, help="JSON that can be brought back (default).")
@click.option("--pictures", is_flag=True, help="With the pictures that were kept (JSON only).")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file instead of the terminal; it must not exist yet.",
)
@FILE_OPTION
@LANG_OPTION
def export(
    guo_id: int | None,
    as_csv: bool,
    as_json: bool,
    pictures: bool,
    output: Path | None,
    path: Path | None,
    lang: str,
) -> None:
    """Export the 锅 with number ID, or all of them."""
    lang = language(lang)
    if as_csv and (as_json or pictures or guo_id is None):
        raise UserError(
            say(
                lang,
                "--csv 一次导出一锅（要给编号），不能和 --json、--pictures 同用。",
                "--csv exports one 锅 (give its ID) and goes with neither --json nor --pictures.",
            )
        )
    with _ledger(path, lang) as ledger:
        if guo_id is None:
            sheets = ledger.sheets() if ledger.path.exists() else []
        else:
            sheets = [_sheet(ledger, guo_id, lang)]
        kept = ledger.pictures(sheets) if pictures else {}
    _write(_exported(sheets, as_csv, kept, lang), output, lang)


@command.command(name="import")
@click.argument("source", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@FILE_OPTION
@JSON_OPTION
@LANG_OPTION
def bring_back(source: Path, path: Path | None, as_json: bool, lang: str) -> None:
    """Add the 锅 of an exported JSON FILE that are not in the ledger yet."""
    lang = language(lang)
    with _ledger(path, lang) as ledger:
        result = restore(ledger, _read_json(source, lang))
    if as_json:
        click.echo(json.dumps(result.to_json(), ensure_ascii=False))
        return
    click.echo(
        say(
            lang,
            f"新增 {len(result.added)} 锅，已有 {len(result.present)} 锅。",
            f"{len(result.added)} added, {len(result.present)} were here already.",
        )
    )
    for guo_id in result.differing:
        click.echo(
            say(
                lang,
                f"第 {guo_id} 锅和文件里的不同，保持原样。",
                f"锅 {guo_id} differs from the one in the file and was left as it is.",
            )
        )


@contextmanager
def _ledger(path: Path | None, lang: str) -> Iterator[Ledger]:
    """The ledger asked for; what it refuses becomes a message."""
    try:
        where = path or load_config().config.data_folder / FILE_NAME
    except ConfigError as error:
        raise UserError(str(error)) from None
    ledger = Ledger(where)
    try:
        yield ledger
    except LedgerError as error:
        raise UserError(say(lang, error.zh, error.en)) from None
    finally:
        ledger.close()


def _sheet(ledger: Ledger, guo_id: int, lang: str) -> Sheet:
    """The 锅; looking for one makes no file."""
    if not ledger.path.exists():
        raise UserError(
            say(lang, f"还没有账本 {ledger.path}。", f"There is no ledger {ledger.path} yet.")
        )
    return ledger.sheet(guo_id)


def _exported(
    sheets: list[Sheet], as_csv: bool, pictures: dict[tuple[int, int], Picture], lang: str
) -> str:
    if as_csv:
        return sheet_to_csv(sheets[0], lang)
    return json.dumps(ledger_to_json(sheets, pictures), ensure_ascii=False, indent=1) + "\n"


def _write(text: str, output: Path | None, lang: str) -> None:
    if output is None:
        click.echo(text.encode("utf-8"), nl=False)
        return
    try:
        with output.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:
        raise UserError(
            say(
                lang,
                f"{output} 已经存在，没有覆盖；请换一个文件名。",
                f"{output} exists and was not overwritten; choose another name.",
            )
        ) from None
    except OSError as error:
        raise UserError(
            say(
                lang,
                f"写不了 {output}：{error.strerror}。请换一个位置。",
                f"{output} cannot be written: {error.strerror}. Choose another place.",
            )
        ) from None


def _read_json(source: Path, lang: str) -> Any:
    try:
        if source.stat().st_size > LARGEST_FILE:
            raise ValueError(f"over {LARGEST_FILE // 2**20} MB")
        return json.loads(source.read_text(encoding="utf-8-sig"))
    except OSError as error:
        why = error.strerror or str(error)
    except (ValueError, RecursionError) as error:
        why = str(error)
    raise UserError(
        say(
            lang,
            f"{source} 不是能读的 JSON：{why}。请给 zhuowu ledger export 写出的文件。",
            f"{source} is no JSON that can be read: {why}. "
            "Give a file written by zhuowu ledger export.",
        )
    )


def _summary_line(guo: dict[str, Any], lang: str) -> str:
    state = say(lang, "完", "over") if guo["ended_at"] else say(lang, "在打", "open")
    hands = say(lang, f"{guo['hands']} 盘", f"{guo['hands']} hands")
    score = "  ".join(f"{name} {points:+d}" for name, points in guo["score"].items())
    return f"{guo['id']:>4}  {guo['started_at']}  {state}  {hands}  {score}"


def _sheet_lines(sheet: Sheet, lang: str) -> list[str]:
    """The sheet as text columns: number, kind, points by player, totals, title or note."""
    players = sheet.guo.players
    width = max(8, *(_width(name) + 2 for name in players))
    out = [" " * 12 + "".join(_right(name, width) for name in players)]
    for line, running in zip(sheet.lines, sheet.running(), strict=True):
        kind = KIND_WORDS[lang][kind_of(line)]
        points = "".join(_right(f"{delta:+d}", width) for delta in line.entry.deltas)
        totals = " ".join(f"{total:+d}" for total in running)
        taken_back = "" if sheet.stands(line) else say(lang, "（已撤销）", "(undone)")
        words = " ".join(word for word in (line.title, line.entry.note, taken_back) if word)
        out.append(f"{line.number:>3} {_left(kind, 8)}{points}   [{totals}]  {words}".rstrip())
    total = "".join(_right(f"{points:+d}", width) for points in sheet.guo.totals)
    out.append(_left(say(lang, "累计", "total"), 12) + total)
    dealer = players[sheet.guo.dealer]
    if sheet.ended_at is None:
        out.append(
            say(
                lang,
                f"下一盘 {dealer} 坐庄家，连庄 {sheet.dealer_streak} 盘，第 {sheet.guo.circle} 圈",
                f"{dealer} deals next ({sheet.dealer_streak} in a row so far), "
                f"circle {sheet.guo.circle} of 4",
            )
        )
    return out


def _width(text: str) -> int:
    """Columns a text takes in a terminal."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _right(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text


def _left(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
