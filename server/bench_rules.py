"""`zhuowu bench rules`: the time to judge a hand and to list its waits, and what `rules` costs.

Times are the calling thread's CPU time, so that other programs on the machine do not count. The
hands differ from one another, half built towards a win and half random, 0 to 7 jokers in each.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from rules import TILES, Hand, Meld, joker_kinds, judge, waits
from server.bench_advice import advice_lines, measure_advice

JUDGE_TARGET_US = 17.7
WAITS_TARGET_US = 170.0
"""A third of tjmj's 53 µs to judge, a tenth of its 1.7 ms for a wait list."""

SEED = 20


def mixed_hands(count: int, seed: int = SEED) -> list[Hand]:
    """Distinct hands with a drawn tile, with 0 to 7 joker tiles in equal shares.

    Every other hand is built from sets and a pair and so can be completed; the rest are drawn at
    random. A third have melds.
    """
    rng = random.Random(seed)
    hands: dict[Hand, None] = {}
    while len(hands) < count:
        number = len(hands)
        hand = _hand(rng, number % 8, built=number // 8 % 2 == 0, melds=rng.choice((0, 0, 1, 2)))
        if hand is not None:
            hands[hand] = None
    return list(hands)


def _hand(rng: random.Random, joker_tiles: int, built: bool, melds: int) -> Hand | None:
    jokers = joker_kinds(rng.choice(TILES))
    pool = Counter(dict.fromkeys(TILES, 4))
    natural = [tile for tile in TILES if tile not in jokers]
    laid = []
    for _ in range(melds):
        tile = rng.choice(natural)
        if pool[tile] < 4:
            return None
        kind = rng.choice(("pong", "gang_open", "gang_concealed"))
        laid.append(Meld(kind, tile))
        pool[tile] = 1 if kind == "pong" else 0
    size = 14 - 3 * melds
    tiles = _built(rng, 4 - melds) if built else []
    rng.shuffle(tiles)
    kept = [tile for tile in tiles if tile not in jokers][: size - joker_tiles]
    for tile in kept:
        pool[tile] -= 1
    if min(pool.values()) < 0:
        return None
    rest = [tile for tile in natural for _ in range(pool[tile])]
    kept += rng.sample(rest, size - joker_tiles - len(kept))
    kept += rng.sample([tile for tile in jokers for _ in range(4)], joker_tiles)
    rng.shuffle(kept)
    return Hand(tuple(kept[:-1]), tuple(laid), jokers, kept[-1])


def _built(rng: random.Random, sets: int) -> list[str]:
    tiles = [rng.choice(TILES)] * 2
    for _ in range(sets):
        kind = rng.randrange(34)
        if kind < 27 and rng.random() < 0.7:
            first = kind - kind % 9 + rng.randrange(7)
            tiles += TILES[first : first + 3]
        else:
            tiles += [TILES[kind]] * 3
    return tiles


def time_each(call: Callable[[Hand], object], hands: list[Hand]) -> list[float]:
    """CPU microseconds of each call, less what reading the clock itself takes."""
    clock = time.thread_time_ns
    idle = sorted(_once(clock, None, None) for _ in range(1000))[500]
    # Like timeit: a collection of other people's garbage is no part of a hand.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return [max(0, _once(clock, call, hand) - idle) / 1000 for hand in hands]
    finally:
        if collecting:
            gc.enable()


def _once(
    clock: Callable[[], int], call: Callable[[Hand], object] | None, hand: Hand | None
) -> int:
    if call is None or hand is None:
        start = clock()
        return clock() - start
    start = clock()
    call(hand)
    return clock() - start


def _judged(hand: Hand) -> tuple[bool, int, tuple[str, ...]]:
    result = judge(hand)
    return result.win, result.fan, result.names


def _summary(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        "median_us": round(statistics.median(ordered), 2),
        "p95_us": round(ordered[int(0.95 * (len(ordered) - 1))], 2),
        "mean_us": round(statistics.fmean(ordered), 2),
    }


def measure(hands: list[Hand]) -> dict[str, Any]:
    """Cold (each hand for the first time in this process) and warm times of both calls."""
    waiting = [replace(hand, win_tile=None) for hand in hands]
    cold_judge = time_each(_judged, hands)
    warm_judge = time_each(_judged, hands)
    cold_waits = time_each(waits, waiting)
    warm_waits = time_each(waits, waiting)
    fresh = [
        (h.concealed, h.melds, h.jokers, h.win_tile) for h in mixed_hands(len(hands), SEED + 1)
    ]
    start = time.thread_time_ns()
    for concealed, melds, jokers, win_tile in fresh:
        _judged(Hand(concealed, melds, jokers, win_tile))
    built = (time.thread_time_ns() - start) / 1000 / len(fresh)
    return {
        "hands": len(hands),
        "winning": sum(judge(hand).win for hand in hands),
        "with_waits": sum(bool(waits(hand)) for hand in waiting),
        "judge_cold": _summary(cold_judge),
        "judge_warm": _summary(warm_judge),
        "waits_cold": _summary(cold_waits),
        "waits_warm": _summary(warm_waits),
        "build_and_judge_mean_us": round(built, 2),
    }


_IMPORT_PROBE = """
import json, sys, time
wall, cpu = time.perf_counter(), time.process_time()
import rules
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
print(json.dumps([cpu * 1000, wall * 1000]))
"""

_FRESH_PROBE = "import json, server.bench_rules as b; print(json.dumps(b.fresh_report({count})))"


def _run(code: str) -> Any:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def fresh_report(count: int) -> dict[str, Any]:
    """What `measure` finds in this process, with the most memory it has held."""
    report = measure(mixed_hands(count))
    report["memory_mb"] = _memory_mb()
    # After the memory is read: the figure is that of judging and waits alone.
    others = mixed_hands(count, SEED + 2)
    report["advice"] = measure_advice(mixed_hands(count, SEED + 3), others, time_each)
    return report


def _memory_mb() -> float | None:
    try:
        import resource
    except ImportError:  # Windows tells no such figure.
        return None
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(held / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)


@click.command()
@click.option("--hands", "count", default=1000, show_default=True, help="How many hands.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(count: int, as_json: bool) -> None:
    """Time to judge a hand and to list its waits: medians over mixed hands with 0 to 7 jokers."""
    if count < 10:
        raise click.BadParameter("give at least 10", param_hint="--hands")
    report = _run(_FRESH_PROBE.format(count=count))
    imports = [_run(_IMPORT_PROBE) for _ in range(5)]
    report["import_cpu_ms"] = round(statistics.median(cpu for cpu, _ in imports), 1)
    report["import_wall_ms"] = round(statistics.median(wall for _, wall in imports), 1)
    click.echo(json.dumps(report) if as_json else _in_words(report))


def _in_words(report: dict[str, Any]) -> str:
    lines = [
        f"{report['hands']} distinct hands, 0 to 7 jokers, {report['winning']} winning, "
        f"{report['with_waits']} with waits; CPU time of the thread, in a process of its own",
        f"{'':<34}{'median':>10}{'p95':>10}{'mean':>10}",
    ]
    for key, title, target in (
        ("judge_cold", "judge, each hand first seen", JUDGE_TARGET_US),
        ("judge_warm", "judge, tables warm", JUDGE_TARGET_US),
        ("waits_cold", "wait list, each hand first seen", WAITS_TARGET_US),
        ("waits_warm", "wait list, tables warm", WAITS_TARGET_US),
    ):
        row = report[key]
        lines.append(
            f"{title:<34}{row['median_us']:>7.1f} µs{row['p95_us']:>7.1f} µs"
            f"{row['mean_us']:>7.1f} µs  (aim: median ≤ {target} µs)"
        )
    both = report["build_and_judge_mean_us"]
    lines += [
        f"building the Hand and judging it    {both:.1f} µs on average",
        f"import of rules                     {report['import_cpu_ms']:.0f} ms CPU, "
        f"{report['import_wall_ms']:.0f} ms wall (aim: < 150 ms)",
    ]
    lines += advice_lines(report["advice"])
    if report["memory_mb"] is not None:
        lines.append(f"most memory of that process         {report['memory_mb']} MB (aim: < 100)")
    return "\n".join(lines)
