"""地和: a player other than the dealer wins on the first draw ("闲家抓第一颗牌胡牌为地和")."""

from __future__ import annotations

from rules.fans.fan import Fan, View
from rules.options import RuleOptions


def holds(view: View) -> bool:
    """The drawn tile is a non-dealer's first, and the options have the fan."""
    return view.hand.earthly and view.options.earthly_fan > 0


def factor(options: RuleOptions) -> int:
    """Four by default."""
    return options.earthly_fan


def adds(options: RuleOptions) -> bool:
    """Multiplied unless `heaven_stack` says otherwise (SPEC §8.4)."""
    return options.heaven_stack == "add"


FAN = Fan("earthly", "地和", "Earthly win", holds, factor, adds)
