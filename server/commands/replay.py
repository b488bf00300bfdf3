"""`zhuowu replay`: a recorded game to its event log, its states over time and its score sheet."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from server.cli import UserError
from server.commands.watch import print_state
from server.language import LANG_OPTION, language, say
from server.live_parts import open_look, placement_named

if TYPE_CHECKING:
    from vision.sources.frame import Frame
    from vision.tracking.watcher import TableWatcher

SEATS_ZH = ("自己", "下家", "对家", "上家")
SEATS_EN = ("me", "right", "across", "left")
STATE_EVERY_S = 1.0


@click.command(name="replay")
@click.argument("video")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--placement", help="Where the table lies, by the name it was saved under.")
@click.option("--states", is_flag=True, help="Print the states over time as well.")
@click.option("--every", type=click.IntRange(1), default=1, help="Look at every n-th frame only.")
@LANG_OPTION
def command(
    video: str, as_json: bool, placement: str | None, states: bool, every: int, lang: str
) -> None:
    """Read a recorded game: VIDEO is a video file or a folder of frames.

    Prints every event with its time in the recording, and at the end the score sheet.
    """
    lang = language(lang)
    from vision.sources import SourceError, every_frame, named_source
    from vision.tracking.watcher import TableWatcher

    placed = placement_named(placement, lang)
    try:
        source = named_source(video)
        if source.live:
            message = say(
                lang,
                f"{video} 是实时画面，不是录像。请用 zhuowu watch。",
                f"{video} is live, not a recording. Use zhuowu watch.",
            )
            raise UserError(message)
        frames = every_frame(source)
        watcher = TableWatcher(open_look(lang), placed, auto_place=True)
        quiet = not sys.stderr.isatty()
        sheet = _Sheet(watcher, as_json, lang)
        for number, frame in enumerate(tqdm(frames, disable=quiet, unit="frame", file=sys.stderr)):
            if number % every == 0:
                sheet.take(frame, states)
    except SourceError as error:
        raise UserError(error.message(lang)) from None
    sheet.finish()


class _Sheet:
    """Prints what happens and gathers how each hand ended."""

    def __init__(self, watcher: TableWatcher, as_json: bool, lang: str) -> None:
        self._watcher, self._as_json, self._lang = watcher, as_json, lang
        self._told = 0
        self._version = -1
        self._shown_at = float("-inf")
        self._hands: list[dict[str, Any]] = []
        self._open: dict[str, Any] | None = None

    def take(self, frame: Frame, states: bool) -> None:
        """One frame."""
        at = frame.at if frame.position is None else frame.position
        state = self._watcher.see(frame.pixels, at, frame.wall)
        new = min(self._watcher.events_told - self._told, len(state.events))
        self._told = self._watcher.events_told
        for event in state.events[len(state.events) - new :]:
            if event.kind == "cleared":
                self._close()
            self._line("event", event.to_json(), f"{event.at:8.1f}  {_said(event, self._lang)}")
        if state.round is not None:
            self._open = state.round
        due = at - self._shown_at >= STATE_EVERY_S
        if states and due and state.version != self._version and not state.moving:
            self._version, self._shown_at = state.version, at
            print_state(state, self._as_json, self._lang)

    def finish(self) -> None:
        """Print the score sheet."""
        self._close()
        totals = [0, 0, 0, 0]
        for number, hand in enumerate(self._hands, 1):
            outcome = hand["outcome"]
            if outcome is None:
                text = say(self._lang, "未见结束", "no end was seen")
                self._line("hand", {"number": number, **hand}, f"{number:3}  {text}")
                continue
            for seat, points in enumerate(outcome["deltas"]):
                totals[seat] += points
            names = SEATS_ZH if self._lang == "zh" else SEATS_EN
            points_text = "  ".join(
                f"{name} {points:+d}" for name, points in zip(names, outcome["deltas"], strict=True)
            )
            title = outcome["title"] or say(self._lang, "和局", "drawn")
            self._line("hand", {"number": number, **hand}, f"{number:3}  {title}  {points_text}")
        data = {"hands": len(self._hands), "totals": totals}
        total = "  ".join(f"{points:+d}" for points in totals)
        self._line("sheet", data, say(self._lang, "合计  ", "total  ") + total)

    def _close(self) -> None:
        if self._open is not None and self._open["moves"]:
            self._hands.append(self._open)
        self._open = None

    def _line(self, kind: str, data: dict[str, Any], text: str) -> None:
        if self._as_json:
            click.echo(json.dumps({"type": kind, **data}, ensure_ascii=False))
        else:
            click.echo(text)


def _said(event: Any, lang: str) -> str:
    mark = " ?" if event.doubtful else ""
    return f"{event.zh if lang == 'zh' else event.en}{mark}"
