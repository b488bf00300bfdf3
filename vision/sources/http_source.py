"""HTTP cameras: an MJPEG stream, a picture fetched again and again, or a video FFmpeg plays."""

from __future__ import annotations

import contextlib
import functools
import http.client
import select
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

from vision.errors import PhotoError
from vision.photo import load_photo
from vision.sources.capture import MOST_FPS, CaptureGrabber, StreamSource, without_password
from vision.sources.frame import Picture
from vision.sources.multipart import LARGEST_PART, BrokenStream, PartSplitter
from vision.sources.reasons import (
    BadPicture,
    SourceError,
    address_not_found,
    failed,
    login,
    no_answer,
    no_signal,
    not_a_picture,
)

SOCKET_S = 4.0
SNAPSHOT_FPS = 5.0
CHUNK = 64 * 1024


class HttpSource:
    """An `http://` or `https://` address.

    What it is (MJPEG, single pictures, a video) is found out at every opening from what the
    server says it sends. User and password may stand in the address (basic and digest login).

    Attributes:
        name: The address without its password.
        live: Always True.
    """

    live = True

    def __init__(
        self, address: str, most_fps: float = MOST_FPS, socket_s: float = SOCKET_S
    ) -> None:
        """Nothing is touched before it is opened.

        Args:
            address: The address.
            most_fps: Decode at most so many pictures a second.
            socket_s: How long the server may take to connect, to answer, and between bytes.
        """
        self.name = without_password(address)
        self._address = address
        self._most_fps = most_fps
        self._socket_s = socket_s

    def open(self) -> HttpGrabber:
        """See `Source`."""
        return HttpGrabber(self.name, self._address, self._most_fps, self._socket_s)


class HttpGrabber:
    """One connection to an HTTP camera; interrupting shuts its socket down."""

    def __init__(self, name: str, address: str, most_fps: float, socket_s: float) -> None:
        """It connects while the first picture is waited for."""
        self._name = name
        self._address = address
        self._most_fps = most_fps
        self._gap = 1 / most_fps
        self._socket_s = socket_s
        self._stopped = threading.Event()
        self._sockets = _Sockets(self._stopped)
        self._response: Any = None
        self._next: Callable[[], Picture | None] | None = None
        self._splitter = PartSplitter("")
        self._due = 0.0
        self._video: CaptureGrabber | None = None

    def grab(self) -> Picture | None:
        """See `Grabber`."""
        connected = self._next is not None
        try:
            if self._next is None:
                self._next = self._connect()
                connected = True
            return self._next()
        except SourceError:
            raise
        except BrokenStream as error:
            # The rest of the connection cannot be made sense of: connect anew next time.
            self._hang_up()
            self._next = None
            raise BadPicture(not_a_picture(self._name, str(error))) from None
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            # ValueError and AttributeError: what reading a socket raises once it is shut down.
            lost = no_signal(self._name) if connected else no_answer(self._name, str(error)[:80])
            raise SourceError(lost) from None

    def interrupt(self) -> None:
        """See `Grabber`."""
        self._stopped.set()
        self._sockets.shut_down()
        video = self._video
        if video is not None:
            video.interrupt()

    def close(self) -> None:
        """See `Grabber`."""
        self.interrupt()
        self._hang_up()
        if self._video is not None:
            self._video.close()

    def _hang_up(self) -> None:
        self._sockets.shut_down()
        if self._response is not None:
            with contextlib.suppress(OSError, ValueError, AttributeError):
                self._response.close()
            self._response = None
        self._sockets.forget()

    def _connect(self) -> Callable[[], Picture | None]:
        response = self._request()
        kind = response.headers.get_content_type()
        if kind == "multipart/x-mixed-replace":
            self._splitter = PartSplitter(response.headers.get_param("boundary", ""))
            return self._next_part
        if kind in ("image/jpeg", "image/png", "image/webp", "image/jpg"):
            return self._next_snapshot
        self._hang_up()
        if kind.startswith(("text/html", "text/plain", "application/json")):
            raise SourceError(not_a_picture(self._name, f"{kind}: a page, not the stream itself"))
        self._video = StreamSource(self._address, self._most_fps).open()
        if self._stopped.is_set():
            self._video.interrupt()
        return self._video.grab

    def _request(self) -> Any:
        """Ask once; the answer's header has arrived, its body has not.

        Raises:
            SourceError: Nobody answers, or the answer is a refusal.
        """
        try:
            self._response = _asker(self._address, self._sockets).open(
                without_password(self._address), timeout=self._socket_s
            )
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in (401, 403):
                raise SourceError(login(self._name)) from None
            if error.code in (404, 410):
                raise SourceError(address_not_found(self._name)) from None
            raise SourceError(no_answer(self._name, f"HTTP {error.code}")) from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, socket.gaierror):
                raise SourceError(address_not_found(self._name)) from None
            raise SourceError(no_answer(self._name, str(error.reason)[:80])) from None
        except (http.client.InvalidURL, UnicodeError) as error:
            raise SourceError(failed(self._name, str(error)[:80])) from None
        return self._response

    def _next_part(self) -> Picture | None:
        """The newest part there is once the rate allows one.

        What came before it is dropped undecoded, so that nothing waits in the connection and grows
        old; the last part of a burst is kept, so that what the camera ends on is seen.
        """
        newest: bytes | None = None
        while not self._stopped.is_set():
            part = self._splitter.next_part()
            if part is not None:
                newest = part
                continue
            now = time.monotonic()
            # A server that never pauses must not keep the newest from being shown.
            overdue = now >= self._due + self._gap
            if newest is not None and (overdue or not self._sockets.more(self._due - now)):
                self._due = time.monotonic() + self._gap
                return self._decoded(newest)
            data = self._response.read1(CHUNK)
            if not data:
                return None
            self._splitter.feed(data)
        return None

    def _next_snapshot(self) -> Picture | None:
        if self._response is None:
            self._stopped.wait(max(0.0, self._due - time.monotonic()))
            self._request()
        self._due = time.monotonic() + 1 / min(SNAPSHOT_FPS, self._most_fps)
        data = bytearray()
        while not self._stopped.is_set() and (more := self._response.read1(CHUNK)):
            data += more
            if len(data) > LARGEST_PART:
                raise BrokenStream("a picture without end")
        self._hang_up()
        return None if self._stopped.is_set() else self._decoded(bytes(data))

    def _decoded(self, data: bytes) -> Picture:
        try:
            return Picture(load_photo(data, self._name).pixels)
        except PhotoError as error:
            raise BadPicture(not_a_picture(self._name, error.code)) from None


