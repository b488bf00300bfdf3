"""The three clients of docs/api.md, run as they stand there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser.waiting import PATIENCE_S, wait_for

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


def client(name: str) -> str:
    found = re.search(rf"<!-- client: {name} -->\n```\w+\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    assert found is not None, name
    return found[1]


def run(command: list[str], address: str) -> Any:
    done = subprocess.run(
        command,
        env=os.environ | {"ZHUOWU": address.rstrip("/"), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.decode("utf-8"))


def test_curl(address: str) -> None:
    if shutil.which("curl") is None or shutil.which("bash") is None:
        pytest.skip("no curl here")
    found = run(["bash", "-c", client("curl")], address)
    assert (found["kind"], found["fan"]) == ("win", 14)


def test_python(address: str) -> None:
    """Seed: 坐庄 doubles what the dealer pays: 28 and twice 14."""
    found = run([sys.executable, "-c", client("python")], address)
    assert found == {"fan": 14, "title": "捉伍儿本混儿龙", "deltas": [-28, -14, 56, -14]}


def test_browser(open_desk: Any) -> None:
    page = open_desk(at="#by-hand").page
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.evaluate(f"async () => {{ {client('browser')} }}")
    wait_for(page, lambda: "14 捉伍儿本混儿龙" in said, "the client says what it found")
