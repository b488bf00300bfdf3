"""Photos come in upright, whatever their mode; everything else is answered in words."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import zlib
from importlib.metadata import distributions
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from server.upload_check import HEIC
from vision.errors import PhotoError
from vision.opencv import SYSTEM_LIBRARIES, explain_import_failure
from vision.photo import MAX_PIXELS, load_photo

# A picture whose corners tell it from each of its turns and mirror images.
CORNERS = {
    "top left": (255, 0, 0),
    "top right": (0, 255, 0),
    "bottom left": (0, 0, 255),
    "bottom right": (255, 255, 255),
}


def marked(width: int = 96, height: int = 64) -> Image.Image:
    picture = Image.new("RGB", (width, height), (90, 90, 90))
    half_x, half_y = width // 2, height // 2
    for name, colour in CORNERS.items():
        x = 0 if "left" in name else half_x
        y = 0 if "top" in name else half_y
        picture.paste(colour, (x, y, x + half_x, y + half_y))
    return picture


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def corner_colours(pixels: np.ndarray) -> dict[str, tuple[int, ...]]:
    height, width = pixels.shape[:2]
    found = {}
    for name in CORNERS:
        x = width // 4 if "left" in name else 3 * width // 4
        y = height // 4 if "top" in name else 3 * height // 4
        found[name] = tuple(int(value > 127) * 255 for value in pixels[y, x, ::-1])
    return found


# EXIF 2.32 §4.6.4: how the stored picture must be turned to stand upright, undone.
STORED = {
    1: lambda p: p,
    2: lambda p: p.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
    3: lambda p: p.transpose(Image.Transpose.ROTATE_180),
    4: lambda p: p.transpose(Image.Transpose.FLIP_TOP_BOTTOM),
    5: lambda p: p.transpose(Image.Transpose.TRANSPOSE),
    6: lambda p: p.transpose(Image.Transpose.ROTATE_90),
    7: lambda p: p.transpose(Image.Transpose.TRANSVERSE),
    8: lambda p: p.transpose(Image.Transpose.ROTATE_270),
}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_exif_orientation_is_applied(orientation: int, kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(STORED[orientation](marked()), kind, exif=exif.tobytes())
    photo = load_photo(data)
    assert (photo.width, photo.height) == (96, 64)
    assert corner_colours(photo.pixels) == CORNERS


def test_a_wrong_orientation_value_is_ignored() -> None:
    exif = Image.Exif()
    exif[0x0112] = 77
    photo = load_photo(encoded(marked(), "JPEG", exif=exif.tobytes()))
    assert corner_colours(photo.pixels) == CORNERS


def test_the_content_decides_the_format_not_the_name(tmp_path: Path) -> None:
    path = tmp_path / "really_a_jpeg.png"
    path.write_bytes(encoded(marked(), "JPEG"))
    photo = load_photo(path)
    assert corner_colours(photo.pixels) == CORNERS
    assert photo.name == str(path)


def test_pixels_are_bgr() -> None:
    pixels = load_photo(encoded(Image.new("RGB", (40, 40), (250, 10, 20)), "PNG")).pixels
    assert pixels[0, 0].tolist() == [20, 10, 250]


def test_cmyk_is_converted() -> None:
    data = encoded(Image.new("CMYK", (40, 40), (0, 255, 255, 0)), "JPEG", quality=95)
    blue, green, red = (int(v) for v in load_photo(data).pixels[20, 20])
    assert red > 200
    assert max(blue, green) < 60


@pytest.mark.parametrize("mode", ["L", "LA", "P", "1", "RGBA", "PA"])
def test_every_mode_becomes_three_channels(mode: str) -> None:
    picture = Image.new("L", (40, 40), 200).convert("RGBA" if mode == "PA" else "L")
    data = encoded(picture.convert(mode if mode != "PA" else "P"), "PNG")
    assert load_photo(data).pixels.shape == (40, 40, 3)


def test_transparency_is_laid_on_white() -> None:
    clear = Image.new("RGBA", (40, 40), (255, 0, 0, 0))
    assert load_photo(encoded(clear, "PNG")).pixels[0, 0].tolist() == [255, 255, 255]


def test_sixteen_bit_grey_keeps_its_light() -> None:
    ramp = np.tile(np.linspace(0, 65535, 64, dtype=np.uint16), (40, 1))
    pixels = load_photo(encoded(Image.fromarray(ramp), "PNG")).pixels
    assert pixels[0, 0].tolist() == [0, 0, 0]
    assert pixels[0, -1].tolist() == [255, 255, 255]
    assert abs(int(pixels[0, 32, 0]) - 130) <= 2


def test_heic_is_read_upright() -> None:
    """The picture of `marked()`, turned, with an EXIF orientation."""
    photo = load_photo(HEIC, "IMG_0001.HEIC")
    assert (photo.width, photo.height) == (96, 64)
    assert corner_colours(photo.pixels) == CORNERS


def test_a_damaged_heic_is_answered_in_words() -> None:
    for data in (HEIC[:400], HEIC[:300] + bytes(len(HEIC) - 300)):
        with pytest.raises(PhotoError) as caught:
            load_photo(data)
        assert caught.value.code == "broken"


def png_header_only(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds next to nothing: a decompression bomb's header."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )


def animation(kind: str) -> bytes:
    frames = [Image.new("RGB", (64, 64), colour) for colour in ("red", "green", "blue")]
    out = io.BytesIO()
    frames[0].save(out, kind, save_all=True, append_images=frames[1:], duration=100)
    return out.getvalue()


JPEG = encoded(marked(640, 480), "JPEG")
PNG = encoded(marked(640, 480), "PNG")
WEBP = encoded(marked(640, 480), "WEBP")

HOSTILE: dict[str, tuple[bytes, str]] = {
    "empty.jpg": (b"", "empty"),
    "one_byte.jpg": (b"\xff", "not_a_photo"),
    "text.jpg": ("一二三万, not a photo at all\n".encode() * 20, "not_a_photo"),
    "zeros.png": (bytes(5000), "not_a_photo"),
    "random.webp": (bytes((i * 73 + i // 7) % 256 for i in range(5000)), "not_a_photo"),
    "page.html.jpg": (b"<!doctype html><script>alert(1)</script>", "not_a_photo"),
    "script.svg.png": (b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>", "not_a_photo"),
    "archive.jpg": (b"PK\x03\x04" + bytes(400), "not_a_photo"),
    "program.jpg": (b"\x7fELF" + bytes(400), "not_a_photo"),
    "document.jpg": (b"%PDF-1.7\n" + bytes(400), "not_a_photo"),
    "truncated.jpg": (JPEG[: len(JPEG) // 2], "broken"),
    "header_only.jpg": (JPEG[:40], "broken"),
    "truncated.png": (PNG[: len(PNG) // 2], "broken"),
    "flipped.png": (PNG[:60] + bytes(b ^ 0xFF for b in PNG[60:]), "broken"),
    "truncated.webp": (WEBP[: len(WEBP) // 2], "broken"),
    "bomb_30000.png": (png_header_only(30000, 30000), "too_many_pixels"),
    "bomb_2_billion.png": (png_header_only(2**31 - 1, 2**31 - 1), "too_many_pixels"),
    "just_over.png": (png_header_only(5001, 5000), "too_many_pixels"),
    "missing_rows.png": (png_header_only(4000, 3000), "broken"),
    "one_pixel.png": (encoded(Image.new("RGB", (1, 1)), "PNG"), "too_small"),
    "thread.png": (encoded(Image.new("RGB", (4000, 3)), "PNG"), "too_small"),
    "moving.png": (animation("PNG"), "animated"),
    "moving.webp": (animation("WEBP"), "animated"),
    "moving.gif": (animation("GIF"), "unsupported_format"),
    "scan.tiff": (encoded(marked(), "TIFF"), "unsupported_format"),
    "paint.bmp": (encoded(marked(), "BMP"), "unsupported_format"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_answered_in_words(name: str) -> None:
    data, code = HOSTILE[name]
    with pytest.raises(PhotoError) as caught:
        load_photo(data, name)
    error = caught.value
    assert error.code == code
    for text in (error.zh, error.en):
        assert len(text) > 12
        assert "Traceback" not in text
    assert error.message("zh") == error.zh
    assert set(error.to_json()) == {"code", "zh", "en"}


def test_a_bomb_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def decode(*_: object, **__: object) -> None:
        raise AssertionError("pixels were decoded")

    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", decode)
    with pytest.raises(PhotoError) as caught:
        load_photo(png_header_only(5001, 5000))
    assert caught.value.code == "too_many_pixels"
    assert MAX_PIXELS == 25_000_000


def test_too_many_bytes_are_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.truncate(3 << 30)  # sparse: three gigabytes that take no room
    with pytest.raises(PhotoError) as caught:
        load_photo(path)
    assert caught.value.code == "too_many_bytes"


def test_places_that_are_no_photo(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jpg"
    os.mkfifo(pipe)
    codes = {}
    for path in (tmp_path / "nowhere.jpg", tmp_path, pipe, Path("a\0b.jpg"), Path("x" * 5000)):
        with pytest.raises(PhotoError) as caught:
            load_photo(path)
        codes[caught.value.code] = path
    assert set(codes) == {"not_found", "is_folder", "not_a_file", "unreadable"}


def test_opencv_needs_no_libgl() -> None:
    """The run time's OpenCV loads on a bare Linux: nothing of a display is mapped with it."""
    if sys.platform != "linux":
        pytest.skip("reads /proc/self/maps")
    if any(found.metadata["Name"] == "opencv-python" for found in distributions()):
        pytest.skip("the full OpenCV (train extra) lies over the headless one")
    show = "import vision.opencv; print(open('/proc/self/maps').read())"
    run = [sys.executable, "-c", show]
    mapped = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert "/cv2/" in mapped
    assert not any(f"/{name}" in mapped for name in SYSTEM_LIBRARIES)


def test_missing_libgl_names_the_command_that_mends_it() -> None:
    error = explain_import_failure(
        ImportError("libGL.so.1: cannot open shared object file: No such file or directory")
    )
    assert error.code == "opencv_library_missing"
    assert "apt-get install" in error.en
    assert "libgl1" in error.zh
    assert explain_import_failure(ImportError("No module named 'cv2'")).code == "opencv_missing"
