"""From an upright photo to the tiles in it: detector, classifier, and what the game knows."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision import quality
from vision.boxes import nested, twins
from vision.classifier import Classifier, TileSets
from vision.company import company, company_of_backs
from vision.context import settle_blanks
from vision.detector import Detections, Detector
from vision.fusion import GROUPS, Fused, fuse, seen_as_dice
from vision.knowledge import best_kinds, calibrate, crowding
from vision.model_store import ModelStore, open_store
from vision.photo import Photo
from vision.pips import count_pips
from vision.runtime import default_threads
from vision.second_look import SMALL_DIE, look_again
from vision.upright import foot_direction
from vision.values import CLASSES, FACES, PhotoReading, TileReading

# Boxes below this are never worth a crop: the fused confidence could not reach a threshold.
LEAST_SCORE = 0.12
NESTED_SHARE = 0.85
# Two finds of one name that overlap by this much (intersection over union) are one tile.
TWIN_SHARE = 0.35
# Boxes below this do not count towards "five of a kind".
LEAST_COUNTED = 0.25
ALTERNATIVES = 5
# A box that comes this near to the photo's edge may be cut off by it, pixels.
EDGE = 1.5
LEAST_MARGIN = 0.35
# What a taught set's pictures have settled is mostly plain; what is not, may be any other tile. (Of
# 691 faces of eight rendered odd sets five were wrong, all below this, and four of the right ones.)
TAUGHT_MARGIN = 0.7


@dataclass(frozen=True)
class Looked:
    """How a picture was looked at.

    Attributes:
        placed: It is a part of a table whose place is known.
        again: Small tiles and dice were looked at again, the dice from near.
    """

    placed: bool
    again: bool


class Stopwatch:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        """Start now."""
        self.ms: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """Book the time since the last lap on `stage`."""
        now = time.perf_counter()
        self.ms[stage] = self.ms.get(stage, 0.0) + (now - self._last) * 1000
        self._last = now


class Reader:
    """Reads photos; loads the models once and may be kept for as long as the program runs."""

    def __init__(
        self,
        store: ModelStore | None = None,
        threads: int | None = None,
        tile_sets: TileSets | None = None,
    ) -> None:
        """Load both models and run them once.

        Args:
            store: Where the models are; the shipped ones by default.
            threads: Threads a model may use; by default two where there are two cores.
            tile_sets: Sets taught by calibration; may be set at any time.

        Raises:
            ModelError: A model is missing or does not match its manifest.
        """
        self.store = store or open_store()
        self.tile_sets = tile_sets
        threads = threads or default_threads()
        self.detector = Detector(self.store.model("detector"), threads)
        self.classifier = Classifier(self.store.model("classifier"), threads)
        self._calibration = self.store.model("classifier").calibration
        self.detector.warm_up()
        self.classifier.warm_up()

    def read(
        self,
        photo: Photo,
        *,
        four_of_a_kind: bool = False,
        least_confidence: float | None = None,
        second_look: bool = True,
        faces: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> PhotoReading:
        """Find and name every tile and die.

        Args:
            photo: An upright photo.
            four_of_a_kind: The photo shows one set, so no kind may appear five times; tiles
                over that are renamed so that all names together are the likeliest.
            least_confidence: Report only what reaches it (0..1); the manifest's threshold by
                default.
            second_look: Look closer at small tiles.
            faces: How the faces in boxes (n x 4) lie: their corners, as `Classifier.classify`
                takes them.

        Returns:
            The reading, tiles ordered top to bottom and left to right.
        """
        least = self.store.threshold if least_confidence is None else least_confidence
        watch = Stopwatch()
        found = self.detector.detect(photo.pixels, LEAST_SCORE)
        watch.lap("detect")
        if second_look:
            found, windows = look_again(self.detector, photo.pixels, found, LEAST_SCORE)
            if windows:
                watch.lap("second_look")
        quads = None if faces is None else faces(found.boxes)
        dice = seen_as_dice(found.probabilities)
        answers = self.classifier.classify(photo.pixels, found.boxes, self.tile_sets, quads, dice)
        watch.lap("classify")
        taught = self.tile_sets is not None and len(found.boxes) > 0 and self.tile_sets.in_use
        margin = TAUGHT_MARGIN if taught else LEAST_MARGIN
        looked = Looked(placed=faces is not None, again=second_look)
        tiles = self._name(photo, found, answers, least, four_of_a_kind, margin, looked)
        watch.lap("decide")
        notes = quality.inspect(photo.pixels, tiles)
        if self.tile_sets is not None and len(found.boxes):
            notes += self.tile_sets.notes()
        watch.lap("quality")
        return PhotoReading(photo.name, photo.width, photo.height, tiles, watch.ms, notes)

    def for_film(self) -> Reader:
        """A reader with the same models that remembers the tile set from look to look."""
        twin = copy.copy(self)
        twin.tile_sets = None if self.tile_sets is None else self.tile_sets.following()
        return twin

    def _name(
        self,
        photo: Photo,
        found: Detections,
        answers: np.ndarray,
        least: float,
        four_of_a_kind: bool,
        least_margin: float,
        looked: Looked,
    ) -> tuple[TileReading, ...]:
        fused = fuse(found.probabilities, answers, self.classifier.classes)
        fused = settle_blanks(photo.pixels, found.boxes, fused)
        hidden = nested(found.boxes, fused.confidences, NESTED_SHARE)
        hidden |= twins(
            found.boxes, np.where(fused.rejected, 0, fused.confidences), fused.best, TWIN_SHARE
        )
        confidences, records = self._confidences(
            photo, found.boxes, fused, ~hidden & ~fused.rejected, looked
        )
        kept = np.flatnonzero(~fused.rejected & ~hidden & (confidences >= least))
        names = fused.best.copy()
        moved = _one_set(fused, kept, names) if four_of_a_kind else set()
        tiles = [
            replace(
                self._tile(
                    photo,
                    found.boxes[i],
                    fused,
                    int(i),
                    int(names[i]),
                    confidences[i],
                    least_margin,
                ),
                record=records[i],
            )
            for i in kept
        ]
        tiles = [
            replace(tile, doubtful=True) if int(i) in moved else tile
            for tile, i in zip(tiles, kept, strict=True)
        ]
        return in_reading_order(tiles)

    def _confidences(
        self, photo: Photo, boxes: np.ndarray, fused: Fused, shown: np.ndarray, looked: Looked
    ) -> tuple[np.ndarray, list[str]]:
        """Calibrated confidences, and the record by which each was judged.

        Faces of which more than four are `shown` lose some.
        """
        raw = fused.confidences.copy()
        groups = GROUPS[fused.best]
        faces, dice = shown & (groups == 0), shown & (groups == 2)
        counted = np.flatnonzero(faces & (raw >= LEAST_COUNTED))
        raw[counted] *= crowding(fused.best[counted])
        beside = company(boxes, raw, faces, dice, looked.placed)
        of_backs = company_of_backs(boxes, raw, shown & (groups < 2))
        scale = self.detector.side / max(photo.width, photo.height)
        small = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0) * scale < SMALL_DIE
        tiny_die = "near" if looked.again else "small"
        records = [
            (near, back, tiny_die if tiny else "die")[group]
            for near, back, tiny, group in zip(beside, of_backs, small, groups, strict=True)
        ]
        values = [
            calibrate(float(value), self._calibration.get(record, ()))
            for value, record in zip(raw, records, strict=True)
        ]
        return np.array(values), records

    def _tile(
        self,
        photo: Photo,
        box: np.ndarray,
        fused: Fused,
        row: int,
        name: int,
        confidence: float,
        least_margin: float,
    ) -> TileReading:
        shares = fused.shares[row]
        order = np.argsort(-shares, kind="stable")[:ALTERNATIVES]
        tile = CLASSES[name]
        if name != int(order[0]):
            # Reassigned: as sure as its share against the name it gave up.
            confidence *= float(shares[name] / max(shares[name] + shares[order[0]], 1e-9))
        pips = count_pips(photo.pixels, box) if tile.startswith("die") else None
        margin = float(shares[order[0]] - shares[order[1]])
        doubtful = (
            confidence < self.store.doubt_below
            or margin < least_margin
            or (pips is not None and tile != f"die{pips}")
            or (tile.startswith("die") and _cut_off(photo, box))
        )
        return TileReading(
            tile=tile,
            confidence=float(confidence),
            box=(float(box[0]), float(box[1]), float(box[2]), float(box[3])),
            alternatives=tuple((CLASSES[k], float(shares[k])) for k in order),
            doubtful=doubtful,
            detector_p=float(fused.detector[row]),
            pips=pips,
            down=foot_direction(photo.pixels, box) if tile.endswith("m") else None,
        )


def _cut_off(photo: Photo, box: np.ndarray) -> bool:
    """Whether the photo's edge cuts through the box: of a die, its side may be all that shows."""
    beyond = np.array([photo.width, photo.height]) - box[2:]
    return bool(min(box[:2].min(), beyond.min()) <= EDGE)


def _one_set(fused: Fused, kept: np.ndarray, names: np.ndarray) -> set[int]:
    """Rename the faces among `kept` so that none appears five times; the rows renamed."""
    faces = [int(i) for i in kept if names[i] < len(FACES)]
    if len(faces) > 4 * len(FACES):
        return set()
    before = names.copy()
    names[faces] = best_kinds(fused.shares[faces][:, : len(FACES)])
    return {i for i in faces if names[i] != before[i]}


def in_reading_order(tiles: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """Top to bottom in bands of about a tile's height, left to right within a band."""
    if not tiles:
        return ()
    band = float(np.median([tile.box[3] - tile.box[1] for tile in tiles])) * 0.6
    rows: list[list[TileReading]] = []
    for tile in sorted(tiles, key=lambda t: t.centre[1]):
        if rows and tile.centre[1] - rows[-1][-1].centre[1] < band:
            rows[-1].append(tile)
        else:
            rows.append([tile])
    ordered = [tile for row in rows for tile in sorted(row, key=lambda t: t.centre[0])]
    return tuple(replace(tile, index=index) for index, tile in enumerate(ordered))
