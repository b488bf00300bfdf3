"""双混儿吊: the drawn tile makes a set with two jokers ("最后一张牌可以和两个混儿组成一副")."""

from __future__ import annotations

from rules.fans.fan import Fan, View, fixed, never


def holds(view: View) -> bool:
    """Both other tiles of the drawn tile's set are jokers; not inside the dragon (SPEC §7.4)."""
    reading = view.reading
    if not reading.drawn_with_two_jokers:
        return False
    return not (view.options.shuang_outside_dragon and reading.drawn_group_in_long)


FAN = Fan("shuang_hundiao", "双混儿吊", "Double joker wait", holds, fixed(2), never)
