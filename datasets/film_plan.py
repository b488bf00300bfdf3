"""A film without pixels: what lies where after every beat, and how much of it the camera sees.

Nothing is painted, so that whole rounds take seconds: for tests of what is made of the tiles'
places, and for finding out what a camera could know at best.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.film import Film
from datasets.film_script import Script
from datasets.film_truth import FilmEvent, FilmObject, FrameTruth
from datasets.scene_camera import Camera
from datasets.scene_items import Array, Item
from datasets.scene_types import SEATS, Box
from rules.events import EVENT_TYPES
from vision.opencv import cv2

# A face of which less can be seen, or that is seen at a more grazing angle, is no object.
LEAST_VISIBLE, LEAST_FACING = 0.3, 0.12
NEARLY_WHOLE = 0.9


@dataclass(frozen=True)
class Moment:
    """The table at rest for a while.

    Attributes:
        start, end: Seconds.
        truth: What lies there; `still` is that of the end.
        poses: Names one laying of a tile: it changes when the tile is moved.
    """

    start: float
    end: float
    truth: FrameTruth
    poses: dict[str, int]


class FilmPlan:
    """A film's beats as moments of rest.

    Attributes:
        events: What has happened in the moments given so far.
    """

    def __init__(self, film: Film) -> None:
        """Plan the film."""
        self.film = film
        self.events: list[FilmEvent] = []

    def moments(self) -> Iterator[Moment]:
        """One after every beat, at rest until something moves again."""
        film = self.film
        rng, stage = film._start()
        camera = film._camera(stage.places, rng)
        script = Script(film.round, film.me, stage.places, rng, film.short)
        self.events = []
        at, rolls, done, begun = 0.0, 0, 0, 0.0
        laid: dict[str, int] = {}
        objects: tuple[FilmObject, ...] | None = None
        still = 0.0
        for beat in script.beats():
            if beat.begins:
                begun = at
            start, at = at, at + beat.seconds
            if beat.dice is False:
                stage.dice.clear()
                objects = None
            if beat.throw is not None:
                stage.dice[:] = stage.rolled(beat.throw, script._rng)
                objects = None
            if beat.moves:
                stage.put(beat.moves)
                laid |= {str(tile): laid.get(str(tile), 0) + 1 for tile in beat.moves}
                objects = None
            if beat.event is not None:
                data = beat.event
                frames = round(begun * film.fps), round(at * film.fps)
                self.events.append(FilmEvent(len(self.events), *frames, data))
                rolls += data["type"] == "roll"
                done += data["type"] in EVENT_TYPES
            if objects is None:
                seen = _seen(dict(stage.things()), camera, film.size)
                objects = tuple(self._object(key, item, *what) for key, item, what in seen)
            resting = not beat.arms and beat.throw is None and not beat.moves
            still = still + beat.seconds if resting else 0.0
            frame = round(at * film.fps)
            truth = FrameTruth(frame, at, beat.phase, rolls, done, still, objects)
            yield Moment(start if resting else at, at, truth, dict(laid))

    def _object(
        self, key: str, item: Item, tile: str, box: Box, quad: Array, seen: float
    ) -> FilmObject:
        player = (SEATS.index(item.seat) + self.film.me) % 4 if item.seat else -1
        points = tuple((float(x), float(y)) for x, y in quad)
        role = "dice" if item.is_die else item.role
        return FilmObject(key, tile, box, points, item.seat, player, role, round(seen, 3))


_Seen = tuple[str, Item, tuple[str, Box, Array, float]]


def _seen(things: dict[str, Item], camera: Camera, size: tuple[int, int]) -> list[_Seen]:
    """Every tile and die with the name, box and quad of the side that shows, and its share."""
    width, height = size
    owner = np.zeros((height, width), np.int16)
    far = sorted(things, key=lambda k: -float(np.linalg.norm(things[k].centre - camera.position)))
    sides: dict[str, tuple[str, NDArray[np.float64]]] = {}
    for number, key in enumerate(far, 1):
        item = things[key]
        corners = item.corners()
        pixels, _ = camera.project(corners)
        hull = cv2.convexHull(pixels.astype(np.float32)).astype(np.int32)
        cv2.fillConvexPoly(owner, hull, number)
        side = _side(item, corners, camera)
        if side is not None:
            name, which = side
            outline = pixels if item.is_die else pixels[which]
            sides[key] = name, outline
            # Its own other sides do not hide it, but they are not it either.
            if not item.is_die:
                cv2.fillConvexPoly(owner, hull, -number)
                cv2.fillConvexPoly(owner, np.round(outline).astype(np.int32), number)
    found = []
    for number, key in enumerate(far, 1):
        if key not in sides:
            continue
        name, outline = sides[key]
        shown = _part(owner, number, outline)
        if shown is not None:
            found.append((key, things[key], (name, shown[0], outline[:4], shown[1])))
    return found


def _side(item: Item, corners: Array, camera: Camera) -> tuple[str, slice] | None:
    """Name and corners of the side that the camera sees; None when it sees neither well."""
    if item.is_die:
        return item.name, slice(0, 8)
    towards = camera.position - item.centre
    facing = float(item.rotation[:, 2] @ towards) / float(np.linalg.norm(towards))
    if abs(facing) < LEAST_FACING:
        return None
    return (item.name, slice(0, 4)) if facing > 0 else ("back", slice(4, 8))


def _part(owner: NDArray[np.int16], number: int, outline: Array) -> tuple[Box, float] | None:
    """Box and share of what can be seen of a side."""
    height, width = owner.shape
    hull = cv2.convexHull(outline.astype(np.float32))
    full = cv2.contourArea(hull) + cv2.arcLength(hull, True) / 2 + 1
    low = np.clip(np.floor(outline.min(0)).astype(int), 0, (width - 1, height - 1))
    high = np.clip(np.ceil(outline.max(0)).astype(int), 0, (width - 1, height - 1))
    mine = owner[low[1] : high[1] + 1, low[0] : high[0] + 1] == number
    share = min(1.0, float(mine.sum()) / full)
    if share < LEAST_VISIBLE:
        return None
    if share >= NEARLY_WHOLE:
        first, last = np.maximum(outline.min(0), 0), np.minimum(outline.max(0), (width, height))
        return (float(first[0]), float(first[1]), float(last[0]), float(last[1])), share
    ys, xs = np.flatnonzero(mine.any(axis=1)), np.flatnonzero(mine.any(axis=0))
    x1, y1 = float(low[0] + xs[0]), float(low[1] + ys[0])
    return (x1, y1, float(low[0] + xs[-1] + 1), float(low[1] + ys[-1] + 1)), share
