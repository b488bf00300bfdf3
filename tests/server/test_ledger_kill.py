"""kill -9 while hands are entered: nothing acknowledged is lost, nothing is entered by half.

The same check with 1,000 kills: `python -m server.ledger.kill_check --kills 1000`.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.ledger import Ledger
from server.ledger.kill_check import Verdict, enter, inspect, run


def test_twenty_five_kills_lose_nothing(tmp_path: Path) -> None:
    verdict = run(25, seed=20250131, folder=tmp_path)
    assert verdict.kills == 25
    assert verdict.acknowledged >= 20
    assert verdict.sound, verdict.to_json()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    ledger = Ledger(tmp_path / "ledger.sqlite")
    for step in range(3):
        enter(ledger, step)
    ledger.close()
    return ledger.path


def look(path: Path, acknowledged: int) -> Verdict:
    verdict = Verdict()
    inspect(path, acknowledged, verdict)
    return verdict


def harm(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def test_the_check_passes_what_is_whole(path: Path) -> None:
    assert look(path, 3).sound
    assert (look(path, 2).sound, look(path, 2).unanswered) == (True, 1)


def test_the_check_notices_a_lost_hand(path: Path) -> None:
    assert look(path, 4).lost == ["第3"]
    assert not look(path, 4).sound


def test_the_check_notices_half_a_hand(path: Path) -> None:
    harm(path, "DELETE FROM picture WHERE entry = 2")
    assert look(path, 3).half == ["锅 1 line 2"]


def test_the_check_notices_a_hand_without_its_request(path: Path) -> None:
    harm(path, "DELETE FROM request WHERE key = 'hand-1'")
    assert look(path, 3).half == ["request (1, 2)"]


def test_the_check_notices_a_hand_entered_twice(path: Path) -> None:
    harm(path, "DELETE FROM request WHERE key = 'hand-2'")
    ledger = Ledger(path)
    enter(ledger, 2)
    ledger.close()
    assert look(path, 3).twice == ["第2"]
