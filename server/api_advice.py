"""Advice over HTTP: what to discard and why, what helps, whether to pung."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Blueprint, Response, jsonify

from rules import KINDS, HandError
from rules.advice import advise
from rules.advice_pung import advise_pung
from rules.claim import claim
from server.api_body import json_body
from server.api_rules import KEYS, TABLE, one_tile, parse_table
from server.apidoc import TILE, Doc, documented, fields
from server.config import Config
from server.errors import ApiError
from server.scoring_answer import Table, face_down

GROUP = "Advice 建议"
_HAND = ["1m", "2m", "3m", "4p", "5p", "6p", "2s", "3s", "5s", "9s", "9s", "7z", "4z"]

ADVISE = Doc(
    GROUP,
    "14 张时打哪张好、为什么；13 张时哪些牌有用、还剩几张",
    "What to discard and why; for a hand that waits, which tiles help and how many are left",
    "kind (discard, wait or none), headline, discards (best first), standing, left; reasons",
    body=TABLE,
    example={"hand": _HAND, "drawn": "8s", "indicator": "5m"},
)
PUNG = Doc(
    GROUP,
    "别人打出这张，能不能碰、值不值得碰",
    "Whether another player's discard may be ponged, and whether it is worth it",
    "kind (pung or none), may, refused (reasons), worth, reason, discard (what to discard then)",
    body=fields(
        ("tile",),
        **{name: schema for name, schema in TABLE["properties"].items() if name != "drawn"},
        tile=TILE,
    ),
    example={"hand": _HAND, "indicator": "5m", "tile": "9s"},
)


def blueprint(config: Config) -> Blueprint:
    """The routes that advise a player."""
    routes = Blueprint("advice", __name__)

    @routes.post("/api/advise")
    @documented(ADVISE)
    def discards() -> Response:
        return jsonify(_advice(parse_table(json_body(KEYS), dict(config.rules))))

    @routes.post("/api/pung")
    @documented(PUNG)
    def pung() -> Response:
        body = json_body({*KEYS, "tile"} - {"drawn"})
        tile = one_tile(body.pop("tile", None), "tile")
        if tile is None:
            raise ApiError(422, "no_tile", "请说别人打了哪张。", "Say which tile was discarded.")
        return jsonify(_pung(parse_table(body, dict(config.rules)), tile))

    return routes


def _advice(table: Table) -> dict[str, Any]:
    def found() -> dict[str, Any]:
        advice = advise(table.rules_hand, table.options, table.indicator, _visible(table))
        return {"kind": "discard" if advice.discards else "wait", **advice.to_json()}

    return _or_reasons(table, found)


def _pung(table: Table, tile: str) -> dict[str, Any]:
    def found() -> dict[str, Any]:
        advice = advise_pung(
            claim(table.rules_hand, tile, table.options, table.indicator, _visible(table))
        )
        return {"kind": "pung", "tile": tile, **advice.to_json()}

    return _or_reasons(table, found)


def _visible(table: Table) -> tuple[str, ...]:
    """What lies about with its face up."""
    return tuple(tile for tile in table.aside if tile in KINDS)


def _or_reasons(table: Table, found: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The advice, or why there is none: `{"kind": "none", "reasons": [...]}`."""
    hidden = [tile for tile in (*table.hand, table.drawn) if tile == "back"]
    if hidden:
        return _none([face_down(len(hidden))])
    if not table.hand and not table.melds and table.drawn is None:
        return _none([])
    try:
        return found()
    except HandError as error:
        return _none(reason.to_json() for reason in error.reasons)


def _none(reasons: Iterable[dict[str, str]]) -> dict[str, Any]:
    return {"kind": "none", "reasons": list(reasons)}
