"""POST /api/score: an edited table to its score. GET /api/options: the rule options."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from rules import MELD_KINDS, Meld
from server.api_body import check_keys, json_body, read_flag, read_options, wrong
from server.apidoc import FLAG, MELDS, OPTIONS, TILE, TILE_LIST, Doc, documented, fields
from server.config import Config
from server.errors import ApiError
from server.option_texts import describe_options
from server.scoring_answer import Table, answer
from server.tile_svg import is_picture

MOST_TILES = 200
FLAGS = ("gang_draw", "heavenly", "earthly")
KEYS = {"hand", "drawn", "melds", "indicator", "jokers", "aside", "options", *FLAGS}

_OR_NONE = {"anyOf": [TILE, {"type": "null"}]}
TABLE: dict[str, Any] = {
    **fields(
        hand={"type": "array", "items": {"enum": [*TILE["enum"], "back"]}, "maxItems": MOST_TILES},
        drawn=_OR_NONE,
        melds=MELDS,
        indicator=_OR_NONE,
        jokers={"anyOf": [TILE_LIST, {"type": "null"}]},
        aside=TILE_LIST,
        options=OPTIONS,
        gang_draw=FLAG,
        heavenly=FLAG,
        earthly=FLAG,
    )
}
"""What lies on the table, as /api/score and /api/advise take it."""

SCORE = Doc(
    "Score 算番",
    "这手牌值几番、为什么；没抓牌时听什么",
    "What a hand is worth and why; without a drawn tile, what it waits for",
    "kind (win, no_win, waits, candidates, impossible, empty), jokers, warnings, and by kind "
    "fan, title, fans, arithmetic, reading, reasons, waits, candidates",
    body=TABLE,
    example={
        "hand": ["1m", "2m", "3m", "4m", "6m", "7m", "8m", "9m", "2p", "3p", "7m", "1z", "1z"],
        "drawn": "5m",
        "indicator": "6m",
    },
)
ABOUT_OPTIONS = Doc(
    "Score 算番",
    "有哪些规则可选，各是什么意思",
    "The rule options, what each means and the values it takes",
    "presets, options, start (the values in force at the start)",
)


def blueprint(config: Config) -> Blueprint:
    """The routes that deal with rules."""
    routes = Blueprint("rules", __name__)

    @routes.post("/api/score")
    @documented(SCORE)
    def score() -> Response:
        return jsonify(answer(parse_table(json_body(KEYS), dict(config.rules))))

    @routes.get("/api/options")
    @documented(ABOUT_OPTIONS)
    def options() -> Response:
        return jsonify(describe_options(dict(config.rules)))

    return routes


def parse_table(body: dict[str, Any], start: dict[str, Any]) -> Table:
    """Check the shape of a request for /api/score.

    Args:
        body: the JSON object.
        start: rule options that hold where the request gives none.

    Raises:
        ApiError: an unknown key, a value of the wrong shape, an unknown tile or option (422).
    """
    check_keys(body, KEYS)
    flags = {name: read_flag(body.get(name, False), name) for name in FLAGS}
    jokers = body.get("jokers")
    return Table(
        hand=_tiles(body.get("hand", []), "hand", back=True),
        drawn=one_tile(body.get("drawn"), "drawn", back=True),
        melds=_melds(body.get("melds", [])),
        indicator=one_tile(body.get("indicator"), "indicator"),
        jokers=None if jokers is None else _tiles(jokers, "jokers"),
        aside=_tiles(body.get("aside", []), "aside", back=True, dice=True),
        options=read_options(body.get("options", start)),
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


def one_tile(value: object, key: str, back: bool = False) -> str | None:
    """A tile or None.

    Raises:
        ApiError: 422 for anything else.
    """
    return None if value is None else _tile(value, key, back)


def _tiles(value: object, key: str, back: bool = False, dice: bool = False) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_TILES:
        raise wrong(key, f"a list of at most {MOST_TILES} tiles")
    return tuple(_tile(tile, key, back, dice) for tile in value)


def _melds(value: object) -> tuple[Meld, ...]:
    if not isinstance(value, list) or len(value) > MOST_TILES:
        raise wrong("melds", "a list of melds")
    melds = []
    for one in value:
        if not isinstance(one, dict) or set(one) != {"kind", "tile"}:
            raise wrong("melds", 'a list of {"kind": ..., "tile": ...}')
        if one["kind"] not in MELD_KINDS:
            raise wrong("kind", f"one of {', '.join(MELD_KINDS)}")
        melds.append(Meld(one["kind"], _tile(one["tile"], "melds")))
    return tuple(melds)
