"""本混儿: the dragon's suit is the jokers' suit ("龙的花色和混儿的花色相同"), never honours."""

from __future__ import annotations

from rules.fans.fan import Fan, View, fixed, never


def holds(view: View) -> bool:
    """A dragon is there in a suit of which tiles are jokers."""
    suits = {tile[1] for tile in view.hand.jokers}
    return any(suit in suits for suit in view.reading.long_suits)


FAN = Fan("benhun", "本混儿", "Joker suit", holds, fixed(2), never)
