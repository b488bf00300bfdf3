"""From an edited table to an answer: a score, waits, candidates, or why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rules import (
    Hand,
    HandError,
    Judgement,
    Meld,
    Reason,
    RuleOptions,
    joker_kinds,
    judge,
    tile_name,
    waits,
)
from rules.xianggong import DA, xianggong
from server.fan_texts import HINTS, fan_lines

COPIES = 4


@dataclass(frozen=True)
class Table:
    """What /api/score is asked about, checked for shape.

    Attributes:
        hand: concealed tiles without the drawn one; may hold `back`.
        drawn: the drawn tile or None.
        melds: exposed sets.
        indicator: the turned tile or None.
        jokers: joker kinds given outright instead of a turned tile, or None.
        aside: further tiles in view; they only count for how many of a tile are left.
        options: rule options.
        flags: `gang_draw`, `heavenly`, `earthly`.
    """

    hand: tuple[str, ...]
    drawn: str | None
    melds: tuple[Meld, ...]
    indicator: str | None
    jokers: tuple[str, ...] | None
    aside: tuple[str, ...]
    options: RuleOptions
    flags: dict[str, bool]

    @property
    def joker_kinds(self) -> tuple[str, ...]:
        """The joker kinds in force."""
        if self.jokers is not None:
            return self.jokers
        if self.indicator is None:
            return ()
        return joker_kinds(self.indicator, self.options.joker_rule)

    @property
    def rules_hand(self) -> Hand:
        """The hand as the rules take it."""
        return Hand(self.hand, self.melds, self.joker_kinds, self.drawn, **self.flags)

    @property
    def seen(self) -> Counter[str]:
        """How many tiles of each kind are in view."""
        count = Counter(self.hand) + Counter(self.aside)
        count.update(tile for meld in self.melds for tile in meld.tiles)
        count.update(tile for tile in (self.drawn, self.indicator) if tile)
        return count


def answer(table: Table) -> dict[str, Any]:
    """The answer to /api/score.

    Returns:
        Always `kind`, `jokers` and `warnings`. By kind: `"empty"`; `"impossible"` with `reasons`;
        `"win"` and `"no_win"` with `fan`, `title`, `fans`, `arithmetic`, `reading`, `also`,
        `reasons`; `"waits"` with `waits` (tile, fan, title, left); `"candidates"` with
        `candidates` (tile, win, fan, title) for 14 tiles of which none is set apart.
    """
    body = {"kind": "empty", "jokers": list(table.joker_kinds), "warnings": _warnings(table)}
    if not table.hand and not table.melds and table.drawn is None:
        return body
    hidden = [tile for tile in (*table.hand, table.drawn) if tile == "back"]
    if hidden:
        return body | {"kind": "impossible", "reasons": [face_down(len(hidden))]}
    hand = table.rules_hand
    short = 13 - 3 * len(table.melds)
    try:
        if hand.win_tile is not None:
            return body | _judged(table, judge(hand, table.options))
        if len(hand.concealed) == short:
            return body | _waits(table, hand)
        return body | _candidates(table, hand)
    except HandError as error:
        return body | {"kind": "impossible", "reasons": _with_way_out(table, error.reasons)}


def _judged(table: Table, found: Judgement) -> dict[str, Any]:
    reading = found.reading
    reasons = [reason.to_json() for reason in found.reasons]
    if not found.win:
        reasons += [
            HINTS[name]
            for name, wanted in (
                ("choose_indicator", not table.joker_kinds),
                ("check_tiles", not found.complete),
                ("check_drawn", found.complete),
            )
            if wanted
        ]
    return {
        "kind": "win" if found.win else "no_win",
        "fan": found.fan,
        "title": _title(found),
        "fans": fan_lines(found),
        "arithmetic": found.arithmetic,
        "reading": [] if reading is None else reading.to_json(),
        "also": [list(names) for names in found.names_alt[1:]],
        "reasons": reasons,
    }


def _title(found: Judgement) -> dict[str, str]:
    return {"zh": found.title, "en": found.title_en}


def _waits(table: Table, hand: Hand) -> dict[str, Any]:
    seen = table.seen
    found = []
    for tile, fan in waits(hand, table.options).items():
        judged = judge(replace(hand, win_tile=tile), table.options)
        found.append(
            {
                "tile": tile,
                "fan": fan,
                "title": _title(judged),
                "left": max(COPIES - seen[tile], 0),
            }
        )
    return {"kind": "waits", "waits": found}


def _candidates(table: Table, hand: Hand) -> dict[str, Any]:
    """What each tile of a full hand would score as the drawn one."""
    judged = {}
    for tile in dict.fromkeys(hand.concealed):
        rest = list(hand.concealed)
        rest.remove(tile)
        apart = replace(hand, concealed=tuple(rest), win_tile=tile)
        judged[tile] = judge(apart, table.options)
    if not judged:
        judge(hand, table.options)  # refuses the hand with its reasons
    reasons = [] if any(one.win for one in judged.values()) else _reasons_of(judged.values(), table)
    return {
        "kind": "candidates",
        "candidates": [
            {"tile": tile, "win": one.win, "fan": one.fan, "title": _title(one)}
            for tile, one in judged.items()
        ],
        "reasons": reasons,
    }


def _reasons_of(judged: Iterable[Judgement], table: Table) -> list[dict[str, str]]:
    reasons = {reason.code: reason.to_json() for one in judged for reason in one.reasons}
    hints = [HINTS["check_tiles"]]
    if not table.joker_kinds:
        hints.insert(0, HINTS["choose_indicator"])
    return [*reasons.values(), *hints]


def _with_way_out(table: Table, reasons: Iterable[Reason]) -> list[dict[str, str]]:
    """The reasons of an impossible hand, and for a wrong count what to do about it."""
    found = list(reasons)
    out = [reason.to_json() for reason in found]
    if any(reason.code == "wrong_count" for reason in found):
        have = len(table.hand) + (table.drawn is not None)
        wanted = 14 - 3 * len(table.melds)
        out.append(HINTS["move_aside" if have > wanted else "add_tiles"])
        out.append(_xianggong(have, table))
    return out


def _xianggong(have: int, table: Table) -> dict[str, str]:
    """What the wrong count would be at the table (SPEC §5.8)."""
    if xianggong(have, len(table.melds), table.drawn is not None) == DA:
        return {
            "code": "da_xianggong",
            "zh": "要是桌上真的多了牌，就是大相公：不能和，也不能开杠。",
            "en": "If there really is a tile too many at the table, it is 大相公: no win, no kong.",
        }
    return {
        "code": "xiao_xianggong",
        "zh": "要是桌上真的少了牌，就是小相公：不能和，但可以开杠。",
        "en": "If there really is a tile missing at the table, it is 小相公: no win, but kongs may "
        "be made.",
    }


def face_down(count: int) -> dict[str, str]:
    """What to do about tiles of the hand that lie face down."""
    return {
        "code": "face_down",
        "zh": f"手里有 {count} 张扣着的牌，点一下说出它是什么。",
        "en": f"{count} of the tiles in the hand lie face down; tap each and say what it is.",
    }


def _warnings(table: Table) -> list[dict[str, str]]:
    """Kinds of which more than four are in view, the turned tile included."""
    return [
        {
            "code": "five_in_view",
            "zh": f"{tile_name(tile, 'zh')}一共看见 {count} 张，只有 4 张："
            "有一张认错了，或翻混牌选错了。",
            "en": f"{count} tiles of {tile_name(tile, 'en')} are in view, but there are only "
            "four: one was read wrongly, or the turned tile is not right.",
        }
        for tile, count in table.seen.items()
        if count > COPIES and not tile.startswith(("back", "die"))
    ]
