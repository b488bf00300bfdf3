"""Rounds dealt for a test: hands and coming tiles as the test needs them, jokers 9s and 1s."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rules.events import (
    Deal,
    Event,
)
from rules.opening import Opening
from rules.options import RuleOptions
from rules.round import IllegalEvent, Round, Setup
from rules.simulate import broken_laws
from rules.tiles import TILES, parse_tiles

LONG = "123456789m11p23p"  # 没混儿龙 on 1p and 4p
NINE_S = "9s"  # turned: 9s and 1s are jokers


def dealt(
    hands: dict[int, str],
    drawn: str,
    *later: str,
    indicator: str = NINE_S,
    dealer: int = 0,
    dice3: tuple[int, int] = (3, 4),
    zuo: bool = False,
    **options: Any,
) -> Round:
    """A dealt round with these hands; the other seats get single tiles that nobody needs later."""
    given = {seat: list(parse_tiles(text)) for seat, text in hands.items()}
    used = Counter([drawn, indicator, *later, *(tile for hand in given.values() for tile in hand)])
    rest = [tile for copy in range(4) for tile in TILES if used[tile] + copy < 4]
    for seat in range(4):
        if seat not in given:
            given[seat], rest = rest[:13], rest[13:]
    setup = Setup(
        Opening(dealer, (1, 2), (3, 4), dice3), RuleOptions.from_mapping(options), zuo=zuo
    )
    deal = Deal(tuple(tuple(given[seat]) for seat in range(4)), drawn, indicator)
    return Round.begin(setup).apply(deal)


def after(table: Round, *events: Event) -> Round:
    for event in events:
        table = table.apply(event)
        assert broken_laws(table) == []
    return table


def refused(table: Round, event: Event) -> list[str]:
    with pytest.raises(IllegalEvent) as error:
        table.apply(event)
    return [reason.code for reason in error.value.reasons]
