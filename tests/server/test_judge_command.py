"""`zhuowu judge`: a stream of requests in, one JSON result a line out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from server.cli import zhuowu

VECTORS = Path(__file__).parents[2] / ".." / "shared" / "rules" / "vectors"
HAND = (
    '{"id": 1, "concealed": ["4m","6m","5p","6p","7p","6s","7s","8s","2z","2z"],'
    ' "melds": [{"kind": "pong", "tile": "3z"}], "jokers": ["9p","1p"], "win_tile": "5m"}'
)


def _judge(*args: str, stdin: bytes | str = b"") -> tuple[int, list[dict[str, Any]], str]:
    done = CliRunner().invoke(zhuowu, ["judge", *args], input=stdin)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return done.exit_code, [json.loads(line) for line in lines], done.output


@pytest.mark.parametrize("name", ["dev", "dev_invalid", "dev_jokers"])
def test_every_dev_vector_goes_through_the_command(name: str) -> None:
    # The issue: "All of dev.jsonl and dev_invalid.jsonl pass through `zhuowu judge FILE.jsonl`".
    path = VECTORS / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip("the shared rule vectors are not beside this checkout (../shared/rules)")
    wanted = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    code, given, _ = _judge(str(path))
    assert code == 0
    assert [result["id"] for result in given] == [vector["id"] for vector in wanted]
    for vector, result in zip(wanted, given, strict=True):
        if "expect_waits" in vector:
            assert result["waits"] == vector["expect_waits"], vector["why"]
        elif vector["expect"].get("error"):
            assert result["error"], vector["why"]
        elif vector["type"] == "jokers":
            assert result["jokers"] == vector["expect"]["jokers"], vector["why"]
        else:
            expect = vector["expect"]
            for key in ("fan", "win", "complete"):
                assert result[key] == expect[key], vector["why"]
            assert result["names"] in (expect["names_alt"] or [[]]), vector["why"]


def test_bad_lines_are_answered_in_place() -> None:
    # "streaming, in order, never stopping at a bad line": each bad line has its own answer.
    bad = [b"{broken", b"[1]", b'"text"', b"\xff\xfe", b"[" * 50_000, b"x" * 1_200_000]
    stream = b"\n".join([HAND.encode(), *bad, b"", b'{"id": "\\ud800"}', HAND.encode()])
    code, given, _ = _judge("-", stdin=stream)
    assert code == 0
    assert [result["id"] for result in given] == [1, *[None] * 7, 1]
    assert [result.get("line") for result in given[1:7]] == [2, 3, 4, 5, 6, 7]
    assert all(result["error"] for result in given[1:8])
    assert given[0]["title"] == given[-1]["title"] == "没混儿捉伍儿"


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    # Editors on Windows write both.
    _, given, _ = _judge("-", stdin=b"\xef\xbb\xbf" + HAND.encode() + b"\r\n\r\n")
    assert [result["fan"] for result in given] == [6]


def test_a_missing_file_is_said_with_exit_code_two(tmp_path: Path) -> None:
    # Unusable input is exit code 2 with the reason, never a traceback.
    for path in (tmp_path / "none.jsonl", tmp_path):
        code, _, output = _judge(str(path))
        assert code == 2
        assert "cannot read" in output
        assert "Traceback" not in output


def test_answers_come_while_the_stream_is_open() -> None:
    # A program may ask one hand at a time: the answer must not wait for the end of the input.
    command = [sys.executable, "-m", "server.cli", "judge", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(HAND.encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["fan"] == 6
        process.stdin.close()
        assert process.wait(timeout=60) == 0
