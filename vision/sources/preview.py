"""One good picture of a camera, to tell which one it is; cameras found by trying numbers."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path

from vision.opencv import cv2
from vision.sources.cameras import Camera
from vision.sources.capture import CameraSource
from vision.sources.every import every_frame
from vision.sources.frame import Frame
from vision.sources.reasons import SourceError
from vision.sources.source import Source, Timing

# A webcam's first pictures are dark or green while it finds its exposure.
WARM_UP_FRAMES = 10
NUMBERS_TRIED = 6
MISSES_IN_A_ROW = 2
# Some systems take long to wake a camera, and here nobody waits on the clock.
PATIENT = Timing(open_s=15.0)


def take_preview(source: Source, frames: int = WARM_UP_FRAMES, timing: Timing = PATIENT) -> Frame:
    """A frame of `source`: its tenth, or its last if it has fewer.

    Raises:
        SourceError: It gives no picture; the reason says why.
    """
    taken: Frame | None = None
    with contextlib.closing(every_frame(source, timing)) as all_frames:
        try:
            for frame in all_frames:
                taken = frame
                if frame.sequence >= frames:
                    break
        except SourceError:
            if taken is None:
                raise
    assert taken is not None  # a source without a single frame raises
    return taken


def save_preview(frame: Frame, camera: Camera, folder: Path) -> Path:
    """Write `frame` as JPEG into `folder`, which is made if need be.

    Returns:
        The file, named after the camera: `camera0_HD-Webcam.jpg`.

    Raises:
        OSError: The folder or the file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    plain = re.sub(r"[^\w.-]+", "-", camera.name).strip("-.")[:60]
    path = folder / f"camera{camera.number}_{plain or 'camera'}.jpg"
    path.write_bytes(cv2.imencode(".jpg", frame.pixels)[1].tobytes())
    return path


def probe_cameras(
    source: Callable[[int], Source] = CameraSource, timing: Timing = PATIENT
) -> tuple[Camera, ...]:
    """The cameras found by opening numbers 0, 1, ...: for systems that tell no names."""
    found = []
    misses = 0
    for number in range(NUMBERS_TRIED):
        try:
            take_preview(source(number), frames=1, timing=timing)
        except SourceError as error:
            # In use is there all the same.
            misses = 0 if error.code == "in_use" else misses + 1
            if misses == MISSES_IN_A_ROW:
                break
            if misses:
                continue
        else:
            misses = 0
        found.append(Camera(number, f"camera {number}"))
    return tuple(found)
