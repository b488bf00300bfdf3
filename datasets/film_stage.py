"""The things of a film: 136 tiles with an identity, two dice, the table top and what lies about."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from datasets.film_picture import TablePicture
from datasets.film_places import Places, Pose
from datasets.scene_camera import Array, Camera
from datasets.scene_clutter import ClutterBox
from datasets.scene_dice import random_die
from datasets.scene_ground import paint_ground, table_top
from datasets.scene_items import Item, thrown
from datasets.scene_render import Light, paint_shadows
from datasets.scene_types import SEATS, Pixels
from datasets.tile_sets import SharedPictures, TileLook, drawn_set
from vision.opencv import cv2


class FilmStage:
    """Everything before the camera.

    Args:
        names: the 136 tiles by their place in the wall.
        seed: of the film.
        rng: source of every choice.
        shared: see `Film`.

    Attributes:
        tiles: every tile by its key "0".."135".
        dice: none, or the two at rest.
        places: where things lie.
        tile_set: what is played with.
    """

    def __init__(
        self, names: Sequence[str], seed: int, rng: random.Random, shared: Path | None
    ) -> None:
        pictures = SharedPictures(shared) if shared is not None else None
        if pictures is not None and not pictures.empty and rng.random() < 0.5:
            tile_set = pictures.choose(rng, one_set=True)
        else:
            tile_set = drawn_set(rng)
        self.tile_set = tile_set
        style = tile_set.style
        lean = rng.choice((0.0, 0.12, 0.3))
        mess = rng.uniform(0.3, 1.0)
        own = random.Random(rng.randrange(2**31))
        self.places = Places(style.aspect, style.thickness, lean, mess, own)
        size = (1.0, style.aspect, style.thickness)
        self.tiles = {
            str(place): Item(
                name,
                np.zeros(3),
                np.eye(3),
                size,
                TileLook(tile_set, name, rng.randrange(4096), style.corner_radius),
            )
            for place, name in enumerate(names)
        }
        self.dice: list[Item] = []
        self._die = random_die(rng)
        self._die_side = rng.uniform(0.48, 0.68)
        self._aside = self._things_aside(seed, rng)
        self._light = Light(
            _lamp(rng),
            ambient=rng.uniform(0.62, 0.85),
            shadow=rng.uniform(0.2, 0.5),
            softness=rng.choice((5, 9, 13)),
        )
        self._tops = [table_top(rng) for _ in range(2)]
        self._table = rng.random() < 0.6
        self._ground_seed = rng.random()
        self._grounds: dict[tuple[float, ...], Pixels] = {}

    def _things_aside(self, seed: int, rng: random.Random) -> list[Item]:
        """Cups, chips and the like in the corners of the table."""
        box, things = ClutterBox(seed), []
        for corner in rng.sample(((1, 1), (1, -1), (-1, 1), (-1, -1)), rng.randint(0, 3)):
            at = self.places.edge - 0.4
            thing = box.thing(rng, corner[0] * at, corner[1] * at, "piece")
            things.append(thing)
        return things

    def put(self, poses: Mapping[int, Pose]) -> None:
        """Lay tiles at their places."""
        for place, pose in poses.items():
            item = self.tiles[str(place)]
            item.centre, item.rotation = pose.centre, pose.rotation
            item.role = pose.role
            item.seat = SEATS[pose.side] if pose.side >= 0 else ""

    def things(self) -> Iterator[tuple[str, Item]]:
        """Keys and items of all tiles and dice."""
        yield from self.tiles.items()
        for k, die in enumerate(self.dice):
            yield f"die{k}", die

    def home(self, side: int) -> tuple[float, float]:
        """The edge of the table before a player."""
        angle, far = side * math.pi / 2, self.places.edge + 1.5
        return far * math.sin(angle), -far * math.cos(angle)

    def paint(
        self,
        camera: Camera,
        size: tuple[int, int],
        without: frozenset[str],
        before: TablePicture | None = None,
    ) -> TablePicture:
        """The table as it lies, but for some tiles or dice.

        Args:
            camera, size: as for `Film`.
            without: keys of what is left out.
            before: an earlier picture by the same camera, of which all that is the same is kept.
        """
        items = [item for key, item in self.things() if key not in without] + self._aside
        ground = self._ground(camera, size).copy()
        paint_shadows(ground, items, camera, self._light)
        if before is not None and before.camera is camera:
            return before.updated(ground, items)
        return TablePicture.painted(ground, items, camera, self._light)

    def _ground(self, camera: Camera, size: tuple[int, int]) -> Pixels:
        key = (*camera.position, *camera.axes.ravel())
        if key not in self._grounds:
            self._grounds.clear()
            width, height = size
            down = (width - height) / 2
            square = replace(camera, centre=(camera.centre[0], camera.centre[1] + down))
            rng = random.Random(self._ground_seed)
            reach = self.places.edge + 1.2 if self._table else None
            ground = paint_ground(square, rng, self._tops[0], self._tops[1], reach)
            self._grounds[key] = ground[int(down) : int(down) + height]
        return self._grounds[key]

    def rolled(self, values: tuple[int, int], rng: random.Random) -> list[Item]:
        """Two dice at rest in the middle of the table."""
        side = self._die_side
        apart, turn = rng.uniform(0.9, 2.6), rng.uniform(0, 2 * math.pi)
        middle = np.array([rng.uniform(-0.9, 0.9), rng.uniform(-0.9, 0.9)])
        away = np.array([math.cos(turn), math.sin(turn)]) * apart / 2
        return [
            Item(
                f"die{value}",
                np.array([*(middle + sign * away), side / 2]),
                thrown(value, rng.uniform(0, 2 * math.pi)),
                (side, side, side),
                self._die,
                "dice",
            )
            for value, sign in zip(values, (-1, 1), strict=True)
        ]


def carried(item: Item, pose: Pose, share: float) -> Item:
    """A tile on its way to a place, after a share of the way, lifted a little."""
    way = pose.centre - item.centre
    lift = min(1.2, 0.3 * float(np.linalg.norm(way))) * math.sin(math.pi * share)
    centre = item.centre + way * share + np.array([0, 0, lift + 0.05])
    rotation = item.rotation if share < 0.5 else pose.rotation
    seat = SEATS[pose.side] if pose.side >= 0 else ""
    return replace(item, centre=centre, rotation=rotation, role=pose.role, seat=seat)


def tumbling(rest: Item, side: int, share: float, rng: random.Random) -> Item:
    """A die thrown by a side's player, after a share of its way to where it comes to rest."""
    angle = side * math.pi / 2
    start = np.array([4.5 * math.sin(angle), -4.5 * math.cos(angle), 2.0])
    left = (1 - share) ** 1.7
    bounce = abs(math.cos(share * 9)) * 1.3 * (1 - share) ** 2
    centre = rest.centre + (start - rest.centre) * left
    centre[2] = rest.centre[2] * 1.25 + bounce
    turn, _ = cv2.Rodrigues(np.array([rng.gauss(0, 1) for _ in range(3)]) * 2.5 * left)
    spin: Array = np.asarray(turn, float) @ rest.rotation
    return replace(rest, centre=centre, rotation=spin)


def _lamp(rng: random.Random) -> Array:
    towards = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(1.0, 2)])
    return towards / np.linalg.norm(towards)
