"""The time of a full discard analysis, for `zhuowu bench rules`."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

from rules import Hand
from rules.advice import advise

ADVICE_TARGET_MS = 5.0
"""p95 of one analysis; the best web peer states 21 ms without jokers like these."""

Timer = Callable[[Callable[[Hand], object], list[Hand]], list[float]]


def measure_advice(hands: Sequence[Hand], warming: Sequence[Hand], timer: Timer) -> dict[str, Any]:
    """Milliseconds of `advise`, and of turning its answer into JSON with every sentence.

    Args:
        hands: distinct hands of 14 tiles (less 3 a meld), each measured on first sight.
        warming: other hands; the first is what a process pays once ("cold").
        timer: CPU microseconds of each call.
    """
    cold = timer(advise, list(warming[:1]))[0]
    timer(advise, list(warming))
    seen = timer(advise, list(hands))
    told = timer(lambda hand: advise(hand).to_json(), list(hands))
    return {
        "hands": len(hands),
        "first_ms": round(cold / 1000, 2),
        "advise": _milliseconds(seen),
        "advise_and_tell": _milliseconds(told),
    }


def _milliseconds(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        "median_ms": round(statistics.median(ordered) / 1000, 2),
        "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))] / 1000, 2),
        "max_ms": round(ordered[-1] / 1000, 2),
    }


def advice_lines(report: dict[str, Any]) -> list[str]:
    """The figures in words."""
    lines = [f"advice, {report['hands']} hands first seen in a warm process, 0 to 7 jokers:"]
    for key, title in (
        ("advise", "every discard analysed"),
        ("advise_and_tell", "again, with all sentences"),
    ):
        row = report[key]
        lines.append(
            f"{title:<34}{row['median_ms']:>7.2f} ms{row['p95_ms']:>7.2f} ms"
            f"{row['max_ms']:>7.2f} ms  (median, p95, most; aim: p95 ≤ {ADVICE_TARGET_MS} ms)"
        )
    lines.append(f"the first analysis of a process     {report['first_ms']:.1f} ms")
    return lines
