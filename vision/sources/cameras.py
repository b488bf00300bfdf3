"""The webcams of this machine: their names, and what stands in the way of opening one."""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.sources.reasons import (
    Reason,
    SourceError,
    camera_ambiguous,
    camera_not_found,
    failed,
    in_use,
    no_permission,
)

SYSFS = Path("/sys/class/video4linux")
DEVICES = Path("/dev")

# linux/videodev2.h
VIDIOC_QUERYCAP = 0x80685600
VIDIOC_REQBUFS = 0xC0145608
CAPTURES = 0x1 | 0x1000  # V4L2_CAP_VIDEO_CAPTURE, ..._MPLANE
DEVICE_CAPS_AT = 88
BUF_TYPE_CAPTURE, MEMORY_MMAP = 1, 1

Ioctl = Callable[[int, int, bytearray], Any]


@dataclass(frozen=True)
class Camera:
    """One webcam.

    Attributes:
        number: What OpenCV and `/dev/videoN` call it.
        name: What its maker calls it.
    """

    number: int
    name: str

    def to_json(self) -> dict[str, Any]:
        """`{"number", "name"}`."""
        return {"number": self.number, "name": self.name}


def names_known() -> bool:
    """Whether this system tells the names of its cameras (Linux does)."""
    return sys.platform == "linux"


def list_cameras(
    sysfs: Path = SYSFS, devices: Path = DEVICES, ioctl: Ioctl | None = None
) -> tuple[Camera, ...]:
    """The cameras of a Linux machine by number, without opening a stream on any.

    A webcam has further nodes for its metadata, which give no picture; they are left out.
    """
    cameras = []
    try:
        nodes = sorted(sysfs.glob("video*"), key=lambda p: (len(p.name), p.name))
    except OSError:
        return ()
    for node in nodes:
        number = node.name.removeprefix("video")
        if not number.isdecimal():
            continue
        name = _text(node / "name") or node.name
        if _captures(devices / node.name, node, ioctl or _ioctl()):
            cameras.append(Camera(int(number), name))
    return tuple(cameras)


def find_camera(text: str, cameras: tuple[Camera, ...] | None = None) -> Camera:
    """The camera called `text`, whole or in part, upper and lower case alike.

    Raises:
        SourceError: None is called so, or several are.
    """
    known = list_cameras() if cameras is None else cameras
    wanted = text.strip().casefold()
    whole = [c for c in known if c.name.casefold() == wanted]
    found = whole or [c for c in known if wanted and wanted in c.name.casefold()]
    if not found:
        raise SourceError(camera_not_found(text, [f"{c.number} {c.name}" for c in known]))
    if len(found) > 1:
        raise SourceError(camera_ambiguous(text, [f"{c.number} {c.name}" for c in found]))
    return found[0]


def camera_trouble(
    number: int,
    name: str,
    devices: Path = DEVICES,
    ioctl: Ioctl | None = None,
    opener: Callable[[str, int], int] = os.open,
) -> Reason | None:
    """Why camera `number` cannot be opened, as far as Linux says; None when nothing speaks against.

    OpenCV only ever says that it could not; the device node itself tells the reasons apart.
    """
    ioctl = ioctl or _ioctl()
    if ioctl is None:
        return None
    try:
        handle = opener(str(devices / f"video{number}"), os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        return _why(error, name)
    try:
        # Only one program may hold a camera's buffers: asking for one, and giving it back, tells.
        for count in (1, 0):
            ioctl(handle, VIDIOC_REQBUFS, _buffers(count))
    except OSError as error:
        return in_use(name) if error.errno == errno.EBUSY else None
    finally:
        os.close(handle)
    return None


def _why(error: OSError, name: str) -> Reason:
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return camera_not_found(name, [f"{c.number} {c.name}" for c in list_cameras()])
    if error.errno in (errno.EACCES, errno.EPERM):
        return no_permission(name)
    if error.errno == errno.EBUSY:
        return in_use(name)
    return failed(name, error.strerror or str(error))


def _buffers(count: int) -> bytearray:
    return bytearray(struct.pack("<5I", count, BUF_TYPE_CAPTURE, MEMORY_MMAP, 0, 0))


def _captures(device: Path, node: Path, ioctl: Ioctl | None) -> bool:
    """Whether a node gives pictures; where it may not be asked, its first node does."""
    first = _text(node / "index") in ("0", "")
    if ioctl is None:
        return first
    try:
        handle = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    except OSError:
        return first
    answer = bytearray(104)
    try:
        ioctl(handle, VIDIOC_QUERYCAP, answer)
    except OSError:
        return first
    finally:
        os.close(handle)
    (abilities,) = struct.unpack_from("<I", answer, DEVICE_CAPS_AT)
    return bool(abilities & CAPTURES)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _ioctl() -> Ioctl | None:
    if sys.platform != "linux":
        return None
    import fcntl

    return fcntl.ioctl
