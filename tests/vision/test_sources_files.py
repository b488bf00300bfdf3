"""Video files, folders, pictures from browsers, names: real files and processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from vision.errors import PhotoError
from vision.opencv import cv2
from vision.sources import (
    CameraSource,
    FolderSource,
    HttpSource,
    Picture,
    PushSource,
    SourceError,
    SourceReader,
    StreamSource,
    Timing,
    VideoFileSource,
    every_frame,
    named_source,
)
from vision.sources.capture import CaptureGrabber, without_password

PATIENCE = 15.0


def encoded(value: int, suffix: str = ".png") -> bytes:
    return bytes(cv2.imencode(suffix, np.full((48, 64, 3), value, np.uint8))[1])


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve frames at 20 a second, each brighter than the one before."""
    path = tmp_path_factory.mktemp("video") / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (64, 48))
    for number in range(12):
        writer.write(np.full((48, 64, 3), 20 * number, np.uint8))
    writer.release()
    return path


def failure(source: VideoFileSource | FolderSource) -> str:
    with pytest.raises(SourceError) as caught:
        list(every_frame(source))
    assert caught.value.zh
    assert caught.value.en
    return caught.value.code


def test_a_video_gives_every_frame_with_its_place_in_time(video: Path) -> None:
    frames = list(every_frame(VideoFileSource(video)))
    assert [round(int(f.pixels[20, 20, 1]) / 20) for f in frames] == list(range(12))
    assert [f.position for f in frames] == pytest.approx([n / 20 for n in range(12)], abs=1e-3)
    assert {f.source for f in frames} == {"clip.avi"}


def test_a_paced_video_takes_its_own_time_and_ends(video: Path) -> None:
    with SourceReader(VideoFileSource(video, paced=True)) as reader:
        first = reader.wait_newer(0, PATIENCE)
        assert first is not None
        ended = reader.wait_status(lambda s: s.state == "ended", PATIENCE)
        assert ended is not None
        assert ended.reason is not None
        assert ended.reason.code == "end_of_file"
        # Twelve frames of 1/20 s: 0.55 s from the first to the last.
        last = reader.newest()
        assert last is not None
        assert last.position is not None
        assert first.position is not None
        assert last.at - first.at >= 0.8 * (last.position - first.position) > 0


def test_one_picture_by_name_is_a_table_that_lies_still(tmp_path: Path) -> None:
    """Two seconds of it: tiles count once they have lain there for a while."""
    picture = tmp_path / "1.png"
    picture.write_bytes(encoded(90))
    frames = list(every_frame(named_source(str(picture))))
    assert [f.position for f in frames] == pytest.approx([n / 10 for n in range(21)])
    assert {int(f.pixels[0, 0, 0]) for f in frames} == {90}
    (tmp_path / "2.png").write_bytes(encoded(120))
    folder = list(every_frame(named_source(str(tmp_path))))
    assert [int(f.pixels[0, 0, 0]) for f in folder] == [90, 120], "a folder is a film"


def test_a_file_that_is_no_video_is_named_so(tmp_path: Path) -> None:
    text = tmp_path / "notes.mp4"
    text.write_text("not a film\n" * 100)
    empty = tmp_path / "empty.mp4"
    empty.write_bytes(b"")
    assert failure(VideoFileSource(text)) == "not_a_picture"
    assert failure(VideoFileSource(empty)) == "not_a_picture"
    assert failure(VideoFileSource(tmp_path / "none.mp4")) == "not_found"
    assert failure(VideoFileSource(tmp_path)) == "not_found"


@pytest.mark.skipif(sys.platform == "win32", reason="stopping a process needs POSIX signals")
def test_a_capture_library_that_hangs_is_killed_and_leaves_nothing(video: Path) -> None:
    opened: list[CaptureGrabber] = []

    class Freezing:
        """A capture whose process is stopped once it has given a picture."""

        def __init__(self, grabber: CaptureGrabber) -> None:
            self.grabber = grabber
            self.interrupt = grabber.interrupt
            self.close = grabber.close

        def grab(self) -> Picture | None:
            picture = self.grabber.grab()
            os.kill(self.grabber._process.pid, signal.SIGSTOP)
            return picture

    class FreezingSource:
        name, live = "frozen", True

        def open(self) -> Freezing:
            opened.append(VideoFileSource(video).open())
            return Freezing(opened[-1])

    timing = Timing(read_s=0.5, stale_s=0.1, first_pause_s=0.01)
    with SourceReader(FreezingSource(), timing) as reader:
        status = reader.wait_status(lambda s: s.lost >= 1, PATIENCE)
        assert status is not None
        assert reader.wait_status(lambda s: s.frames >= 2, PATIENCE)
        assert reader.status().abandoned == 0
    for grabber in opened:
        assert grabber._process.returncode is not None, "every process is gone and reaped"
        assert grabber._process.stdin is not None
        assert grabber._process.stdin.closed


def test_a_capture_process_that_dies_is_told(video: Path) -> None:
    grabber = VideoFileSource(video).open()
    assert grabber.grab() is not None
    grabber._process.kill()
    grabber._process.wait(PATIENCE)
    with pytest.raises(SourceError) as caught:
        grabber.grab()
    grabber.close()
    assert caught.value.code == "failed"


