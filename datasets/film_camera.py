"""The camera of a film: where it stands, how it is pushed, and what its lens and sensor do."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from datasets.scene_camera import Array, Camera, aim
from datasets.scene_types import Pixels
from vision.opencv import cv2

VIEWS = ("overhead", "seat")
_HORIZON = 600.0  # seconds for which changes of the light are laid down beforehand


def film_camera(view: str, edge: float, size: tuple[int, int], rng: random.Random) -> Camera:
    """A camera that sees the table.

    Args:
        view: "overhead" (high, on the side of the player before it) or "seat" (from behind that
            player's shoulder).
        edge: half the side of what is played on, in tile widths.
        size: width and height of the picture in pixels.
        rng: source of the place.
    """
    if view == "overhead":
        focus = np.array([(x, y, 0.0) for x in (-edge, edge) for y in (-edge, edge)])
        elevation, distance = rng.uniform(1.02, 1.3), edge * rng.uniform(2.8, 4.2)
    else:
        near, far = -edge, 0.8 * edge
        focus = np.array(
            [(x * w, y, 0.0) for x in (-1, 1) for y, w in ((near, 0.72 * edge), (far, edge))]
        )
        elevation, distance = rng.uniform(0.6, 0.85), edge * rng.uniform(1.9, 2.3)
    azimuth, roll = -math.pi / 2 + rng.gauss(0, 0.06), rng.gauss(0, 0.015)
    distortion = rng.uniform(-0.035, 0.02)
    width, height = size
    first = aim(focus, elevation, azimuth, distance, roll, 1.0, width)
    pixels, _ = first.project(focus)
    spans = np.ptp(pixels, axis=0)
    fill = 0.985 * min(width / spans[0], height / spans[1]) * float(spans.max()) / width
    camera = aim(focus, elevation, azimuth, distance, roll, fill, width, distortion)
    return replace(camera, centre=(camera.centre[0], camera.centre[1] - (width - height) / 2))


def pushed(camera: Camera, rng: random.Random) -> Camera:
    """The same camera after somebody has knocked against it: a little turned and shifted."""
    turns = [rng.choice((-1, 1)) * rng.uniform(0.004, 0.02) for _ in range(3)]
    step = np.array([rng.uniform(-0.35, 0.35) for _ in range(3)])
    return moved(camera, turns, step)


def moved(camera: Camera, turns: list[float], step: Array) -> Camera:
    """The camera turned about its own axes (radians) and moved by `step` in the world."""
    turn, _ = cv2.Rodrigues(np.array(turns))
    return replace(
        camera, axes=np.asarray(turn, float) @ camera.axes, position=camera.position + step
    )


def between(one: Camera, two: Camera, share: float) -> Camera:
    """A camera on the way from one place to another."""
    turn, _ = cv2.Rodrigues(two.axes @ one.axes.T)
    return moved(one, (np.ravel(turn) * share).tolist(), (two.position - one.position) * share)


@dataclass
class Lens:
    """What lens, sensor and firmware make of the light, and how the light changes.

    Args:
        size: width and height in pixels.
        rng: source of every choice.
    """

    size: tuple[int, int]
    rng: random.Random

    def __post_init__(self) -> None:
        rng, (width, height) = self.rng, self.size
        noise = np.random.default_rng(rng.randrange(2**31))
        grid = noise.random((3, 4), dtype=np.float32)
        field = cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        even = 1 + (field - 0.5) * rng.uniform(0.05, 0.35)
        tint = np.array([rng.gauss(1, 0.05), 1.0, rng.gauss(1, 0.05)], np.float32)
        self._field: NDArray[np.float32] = (even[..., None] * tint).astype(np.float32)
        amount = rng.uniform(1.0, 5.0)
        grains = noise.standard_normal((height + 64, width + 64)).astype(np.float32) * amount
        self._grain = cv2.merge([grains] * 3).astype(np.int16)
        self._blur = rng.choice((0.0, 0.5, 0.8))
        self._quality = rng.randint(62, 93)
        self._lights = self._light_changes()

    def _light_changes(self) -> list[tuple[float, float, float]]:
        """(when, how long it takes, brightness from then on), in seconds."""
        changes, at, level = [(0.0, 0.0, 1.0)], 0.0, 1.0
        while at < _HORIZON:
            at += self.rng.uniform(9, 32)
            level = self.rng.uniform(0.72, 1.12)
            changes.append((at, self.rng.choice((0.05, 0.4, 2.5)), level))
        return changes

    def brightness(self, time: float) -> float:
        """How bright the light is at a time in seconds."""
        level = 1.0
        for at, takes, target in self._lights:
            if time < at:
                break
            level += (target - level) * min(1.0, (time - at) / max(takes, 1e-6))
        return level

    def take(self, clean: Pixels, time: float, rng: random.Random) -> Pixels:
        """The frame as it comes out of the camera."""
        seen = cv2.multiply(
            clean, self._field, scale=self.brightness(time) * rng.gauss(1, 0.004), dtype=cv2.CV_8U
        )
        if self._blur:
            seen = cv2.GaussianBlur(seen, (3, 3), self._blur)
        x, y = rng.randrange(64), rng.randrange(64)
        width, height = self.size
        grain = self._grain[y : y + height, x : x + width]
        seen = cv2.add(seen, grain, dtype=cv2.CV_8U)
        packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, self._quality])[1]
        return cv2.imdecode(packed, cv2.IMREAD_COLOR)
