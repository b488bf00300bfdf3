"""HTTP cameras against a real server on this machine: streams, single pictures, refusals."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from vision.opencv import cv2
from vision.sources import HttpSource, SourceError, SourceReader, Timing
from vision.sources.multipart import LARGEST_HEAD, BrokenStream, PartSplitter

PATIENCE = 10.0
QUICK = Timing(first_pause_s=0.001, longest_pause_s=0.002, bad_pause_s=0.001)


def jpeg(value: int) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((48, 64, 3), value, np.uint8))[1])


Answer = Callable[[BaseHTTPRequestHandler], None]


class Camera(ThreadingHTTPServer):
    """Answers each path with a function; `gate` lets a handler wait until the test is over."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, Answer] = {}
        self.over = threading.Event()
        self.requests = 0

    def address(self, path: str, login: str = "") -> str:
        return f"http://{login}127.0.0.1:{self.server_address[1]}{path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no news."""


class Handler(BaseHTTPRequestHandler):
    server: Camera

    def do_GET(self) -> None:
        self.server.requests += 1
        self.server.answers[self.path](self)

    def log_message(self, *words: object) -> None:
        """Quiet."""


@pytest.fixture
def camera() -> Iterator[Camera]:
    server = Camera()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()
    thread.join(PATIENCE)


def head(handler: BaseHTTPRequestHandler, kind: str, status: int = 200) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.end_headers()


def part(data: bytes, with_length: bool = True) -> bytes:
    length = f"Content-Length: {len(data)}\r\n" if with_length else ""
    return f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + data + b"\r\n"