def test_the_capture_process_ends_with_whoever_started_it(video: Path) -> None:
    grabber = VideoFileSource(video).open()
    assert grabber.grab() is not None
    assert grabber._process.stdin is not None
    grabber._process.stdin.close()
    assert grabber._process.wait(PATIENCE) == 0
    grabber.close()


def test_a_folder_gives_its_pictures_by_number(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        (tmp_path / f"frame{number}.png").write_bytes(encoded(number * 20))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "frame3.jpg").write_bytes(b"damaged")
    frames = list(every_frame(FolderSource(tmp_path, fps=4)))
    assert [int(f.pixels[0, 0, 0]) for f in frames] == [20, 40, 200]
    # The damaged third keeps its place in time.
    assert [f.position for f in frames] == [0.0, 0.25, 0.75]


def test_a_folder_is_paced_when_asked(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.png").write_bytes(encoded(100))
    begin = time.monotonic()
    assert len(list(every_frame(FolderSource(tmp_path, paced=True, fps=20)))) == 3
    assert time.monotonic() - begin >= 2 / 20


def test_folders_that_give_nothing(tmp_path: Path) -> None:
    assert failure(FolderSource(tmp_path / "none")) == "not_found"
    assert failure(FolderSource(tmp_path)) == "not_a_picture"
    (tmp_path / "a.png").write_bytes(b"damaged")
    assert failure(FolderSource(tmp_path)) == "not_a_picture"


def test_one_picture_is_a_recording_of_one_frame(tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(encoded(60))
    with SourceReader(named_source(str(path))) as reader:
        assert reader.wait_status(lambda s: s.state == "ended", PATIENCE)
        frame = reader.newest()
        assert frame is not None
        assert frame.source == "photo.png"


@pytest.fixture
def pushed() -> Iterator[tuple[PushSource, SourceReader]]:
    source = PushSource("phone")
    timing = Timing(open_s=0.5, read_s=0.2, stale_s=0.1, first_pause_s=0.01)
    with SourceReader(source, timing) as reader:
        yield source, reader


def test_a_pushed_picture_is_the_newest_frame(pushed: tuple[PushSource, SourceReader]) -> None:
    source, reader = pushed
    before = time.monotonic()
    source.push(encoded(60))
    frame = reader.wait_newer(0, PATIENCE)
    assert frame is not None
    assert int(frame.pixels[0, 0, 0]) == 60
    assert before <= frame.at <= time.monotonic()
    source.push(encoded(80))
    newer = reader.wait_newer(frame.sequence, PATIENCE)
    assert newer is not None
    assert int(newer.pixels[0, 0, 0]) == 80


def test_a_browser_that_falls_silent_and_returns(pushed: tuple[PushSource, SourceReader]) -> None:
    source, reader = pushed
    source.push(encoded(60))
    assert reader.wait_newer(0, PATIENCE)
    assert reader.wait_status(lambda s: s.state == "offline", PATIENCE)
    source.push(encoded(70))
    status = reader.wait_status(lambda s: s.frames == 2, PATIENCE)
    assert status is not None
    assert (status.frames, status.abandoned) == (2, 0)


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "empty"), (b"<html>", "not_a_photo"), (encoded(60, ".jpg")[:300], "broken")],
)
def test_a_pushed_file_that_is_no_picture_is_refused_to_the_sender(data: bytes, code: str) -> None:
    source = PushSource("phone")
    with pytest.raises(PhotoError) as caught:
        source.push(data)
    assert caught.value.code == code


def test_what_users_write_finds_its_source(tmp_path: Path, video: Path) -> None:
    assert isinstance(named_source("0"), CameraSource)
    assert named_source(" 1 ").name == "camera 1"
    assert named_source("/dev/video2").name == "camera 2"
    assert isinstance(named_source("HD Webcam"), CameraSource)
    assert isinstance(named_source("rtsp://10.0.0.2/live"), StreamSource)
    assert isinstance(named_source("HTTP://10.0.0.2:8080/video"), HttpSource)
    assert isinstance(named_source(str(video)), VideoFileSource)
    assert isinstance(named_source("gone.mp4"), VideoFileSource)
    assert isinstance(named_source(str(tmp_path)), FolderSource)
    assert isinstance(named_source("gone.jpg"), FolderSource)
    assert named_source("rtsp://me:secret@10.0.0.2/live").name == "rtsp://10.0.0.2/live"


@pytest.mark.parametrize(
    "text",
    ["", "no/such/place", "ftp://host/a.mp4", "http://", "http://me:pw@h:99999/", "file:///a"],
)
def test_what_names_no_source_is_refused(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        named_source(text)
    assert caught.value.code == "not_found"
    assert "pw" not in caught.value.en


def test_passwords_are_left_out_of_names() -> None:
    assert without_password("rtsp://a:b@c@host:554/x?y=1") == "rtsp://host:554/x?y=1"
    assert without_password("http://host/x@y") == "http://host/x@y"
