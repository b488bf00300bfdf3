"""Films of whole rounds: frames as a camera would give them, with the truth about every one.

Example:
    >>> film = Film(seed=3, view="seat", short=True, width=320)
    >>> image, truth = next(film.frames())
    >>> image.shape, truth.phase
    ((240, 320, 3), 'build')
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from datasets.film_arms import Arm
from datasets.film_camera import VIEWS, Lens, between, film_camera, pushed
from datasets.film_picture import TablePicture
from datasets.film_places import Places
from datasets.film_round import play_for_film
from datasets.film_script import ArmMove, Beat, Script
from datasets.film_stage import FilmStage, carried, tumbling
from datasets.film_truth import FilmEvent, FilmObject, FrameTruth
from datasets.scene_camera import Camera
from datasets.scene_items import Item
from datasets.scene_render import Painter
from datasets.scene_types import SEATS, Pixels, SceneObject
from datasets.tile_sets import TileSet
from rules.events import EVENT_TYPES
from rules.round import Round

_EXPOSURES = 4  # pictures that make up a frame of rolling dice


class Film:
    """One round, filmed.

    Args:
        seed: names the round, the tile set, the table, the camera and all that happens by the way.
        view: "overhead" or "seat".
        short: a soon won round, no shuffling, fewer rests: for tests.
        width: of the picture in pixels; the height is three quarters of it.
        fps: frames per second.
        speed: above 1 everything goes faster.
        shared: see `SceneGenerator`: further tile sets in half of the films.

    Attributes:
        round: the finished round that is shown.
        me: the seat of the rules that sits before the camera.
        events: what has happened in the frames given so far.

    Raises:
        ValueError: for an unknown view or a size or rate that cannot be; the message says which.
    """

    def __init__(
        self,
        seed: int,
        view: str = "overhead",
        *,
        short: bool = False,
        width: int = 960,
        fps: int = 6,
        speed: float = 1.0,
        shared: Path | None = None,
    ) -> None:
        if view not in VIEWS:
            raise ValueError(f"no view {view!r}: use one of {', '.join(VIEWS)}")
        if width < 64 or width % 16 or fps < 1 or speed <= 0:
            raise ValueError("width must be a multiple of 16 from 64 on, fps and speed above 0")
        self.seed, self.view, self.short, self.fps, self.speed = seed, view, short, fps, speed
        self.size = (width, width * 3 // 4)
        self.round: Round = play_for_film(seed, short)
        rng = random.Random(f"{seed} film {view}")
        self.me = rng.randrange(4)
        self.events: list[FilmEvent] = []
        self._shared = shared

    @property
    def tile_set(self) -> TileSet:
        """The tile set that is played with."""
        return self._start()[1].tile_set

    def header(self) -> dict[str, Any]:
        """What the first line of a truth file says."""
        rng, stage = self._start()
        camera = self._camera(stage.places, rng)
        edge = stage.places.edge
        corners = np.array([(-edge, -edge, 0), (edge, -edge, 0), (edge, edge, 0), (-edge, edge, 0)])
        pixels, _ = camera.project(corners)
        return {
            "seed": self.seed,
            "view": self.view,
            "width": self.size[0],
            "height": self.size[1],
            "fps": self.fps,
            "me": self.me,
            "corners": [[round(float(v), 1) for v in point] for point in pixels],
            "tile": round(1 / edge, 6),
            "round": self.round.to_json(),
        }

    def frames(self) -> Iterator[tuple[Pixels, FrameTruth]]:
        """The frames one after another (height x width x 3 uint8 BGR) with their truth.

        Every call films the same anew.
        """
        rng, stage = self._start()
        run = _Run(self, stage, self._camera(stage.places, rng), rng)
        self.events = run.events
        script = Script(self.round, self.me, stage.places, rng, self.short)
        for beat in script.beats():
            yield from run.beat(beat)

    def _start(self) -> tuple[random.Random, FilmStage]:
        rng = random.Random(f"{self.seed} scenery {self.view}")
        assert self.round.setup.wall is not None
        return rng, FilmStage(self.round.setup.wall, self.seed, rng, self._shared)

    def _camera(self, places: Places, rng: random.Random) -> Camera:
        return film_camera(self.view, places.edge, self.size, rng)


class _Run:
    """One showing of a film: the state between beats."""

    def __init__(self, film: Film, stage: FilmStage, camera: Camera, rng: random.Random) -> None:
        self._film, self._stage, self._camera = film, stage, camera
        self.events: list[FilmEvent] = []
        self._rng = random.Random(rng.randrange(2**31))
        self._lens = Lens(film.size, random.Random(rng.randrange(2**31)))
        self._arms = [Arm(side, random.Random(rng.randrange(2**31))) for side in range(4)]
        self._frame, self._rolls, self._done, self._start = 0, 0, 0, 0
        self._last_motion = 0
        self._base: tuple[frozenset[str], Painter, tuple[FilmObject, ...]] | None = None
        self._picture: TablePicture | None = None

    def beat(self, beat: Beat) -> Iterator[tuple[Pixels, FrameTruth]]:
        """Film one beat and put everything where it is at its end."""
        if beat.begins:
            self._start = self._frame
        if beat.dice is False:
            self._stage.dice.clear()
            self._base = None
        count = max(1, round(beat.seconds * self._film.fps / self._film.speed))
        if beat.seconds > 0:
            if beat.throw is not None:
                yield from self._throw(beat, max(count, 3))
            elif beat.nudge:
                yield from self._nudge(beat, count)
            else:
                yield from self._plain(beat, count)
        if beat.moves:
            self._stage.put(beat.moves)
            self._base = None
        if beat.event is not None:
            self._note(beat)

    def _note(self, beat: Beat) -> None:
        assert beat.event is not None
        event = FilmEvent(len(self.events), self._start, self._frame, beat.event)
        self.events.append(event)
        self._rolls += event.type == "roll"
        self._done += event.type in EVENT_TYPES

    # Ways of filming

    def _plain(self, beat: Beat, count: int) -> Iterator[tuple[Pixels, FrameTruth]]:
        moving = {str(tile): pose for tile, pose in beat.moves.items()}
        base, objects = self._static(frozenset(moving))
        if not moving and not beat.arms:
            for _ in range(count):
                yield self._shoot(base.picture, beat, objects, moved=False)
            return
        for number in range(count):
            share = (number + 1) / (count + 1)
            painter = base.fork()
            items = [carried(self._stage.tiles[key], pose, share) for key, pose in moving.items()]
            painter.paint(items)
            keys = {id(item): key for key, item in zip(moving, items, strict=True)}
            self._paint_arms(painter, beat.arms, share)
            yield self._shoot(painter.picture, beat, self._objects(painter, keys))

    def _throw(self, beat: Beat, count: int) -> Iterator[tuple[Pixels, FrameTruth]]:
        assert beat.throw is not None
        base, _ = self._static(frozenset())
        side = beat.arms[0].side
        rests = self._stage.rolled(beat.throw, self._rng)
        for number in range(count):
            total = np.zeros(base.picture.shape, np.uint16)
            for part in range(_EXPOSURES):
                share = (number + part / _EXPOSURES) / count
                painter = base.fork()
                dice = [tumbling(rest, side, share, self._rng) for rest in rests]
                painter.paint(dice)
                total += painter.picture
            painter.picture[:] = (total // _EXPOSURES).astype(np.uint8)
            if number < 2:
                self._paint_arms(painter, beat.arms, 1 - number / 2)
            keys = {id(die): f"die{k}" for k, die in enumerate(dice)}
            yield self._shoot(painter.picture, beat, self._objects(painter, keys))
        self._stage.dice[:] = rests
        self._base = None

    def _nudge(self, beat: Beat, count: int) -> Iterator[tuple[Pixels, FrameTruth]]:
        before, after = self._camera, pushed(self._camera, self._rng)
        for number in range(count):
            swing = math.sin((number + 1) / count * math.pi / 2) * self._rng.uniform(0.9, 1.15)
            self._camera = between(before, after, swing)
            self._base = None
            base, objects = self._static(frozenset())
            yield self._shoot(base.picture, beat, objects)
        self._camera, self._base = after, None

    # Parts of a frame

    def _static(self, without: frozenset[str]) -> tuple[Painter, tuple[FilmObject, ...]]:
        """The table at rest, but for some tiles."""
        if self._base is None or self._base[0] != without:
            self._picture = self._stage.paint(self._camera, self._film.size, without, self._picture)
            painter = self._picture.painter
            self._base = without, painter, self._objects(painter, {})
        return self._base[1], self._base[2]

    def _paint_arms(self, painter: Painter, arms: tuple[ArmMove, ...], share: float) -> None:
        for move in arms:
            home = self._stage.home(move.side)
            start, end = np.array(move.start or home), np.array(move.end or home)
            x, y = start + (end - start) * share
            self._arms[move.side].paint(painter, (float(x), float(y)))

    def _objects(self, painter: Painter, moving: dict[int, str]) -> tuple[FilmObject, ...]:
        keys = {id(item): key for key, item in self._stage.things()}
        found = []
        for item, seen in painter.found():
            key = moving.get(id(item)) or keys[id(item)]
            found.append(self._object(item, seen, key, id(item) in moving))
        return tuple(found)

    def _object(self, item: Item, seen: SceneObject, key: str, moving: bool) -> FilmObject:
        rolling = moving and item.is_die
        seat = item.seat
        player = (SEATS.index(seat) + self._film.me) % 4 if seat else -1
        quad = tuple((float(x), float(y)) for x, y in seen.quad)
        tile = "" if rolling else seen.tile
        return FilmObject(key, tile, seen.box, quad, seat, player, seen.role, seen.visible, moving)

    def _shoot(
        self, clean: Pixels, beat: Beat, objects: tuple[FilmObject, ...], moved: bool = True
    ) -> tuple[Pixels, FrameTruth]:
        if moved:
            self._last_motion = self._frame
        time = self._frame / self._film.fps
        truth = FrameTruth(
            self._frame,
            round(time, 4),
            beat.phase,
            self._rolls,
            self._done,
            round((self._frame - self._last_motion) / self._film.fps, 4),
            objects,
        )
        self._frame += 1
        return self._lens.take(clean, time, self._rng), truth
