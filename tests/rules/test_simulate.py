"""Self-play: every law after every event, the same seed the same hands (SPEC §1 to §10)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.events import Deal
from rules.hand import Meld
from rules.options import RuleOptions
from rules.round import Round
from rules.simulate import (
    broken_laws,
    checked_play,
    mixed_options,
    random_setup,
    same_position,
    simulate,
)
from rules.table import changed


@pytest.mark.parametrize(
    ("eager", "faults", "options"),
    [
        (False, 0.0, RuleOptions()),
        (True, 0.0, RuleOptions()),
        (True, 0.1, None),
        (False, 0.1, None),
    ],
)
def test_laws_hold_through_random_hands(
    eager: bool, faults: float, options: RuleOptions | None
) -> None:
    """136 tiles, points that sum to zero, replay equals play, JSON: `checked_play` raises else."""
    played = list(simulate(40, Random(20), options, eager, faults))
    assert all(table.is_over for table, _ in played)
    tally = played[-1][1]
    assert tally.games == 40
    assert sum(tally.outcomes.values()) == 40
    assert sum(tally.totals.values()) == 0
    if not faults:
        assert not tally.xianggong
    if eager:
        assert tally.outcomes["win"] >= 5


def test_the_same_seed_plays_the_same() -> None:
    """All chance comes from the generator handed in."""
    one = checked_play(random_setup(Random(3)), Random(4), eager=True)
    two = checked_play(random_setup(Random(3)), Random(4), eager=True)
    other = checked_play(random_setup(Random(3)), Random(5), eager=True)
    assert one == two
    assert one.events != other.events


def test_wins_are_worth_the_minimum() -> None:
    """“一般的规则中胡牌必须达到的最低分数2分”."""
    fans = [
        table.outcome.fan
        for table, _ in simulate(60, Random(8), RuleOptions(), eager=True)
        if table.outcome is not None and table.outcome.kind == "win"
    ]
    assert fans
    assert min(fans) >= 2


def test_a_lost_tile_is_noticed() -> None:
    """The checks themselves must be able to fail."""
    table = Round.begin(random_setup(Random(1))).apply(Deal())
    assert broken_laws(table) == []
    seat = table.seats[0]
    kind = next(k for k, count in enumerate(seat.hand) if count)
    robbed = replace(seat, hand=changed(seat.hand, kind, -1))
    assert len(broken_laws(replace(table, seats=(robbed, *table.seats[1:])))) == 2
    meld = replace(seat, melds=(Meld("pong", "1m"),))
    assert broken_laws(replace(table, seats=(meld, *table.seats[1:])))
    assert broken_laws(replace(table, phase="over"))
    assert not same_position(table, replace(table, turn=(table.turn + 1) % 4))


def test_mixed_options_vary() -> None:
    """New rules for every 锅 reach every variant of the course of play."""
    drawn = [mixed_options(Random(seed)) for seed in range(40)]
    assert {options.chan for options in drawn} == {"none", "restart", "pay"}
    assert {options.gang_tail_empty for options in drawn} == {"skip", "draw"}
    assert len({options.joker_rule for options in drawn}) == 4
