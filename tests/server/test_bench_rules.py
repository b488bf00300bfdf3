"""`zhuowu bench rules` measures what it says it measures (no time is asserted here)."""

from __future__ import annotations

import json
from collections import Counter

from click.testing import CliRunner

from rules import hand_problems, judge
from server.bench_rules import mixed_hands
from server.cli import zhuowu


def test_the_hands_are_distinct_possible_and_mixed() -> None:
    # "a median over 1,000 mixed hands with 0 to 7 jokers": equal shares, wins among them.
    hands = mixed_hands(400)
    assert len(set(hands)) == 400
    assert all(not hand_problems(hand) for hand in hands)
    jokers = Counter(sum(tile in hand.jokers for tile in hand.tiles) for hand in hands)
    assert jokers == dict.fromkeys(range(8), 50)
    assert 100 < sum(judge(hand).complete for hand in hands) < 300
    assert {len(hand.melds) for hand in hands} == {0, 1, 2}


def test_the_report_names_cold_and_warm() -> None:
    # Both must be told: a table already filled is not the first hand of a session.
    done = CliRunner().invoke(zhuowu, ["bench", "rules", "--hands", "20", "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.output)
    for key in ("judge_cold", "judge_warm", "waits_cold", "waits_warm"):
        assert 0 < report[key]["median_us"] <= report[key]["p95_us"]
    assert report["hands"] == 20
    assert report["import_wall_ms"] > 0
    words = CliRunner().invoke(zhuowu, ["bench", "rules", "--hands", "20"])
    assert "wait list, tables warm" in words.output


def test_too_few_hands_are_refused() -> None:
    # A median of three hands says nothing.
    done = CliRunner().invoke(zhuowu, ["bench", "rules", "--hands", "3"])
    assert done.exit_code == 2
    assert "at least 10" in done.output
