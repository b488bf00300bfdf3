"""Webcams, RTSP streams and video files, through OpenCV in a process that can be killed."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import numpy as np

from vision.sources import capture_child
from vision.sources.cameras import camera_trouble, find_camera
from vision.sources.frame import Picture
from vision.sources.reasons import (
    Reason,
    SourceError,
    address_not_found,
    camera_not_found,
    failed,
    file_not_found,
    in_use,
    login,
    no_answer,
    no_permission,
    no_signal,
    not_a_picture,
)

MOST_FPS = 15.0
LARGEST_SIDE = 16384
CONNECT_S = 3.0
REAP_S = 2.0
RTSP_PORT = 554
# Interleaved over TCP no packet is lost; a second of probing is enough for a camera.
STREAM_OPTIONS = "rtsp_transport;tcp|analyzeduration;1000000|fflags;nobuffer"
BACKENDS = {"linux": "CAP_V4L2", "win32": "CAP_DSHOW", "darwin": "CAP_AVFOUNDATION"}

Explain = Callable[[str, str], Reason]


class CaptureGrabber:
    """Pictures out of a capture process; interrupting kills it."""

    def __init__(
        self,
        spec: Mapping[str, Any],
        explain: Explain,
        ffmpeg_options: str = "",
        most_fps: float | None = None,
    ) -> None:
        """Start the process; it opens its target while the first picture is waited for.

        Args:
            spec: As `capture_child` reads it.
            explain: From a failure's code and detail to the reason.
            ffmpeg_options: What OpenCV passes on to FFmpeg, unless the environment says otherwise.
            most_fps: Ask for at most so many pictures a second; None for no limit.
        """
        environment = dict(os.environ)
        if ffmpeg_options:
            environment.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", ffmpeg_options)
        self._explain = explain
        self._gap = 1 / most_fps if most_fps else 0.0
        self._next = 0.0
        self._stopped = threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(Path(capture_child.__file__))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        # Not as an argument: addresses hold passwords, and arguments are public on a machine.
        self._send(json.dumps(dict(spec)).encode() + b"\n")

    def grab(self) -> Picture | None:
        """See `Grabber`."""
        if self._gap:
            self._stopped.wait(max(0.0, self._next - time.monotonic()))
            self._next = max(self._next + self._gap, time.monotonic())
        self._send(capture_child.WANT)
        kind, height, width, position, size = capture_child.HEADER.unpack(
            self._receive(capture_child.HEADER.size)
        )
        if kind == capture_child.END:
            return None
        if kind == capture_child.FAILURE:
            told = json.loads(bytes(self._receive(size)))
            raise SourceError(self._explain(told["code"], told["detail"]))
        if size != height * width * 3 or max(height, width) > LARGEST_SIDE:
            raise SourceError(self._explain("not_a_picture", f"{width}x{height}, {size} bytes"))
        pixels = np.frombuffer(self._receive(size), np.uint8).reshape(height, width, 3)
        return Picture(pixels, position=None if position < 0 else position)

    def interrupt(self) -> None:
        """See `Grabber`."""
        self._stopped.set()
        with contextlib.suppress(OSError):
            self._process.kill()

    def close(self) -> None:
        """See `Grabber`."""
        self.interrupt()
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        # A process stuck in the kernel is reaped by `subprocess` itself, later.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(REAP_S)

    def _send(self, data: bytes) -> None:
        # A process that is gone is told by the reading side, with what it last said.
        with contextlib.suppress(OSError):
            stream = self._process.stdin
            if stream is not None:
                stream.write(data)
                stream.flush()

    def _receive(self, size: int) -> bytearray:
        stream = self._process.stdout
        data = bytearray(size)
        if stream is None or _read_into(stream, data) < size:
            code = self._process.poll()
            raise SourceError(self._explain("failed", f"capture process ended, {code}"))
        return data


def _read_into(stream: Any, data: bytearray) -> int:
    view = memoryview(data)
    have = 0
    while have < len(data):
        got = stream.readinto(view[have:])
        if not got:
            break
        have += got
    return have


class CameraSource:
    """A webcam of this machine, by number or by name.

    Attributes:
        name: As given.
        live: Always True.
    """

    live = True

    def __init__(
        self,
        camera: int | str,
        most_fps: float = MOST_FPS,
        size: tuple[int, int] = (1920, 1080),
    ) -> None:
        """Nothing is touched before it is opened.

        Args:
            camera: Its number, or its name (or a part of it that only one camera has); the name
                is looked up at every opening, for numbers change when a cable is replugged.
            most_fps: Take at most so many pictures a second.
            size: Width and height to ask for; the camera gives the nearest it has.
        """
        self.name = f"camera {camera}" if isinstance(camera, int) else camera
        self._camera = camera
        self._most_fps = most_fps
        self._size = size

    def open(self) -> CaptureGrabber:
        """See `Source`."""
        number = self._camera if isinstance(self._camera, int) else find_camera(self._camera).number
        trouble = camera_trouble(number, self.name)
        if trouble is not None:
            raise SourceError(trouble)
        spec = {
            "target": number,
            "backend": BACKENDS.get(sys.platform, "CAP_ANY"),
            "mode": "live",
            "width": self._size[0],
            "height": self._size[1],
            "otherwise": "no_signal" if sys.platform == "linux" else "not_found",
        }
        return CaptureGrabber(spec, self._explain, most_fps=self._most_fps)

    def _explain(self, code: str, detail: str) -> Reason:
        simple = {"in_use": in_use, "no_permission": no_permission, "not_found": camera_not_found}
        if code in simple:
            return simple[code](self.name)
        return failed(self.name, detail) if code == "failed" else no_signal(self.name)


class StreamSource:
    """An RTSP stream, or any other address FFmpeg plays.

    Attributes:
        name: The address without its password.
        live: Always True.
    """

    live = True

    def __init__(self, address: str, most_fps: float = MOST_FPS) -> None:
        """Nothing is touched before it is opened."""
        self.name = without_password(address)
        self._address = address
        self._most_fps = most_fps

    def open(self) -> CaptureGrabber:
        """See `Source`."""
        parts = urlsplit(self._address)
        if parts.scheme.lower() in ("rtsp", "rtsps"):
            self._knock(parts.hostname or "", parts.port or RTSP_PORT)
        spec = {
            "target": self._address,
            "backend": "CAP_FFMPEG",
            "mode": "live",
            "otherwise": "no_answer",
        }
        return CaptureGrabber(spec, self._explain, STREAM_OPTIONS, self._most_fps)

    def _knock(self, host: str, port: int) -> None:
        """Connect once: FFmpeg does not say whether the name, the host or the stream is at fault.

        Raises:
            SourceError: The name is unknown, or nobody answers.
        """
        try:
            socket.create_connection((host, port), timeout=CONNECT_S).close()
        except socket.gaierror:
            raise SourceError(address_not_found(self.name)) from None
        except OSError as error:
            raise SourceError(no_answer(self.name, error.strerror or str(error))) from None

    def _explain(self, code: str, detail: str) -> Reason:
        simple = {
            "login": login,
            "no_permission": login,
            "not_found": address_not_found,
            "no_signal": no_signal,
        }
        if code in simple:
            return simple[code](self.name)
        if code == "not_a_picture":
            return not_a_picture(self.name, detail)
        return failed(self.name, detail) if code == "failed" else no_answer(self.name, detail)


class VideoFileSource:
    """A recorded video.

    Attributes:
        name: The file's name.
        live: Always False: it ends.
    """

    live = False

    def __init__(self, path: Path, paced: bool = False, most_fps: float | None = None) -> None:
        """Nothing is touched before it is opened.

        Args:
            path: The file.
            paced: Play at its own speed, passing over frames nobody asked for in time; else every
                frame, as fast as they are asked for.
            most_fps: When paced, give at most so many pictures a second.
        """
        self.name = path.name
        self._path = path
        self._paced = paced
        self._most_fps = most_fps if paced else None

    def open(self) -> CaptureGrabber:
        """See `Source`."""
        try:
            with _opened(self._path) as file:
                empty = not file.read(1)
        except (FileNotFoundError, IsADirectoryError):
            raise SourceError(file_not_found(self.name)) from None
        except PermissionError:
            raise SourceError(no_permission(self.name)) from None
        except OSError as error:
            raise SourceError(failed(self.name, error.strerror or str(error))) from None
        if empty:
            raise SourceError(not_a_picture(self.name, "0 bytes"))
        spec = {
            "target": str(self._path.absolute()),
            "backend": "CAP_FFMPEG",
            "mode": "paced" if self._paced else "fast",
            "otherwise": "not_a_picture",
        }
        return CaptureGrabber(spec, self._explain, most_fps=self._most_fps)

    def _explain(self, code: str, detail: str) -> Reason:
        if code == "failed":
            return failed(self.name, detail)
        return not_a_picture(self.name, detail)


def _opened(path: Path) -> BinaryIO:
    if not path.is_file():
        path.stat()
        raise IsADirectoryError(str(path))
    return path.open("rb")


def without_password(address: str) -> str:
    """An address as it may be shown: its user and password left out."""
    parts = urlsplit(address)
    if "@" not in parts.netloc:
        return address
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
