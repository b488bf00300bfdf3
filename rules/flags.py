"""天和, 地和 and 杠开, read off the events of a hand; nobody passes them in (SPEC §7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.events import (
    AddedKong,
    ConcealedKong,
    Deal,
    Draw,
    Event,
    JokerKong,
    OpenKong,
    Pung,
    ReplacementDraw,
)

_MELDING = (Pung, OpenKong, ConcealedKong, AddedKong, JokerKong)


@dataclass(frozen=True, slots=True)
class WinFlags:
    """What the course of the hand says about a win now.

    Attributes:
        gang_draw: the tile drawn last replaced a 杠: "开杠抓进的牌成胡牌".
        heavenly: the dealer holds the dealt tiles, nothing else has happened: "庄家立手胡牌为天和".
        earthly: a non-dealer's first drawn tile: "闲家抓第一颗牌胡牌为地和".
    """

    gang_draw: bool = False
    heavenly: bool = False
    earthly: bool = False


def win_flags(dealer: int, seat: int, events: Sequence[Event]) -> WinFlags:
    """The flags for a win by `seat` after these events.

    地和 asks for the player's own first draw and no own 碰 or 杠 before it (SPEC §12: neither goes
    with melds); what the others did in between does not matter [R: the seed names only
    "抓第一颗牌"].
    """
    last = events[-1]
    if isinstance(last, ReplacementDraw):
        return WinFlags(gang_draw=last.seat == seat)
    if isinstance(last, Deal):
        return WinFlags(heavenly=seat == dealer)
    if not isinstance(last, Draw) or last.seat != seat or seat == dealer:
        return WinFlags()
    acted_before = any(
        isinstance(event, (Draw, ReplacementDraw, *_MELDING)) and event.seat == seat
        for event in events[:-1]
    )
    return WinFlags(earthly=not acted_before)
