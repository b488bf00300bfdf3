"""Training crops for the classifier: crop number i is always the same crop.

Crops are cut by the reader's own function, so that training and use see the same thing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from models.augment import Rng, cast_anew, colour_and_noise
from models.sources import BACK, NONE, Image, Labelled
from vision.classifier import MARGIN, crop
from vision.opencv import cv2
from vision.values import FACES

Place = tuple[Labelled, int]
WHITE = FACES.index("5z")

# Sides in pixels of dice shown from far away: their photos show them close.
FAR_SIDES = (12, 32)


class CropData:
    """Draws labelled crops from weighted sources.

    Args:
        photos: pictures with labelled tiles.
        dice: pictures with labelled dice and no tiles.
        scenes: rendered pictures, everything labelled.
        singles: pictures that one tile fills, with its class.
        shares: shares of photos, dice, scenes, singles and negatives.
        side: crop side, pixels.
        seed: first part of every crop's seed.
        longest: longer side of the pictures kept in memory, pixels.
        mined: pictures with false finds in place of labels; half of the negatives when given.
        mined_from: the crop number from which they are drawn from.
        recoloured, far: shares of the photographed dice that are shown in other colours, and small.
    """

    def __init__(
        self,
        photos: Sequence[Labelled],
        dice: Sequence[Labelled],
        scenes: Sequence[Labelled],
        singles: Sequence[tuple[Path, int]],
        shares: tuple[float, float, float, float, float],
        side: int,
        seed: int,
        longest: int,
        mined: Sequence[Labelled] = (),
        mined_from: int = 0,
        recoloured: float = 0.0,
        far: float = 0.0,
    ) -> None:
        self.by_class = [_by_class(group) for group in (photos, dice, scenes)]
        self.singles = list(singles)
        self.negatives = [*dice, *scenes]
        self.mined = [(item, row) for item in mined for row in range(len(item.boxes))]
        sources = [*self.by_class, self.singles, self.negatives]
        weights = np.array([w if items else 0.0 for w, items in zip(shares, sources, strict=True)])
        if not weights.sum():
            raise FileNotFoundError("there is no labelled tile to train on")
        self.shares = weights / weights.sum()
        self.mined_from = mined_from
        self.recoloured, self.far = recoloured, far
        self.side = side
        self.seed = seed
        self._load = lru_cache(maxsize=1600)(lambda item: item.load(longest))
        self._load_mined = lru_cache(maxsize=400)(lambda item: item.load(longest))
        self._single = lru_cache(maxsize=800)(_read)

    def sample(self, number: int) -> tuple[Image, int]:
        """Crop `number`: side x side x 3 uint8 RGB, and its class (41 = neither tile nor die)."""
        rng = np.random.default_rng([self.seed, 1, number])
        source = int(rng.choice(5, p=self.shares))
        if source == 3:
            patch, kind = self._paste_single(rng)
        elif source == 4:
            patch, kind = self._negative(rng, number >= self.mined_from), NONE
        else:
            patch, kind = self._labelled(self.by_class[source], rng)
            if source == 1 and rng.random() < self.recoloured:
                patch = cast_anew(patch, rng)
            if source == 1 and rng.random() < self.far:
                patch = _shrunk(patch, FAR_SIDES, rng)
        patch = colour_and_noise(_damage(patch, rng), rng)
        return np.ascontiguousarray(patch[..., ::-1]), kind

    def _labelled(self, places: dict[int, list[Place]], rng: Rng) -> tuple[Image, int]:
        kinds = sorted(places)
        kind = kinds[int(rng.integers(len(kinds)))]
        if (
            BACK in places and WHITE in places
        ):  # a back has as many looks as all faces, a white dragon as several
            kind = int(rng.choice((kind, BACK, WHITE), p=(0.86, 0.1, 0.04)))
        item, row = places[kind][int(rng.integers(len(places[kind])))]
        picture = self._load(item)
        height, width = picture.shape[:2]
        box = item.boxes[row, 1:] * (width, height, width, height)
        size = box[2:] - box[:2]
        if rng.random() < 0.03:  # beside the tile: parts of two tiles are no tile
            aside = rng.choice((-1, 1)) * rng.uniform(0.5, 0.65) * size[int(rng.integers(2))]
            axis = int(rng.integers(2))
            box[[axis, axis + 2]] += aside
            return self._turned(picture, box, rng), NONE
        middle = (box[:2] + box[2:]) / 2 + rng.normal(0, 0.04, 2) * size
        size = size * rng.uniform(0.9, 1.13, 2)
        box = np.concatenate([middle - size / 2, middle + size / 2])
        return self._turned(picture, box, rng), kind

    def _turned(self, picture: Image, box: np.ndarray, rng: Rng) -> Image:
        """Cut a box as the reader would if the table lay at another angle."""
        kind = rng.random()
        angle = 90.0 * int(rng.choice(4, p=(0.55, 0.15, 0.15, 0.15)))
        if kind < 0.35:
            angle += float(rng.normal(0, 5))
        elif kind < 0.5:
            angle += float(rng.uniform(0, 360))
        width, height = box[2:] - box[:2]
        reach = float(np.hypot(width, height)) * 0.6 + 4
        centre = (box[:2] + box[2:]) / 2
        around = np.concatenate([centre - reach, centre + reach])
        patch = crop(picture, around, max(8, round(2 * reach * MARGIN)))
        middle = patch.shape[0] / 2
        radians = np.deg2rad(angle)
        c, s = abs(np.cos(radians)), abs(np.sin(radians))
        half = np.array([width * c + height * s, width * s + height * c]) / 2
        if angle % 90:
            matrix = cv2.getRotationMatrix2D((middle, middle), angle, 1.0)
            patch = cv2.warpAffine(
                patch, matrix, patch.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
            )
        elif angle:
            patch = np.rot90(patch, int(angle // 90))
        inner = np.concatenate([middle - half, middle + half])
        return np.asarray(crop(np.ascontiguousarray(patch), inner, self.side), np.uint8)

    def _paste_single(self, rng: Rng) -> tuple[Image, int]:
        """A tile's portrait laid on a plain ground at a slight perspective."""
        file, kind = self.singles[int(rng.integers(len(self.singles)))]
        face = self._single(file)
        height, width = face.shape[:2]
        canvas: np.ndarray = np.full((200, 200, 3), rng.integers(0, 256, 3), np.uint8)
        scale = 120 / max(height, width)
        half = np.array([width, height]) * scale / 2
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + 100
        corners = (corners + rng.normal(0, 3, (4, 2))).astype(np.float32)
        full = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(full, corners)
        flat = cv2.warpPerspective(face, matrix, (200, 200), flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, (200, 200))
        canvas = np.where(mask[..., None] > 127, flat, canvas).astype(np.uint8)
        box = np.concatenate([corners.min(0), corners.max(0)])
        size = box[2:] - box[:2]
        box = box + np.concatenate([rng.normal(0, 0.03, 2) * size] * 2)
        return self._turned(canvas, box, rng), kind

    def _negative(self, rng: Rng, mined: bool) -> Image:
        """A place of a fully labelled picture that holds neither tile nor die."""
        if mined and self.mined and rng.random() < 0.5:
            item, row = self.mined[int(rng.integers(len(self.mined)))]
            picture = self._load_mined(item)
            height, width = picture.shape[:2]
            box = item.boxes[row, 1:] * (width, height, width, height)
            size = box[2:] - box[:2]
            middle = (box[:2] + box[2:]) / 2 + rng.normal(0, 0.05, 2) * size
            size = size * rng.uniform(0.9, 1.13, 2)
            return self._turned(
                picture, np.concatenate([middle - size / 2, middle + size / 2]), rng
            )
        for _ in range(20):
            item = self.negatives[int(rng.integers(len(self.negatives)))]
            picture = self._load(item)
            height, width = picture.shape[:2]
            most = 0.4 * min(height, width)
            span = float(np.exp(rng.uniform(np.log(FAR_SIDES[0]), np.log(most))))
            x, y = rng.uniform(0, width - span), rng.uniform(0, height - span)
            box = np.array([x, y, x + span, y + span * rng.uniform(0.7, 1.4)])
            labels = item.boxes[:, 1:] * (width, height, width, height)
            low, high = np.maximum(labels[:, :2], box[:2]), np.minimum(labels[:, 2:], box[2:])
            overlap = (high - low).clip(0).prod(1)
            area = (labels[:, 2:] - labels[:, :2]).prod(1)
            if not len(labels) or (overlap / np.maximum(area, 1)).max() < 0.15:
                return self._turned(picture, box, rng)
        return np.full((self.side, self.side, 3), int(rng.integers(256)), np.uint8)


