"""The teacher over HTTP: a worked hand for every fan and combination, and drills without end."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, jsonify, request

from rules import RulesError
from rules.drills import KINDS_OF_LEVEL, LEVELS, drill
from rules.examples import GANG_TOPICS, TOPICS, Topic, worked_example
from server.api_body import refused, wrong
from server.apidoc import Doc, documented
from server.errors import ApiError
from server.fan_texts import fan_lines

GROUP = "Teacher 学牌"
LARGEST_SEED = 10**9
_SEED = {"type": "integer", "minimum": 0, "maximum": LARGEST_SEED}
_KINDS = tuple(dict.fromkeys(kind for level in LEVELS for kind in KINDS_OF_LEVEL[level]))

EXAMPLES = Doc(
    GROUP,
    "每个番种、每种组合的一手例牌",
    "A worked hand for every fan and every combination of the seed's table",
    "examples: key, zh, en, group, fan, source, hand, fans, arithmetic, reading",
    query={"seed": _SEED},
)
EXAMPLE = Doc(
    GROUP,
    "一个番种的一手例牌，换 seed 就换一手",
    "A worked hand for one fan or combination; another for each seed",
    "as one of the examples",
    query={"seed": _SEED},
)
DRILL = Doc(
    GROUP,
    "一道练习题，带答案和讲解",
    "One drill with its answer and the explanation",
    "kind, question, shown, choices, several, answer (letters), explanation",
    query={
        "seed": _SEED,
        "level": {"type": "integer", "minimum": LEVELS[0], "maximum": LEVELS[-1]},
        "number": _SEED,
        "kind": {"enum": list(_KINDS)},
    },
)
LEVELS_DOC = Doc(
    GROUP, "有哪几级练习、各考什么", "The levels of drills and what each asks", "levels"
)


def blueprint() -> Blueprint:
    """The routes of the teacher."""
    routes = Blueprint("learn", __name__)

    @routes.get("/api/examples")
    @documented(EXAMPLES)
    def examples() -> Response:
        seed = _whole("seed", 0)
        return jsonify({"examples": [_example(topic.key, seed) for topic in _topics().values()]})

    @routes.get("/api/examples/<key>")
    @documented(EXAMPLE)
    def one(key: str) -> Response:
        if key not in _topics():
            raise ApiError(
                404,
                "unknown_example",
                "没有这个例子；/api/examples 里有全部。",
                "There is no such example; /api/examples lists them all.",
            )
        return jsonify(_example(key, _whole("seed", 0)))

    @routes.get("/api/drill")
    @documented(DRILL)
    def question() -> Response:
        level, number = _whole("level", 1), _whole("number", 0)
        try:
            return jsonify(
                drill(_whole("seed", 0), level, number, request.args.get("kind")).to_json()
            )
        except RulesError as error:
            raise refused(error) from None

    @routes.get("/api/drill/levels")
    @documented(LEVELS_DOC)
    def levels() -> Response:
        return jsonify({"levels": [{"level": n, "kinds": list(KINDS_OF_LEVEL[n])} for n in LEVELS]})

    return routes


def _whole(name: str, default: int) -> int:
    text = request.args.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= LARGEST_SEED):
        raise wrong(name, f"a whole number from 0 to {LARGEST_SEED}")
    return int(text)


@lru_cache(maxsize=1)
def _topics() -> dict[str, Topic]:
    return {topic.key: topic for topic in (*TOPICS, *GANG_TOPICS)}


@lru_cache(maxsize=512)
def _example(key: str, seed: int) -> dict[str, Any]:
    topic = _topics()[key]
    made = worked_example(topic, seed).made
    found, hand = made.judgement, made.hand
    lines = len([line for line in found.fans if line.key != "bare"])
    group = "gang" if topic in GANG_TOPICS else "single" if lines <= 1 else "combined"
    return {
        "key": key,
        "group": group,
        "zh": topic.zh,
        "en": found.title_en,
        "fan": found.fan,
        "source": topic.source,
        "hand": {
            "concealed": list(hand.concealed),
            "drawn": hand.win_tile,
            "melds": [{"kind": meld.kind, "tile": meld.tile} for meld in hand.melds],
            "jokers": list(hand.jokers),
            "indicator": made.indicator,
            "flags": {name: getattr(hand, name) for name in ("gang_draw", "heavenly", "earthly")},
        },
        "options": {
            name: value
            for name, value in topic.options.to_mapping().items()
            if value != getattr(type(topic.options)(), name)
        },
        "fans": fan_lines(found),
        "arithmetic": found.arithmetic,
        "reading": [] if found.reading is None else found.reading.to_json(),
        "win": found.win,
        "reasons": [reason.to_json() for reason in found.reasons],
    }
