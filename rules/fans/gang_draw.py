"""杠开: a gang's replacement tile wins ("开杠抓进的牌成胡牌"), once for any gang (SPEC §7.9)."""

from __future__ import annotations

from rules.fans.fan import Fan, View, fixed, never


def holds(view: View) -> bool:
    """The drawn tile replaced a gang."""
    return view.hand.gang_draw


FAN = Fan("gang_draw", "杠开", "Kong draw win", holds, fixed(2), never)
