"""One line of the JSON interface: a request in, a result out, never an exception (SPEC §12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from rules.hand import Hand, HandError, Meld, hand_problems
from rules.jokers import JOKER_RULES, joker_kinds, joker_tile_count, next_tile
from rules.judging import DEFAULT, judge, waits
from rules.options import OptionError, RuleOptions
from rules.reasons import Reason, RequestError, RulesError, brief
from rules.tiles import KINDS

Request = Mapping[str, Any]
Handler = Callable[[Request], dict[str, Any]]

_FLAGS = ("self_draw", "gang_draw", "heavenly", "earthly")


def answer(request: Any) -> dict[str, Any]:
    """Answer one request.

    Args:
        request: a JSON object with `"type"` (`"hand"` when left out) and what that type takes.

    Returns:
        `{"id": ..., ...}` with the result, or `{"id": ..., "error": [reasons]}`, each reason with
        `code`, `zh` and `en`, every one that holds.
    """
    if not isinstance(request, Mapping):
        reason = _shape("request", "一个 JSON 对象", "a JSON object", request)
        return {"id": None, "error": [reason.to_json()]}
    head = {"id": request.get("id")}
    kind = request.get("type", "hand")
    handler = handlers().get(kind) if isinstance(kind, str) else None
    try:
        if handler is None:
            raise RequestError([_unknown_type(kind)])
        return head | handler(request)
    except RulesError as refused:
        return head | {"error": [reason.to_json() for reason in refused.reasons]}


@lru_cache(maxsize=1)
def handlers() -> dict[str, Handler]:
    """What answers each type of request."""
    # Imported on first use: judging hands needs none of the table.
    from rules.table_answers import TABLE_TYPES

    return {"hand": answer_hand, "jokers": answer_jokers, "advice": answer_advice} | {
        kind: partial(_answer_table, kind) for kind in TABLE_TYPES
    }


def _answer_table(kind: str, request: Request) -> dict[str, Any]:
    from rules.table_answers import answer_table

    return answer_table(kind, request.get("input"), options_of(request))


def _unknown_type(kind: object) -> Reason:
    known = ", ".join(handlers())
    return Reason(
        "unknown_type",
        f"没有 {brief(kind)} 这种请求；有这些：{known}",
        f"unknown type {brief(kind)}; use one of {known}",
    )


def _shape(name: str, zh: str, en: str, value: object) -> Reason:
    return Reason(
        "bad_request",
        f"“{name}”应是{zh}，现在是 {brief(value)}",
        f"{name} must be {en}, not {brief(value)}",
    )


def options_of(request: Request) -> RuleOptions:
    """The options of a request; the defaults when it has none.

    Raises:
        RequestError: `"options"` is no object.
        OptionError: unknown options or bad values.
    """
    given = request.get("options")
    if not given and (given is None or isinstance(given, Mapping)):
        return DEFAULT
    if not isinstance(given, Mapping):
        raise RequestError([_shape("options", "一个对象", "an object", given)])
    items = tuple(given.items())
    try:
        return _options(items, tuple(type(value) for _, value in items))
    except TypeError:  # A list or an object as a value cannot be remembered, nor is it allowed.
        return RuleOptions.from_mapping(given)


@lru_cache(maxsize=64)
def _options(items: tuple[tuple[str, Any], ...], types: tuple[type, ...]) -> RuleOptions:
    # The types are part of the key: True == 1, but one of them is refused.
    return RuleOptions.from_mapping(dict(items))


def answer_hand(request: Request) -> dict[str, Any]:
    """A hand judged, or its waits when no tile is drawn and one is missing (SPEC §12).

    Raises:
        RulesError: every reason that holds, of the hand and of the options.
    """
    reasons: list[Reason] = []
    options: RuleOptions | None = None
    try:
        options = options_of(request)
    except (RequestError, OptionError) as refused:
        reasons += refused.reasons
    hand, problems = read_hand(request)
    reasons += problems
    if hand is not None and (reasons or options is None):
        reasons += hand_problems(hand, RuleOptions.valid_part(request.get("options")))
    if reasons or hand is None or options is None:
        raise HandError(reasons)
    if hand.asks_waits:
        return {"waits": waits(hand, options)}
    result = judge(hand, options)
    return {
        "win": result.win,
        "complete": result.complete,
        "fan": result.fan,
        "names": list(result.names),
        "names_alt": [list(names) for names in result.names_alt],
        "title": result.title,
    }


def answer_advice(request: Request) -> dict[str, Any]:
    """What to do with a hand: win, discard or wait, with the reasons.

    A request of type `"hand"` with, if known, `"indicator"` (the turned tile) and `"visible"` (the
    tiles seen elsewhere).

    Raises:
        RulesError: every reason that holds.
    """
    from rules.advice import advise

    options = options_of(request)
    hand, reasons = read_hand(request)
    indicator, visible = request.get("indicator"), request.get("visible", [])
    if indicator is not None and not isinstance(indicator, str):
        reasons.append(_shape("indicator", "一张牌或 null", "a tile or null", indicator))
    if not _is_texts(visible):
        reasons.append(_shape("visible", "牌的列表", "a list of tiles", visible))
    if reasons or hand is None:
        raise RequestError(reasons)
    return advise(hand, options, indicator, visible).to_json()


def read_hand(request: Request) -> tuple[Hand | None, list[Reason]]:
    """The hand of a request, or None, and every reason why its shape is wrong."""
    reasons: list[Reason] = []
    lists = {}
    for name in ("concealed", "jokers"):
        value = request.get(name, [] if name == "jokers" else None)
        if not _is_texts(value):
            reasons.append(_shape(name, "牌的列表", "a list of tiles", value))
            continue
        lists[name] = tuple(value)
    melds = request.get("melds", [])
    if not isinstance(melds, list) or not all(_is_meld(meld) for meld in melds):
        reasons.append(
            _shape("melds", '{"kind", "tile"} 的列表', 'a list of {"kind", "tile"}', melds)
        )
    win_tile = request.get("win_tile")
    if win_tile is not None and not isinstance(win_tile, str):
        reasons.append(_shape("win_tile", "一张牌或 null", "a tile or null", win_tile))
    flags = request.get("flags", {})
    if not isinstance(flags, Mapping):
        reasons.append(_shape("flags", "一个对象", "an object", flags))
    else:
        for name, value in flags.items():
            if name not in _FLAGS or not isinstance(value, bool):
                known = ", ".join(_FLAGS)
                reasons.append(
                    _shape(
                        f"flags.{brief(name)}",
                        f"true 或 false，名字是 {known} 之一",
                        f"true or false, one of {known}",
                        value,
                    )
                )
    if reasons:
        return None, reasons
    laid = tuple(Meld(meld["kind"], meld["tile"]) for meld in melds)
    return Hand(lists["concealed"], laid, lists["jokers"], win_tile, **flags), []


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_meld(meld: object) -> bool:
    return (
        isinstance(meld, Mapping)
        and set(meld) == {"kind", "tile"}
        and all(isinstance(value, str) for value in meld.values())
    )


def input_of(request: Request) -> Mapping[str, Any]:
    """The `"input"` object of a request.

    Raises:
        RequestError: it is missing or no object.
    """
    given = request.get("input")
    if not isinstance(given, Mapping):
        raise RequestError([_shape("input", "一个对象", "an object", given)])
    return given


def answer_jokers(request: Request) -> dict[str, Any]:
    """The joker kinds of a turned tile, how many tiles they are, and the next tile (SPEC §4.3).

    Raises:
        RulesError: an unknown tile, rule or option.
    """
    given = input_of(request)
    reasons: list[Reason] = []
    rule: object = given.get("rule")
    try:
        rule = options_of(request).joker_rule if rule is None else rule
    except (RequestError, OptionError) as refused:
        reasons += refused.reasons
    indicator = given.get("indicator")
    if not isinstance(indicator, str) or indicator not in KINDS:
        reasons.append(
            _shape(
                "indicator",
                "一张牌：1m-9m、1p-9p、1s-9s 或 1z-7z",
                "a tile, 1m-9m, 1p-9p, 1s-9s or 1z-7z",
                indicator,
            )
        )
    if not reasons and rule not in JOKER_RULES:
        rules = ", ".join(JOKER_RULES)
        reasons.append(_shape("rule", f"{rules} 之一", f"one of {rules}", rule))
    if reasons or not isinstance(indicator, str) or not isinstance(rule, str):
        raise RequestError(reasons)
    kinds = joker_kinds(indicator, rule)
    return {
        "jokers": list(kinds),
        "count": joker_tile_count(kinds),
        "next": next_tile(indicator),
    }
