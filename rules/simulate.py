"""Random self-play over legal actions, with every invariant checked after every event.

All chance comes from the `random.Random` handed in, so a seed names a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rules.events import Deal, Discard, Draw, Event, WinClaim, event_from_json, event_to_json
from rules.guo import Guo
from rules.opening import Opening
from rules.options import RuleOptions
from rules.round import Round
from rules.settlement import NO_PULL
from rules.table import COPIES, KIND_COUNT, Setup
from rules.tiles import KINDS, TILES
from rules.wall import SEATS, TILES_IN_ALL, Dice

PLAYERS = ("A", "B", "C", "D")
MIXED_CHOICES: dict[str, tuple[Any, ...]] = {
    "joker_rule": ("7", "11", "guadafeng", "11_next2"),
    "gang_tail_empty": ("skip", "draw"),
    "joker_gang_points": (0, 4, 8),
    "chan": ("none", "restart", "pay"),
    "draw_dealer": ("gang", "stay"),
    "draw_gangs_count": (True, False),
    "max_la": (1, 2),
    "zhuang_multiplies_gangs": (True, False),
    "hundiao_alone": (True, False),
    "min_fan": (1, 2, 4),
    "su_mode": ("no_jokers", "face_value"),
}


class InvariantError(AssertionError):
    """The engine broke one of its own laws: a defect, never the user's fault."""


def roll(chance: Random) -> Dice:
    """Two dice."""
    return chance.randint(1, 6), chance.randint(1, 6)


def shuffled_wall(chance: Random) -> tuple[str, ...]:
    """The 136 tiles in random places."""
    tiles = [tile for tile in TILES for _ in range(COPIES)]
    chance.shuffle(tiles)
    return tuple(tiles)


def random_setup(
    chance: Random, dealer: int | None = None, options: RuleOptions | None = None
) -> Setup:
    """A shuffled wall, three rolls, 坐庄 and 拉庄 at random."""
    used = options or RuleOptions()
    seat = chance.randrange(SEATS) if dealer is None else dealer
    opening = Opening(seat, roll(chance), roll(chance), roll(chance))
    zuo = chance.random() < 0.5
    la: tuple[int, ...] = NO_PULL
    if zuo:
        la = tuple(0 if other == seat else chance.randint(0, used.max_la) for other in range(SEATS))
    return Setup(opening, used, zuo, la, shuffled_wall(chance))


def mixed_options(chance: Random) -> RuleOptions:
    """Options drawn at random from those that change the course of a hand."""
    return RuleOptions.from_mapping(
        {name: chance.choice(values) for name, values in MIXED_CHOICES.items()}
    )


def keep_value(table: Round, seat: int, tile: str) -> int:
    """How much a tile is worth keeping: neighbours in the suit, copies, jokers above all."""
    kind = KINDS[tile]
    if kind in table.joker_kinds:
        return 100
    hand = table.seats[seat].hand
    value = 6 * (hand[kind] - 1)
    if kind < 27:
        rank = kind % 9
        for step, worth in ((1, 4), (2, 2)):
            for near in (rank - step, rank + step):
                if 0 <= near < 9 and hand[kind - rank + near]:
                    value += worth
        value += 1 - (rank in (0, 8))
    return value


def choose(table: Round, actions: list[Event], chance: Random, eager: bool) -> Event:
    """One of the actions: any of them, or with `eager` the one a simple player would take.

    The eager player wins when he can and discards what fits least; all else is left to chance.
    """
    if not eager:
        return chance.choice(actions)
    wins = [action for action in actions if isinstance(action, WinClaim)]
    if wins:
        return wins[0]
    discards = [action for action in actions if isinstance(action, Discard)]
    others = [action for action in actions if not isinstance(action, Discard)]
    if discards and (not others or chance.random() < 0.8):
        return min(discards, key=lambda a: (keep_value(table, a.seat, a.tile), a.tile))
    # A pung now and then; else the next seat draws.
    draws = [action for action in others if isinstance(action, Draw)]
    if draws and chance.random() < 0.7:
        return draws[0]
    return chance.choice(others)


def all_actions(table: Round, faults: bool = False) -> list[Event]:
    """What anybody may do now, by seat."""
    return [action for seat in range(SEATS) for action in table.legal_actions(seat, faults)]


def play(
    setup: Setup, chance: Random, eager: bool = False, fault_rate: float = 0.0
) -> Iterator[Round]:
    """Play a hand out; gives the round before the deal and after every event.

    Args:
        setup: with a known wall.
        chance: where every choice comes from.
        eager: players try to win.
        fault_rate: how often a choice may also fall on a fault that makes 相公. Such a fault is
            also taken where nothing else is left (only jokers in hand after a pung).
    """
    table = Round.begin(setup)
    yield table
    while not table.is_over:
        faults = fault_rate > 0 and chance.random() < fault_rate
        actions = all_actions(table, faults) or all_actions(table, True)
        if not actions:
            raise InvariantError(f"nobody can act in phase {table.phase!r}: {table.to_json()}")
        table = table.apply(choose(table, actions, chance, eager))
        yield table


def broken_laws(table: Round) -> list[str]:
    """Every law of the table this round breaks; empty for a sound one."""
    laws = []
    if table.events and isinstance(table.events[0], Deal):
        on_table = sum(seat.tile_count for seat in table.seats) + 1
        in_wall = table.wall.live_left + table.wall.tail_left
        if on_table + in_wall != TILES_IN_ALL:
            laws.append(f"{on_table} tiles on the table and {in_wall} in the wall are not 136")
        if sum(table.unseen) != in_wall:
            laws.append(f"{sum(table.unseen)} tiles unseen, {in_wall} in the wall")
        laws += _kinds_off(table)
    deltas = table.settlement().deltas
    if sum(deltas):
        laws.append(f"deltas {deltas} do not sum to zero")
    if table.is_over != (table.outcome is not None):
        laws.append("over without an outcome, or an outcome before the end")
    return laws


