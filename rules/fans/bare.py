"""屁和 (提溜儿): a complete hand with no fan at all, worth 1 ("数不出任何番种的胡牌称为“屁和”")."""

from __future__ import annotations

from rules.fans.fan import Fan, View, always, fixed


def holds(_: View) -> bool:
    """Any complete hand; it is named only when nothing else holds."""
    return True


FAN = Fan("bare", "屁和", "Bare win", holds, fixed(1), always)
