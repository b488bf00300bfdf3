"""Whole tables for tests: laid by hand, seen by a known camera, with exact labels."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np

from datasets.scene_camera import Camera, aim
from datasets.scene_clutter import ClutterBox
from datasets.scene_stage import Stage
from datasets.tile_sets import TileSet, drawn_set
from vision.table import Placement
from vision.values import TileReading

HALF = 13.5
CORNERS = np.array([(-HALF, -HALF, 0), (HALF, -HALF, 0), (HALF, HALF, 0), (-HALF, HALF, 0)])


def stage_of(seed: int, tiles: TileSet | None = None) -> Stage:
    """An empty stage."""
    rng = random.Random(f"table test {seed}")
    return Stage(rng, tiles or drawn_set(rng), ClutterBox(seed))


def camera_of(view: str, size: int = 1000, azimuth: float = 0.0) -> Camera:
    """A camera that sees the whole table, from above or from the near seat."""
    elevation, distance = (1.45, 60.0) if view == "overhead" else (0.72, 40.0)
    return aim(CORNERS, elevation, -math.pi / 2 + azimuth, distance, 0.0, 0.95, size)


def placement_of(camera: Camera, view: str) -> Placement:
    """The true placement of a camera."""
    pixels, _ = camera.project(CORNERS)
    corners = tuple((float(x), float(y)) for x, y in pixels / camera.size)
    return Placement("test", view, corners, tile=1 / HALF)  # type: ignore[arg-type]


def readings_of(
    stage: Stage,
    camera: Camera,
    visible: Callable[[str, str], bool] = lambda role, seat: True,
    jitter: float = 0.0,
) -> tuple[list[TileReading], list[tuple[str, str, str]]]:
    """What a perfect reader would see of each face or back turned to the camera, and the truth.

    Boxes are those of the side seen. Truth: (tile, role, seat) by index.
    """
    rng = random.Random(len(stage.items))
    tiles: list[TileReading] = []
    truth = []
    for item in stage.items:
        if not item.name or not visible(item.role, item.seat):
            continue
        corners = item.corners()
        face, back = corners[:4], corners[4:]
        towards = camera.position - item.centre
        shows_face = float(item.rotation[:, 2] @ towards) > 0
        side = corners if item.is_die else face if shows_face else back
        steep = abs(float(item.rotation[:, 2] @ towards)) / float(np.linalg.norm(towards))
        if not item.is_die and steep < 0.25:
            continue
        pixels, _ = camera.project(side)
        low, high = pixels.min(0), pixels.max(0)
        shift = np.array([rng.gauss(0, jitter) for _ in range(4)])
        box = tuple(float(v) for v in np.concatenate([low, high]) + shift)
        name = item.name if item.is_die or shows_face else "back"
        tiles.append(TileReading(name, 0.95, box, ((name, 0.95),), index=len(tiles)))  # type: ignore[arg-type]
        truth.append((name, item.role, item.seat))
    return tiles, truth
