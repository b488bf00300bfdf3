"""POST /api/read: hostile uploads get a 4xx with a reason; a busy server says so."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from PIL import Image
from werkzeug.test import TestResponse

from server.app import create_app
from server.config import Config
from server.reading_service import ReadingService
from server.samples import list_samples

LIMIT_MB = 2


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    """No models are loaded: what is refused must be refused before they are needed."""
    config = replace(Config(), max_upload_mb=LIMIT_MB)
    with create_app(config, ReadingService(config)).test_client() as client:
        yield client


def picture(kind: str, size: tuple[int, int] = (64, 48), **options: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, (20, 90, 60)).save(out, kind, **options)
    return out.getvalue()


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds a few bytes: a decompression bomb's beginning."""

    def chunk(name: bytes, data: bytes) -> bytes:
        crc = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )


def animated_webp() -> bytes:
    frames = [Image.new("RGB", (64, 64), (shade, 0, 0)) for shade in (0, 120, 250)]
    out = io.BytesIO()
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:])
    return out.getvalue()


HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "one byte": lambda: b"\0",
    "text": lambda: "这不是照片".encode(),
    "html": lambda: b"<!doctype html><script>alert(1)</script>",
    "svg": lambda: b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
    "pdf": lambda: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "zip": lambda: b"PK\x03\x04" + b"\0" * 200,
    "program": lambda: b"\x7fELF" + b"\0" * 500,
    "gif": lambda: picture("GIF"),
    "tiff": lambda: picture("TIFF"),
    "bmp": lambda: picture("BMP"),
    "jpeg cut short": lambda: picture("JPEG", (640, 480))[:500],
    "jpeg head alone": lambda: b"\xff\xd8\xff\xe0\0\x10JFIF",
    "jpeg with noise inside": lambda: picture("JPEG")[:300] + b"\xff\xff" * 200,
    "png cut short": lambda: picture("PNG", (640, 480))[:60],
    "png with a wrong checksum": lambda: picture("PNG").replace(b"IDAT", b"IDAX"),
    "png bomb": lambda: png_header(60_000, 60_000),
    "png of 26 megapixels": lambda: png_header(6_500, 4_000),
    "png without area": lambda: png_header(0, 0),
    "webp cut short": lambda: picture("WEBP", (640, 480))[:40],
    "heic head alone": lambda: b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 64,
    "too small": lambda: picture("PNG", (8, 8)),
    "animation": animated_webp,
    "too many bytes": lambda: picture("JPEG") + b"\0" * (LIMIT_MB * 1024 * 1024),
}


def assert_refused(answer: TestResponse) -> None:
    assert answer.status_code in (400, 413, 415, 422), (answer.status_code, answer.text)
    error = answer.json["error"]
    assert error["code"] not in ("internal", "")
    assert len(error["en"]) > 20, "a reason and a way out"
    assert any("\u4e00" <= char <= "\u9fff" for char in error["zh"])
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies_are_refused(client: FlaskClient, name: str) -> None:
    assert_refused(
        client.post("/api/read?name=photo.jpg", data=HOSTILE[name](), content_type="image/jpeg")
    )


@pytest.mark.parametrize("name", ["nothing", "html", "png bomb", "too many bytes"])
def test_hostile_form_files_are_refused(client: FlaskClient, name: str) -> None:
    form = {"photo": (io.BytesIO(HOSTILE[name]()), "../../etc/photo.jpg")}
    assert_refused(client.post("/api/read", data=form, content_type="multipart/form-data"))


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", "multipart/form-data; boundary=x"),
        (b"--x\r\n", "multipart/form-data; boundary=x"),
        (b"no boundary", "multipart/form-data"),
        (
            b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
            "multipart/form-data; boundary=x",
        ),
    ],
)
def test_broken_forms_are_refused(client: FlaskClient, body: bytes, content_type: str) -> None:
    assert_refused(client.post("/api/read", data=body, content_type=content_type))


def test_too_large_a_body_is_refused_by_its_header(client: FlaskClient) -> None:
    answer = client.post("/api/read", data=HOSTILE["too many bytes"]())
    assert answer.status_code == 413
    assert answer.json["error"]["code"] == "too_many_bytes"


def test_one_reading_too_many_is_told_to_come_back() -> None:
    config = replace(Config(), readings_at_once=1, readings_waiting=0)
    service = ReadingService(config)
    client = create_app(config, service).test_client()
    with service.turn():
        answer = client.post("/api/read", data=picture("JPEG"))
    assert answer.status_code == 503
    assert answer.json["error"]["code"] == "busy"
    assert int(answer.headers["Retry-After"]) > 0
    assert_refused(client.post("/api/read", data=b"not a photo"))


def test_without_models_a_photo_is_told_so(tmp_path: Path) -> None:
    config = replace(Config(), models=tmp_path)
    service = ReadingService(config)
    service.start()
    answer = create_app(config, service).test_client().post("/api/read", data=picture("JPEG"))
    assert answer.status_code == 503
    assert answer.json["error"]["code"] == "manifest_missing"
    assert "Install zhuowu again" in answer.json["error"]["en"]


needs_samples = pytest.mark.skipif(not list_samples(), reason="no photos in datasets/samples")


@pytest.fixture(scope="module")
def reading_client() -> Iterator[FlaskClient]:
    service = ReadingService(Config())
    service.start()
    assert service.wait_until_loaded(120)
    if service.state == "failed":
        pytest.skip("no usable models in models/")
    with create_app(Config(), service).test_client() as client:
        yield client


@needs_samples
def test_samples_are_listed_and_served(client: FlaskClient) -> None:
    listed = client.get("/api/samples").json["samples"]
    assert listed
    for sample in listed:
        assert sample["zh"]
        assert sample["en"]
        answer = client.get(sample["url"])
        assert answer.mimetype == "image/jpeg"
        assert answer.data[:2] == b"\xff\xd8"


@needs_samples
def test_a_reading_says_tiles_roles_and_boxes(reading_client: FlaskClient) -> None:
    sample = list_samples()[0]
    answer = reading_client.post(f"/api/read?name={sample.name}", data=sample.path.read_bytes())
    assert answer.status_code == 200, answer.text
    found = answer.json
    ids = [tile["id"] for tile in found["tiles"]]
    assert ids == list(range(len(ids)))
    layout = found["layout"]
    placed = [*layout["hand"], *layout["aside"]]
    placed += [one for meld in layout["melds"] for one in meld["tiles"]]
    placed += [one for one in (layout["drawn"], layout["indicator"]) if one is not None]
    assert sorted(placed) == ids, "every tile has exactly one place"
    for tile in found["tiles"]:
        x1, y1, x2, y2 = tile["box"]
        assert x1 < x2 <= found["photo"]["width"] + 1
        assert y1 < y2 <= found["photo"]["height"] + 1


@needs_samples
def test_a_form_and_a_preview_work_too(reading_client: FlaskClient) -> None:
    data = list_samples()[0].path.read_bytes()
    form = {"photo": (io.BytesIO(data), "hand.jpg")}
    answer = reading_client.post(
        "/api/read?preview=1", data=form, content_type="multipart/form-data"
    )
    assert answer.status_code == 200
    assert answer.json["photo"]["name"] == "hand.jpg"
    assert answer.json["photo"]["preview"].startswith("data:image/jpeg;base64,")
