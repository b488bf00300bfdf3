"""没混儿: a win without any joker tile ("没有混儿牌的胡牌")."""

from __future__ import annotations

from rules.fans.fan import Fan, View, never
from rules.options import RuleOptions


def holds(view: View) -> bool:
    """No joker in hand, the drawn tile included, and no joker gang (SPEC §7.8, §9.3)."""
    return not view.has_joker_tile and not view.joker_gang_counts


def factor(options: RuleOptions) -> int:
    """Two; four under 刮大风 (SPEC §9.1)."""
    return options.mei_hun_fan


FAN = Fan("no_joker", "没混儿", "No joker", holds, factor, never)
