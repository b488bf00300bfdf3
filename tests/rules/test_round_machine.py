"""A round driven by hypothesis: whatever is done, every law of the table holds (SPEC §4 to §10)."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules.events import (
    AddedKong,
    Chow,
    ConcealedKong,
    Deal,
    Discard,
    Draw,
    DrawGame,
    Event,
    JokerKong,
    OpenKong,
    Pung,
    ReplacementDraw,
    VoidHand,
    WinClaim,
)
from rules.refusals import PENALISED
from rules.round import IllegalEvent, Round
from rules.settlement import settle
from rules.simulate import all_actions, broken_laws, choose, mixed_options, random_setup
from rules.tiles import TILES

SEAT_AND_TILE = (Discard, Pung, OpenKong, ConcealedKong, AddedKong, JokerKong, Chow, Draw)


def any_event() -> st.SearchStrategy[Event]:
    """Any event at all, most of them impossible where they come."""
    seats, tiles = st.integers(0, 3), st.sampled_from(TILES)
    return st.one_of(
        st.builds(
            lambda kind, seat, tile: kind(seat, tile), st.sampled_from(SEAT_AND_TILE), seats, tiles
        ),
        st.builds(ReplacementDraw, seats, tiles),
        st.builds(WinClaim, seats),
        st.builds(DrawGame, st.sampled_from(["wall_end", "no_gang_tile"])),
        st.just(VoidHand()),
        st.just(Deal()),
    )


class RoundMachine(RuleBasedStateMachine):
    """Legal moves, faults and impossible moves in any order."""

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed: int) -> None:
        chance = Random(seed)
        self.table = Round.begin(random_setup(chance, options=mixed_options(chance)))
        self.table = self.table.apply(Deal())

    @precondition(lambda self: not self.table.is_over)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """Somebody does something legal; there is always something, if only a fault."""
        actions = all_actions(self.table) or all_actions(self.table, faults=True)
        assert actions
        self.table = self.table.apply(data.draw(st.sampled_from(actions)))

    @precondition(lambda self: not self.table.is_over)
    @rule(seed=st.integers(0, 2**32), moves=st.integers(5, 40))
    def play_on(self, seed: int, moves: int) -> None:
        """A stretch of legal play, so that late positions are met too."""
        chance = Random(seed)
        for _ in range(moves):
            actions = all_actions(self.table) or all_actions(self.table, faults=True)
            if not actions:
                return
            self.table = self.table.apply(choose(self.table, actions, chance, eager=True))

    @precondition(lambda self: not self.table.is_over)
    @rule(data=st.data())
    def commit_a_fault(self, data: st.DataObject) -> None:
        """A fault is always 相公 for the one who commits it, and never advised."""
        legal = set(all_actions(self.table))
        faults = [a for a in all_actions(self.table, faults=True) if a not in legal]
        if faults:
            fault = data.draw(st.sampled_from(faults))
            seat = getattr(fault, "seat", 0)
            self.table = self.table.apply(fault)
            assert self.table.xianggong(seat) is not None

    @rule(event=any_event())
    def try_anything(self, event: Event) -> None:
        """`apply` takes an event exactly when `why_not` has nothing against it but a fault."""
        seat = getattr(event, "seat", 0)
        reasons = {reason.code for reason in self.table.why_not(seat, event)}
        try:
            after = self.table.apply(event)
        except IllegalEvent as refused:
            told = {reason.code for reason in refused.reasons}
            assert told - PENALISED
            assert reasons <= told or isinstance(event, Deal)
        else:
            assert reasons <= PENALISED
            self.table = after

    @invariant()
    def laws_hold(self) -> None:
        assert broken_laws(self.table) == []

    @invariant()
    def the_turned_tile_is_one_of_the_jokers(self) -> None:
        assert self.table.indicator in self.table.jokers

    @invariant()
    def an_ended_hand_is_settled(self) -> None:
        if not self.table.is_over:
            return
        assert all_actions(self.table, faults=True) == []
        settled = self.table.settlement()
        assert settled == settle(self.table.result(), self.table.options)
        end = self.table.outcome
        assert end is not None
        if end.kind == "win":
            assert end.fan >= self.table.options.min_fan
            assert settled.deltas[end.winner or 0] > 0 or self.table.gangs or self.table.chan

    def teardown(self) -> None:
        """The events alone rebuild the round, and so does its JSON."""
        if not hasattr(self, "table"):
            return
        data: dict[str, Any] = json.loads(json.dumps(self.table.to_json()))
        assert Round.from_json(data) == self.table
        assert Round.replay(self.table.setup, self.table.events) == self.table


RoundMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestRoundMachine = RoundMachine.TestCase
