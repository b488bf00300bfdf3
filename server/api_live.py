"""The live table over HTTP: start a camera, look on, put right what is misread."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from server.api_body import json_body, read_options, wrong
from server.api_placement import add_placement
from server.apidoc import OPTIONS, TILE, Doc, documented, fields
from server.errors import ApiError
from server.lan import owner_only
from server.live_hub import LiveHub
from server.live_words import MOST_MOVED, ROLES, correct_live

GROUP = "Live 看牌桌"
LONGEST_SOURCE = 500
LONGEST_NAME = 60
MOST_PICTURE_BYTES = 4 * 1024 * 1024
_TEXT = {"type": "string", "maxLength": LONGEST_SOURCE}
_SHAPE = (
    "run, message: answers may overtake one another; of two of one run the greater message is the "
    "newer, another run is the program started again. problem. session (null before a camera is "
    "started): source, options (the rules that judge), tile_set (key and name of the taught set "
    "that it shows, or null), set_candidates (those that it may show, where that is open), state, "
    "events, rolls (the opening's), corrected, placed, added (ids), named, undo, redo"
)

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
    "Watch a camera, an address or a video file; or with browser: true a browser's camera. "
    "The options judge its hands; without any, those of the configuration",
    _SHAPE,
    body=fields(
        source=_TEXT,
        browser={"type": "boolean"},
        placement={"type": ["string", "null"], "maxLength": LONGEST_NAME},
        options=OPTIONS,
    ),
)
RULES = Doc(
    GROUP,
    "换规矩：开着的牌桌从现在起按这些规矩算；没开摄像头就什么也不变",
    "Other rules judge the table that is watched from now on; without a camera nothing changes",
    _SHAPE,
    body=fields(("options",), options=OPTIONS),
)
NOT_THIS_SET = Doc(
    GROUP,
    "牌桌上不是认出来的那副牌具（refuse）：看这个画面时不再用它；或说明是哪一副（take）",
    "The table does not show the taught set that it was taken for: not used while this source is "
    "watched (refuse); or which of the set_candidates it shows, or none (take)",
    _SHAPE,
    body=fields(
        (),
        refuse={"type": "string", "maxLength": 32},
        take={"type": "string", "maxLength": 32},
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
_SEAT_OR_NONE = {"type": ["integer", "null"], "minimum": 0, "maximum": 3}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
CORRECT = Doc(
    GROUP,
    "改正：这张是什么（tile）、放到哪儿（role、seat）、这里没有牌（nothing）、加一张没看到的（add）、"
    "没看到的那张打的是什么（discard）、翻的混牌、庄家、新的一盘",
    "Put right tiles by their ids: what one is (tile), where they belong (role, and the seat of a "
    "hand, drawn, meld or pond); null takes either back; nothing: no tile lies there; add: one "
    "lies there that is not seen. Or what a discard was that nobody saw (the move is that of its "
    "doubt), the turned tile, the dealer, or a new hand. A word about a "
    "tile holds until it moves",
    _SHAPE,
    body=fields(
        id={"type": "integer"},
        ids={"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": MOST_MOVED},
        tile={"type": ["string", "null"]},
        role={"enum": [*ROLES, None]},
        seat=_SEAT_OR_NONE,
        nothing={"type": "boolean"},
        add=fields(
            ("tile", "x", "y"), tile=TILE, x=_SHARE, y=_SHARE, role={"enum": [*ROLES]},
            seat=_SEAT_OR_NONE,
        ),
        discard=fields(
            ("move", "tile"), move={"type": "integer"}, tile={"anyOf": [TILE, {"type": "null"}]}
        ),
        indicator={"anyOf": [TILE, {"type": "null"}]},
        dealer=_SEAT_OR_NONE,
        new_hand={"type": "boolean"},
    ),
)  # fmt: skip
UNDO = Doc(GROUP, "撤销最近的改正", "Take the newest correction back", _SHAPE)
REDO = Doc(GROUP, "重做刚撤销的改正", "Make the correction again that was taken back", _SHAPE)


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
        body = json_body({"source", "browser", "placement", "options"})
        options = read_options(body["options"]) if "options" in body else None
        placement = body.get("placement")
        if placement is not None and not isinstance(placement, str):
            raise wrong("placement", "the name of a saved placement")
        if body.get("browser") is True:
            hub.start_browser("浏览器 browser", placement, options)
            return now()
        owner_only()
        source = body.get("source")
        if not isinstance(source, str) or not source.strip() or len(source) > LONGEST_SOURCE:
            raise wrong("source", "a camera's number or name, an address, a file or a folder")
        if "\0" in source:
            raise wrong("source", "without a NUL character")
        hub.start(source, placement, options=options)
        return now()

    @routes.post("/api/live/rules")
    @documented(RULES)
    def rules() -> Response:
        options = read_options(json_body({"options"}).get("options"))
        session = hub.session_or_none()
        if session is not None:
            session.play_by(options)
        return now()

    @routes.post("/api/live/tile-set")
    @documented(NOT_THIS_SET)
    def not_this_set() -> Response:
        body = json_body({"refuse", "take"})
        refused, taken = body.get("refuse"), body.get("take")
        if isinstance(taken, str) and refused is None:
            hub.session().take_set(taken)
        elif isinstance(refused, str) and taken is None:
            hub.session().refuse_set(refused)
        else:
            raise wrong("refuse", "the key of the set that the table is taken for, or take a key")
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
        correct_live(hub.session().log, json_body((CORRECT.body or {})["properties"]))
        return now()

    @routes.post("/api/live/undo")
    @documented(UNDO)
    def undo() -> Response:
        hub.session().log.undo()
        return now()

    @routes.post("/api/live/redo")
    @documented(REDO)
    def redo() -> Response:
        hub.session().log.redo()
        return now()

    add_placement(routes, hub)
    return routes
