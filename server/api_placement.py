"""Where the table lies in the camera's picture: guessed, placed by hand, saved by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint

from server.api_body import json_body, wrong
from server.apidoc import SEAT, Doc, documented, fields
from server.errors import ApiError
from server.live_hub import LiveHub

if TYPE_CHECKING:
    from vision.table import Placement

GROUP = "Live 看牌桌"
LONGEST_NAME = 60
VIEWS = ("seat", "overhead")
_NAME = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
_POINT = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
_ANSWER = (
    "current (how the table lies now, or null), saved (every placement): each with name, view, "
    "corners (shares of the picture, anticlockwise seen from above), me (the side of the player "
    "at the camera), tile (its width in half table sides)"
)
SHOW = Doc(GROUP, "机位：现在的和存过的", "The placement now, and those saved", _ANSWER)
GUESS = Doc(
    GROUP,
    "按看到的牌猜桌子在哪儿（要看到整桌牌）",
    "A guess at where the table lies, from the tiles that show; null where too few do",
    "guess (a placement, or null)",
)
PLACE = Doc(
    GROUP,
    "设机位并按名字存下；只给 name 就用存过的",
    "Place the table and save that under its name; a name alone chooses a saved placement",
    _ANSWER,
    body=fields(
        ("name",),
        name=_NAME,
        view={"enum": list(VIEWS)},
        corners={"type": "array", "items": _POINT, "minItems": 4, "maxItems": 4},
        me=SEAT,
        tile={"type": "number", "minimum": 0.01, "maximum": 0.5},
    ),
)
UNPLACE = Doc(GROUP, "不用机位，只看面前这手牌", "Use none: only the hand is read", _ANSWER)
FORGET = Doc(GROUP, "删掉存过的机位", "Forget a saved placement", _ANSWER)


def add_placement(routes: Blueprint, hub: LiveHub) -> None:
    """Add the routes about placements."""

    def placed() -> dict[str, Any]:
        session = hub.session_or_none()
        current = None if session is None else session.table.placement()
        return {
            "current": None if current is None else current.to_json(),
            "saved": [placement.to_json() for placement in hub.saved_placements()],
        }

    routes.get("/api/live/placement")(documented(SHOW)(placed))

    @routes.get("/api/live/placement/guess")
    @documented(GUESS)
    def guess() -> dict[str, Any]:
        found = hub.session().table.guess()
        return {"guess": None if found is None else found.to_json()}

    @routes.post("/api/live/placement")
    @documented(PLACE)
    def place() -> dict[str, Any]:
        body = json_body({"name", "view", "corners", "me", "tile"})
        session = hub.session()
        if not isinstance(body.get("name"), str):
            raise wrong("name", "what the placement is called")
        if set(body) == {"name"}:
            session.table.corrections.place(hub.placement_named(body["name"]))
            return placed()
        placement = _placement(body)
        hub.save_placement(placement)
        session.table.corrections.place(placement)
        return placed()

    @routes.delete("/api/live/placement")
    @documented(UNPLACE)
    def unplace() -> dict[str, Any]:
        hub.session().table.corrections.place(None)
        return placed()

    @routes.delete("/api/live/placements/<name>")
    @documented(FORGET)
    def forget(name: str) -> dict[str, Any]:
        hub.forget_placement(name)
        return placed()


def _placement(body: dict[str, Any]) -> Placement:
    """A placement as a request gives it.

    Raises:
        ApiError: 422, it is none.
    """
    from vision.table import Placement, PlacementError
    from vision.table.guess import GUESSED

    numbers = [body.get("tile", 0.05), *_flat(body.get("corners"))]
    if any(isinstance(n, bool) or not isinstance(n, int | float) for n in numbers):
        raise wrong("corners", "four points such as [0.1, 0.9], shares of the picture")
    if body["name"].strip() == GUESSED:
        raise ApiError(
            422,
            "name_taken",
            "自动猜的机位叫这个，请换个名字。",
            f"{GUESSED!r} is what a guess is called; choose another name.",
        )
    if type(body.get("me", 0)) is not int:
        raise wrong("me", "a side 0, 1, 2 or 3")
    try:
        return Placement.from_json({**body, "name": body["name"].strip()})
    except PlacementError as error:
        raise ApiError(422, error.code, error.zh, error.en) from None


def _flat(corners: object) -> list[object]:
    if not isinstance(corners, list) or len(corners) != 4:
        return [None]
    return [n for point in corners for n in (point if isinstance(point, list) else [None])]
