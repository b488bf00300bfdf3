"""Kill a program that enters hands, at random moments, and look whether anything was lost.

`python -m server.ledger.kill_check --kills 1000` starts a writer, kills it (SIGKILL), inspects the
file, and goes on with the same request, as a page does that got no answer. Counted are settlements
lost after they were acknowledged, entered twice, or entered by half.

This shows what a killed process leaves. What a power cut leaves is SQLite's `synchronous=FULL` and
the disk's own honesty; no program can test that from inside.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from rules.settlement import settle
from server.ledger.inputs import Extras, Request, clean_picture
from server.ledger.records import Sheet
from server.ledger.store import Ledger

PLAYERS = ("甲", "乙", "丙", "丁")
HANDS_IN_A_GUO = 15
LATEST_KILL_S = 0.004
"""Longest time from an acknowledgement to the kill; entering a hand takes a few ms."""

STARTING_KILL_S = 0.4
"""Longest time from the start to the kill, for the kills while the file is being made."""


@dataclass
class Verdict:
    """What was found.

    Attributes:
        kills: writers killed.
        acknowledged: settlements acknowledged before a kill.
        unanswered: kills after which a settlement was in the file that was not acknowledged yet;
            the repeated request found it.
        lost: acknowledged and not in the file.
        twice: requests entered more than once.
        half: lines without what belongs to them.
        damaged: what SQLite's own check complained about.
    """

    kills: int = 0
    acknowledged: int = 0
    unanswered: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    half: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Nothing lost, doubled, halved or damaged."""
        return not (self.lost or self.twice or self.half or self.damaged)

    def to_json(self) -> dict[str, Any]:
        """Counts, and the keys of what went wrong."""
        return dict(vars(self))


def guo_key(step: int) -> str:
    """The request key of the 锅 that a step's hand belongs to."""
    return f"guo-{step // HANDS_IN_A_GUO}"


def hand_key(step: int) -> str:
    """The request key of a step's hand."""
    return f"hand-{step}"


def enter(ledger: Ledger, step: int) -> None:
    """Enter the hand of a step, and before it the 锅 it belongs to; both may be there already."""
    chance = random.Random(step)
    begun = ledger.begin(PLAYERS, {"max_la": 2}, request=Request(guo_key(step)))
    winner = chance.choice((None, 0, 1, 2, 3))
    result = {
        "winner": winner,
        "fan": 0 if winner is None else chance.randint(2, 28),
        "gangs": [{"player": chance.randrange(4), "kind": chance.choice(("open", "concealed"))}],
    }
    picture = clean_picture(b"\xff\xd8\xff" + chance.randbytes(chance.randint(100, 60_000)))
    extras = Extras(f"第{step}", {"tiles": ["5m"] * 14}, picture)
    ledger.enter_hand(begun.sheet.id, result, extras, request=Request(hand_key(step)))


def write(path: Path, step: int) -> None:
    """Enter hand after hand, saying each on standard output once it is acknowledged."""
    ledger = Ledger(path)
    while True:
        enter(ledger, step)
        sys.stdout.write(f"{step}\n")
        sys.stdout.flush()
        step += 1


def inspect(path: Path, acknowledged: int, verdict: Verdict) -> None:
    """Compare the file with what was acknowledged: the hands of the steps 0 to `acknowledged` - 1.

    Args:
        path: the ledger.
        acknowledged: how many hands were.
        verdict: what is found is added here.
    """
    with closing(sqlite3.connect(path)) as db:
        complaints = [row[0] for row in db.execute("PRAGMA integrity_check")]
        verdict.damaged += [text for text in complaints if text != "ok"]
        verdict.damaged += [str(row) for row in db.execute("PRAGMA foreign_key_check")]
    ledger = Ledger(path)
    try:
        found: list[str] = []
        for sheet in ledger.sheets():
            found += [line.title for line in sheet.lines]
            verdict.half += _half_lines(ledger, sheet)
        verdict.half += _loose_requests(path)
    finally:
        ledger.close()
    expected = [f"第{step}" for step in range(acknowledged)]
    verdict.lost += sorted(set(expected) - set(found))
    verdict.twice += sorted({title for title in found if found.count(title) > 1})
    verdict.unanswered += len(set(found) - set(expected))


