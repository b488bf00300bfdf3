"""One tile set being taught through the page: its photos' tiles, what they are, when it learns.

Everything is in memory and belongs to one guided calibration: of a photo only small pictures of its
tiles stay, and they are forgotten with it. Nothing is stored before somebody says so.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from server.calibration_learning import Learning
from server.calibration_result import Place
from server.errors import ApiError

if TYPE_CHECKING:
    from vision.calibration import Example, TileSet
    from vision.calibration.views import Patch
    from vision.photo import Photo
    from vision.reader import Reader
    from vision.values import Box, TileReading

MOST_PHOTOS = 8
MOST_TILES = 150
ALTERNATIVES = 5


@dataclass
class BenchTile:
    """One tile of a photo: as it is read, and what a person says it is (None: no example)."""

    reading: TileReading
    name: str | None
    patch: Patch


@dataclass
class BenchPhoto:
    """What stays of a photo."""

    number: int
    width: int
    height: int
    others: bool
    tiles: list[BenchTile]
    bare: list[Example] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The tiles with their boxes, in pixels of the upright photo."""
        return {
            "number": self.number,
            "width": self.width,
            "height": self.height,
            "others": self.others,
            "tiles": [reading_json(t.reading) | {"tile": t.name} for t in self.tiles],
        }


def reading_json(tile: TileReading) -> dict[str, Any]:
    """A tile of a calibration photo for the page."""
    return {
        "tile": tile.tile,
        "box": [round(v, 1) for v in tile.box],
        "doubtful": tile.doubtful,
        "alternatives": [[name, round(p, 4)] for name, p in tile.alternatives[:ALTERNATIVES]],
    }