def _by_class(items: Sequence[Labelled]) -> dict[int, list[Place]]:
    places: dict[int, list[Place]] = defaultdict(list)
    for item in items:
        for row, kind in enumerate(item.boxes[:, 0].astype(int)):
            places[kind].append((item, row))
    return dict(places)


def _read(file: Path) -> Image:
    picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(f"cannot read the training picture {file}")
    return np.asarray(picture, np.uint8)


def _shrunk(patch: Image, sides: tuple[int, int], rng: Rng) -> Image:
    """The same seen so small that it spans between so many pixels."""
    side = patch.shape[0]
    low, high = sides
    small = int(np.exp(rng.uniform(np.log(low), np.log(high))))
    patch = np.asarray(cv2.resize(patch, (small, small), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(patch, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)


def _damage(patch: Image, rng: Rng) -> Image:
    """Lost resolution and something in the way."""
    side = patch.shape[0]
    if rng.random() < 0.35:
        patch = _shrunk(patch, (18, 64), rng)
    if rng.random() < 0.1:
        patch = patch.copy()
        x, y, w, h = (int(v) for v in rng.integers(0, side // 3, 4))
        x, y = (x, y) if rng.random() < 0.5 else (side - x - w, side - y - h)
        patch[y : y + h, x : x + w] = rng.integers(0, 256, 3)
    return np.asarray(patch, np.uint8)
