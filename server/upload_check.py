"""Send photos that were damaged at random, and look whether the program itself ever fails.

`python -m server.upload_check --count 10000` damages the bundled samples (as JPEG, PNG and WebP,
large and small) and a HEIC, sends each to one of the routes that take pictures, and counts the
answers. A damaged photo may be read or refused; an answer of 500 or above, or one without a reason,
is a failure. Every upload has a number: `--first 4711 --count 1` makes the same one again.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from server.app import create_app
from server.config import Config
from server.live_hub import LiveHub
from server.reading_service import LONGEST_LOAD_S, ReadingService
from server.samples import list_samples

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from vision.values import TileReading

SIDES = (640, 320)
"""Longest sides the samples are shrunk to besides their own size, in pixels."""

# A picture of 64 x 96 pixels turned, with EXIF orientation 6, once encoded with libheif's x265:
# Zhuowu itself only decodes HEIC.
HEIC = base64.b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAaFtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA"
    "AAAAAAAAAAAAADRpbG9jAAAAAERAAAIAAQAAAAABxQABAAAAAAAAAOoAAgAAAAACrwABAAAAAAAAACQAAAA4aWlu"
    "ZgAAAAAAAgAAABVpbmZlAgAAAAABAABodmMxAAAAABVpbmZlAgAAAQACAABFeGlmAAAAAA5waXRtAAAAAAABAAAA"
    "4GlwcnAAAADAaXBjbwAAAHhodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMA"
    "AAMAHroCQGEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCBhZbqSSmubgIaDAgAAAMAyAAAAwAIQGIAAQAHRAHBcrAi"
    "QAAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAYAAAABBwaXhpAAAAAAMICAgAAAAJaXJvdAMA"
    "AAAYaXBtYQAAAAAAAAABAAEFgQIDBIUAAAAaaXJlZgAAAAAAAAAOY2RzYwACAAEAAQAAARZtZGF0AAAA5igBrwng"
    "ITl1X1/5lX//+mbX//ycx1nnn8/vjnf0+RN/7mvOqFEf/5yUQHsc93/KMSShBIIFlgWv5xtpKC6/Jq0dteQn04M+"
    "0ZbJvrXh2tdJ/u9/ew1lifZWGSsVzuIJD15OmLM5oGRAxvrFXUkFs6HMelptWwkpPMjUUUi6OgFec3z/73dYfuoF"
    "37ug5XKZQqQP11WMHmfX7Xscs5w4RgDvAbW/sKw3gsm+FKpOztTghD3qkQW9uhYekizclMkfy3dDazKl3a13sF4D"
    "HfhXm8zj6qWht7jAlTp8St5aKMhintcvPPt/AAAABkV4aWYAAE1NACoAAAAIAAEBEgADAAAAAQAGAAAAAAAA"
)
_ROUTES = ("read", "read", "read", "read", "form", "form", "frames", "sheet")
_TYPES = ("image/jpeg", "image/png", "image/heic", "application/octet-stream", "text/plain", "")


@dataclass
class Verdict:
    """What the answers were.

    Attributes:
        sent: uploads made.
        answers: how often which answer came, by "route status code".
        failed: "number route status" of every answer that may not be.
    """

    sent: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether the program never failed."""
        return not self.failed

    def to_json(self) -> dict[str, Any]:
        """The counts as a JSON value."""
        return {
            "sent": self.sent,
            "failed": self.failed,
            "answers": dict(sorted(self.answers.items())),
        }


class _Blind:
    """Looks at the live table's frames and sees no tile: here only their decoding is at stake."""

    side = 640
    least = 0.4

    def __call__(self, pixels: Any, part: Any, closer: bool) -> tuple[TileReading, ...]:
        return ()


def whole_photos() -> list[bytes]:
    """What is damaged: every bundled sample in several formats and sizes, and a HEIC."""
    from PIL import Image

    found = [HEIC]
    for sample in list_samples():
        found.append(sample.path.read_bytes())
        with Image.open(sample.path) as picture:
            for side, kind in zip(SIDES * 2, ("JPEG", "PNG", "WEBP", "JPEG"), strict=True):
                small = picture.copy()
                small.thumbnail((side, side))
                out = io.BytesIO()
                small.save(out, kind)
                found.append(out.getvalue())
    return found


def damaged(photos: list[bytes], chance: random.Random) -> bytes:
    """A photo with bytes changed, lost, added or doubled, perhaps grown together with another."""
    data = bytearray(chance.choice(photos))
    for _ in range(chance.choice((1, 1, 3, 20, 200))):
        at = chance.randrange(min(len(data), chance.choice((64, 700, len(data)))))
        _HARMS[chance.randrange(len(_HARMS))](data, at, chance)
        if len(data) < 8:
            break
    if chance.random() < 0.15:
        del data[chance.randrange(len(data)) + 1 :]
    if chance.random() < 0.05:
        other = chance.choice(photos)
        data[chance.randrange(len(data)) :] = other[chance.randrange(len(other)) :]
    return bytes(data)


def _change(data: bytearray, at: int, chance: random.Random) -> None:
    data[at] = chance.randrange(256)