class _Sockets:
    """The sockets of a grabber, to be shut down from another thread."""

    def __init__(self, stopped: threading.Event) -> None:
        self._stopped = stopped
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []

    def add(self, sock: socket.socket) -> None:
        with self._lock:
            self._open.append(sock)
        if self._stopped.is_set():
            raise ConnectionAbortedError("interrupted")

    def more(self, seconds: float) -> bool:
        """Whether the newest has bytes to read, now or within `seconds`."""
        with self._lock:
            reading = self._open[-1:]
        return bool(select.select(reading, [], [], max(0.0, seconds))[0]) if reading else True

    def shut_down(self) -> None:
        """Wake whoever reads from them."""
        with self._lock:
            for sock in self._open:
                with contextlib.suppress(OSError, ValueError):
                    sock.shutdown(socket.SHUT_RDWR)

    def forget(self) -> None:
        """Close them."""
        with self._lock:
            for sock in self._open:
                with contextlib.suppress(OSError):
                    sock.close()
            self._open.clear()


class _Connection(http.client.HTTPConnection):
    """Tells its socket as soon as it has one."""

    def __init__(self, *args: Any, sockets: _Sockets, **named: Any) -> None:
        super().__init__(*args, **named)
        self._sockets = sockets

    def connect(self) -> None:
        super().connect()
        self._sockets.add(self.sock)


class _SecureConnection(_Connection, http.client.HTTPSConnection):
    """The same over TLS."""


class _Http(urllib.request.HTTPHandler):
    def __init__(self, sockets: _Sockets) -> None:
        super().__init__()
        self._sockets = sockets

    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(functools.partial(_Connection, sockets=self._sockets), req)  # type: ignore[arg-type]


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, sockets: _Sockets) -> None:
        super().__init__()
        self._sockets = sockets

    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(functools.partial(_SecureConnection, sockets=self._sockets), req)  # type: ignore[arg-type]


def _asker(address: str, sockets: _Sockets) -> urllib.request.OpenerDirector:
    """Opens http and https only, follows redirects, logs in; no proxy: cameras are near."""
    asker = urllib.request.OpenerDirector()
    keys = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    parts = urlsplit(address)
    if parts.username is not None:
        bare = without_password(address)
        keys.add_password(None, bare, unquote(parts.username), unquote(parts.password or ""))
    for handler in (
        _Http(sockets),
        _Https(sockets),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPBasicAuthHandler(keys),
        urllib.request.HTTPDigestAuthHandler(keys),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        asker.add_handler(handler)
    return asker
