"""The round a film shows: players who claim readily, so that much happens in a short time."""

from __future__ import annotations

from random import Random

from rules.events import AddedKong, ConcealedKong, OpenKong, Pung, ReplacementDraw
from rules.options import RuleOptions
from rules.round import Round
from rules.simulate import all_actions, choose, random_setup

_CALLS = (Pung, OpenKong, ConcealedKong, AddedKong)
_SHORT_EVENTS = 46
_SHORT_TRIES = 40


def play_for_film(seed: int, short: bool = False) -> Round:
    """A finished round with a known wall; the same for the same seed.

    Args:
        seed: any number.
        short: of several rounds take one that is soon won with a pung or kong; where none is, the
            shortest.
    """
    chance = Random(f"{seed} round")
    if not short:
        return _play(chance, 10_000)
    best = _play(chance, 10_000)
    for _ in range(_SHORT_TRIES):
        table = _play(chance, _SHORT_EVENTS)
        if table.is_over and len(table.events) < len(best.events):
            best = table
            if any(isinstance(event, _CALLS) for event in table.events):
                break
    return best


def _play(chance: Random, limit: int) -> Round:
    """Play until the end or for so many events."""
    table = Round.begin(random_setup(chance, options=RuleOptions()))
    while not table.is_over and len(table.events) < limit:
        actions = all_actions(table) or all_actions(table, True)
        calls = [action for action in actions if isinstance(action, _CALLS)]
        forced = [action for action in actions if isinstance(action, ReplacementDraw)]
        if forced:
            table = table.apply(forced[0])
        elif calls and chance.random() < 0.6:
            table = table.apply(chance.choice(calls))
        else:
            others = [action for action in actions if action not in calls] or actions
            table = table.apply(choose(table, others, chance, eager=True))
    return table
