"""From a file or its bytes to upright pixels, with every bad file answered in words.

The header is read first and judged (format, size, frames); only then are pixels decoded,
so that a decompression bomb costs nothing.
"""

from __future__ import annotations

import io
import os
import stat
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pi_heif
from PIL import Image, UnidentifiedImageError

from vision.errors import PhotoError
from vision.opencv import cv2

MAX_PIXELS = 25_000_000
MAX_BYTES = 40 * 1024 * 1024
MIN_SIDE = 32
# A phone's MPO is opened as the JPEG that it begins with.
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")
SUFFIXES = (".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".heic", ".heif", ".hif")
ORIENTATION_TAG = 0x0112

pi_heif.register_heif_opener()


@dataclass(frozen=True, eq=False)
class Photo:
    """An upright photo.

    Attributes:
        pixels: height x width x 3, uint8, BGR, EXIF orientation applied.
        name: The name it was given under.
    """

    pixels: np.ndarray
    name: str

    @property
    def width(self) -> int:
        """Pixels across."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Pixels down."""
        return int(self.pixels.shape[0])


def load_photo(source: str | os.PathLike[str] | bytes, name: str | None = None) -> Photo:
    """Read a JPEG, PNG, WebP or HEIC photo.

    Args:
        source: A path, or the bytes of a file (the content decides the format, not the name).
        name: What to call it; a path's own text by default.

    Returns:
        The photo with EXIF orientation applied, transparency laid on white.

    Raises:
        PhotoError: The file is missing, empty, too large, broken, animated or no photo.
    """
    if isinstance(source, bytes):
        data, label = source, name or "photo"
    else:
        data, label = _read_file(Path(source)), name or str(source)
    if not data:
        raise PhotoError(
            "empty",
            "文件是空的（0 字节）。请重新拍摄或重新传输。",
            "The file is empty (0 bytes). Take or transfer the photo again.",
        )
    if len(data) > MAX_BYTES:
        raise _too_many_bytes(len(data))
    return Photo(_decode(data), label)


def _read_file(path: Path) -> bytes:
    try:
        info = path.stat()
        if stat.S_ISDIR(info.st_mode):
            raise PhotoError(
                "is_folder", "这是文件夹，不是照片。", "This is a folder, not a photo."
            )
        if not stat.S_ISREG(info.st_mode):
            raise PhotoError(
                "not_a_file",
                "这不是普通文件（管道或设备）。请给出照片文件。",
                "This is not an ordinary file (a pipe or a device). Name a photo file.",
            )
        if info.st_size > MAX_BYTES:
            raise _too_many_bytes(info.st_size)
        return path.read_bytes()
    except FileNotFoundError:
        raise PhotoError(
            "not_found",
            "找不到这个文件。请检查路径和文件名。",
            "There is no such file. Check the path and the name.",
        ) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PhotoError(
            "unreadable",
            f"无法打开文件（{reason}）。请检查权限和文件名。",
            f"The file cannot be opened ({reason}). Check its permissions and its name.",
        ) from None


def _too_many_bytes(size: int) -> PhotoError:
    limit = MAX_BYTES // (1024 * 1024)
    have = size / (1024 * 1024)
    return PhotoError(
        "too_many_bytes",
        f"文件有 {have:.0f} MB，最多 {limit} MB。请存为 JPEG 或缩小后再试。",
        f"The file has {have:.0f} MB, at most {limit} MB are read. Save it as JPEG or shrink it.",
    )


def _decode(data: bytes) -> np.ndarray:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                _judge_header(image)
                # Loading first: asking a PNG for its EXIF would load it, and hide its damage.
                image.load()
                orientation = _orientation(image)
                pixels = _to_bgr(image)
    except PhotoError:
        raise
    except Image.DecompressionBombError:
        raise _too_many_pixels("") from None
    except UnidentifiedImageError:
        raise _not_a_photo(data) from None
    except MemoryError:
        raise _too_many_pixels("") from None
    except Exception as error:  # noqa: BLE001 - codecs raise anything on hostile files
        raise _broken(str(error)[:80] or type(error).__name__) from None
    return _upright(pixels, orientation)


def _broken(reason: str) -> PhotoError:
    return PhotoError(
        "broken",
        f"照片已损坏或不完整（{reason}）。请重新传输或重新拍摄。",
        f"The photo is damaged or incomplete ({reason}). Transfer or take it again.",
    )


def _not_a_photo(data: bytes) -> PhotoError:
    known = data[:3] == b"\xff\xd8\xff" or data[:8] == b"\x89PNG\r\n\x1a\n"
    if known or data[4:8] == b"ftyp" or (data[:4] == b"RIFF" and data[8:12] == b"WEBP"):
        return _broken("header")
    if data[:6] in (b"GIF87a", b"GIF89a") or data[:4] in (b"II*\0", b"MM\0*") or data[:2] == b"BM":
        return PhotoError(
            "unsupported_format",
            "不支持这种图片格式。请存为 JPEG、PNG、WebP 或 HEIC。",
            "This picture format is not read. Save it as JPEG, PNG, WebP or HEIC.",
        )
    return PhotoError(
        "not_a_photo",
        "这个文件不是照片，或开头已损坏。可用格式：JPEG、PNG、WebP、HEIC。",
        "This file is no photo, or its beginning is damaged. JPEG, PNG, WebP and HEIC are read.",
    )


def _too_many_pixels(have: str) -> PhotoError:
    limit = MAX_PIXELS // 1_000_000
    return PhotoError(
        "too_many_pixels",
        f"照片{have or '太大'}，最多 {limit} 百万像素。请缩小后再试。",
        f"The photo {f'has {have}' if have else 'is too large'}; at most {limit} megapixels "
        "are read. Shrink it first.",
    )


def _judge_header(image: Image.Image) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise _too_many_pixels(f"{width}×{height}")
    if min(width, height) < MIN_SIDE:
        raise PhotoError(
            "too_small",
            f"照片只有 {width}×{height} 像素，看不清牌。请用原图。",
            f"The photo has only {width}×{height} pixels: no tile can be told. Use the original.",
        )
    # MPO and HEIF may carry a second picture (depth, preview); the first one is the photo.
    if image.format in ("PNG", "WEBP") and getattr(image, "n_frames", 1) > 1:
        raise PhotoError(
            "animated",
            "这是动图，不是照片。请截取一帧存为 JPEG 或 PNG。",
            "This is an animation, not a photo. Save one frame of it as JPEG or PNG.",
        )


def _orientation(image: Image.Image) -> int:
    try:
        value = image.getexif().get(ORIENTATION_TAG, 1)
    except Exception:  # noqa: BLE001 - a broken EXIF block must not cost the photo
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _to_bgr(image: Image.Image) -> np.ndarray:
    """Any mode Pillow decodes to, as 8-bit BGR."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return _grey_from_deep(np.asarray(image))
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        rgba = image.convert("RGBA")
        paper = Image.new("RGBA", rgba.size, (255, 255, 255, 255))
        image = Image.alpha_composite(paper, rgba)
    rgb = np.asarray(image if image.mode == "RGB" else image.convert("RGB"))
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR))


def _grey_from_deep(values: np.ndarray) -> np.ndarray:
    """16-bit grey to 8 bits; pictures that use only 8 of the bits keep them."""
    deep = values.astype(np.float32)
    scale = 1 / 257 if float(deep.max(initial=0)) > 255 else 1.0
    grey = np.clip(deep * scale, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))


def _upright(pixels: np.ndarray, orientation: int) -> np.ndarray:
    """Undo the EXIF orientation (1 to 8, EXIF 2.32 §4.6.4)."""
    if orientation in (5, 6, 7, 8):
        pixels = np.swapaxes(pixels, 0, 1)
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return np.ascontiguousarray(pixels)
