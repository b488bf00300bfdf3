"""捉伍儿: the drawn tile is the 5 of a 4-5-6m ("最后一张抓的是伍万…而且有四伍六万一副牌")."""

from __future__ import annotations

from rules.fans.fan import Fan, View, always, fixed


def holds(view: View) -> bool:
    """The drawn tile is, or as a joker stands for, the 5m of a 4-5-6m (SPEC §7.2)."""
    group = view.reading.drawn_group
    return (
        group is not None
        and group.stands_for == ("4m", "5m", "6m")
        and group.drawn is not None
        and group.drawn.stands_for == "5m"
    )


FAN = Fan("zhuowu", "捉伍儿", "Catch the five", holds, fixed(3), always)
