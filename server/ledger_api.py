"""The score sheet's JSON interface, under /api/ledger.

What is entered is on the disk before it is answered. A request may carry `key` (or the header
`Idempotency-Key`), chosen anew for each thing to enter: sent again after an answer that got lost,
it is entered once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, jsonify, request, url_for

from server import ledger_docs as docs
from server.apidoc import documented
from server.errors import ApiError
from server.ledger.errors import (
    BusyError,
    ConflictError,
    LedgerError,
    MalformedError,
    RefusedError,
    UnknownError,
    UnusableError,
    malformed,
)
from server.ledger.export import ledger_to_json, sheet_to_csv
from server.ledger.inputs import (
    LARGEST_IMPORT,
    LARGEST_PICTURE,
    Extras,
    Request,
    picture_from_base64,
)
from server.ledger.records import Sheet
from server.ledger.restore import restore
from server.ledger.store import Entered, Ledger
from server.ledger_next import begin_next
from server.settlement_answer import settlement_json

LARGEST_BODY = 256 * 1024
LARGEST_BODY_WITH_PICTURE = LARGEST_PICTURE * 4 // 3 + LARGEST_BODY
MOST_SUMMARIES = 200
RETRY_AFTER_S = 1

_STATUS: tuple[tuple[type[LedgerError], int], ...] = (
    (MalformedError, 400),
    (UnknownError, 404),
    (ConflictError, 409),
    (RefusedError, 422),
    (BusyError, 503),
    (UnusableError, 503),
)

_RESULT = ("dealer", "winner", "fan", "gangs", "zuo", "la", "chan")
_EXTRAS = ("title", "reading", "picture", "keep_picture")
_COMMON = ("note", "key", "seen")


def blueprint_for(ledger: Ledger) -> Blueprint:
    """The routes of the score sheet.

    Args:
        ledger: where everything is kept; it may be a file that cannot be used, which is answered
            with 503 and the reason.
    """
    routes = Blueprint("ledger", __name__, url_prefix="/api/ledger")
    _add_errors(routes)
    _add_sheets(routes, ledger)
    _add_lines(routes, ledger)
    _add_pictures(routes, ledger)
    _add_exports(routes, ledger)
    return routes


def _add_errors(routes: Blueprint) -> None:
    @routes.errorhandler(LedgerError)
    def refused(error: LedgerError) -> Response:
        answer = jsonify(error.to_json())
        answer.status_code = next(status for kind, status in _STATUS if isinstance(error, kind))
        if isinstance(error, BusyError):
            answer.headers["Retry-After"] = str(RETRY_AFTER_S)
        return answer

    @routes.errorhandler(ApiError)
    def not_fit(error: ApiError) -> Response:
        answer = jsonify(error.to_json())
        answer.status_code = error.status
        return answer


def _add_sheets(routes: Blueprint, ledger: Ledger) -> None:
    @routes.get("")
    @documented(docs.LIST)
    def list_guos() -> Response:
        limit = min(_whole("limit", 50), MOST_SUMMARIES)
        guos, count = ledger.summaries(limit, _whole("offset", 0))
        return jsonify({"guos": guos, "count": count})

    @routes.post("")
    @documented(docs.BEGIN)
    def begin() -> tuple[Response, int]:
        body = _body(("players", "options", "east", "key"))
        options = body.get("options", {})
        if not isinstance(options, Mapping):
            raise malformed("bad_options", "options 应是一个对象", "'options' must be an object")
        entered = ledger.begin(body.get("players"), options, body.get("east", 0), _request(body))
        return _entered(entered)

    @routes.post("/<int:guo_id>/next")
    @documented(docs.NEXT)
    def begin_another(guo_id: int) -> tuple[Response, int]:
        body = _body(("roller", "dice", "picks", "key"))
        return _entered(begin_next(ledger, guo_id, body, _request(body)))

    @routes.get("/<int:guo_id>")
    @documented(docs.SHOW)
    def show(guo_id: int) -> Response:
        return jsonify(sheet_json(ledger.sheet(guo_id)))

    @routes.get("/<int:guo_id>/totals")
    @documented(docs.TOTALS)
    def totals(guo_id: int) -> Response:
        return jsonify(ledger.sheet(guo_id).totals_json())

    @routes.post("/<int:guo_id>/close")
    @documented(docs.CLOSE)
    def close(guo_id: int) -> Response:
        return jsonify(sheet_json(ledger.set_closed(guo_id, True)))

    @routes.post("/<int:guo_id>/open")
    @documented(docs.OPEN)
    def open_again(guo_id: int) -> Response:
        return jsonify(sheet_json(ledger.set_closed(guo_id, False)))


def _add_lines(routes: Blueprint, ledger: Ledger) -> None:
    @routes.post("/<int:guo_id>/preview")
    @documented(docs.PREVIEW)
    def preview(guo_id: int) -> Response:
        return jsonify(settlement_json(ledger.preview(guo_id, _body(_RESULT))))

    @routes.post("/<int:guo_id>/hands")
    @documented(docs.ENTER)
    def enter_hand(guo_id: int) -> tuple[Response, int]:
        body = _body((*_RESULT, *_EXTRAS, *_COMMON), LARGEST_BODY_WITH_PICTURE)
        note = body.get("note", "")
        return _entered(
            ledger.enter_hand(guo_id, _result(body), _extras(body), note, _request(body))
        )

    @routes.post("/<int:guo_id>/lines/<int:number>/correct")
    @documented(docs.CORRECT)
    def correct(guo_id: int, number: int) -> tuple[Response, int]:
        body = _body((*_RESULT, *_EXTRAS, *_COMMON), LARGEST_BODY_WITH_PICTURE)
        return _entered(
            ledger.correct(
                guo_id,
                number,
                _result(body),
                _extras(body),
                body.get("note", ""),
                _request(body),
            )
        )

    @routes.post("/<int:guo_id>/lines/<int:number>/undo")
    @documented(docs.UNDO)
    def undo(guo_id: int, number: int) -> tuple[Response, int]:
        body = _body(_COMMON)
        return _entered(ledger.undo(guo_id, number, body.get("note", ""), _request(body)))

    @routes.post("/<int:guo_id>/adjust")
    @documented(docs.ADJUST)
    def adjust(guo_id: int) -> tuple[Response, int]:
        body = _body(("deltas", *_COMMON))
        deltas, note = body.get("deltas"), body.get("note")
        return _entered(ledger.adjust(guo_id, deltas, note, _request(body)))


def _add_pictures(routes: Blueprint, ledger: Ledger) -> None:
    @routes.get("/<int:guo_id>/lines/<int:number>/picture")
    @documented(docs.PICTURE)
    def picture(guo_id: int, number: int) -> Response:
        kept = ledger.picture(guo_id, number)
        answer = Response(kept.data, mimetype=kept.media_type)
        answer.headers["X-Content-Type-Options"] = "nosniff"
        return answer

    @routes.delete("/<int:guo_id>/lines/<int:number>/picture")
    @documented(docs.FORGET)
    def forget(guo_id: int, number: int) -> Response:
        ledger.forget_picture(guo_id, number)
        return jsonify(sheet_json(ledger.sheet(guo_id)))


def _add_exports(routes: Blueprint, ledger: Ledger) -> None:
    @routes.get("/<int:guo_id>/export.csv")
    @documented(docs.CSV)
    def export_csv(guo_id: int) -> Response:
        lang = "en" if request.args.get("lang") == "en" else "zh"
        text = sheet_to_csv(ledger.sheet(guo_id), lang)
        return _download(text.encode("utf-8"), "text/csv; charset=utf-8", f"zhuowu-{guo_id}.csv")

    @routes.get("/<int:guo_id>/export.json")
    @documented(docs.JSON_ONE)
    def export_one(guo_id: int) -> Response:
        return _export([ledger.sheet(guo_id)], f"zhuowu-{guo_id}.json")

    @routes.get("/export.json")
    @documented(docs.JSON_ALL)
    def export_all() -> Response:
        return _export(ledger.sheets(), "zhuowu-ledger.json")

    @routes.post("/import")
    @documented(docs.IMPORT)
    def bring_back() -> Response:
        return jsonify(restore(ledger, _body(None, LARGEST_IMPORT)).to_json())

    def _export(sheets: list[Sheet], name: str) -> Response:
        pictures = ledger.pictures(sheets) if request.args.get("pictures") == "1" else None
        text = json.dumps(ledger_to_json(sheets, pictures), ensure_ascii=False, indent=1)
        return _download(text.encode("utf-8"), "application/json", name)


def sheet_json(sheet: Sheet) -> dict[str, Any]:
    """A 锅 as the page takes it: every kept picture by its address."""
    data = sheet.to_json()
    for line in data["lines"]:
        kept = line.pop("has_picture")
        where = {"guo_id": sheet.id, "number": line["number"]}
        line["picture"] = url_for("ledger.picture", **where) if kept else None
    return data


def _entered(entered: Entered) -> tuple[Response, int]:
    """201 for what was entered now, 200 for what had been entered by the same request before."""
    body = {
        "number": entered.number,
        "repeated": entered.repeated,
        "sheet": sheet_json(entered.sheet),
    }
    return jsonify(body), 200 if entered.repeated else 201


def _download(data: bytes, kind: str, name: str) -> Response:
    answer = Response(data, content_type=kind)
    answer.headers["Content-Disposition"] = f"attachment; filename={quote(name)}"
    return answer


def _whole(name: str, default: int) -> int:
    text = request.args.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise malformed(
            "bad_number", f"“{name}”应是一个整数", f"{name!r} must be a whole number, 0 up"
        )
    return int(text)


def _body(fields: tuple[str, ...] | None, limit: int = LARGEST_BODY) -> dict[str, Any]:
    """The JSON object sent, with no other fields than these (None: any).

    Raises:
        ApiError: 413, larger than `limit` bytes; 415, not sent as JSON.
        MalformedError: not a JSON object, or with unknown fields.
    """
    if request.content_length and not request.is_json:
        raise ApiError(
            415,
            "not_json",
            "请求内容应是 JSON（Content-Type: application/json）。",
            "Send the request as JSON (Content-Type: application/json).",
        )
    text = request.stream.read(limit + 1) if (request.content_length or 0) <= limit else None
    if text is None or len(text) > limit:
        raise ApiError(
            413,
            "too_many_bytes",
            f"请求超过 {limit // 1024} KB。图片请缩小后再存。",
            f"The request is over {limit // 1024} KB; shrink the picture.",
        )
    try:
        body = json.loads(text or b"{}", parse_constant=_no_constant)
        json.dumps(body, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise malformed(
            "bad_json", "请求应是一个 JSON 对象", "the request must be one JSON object in UTF-8"
        )
    unknown = [name for name in body if fields is not None and name not in fields]
    if unknown and fields is not None:
        raise malformed(
            "unknown_field",
            f"没有“{unknown[0]}”这一项，可以有：{'、'.join(fields)}",
            f"there is no field {unknown[0]!r}; it takes {', '.join(fields)}",
        )
    return body


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _request(body: Mapping[str, Any]) -> Request:
    key = body.get("key", request.headers.get("Idempotency-Key"))
    return Request(key, body.get("seen"))


def _result(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: body[name] for name in _RESULT if name in body}


def _extras(body: Mapping[str, Any]) -> Extras:
    """Title, reading and picture; a picture is kept only when the request says `keep_picture`."""
    picture = None
    if body.get("picture") is not None:
        if body.get("keep_picture") is not True:
            raise malformed(
                "picture_not_asked_for",
                "照片只在 keep_picture 为 true 时保存；不要保存就别发送",
                "a picture is kept only with 'keep_picture': true; leave it out otherwise",
            )
        picture = picture_from_base64(body["picture"])
    return Extras(body.get("title", ""), body.get("reading"), picture)
