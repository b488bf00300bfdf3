"""The live camera's dice over HTTP, and the opening's rolls put right by hand."""

from __future__ import annotations

from typing import Any

from flask import Blueprint

from server.api_body import json_body, read_dice, wrong
from server.apidoc import DICE, Doc, documented, fields
from server.errors import ApiError
from server.live_dice import dice_json
from server.live_hub import LiveHub
from server.opening_guide import ROLLS

GROUP = "Live 看牌桌"
_SHAPE = "session, source, throws, rolls, indicator, winds"

SEEN = Doc(
    GROUP,
    "摄像头看到的色子：停下来的每一次掷，和开牌的三次",
    "The dice the camera has seen come to rest, and the opening's rolls; winds and the turned tile",
    _SHAPE,
)
ROLLED = Doc(
    GROUP,
    "改正开牌的三次掷骰",
    "Put the opening's rolls right, none to three; later throws count after them",
    _SHAPE,
    body=fields(("rolls",), rolls={"type": "array", "items": DICE, "maxItems": ROLLS}),
)


def blueprint(hub: LiveHub) -> Blueprint:
    """The routes about the live table's dice."""
    routes = Blueprint("live_dice", __name__)

    @routes.get("/api/live/dice")
    @documented(SEEN)
    def seen() -> dict[str, Any]:
        try:
            return dice_json(hub.session())
        except ApiError:  # nothing is watched: that is an answer here
            return dice_json(None)

    @routes.post("/api/live/rolls")
    @documented(ROLLED)
    def rolled() -> dict[str, Any]:
        rolls = json_body({"rolls"}).get("rolls")
        if not isinstance(rolls, list) or len(rolls) > ROLLS:
            raise wrong("rolls", "a list of none to three rolls, such as [[3, 4], [2, 6]]")
        session = hub.session()
        session.table.corrections.rolls(tuple(read_dice(roll, "rolls") for roll in rolls))
        return dice_json(session)

    return routes
