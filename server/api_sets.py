"""The taught tile sets over HTTP: list, choose, rename by storing, remove, share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, request

from server.api_body import json_body, wrong
from server.apidoc import Doc, documented, fields
from server.calibration_benches import Benches
from server.errors import ApiError
from server.reading_service import ReadingService

GROUP = "Tiles 我的牌"
LONGEST_NAME = 60
MOST_FILE_BYTES = 2 * 1024 * 1024
_SHAPE = "use (auto, none or a key), sets"

LIST = Doc(GROUP, "学过的牌具，和正在用哪一副", "The taught tile sets, and which is in use", _SHAPE)
USE = Doc(
    GROUP,
    "用哪一副：auto 按照片自动认，none 都不用",
    "Which set to use for every photo: a key, auto (recognised by itself), or none",
    _SHAPE,
    body=fields(
        ("use",), use={"anyOf": [{"enum": ["auto", "none"]}, {"type": "string", "maxLength": 32}]}
    ),
    example={"use": "auto"},
)
REMOVE = Doc(GROUP, "删掉一副", "Remove a set", _SHAPE)
PICTURE = Doc(
    GROUP,
    "这副牌的样子",
    "The set's tiles as one picture, nine to a row in class order",
    "a JPEG",
    answers_as="image/jpeg",
)
EXPORT = Doc(
    GROUP,
    "导出成文件；consent=1 表示牌主同意用来训练通用模型",
    "The set as a file that others can import; with consent=1 its owner lets it be used to train "
    "the general model, which the file then says",
    "a file",
    query={"consent": {"enum": ["0", "1"]}},
    answers_as="application/octet-stream",
)
IMPORT = Doc(
    GROUP,
    "导入别人导出的文件",
    "Store the set in an exported file",
    _SHAPE,
    query={
        "name": {"type": "string", "maxLength": LONGEST_NAME},
        "replace": {"enum": ["0", "1"]},
    },
    body={"type": "string", "format": "binary"},
    media=("application/octet-stream",),
    status=201,
)


def blueprint(benches: Benches, service: ReadingService) -> Blueprint:
    """The routes of the stored sets."""
    routes = Blueprint("sets", __name__)

    def now() -> dict[str, Any]:
        return sets_json(benches, service)

    routes.get("/api/sets")(documented(LIST)(now))

    @routes.post("/api/sets/use")
    @documented(USE)
    def use() -> dict[str, Any]:
        told = json_body({"use"}).get("use")
        if not isinstance(told, str):
            raise wrong("use", "the key of a set, auto or none")
        name = told if told in ("auto", "none") else benches.stored(told).name
        with refusing():
            benches.library().use(name)
        service.sets_changed()
        return now()

    @routes.delete("/api/sets/<set_key>")
    @documented(REMOVE)
    def remove(set_key: str) -> dict[str, Any]:
        name = benches.stored(set_key).name
        with refusing():
            benches.library().remove(name)
        service.sets_changed()
        return now()

    @routes.get("/api/sets/<set_key>/picture.jpg")
    @documented(PICTURE)
    def picture(set_key: str) -> Response:
        from server.calibration_result import sheet_of

        return Response(sheet_of(benches.stored(set_key)), mimetype="image/jpeg")

    @routes.get("/api/sets/<set_key>/file")
    @documented(EXPORT)
    def export(set_key: str) -> Response:
        from dataclasses import replace

        tile_set = benches.stored(set_key)
        if request.args.get("consent") == "1":
            tile_set = replace(tile_set, consent=True)
        with refusing():
            content = tile_set.packed()
        answer = Response(content, mimetype="application/octet-stream")
        named = quote(f"{tile_set.name}.zwset", safe="")
        answer.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{named}"
        return answer

    @routes.post("/api/sets/file")
    @documented(IMPORT)
    def bring_in() -> tuple[dict[str, Any], int]:
        import_file(benches)
        service.sets_changed()
        return now(), 201

    return routes


def import_file(benches: Benches) -> None:
    """Store the set in the body of the request.

    Raises:
        ApiError: it is too large (413), no whole set, or its name is taken (422).
    """
    from dataclasses import replace

    from vision.calibration.tile_set import checked_name, unpack_tile_set

    if (request.content_length or 0) > MOST_FILE_BYTES:
        raise ApiError(
            413,
            "too_many_bytes",
            "文件太大：牌具文件不超过 2 MB。",
            "The file is too large: a set's file has 2 MB at most.",
        )
    name = request.args.get("name", "").strip()
    with refusing():
        tile_set = unpack_tile_set(request.get_data(cache=False))
        if name:
            tile_set = replace(tile_set, name=checked_name(name))
        benches.library().add(tile_set, request.args.get("replace") == "1")


def sets_json(benches: Benches, service: ReadingService) -> dict[str, Any]:
    """What GET /api/sets answers: `stale` sets were fitted on another classifier."""
    from vision.calibration import key_of

    library = benches.library()
    used = library.in_use()
    sets = library.sets()
    current = service.classifier_sha256() if sets else ""
    return {
        "use": used if used in ("auto", "none") else key_of(used),
        "sets": [
            {"key": key_of(s.name)} | s.to_json() | {"stale": s.classifier != current} for s in sets
        ],
    }


@contextmanager
def refusing() -> Iterator[None]:
    """Errors of calibration as the interface refuses things."""
    from vision.errors import VisionError

    try:
        yield
    except VisionError as error:
        status = {"name_taken": 409, "unknown_set": 404, "not_writable": 503}.get(error.code, 422)
        raise ApiError(status, error.code, error.zh, error.en) from None
