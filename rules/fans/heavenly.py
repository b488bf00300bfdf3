"""天和: the dealer wins on the dealt hand (SPEC §7: "庄家立手胡牌为天和")."""

from __future__ import annotations

from rules.fans.fan import Fan, View
from rules.options import RuleOptions


def holds(view: View) -> bool:
    """The hand is the dealer's dealt hand, and the options have the fan."""
    return view.hand.heavenly and view.options.heavenly_fan > 0


def factor(options: RuleOptions) -> int:
    """Four by default; 刮大风 has none."""
    return options.heavenly_fan


def adds(options: RuleOptions) -> bool:
    """Multiplied unless `heaven_stack` says otherwise (SPEC §8.4)."""
    return options.heaven_stack == "add"


FAN = Fan("heavenly", "天和", "Heavenly win", holds, factor, adds)
