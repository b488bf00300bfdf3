"""POST /api/score: an edited table to its score. GET /api/options: the rule options."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, jsonify, request

from rules import MELD_KINDS, Meld, OptionError, RuleOptions
from server.config import Config
from server.errors import ApiError, bad_request
from server.option_texts import describe_options
from server.scoring_answer import Table, answer
from server.tile_svg import is_picture

MOST_BYTES = 64 * 1024
MOST_TILES = 200
MOST_NUMBER = 1000
FLAGS = ("gang_draw", "heavenly", "earthly")
KEYS = {"hand", "drawn", "melds", "indicator", "jokers", "aside", "options", *FLAGS}


def blueprint(config: Config) -> Blueprint:
    """The routes that deal with rules."""
    routes = Blueprint("rules", __name__)

    @routes.post("/api/score")
    def score() -> Response:
        return jsonify(answer(parse_table(_json_body(), dict(config.rules))))

    @routes.get("/api/options")
    def options() -> Response:
        return jsonify(describe_options(dict(config.rules)))

    return routes


def _json_body() -> dict[str, Any]:
    if (request.content_length or 0) > MOST_BYTES:
        raise ApiError(
            413,
            "too_many_bytes",
            "请求太大。",
            f"The request is too large; at most {MOST_BYTES // 1024} KB of JSON are read.",
        )
    try:
        body = json.loads(request.get_data(cache=False))
    except (ValueError, RecursionError):
        raise bad_request(
            "bad_json", "请求不是合法的 JSON。", "The request body is not valid JSON."
        ) from None
    if not isinstance(body, dict):
        raise bad_request("bad_json", "请求应是 JSON 对象。", "Send a JSON object.")
    return body


def _wrong(key: str, wanted: str) -> ApiError:
    return ApiError(422, "bad_value", f"“{key}”的值不对。", f"{key!r} must be {wanted}.")


def parse_table(body: dict[str, Any], start: dict[str, Any]) -> Table:
    """Check the shape of a request for /api/score.

    Args:
        body: the JSON object.
        start: rule options that hold where the request gives none.

    Raises:
        ApiError: an unknown key, a value of the wrong shape, an unknown tile or option (422).
    """
    unknown = sorted(set(body) - KEYS)
    if unknown:
        name = ascii(unknown[0])[:40]
        raise ApiError(
            422,
            "unknown_key",
            f"不认识“{name}”。",
            f"Unknown key {name}; known are {', '.join(sorted(KEYS))}.",
        )
    flags = {name: body.get(name, False) for name in FLAGS}
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise _wrong(name, "true or false")
    jokers = body.get("jokers")
    return Table(
        hand=_tiles(body.get("hand", []), "hand", back=True),
        drawn=_one_tile(body.get("drawn"), "drawn", back=True),
        melds=_melds(body.get("melds", [])),
        indicator=_one_tile(body.get("indicator"), "indicator"),
        jokers=None if jokers is None else _tiles(jokers, "jokers"),
        aside=_tiles(body.get("aside", []), "aside", back=True, dice=True),
        options=_options(body.get("options", start)),
        flags=flags,
    )


def _tile(value: object, key: str, back: bool = False, dice: bool = False) -> str:
    known = isinstance(value, str) and len(value) <= 4 and is_picture(value)
    if not known or (value == "back" and not back) or (str(value).startswith("die") and not dice):
        shown = ascii(value)[:20]
        raise ApiError(
            422,
            "unknown_tile",
            f"“{key}”里的 {shown} 不是牌。",
            f"{shown} in {key!r} is no tile; write 1m-9m, 1p-9p, 1s-9s or 1z-7z.",
        )
    return str(value)


def _one_tile(value: object, key: str, back: bool = False) -> str | None:
    return None if value is None else _tile(value, key, back)


def _tiles(value: object, key: str, back: bool = False, dice: bool = False) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_TILES:
        raise _wrong(key, f"a list of at most {MOST_TILES} tiles")
    return tuple(_tile(tile, key, back, dice) for tile in value)


def _melds(value: object) -> tuple[Meld, ...]:
    if not isinstance(value, list) or len(value) > MOST_TILES:
        raise _wrong("melds", "a list of melds")
    melds = []
    for one in value:
        if not isinstance(one, dict) or set(one) != {"kind", "tile"}:
            raise _wrong("melds", 'a list of {"kind": ..., "tile": ...}')
        if one["kind"] not in MELD_KINDS:
            raise _wrong("kind", f"one of {', '.join(MELD_KINDS)}")
        melds.append(Meld(one["kind"], _tile(one["tile"], "melds")))
    return tuple(melds)


def _options(value: object) -> RuleOptions:
    if not isinstance(value, dict):
        raise _wrong("options", "an object of rule options")
    for name, number in value.items():
        if type(number) is int and number > MOST_NUMBER:
            raise _wrong(str(name)[:40], f"at most {MOST_NUMBER}")
    try:
        return RuleOptions.from_mapping(value)
    except OptionError as error:
        first = error.reasons[0]
        raise ApiError(
            422, first.code, "；".join(r.zh for r in error.reasons)[:600], str(error)[:600]
        ) from None
