"""What each event changes on the table. Nothing is checked here: `Round.apply` has done that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.chan import is_chan
from rules.events import (
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
)
from rules.hand import Meld
from rules.jokers import joker_kinds
from rules.settlement import Gang
from rules.table import (
    ACT,
    BY_DEAL,
    BY_DRAW,
    BY_PUNG,
    BY_REPLACEMENT,
    CLAIM,
    COPIES,
    FULL_SET,
    OVER,
    REPLACE,
    VOID,
    RoundEnd,
    Seat,
    changed,
    counted,
)
from rules.tiles import KINDS
from rules.wall import DEALT_TILES, SEATS

if TYPE_CHECKING:
    from rules.round import Round


def filled(table: Round, event: Event) -> Event:
    """The event with the tile the known wall gives, where it was left out."""
    wall = table.setup.wall
    if wall is None:
        return event
    if isinstance(event, Deal) and event.hands is None:
        return table.dealt_by_wall()
    if isinstance(event, Draw) and event.tile is None and table.wall.live_left:
        return Draw(event.seat, wall[table.wall.place(table.wall.next_order())])
    if isinstance(event, ReplacementDraw) and event.tile is None:
        order = table.replacement_order()
        if order is not None:
            return ReplacementDraw(event.seat, wall[table.wall.place(order)])
    return event


def advance(table: Round, event: Event) -> Round:
    """The round after an event that is known to be possible."""
    return _MOVES[type(event)](table, event)


def _with_seat(table: Round, number: int, seat: Seat) -> tuple[Seat, ...]:
    return (*table.seats[:number], seat, *table.seats[number + 1 :])


def _deal(table: Round, event: Deal) -> Round:
    hands = [counted(hand) for hand in event.hands or ()]
    drawn, indicator = KINDS[str(event.drawn)], str(event.indicator)
    hands[table.dealer] = changed(hands[table.dealer], drawn, 1)
    unseen = bytearray(FULL_SET)
    for hand in hands:
        for kind, count in enumerate(hand):
            unseen[kind] -= count
    unseen[KINDS[indicator]] -= 1
    return replace(
        table,
        events=(event,),
        phase=ACT,
        turn=table.dealer,
        seats=tuple(Seat(hand) for hand in hands),
        wall=replace(table.wall, front=DEALT_TILES),
        unseen=bytes(unseen),
        indicator=indicator,
        joker_kinds=tuple(KINDS[tile] for tile in joker_kinds(indicator, table.options.joker_rule)),
        drawn=drawn,
        drawn_by=BY_DEAL,
    )


def _draw(table: Round, event: Draw | ReplacementDraw) -> Round:
    kind = KINDS[str(event.tile)]
    seat = table.seats[event.seat]
    from_front = isinstance(event, Draw)
    return replace(
        table,
        events=(*table.events, event),
        phase=ACT,
        turn=event.seat,
        seats=_with_seat(table, event.seat, replace(seat, hand=changed(seat.hand, kind, 1))),
        wall=table.wall.draw() if from_front else table.wall.take_replacement(),
        unseen=changed(table.unseen, kind, -1),
        drawn=kind,
        drawn_by=BY_DRAW if from_front else BY_REPLACEMENT,
    )


def _discard(table: Round, event: Discard) -> Round:
    kind = KINDS[event.tile]
    seat = table.seats[event.seat]
    first, chan = table.first_discards, table.chan
    if len(first) < SEATS:
        first = (*first, (event.seat, event.tile))
        chan = is_chan(table.dealer, first)
    voided = chan and not table.chan and table.options.chan == "restart"
    after = replace(
        seat,
        hand=changed(seat.hand, kind, -1),
        river=(*seat.river, event.tile),
        joker_discarded=seat.joker_discarded or kind in table.joker_kinds,
    )
    return replace(
        table,
        events=(*table.events, event),
        phase=VOID if voided else CLAIM,
        turn=event.seat,
        seats=_with_seat(table, event.seat, after),
        drawn=None,
        drawn_by="",
        first_discards=first,
        chan=chan,
    )


def _claim(table: Round, event: Pung | OpenKong) -> Round:
    """The tile leaves the discarder's river and lies in the claimer's meld."""
    is_pung = isinstance(event, Pung)
    giver = table.seats[table.turn]
    seats = _with_seat(table, table.turn, replace(giver, river=giver.river[:-1]))
    seat = seats[event.seat]
    after = replace(
        seat,
        hand=changed(seat.hand, KINDS[event.tile], -2 if is_pung else -3),
        melds=(*seat.melds, Meld("pong" if is_pung else "gang_open", event.tile)),
    )
    return replace(
        table,
        events=(*table.events, event),
        phase=ACT if is_pung else REPLACE,
        turn=event.seat,
        seats=(*seats[: event.seat], after, *seats[event.seat + 1 :]),
        drawn=None,
        drawn_by=BY_PUNG if is_pung else "",
        gangs=table.gangs if is_pung else (*table.gangs, Gang(event.seat, "open")),
    )


def _own_kong(table: Round, event: ConcealedKong | JokerKong | AddedKong) -> Round:
    seat = table.seats[event.seat]
    if isinstance(event, AddedKong):
        taken, kind = 1, "open"
        melds = tuple(
            Meld("gang_open", m.tile) if (m.kind, m.tile) == ("pong", event.tile) else m
            for m in seat.melds
        )
    else:
        taken, kind = COPIES, "joker" if isinstance(event, JokerKong) else "concealed"
        melds = (*seat.melds, Meld("gang_concealed", event.tile))
    hand = changed(seat.hand, KINDS[event.tile], -taken)
    return replace(
        table,
        events=(*table.events, event),
        phase=REPLACE,
        seats=_with_seat(table, event.seat, replace(seat, hand=hand, melds=melds)),
        drawn=None,
        drawn_by="",
        gangs=(*table.gangs, Gang(event.seat, kind)),
    )


def _end(table: Round, event: Event, outcome: RoundEnd) -> Round:
    return replace(table, events=(*table.events, event), phase=OVER, outcome=outcome)


def _win(table: Round, event: WinClaim) -> Round:
    judged = table.judgement(event.seat)
    names, title = tuple(judged.names), judged.title
    return _end(table, event, RoundEnd("win", event.seat, judged.fan, names, title))


def _draw_game(table: Round, event: DrawGame) -> Round:
    return _end(table, event, RoundEnd("draw", cause=event.cause))


def _void(table: Round, event: VoidHand) -> Round:
    return _end(table, event, RoundEnd("void", cause="chan"))


_MOVES: dict[type, Callable[[Round, Any], Round]] = {
    Deal: _deal,
    Draw: _draw,
    ReplacementDraw: _draw,
    Discard: _discard,
    Pung: _claim,
    OpenKong: _claim,
    ConcealedKong: _own_kong,
    JokerKong: _own_kong,
    AddedKong: _own_kong,
    WinClaim: _win,
    DrawGame: _draw_game,
    VoidHand: _void,
}
