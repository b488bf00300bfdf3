"""Kept pictures without what a camera writes beside them: place, time, owner, previews."""

from __future__ import annotations

import io
import warnings

from server.ledger.errors import malformed
from server.ledger.records import Picture

MOST_PIXELS = 50_000_000
QUALITY = 90
_FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP"}


def bare(picture: Picture) -> Picture:
    """The same picture with its pixels alone, upright.

    A picture that carries nothing else is left as it is, byte for byte, so that an export which is
    brought back is the same picture.

    Raises:
        MalformedError: it cannot be decoded, or is too large to be.
    """
    from PIL import Image, ImageOps

    kind = _FORMATS[picture.media_type]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(picture.data), formats=[kind]) as image:
                if image.width * image.height > MOST_PIXELS:
                    raise malformed(
                        "picture_too_large",
                        f"图片超过 {MOST_PIXELS // 10**6} 百万像素，请缩小后再存",
                        f"the picture is over {MOST_PIXELS // 10**6} megapixels; shrink it first",
                    )
                image.load()
                if _is_bare(picture.data, kind):
                    return picture
                upright = ImageOps.exif_transpose(image)
                pixels = upright.convert("RGB" if kind == "JPEG" else _mode(upright.mode))
    except (OSError, ValueError, SyntaxError, EOFError, Warning, Image.DecompressionBombError):
        raise malformed(
            "bad_picture",
            "图片打不开：请换一张 JPEG、PNG 或 WebP",
            "the picture cannot be opened; send another JPEG, PNG or WebP",
        ) from None
    out = io.BytesIO()
    clean = Image.new(pixels.mode, pixels.size)
    clean.paste(pixels)
    clean.save(out, kind, **({"lossless": True} if kind == "WEBP" else {"quality": QUALITY}))
    return Picture(picture.media_type, out.getvalue())


def _mode(mode: str) -> str:
    return mode if mode in ("L", "RGB", "RGBA") else "RGBA"


def _is_bare(data: bytes, kind: str) -> bool:
    """Whether nothing but pixels and what is needed to show them is in the file."""
    if kind == "JPEG":
        return _bare_jpeg(data)
    if kind == "PNG":
        return _bare_png(data)
    return data[12:16] in (b"VP8 ", b"VP8L") and len(data) == 8 + int.from_bytes(
        data[4:8], "little"
    )


def _bare_jpeg(data: bytes) -> bool:
    """JFIF alone: no APP segment but a short APP0, no comment, nothing after the picture's end."""
    at = 2
    while at + 4 <= len(data):
        mark, size = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if data[at] != 0xFF or size < 2:
            return False
        if mark == 0xFE or 0xE1 <= mark <= 0xEF or (mark == 0xE0 and size > 16):
            return False
        at += 2 + size
        if mark == 0xDA:
            return _ends_once(data, at)
    return False


def _ends_once(data: bytes, at: int) -> bool:
    """Whether from here on only coded pixels come, up to the one end of the picture."""
    while (at := data.find(b"\xff", at)) >= 0 and at + 1 < len(data):
        mark = data[at + 1]
        if mark == 0xD9:
            return at + 2 == len(data)
        if mark == 0xFE or 0xE0 <= mark <= 0xEF:
            return False
        at += 2
    return False


def _bare_png(data: bytes) -> bool:
    """Only the chunks that hold the pixels, and nothing after the last."""
    at, known = 8, (b"IHDR", b"PLTE", b"tRNS", b"IDAT")
    while at + 12 <= len(data):
        size, name = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        at += 12 + size
        if name == b"IEND":
            return size == 0 and at == len(data)
        if name not in known:
            return False
    return False
