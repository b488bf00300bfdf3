"""`zhuowu simulate`: random hands against the rules engine, every law checked after every event."""

from __future__ import annotations

import json
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, TextIO

import click
from tqdm import tqdm

from rules.options import OptionError, RuleOptions
from rules.simulate import InvariantError, Tally, simulate
from server.cli import UserError
from server.rule_option import RULE_OPTION


@click.command()
@click.option("--games", default=100, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=0, show_default=True, help="The same seed plays the same hands.")
@click.option("--eager", is_flag=True, help="Players try to win; else every choice is by chance.")
@click.option(
    "--faults",
    default=0.0,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="How often a choice may be a fault that makes 相公.",
)
@click.option("--mix", is_flag=True, help="New rule options by chance for every 锅.")
@RULE_OPTION
@click.option(
    "--write",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write every hand to this file, one JSON object a line.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    games: int,
    seed: int,
    eager: bool,
    faults: float,
    mix: bool,
    pairs: tuple[str, ...],
    write: Path | None,
    as_json: bool,
) -> None:
    """Play random hands and check every law of the table after every event.

    136 tiles accounted for, points that sum to zero, a replay that stands the same at every step,
    JSON that rebuilds the hand. Exit 1 when a law is broken, with the hand that broke it.
    """
    if mix and pairs:
        raise UserError("--mix draws all options by chance; leave --option out, or --mix")
    try:
        options = None if mix else RuleOptions.from_pairs(pairs)
    except OptionError as error:
        raise UserError(str(error)) from None
    start = time.perf_counter()
    try:
        tally = _run(games, Random(seed), options, eager, faults, write)
    except InvariantError as error:
        click.echo(f"a law is broken with --seed {seed}: {error}", err=True)
        sys.exit(1)
    except OSError as error:
        raise UserError(f"cannot write {write}: {error.strerror}; choose another file") from None
    seconds = time.perf_counter() - start
    report = {"seed": seed, "eager": eager, **tally.to_json(), "seconds": round(seconds, 2)}
    report["options"] = "mixed" if options is None else options.to_mapping()
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else _in_words(report))


def _run(
    games: int,
    chance: Random,
    options: RuleOptions | None,
    eager: bool,
    faults: float,
    write: Path | None,
) -> Tally:
    tally = Tally()
    with ExitStack() as stack:
        out: TextIO | None = None
        if write is not None:
            out = stack.enter_context(write.open("w", encoding="utf-8"))
        played = simulate(games, chance, options, eager, faults)
        quiet = not sys.stderr.isatty()
        for table, _tally in tqdm(played, total=games, unit="hand", disable=quiet):
            tally = _tally
            if out is not None:
                out.write(json.dumps(table.to_json(), ensure_ascii=False) + "\n")
    return tally


def _in_words(report: dict[str, Any]) -> str:
    outcomes = report["outcomes"]
    lines = [
        f"{report['games']} hands, {report['events']} events, {report['seconds']} s;"
        " every law held after every event",
        f"won {outcomes.get('win', 0)}, drawn {outcomes.get('draw', 0)},"
        f" void {outcomes.get('void', 0)}; mean {report['mean_fan']} 番 a win",
    ]
    lines += [f"  {title}: {count}" for title, count in report["titles"].items()]
    lines.append("points: " + ", ".join(f"{name} {n:+d}" for name, n in report["totals"].items()))
    return "\n".join(lines)
