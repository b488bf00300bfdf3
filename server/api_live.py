"""The live table over HTTP: start a camera, look on, put right what is misread."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from server.api_body import check_keys, json_body, wrong
from server.apidoc import TILE, Doc, documented, fields
from server.errors import ApiError
from server.lan import owner_only
from server.live_hub import LiveHub

GROUP = "Live 看牌桌"
LONGEST_SOURCE = 500
LONGEST_NAME = 60
MOST_PICTURE_BYTES = 4 * 1024 * 1024
_TEXT = {"type": "string", "maxLength": LONGEST_SOURCE}
_SHAPE = "session (null before a camera is started): source, state, events, corrected, undo"

NOW = Doc(GROUP, "现在看到什么", "What is seen now", _SHAPE)
EVENTS = Doc(
    GROUP,
    "有变化就送来（Server-Sent Events）；每个 live 事件的内容与 /api/live 相同",
    "Server-sent events: a `live` event, the same as /api/live, whenever something changed",
    "a stream that ends when the server stops",
    answers_as="text/event-stream",
)
PICTURE = Doc(
    GROUP, "最新的画面", "The newest picture; ETag tells one from the next", "a JPEG",
    answers_as="image/jpeg",
)  # fmt: skip
CHOICES = Doc(
    GROUP, "有哪些摄像头和机位", "The cameras and the saved placements", "cameras, placements"
)
START = Doc(
    GROUP,
    "开摄像头、地址或视频文件；或用浏览器的摄像头（browser: true）",
    "Watch a camera, an address or a video file; or with browser: true a browser's camera",
    _SHAPE,
    body=fields(
        source=_TEXT,
        browser={"type": "boolean"},
        placement={"type": ["string", "null"], "maxLength": LONGEST_NAME},
    ),
)
STOP = Doc(GROUP, "关摄像头", "Let go of the camera", _SHAPE)
PUSH = Doc(
    GROUP,
    "浏览器的摄像头送来一张画面",
    "One picture of the browser that is the camera",
    "width, height",
    body={"type": "string", "format": "binary"},
    media=("image/jpeg",),
)
CORRECT = Doc(
    GROUP,
    "改正：这张是什么、不是牌（nothing）、翻的混牌、庄家、新的一盘",
    "Put right a tile by its id (tile null: take that back; nothing: no tile lies there), "
    "the turned tile, the dealer, or say that a new hand begins",
    _SHAPE,
    body=fields(
        id={"type": "integer"},
        tile={"type": ["string", "null"]},
        nothing={"type": "boolean"},
        indicator={"anyOf": [TILE, {"type": "null"}]},
        dealer={"type": ["integer", "null"], "minimum": 0, "maximum": 3},
        new_hand={"type": "boolean"},
    ),
)
UNDO = Doc(GROUP, "撤销最近的改正", "Take the newest correction back", _SHAPE)


def blueprint(hub: LiveHub) -> Blueprint:
    """The routes of the live table."""
    routes = Blueprint("live", __name__)

    def now() -> Response:
        return Response(hub.message(), mimetype="application/json")

    routes.get("/api/live")(documented(NOW)(now))

    @routes.get("/api/live/events")
    @documented(EVENTS)
    def events() -> Response:
        answer = Response(hub.stream(), mimetype="text/event-stream")
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    @routes.get("/api/live/frame.jpg")
    @documented(PICTURE)
    def picture() -> Response:
        session = hub.session()
        number, coded = session.picture()
        answer = Response(coded, mimetype="image/jpeg")
        answer.headers["Cache-Control"] = "no-cache"
        answer.set_etag(f"{session.number}-{number}")
        answer.make_conditional(request)
        return answer

    @routes.get("/api/live/cameras")
    @documented(CHOICES)
    def cameras() -> dict[str, Any]:
        from vision.sources import list_cameras

        return {
            "cameras": [camera.to_json() for camera in list_cameras()],
            "placements": list(hub.placements()),
        }

    @routes.post("/api/live/source")
    @documented(START)
    def start() -> Response:
        body = json_body({"source", "browser", "placement"})
        placement = body.get("placement")
        if placement is not None and not isinstance(placement, str):
            raise wrong("placement", "the name of a saved placement")
        if body.get("browser") is True:
            hub.start_browser("浏览器 browser", placement)
            return now()
        owner_only()
        source = body.get("source")
        if not isinstance(source, str) or not source.strip() or len(source) > LONGEST_SOURCE:
            raise wrong("source", "a camera's number or name, an address, a file or a folder")
        if "\0" in source:
            raise wrong("source", "without a NUL character")
        hub.start(source, placement)
        return now()

    @routes.delete("/api/live/source")
    @documented(STOP)
    def stop() -> Response:
        hub.stop()
        return now()

    @routes.post("/api/live/frames")
    @documented(PUSH)
    def push() -> dict[str, int]:
        if (request.content_length or 0) > MOST_PICTURE_BYTES:
            raise ApiError(
                413, "too_many_bytes", "画面太大。", "The picture is too large; send 4 MB at most."
            )
        width, height = hub.session().push(request.get_data(cache=False))
        return {"width": width, "height": height}

    @routes.post("/api/live/correct")
    @documented(CORRECT)
    def correct() -> Response:
        _correct(hub, json_body({"id", "tile", "nothing", "indicator", "dealer", "new_hand"}))
        return now()

    @routes.post("/api/live/undo")
    @documented(UNDO)
    def undo() -> Response:
        hub.session().undo()
        return now()

    return routes


def _correct(hub: LiveHub, body: dict[str, Any]) -> None:
    if "id" in body:
        check_keys(body, {"id", "tile", "nothing"})
        identity, tile = body["id"], body.get("tile")
        if type(identity) is not int:
            raise wrong("id", "the id of a tile")
        if body.get("nothing") is True:
            hub.session().remove(identity)
        elif "tile" in body and (tile is None or isinstance(tile, str)):
            hub.session().correct(identity, tile)
        else:
            raise wrong("tile", "a tile such as 5m, or null")
    elif body.get("new_hand") is True:
        hub.session().new_hand()
    elif "indicator" in body:
        tile = body["indicator"]
        if tile is not None and not isinstance(tile, str):
            raise wrong("indicator", "a tile such as 5m, or null")
        hub.session().name("indicator", tile)
    elif "dealer" in body:
        seat = body["dealer"]
        if seat is not None and type(seat) is not int:
            raise wrong("dealer", "a seat 0, 1, 2 or 3, or null")
        hub.session().name("dealer", seat)
    else:
        raise wrong("id", "given, or one of indicator, dealer, new_hand")
