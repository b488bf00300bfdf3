"""The JSON answers about the table: opening, seating, east_seat, xianggong, chan, settlement.

Each takes the `input` of a request (SPEC §12, the vector files) and gives what their `expect`
holds. A request of the wrong shape is refused with every reason, never half answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.chan import is_chan
from rules.opening import Opening
from rules.options import RuleOptions
from rules.reasons import Reason, RequestError, brief
from rules.seating import draw_winds, east_seat
from rules.settlement import Gang, HandResult, settle
from rules.tiles import KINDS
from rules.wall import SEATS
from rules.xianggong import xianggong

Check = Callable[[Any], bool]

MOST_MELDS = 4


def _is_seat(value: object) -> bool:
    return type(value) is int and 0 <= value < SEATS


def _is_seat_or_none(value: object) -> bool:
    return value is None or _is_seat(value)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_meld_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_MELDS


def _is_flag(value: object) -> bool:
    return type(value) is bool


def _is_dice(value: object) -> bool:
    return (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and all(type(points) is int and 1 <= points <= 6 for points in value)
    )


def _is_strings(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _is_whole_numbers(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(type(item) is int for item in value)


def _is_gangs(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(
        isinstance(gang, Mapping)
        and set(gang) == {"player", "kind"}
        and type(gang["player"]) is int
        and isinstance(gang["kind"], str)
        for gang in value
    )


def _is_discards(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(
        isinstance(item, (list, tuple))
        and len(item) == 2
        and _is_seat(item[0])
        and isinstance(item[1], str)
        and item[1] in KINDS
        for item in value
    )


@dataclass(frozen=True, slots=True)
class _Field:
    """What one field takes: the check, and its words in both languages."""

    allows: Check
    zh: str
    en: str


_SEAT = _Field(_is_seat, "座位 0、1、2 或 3", "a seat 0, 1, 2 or 3")
_DICE = _Field(_is_dice, "两个 1 到 6 的点数，如 [3, 4]", "two dice of 1 to 6, such as [3, 4]")
_COUNT = _Field(_is_count, "不小于 0 的整数", "a whole number of tiles")
_FLAG = _Field(_is_flag, "true 或 false", "true or false")

_FIELDS: dict[str, dict[str, _Field]] = {
    "opening": {"dealer": _SEAT, "dice1": _DICE, "dice2": _DICE, "dice3": _DICE},
    "east_seat": {"roller": _SEAT, "dice": _DICE},
    "seating": {
        "order_before": _Field(_is_strings, "四个名字的列表", "a list of four names"),
        "east": _SEAT,
        "picks": _Field(_is_strings, "依次拿到的风牌的列表", "a list of the winds drawn"),
        "after_guo": _FLAG,
    },
    "xianggong": {
        "concealed_count": _COUNT,
        "meld_count": _Field(_is_meld_count, "0 到 4 副", "a number of melds from 0 to 4"),
        "has_drawn": _FLAG,
        "discarded_joker": _FLAG,
    },
    "chan": {
        "dealer": _SEAT,
        "discards": _Field(_is_discards, "[座位, 牌] 的列表", "a list of [seat, tile]"),
    },
    "settlement": {
        "dealer": _SEAT,
        "zuo": _FLAG,
        "la": _Field(_is_whole_numbers, "四个整数的列表", "a list of four numbers"),
        "winner": _Field(_is_seat_or_none, "座位 0 到 3 或 null", "a seat 0, 1, 2, 3 or null"),
        "fan": _Field(_is_count, "不小于 0 的整数", "a whole number of fan"),
        "gangs": _Field(_is_gangs, "{player, kind} 的列表", "a list of {player, kind}"),
        "chan": _FLAG,
    },
}

_DEFAULTS: dict[str, dict[str, Any]] = {
    "xianggong": {"discarded_joker": False},
    "seating": {"after_guo": False},
    "settlement": {
        "zuo": False,
        "la": [0, 0, 0, 0],
        "winner": None,
        "fan": 0,
        "gangs": [],
        "chan": False,
    },
}


TABLE_TYPES: tuple[str, ...] = tuple(_FIELDS)
"""The request types answered here."""


def _checked(kind: str, data: object) -> dict[str, Any]:
    """The input with its defaults.

    Raises:
        RequestError: with every field that is missing, unknown or of the wrong kind.
    """
    wanted = _FIELDS[kind]
    if not isinstance(data, Mapping):
        names = ", ".join(wanted)
        why = f"`input` must be an object with {names}"
        raise RequestError([Reason("malformed_input", f"input 应是一个对象：{names}", why)])
    values = {**_DEFAULTS.get(kind, {}), **data}
    reasons = [_unknown_field(kind, name) for name in values if name not in wanted]
    for name, field in wanted.items():
        if name not in values:
            zh = f"{kind} 缺少“{name}”：{field.zh}"
            reasons.append(Reason("missing_field", zh, f"{kind} needs {name!r}: {field.en}"))
        elif not field.allows(values[name]):
            given = brief(values[name])
            zh = f"“{name}”不能是 {given}；应是{field.zh}"
            en = f"{name!r} cannot be {given}; give {field.en}"
            reasons.append(Reason("bad_field", zh, en))
    if reasons:
        raise RequestError(reasons)
    return values


def _unknown_field(kind: str, name: object) -> Reason:
    known = ", ".join(_FIELDS[kind])
    return Reason(
        "unknown_field",
        f"{kind} 没有 {brief(name)} 这一项，只有 {known}",
        f"{kind} has no field {brief(name)}; it takes {known}",
    )


def answer_opening(data: object) -> dict[str, Any]:
    """`{dealer, dice1, dice2, dice3}` -> rollers, break, turned tile, live and tail tiles.

    SPEC §3.
    """
    given = _checked("opening", data)
    dice = [tuple(given[name]) for name in ("dice1", "dice2", "dice3")]
    return Opening(given["dealer"], dice[0], dice[1], dice[2]).answer()


def answer_east_seat(data: object) -> dict[str, Any]:
    """`{roller, dice}` -> `{seat}` (SPEC §2.4)."""
    given = _checked("east_seat", data)
    return {"seat": east_seat(given["roller"], tuple(given["dice"]))}


def answer_seating(data: object) -> dict[str, Any]:
    """`{order_before, east, picks, after_guo}` -> `{seats, redo}` (SPEC §2.5, §2.6)."""
    given = _checked("seating", data)
    drawn = draw_winds(given["order_before"], given["east"], given["picks"], given["after_guo"])
    return {"seats": list(drawn.seats), "redo": drawn.redo}


def answer_xianggong(data: object) -> dict[str, Any]:
    """`{concealed_count, meld_count, has_drawn, discarded_joker}` -> `{xianggong}` (SPEC §5.8)."""
    given = _checked("xianggong", data)
    return {
        "xianggong": xianggong(
            given["concealed_count"],
            given["meld_count"],
            given["has_drawn"],
            given["discarded_joker"],
        )
    }


def answer_chan(data: object) -> dict[str, Any]:
    """`{dealer, discards}` -> `{chan}`; only the first four discards matter (SPEC §9.2)."""
    given = _checked("chan", data)
    return {"chan": is_chan(given["dealer"], [(seat, tile) for seat, tile in given["discards"]])}


def answer_settlement(data: object, options: RuleOptions) -> dict[str, Any]:
    """`{dealer, zuo, la, winner, fan, gangs, chan}` -> `{deltas, next_dealer, restart}` (SPEC §10).

    Raises:
        SettlementError: a result that cannot be under the options.
    """
    given = _checked("settlement", data)
    result = HandResult(
        dealer=given["dealer"],
        winner=given["winner"],
        fan=given["fan"],
        gangs=tuple(Gang(gang["player"], gang["kind"]) for gang in given["gangs"]),
        zuo=given["zuo"],
        la=tuple(given["la"]),
        chan=given["chan"],
    )
    return settle(result, options).answer()


def answer_table(kind: str, data: object, options: RuleOptions) -> dict[str, Any]:
    """The answer to one request about the table.

    Args:
        kind: one of `TABLE_TYPES`.
        data: the `input` of the request.
        options: the rules in force.

    Raises:
        RequestError: the input has not the shape of its type.
        RulesError: what it describes cannot be, with every reason that holds.
    """
    if kind == "settlement":
        return answer_settlement(data, options)
    answers: dict[str, Callable[[object], dict[str, Any]]] = {
        "opening": answer_opening,
        "east_seat": answer_east_seat,
        "seating": answer_seating,
        "xianggong": answer_xianggong,
        "chan": answer_chan,
    }
    return answers[kind](data)
