"""RTSP against a small camera on this machine: motion JPEG (RFC 2435) inside the connection."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from vision.opencv import cv2
from vision.sources import SourceError, SourceReader, StreamSource, Timing, every_frame

PATIENCE = 15.0
WIDTH, HEIGHT, QUALITY = 64, 48, 50
SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=table\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 26\r\na=control:track0\r\na=framerate:25\r\n"
)


def packet(number: int, value: int) -> bytes:
    """One grey picture as one interleaved RTP packet (RFC 2326 §10.12, RFC 2435 §3.1)."""
    image = np.full((HEIGHT, WIDTH, 3), value, np.uint8)
    jpeg = bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1])
    scan = jpeg.index(b"\xff\xda")
    body = jpeg[scan + 2 + struct.unpack(">H", jpeg[scan + 2 : scan + 4])[0] : -2]
    head = struct.pack(">BBHII", 0x80, 0x80 | 26, number & 0xFFFF, number * 3600, 7)
    form = struct.pack(">I4B", 0, 1, QUALITY, WIDTH // 8, HEIGHT // 8)
    data = head + form + body
    return b"$\x00" + struct.pack(">H", len(data)) + data


class RtspCamera:
    """Plays `pictures` grey pictures to each client, then falls silent; `status` may refuse."""

    def __init__(self) -> None:
        self.status = "200 OK"
        self.pictures = 50
        self.clients = 0
        self.over = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"rtsp://127.0.0.1:{self.listener.getsockname()[1]}/live"
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines:
            connection.settimeout(PATIENCE)
            try:
                while request := lines.readline():
                    number = b"1"
                    while (line := lines.readline().strip()) != b"":
                        if line.lower().startswith(b"cseq:"):
                            number = line[5:].strip()
                    self.answer(connection, request.split()[0].decode(), number.decode())
            except OSError:
                return

    def answer(self, connection: socket.socket, method: str, number: str) -> None:
        head, body, status = "", "", self.status
        if method == "OPTIONS":
            status, head = "200 OK", "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
        elif method == "DESCRIBE" and status == "200 OK":
            head, body = f"Content-Type: application/sdp\r\nContent-Length: {len(SDP)}\r\n", SDP
        elif method == "SETUP":
            head = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n"
        elif method == "PLAY":
            head = "Session: 1\r\n"
        text = f"RTSP/1.0 {status}\r\nCSeq: {number}\r\n{head}\r\n{body}"
        connection.sendall(text.encode())
        if method == "PLAY":
            self.clients += 1
            for at in range(self.pictures):
                connection.sendall(packet(at, 90))
                if self.over.wait(0.02):
                    return

    def stop(self) -> None:
        if self.over.is_set():
            return
        self.over.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(PATIENCE)


@pytest.fixture
def camera() -> Iterator[RtspCamera]:
    server = RtspCamera()
    yield server
    server.stop()


def failure(address: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        next(every_frame(StreamSource(address)))
    return caught.value


def test_pictures_come_stop_and_come_back(camera: RtspCamera) -> None:
    timing = Timing(open_s=10.0, read_s=1.0, stale_s=0.5, first_pause_s=0.01)
    with SourceReader(StreamSource(camera.address), timing) as reader:
        frame = reader.wait_newer(0, PATIENCE)
        assert frame is not None
        assert frame.pixels.shape == (HEIGHT, WIDTH, 3)
        assert abs(int(frame.pixels[20, 20, 1]) - 90) <= 3
        # After its fifty pictures the camera holds the connection and says nothing.
        status = reader.wait_status(lambda s: s.state == "offline", PATIENCE)
        assert status is not None
        assert status.reason is not None
        assert (status.reason.code, status.abandoned) == ("no_signal", 0)
        assert reader.wait_status(lambda s: s.state == "live", PATIENCE)
        assert camera.clients >= 2


@pytest.mark.parametrize(
    ("status", "code"), [("401 Unauthorized", "login"), ("404 Not Found", "not_found")]
)
def test_a_camera_that_refuses(camera: RtspCamera, status: str, code: str) -> None:
    camera.status = status
    error = failure(camera.address.replace("127", "me:secret@127"))
    assert error.code == code
    assert "secret" not in error.en + error.zh


def test_an_address_where_nobody_listens(camera: RtspCamera) -> None:
    camera.stop()
    assert failure(camera.address).code == "no_answer"


def test_a_name_nobody_knows() -> None:
    assert failure("rtsp://no-such-camera.invalid/live").code == "not_found"