def _flip(data: bytearray, at: int, chance: random.Random) -> None:
    data[at] ^= 1 << chance.randrange(8)


def _extreme(data: bytearray, at: int, chance: random.Random) -> None:
    length = chance.choice((2, 4, 8))
    data[at : at + length] = bytes([chance.choice((0, 0x7F, 0x80, 0xFF))]) * length


def _lose(data: bytearray, at: int, chance: random.Random) -> None:
    del data[at : at + chance.choice((1, 1, 7, 300))]


def _add(data: bytearray, at: int, chance: random.Random) -> None:
    data[at:at] = chance.randbytes(chance.choice((1, 5, 90)))


def _double(data: bytearray, at: int, chance: random.Random) -> None:
    data[at:at] = data[at : at + chance.choice((4, 60, 900))]


_HARMS: tuple[Callable[[bytearray, int, random.Random], None], ...] = (
    _change, _change, _flip, _flip, _extreme, _lose, _add, _double,
)  # fmt: skip


class _Sender:
    """Sends uploads to the routes that take pictures."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        players = {"players": ["甲", "乙", "丙", "丁"]}
        self._sheet = client.post("/api/ledger", json=players).get_json()["sheet"]["id"]

    def send(self, route: str, data: bytes, number: int, chance: random.Random) -> TestResponse:
        kind = chance.choice(_TYPES)
        if route == "form":
            return self._form(data, chance)
        if route == "frames":
            return self._client.post("/api/live/frames", data=data, content_type=kind)
        if route == "sheet":
            picture = base64.b64encode(data).decode("ascii")
            hand = {"winner": None, "fan": 0, "key": f"upload-{number}"}
            body = {**hand, "picture": picture, "keep_picture": True}
            return self._client.post(f"/api/ledger/{self._sheet}/hands", json=body)
        asked = chance.choice(("", "?preview=1", "?name=%00%ff.jpg", "?name=" + "长" * 300))
        return self._client.post("/api/read" + asked, data=data, content_type=kind)

    def _form(self, data: bytes, chance: random.Random) -> TestResponse:
        """A form whose own lines may be damaged too."""
        name = chance.choice(("hand.jpg", "../../etc/passwd", "a\tb.png", "", "牌" * 200))
        head = f'--edge\r\nContent-Disposition: form-data; name="photo"; filename="{name}"\r\n\r\n'
        body = bytearray(head.encode() + data + b"\r\n--edge--\r\n")
        if chance.random() < 0.3:
            at = chance.randrange(len(head))
            _HARMS[chance.randrange(len(_HARMS))](body, at, chance)
        return self._client.post(
            "/api/read", data=bytes(body), content_type="multipart/form-data; boundary=edge"
        )


def run(count: int, seed: int, folder: Path, first: int = 0, quiet: bool = True) -> Verdict:
    """Send `count` damaged uploads to a program of its own, with the models that are installed.

    Args:
        count: how many.
        seed: of the damage.
        folder: where the program keeps its data meanwhile.
        first: number of the first upload.
        quiet: no progress bar.

    Raises:
        RuntimeError: the models cannot be loaded, so that no photo would be read.
    """
    config = replace(
        Config(), data_folder=folder, requests_a_second=100_000, requests_at_once=1_000_000
    )
    service = ReadingService(config)
    service.start()
    if not service.wait_until_loaded(LONGEST_LOAD_S) or service.state != "ready":
        raise RuntimeError("the models cannot be loaded; run: zhuowu doctor")
    hub = LiveHub(config, service, look=lambda wait_s: _Blind())
    verdict = Verdict()
    try:
        hub.start_browser("upload check")
        sender = _Sender(create_app(config, service, hub).test_client())
        photos = whole_photos()
        for number in tqdm(range(first, first + count), disable=quiet, unit="upload"):
            chance = random.Random(f"{seed} {number}")
            route = chance.choice(_ROUTES)
            answer = sender.send(route, damaged(photos, chance), number, chance)
            note(verdict, number, route, answer)
    finally:
        hub.close()
    return verdict


def note(verdict: Verdict, number: int, route: str, answer: TestResponse) -> None:
    """Count an answer, and whether it may be."""
    body = answer.get_json(silent=True)
    error = body.get("error") if isinstance(body, dict) else None
    verdict.sent += 1
    code = "" if error is None else error["code"]
    verdict.answers[f"{route} {answer.status_code} {code}".strip()] += 1
    told = body is not None and (error is None or (error["zh"] and error["en"]))
    if answer.status_code >= 500 or not told:
        verdict.failed.append(f"{number} {route} {answer.status_code}")


def main(arguments: list[str] | None = None) -> int:
    """The script: 0 when the program never failed, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="python -m server.upload_check", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="how many uploads to send")
    parser.add_argument("--first", type=int, default=0, help="number of the first upload")
    parser.add_argument("--seed", type=int, default=0, help="of the damage")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        verdict = run(given.count, given.seed, Path(folder), given.first, quiet=False)
    print(json.dumps(verdict.to_json(), ensure_ascii=False))
    return 0 if verdict.sound else 1


if __name__ == "__main__":
    sys.exit(main())
