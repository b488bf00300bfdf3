"""A stand-in for the models over HTTP: light tiles on a dark cloth, told apart as drawings.

So the tests of teaching a set are about the interface; the shipped models take their turn in the
tests of the page.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from flask.testing import FlaskClient

from datasets.odd_sets import GUIDED_ROWS, odd_set
from server.app import create_app
from server.config import Config
from server.reading_service import ReadingService
from vision.classifier import crop
from vision.detector import Detections
from vision.opencv import cv2
from vision.values import CLASSES, FACES, NONE

CLOTH = (40, 70, 30)
WIDTH, HEIGHT, GAP, EDGE = 66, 88, 12, 40
PATIENCE_S = 600.0


def grey(pictures: Sequence[np.ndarray]) -> np.ndarray:
    """n x 256: small, grey, of mean 0 and length 1."""
    small = [cv2.resize(p[..., :3], (16, 16), interpolation=cv2.INTER_AREA) for p in pictures]
    flat = np.mean(np.asarray(small, np.float32), axis=3).reshape(len(small), -1)
    flat -= flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6))


@lru_cache
def templates() -> np.ndarray:
    """256 x 68: the faces of two sets as this module lays them out."""
    drawn = []
    for design in ("letters", "dark"):
        for name in FACES:
            whole = cv2.imdecode(np.frombuffer(photo(((name,),), design), np.uint8), 1)
            box = np.array([EDGE, EDGE, EDGE + WIDTH, EDGE + HEIGHT], float)
            drawn.append(crop(whole, box, 48))
    return grey(drawn).T


class Templates:
    """A classifier whose features say which drawing it is, and that knows no face."""

    side = 48
    classes = (*CLASSES, NONE)
    sha256 = "a" * 64
    has_features = True

    def look(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        turned = [grey(np.rot90(crops, k, axes=(1, 2))) @ templates() for k in range(4)]
        alike = np.max(turned, axis=0)
        features = np.exp(40 * (alike - alike.max(axis=1, keepdims=True)))
        answers = np.full((len(crops), len(self.classes)), 0.4 / 41, np.float32)
        answers[:, 0] = 0.6  # whatever it is, it says 1m
        return answers, features / np.linalg.norm(features, axis=1, keepdims=True)

    def classify(self, pixels: np.ndarray, boxes: np.ndarray, sets: object) -> np.ndarray:
        return np.tile(self.look(np.zeros((1, 48, 48, 3), np.uint8))[0], (len(boxes), 1))


class LightThings:
    """A detector of what is lighter than the cloth."""

    side = 64

    def detect(self, pixels: np.ndarray, least: float) -> Detections:
        light = (pixels.astype(int).sum(axis=2) > 300).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(light)
        big = [s for s in stats[1:] if s[2] > 12 and s[3] > 12]
        boxes = np.array([[x, y, x + w, y + h] for x, y, w, h, _ in big], float).reshape(-1, 4)
        scores = np.full((len(boxes), len(CLASSES)), 0.9)
        return Detections(boxes, scores)


class StandIn(ReadingService):
    """The reading service with these models."""

    def classifier_sha256(self) -> str:
        return Templates.sha256

    def reader(self, wait_s: float = 0.0) -> Any:
        return SimpleNamespace(detector=LightThings(), classifier=Templates(), tile_sets=None)


def stand_in_client(folder: Path) -> FlaskClient:
    """A client of a server whose data lie in the folder and whose models are the stand-in."""
    config = Config(data_folder=folder, requests_a_second=10_000, requests_at_once=100_000)
    return create_app(config, StandIn(config)).test_client()


def photo(
    rows: Sequence[Sequence[str]] = GUIDED_ROWS, design: str = "letters", scale: float = 1.0
) -> bytes:
    """Tiles of a drawn set in rows on a cloth, as PNG."""
    tiles = odd_set(design, 1)
    height = EDGE * 2 + len(rows) * (HEIGHT + GAP)
    picture = np.full((height, EDGE * 2 + 9 * (WIDTH + GAP), 3), CLOTH, np.uint8)
    for r, row in enumerate(rows):
        for c, name in enumerate(row):
            drawn = tiles.face(name)[0] if name in FACES else np.full((88, 66, 3), 170, np.uint8)
            face = cv2.resize(drawn[..., :3], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
            x, y = EDGE + c * (WIDTH + GAP), EDGE + r * (HEIGHT + GAP)
            picture[y : y + HEIGHT, x : x + WIDTH] = np.maximum(face, 110)
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".png", picture)[1].tobytes())


def begin(client: FlaskClient, **told: Any) -> str:
    answer = client.post("/api/calibration", json=told)
    assert answer.status_code == 201, answer.text
    return f"/api/calibration/{answer.json['id']}"


def names(status: dict[str, Any], at: int = 0) -> list[str]:
    return [tile["tile"] for tile in status["photos"][at]["tiles"]]


def learn(client: FlaskClient, bench: str, **told: Any) -> dict[str, Any]:
    """Start to learn and wait for the end."""
    started = client.post(f"{bench}/learn", json=told)
    assert started.status_code == 202, started.text
    until = time.monotonic() + PATIENCE_S
    pause = threading.Event()
    while True:
        learning = client.get(bench).json["learning"]
        if learning["state"] != "learning":
            return dict(learning)
        assert time.monotonic() < until, "still learning"
        pause.wait(0.05)


def taught(client: FlaskClient, name: str = "厨房", design: str = "letters") -> str:
    """Teach and keep a set; its key."""
    bench = begin(client)
    assert client.post(f"{bench}/photos", data=photo(design=design)).status_code == 201
    assert learn(client, bench)["state"] == "learnt"
    kept = client.post(f"{bench}/keep", json={"name": name})
    assert kept.status_code == 201, kept.text
    return next(str(s["key"]) for s in kept.json["sets"] if s["name"] == name)
