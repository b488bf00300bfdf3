"""`zhuowu judge`: hands in, scores out, one JSON object a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import click

from rules import answer
from server.cli import UserError

LINE_LIMIT = 1_000_000
"""Bytes of one line: far more than any request, so that one endless line cannot fill memory."""


def _refusal(number: int, zh: str, en: str) -> dict[str, Any]:
    reason = {"code": "bad_line", "zh": zh, "en": en}
    return {"id": None, "line": number, "error": [reason]}


def _answer_line(number: int, line: bytes) -> dict[str, Any]:
    """The answer to one line of text, whatever it holds."""
    try:
        request = json.loads(line.decode())
    except (ValueError, RecursionError) as broken:
        return _refusal(number, "这一行不是 JSON", f"line {number} is no JSON: {broken}")
    result = answer(request)
    if "error" in result and result["id"] is None:
        result = {"id": None, "line": number, "error": result["error"]}
    return result


def answer_lines(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    """Answer every line of a stream that is not blank, in order, as it comes."""
    number = 0
    while line := stream.readline(LINE_LIMIT + 1):
        number += 1
        if len(line) > LINE_LIMIT:
            while line and not line.endswith(b"\n"):
                line = stream.readline(LINE_LIMIT)
            yield _refusal(number, "这一行太长", f"line {number} is longer than {LINE_LIMIT} bytes")
        elif line.strip():
            yield _answer_line(number, line.removeprefix(b"\xef\xbb\xbf"))


@click.command()
@click.argument("source", type=click.Path(allow_dash=True, path_type=Path), metavar="FILE|-")
def command(source: Path) -> None:
    """Answer requests from FILE (or - for standard input), one JSON object a line.

    A hand gives {"id", "win", "complete", "fan", "names", "names_alt", "title"}; a hand that waits
    gives {"id", "waits": {tile: fan}}; whatever is refused gives {"id", "error": [reasons]}.
    """
    if str(source) == "-":
        _print_answers(sys.stdin.buffer)
        return
    try:
        stream = source.open("rb")
    except OSError as problem:
        raise UserError(
            f"cannot read {source}: {problem.strerror}; give a .jsonl file or -"
        ) from problem
    with stream:
        _print_answers(stream)


def _as_line(result: dict[str, Any]) -> str:
    """The result as one line of JSON that any stream can take."""
    try:
        text = json.dumps(result, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, RecursionError):
        # The request's id or a part quoted from it is half a character, or no JSON itself.
        return json.dumps(result | {"id": None}, default=str)
    return text


def _print_answers(stream: BinaryIO) -> None:
    for result in answer_lines(stream):
        # Flushed line by line, so that a program may ask and read in turn.
        click.echo(_as_line(result))
