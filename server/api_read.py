"""POST /api/read: a photo to tiles, roles and doubts. GET /api/samples: the bundled photos."""

from __future__ import annotations

import base64
import io
from typing import IO, TYPE_CHECKING, Any

from flask import Blueprint, Request, Response, jsonify, request, send_file

from server.apidoc import Doc, documented
from server.errors import ApiError
from server.reading_service import ReadingService, ReadPhoto
from server.samples import list_samples
from server.tile_sets import Said

if TYPE_CHECKING:
    from vision.photo import Photo

PREVIEW_SIDE = 1600
LONGEST_NAME = 120
GROUP = "Read 认牌"

READ = Doc(
    GROUP,
    "一张照片上有哪些牌、摆在哪里、哪里没看准",
    "A photo to its tiles, their places and the doubts; the photo is not kept",
    "photo, tiles, layout (ids into tiles), doubts, notes, ms, tile_set (the taught set it shows), "
    "set_candidates (key and name of the sets that it may show, where that is open), set_told "
    "(whether the query has settled that)",
    query={
        "set": {"type": "string", "maxLength": 32, "description": "key of the set, if it is open"},
        "not": {"type": "string", "maxLength": 640, "description": "keys of sets it is not: a,b"},
        "name": {"type": "string", "maxLength": LONGEST_NAME},
        "preview": {"enum": ["0", "1"], "description": "1: the upright photo comes back too"},
    },
    body={"type": "string", "format": "binary"},
    media=("image/jpeg", "image/png", "image/webp", "image/heic"),
)
SAMPLES = Doc(GROUP, "自带的样张", "The photos that come with the program", "samples")
STATUS = Doc(
    GROUP, "模型准备好了没有", "Whether the models are ready", "models: loading, ready or failed"
)


class InMemoryRequest(Request):
    """A request whose uploads are never spooled to disk; the body limit bounds the memory."""

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        return io.BytesIO()


def blueprint(service: ReadingService) -> Blueprint:
    """The routes that deal with photos."""
    routes = Blueprint("read", __name__)

    @routes.post("/api/read")
    @documented(READ)
    def read() -> Response:
        data, name = _uploaded()
        refused = frozenset(filter(None, request.args.get("not", "").split(",")))
        found = service.read(data, name, Said(request.args.get("set"), refused))
        body = reading_json(found)
        if request.args.get("preview") == "1":
            body["photo"]["preview"] = preview_of(found.photo)
        return jsonify(body)

    @routes.get("/api/samples")
    @documented(SAMPLES)
    def samples() -> Response:
        return jsonify(
            {
                "samples": [
                    {
                        "name": sample.name,
                        "url": f"/samples/{sample.name}",
                        "zh": sample.zh,
                        "en": sample.en,
                        "indicator": sample.indicator,
                    }
                    for sample in list_samples()
                ]
            }
        )

    @routes.get("/samples/<name>")
    def sample(name: str) -> Response:
        for one in list_samples():
            if one.name == name:
                return send_file(one.path, max_age=3600)
        raise ApiError(404, "unknown_sample", "没有这张样张。", "There is no such sample.")

    @routes.get("/api/status")
    @documented(STATUS)
    def status() -> Response:
        return jsonify({"models": service.state})

    return routes


def _uploaded() -> tuple[bytes, str]:
    """The bytes and the name of the photo: the body itself, or the first file of a form."""
    name = request.args.get("name", "")
    if request.mimetype == "multipart/form-data":
        first = next(iter(request.files.values()), None)
        if first is None:
            raise ApiError(
                400,
                "no_photo",
                "表单里没有照片文件。",
                "The form holds no photo; send one file, or the photo itself as the body.",
            )
        return first.read(), (name or first.filename or "photo")[:LONGEST_NAME]
    return request.get_data(cache=False), (name or "photo")[:LONGEST_NAME]


def reading_json(found: ReadPhoto) -> dict[str, Any]:
    """What /api/read answers.

    Returns:
        `{"photo": {"name", "width", "height"}, "tiles": [{"id", "tile", "confidence", "box",
        "alternatives", "doubtful"}], "layout": {"hand", "drawn", "melds", "indicator", "aside"},
        "doubts": [...], "notes": [...], "ms": {stage: ms}, "tile_set": name or null,
        "set_candidates": [{"key", "name"}], "set_told": bool}`; ids are indices into `tiles`.
    """
    from vision.calibration import key_of

    reading, table = found.reading, found.table
    layout = table.to_json()
    doubts = layout.pop("doubts")
    layout["aside"] = [*layout["aside"], *layout.pop("dice")]
    return {
        "photo": {"name": reading.image, "width": reading.width, "height": reading.height},
        "tiles": [
            {"id": index, **tile.to_json(), "doubtful": bool(tile.doubtful)}
            for index, tile in enumerate(reading.tiles)
        ],
        "layout": layout,
        "doubts": doubts,
        "notes": [note.to_json() for note in reading.notes],
        "ms": {stage: round(value, 1) for stage, value in reading.ms.items()},
        "tile_set": found.tile_set,
        "set_candidates": [{"key": key_of(name), "name": name} for name in found.candidates],
        "set_told": found.set_told,
    }


def preview_of(photo: Photo) -> str:
    """The upright photo as a JPEG data URL, for browsers that cannot show the file (HEIC)."""
    from vision.opencv import cv2

    pixels = photo.pixels
    scale = min(1.0, PREVIEW_SIDE / max(pixels.shape[:2]))
    if scale < 1:
        pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return "data:image/jpeg;base64," + base64.b64encode(coded.tobytes()).decode("ascii")
