"""The named events that move a hand, and their JSON.

Every event is an immutable value. The tile of a draw may be left out (None) where the wall is
known: the round fills it in. `Chow` never happens in Tianjin mahjong; it exists so that one may ask
why not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from rules.reasons import Reason, RequestError

WALL_END = "wall_end"
NO_GANG_TILE = "no_gang_tile"


@dataclass(frozen=True, slots=True)
class Deal:
    """抓牌: thirteen tiles to each seat, the dealer's fourteenth, and the turned tile.

    Attributes:
        hands: by seat, thirteen tiles each; None where the wall is known and shall be dealt.
        drawn: the dealer's fourteenth tile.
        indicator: the turned tile 翻混牌.
    """

    hands: tuple[tuple[str, ...], ...] | None = None
    drawn: str | None = None
    indicator: str | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """抓牌: one tile from the front of the wall."""

    seat: int
    tile: str | None = None


@dataclass(frozen=True, slots=True)
class ReplacementDraw:
    """The tile after a 杠, from the tail of the wall."""

    seat: int
    tile: str | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """打牌."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class Pung:
    """碰: the tile just discarded with two from hand."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class OpenKong:
    """明杠: the tile just discarded with three from hand."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class ConcealedKong:
    """暗杠: four from hand."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class AddedKong:
    """补杠: a tile from hand added to one's own 碰; counts as 明杠 (SPEC §5.3)."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class JokerKong:
    """混儿杠 (金杠): four jokers of one kind from hand (SPEC §9.3)."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class WinClaim:
    """胡牌, with the tile just drawn."""

    seat: int


@dataclass(frozen=True, slots=True)
class DrawGame:
    """和局.

    Attributes:
        cause: "wall_end" (the last tile before the turned one is drawn) or "no_gang_tile" (a 杠 and
            nothing left to take for it, SPEC §5.6).
    """

    cause: str = WALL_END


@dataclass(frozen=True, slots=True)
class VoidHand:
    """铲 under the option "restart": "这一盘被认为结束洗牌后重新开始"."""


@dataclass(frozen=True, slots=True)
class Chow:
    """吃, which Tianjin mahjong does not have ("不允许吃"): never legal, only asked about."""

    seat: int
    tile: str


Event = (
    Deal
    | Draw
    | ReplacementDraw
    | Discard
    | Pung
    | OpenKong
    | ConcealedKong
    | AddedKong
    | JokerKong
    | WinClaim
    | DrawGame
    | VoidHand
    | Chow
)

EVENT_TYPES: dict[str, type] = {
    "deal": Deal,
    "draw": Draw,
    "replacement_draw": ReplacementDraw,
    "discard": Discard,
    "pung": Pung,
    "open_kong": OpenKong,
    "concealed_kong": ConcealedKong,
    "added_kong": AddedKong,
    "joker_kong": JokerKong,
    "win_claim": WinClaim,
    "draw_game": DrawGame,
    "void_hand": VoidHand,
    "chow": Chow,
}
"""The JSON name of every event."""

EVENT_NAMES: dict[type, str] = {kind: name for name, kind in EVENT_TYPES.items()}
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in EVENT_NAMES}


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as a JSON object: its `type` and its own fields."""
    kind = type(event)
    data: dict[str, Any] = {"type": EVENT_NAMES[kind]}
    for name in _FIELDS[kind]:
        value = getattr(event, name)
        if name == "hands" and value is not None:
            value = [list(hand) for hand in value]
        data[name] = value
    return data


def event_from_json(data: Mapping[str, Any]) -> Event:
    """The event a JSON object describes; the inverse of `event_to_json`.

    Raises:
        RequestError: an unknown type, a missing or unknown field, a field of the wrong kind.
    """
    if not isinstance(data, Mapping) or data.get("type") not in EVENT_TYPES:
        raise _malformed(f"an event needs a `type` out of {', '.join(EVENT_TYPES)}")
    kind = EVENT_TYPES[data["type"]]
    values = {name: value for name, value in data.items() if name != "type"}
    wrong = [name for name in values if name not in _FIELDS[kind]]
    if wrong:
        raise _malformed(f"event {data['type']!r} has no field {', '.join(map(repr, wrong))}")
    for name, value in values.items():
        if not _fits(name, value):
            raise _malformed(f"event {data['type']!r}: {name!r} cannot be {value!r}")
    if values.get("hands") is not None:
        values["hands"] = tuple(tuple(hand) for hand in values["hands"])
    try:
        event: Event = kind(**values)
    except TypeError:
        missing = ", ".join(name for name in _FIELDS[kind] if name not in values)
        raise _malformed(f"event {data['type']!r} lacks {missing}") from None
    return event


def _fits(name: str, value: object) -> bool:
    if name == "seat":
        return type(value) is int
    if name == "hands":
        return value is None or (
            isinstance(value, (list, tuple))
            and all(isinstance(hand, (list, tuple)) for hand in value)
            and all(isinstance(tile, str) for hand in value for tile in hand)
        )
    return isinstance(value, str) or (value is None and name in ("tile", "drawn", "indicator"))


def _malformed(why: str) -> RequestError:
    return RequestError(
        [Reason("malformed_event", f"事件写法不对：{why}", f"malformed event: {why}")]
    )
