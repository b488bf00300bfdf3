"""One hand (盘) from the deal to its settlement, moved only by named events (SPEC §5).

A `Round` is immutable: `apply` returns the next one and shares everything that did not change. It
is told by its setup and its event list alone; `replay` and `from_json` rebuild it move by move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.events import (
    NO_GANG_TILE,
    WALL_END,
    AddedKong,
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
    event_from_json,
    event_to_json,
)
from rules.explain import Judgement
from rules.flags import win_flags
from rules.hand import Hand
from rules.judging import judge
from rules.legality import reasons_against
from rules.moves import advance, filled
from rules.opening import Opening, dealing_order
from rules.options import RuleOptions
from rules.reasons import Reason, RequestError, RulesError
from rules.refusals import PENALISED, refusal
from rules.settlement import NO_PULL, Gang, HandResult, Settlement, settle
from rules.table import (
    ACT,
    CLAIM,
    COPIES,
    DEAL,
    EMPTY_SEATS,
    FULL_SET,
    KIND_COUNT,
    OVER,
    REPLACE,
    VOID,
    RoundEnd,
    Seat,
    Setup,
)
from rules.tiles import KINDS, TILES, format_tiles, parse_tiles
from rules.wall import SEATS, Wall
from rules.xianggong import xianggong

_NO_WALL = Wall(break_stack=0, joker_points=2)

__all__ = ["IllegalEvent", "Round", "RoundEnd", "Seat", "Setup"]


class IllegalEvent(RulesError):
    """An event that cannot happen now, with every reason that holds."""


@dataclass(frozen=True, slots=True)
class Round:
    """One hand at one moment.

    Attributes:
        setup: dealer, rolls, options, 坐庄 and 拉庄, and the wall where it is known.
        events: everything that has happened, in order.
        phase: "deal", "act", "claim", "replace", "void" or "over" (see `rules.table`).
        turn: the seat that acts; after a discard the seat that discarded.
        seats: what lies before each player.
        wall: how far the wall is drawn.
        unseen: tiles not yet seen by anybody's draw, one count a kind: live wall and tail.
        indicator: the turned tile, None before the deal.
        joker_kinds: the kinds that are jokers, as indices.
        drawn: kind of the tile last drawn by the seat whose turn it is, None after a pung.
        drawn_by: how it came: "deal", "draw", "replacement", "pung".
        gangs: every 杠 so far, in order.
        first_discards: the first four discards, for 铲.
        chan: those four were a 铲.
        outcome: how the hand ended, None while it goes on.
    """

    setup: Setup
    events: tuple[Event, ...] = ()
    phase: str = DEAL
    turn: int = 0
    seats: tuple[Seat, ...] = EMPTY_SEATS
    wall: Wall = _NO_WALL
    unseen: bytes = FULL_SET
    indicator: str | None = None
    joker_kinds: tuple[int, ...] = ()
    drawn: int | None = None
    drawn_by: str = ""
    gangs: tuple[Gang, ...] = ()
    first_discards: tuple[tuple[int, str], ...] = ()
    chan: bool = False
    outcome: RoundEnd | None = None

    @classmethod
    def begin(cls, setup: Setup) -> Round:
        """The round before its deal."""
        return cls(setup, turn=setup.opening.dealer, wall=setup.opening.wall)

    @classmethod
    def replay(cls, setup: Setup, events: Iterable[Event]) -> Round:
        """The round these events lead to.

        Raises:
            IllegalEvent: an event of the list cannot happen where it stands.
        """
        table = cls.begin(setup)
        for event in events:
            table = table.apply(event)
        return table

    # What is on the table

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.setup.opening.dealer

    @property
    def options(self) -> RuleOptions:
        """The rules in force."""
        return self.setup.options

    @property
    def jokers(self) -> tuple[str, ...]:
        """The joker kinds as MPSZ codes, empty before the deal."""
        return tuple(TILES[kind] for kind in self.joker_kinds)

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return self.phase == OVER

    @property
    def last_discard(self) -> str | None:
        """The tile that may be claimed now, None when there is none."""
        last = self.events[-1] if self.events else None
        return last.tile if self.phase == CLAIM and isinstance(last, Discard) else None

    def replacement_order(self) -> int | None:
        """Where the next replacement tile lies in drawing order; None when there is none."""
        return self.wall.replacement_order(self.options.gang_tail_empty == "skip")

    def xianggong_by_count(self, seat: int) -> str | None:
        """大相公 / 小相公 by the number of tiles alone (SPEC §5.8)."""
        place = self.seats[seat]
        return xianggong(sum(place.hand), len(place.melds), self._holds_one_more(seat))

    def xianggong(self, seat: int) -> str | None:
        """`"da"`, `"xiao"` or None; a discarded joker makes 小相公 whatever the count.

        SPEC §5.8.
        """
        place = self.seats[seat]
        if self.phase == DEAL:
            return None
        more = self._holds_one_more(seat)
        return xianggong(sum(place.hand), len(place.melds), more, place.joker_discarded)

    def _holds_one_more(self, seat: int) -> bool:
        """Whether the seat has drawn (or ponged) and not yet discarded, at the end as well."""
        return seat == self.turn and self.drawn_by != ""

    def hand(self, seat: int) -> Hand:
        """The seat's tiles for `judge` and `waits`, 天和, 地和 and 杠开 read off the events.

        The tile drawn is set apart on the turn of the seat, and stays so when the hand ends there.
        """
        place = self.seats[seat]
        concealed = list(place.concealed)
        if self.phase not in (ACT, OVER) or seat != self.turn or self.drawn is None:
            return Hand(tuple(concealed), place.melds, self.jokers)
        tile = TILES[self.drawn]
        concealed.remove(tile)
        events = self.events[:-1] if self.phase == OVER else self.events
        flags = win_flags(self.dealer, seat, events)
        return Hand(
            tuple(concealed),
            place.melds,
            self.jokers,
            tile,
            gang_draw=flags.gang_draw,
            heavenly=flags.heavenly,
            earthly=flags.earthly,
        )

    def judgement(self, seat: int) -> Judgement:
        """What the seat's hand is worth now, under the options of the round.

        Raises:
            HandError: the seat holds a wrong number of tiles (相公).
        """
        return judge(self.hand(seat), self.options)

    def unseen_by(self, seat: int) -> dict[str, int]:
        """How many of each tile the seat cannot see: in the wall and in the others' hands.

        It sees its own hand, all melds (a 暗杠 shows a tile, SPEC §5.4), all rivers and the turned
        tile.
        """
        unseen = bytearray(self.unseen)
        for other, place in enumerate(self.seats):
            if other != seat:
                for kind, count in enumerate(place.hand):
                    unseen[kind] += count
        return dict(zip(TILES, unseen, strict=True))

    # What may be done

    def why_not(self, seat: int, action: Event) -> tuple[Reason, ...]:
        """Every reason why the seat may not do that now; empty when it may.

        The three faults the rules punish with 相公 are among the reasons (`PENALISED`).
        """
        reasons = reasons_against(self, action)
        if getattr(action, "seat", seat) != seat:
            reasons.append(refusal("other_seat", seat=seat))
        return tuple(reasons)

    def legal_actions(self, seat: int, include_penalised: bool = False) -> tuple[Event, ...]:
        """What the seat may do now. Draws come without their tile, which nobody knows yet.

        Events that belong to nobody (deal, drawn game, void hand) are given to the seat whose turn
        it is. Passing a claim needs no event: the next seat's draw says it.

        Args:
            seat: 0..3.
            include_penalised: also the faults that make the player 相公, such as discarding a
                joker. They can happen, so a round can hold them, but nobody is advised to do them.
        """
        allowed = PENALISED if include_penalised else frozenset()
        return tuple(
            action
            for action in self._candidates(seat)
            if all(reason.code in allowed for reason in reasons_against(self, action))
        )

    def _candidates(self, seat: int) -> list[Event]:
        """Actions worth asking about: every legal one is among them."""
        own = seat == self.turn
        if self.phase == DEAL:
            return [self.dealt_by_wall()] if own and self.setup.wall is not None else []
        if self.phase == CLAIM:
            return self._claims(seat)
        if not own or self.phase == OVER:
            return []
        if self.phase == VOID:
            return [VoidHand()]
        hand = self.seats[seat].hand
        discards: list[Event] = [Discard(seat, TILES[k]) for k in range(KIND_COUNT) if hand[k]]
        if self.phase == REPLACE:
            return [ReplacementDraw(seat), DrawGame(NO_GANG_TILE), *discards]
        kongs: list[Event] = [
            kong(seat, TILES[kind])
            for kind in range(KIND_COUNT)
            if hand[kind] == COPIES
            for kong in (ConcealedKong, JokerKong)
        ]
        kongs += [AddedKong(seat, m.tile) for m in self.seats[seat].melds if hand[KINDS[m.tile]]]
        return [WinClaim(seat), *kongs, *discards, DrawGame(WALL_END), Draw(seat)]

    def _claims(self, seat: int) -> list[Event]:
        tile = self.last_discard
        actions: list[Event] = []
        if seat == (self.turn + 1) % SEATS:
            actions.append(Draw(seat))
        if tile is not None and seat != self.turn and self.seats[seat].hand[KINDS[tile]] >= 2:
            actions += [Pung(seat, tile), OpenKong(seat, tile)]
        return actions

    # What happens

    def dealt_by_wall(self) -> Deal:
        """The deal a known wall gives: four tiles a turn, then one, then the dealer's
        fourteenth.
        """
        tiles = self.setup.wall
        if tiles is None:
            raise IllegalEvent([refusal("no_wall")])
        hands: list[list[str]] = [[] for _ in range(SEATS)]
        for order, seat in enumerate(dealing_order(self.dealer)):
            hands[seat].append(tiles[self.wall.place(order)])
        drawn = hands[self.dealer].pop()
        indicator = tiles[self.wall.place(self.wall.indicator_order)]
        return Deal(tuple(tuple(hand) for hand in hands), drawn, indicator)

    def apply(self, event: Event) -> Round:
        """The round after the event; this one stays as it is.

        A draw may leave out its tile where the wall is known. The three punished faults are
        accepted: they make the player 相公.

        Raises:
            IllegalEvent: with every reason that holds.
        """
        told = filled(self, event)
        reasons = reasons_against(self, told)
        blocked = any(reason.code not in PENALISED for reason in reasons)
        if not blocked and isinstance(told, (Draw, ReplacementDraw)) and told.tile is None:
            reasons.append(refusal("tile_unknown"))
            blocked = True
        if blocked:
            raise IllegalEvent(reasons)
        return advance(self, told)

    # What it comes to

    def result(self) -> HandResult:
        """Who won and which gangs lie there, as `settle` takes it; before the end: as if drawn."""
        won = self.outcome
        return HandResult(
            dealer=self.dealer,
            winner=won.winner if won else None,
            fan=won.fan if won else 0,
            gangs=self.gangs,
            zuo=self.setup.zuo,
            la=self.setup.la,
            chan=self.chan,
        )

    def settlement(self) -> Settlement:
        """The account of the hand (SPEC §10); before the end: as if it were drawn now."""
        return settle(self.result(), self.options)

    # JSON

    def to_json(self) -> dict[str, Any]:
        """The round as JSON: its setup and its events. `from_json` rebuilds an equal one."""
        setup = self.setup
        opening = setup.opening
        return {
            "dealer": opening.dealer,
            "dice": [list(opening.dice1), list(opening.dice2), list(opening.dice3)],
            "zuo": setup.zuo,
            "la": list(setup.la),
            "options": setup.options.to_mapping(),
            "wall": None if setup.wall is None else format_tiles(setup.wall),
            "events": [event_to_json(event) for event in self.events],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Round:
        """Rebuild a round from JSON, checking every event on the way.

        Raises:
            RequestError: the JSON has not the shape of a round.
            SetupError: the hand cannot begin like that.
            OptionError: an unknown option or value.
            IllegalEvent: an event cannot happen where it stands.
        """
        try:
            dice = tuple(tuple(roll) for roll in data["dice"])
            dice1, dice2, dice3 = dice
            wall = data.get("wall")
            setup = Setup(
                Opening(data["dealer"], dice1, dice2, dice3),
                RuleOptions.from_mapping(data.get("options", {})),
                bool(data.get("zuo", False)),
                tuple(data.get("la", NO_PULL)),
                None if wall is None else parse_tiles(wall),
            )
            events = [event_from_json(event) for event in data["events"]]
        except RulesError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RequestError(
                [
                    Reason(
                        "malformed_round",
                        f"这一盘的记录写法不对：{error}",
                        f"malformed round ({error}); give dealer, dice, events",
                    )
                ]
            ) from None
        return cls.replay(setup, events)
