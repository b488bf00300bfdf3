"""Teaching a tile set over HTTP: photos, names, learning, and only then storing."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any

from flask import Blueprint, request

from server.api_body import check_keys, json_body, read_flag, wrong
from server.api_read import preview_of
from server.api_sets import GROUP, LONGEST_NAME, refusing, sets_json
from server.apidoc import FLAG, Doc, documented, fields
from server.calibration_bench import Bench, reading_json
from server.calibration_benches import Benches
from server.errors import ApiError, bad_request
from server.reading_service import ReadingService

if TYPE_CHECKING:
    from vision.photo import Photo
    from vision.values import Box

MOST_LOOK_BYTES = 4 * 1024 * 1024
MOST_EXAMPLES_BYTES = 2 * 1024 * 1024
MOST_CORRECTIONS = 40
LARGEST_CORRECTION = 512
_SHAPE = (
    "id, add_to, photos (number, tiles with their boxes), have, missing, back, dice, learning "
    "(state, done, total, reasons, result)"
)
_PHOTO: dict[str, Any] = {"type": "string", "format": "binary"}
_MEDIA = ("image/jpeg", "image/png", "image/webp", "image/heic")
_HOW: dict[str, Any] = {
    "order": {"enum": ["guided", "any"], "description": "guided: rows 1-9m, 1-9p, 1-9s, 1-7z"},
    "others": {"enum": ["0", "1"], "description": "1: nothing but backs and dice"},
}
_NAME = {
    "type": ["string", "null"],
    "description": "a tile, back, die1-die6; null: no example",
}

BEGIN = Doc(
    GROUP,
    "开始教一副新牌，或让存好的一副多学一些",
    "Begin to teach a new set, or with add_to let a stored set learn more",
    _SHAPE,
    body=fields(add_to={"type": ["string", "null"], "maxLength": 32}),
    example={},
    status=201,
)
STATUS = Doc(GROUP, "学到哪里了", "How far it is; nothing is stored yet", _SHAPE)
END = Doc(
    GROUP, "放弃，什么也不留", "Give it up: every picture of it is forgotten", "ended"
)  # fmt: skip
LOOK = Doc(
    GROUP,
    "看一眼画面里有哪几种牌，不留画面",
    "Which kinds a picture shows, for a live view; nothing of it is kept",
    "width, height, tiles, have, missing (with those of the photos taken so far)",
    query=_HOW,
    body=_PHOTO,
    media=_MEDIA,
)
ADD = Doc(
    GROUP,
    "收下一张照片里的牌（可以分几张拍）",
    "Take the tiles of a photo, one of several if you like; only small pictures of them stay, in "
    "memory",
    _SHAPE,
    query=_HOW
    | {"preview": {"enum": ["0", "1"], "description": "1: the upright photo comes back too"}},
    body=_PHOTO,
    media=_MEDIA,
    status=201,
)
NAME = Doc(
    GROUP,
    "确认或改正一张照片里每张牌的名称",
    "Confirm or correct the name of each tile of a photo, in its order",
    _SHAPE,
    body=fields(("tiles",), tiles={"type": "array", "items": _NAME, "maxItems": 150}),
)
TAKE_AWAY = Doc(GROUP, "去掉一张照片", "Forget a photo", _SHAPE)
EXAMPLES = Doc(
    GROUP,
    "收下打牌时改正过的牌",
    "Take corrections made in play: small pictures (base64), the box in each, and what it is",
    _SHAPE,
    body=fields(
        ("examples",),
        examples={
            "type": "array",
            "maxItems": MOST_CORRECTIONS,
            "items": fields(
                ("tile", "picture", "box"),
                tile={"type": "string"},
                picture={"type": "string", "contentEncoding": "base64"},
                box={"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4},
            ),
        },
    ),
    status=201,
)
LEARN = Doc(
    GROUP,
    "开始学；insist 表示名称都核对过了",
    "Begin to learn in the background; insist: the names have been looked at again",
    _SHAPE,
    body=fields(insist=FLAG),
    status=202,
)
KEEP = Doc(
    GROUP,
    "把学到的存下来，并按名称保存",
    "Store what was learnt under a name; until then nothing is stored",
    "use, sets",
    body=fields(name={"type": "string", "maxLength": LONGEST_NAME}, replace=FLAG),
    status=201,
)


def blueprint(benches: Benches, service: ReadingService) -> Blueprint:
    """The routes of a guided calibration."""
    routes = Blueprint("calibrate", __name__)

    @routes.post("/api/calibration")
    @documented(BEGIN)
    def begin() -> tuple[dict[str, Any], int]:
        add_to = json_body({"add_to"}).get("add_to")
        if add_to is not None and not isinstance(add_to, str):
            raise wrong("add_to", "the key of a stored set, or null")
        return benches.begin(add_to).to_json(), 201

    @routes.get("/api/calibration/<calibration>")
    @documented(STATUS)
    def status(calibration: str) -> dict[str, Any]:
        return benches.get(calibration).to_json()

    @routes.delete("/api/calibration/<calibration>")
    @documented(END)
    def end(calibration: str) -> dict[str, Any]:
        benches.end(calibration)
        return {"ended": True}

    @routes.post("/api/calibration/<calibration>/look")
    @documented(LOOK)
    def look(calibration: str) -> dict[str, Any]:
        bench = benches.get(calibration)
        if (request.content_length or 0) > MOST_LOOK_BYTES:
            raise ApiError(
                413, "too_many_bytes", "画面太大。", "The picture is too large; send 4 MB at most."
            )
        with service.turn():
            photo = _photo()
            found = bench.look(service.reader(), photo, *_how())
        return _looked(bench, photo, [reading_json(tile) for tile in found])

    @routes.post("/api/calibration/<calibration>/photos")
    @documented(ADD)
    def add(calibration: str) -> tuple[dict[str, Any], int]:
        bench = benches.get(calibration)
        with service.turn():
            photo = _photo()
            bench.add_photo(service.reader(), photo, *_how())
        status = bench.to_json()
        if request.args.get("preview") == "1":
            status["preview"] = preview_of(photo)
        return status, 201

    @routes.post("/api/calibration/<calibration>/photos/<int:number>")
    @documented(NAME)
    def name(calibration: str, number: int) -> dict[str, Any]:
        tiles = json_body({"tiles"}).get("tiles")
        if not isinstance(tiles, list) or any(t is not None and type(t) is not str for t in tiles):
            raise wrong("tiles", "a list of names and nulls")
        bench = benches.get(calibration)
        bench.name(number, tiles)
        return bench.to_json()

    @routes.delete("/api/calibration/<calibration>/photos/<int:number>")
    @documented(TAKE_AWAY)
    def take_away(calibration: str, number: int) -> dict[str, Any]:
        bench = benches.get(calibration)
        bench.take_away(number)
        return bench.to_json()

    @routes.post("/api/calibration/<calibration>/examples")
    @documented(EXAMPLES)
    def examples(calibration: str) -> tuple[dict[str, Any], int]:
        bench = benches.get(calibration)
        bench.add_corrections(_corrections())
        return bench.to_json(), 201

    @routes.post("/api/calibration/<calibration>/learn")
    @documented(LEARN)
    def learn(calibration: str) -> tuple[dict[str, Any], int]:
        insist = read_flag(json_body({"insist"}).get("insist", False), "insist")
        bench = benches.get(calibration)
        benches.learn(bench, insist)
        return bench.to_json(), 202

    @routes.post("/api/calibration/<calibration>/keep")
    @documented(KEEP)
    def keep(calibration: str) -> tuple[dict[str, Any], int]:
        body = json_body({"name", "replace"})
        _keep(benches, benches.get(calibration), body)
        service.sets_changed()
        return sets_json(benches, service), 201

    return routes


def _keep(benches: Benches, bench: Bench, body: dict[str, Any]) -> None:
    """Store what was learnt, and end the calibration."""
    from dataclasses import replace

    from vision.calibration.tile_set import checked_name

    name, over = body.get("name"), read_flag(body.get("replace", False), "replace")
    if bench.add_to is not None:
        name, over = bench.add_to.name, True
    if not isinstance(name, str):
        raise wrong("name", "what to call the set")
    taught = bench.learnt()
    with refusing():
        benches.library().add(replace(taught, name=checked_name(name)), over)
    benches.end(bench.key)


def _looked(bench: Bench, photo: Photo, tiles: list[dict[str, Any]]) -> dict[str, Any]:
    from vision.values import FACES

    shown = {tile["tile"] for tile in tiles}
    before = set(bench.to_json()["have"])
    return {
        "width": photo.width,
        "height": photo.height,
        "tiles": tiles,
        "have": [tile for tile in FACES if tile in shown | before],
        "missing": [tile for tile in FACES if tile not in shown | before],
    }


def _how() -> tuple[bool, bool]:
    return request.args.get("order", "guided") == "guided", request.args.get("others") == "1"


def _photo() -> Photo:
    from vision.photo import load_photo

    with refusing():
        return load_photo(request.get_data(cache=False), "photo")


def _corrections() -> list[tuple[str, Photo, Box]]:
    """The corrections in the body, their pictures decoded.

    Raises:
        ApiError: the body is too large (413), no JSON (400), or a value is wrong (422).
    """
    if (request.content_length or 0) > MOST_EXAMPLES_BYTES:
        raise ApiError(
            413, "too_many_bytes", "请求太大。", "The request is too large; send 2 MB at most."
        )
    try:
        body = json.loads(request.get_data(cache=False))
    except (ValueError, RecursionError):
        raise bad_request("bad_json", "请求不是合法的 JSON。", "The body is not JSON.") from None
    if not isinstance(body, dict):
        raise bad_request("bad_json", "请求应是 JSON 对象。", "Send a JSON object.")
    check_keys(body, {"examples"})
    told = body.get("examples")
    if not isinstance(told, list) or not 1 <= len(told) <= MOST_CORRECTIONS:
        raise wrong("examples", f"a list of 1 to {MOST_CORRECTIONS} examples")
    return [_correction(one) for one in told]


def _correction(one: object) -> tuple[str, Photo, Box]:
    from vision.photo import load_photo
    from vision.values import CLASSES

    if not isinstance(one, dict) or set(one) != {"tile", "picture", "box"}:
        raise wrong("examples", "objects with tile, picture and box")
    if one["tile"] not in CLASSES:
        raise wrong("tile", "a tile such as 5m, back, or die1-die6")
    box = one["box"]
    good = isinstance(box, list) and len(box) == 4
    if not good or not all(type(v) in (int, float) and abs(v) < 1e5 for v in box):
        raise wrong("box", "[x1, y1, x2, y2] in pixels of the picture")
    if not (box[2] - box[0] >= 4 and box[3] - box[1] >= 4):
        raise wrong("box", "[x1, y1, x2, y2] in pixels of the picture, with some area")
    try:
        data = base64.b64decode(str(one["picture"]), validate=True)
    except (binascii.Error, ValueError):
        raise wrong("picture", "a picture in base64") from None
    with refusing():
        photo = load_photo(data, "correction")
    if max(photo.width, photo.height) > LARGEST_CORRECTION:
        raise wrong("picture", f"at most {LARGEST_CORRECTION} pixels wide and high")
    x1, y1, x2, y2 = (float(v) for v in box)
    return one["tile"], photo, (x1, y1, x2, y2)
