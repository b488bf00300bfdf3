"""From what a user writes to the source it means."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from vision.photo import SUFFIXES
from vision.sources.capture import CameraSource, StreamSource, VideoFileSource
from vision.sources.folder import STILL_S, FolderSource
from vision.sources.http_source import HttpSource
from vision.sources.reasons import Reason, SourceError, file_not_found
from vision.sources.source import Source

VIDEO_SUFFIXES = (
    ".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".ts", ".3gp", ".wmv",
)  # fmt: skip
STREAMS = ("rtsp", "rtsps", "rtmp", "udp", "srt")


def named_source(text: str, paced: bool = False) -> Source:
    """The source called `text`; nothing is opened yet.

    Args:
        text: A camera's number or name, `/dev/videoN`, an rtsp:// or http:// address, a video
            file, a folder of pictures, or one picture.
        paced: Play recordings at their own speed, instead of as fast as frames are asked for.

    Raises:
        SourceError: It is none of these, as far as can be told without opening it.
    """
    text = text.strip()
    if text.isascii() and text.isdecimal():
        return CameraSource(int(text))
    device = text.removeprefix("/dev/video")
    if device != text and device.isascii() and device.isdecimal():
        return CameraSource(int(device))
    if "://" in text:
        return _address(text)
    if not text:
        raise SourceError(file_not_found('""'))
    path = Path(text).expanduser()
    suffix = path.suffix.lower()
    if path.is_dir():
        return FolderSource(path, paced)
    if suffix in SUFFIXES:
        return FolderSource(path, paced, still_s=STILL_S)
    if path.is_file() or suffix in VIDEO_SUFFIXES:
        return VideoFileSource(path, paced)
    if "/" in text or "\\" in text:
        raise SourceError(file_not_found(text))
    return CameraSource(text)


def _address(text: str) -> Source:
    try:
        parts = urlsplit(text)
        scheme, host, _ = parts.scheme.lower(), parts.hostname, parts.port
    except ValueError as error:
        raise SourceError(_bad_address(text, str(error))) from None
    if scheme not in ("http", "https", *STREAMS):
        raise SourceError(_bad_address(text, f"{scheme}://"))
    if not host:
        raise SourceError(_bad_address(text, "no host"))
    return HttpSource(text) if scheme in ("http", "https") else StreamSource(text)


def _bad_address(text: str, detail: str) -> Reason:
    shown = text.rpartition("@")[2]
    return Reason(
        "not_found",
        f"无法使用地址 {shown}（{detail}）。可用：rtsp://主机/路径，http://主机/路径。",
        f"The address {shown} cannot be used ({detail}). "
        "Give rtsp://host/path or http://host/path.",
    )