def _half_lines(ledger: Ledger, sheet: Sheet) -> list[str]:
    """Lines whose points, order or picture are not what was entered."""
    half = []
    for place, line in enumerate(sheet.lines):
        result = line.entry.result
        whole = (
            line.number == place + 1
            and result is not None
            and settle(result, sheet.guo.options).deltas == line.entry.deltas
            and line.reading == {"tiles": ["5m"] * 14}
            and line.has_picture
            and ledger.picture(sheet.id, line.number).sha256 == line.picture_sha256
        )
        if not whole:
            half.append(f"锅 {sheet.id} line {line.number}")
    return half


def _loose_requests(path: Path) -> list[str]:
    """Lines without the key they were entered under, and keys without their line."""
    with closing(sqlite3.connect(path)) as db:
        asked = db.execute("SELECT key, guo, number FROM request")
        keys = {(guo, number): key for key, guo, number in asked}
        lines = {tuple(row) for row in db.execute("SELECT guo, number FROM entry")}
        guos = {(row[0], 0) for row in db.execute("SELECT id FROM guo")}
    return [f"request {keys.get(pair, pair)}" for pair in keys.keys() ^ (lines | guos)]


def run(kills: int, seed: int, folder: Path) -> Verdict:
    """Kill that many writers; every tenth while it makes a new file.

    Args:
        kills: how many.
        seed: of the moments.
        folder: empty, for the ledgers.
    """
    chance = random.Random(seed)
    verdict = Verdict()
    path, acknowledged = folder / "0.sqlite", 0
    for number in range(kills):
        starting = number % 10 == 0
        if starting:
            path, acknowledged = folder / f"{number}.sqlite", 0
        acks = _one_kill(path, acknowledged, starting, chance)
        verdict.kills += 1
        verdict.acknowledged += acks
        acknowledged += acks
        if path.exists():
            inspect(path, acknowledged, verdict)
    return verdict


def _one_kill(path: Path, step: int, starting: bool, chance: random.Random) -> int:
    """Start a writer, kill it, and say how many hands it acknowledged."""
    command = [sys.executable, "-m", "server.ledger.kill_check"]
    writer = subprocess.Popen(
        [*command, "--writer", str(path), "--step", str(step)], stdout=subprocess.PIPE
    )
    assert writer.stdout is not None
    with writer.stdout as acknowledgements:
        if starting:
            time.sleep(chance.uniform(0, STARTING_KILL_S))
            acks = 0
        else:
            acks = _wait_for(acknowledgements, chance.randint(1, 6), writer)
            time.sleep(chance.uniform(0, LATEST_KILL_S))
        writer.kill()
        writer.wait()
        # What was written to the pipe before the kill counts as acknowledged, too.
        return acks + len(acknowledgements.read().split())


def _wait_for(acknowledgements: IO[bytes], count: int, writer: subprocess.Popen[bytes]) -> int:
    for got in range(count):
        if not acknowledgements.readline():
            raise RuntimeError(f"the writer ended by itself after {got} hands: {writer.wait()}")
    return count


def main(arguments: list[str] | None = None) -> int:
    """The script: 0 when nothing was lost, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="python -m server.ledger.kill_check", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="how many writers to kill")
    parser.add_argument("--seed", type=int, default=0, help="of the random moments")
    parser.add_argument("--writer", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--step", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.writer is not None:
        write(given.writer, given.step)
    with tempfile.TemporaryDirectory() as folder:
        verdict = run(given.kills, given.seed, Path(folder))
    print(json.dumps(verdict.to_json(), ensure_ascii=False))
    return 0 if verdict.sound else 1


if __name__ == "__main__":
    sys.exit(main())
