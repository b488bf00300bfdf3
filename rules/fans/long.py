"""龙: the runs 123, 456 and 789 of one suit ("一种花色1-9相连接的序数牌。这些牌作为三副牌")."""

from __future__ import annotations

from rules.fans.fan import Fan, View, always, fixed


def holds(view: View) -> bool:
    """Three of the sets are 123, 456, 789 of one suit, jokers allowed."""
    return bool(view.reading.long_suits)


FAN = Fan("long", "龙", "Dragon (1 to 9)", holds, fixed(4), always)
