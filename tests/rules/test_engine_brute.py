"""The engine against a brute force written apart from it, on random hands under all options."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from rules import KINDS, Hand, Judgement, Meld, RuleOptions, judge, waits
from rules.fans import View
from rules.scoring import arithmetic, fans_of_view
from tests.rules import brute, dealing


def _hand(dealt: dict[str, Any]) -> Hand:
    return Hand(
        tuple(dealt["concealed"]),
        tuple(Meld(kind, tile) for kind, tile in dealt["melds"]),
        tuple(dealt["jokers"]),
        dealt["win_tile"],
        dealt["gang_draw"],
        dealt["heavenly"],
        dealt["earthly"],
    )


@pytest.mark.parametrize("number", range(len(dealing.OPTION_SETS)))
def test_the_engine_agrees_with_the_brute_force(number: int) -> None:
    # "the engine scores every reading and takes the highest legal total" (SPEC §8.1): the engine
    # counts, the brute force lays every reading out.
    given = dealing.OPTION_SETS[number]
    options = RuleOptions.from_mapping(given)
    rng = random.Random(1000 + number)
    for _ in range(14):
        dealt = dealing.deal(rng, given, most_jokers=9)
        wanted = brute.judge(dealt, given)
        result = judge(_hand(dealt), options)
        assert result.win == wanted["win"], dealt
        assert result.complete == wanted["complete"], dealt
        assert result.fan == wanted["fan"], dealt
        assert set(result.names_alt) == set(wanted["names_alt"]), dealt
        assert result.names == wanted.get("names", ()), dealt
        if result.complete:
            _check_reading(result)


def _check_reading(result: Judgement) -> None:
    """The reading shown uses exactly the hand's tiles, is made of sets and a pair, and scores."""
    reading = result.reading
    assert reading is not None
    laid = [placed for group in reading.groups for placed in group.tiles]
    held = Counter(result.hand.tiles)
    held.update(tile for meld in result.hand.melds for tile in meld.tiles)
    assert Counter(placed.tile for placed in laid) == held
    assert all(placed.joker == (placed.tile in result.hand.jokers) for placed in laid)
    assert all(placed.joker or placed.tile == placed.stands_for for placed in laid)
    free_last = result.hand.heavenly and result.options.heavenly_free_last
    drawn = [placed.tile for placed in laid if placed.drawn]
    if not free_last:
        assert drawn == [result.hand.win_tile] * (result.hand.win_tile is not None)
    assert [group.form for group in reading.groups].count("pair") == 1
    for group in reading.groups:
        kinds = [KINDS[tile] for tile in group.stands_for]
        if group.form == "run":
            first = kinds[0]
            assert kinds == [first, first + 1, first + 2]
            assert first < 27
            assert first % 9 < 7
        else:
            assert len(set(kinds)) == 1
    lists = fans_of_view(View(result.hand, reading, result.options))
    named = [tuple(fan.zh for fan in fans) for fans in lists]
    # 混儿吊 alone where it is no win is called 屁和; every other name list is its reading's own.
    assert result.names in named or result.names == ("屁和",)
    if result.names in named:
        fans = lists[named.index(result.names)]
        assert arithmetic(fans, result.options) == result.arithmetic
    numbers = result.arithmetic.rsplit("=", 1)
    assert int(numbers[-1]) == result.fan
    if len(numbers) == 2:
        assert eval(numbers[0].replace("×", "*")) == result.fan


@pytest.mark.parametrize("number", range(len(dealing.OPTION_SETS)))
def test_waits_agree_with_judging_each_tile(number: int) -> None:
    # SPEC §12: the waits are the kinds whose draw is a legal win, less those held four times.
    given = dealing.OPTION_SETS[number]
    options = RuleOptions.from_mapping(given)
    rng = random.Random(2000 + number)
    for _ in range(12):
        dealt = dealing.deal(rng, given)
        if dealt["win_tile"] is None:
            continue
        waiting = _hand(dealt | {"win_tile": None})
        wanted = {}
        for tile in KINDS:
            held = waiting.concealed.count(tile)
            held += sum(len(meld.tiles) for meld in waiting.melds if meld.tile == tile)
            if held < 4:
                result = judge(_hand(dealt | {"win_tile": tile}), options)
                if result.win:
                    wanted[tile] = result.fan
        assert waits(waiting, options) == wanted, dealt
