"""Covering a suit by sets: the automaton against trying every set on the first tile."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cover import FIELD, HONOURS, SUITS, ZHUOWU, cover, unpack

COUNTS = st.lists(st.integers(0, 4), min_size=9, max_size=9).filter(lambda c: sum(c) <= 14)


@cache
def _fewest(counts: tuple[int, ...], pair: bool) -> int:
    first = next((rank for rank, count in enumerate(counts) if count), None)
    if first is None:
        return 0
    shapes = [(first,) * 3]
    shapes += [(at, at + 1, at + 2) for at in range(7) if at <= first <= at + 2]
    ways = [1 + _fewest(_without(counts, shape), pair) for shape in shapes]
    if pair:
        ways.append(_fewest(_without(counts, (first, first)), False))
    return min(ways)


def _without(counts: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    left = list(counts)
    for rank in shape:
        left[rank] = max(0, left[rank] - 1)
    return tuple(left)


def _key(counts: list[int]) -> int:
    return sum(count << FIELD * rank for rank, count in enumerate(counts))


@settings(max_examples=300)
@given(COUNTS)
def test_the_fewest_sets_with_and_without_a_pair(counts: list[int]) -> None:
    # A joker may stand for any tile (SPEC §4.4), so a set covers what natural tiles it can.
    plain, paired = _fewest(tuple(counts), False), _fewest(tuple(counts), True)
    sets, saved = cover(counts)
    assert sets == min(5, plain)
    assert sets - saved == min(5, paired)
    assert unpack(_key(counts)) == counts


@settings(max_examples=150)
@given(COUNTS)
def test_a_dragon_takes_one_of_each_first(counts: list[int]) -> None:
    # 龙 is three sets of its own (SPEC §7); what its places do not take must still be covered.
    left = tuple(max(0, count - 1) for count in counts)
    _, _, sets, saved = SUITS[_key(counts)]
    assert sets == 3 + min(5, _fewest(left, False))
    assert sets - saved == 3 + min(5, _fewest(left, True))


@settings(max_examples=150)
@given(COUNTS)
def test_a_456m_takes_a_4_and_a_6(counts: list[int]) -> None:
    # 捉伍儿: the drawn tile is the 5, "四伍六万" is one set, beside a dragon or its own (§7.5).
    def less(ranks: set[int]) -> tuple[int, ...]:
        return tuple(max(0, c - (rank in ranks)) for rank, c in enumerate(counts))

    plain, _, beside, _, own, _ = ZHUOWU[_key(counts)]
    assert plain == 1 + min(5, _fewest(less({3, 5}), False))
    assert own == 3 + min(5, _fewest(less({0, 1, 2, 3, 5, 6, 7, 8}), False))
    twice = [max(0, c - 1) for c in counts]
    twice[3], twice[5] = max(0, twice[3] - 1), max(0, twice[5] - 1)
    assert beside == 4 + min(5, _fewest(tuple(twice), False))


@given(st.lists(st.integers(0, 4), min_size=7, max_size=7))
def test_honours_make_triplets_only(counts: list[int]) -> None:
    # Runs are of suits: winds and dragons are sets of three alike or nothing.
    sets = sum((count + 2) // 3 for count in counts)
    best = min(
        sum((max(0, c - 2 * (i == at)) + 2) // 3 for i, c in enumerate(counts)) for at in range(7)
    )
    assert HONOURS[_key(counts)] == (sets, sets - best)
