"""混儿吊: the drawn tile makes a pair with a joker that stood alone ("用混儿单骑对子")."""

from __future__ import annotations

from rules.fans.fan import Fan, View, fixed, never


def holds(view: View) -> bool:
    """The drawn tile lies in the pair and the other tile of it is a joker (SPEC §7.1)."""
    group = view.reading.drawn_group
    return (
        group is not None
        and group.form == "pair"
        and all(placed.joker for placed in group.tiles if not placed.drawn)
    )


FAN = Fan("hundiao", "混儿吊", "Joker pair wait", holds, fixed(2), never)
