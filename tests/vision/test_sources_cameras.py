"""Which cameras there are and why one cannot be opened, with a made-up /sys and /dev."""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.opencv import cv2
from vision.sources import Camera, CameraSource, FolderSource, SourceError, Timing, list_cameras
from vision.sources.cameras import VIDIOC_QUERYCAP, VIDIOC_REQBUFS, camera_trouble, find_camera
from vision.sources.preview import probe_cameras, save_preview, take_preview

CAPTURE, METADATA = 0x1, 0x00800000
TWO = (Camera(0, "HD Webcam"), Camera(2, "USB Capture"))


@pytest.fixture
def machine(tmp_path: Path) -> tuple[Path, Path]:
    """Two webcams: one with a metadata node, one numbered 10."""
    sysfs, devices = tmp_path / "sys", tmp_path / "dev"
    devices.mkdir()
    for node, name, index in (
        ("video10", "USB Capture", "0"),
        ("video0", "HD Webcam", "0"),
        ("video1", "HD Webcam", "1"),
    ):
        (sysfs / node).mkdir(parents=True)
        (sysfs / node / "name").write_text(name + "\n")
        (sysfs / node / "index").write_text(index + "\n")
        (devices / node).touch()
    return sysfs, devices


def abilities(by_name: dict[str, int]) -> Callable[[int, int, bytearray], Any]:
    def ioctl(handle: int, request: int, answer: bytearray) -> int:
        assert request == VIDIOC_QUERYCAP
        node = Path(os.readlink(f"/proc/self/fd/{handle}")).name
        if node not in by_name:
            raise OSError(errno.ENOTTY, "no")
        struct.pack_into("<I", answer, 88, by_name[node])
        return 0

    return ioctl


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs Linux's /proc")


@needs_proc
def test_cameras_by_number_without_their_metadata_nodes(machine: tuple[Path, Path]) -> None:
    ioctl = abilities({"video0": CAPTURE, "video1": METADATA, "video10": CAPTURE})
    assert list_cameras(*machine, ioctl) == (Camera(0, "HD Webcam"), Camera(10, "USB Capture"))


@needs_proc
def test_a_node_that_may_not_be_asked_is_judged_by_its_index(machine: tuple[Path, Path]) -> None:
    (machine[1] / "video10").unlink()
    assert list_cameras(*machine, abilities({})) == (
        Camera(0, "HD Webcam"),
        Camera(10, "USB Capture"),
    )


def test_a_machine_without_cameras(tmp_path: Path) -> None:
    assert list_cameras(tmp_path / "none", tmp_path) == ()


@pytest.mark.parametrize(
    ("text", "number"), [("HD Webcam", 0), ("hd webcam ", 0), ("capture", 2), ("usb", 2)]
)
def test_a_camera_is_found_by_its_name_or_a_part(text: str, number: int) -> None:
    assert find_camera(text, TWO).number == number


def test_a_whole_name_wins_over_a_part_of_another() -> None:
    cameras = (Camera(0, "Webcam"), Camera(1, "Webcam Pro"))
    assert find_camera("webcam", cameras).number == 0


@pytest.mark.parametrize(("text", "code"), [("phone", "not_found"), ("", "not_found")])
def test_a_name_nobody_has_is_answered_with_those_there_are(text: str, code: str) -> None:
    with pytest.raises(SourceError) as caught:
        find_camera(text, TWO)
    assert caught.value.code == code
    assert "0 HD Webcam, 2 USB Capture" in caught.value.en


def test_a_name_two_have_asks_for_more() -> None:
    with pytest.raises(SourceError) as caught:
        find_camera("cam", (Camera(0, "Webcam"), Camera(2, "Webcam")))
    assert caught.value.code == "ambiguous"
    assert "0 Webcam, 2 Webcam" in caught.value.zh


def failing(number: int) -> Callable[[str, int], int]:
    def opener(path: str, flags: int) -> int:
        raise OSError(number, os.strerror(number))

    return opener


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOENT, "not_found"),
        (errno.ENODEV, "not_found"),
        (errno.EACCES, "no_permission"),
        (errno.EPERM, "no_permission"),
        (errno.EBUSY, "in_use"),
        (errno.EIO, "failed"),
    ],
)
def test_what_the_system_says_becomes_a_reason(tmp_path: Path, number: int, code: str) -> None:
    reason = camera_trouble(0, "cam", tmp_path, lambda *_: 0, failing(number))
    assert reason is not None
    assert reason.code == code


@pytest.mark.parametrize(("number", "code"), [(errno.EBUSY, "in_use"), (errno.ENOTTY, None)])
def test_a_camera_whose_buffers_another_program_holds(
    tmp_path: Path, number: int, code: str | None
) -> None:
    (tmp_path / "video0").touch()

    def ioctl(handle: int, request: int, argument: bytearray) -> int:
        assert request == VIDIOC_REQBUFS
        raise OSError(number, os.strerror(number))

    reason = camera_trouble(0, "cam", tmp_path, ioctl)
    assert (reason and reason.code) == code


def test_a_free_camera_gets_its_buffer_back(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    counts = []

    def ioctl(handle: int, request: int, argument: bytearray) -> int:
        counts.append(struct.unpack_from("<I", argument)[0])
        return 0

    assert camera_trouble(0, "cam", tmp_path, ioctl) is None
    assert counts == [1, 0]


@pytest.mark.skipif(sys.platform != "linux", reason="the device node is Linux's")
def test_a_camera_that_is_not_there_is_said_so_without_starting_anything() -> None:
    with pytest.raises(SourceError) as caught:
        CameraSource(63).open()
    assert caught.value.code == "not_found"
    assert "There is no camera 63." in str(caught.value)


def test_a_preview_is_a_later_frame_saved_under_the_camera_s_name(tmp_path: Path) -> None:
    pictures = tmp_path / "in"
    pictures.mkdir()
    for number in range(12):
        image = np.full((48, 64, 3), 20 * number, np.uint8)
        (pictures / f"{number}.png").write_bytes(cv2.imencode(".png", image)[1].tobytes())
    frame = take_preview(FolderSource(pictures))
    assert frame.sequence == 10, "the first ones of a webcam are dark"
    assert take_preview(FolderSource(pictures), frames=99).sequence == 12

    saved = save_preview(frame, Camera(3, "USB/../摄像头 (1080p)"), tmp_path / "a" / "b")
    assert saved == tmp_path / "a" / "b" / "camera3_USB-..-摄像头-1080p.jpg"
    back = cv2.imdecode(np.frombuffer(saved.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert abs(int(back[20, 20, 1]) - 180) <= 2


def test_a_preview_of_nothing_says_why(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        take_preview(FolderSource(tmp_path / "none"), timing=Timing())
    assert caught.value.code == "not_found"


def test_numbers_are_tried_until_two_in_a_row_fail(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    image = np.full((48, 64, 3), 90, np.uint8)
    picture.write_bytes(cv2.imencode(".png", image)[1].tobytes())
    tried = []

    def source(number: int) -> FolderSource:
        tried.append(number)
        return FolderSource(picture if number in (0, 2) else tmp_path / "none")

    assert [c.number for c in probe_cameras(source)] == [0, 2]
    assert tried == [0, 1, 2, 3, 4]
