"""The table over HTTP: 开牌, 打风, who pays whom, 相公. Nothing is kept here."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from rules import RulesError
from rules.jokers import JOKER_RULES
from rules.seating import WINDS
from rules.settlement import Gang, HandResult, settle
from rules.table_answers import answer_table
from rules.tiles import KINDS
from server.api_body import json_body, read_dice, read_flag, read_options, read_seat, refused, wrong
from server.apidoc import DICE, FLAG, OPTIONS, SEAT, TILE, Doc, documented, fields
from server.config import Config
from server.opening_guide import ROLLS, opening_guide, seating_guide
from server.settlement_answer import settlement_json

LONGEST_NAME = 40
MOST_GANGS = 16
MOST_FAN = 100_000
GROUP = "Table 牌桌"

_NAME = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}

OPENING = Doc(
    GROUP,
    "开牌：掷了几次色子就说到哪一步",
    "Breaking the wall, as far as the dice have been rolled",
    "next, second_roller, joker_roller, count, break, indicator, jokers, live_tiles, gang_tail, "
    "saying, steps",
    body=fields(
        ("dealer",),
        dealer=SEAT,
        rolls={"type": "array", "items": DICE, "maxItems": ROLLS},
        indicator={"anyOf": [TILE, {"type": "null"}]},
        joker_rule={"enum": list(JOKER_RULES)},
    ),
    example={"dealer": 0, "rolls": [[3, 4], [2, 3], [1, 5]], "indicator": "5m"},
)
SEATING = Doc(
    GROUP,
    "打风：掷色子定东，再按抓到的风坐",
    "Drawing the seats (打风), as far as it has come",
    "east, next_picker, seats, redo, steps",
    body=fields(
        ("names", "roller"),
        names={"type": "array", "items": _NAME, "minItems": 4, "maxItems": 4},
        roller=SEAT,
        dice={"anyOf": [DICE, {"type": "null"}]},
        picks={"type": "array", "items": {"enum": ["1z", "2z", "3z", "4z"]}, "maxItems": 4},
        after_guo=FLAG,
    ),
    example={"names": ["甲", "乙", "丙", "丁"], "roller": 0, "dice": [2, 3], "picks": ["1z"]},
)
SETTLE = Doc(
    GROUP,
    "一盘打完谁给谁多少，下一盘谁坐庄",
    "What a hand pays, payment by payment, and who deals next",
    "deltas (points by seat), next_dealer, restart, payments",
    body=fields(
        ("dealer",),
        dealer=SEAT,
        winner={"anyOf": [SEAT, {"type": "null"}]},
        fan={"type": "integer", "minimum": 0, "maximum": MOST_FAN},
        gangs={
            "type": "array",
            "maxItems": MOST_GANGS,
            "items": fields(
                ("player", "kind"), player=SEAT, kind={"enum": ["open", "concealed", "joker"]}
            ),
        },
        zuo=FLAG,
        la={
            "type": "array",
            "items": {"type": "integer", "minimum": 0, "maximum": 2},
            "minItems": 4,
            "maxItems": 4,
        },
        chan=FLAG,
        options=OPTIONS,
    ),
    example={"dealer": 0, "winner": 2, "fan": 6, "zuo": True, "la": [0, 0, 1, 0]},
)
XIANGGONG = Doc(
    GROUP,
    "张数对不对，是不是相公",
    "Whether a player has the wrong number of tiles (相公)",
    'xianggong: "da" (too many), "xiao" (too few or a joker discarded) or null',
    body=fields(
        ("concealed_count", "meld_count", "has_drawn"),
        concealed_count={"type": "integer", "minimum": 0, "maximum": 136},
        meld_count={"type": "integer", "minimum": 0, "maximum": 4},
        has_drawn=FLAG,
        discarded_joker=FLAG,
    ),
    example={"concealed_count": 12, "meld_count": 0, "has_drawn": False},
)


def blueprint(config: Config) -> Blueprint:
    """The routes about the table; options of the configuration hold where none are given."""
    routes = Blueprint("table", __name__)

    @routes.post("/api/opening")
    @documented(OPENING)
    def opening() -> Response:
        body = json_body(("dealer", "rolls", "indicator", "joker_rule"))
        rolls = body.get("rolls", [])
        if not isinstance(rolls, list) or len(rolls) > ROLLS:
            raise wrong("rolls", "a list of none to three rolls, such as [[3, 4], [2, 6]]")
        indicator = body.get("indicator")
        if indicator is not None and (not isinstance(indicator, str) or indicator not in KINDS):
            raise wrong("indicator", "a tile or null")
        rule = body.get("joker_rule", read_options(dict(config.rules)).joker_rule)
        if not isinstance(rule, str) or rule not in JOKER_RULES:
            raise wrong("joker_rule", f"one of {', '.join(JOKER_RULES)}")
        dice = [read_dice(roll, "rolls") for roll in rolls]
        return jsonify(
            opening_guide(read_seat(body.get("dealer"), "dealer"), dice, indicator, rule)
        )

    @routes.post("/api/seating")
    @documented(SEATING)
    def seating() -> Response:
        body = json_body(("names", "roller", "dice", "picks", "after_guo"))
        roll = body.get("dice")
        dice = None if roll is None else read_dice(roll, "dice")
        after = read_flag(body.get("after_guo", False), "after_guo")
        roller = read_seat(body.get("roller"), "roller")
        names, picks = _names(body.get("names")), _picks(body.get("picks", []))
        try:
            return jsonify(seating_guide(names, roller, dice, picks, after))
        except RulesError as error:
            raise refused(error) from None

    @routes.post("/api/settle")
    @documented(SETTLE)
    def settle_hand() -> Response:
        body = json_body((*_RESULT, "options"))
        options = read_options(body.pop("options", dict(config.rules)))
        result = _result(body)
        try:
            return jsonify(settlement_json(settle(result, options)))
        except RulesError as error:
            raise refused(error) from None

    @routes.post("/api/xianggong")
    @documented(XIANGGONG)
    def count() -> Response:
        known = ("concealed_count", "meld_count", "has_drawn", "discarded_joker")
        body = json_body(known)
        try:
            return jsonify(answer_table("xianggong", body, read_options({})))
        except RulesError as error:
            raise refused(error) from None

    return routes


def _names(value: object) -> list[str]:
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        names = [name.strip() for name in value]
        if len(set(names)) == 4 == len(names) and all(0 < len(n) <= LONGEST_NAME for n in names):
            return names
    raise wrong("names", f"four different names of 1 to {LONGEST_NAME} characters")


def _picks(value: object) -> list[str]:
    if isinstance(value, list) and all(isinstance(wind, str) for wind in value):
        different = len(set(value)) == len(value)
        if different and all(wind in WINDS for wind in value):
            return value
    raise wrong("picks", "a list of different winds, 1z to 4z")


_RESULT = ("dealer", "winner", "fan", "gangs", "zuo", "la", "chan")


def _result(body: dict[str, Any]) -> HandResult:
    winner, fan = body.get("winner"), body.get("fan", 0)
    gangs, la = body.get("gangs", []), body.get("la", [0, 0, 0, 0])
    if type(fan) is not int or not 0 <= fan <= MOST_FAN:
        raise wrong("fan", f"a whole number from 0 to {MOST_FAN}")
    if not isinstance(gangs, list) or len(gangs) > MOST_GANGS:
        raise wrong("gangs", f"a list of at most {MOST_GANGS}")
    if not isinstance(la, list) or any(type(times) is not int or times > 9 for times in la):
        raise wrong("la", "a list of four small numbers")
    return HandResult(
        read_seat(body.get("dealer"), "dealer"),
        None if winner is None else read_seat(winner, "winner"),
        fan,
        tuple(_gang(gang) for gang in gangs),
        read_flag(body.get("zuo", False), "zuo"),
        tuple(la),
        read_flag(body.get("chan", False), "chan"),
    )


def _gang(value: Any) -> Gang:
    whole = isinstance(value, dict) and set(value) == {"player", "kind"}
    if whole and isinstance(value["kind"], str):
        return Gang(read_seat(value["player"], "player"), value["kind"][:20])
    raise wrong("gangs", 'a list of {"player": seat, "kind": "open", "concealed" or "joker"}')