def stream(*parts: bytes, then: str = "stay", boundary: str = "frame") -> Answer:
    """Send the parts; then `stay` silent, or hang up."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        head(handler, f"multipart/x-mixed-replace; boundary={boundary}")
        for data in parts:
            handler.wfile.write(data)
        # The next boundary, by which a part without a length is known to be over.
        handler.wfile.write(b"--frame\r\n")
        handler.wfile.flush()
        if then == "stay":
            assert isinstance(handler.server, Camera)
            handler.server.over.wait(PATIENCE)

    return answer


def handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0


@pytest.mark.parametrize("with_length", [True, False])
@pytest.mark.parametrize("boundary", ["frame", "--frame", '"frame"'])
def test_mjpeg_gives_its_pictures(camera: Camera, with_length: bool, boundary: str) -> None:
    camera.answers["/video"] = stream(part(jpeg(90), with_length), boundary=boundary)
    with SourceReader(HttpSource(camera.address("/video"))) as reader:
        frame = reader.wait_newer(0, PATIENCE)
        assert frame is not None
        assert frame.pixels.shape == (48, 64, 3)
        assert abs(int(frame.pixels[20, 20, 1]) - 90) <= 2
        assert reader.status().state == "live"


def test_a_burst_above_the_rate_is_not_played_but_its_last_picture_is_seen(camera: Camera) -> None:
    camera.answers["/video"] = stream(*[part(jpeg(50))] * 200, part(jpeg(200)))
    with SourceReader(HttpSource(camera.address("/video"), most_fps=20)) as reader:
        frame = reader.wait_newer(0, PATIENCE)
        while frame is not None and int(frame.pixels[20, 20, 1]) < 190:
            frame = reader.wait_newer(frame.sequence, 3.0)
        assert frame is not None, "the newest picture never came through"
        # At 20 a second, 200 pictures would have taken 10 s to play.
        assert frame.sequence < 100


def test_a_server_that_never_pauses_is_shown_at_the_rate(camera: Camera) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        head(handler, "multipart/x-mixed-replace; boundary=frame")
        while not camera.over.is_set():
            handler.wfile.write(part(jpeg(50)))

    camera.answers["/video"] = answer
    with SourceReader(HttpSource(camera.address("/video"), most_fps=50)) as reader:
        first = reader.wait_newer(0, PATIENCE)
        later = reader.wait_newer(10, PATIENCE)
        assert first is not None
        assert later is not None
        # No two closer than 1/50 s, but for what handing over varies.
        assert later.at - first.at >= 0.8 * (later.sequence - first.sequence) / 50


def test_a_hundred_hang_ups_leak_nothing(camera: Camera) -> None:
    camera.answers["/video"] = stream(part(jpeg(90)), then="hang up")
    with SourceReader(HttpSource(camera.address("/video")), QUICK) as reader:
        assert reader.wait_status(lambda s: s.lost >= 5, PATIENCE)
        files = handles()
        status = reader.wait_status(lambda s: s.lost >= 105, 30.0)
        assert status is not None
        assert status.frames >= 100
        # The server's own side of a connection may be open or not at either moment.
        assert abs(handles() - files) <= 4
        assert status.abandoned == 0
    assert not [t for t in threading.enumerate() if "127.0.0.1" in t.name]


def test_a_silent_server_is_offline_in_time_and_let_go(camera: Camera) -> None:
    camera.answers["/video"] = stream(part(jpeg(90)))
    timing = Timing(read_s=0.3, stale_s=0.1, first_pause_s=0.01)
    with SourceReader(HttpSource(camera.address("/video")), timing) as reader:
        assert reader.wait_status(lambda s: s.state == "stale", PATIENCE)
        status = reader.wait_status(lambda s: s.state == "offline", PATIENCE)
        assert status is not None
        assert status.reason is not None
        assert (status.reason.code, status.abandoned) == ("no_signal", 0)
        back = reader.wait_status(lambda s: s.state == "live" and s.frames >= 2, PATIENCE)
        assert back is not None


def test_a_server_that_answers_nothing_at_all(camera: Camera) -> None:
    camera.answers["/video"] = lambda handler: (camera.over.wait(PATIENCE), None)[1]
    with SourceReader(HttpSource(camera.address("/video"), socket_s=0.2), QUICK) as reader:
        status = reader.wait_status(lambda s: s.state == "offline", PATIENCE)
        assert status is not None
        assert status.reason is not None
        assert status.reason.code == "no_answer"


def test_bad_parts_between_good_ones_are_counted(camera: Camera) -> None:
    parts = [jpeg(90), b"no picture", jpeg(90)[:200], b"", jpeg(120)]
    go = threading.Semaphore(0)

    def answer(handler: BaseHTTPRequestHandler) -> None:
        head(handler, "multipart/x-mixed-replace; boundary=frame")
        for data in parts:
            assert go.acquire(timeout=PATIENCE)
            handler.wfile.write(part(data))
        camera.over.wait(PATIENCE)

    camera.answers["/video"] = answer
    with SourceReader(HttpSource(camera.address("/video")), QUICK) as reader:
        for count in range(1, len(parts) + 1):
            go.release()
            assert reader.wait_status(lambda s, n=count: s.frames + s.bad_pictures == n, PATIENCE)
        status = reader.status()
        assert (status.frames, status.bad_pictures, status.lost) == (2, 3, 0)


def test_endless_bytes_without_a_part_are_no_picture(camera: Camera) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        head(handler, "multipart/x-mixed-replace; boundary=frame")
        handler.wfile.write(b"--frame\r\n" + b"x" * (LARGEST_HEAD * 2))
        camera.over.wait(PATIENCE)

    camera.answers["/video"] = answer
    with SourceReader(HttpSource(camera.address("/video")), Timing(open_s=1.5)) as reader:
        status = reader.wait_status(lambda s: s.state == "offline", PATIENCE)
        assert status is not None
        assert status.reason is not None
        assert status.reason.code == "not_a_picture"


def test_single_pictures_are_fetched_again_and_again(camera: Camera) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        head(handler, "image/jpeg")
        handler.wfile.write(jpeg(40 * camera.requests))

    camera.answers["/shot.jpg"] = answer
    with SourceReader(HttpSource(camera.address("/shot.jpg"))) as reader:
        frame = reader.wait_newer(2, PATIENCE)
        assert frame is not None
        assert abs(int(frame.pixels[20, 20, 1]) - 40 * frame.sequence) <= 2


@pytest.mark.parametrize(
    ("status", "kind", "code"),
    [
        (200, "text/html", "not_a_picture"),
        (401, "text/plain", "login"),
        (403, "text/plain", "login"),
        (404, "text/plain", "not_found"),
        (500, "text/plain", "no_answer"),
    ],
)
def test_refusals_are_told_apart(camera: Camera, status: int, kind: str, code: str) -> None:
    camera.answers["/video"] = lambda handler: head(handler, kind, status)
    grabber = HttpSource(camera.address("/video")).open()
    with pytest.raises(SourceError) as caught:
        grabber.grab()
    grabber.close()
    assert caught.value.code == code


def test_the_login_in_the_address_is_used_and_never_shown(camera: Camera) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        wanted = "Basic " + base64.b64encode(b"me:se:cret@1").decode()
        if handler.headers.get("Authorization") == wanted:
            stream(part(jpeg(90)))(handler)
            return
        handler.send_response(401)
        handler.send_header("WWW-Authenticate", 'Basic realm="camera"')
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    camera.answers["/video"] = answer
    source = HttpSource(camera.address("/video", "me:se%3Acret%401@"))
    assert source.name == camera.address("/video")
    with SourceReader(source) as reader:
        assert reader.wait_newer(0, PATIENCE)
    wrong = HttpSource(camera.address("/video", "me:wrong@")).open()
    with pytest.raises(SourceError) as caught:
        wrong.grab()
    wrong.close()
    assert caught.value.code == "login"
    assert "wrong" not in caught.value.en + caught.value.zh


def test_nobody_listens() -> None:
    server = Camera()
    address = server.address("/video")
    server.server_close()
    grabber = HttpSource(address).open()
    with pytest.raises(SourceError) as caught:
        grabber.grab()
    grabber.close()
    assert caught.value.code == "no_answer"


def test_a_video_behind_http_is_left_to_ffmpeg(camera: Camera, tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 25, (64, 48))
    for _ in range(10):
        writer.write(np.full((48, 64, 3), 90, np.uint8))
    writer.release()
    clip = path.read_bytes()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "video/mp4")
        handler.send_header("Content-Length", str(len(clip)))
        handler.end_headers()
        handler.wfile.write(clip)

    camera.answers["/clip.mp4"] = answer
    grabber = HttpSource(camera.address("/clip.mp4")).open()
    picture = grabber.grab()
    grabber.close()
    assert picture is not None
    assert picture.pixels.shape == (48, 64, 3)


def test_parts_come_out_whole_however_the_bytes_arrive() -> None:
    bodies = [jpeg(10), b"", jpeg(90), b"\r\n--fram\r\n\r\n"]
    data = b"preamble" + b"".join(part(b, n % 2 == 0) for n, b in enumerate(bodies)) + b"--frame"
    for size in (1, 7, 1000, len(data)):
        splitter = PartSplitter("frame")
        found = []
        for at in range(0, len(data), size):
            splitter.feed(data[at : at + size])
            while (body := splitter.next_part()) is not None:
                found.append(body)
        assert found == bodies


def test_a_part_of_gigabytes_is_refused_before_it_is_read() -> None:
    splitter = PartSplitter("frame")
    splitter.feed(b"--frame\r\nContent-Length: 9999999999\r\n\r\n")
    with pytest.raises(BrokenStream):
        splitter.next_part()
