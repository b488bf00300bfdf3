"""`zhuowu watch`: a table through a camera, its events and states as lines."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from server.cli import UserError
from server.language import LANG_OPTION, language, say
from server.live_parts import open_look, placement_named

if TYPE_CHECKING:
    from vision.live import LiveTable
    from vision.sources.reader import SourceReader
    from vision.tracking.state import TableState

LOOK_UP_S = 0.5


@click.command(name="watch")
@click.argument("source")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--placement", help="Where the table lies, by the name it was saved under.")
@click.option("--seconds", type=click.FloatRange(min=0.1), help="Stop after so long.")
@LANG_OPTION
def command(
    source: str, as_json: bool, placement: str | None, seconds: float | None, lang: str
) -> None:
    """Watch a table through SOURCE: a camera's number or name, an rtsp:// or http:// address, a
    video file or a folder of frames. Prints what happens as it happens; Ctrl-C ends it.

    Exits with 1 when the source never gave a picture, with 2 when it cannot be used.
    """
    lang = language(lang)
    from vision.live import LiveTable
    from vision.sources import FrameFollower, SourceError, SourceReader, named_source
    from vision.tracking.background import BackgroundLook

    placed = placement_named(placement, lang)
    try:
        camera = named_source(source, paced=True)
    except SourceError as error:
        raise UserError(error.message(lang)) from None
    look = open_look(lang)
    # A recording ends, and its last frames must be read; a camera always has another frame.
    table = LiveTable(BackgroundLook(look) if camera.live else look, placed)
    with SourceReader(camera) as reader:
        table.follow(lambda: reader.status().state)
        follower = FrameFollower(reader, table.handle)
        try:
            _print_all(table, reader, as_json, seconds, lang)
        except KeyboardInterrupt:
            pass
        finally:
            follower.close()
        if reader.status().frames == 0:
            sys.exit(1)


def _print_all(
    table: LiveTable, reader: SourceReader, as_json: bool, seconds: float | None, lang: str
) -> None:
    """Print every event and state until the source ends or the time is over."""
    import time

    until = float("inf") if seconds is None else time.monotonic() + seconds
    said: tuple[Any, ...] = ()
    with table.subscribe() as states:
        while time.monotonic() < until:
            state = states.next(LOOK_UP_S)
            status = reader.status()
            if (status.state, status.reason) != said:
                said = (status.state, status.reason)
                _print_status(status.to_json(), as_json, lang)
            if state is not None:
                for event in states.events(state):
                    _print_event(event.to_json(), as_json, lang)
                if not state.moving:
                    print_state(state, as_json, lang)
            elif status.state == "ended":
                return


def _print_status(status: dict[str, Any], as_json: bool, lang: str) -> None:
    if as_json:
        click.echo(json.dumps({"type": "source", **status}, ensure_ascii=False))
        return
    reason = status["reason"]
    text = f"{status['source']}: {status['state']}"
    click.echo(text if reason is None else f"{text} ({reason[lang]})", err=True)


def _print_event(event: dict[str, Any], as_json: bool, lang: str) -> None:
    if as_json:
        click.echo(json.dumps({"type": "event", **event}, ensure_ascii=False))
    else:
        mark = " ?" if event.get("doubtful") else ""
        click.echo(f"{event['at']:8.1f}  {event[lang]}{mark}")


def print_state(state: TableState, as_json: bool, lang: str) -> None:
    """Print a state: as a JSON line, or the hand before the camera in words."""
    if as_json:
        click.echo(json.dumps({"type": "state", **state.to_json()}, ensure_ascii=False))
        return
    from rules import format_tiles
    from rules.tiles import KINDS

    mine = state.seats[0]
    names = [p.tile.tile for p in mine.hand if p.tile.tile in KINDS]
    if not names:
        return
    drawn = f" + {mine.drawn.tile.tile}" if mine.drawn else ""
    click.echo(say(lang, "    手牌 ", "    hand ") + format_tiles(names) + drawn)
    for entry in state.analysis:
        if entry.seat == 0 and entry.advice is not None:
            headline = entry.advice.headline
            click.echo("    " + say(lang, headline.zh, headline.en))