def _kinds_off(table: Round) -> list[str]:
    """The kinds of which there are not four, all places together."""
    counts = bytearray(table.unseen)
    for seat in table.seats:
        for kind in range(KIND_COUNT):
            counts[kind] += seat.hand[kind]
        for meld in seat.melds:
            counts[KINDS[meld.tile]] += 4 if meld.is_gang else 3
        for tile in seat.river:
            counts[KINDS[tile]] += 1
    if table.indicator is not None:
        counts[KINDS[table.indicator]] += 1
    return [
        f"{count} tiles of {TILES[kind]}" for kind, count in enumerate(counts) if count != COPIES
    ]


def same_position(one: Round, other: Round) -> bool:
    """Whether two rounds are equal, of the events only the last compared (the rest were before)."""
    names = (name for name in Round.__slots__ if name != "events")
    return (
        all(getattr(one, name) == getattr(other, name) for name in names)
        and len(one.events) == len(other.events)
        and one.events[-1:] == other.events[-1:]
    )


def checked_play(
    setup: Setup, chance: Random, eager: bool = False, fault_rate: float = 0.0
) -> Round:
    """Play a hand out and check every law after every event.

    Beside it the same hand is replayed from the JSON of each event and must stand the same at every
    step; at the end the JSON of the whole round must rebuild an equal one.

    Raises:
        InvariantError: with the law broken and the round as JSON.
    """
    shadow = table = Round.begin(setup)
    for table in play(setup, chance, eager, fault_rate):
        if table.events:
            shadow = shadow.apply(event_from_json(event_to_json(table.events[-1])))
        laws = broken_laws(table)
        if not same_position(table, shadow):
            laws.append("the replay stands differently from the play")
        if laws:
            raise InvariantError(f"{'; '.join(laws)}: {table.to_json()}")
    if Round.from_json(table.to_json()) != table:
        raise InvariantError(f"the JSON rebuilds another round: {table.to_json()}")
    return table


@dataclass
class Tally:
    """What happened over many hands.

    Attributes:
        games: hands played.
        events: events applied.
        checks: positions checked against every law.
        outcomes: hands by outcome: "win", "draw", "void".
        titles: wins by title.
        fan: sum of the 番 of all wins.
        kongs: 杠 by kind.
        xianggong: players who ended a hand as 相公, by kind.
        guo: 锅 played to their end.
        totals: points by player over everything; their sum is 0.
    """

    games: int = 0
    events: int = 0
    checks: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    titles: Counter[str] = field(default_factory=Counter)
    fan: int = 0
    kongs: Counter[str] = field(default_factory=Counter)
    xianggong: Counter[str] = field(default_factory=Counter)
    guo: int = 0
    totals: Counter[str] = field(default_factory=Counter)

    def add(self, table: Round) -> None:
        """Count one finished hand."""
        assert table.outcome is not None
        self.games += 1
        self.events += len(table.events)
        self.checks += len(table.events) + 1
        self.outcomes[table.outcome.kind] += 1
        if table.outcome.kind == "win":
            self.titles[table.outcome.title] += 1
            self.fan += table.outcome.fan
        self.kongs.update(gang.kind for gang in table.gangs)
        self.xianggong.update(
            kind for seat in range(SEATS) if (kind := table.xianggong(seat)) is not None
        )

    def to_json(self) -> dict[str, Any]:
        """The tally as JSON, counts in falling order."""
        return {
            "games": self.games,
            "events": self.events,
            "positions_checked": self.checks,
            "outcomes": dict(self.outcomes.most_common()),
            "titles": dict(self.titles.most_common()),
            "mean_fan": round(self.fan / self.outcomes["win"], 3) if self.outcomes["win"] else None,
            "kongs": dict(self.kongs.most_common()),
            "xianggong": dict(self.xianggong.most_common()),
            "guo_finished": self.guo,
            "totals": {name: self.totals[name] for name in PLAYERS},
        }


def simulate(
    games: int,
    chance: Random,
    options: RuleOptions | None = None,
    eager: bool = False,
    fault_rate: float = 0.0,
) -> Iterator[tuple[Round, Tally]]:
    """Play hands one after another, 锅 after 锅, with 打风 between; gives each finished hand.

    Args:
        games: number of hands.
        chance: where every choice comes from.
        options: the rules; None draws new ones at random for every 锅.
        eager: players try to win.
        fault_rate: see `play`.

    Raises:
        InvariantError: the engine broke a law.
    """
    tally = Tally()
    guo = Guo.begin(PLAYERS, options or mixed_options(chance), chance.randrange(SEATS))
    for _ in range(games):
        setup = random_setup(chance, guo.dealer, guo.options)
        table = checked_play(setup, chance, eager, fault_rate)
        guo = guo.record(table.result())
        if sum(guo.totals):
            raise InvariantError(f"the score {guo.totals} does not sum to zero")
        tally.add(table)
        deltas = zip(guo.players, table.settlement().deltas, strict=True)
        tally.totals.update(dict(deltas))
        yield table, tally
        if guo.is_finished:
            tally.guo += 1
            guo = _next_guo(guo, chance, options or mixed_options(chance))


def _next_guo(guo: Guo, chance: Random, options: RuleOptions) -> Guo:
    """打风 until it stands, then a new 锅."""
    picks = ["1z", "2z", "3z", "4z"]
    while True:
        east = chance.randrange(SEATS)
        chance.shuffle(picks)
        drawn = guo.draw_seats(east, picks)
        if not drawn.redo:
            return Guo.begin(drawn.seats, options, east)