class Bench:
    """One guided calibration; its methods may be called from several threads.

    Attributes:
        key: Names it in addresses.
        add_to: The stored set that learns more; None for a new set.
        used: When it was last asked for, monotonic seconds.
    """

    def __init__(self, add_to: TileSet | None, stored: Callable[[], Sequence[TileSet]]) -> None:
        """Nothing on it yet.

        Args:
            add_to: see the attribute.
            stored: the sets that are stored, to say which of them the photos show.
        """
        self.key = secrets.token_urlsafe(9)
        self.add_to = add_to
        self.used = time.monotonic()
        self._stored = stored
        self._lock = threading.RLock()
        self._photos: dict[int, BenchPhoto] = {}
        self._next = 0
        self._learning: Learning | None = None
        self._dropped = threading.Event()

    # Photos

    def look(self, reader: Reader, photo: Photo, guided: bool, others: bool) -> list[TileReading]:
        """The tiles of a picture with their first names; nothing of it is kept.

        Raises:
            ApiError: there are too many (422).
        """
        from vision.calibration import tile_boxes
        from vision.calibration.names import suggest_names, suggest_others
        from vision.values import FACES

        found = tile_boxes(reader, photo)
        if len(found) > MOST_TILES:
            raise ApiError(
                422,
                "too_many_tiles",
                f"照片里有 {len(found)} 张牌，太多了。每种摆一张就够。",
                f"{len(found)} tiles in one photo are too many: one of each kind will do.",
            )
        if others:
            return suggest_others(found)
        return suggest_names(found, guided, self.to_json()["missing"] or FACES)

    def add_photo(self, reader: Reader, photo: Photo, guided: bool, others: bool) -> BenchPhoto:
        """Take the tiles of a photo.

        Raises:
            ApiError: no tiles are found, or there are too many photos or tiles (422); it learns
                at present (409).
        """
        found = self.look(reader, photo, guided, others)
        if not found:
            raise ApiError(
                422,
                "no_tiles",
                "没有找到牌。请把牌正面朝上摆成几行，从上方拍清楚。",
                "No tiles were found. Lay them face up in rows and take the photo from above.",
            )
        return self._take(photo, found, others)

    def add_corrections(self, told: Sequence[tuple[str, Photo, Box]]) -> BenchPhoto:
        """Take corrections made in play, all as one photo.

        Args:
            told: what it is, a small picture of it, and the tile's box in the picture.

        Raises:
            ApiError: as `add_photo`.
        """
        from vision.calibration.examples import examples_of
        from vision.values import TileReading

        tiles = []
        for tile, photo, box in told:
            reading = TileReading(tile, 1.0, box)
            tiles.append(BenchTile(reading, tile, examples_of(photo, [reading])[0].patch))
        return self._keep(BenchPhoto(0, 0, 0, True, tiles))

    def _take(self, photo: Photo, found: Sequence[TileReading], others: bool) -> BenchPhoto:
        from vision.calibration.examples import examples_of
        from vision.values import NONE

        cut = examples_of(photo, found, 0, found)
        patches = [e.patch for e in cut if e.tile != NONE]
        tiles = [BenchTile(t, t.tile, p) for t, p in zip(found, patches, strict=True)]
        bare = [e for e in cut if e.tile == NONE]
        return self._keep(BenchPhoto(0, photo.width, photo.height, others, tiles, bare))

    def _keep(self, photo: BenchPhoto) -> BenchPhoto:
        with self._changing():
            if len(self._photos) >= MOST_PHOTOS:
                raise ApiError(
                    422,
                    "too_many_photos",
                    f"最多 {MOST_PHOTOS} 张照片。请先去掉一张。",
                    f"At most {MOST_PHOTOS} photos; take one away first.",
                )
            photo.number, self._next = self._next, self._next + 1
            self._photos[photo.number] = photo
            return photo

    def name(self, number: int, names: Sequence[str | None]) -> None:
        """What the tiles of a photo are, in order; None: no example.

        Raises:
            ApiError: no such photo (404), or not a name for each tile (422).
        """
        from vision.values import CLASSES

        with self._changing():
            photo = self._photo(number)
            if len(names) != len(photo.tiles) or any(n not in (None, *CLASSES) for n in names):
                raise ApiError(
                    422,
                    "bad_names",
                    f"要为 {len(photo.tiles)} 张牌各给一个名称或 null。",
                    f"Give a tile, back, die1-die6 or null for each of {len(photo.tiles)} tiles.",
                )
            for tile, told in zip(photo.tiles, names, strict=True):
                tile.name = told

    def take_away(self, number: int) -> None:
        """Forget a photo (ApiError 404 when there is none such)."""
        with self._changing():
            self._photo(number)
            del self._photos[number]

    def _photo(self, number: int) -> BenchPhoto:
        if number not in self._photos:
            raise ApiError(404, "no_photo", "没有这张照片。", "There is no such photo.")
        return self._photos[number]

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the lock for a change, after which nothing has been learnt any more."""
        with self._lock:
            if self._learning is not None and self._learning.state == "learning":
                raise ApiError(
                    409, "learning", "正在学，请等它学完。", "It is learning; wait for the end."
                )
            self._learning = None
            yield

    # Learning

    def learn(self, reader: Reader, insist: bool, done: Callable[[], None]) -> None:
        """Begin to learn in the background.

        Args:
            reader: has the classifier.
            insist: the names have been looked at again.
            done: called at the end, whatever it is.

        Raises:
            ApiError: it learns already (409), or there is nothing to learn from (422).
        """
        with self._changing():
            examples, places = self._examples()
            if not any(place is not None for place in places) and self.add_to is None:
                raise ApiError(
                    422, "no_photo", "先拍一张照片。", "Give a photo of the tiles first."
                )
            learning = self._learning = Learning(
                self.add_to, examples, places, insist, self._dropped
            )

        def work() -> None:
            try:
                learning.run(reader.classifier, self._stored)
            finally:
                done()

        threading.Thread(target=work, name="learn-tile-set", daemon=True).start()

    def _examples(self) -> tuple[list[Example], list[Place | None]]:
        """The examples as they are named now, and the (photo, tile) that each one is."""
        from vision.calibration import Example

        examples: list[Example] = []
        places: list[Place | None] = []
        for photo in self._photos.values():
            for at, tile in enumerate(photo.tiles):
                if tile.name is None:
                    continue
                x1, y1, x2, y2 = tile.reading.box
                side = max(x2 - x1, y2 - y1)
                examples.append(Example(tile.name, tile.patch, photo.number, side))
                places.append((photo.number, at))
            examples += [Example(e.tile, e.patch, photo.number, e.side) for e in photo.bare]
            places += [None] * len(photo.bare)
        return examples, places

    def learnt(self) -> TileSet:
        """What was learnt.

        Raises:
            ApiError: nothing yet (409).
        """
        with self._lock:
            if self._learning is None or self._learning.result is None:
                raise ApiError(
                    409, "nothing_learnt", "还没有学。先学，再存。", "Nothing is learnt yet."
                )
            return self._learning.result.taught

    def drop(self) -> None:
        """Give it up; learning ends at its next step."""
        self._dropped.set()

    # Telling

    def to_json(self) -> dict[str, Any]:
        """Photos, the kinds shown and missing, the learning."""
        from vision.calibration import key_of
        from vision.values import BACK, DICE, FACES

        with self._lock:
            shown = {t.name for photo in self._photos.values() for t in photo.tiles}
            return {
                "id": self.key,
                "add_to": None
                if self.add_to is None
                else {"key": key_of(self.add_to.name), "name": self.add_to.name},
                "photos": [photo.to_json() for photo in self._photos.values()],
                "have": [tile for tile in FACES if tile in shown],
                "missing": [tile for tile in FACES if tile not in shown],
                "back": BACK in shown,
                "dice": [tile for tile in DICE if tile in shown],
                "learning": None if self._learning is None else self._learning.to_json(),
            }
