"""OpenCV's capture in a process of its own, so that a hanging driver can simply be killed.

Run as a script by `capture.py`; it imports nothing of the project, to start fast. It reads one
line of JSON (what to open) and then one byte for each picture that is wanted; it answers each with
one message: `HEADER` and a payload. It ends when its standard input does, so it cannot outlive
whoever started it.
"""

from __future__ import annotations

import json
import os
import re
import signal
import struct
import sys
import tempfile
import threading
import time
from typing import Any, BinaryIO

# Kind, height, width, position in seconds (or -1), bytes that follow.
HEADER = struct.Struct("<cIIdQ")
PICTURE, END, FAILURE = b"P", b"E", b"F"
WANT = b"n"
FAILED_GRABS = 5

# What the libraries write when they fail, and the reason code it means.
CLUES = (
    (r"\b401\b|unauthorized|\b403\b", "login"),
    (r"\b404\b|not found", "not_found"),
    (r"\bbusy\b", "in_use"),
    (r"permission denied", "no_permission"),
    (r"refused|timed out|no route", "no_answer"),
    (r"invalid data", "not_a_picture"),
)


class Requests:
    """Counts the pictures wanted; ends the process when nobody can want any more."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._wanted = threading.Semaphore(0)
        threading.Thread(target=self._listen, daemon=True).start()

    def wait(self) -> None:
        """Until a picture is wanted."""
        self._wanted.acquire()

    def pending(self) -> bool:
        """Whether a picture is wanted now; each is told once."""
        return self._wanted.acquire(blocking=False)

    def _listen(self) -> None:
        while self._stream.read(1):
            self._wanted.release()
        os._exit(0)  # the main thread may hang in a driver


class Answers:
    """Writes the messages."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def picture(self, pixels: Any, position: float) -> None:
        """One picture, height x width x 3, uint8, BGR."""
        if pixels.ndim == 2:
            import cv2

            pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR)
        data = memoryview(pixels if pixels.flags.c_contiguous else pixels.copy()).cast("B")
        height, width = pixels.shape[:2]
        self._stream.write(HEADER.pack(PICTURE, height, width, position, len(data)))
        self._stream.write(data)
        self._stream.flush()

    def end(self) -> None:
        """There are no more pictures."""
        self._stream.write(HEADER.pack(END, 0, 0, -1.0, 0))
        self._stream.flush()

    def failure(self, code: str, detail: str = "") -> None:
        """It cannot go on."""
        data = json.dumps({"code": code, "detail": detail}).encode()
        self._stream.write(HEADER.pack(FAILURE, 0, 0, -1.0, len(data)))
        self._stream.write(data)
        self._stream.flush()


def main() -> None:
    """Open what standard input names and answer requests until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to act upon
    answers = Answers(os.fdopen(os.dup(1), "wb"))
    with tempfile.TemporaryFile() as log:
        # Libraries write to standard output and error as they like: neither is the channel.
        os.dup2(log.fileno(), 2)
        os.dup2(2, 1)
        spec = json.loads(sys.stdin.buffer.readline())
        requests = Requests(sys.stdin.buffer)
        try:
            import cv2
        except ImportError as error:
            answers.failure("failed", f"OpenCV: {error}")
            os._exit(1)
        cv2.setNumThreads(1)
        capture = _open(cv2, spec)
        if not capture.isOpened():
            log.seek(0)
            answers.failure(*_explain(log.read().decode("utf-8", "replace"), spec))
            os._exit(1)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 2)
        os.dup2(quiet, 1)
    serve = {"live": _serve_live, "paced": _serve_paced, "fast": _serve_fast}[spec["mode"]]
    serve(capture, requests, answers)
    capture.release()
    os._exit(0)  # a thread that waits for standard input makes Python's own end a crash


def _open(cv2: Any, spec: dict[str, Any]) -> Any:
    """`spec`: target (number or text), backend (cv2 name), mode, width, height."""
    backend = getattr(cv2, spec["backend"])
    capture = cv2.VideoCapture(spec["target"], backend)
    if spec.get("width") and capture.isOpened():
        # MJPG first: over USB 2 a raw picture of this size comes five times a second at most.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, spec["width"])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, spec["height"])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _explain(log: str, spec: dict[str, Any]) -> tuple[str, str]:
    """The reason code and a detail, from what the libraries wrote."""
    # Memory addresses and the target's own digits must not pass for a status.
    text = re.sub(r"0x[0-9a-f]+", "", log.replace(str(spec["target"]), "").lower())
    for clue, code in CLUES:
        if re.search(clue, text):
            return code, ""
    return spec["otherwise"], ""


def _serve_live(capture: Any, requests: Requests, answers: Answers) -> None:
    """Take every frame off the device, so that none is old, and send only those wanted."""
    failures = 0
    while failures < FAILED_GRABS:
        if not capture.grab():
            failures += 1
            continue
        failures = 0
        if requests.pending():
            good, pixels = capture.retrieve()
            if not good:
                answers.failure("no_signal")
                return
            answers.picture(pixels, -1.0)
    requests.wait()
    answers.failure("no_signal")


def _serve_paced(capture: Any, requests: Requests, answers: Answers) -> None:
    """Play at the recording's own speed; what is not asked for in time is passed over."""
    positions = Positions(capture)
    start = time.monotonic()
    while capture.grab():
        position = positions.current()
        ahead = start + position - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        if requests.pending():
            good, pixels = capture.retrieve()
            if good:
                answers.picture(pixels, position)
    requests.wait()
    answers.end()


def _serve_fast(capture: Any, requests: Requests, answers: Answers) -> None:
    """Every frame, each when it is asked for."""
    positions = Positions(capture)
    while True:
        requests.wait()
        good, pixels = capture.read()
        if not good:
            answers.end()
            return
        answers.picture(pixels, positions.current())


class Positions:
    """Where in the recording each frame lies, going forward even where the file says nothing."""

    def __init__(self, capture: Any) -> None:
        import cv2

        self._cv2 = cv2
        self._capture = capture
        fps = capture.get(cv2.CAP_PROP_FPS)
        self._step = 1 / fps if 1 <= fps <= 1000 else 1 / 25
        self._last: float | None = None

    def current(self) -> float:
        """Seconds from the beginning, of the frame grabbed last."""
        told = self._capture.get(self._cv2.CAP_PROP_POS_MSEC) / 1000
        if self._last is None:
            self._last = told if 0 <= told < 1 else 0.0
        else:
            self._last = told if told > self._last else self._last + self._step
        return self._last


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(0)
