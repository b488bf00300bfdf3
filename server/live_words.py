"""One request that puts something right at the live table, from JSON to the correction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from server.api_body import check_keys, wrong
from server.live_corrections import CorrectionLog

if TYPE_CHECKING:
    from vision.live import Corrections

MOST_MOVED = 16
ROLES = ("hand", "drawn", "meld", "pond", "indicator", "loose")


def correct_live(log: CorrectionLog, body: Mapping[str, Any]) -> None:
    """Do what the body of a request asks for.

    Raises:
        ApiError: it asks for nothing that can be (422), or for a tile that is gone (409).
    """
    if "id" in body or "ids" in body:
        _about_tiles(log, dict(body))
    elif "add" in body:
        _add(log, body["add"])
    elif body.get("new_hand") is True:
        log.new_hand()
    elif "indicator" in body:
        tile = _text(body["indicator"], "indicator")
        log.do(lambda corrections: corrections.indicator(tile))
    elif "discard" in body:
        _discard(log, body["discard"])
    elif "dealer" in body:
        seat = _seat(body["dealer"], "dealer")
        log.do(lambda corrections: corrections.dealer(seat))
    else:
        raise wrong("id", "given, or one of add, discard, indicator, dealer, new_hand")


def _about_tiles(log: CorrectionLog, body: dict[str, Any]) -> None:
    check_keys(body, {"id", "ids", "tile", "role", "seat", "nothing"})
    ids = body["ids"] if "ids" in body else [body["id"]]
    if not isinstance(ids, list) or not 1 <= len(ids) <= MOST_MOVED:
        raise wrong("ids", f"a list of 1 to {MOST_MOVED} ids of tiles")
    if any(type(one) is not int for one in ids):
        raise wrong("id", "the id of a tile")
    if body.get("nothing") is not True and not {"tile", "role"} & set(body):
        raise wrong("tile", "a tile such as 5m, or null; or give role and seat, or nothing: true")
    tile = _text(body.get("tile"), "tile")
    role, seat = _role(body.get("role")), _seat(body.get("seat"), "seat")

    def work(corrections: Corrections) -> None:
        if body.get("nothing") is True:
            for one in ids:
                corrections.nothing(one)
            return
        if "role" in body:
            corrections.move(ids, role, seat)
        if "tile" in body:
            for one in ids:
                corrections.tile(one, tile)

    log.do(work)


def _add(log: CorrectionLog, said: object) -> None:
    if not isinstance(said, dict):
        raise wrong("add", "an object with tile, x and y")
    check_keys(said, {"tile", "x", "y", "role", "seat"})
    tile, x, y = said.get("tile"), said.get("x"), said.get("y")
    if not isinstance(tile, str):
        raise wrong("tile", "a tile such as 5m")
    if any(isinstance(n, bool) or not isinstance(n, int | float) for n in (x, y)):
        raise wrong("x", "a share of the picture's width, 0 to 1, and y one of its height")
    role, seat = _role(said.get("role")), _seat(said.get("seat"), "seat")

    def work(corrections: Corrections) -> None:
        identity, _ = corrections.add(tile, float(x or 0), float(y or 0))
        if role is not None:
            corrections.move([identity], role, seat)

    log.do(work)


def _discard(log: CorrectionLog, said: object) -> None:
    if not isinstance(said, dict):
        raise wrong("discard", "an object with move and tile")
    check_keys(said, {"move", "tile"})
    move = said.get("move")
    if type(move) is not int:
        raise wrong("move", "the move of a doubt about an unseen discard")
    tile = _text(said.get("tile"), "tile")
    log.do(lambda corrections: corrections.discard(move, tile))


def _text(value: object, key: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise wrong(key, "a text such as 5m, or null")


def _role(value: object) -> str | None:
    if value is None or (isinstance(value, str) and value in ROLES):
        return value
    raise wrong("role", f"one of {', '.join(ROLES)}, or null")


def _seat(value: object, key: str) -> int | None:
    if value is None or (type(value) is int and 0 <= value <= 3):
        return value
    raise wrong(key, "a seat 0, 1, 2 or 3, or null")
