"""Every example of the README is run: the two set-up commands from a fresh clone in a fresh virtual
environment (in CI), all others against what the README says they print."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READMES = ("README.md", "README.zh.md")
SETUP_MARKS = ("<!-- serve -->", "<!-- tests -->")
VENV_TOOLS = ("pip", "setuptools", "pkg_resources", "_distutils_hack")


def examples(name: str) -> list[tuple[str, str]]:
    """(command, expected output) of every console block that is not a set-up command."""
    text = (ROOT / name).read_text("utf-8")
    found = []
    for block in re.finditer(r"(<!-- \w+ -->\n)?```console\n(.*?)```", text, re.S):
        if (block[1] or "").strip() in SETUP_MARKS:
            continue
        for part in re.split(r"^\$ ", block[2], flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.strip("\n")))
    return found


def setup_command(mark: str, name: str = "README.md") -> str:
    """The one command under a set-up mark."""
    text = (ROOT / name).read_text("utf-8")
    block = re.search(re.escape(mark) + r"\n```console\n\$ (.*?)\n```", text)
    assert block, f"{name} has no command under {mark}"
    return block[1]


def matches(expected: str, printed: str) -> bool:
    """Whether the output is what the README shows; a line `...` stands for any lines."""
    pattern = re.escape(expected).replace(re.escape("...") + "\n", "(?:.*\n)*?")
    pattern = pattern.replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, printed.strip("\n"), re.S) is not None


@pytest.mark.parametrize(
    ("command", "expected"), [pytest.param(*e, id=e[0]) for n in READMES for e in examples(n)]
)
def test_example(command: str, expected: str) -> None:
    environment = os.environ | {"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    if expected:
        assert matches(expected, done.stdout), f"the README shows\n{expected}\nbut\n{done.stdout}"


@pytest.mark.parametrize("name", READMES)
def test_python_examples(name: str) -> None:
    """The `>>>` examples print what the README says."""
    failures, tried = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert tried > 0
    assert failures == 0


@pytest.mark.parametrize("mark", SETUP_MARKS)
def test_both_readmes_give_the_same_commands(mark: str) -> None:
    assert setup_command(mark) == setup_command(mark, "README.zh.md")


def first_answer(server: subprocess.Popen[str], began: float) -> tuple[str, float]:
    """The page of a server that has just said its address, and seconds since it was started."""
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            with urllib.request.urlopen(found[0], timeout=30) as reply:
                return reply.read().decode("utf-8"), time.monotonic() - began
    raise AssertionError("the server ended without saying its address")


def disk_use(folder: Path, except_for: tuple[str, ...]) -> int:
    """Bytes of disk that a virtual environment takes, as `du` counts (blocks, each file once),
    without the named distributions and packages in its site-packages."""
    blocks: dict[int, int] = {}
    for at, folders, files in os.walk(folder):
        if Path(at).name == "site-packages":
            folders[:] = [name for name in folders if name.split("-")[0] not in except_for]
        for name in (".", *files):
            stat = os.lstat(Path(at, name))
            blocks[stat.st_ino] = stat.st_blocks
    return 512 * sum(blocks.values())


@pytest.mark.slow
@pytest.mark.skipif(
    not os.environ.get("CI"), reason="installs into a fresh environment; runs in CI (CI=true)"
)
def test_the_serve_command_from_a_fresh_clone(tmp_path: Path) -> None:
    """Clone, run the README's first command, see the page; it answers within 2 s of start, and the
    whole environment, bytecode and all, takes at most 350 MB of disk (issue: light run time). Only
    what `python3 -m venv` itself puts into it is not counted."""
    clone = tmp_path / "zhuowu"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    install, start = setup_command("<!-- serve -->").rsplit(" && ", 1)
    subprocess.run(["bash", "-c", install], cwd=clone, check=True, timeout=600)
    shutil.rmtree(clone / "build", ignore_errors=True)
    environment = os.environ | {
        "ZHUOWU_PORT": "0",
        "PYTHONUNBUFFERED": "1",
        "ZHUOWU_OPEN_BROWSER": "false",
    }
    began = time.monotonic()
    server = subprocess.Popen(
        shlex.split(start),
        cwd=clone,
        env=environment,
        start_new_session=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        page, took = first_answer(server, began)
        assert "捉伍" in page
        assert took < 2.0, f"the page took {took:.1f} s to answer"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(20)
    megabytes = disk_use(clone / ".venv", VENV_TOOLS) / 2**20
    assert 250 < megabytes <= 350, f"{megabytes:.0f} MB installed"
