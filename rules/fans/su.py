"""素的, where it is a fan of its own: jokers not used as jokers ("混儿牌不做混儿用", SPEC §9.4)."""

from __future__ import annotations

from rules.fans.fan import Fan, View, never
from rules.options import RuleOptions


def holds(view: View) -> bool:
    """Joker tiles are there and every one of them stands for its own kind."""
    return (
        view.options.su_mode != "no_jokers"
        and view.has_joker_tile
        and not view.joker_gang_counts
        and view.reading.at_face_value
    )


def factor(options: RuleOptions) -> int:
    """The same factor as 没混儿."""
    return options.mei_hun_fan


FAN = Fan("su", "素的", "Plain (jokers at face value)", holds, factor, never)
