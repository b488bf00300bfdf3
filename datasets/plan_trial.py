"""A film without pixels shown to the live table: what its tiles' places alone tell.

The reader is perfect and every tile keeps its identity while it lies still, as `Tracks` would have
it; what is tried is where tiles belong and what happened.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from datasets.film import Film
from datasets.film_check import Check, check_state
from datasets.film_events import Happened, compare_events, happened, told_as, without_hidden
from datasets.film_plan import FilmPlan, Moment
from datasets.film_trial import (
    LEAST_SEEN,
    SURE,
    FilmResult,
    hands_shown,
    placement_of,
    without_draws,
)
from rules.round import Round
from vision.tracking.events import TableEvent
from vision.tracking.watcher import TableWatcher
from vision.values import Box, TileReading

STEP_S, STILL_S = 0.2, 2.0


class _NoLook:
    """Nothing is read: the tiles are given."""

    side = 640
    least = 0.4

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        return ()


@dataclass
class _Lying:
    """The tiles as perfect tracks: seen once, they lie there until they are moved."""

    jitter: float
    rng: random.Random
    known: dict[tuple[str, int], TileReading] = field(default_factory=dict)
    ids: dict[tuple[str, int], int] = field(default_factory=dict)

    def after(self, moment: Moment) -> tuple[TileReading, ...]:
        here: dict[tuple[str, int], TileReading] = {}
        for thing in moment.truth.objects:
            die = thing.id.startswith("die")
            key = (thing.id, moment.truth.rolls if die else moment.poses.get(thing.id, 0))
            if key in self.known:
                here[key] = self.known[key]
            elif thing.visible >= LEAST_SEEN:
                number = self.ids.setdefault(key, len(self.ids) + 1)
                a, b, c, d = (v + self.rng.gauss(0, self.jitter) for v in thing.box)
                name = thing.tile
                here[key] = TileReading(name, SURE, (a, b, c, d), ((name, SURE),), index=number)
        for key, tile in self.known.items():
            if key not in here and moment.poses.get(key[0]) == key[1]:
                here[key] = tile  # hidden by something: still there
        self.known = here
        return tuple(here.values())


def try_plan(film: Film, jitter: float = 0.0) -> FilmResult:
    """Watch a film's plan.

    Args:
        film: The film; none of its frames is made.
        jitter: Standard deviation of the boxes' sides, pixels.
    """
    plan = FilmPlan(film)
    watcher = TableWatcher(_NoLook(), placement_of(film), film.round.options)
    watcher.looking.size = film.size
    lying = _Lying(jitter, random.Random(film.seed))
    told: list[TableEvent] = []
    checks: list[Check] = []
    shown, checked, steps = 0, False, 0
    for moment in plan.moments():
        tiles = lying.after(moment)
        watcher.rolls = _rolls(plan)
        for at in np.arange(moment.start, moment.end + STEP_S / 2, STEP_S):
            state = watcher.see_tiles(tiles, float(at), float(at))
            steps += 1
            new = min(watcher.events_told - shown, len(state.events))
            told += state.events[len(state.events) - new :]
            shown = watcher.events_told
        if moment.truth.still < STILL_S:
            checked = False
        elif not checked:
            checked = True
            table = Round.replay(film.round.setup, film.round.events[: moment.truth.events])
            checks.append(check_state(state, moment.truth, table, film.me))
    true = _kept(happened(plan.events, film.round, film.me, film.fps), film.view)
    events = compare_events(true, _kept(told_as(told), film.view))
    events = without_hidden(events, hands_shown(moment.truth))
    kept = {"seed": film.seed, "view": film.view, "me": film.me}
    return FilmResult(kept, tuple(checks), events, steps, 0, 0.0)


def _rolls(plan: FilmPlan) -> tuple[tuple[int, int], ...]:
    """The dice so far, which a plan does not show rolling."""
    dice = [event.data["dice"] for event in plan.events if event.type == "roll"]
    return tuple((int(a), int(b)) for a, b in dice)


def _kept(events: Sequence[Happened], view: str) -> list[Happened]:
    seen = [event for event in events if event.kind != "rolled"]
    return without_draws(seen) if view == "overhead" else seen
