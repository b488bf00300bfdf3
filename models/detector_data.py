"""Training pictures for the detector: sample number i is always the same picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from models.augment import (
    Rng,
    about_pixel_centres,
    cast_anew,
    colour_and_noise,
    move_boxes,
    placement,
)
from models.small_dice import SmallDice
from models.sources import Boxes, Image, Labelled
from vision.detector import LETTERBOX_GREY
from vision.fusion import DICE_START
from vision.opencv import cv2

STRIDE = 8

# As the reader's second look at a small die: how many of its sides the window is wide, how far its
# middle may be off (in sides), and below which share of the picture a die counts as small.
NEAR_WINDOW, NEAR_OFF, NEAR_BELOW = (6.0, 10.0), 0.1, 0.07


@dataclass(frozen=True)
class DetectorSample:
    """One training picture.

    Attributes:
        image: size x size x 3 uint8, RGB.
        boxes: n x 5 float32: class, centre x, centre y, width, height as shares of the side.
        known: size/8 x size/8 bool: cells in which a missing label means no face.
        bare: the same for cells in which it means no back and no die.
    """

    image: Image
    boxes: Boxes
    known: np.ndarray
    bare: np.ndarray


class DetectorData:
    """Draws training pictures from weighted groups of labelled pictures.

    Args:
        groups: the groups with their shares; an empty group's share goes to the others.
        seed: first part of every sample's seed.
        longest: longer side of the pictures kept in memory, pixels.
        mosaic: share of samples made of four pictures.
        first_groups: how many groups are drawn from before sample number `all_from`.
        all_from: the sample number from which every group is drawn from.
        small_dice: share of the pictures on which small dice are laid.
        dice: pictures with labelled dice, from which they are cut.
        recoloured: share of the dice photos that are shown in other colours.
        near_dice: share of the pictures with a small die that show it from near, as blurred as
            a second look at a small thing is.
    """

    def __init__(
        self,
        groups: Sequence[tuple[float, Sequence[Labelled]]],
        seed: int,
        longest: int,
        mosaic: float,
        first_groups: int,
        all_from: int,
        small_dice: float = 0.0,
        dice: Sequence[Labelled] = (),
        recoloured: float = 0.0,
        near_dice: float = 0.0,
    ) -> None:
        self.items = [list(items) for _, items in groups]
        weights = np.array([share if items else 0.0 for share, items in groups])
        early = weights * (np.arange(len(weights)) < first_groups)
        if not early.sum():
            raise FileNotFoundError("there is no labelled picture to train on")
        self.shares = (early / early.sum(), weights / weights.sum())
        self.all_from = all_from
        self.seed = seed
        self.mosaic = mosaic
        self.recoloured = recoloured
        self.near_dice = near_dice
        self.small_dice = small_dice if dice else 0.0
        self._dice = SmallDice(dice, longest)
        self._load = lru_cache(maxsize=1600)(lambda item: item.load(longest))

    def sample(self, number: int, size: int) -> DetectorSample:
        """Training picture `number` at `size` x `size` pixels."""
        rng = np.random.default_rng([self.seed, number])
        shares = self.shares[number >= self.all_from]
        if rng.random() >= self.mosaic:
            image, boxes, known, bare = self._one(rng, size, shares)
        else:
            half = size // 2
            image = np.zeros((size, size, 3), np.uint8)
            known = np.zeros((size // STRIDE, size // STRIDE), bool)
            bare = known.copy()
            parts = []
            for corner in range(4):
                y, x = corner // 2 * half, corner % 2 * half
                tile, found, cells, empty = self._one(rng, half, shares)
                image[y : y + half, x : x + half] = tile
                cell_y, cell_x = y // STRIDE, x // STRIDE
                there = np.s_[cell_y : cell_y + len(cells), cell_x : cell_x + len(cells)]
                known[there], bare[there] = cells, empty
                parts.append(found + np.array([0, x, y, x, y], np.float32))
            boxes = np.concatenate(parts)
        if rng.random() < self.small_dice:
            image, boxes = self._dice.lay(image, boxes, known, rng)
        image = colour_and_noise(image, rng)
        if self.near_dice and rng.random() < self.near_dice:
            image, boxes, known, bare = from_near(image, boxes, known, bare, rng)
        corners = boxes[:, 1:] / size
        centre, extent = (corners[:, :2] + corners[:, 2:]) / 2, corners[:, 2:] - corners[:, :2]
        yolo = np.concatenate([boxes[:, :1], centre, extent], 1).astype(np.float32)
        return DetectorSample(np.ascontiguousarray(image[..., ::-1]), yolo, known, bare)

    def _one(
        self, rng: Rng, size: int, shares: np.ndarray
    ) -> tuple[Image, Boxes, np.ndarray, np.ndarray]:
        items = self.items[int(rng.choice(len(self.items), p=shares))]
        item = items[int(rng.integers(len(items)))]
        source = self._load(item)
        height, width = source.shape[:2]
        scale = np.array([width, height, width, height], np.float32)
        boxes = item.boxes.copy()
        boxes[:, 1:] *= scale
        focus = _focus(boxes, item, scale, rng)
        matrix = placement((height, width), focus, size, rng)
        shrink = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
        image = _warp(source, matrix, size, shrink, rng)
        if item.only_dice() and rng.random() < self.recoloured:
            image = cast_anew(image, rng)
        moved, cut = move_boxes(boxes, matrix, size)
        known, bare = _known(item, scale, matrix, size, cut)
        return image, moved, known, bare


def from_near(
    image: Image, boxes: Boxes, known: np.ndarray, bare: np.ndarray, rng: Rng
) -> tuple[Image, Boxes, np.ndarray, np.ndarray]:
    """The surroundings of one of the small dice as a second look at it sees them, if there is one.

    Args:
        image: square picture, BGR.
        boxes: n x 5, class and corners in pixels.
        known, bare: cells of 8 x 8 pixels, as of `DetectorSample`.
        rng: source of randomness.

    Returns:
        The same four of the enlarged part, or as they were when no die in the picture is small.
    """
    size = image.shape[0]
    sides = (boxes[:, 3:] - boxes[:, 1:3]).max(1, initial=0)
    small = np.flatnonzero((boxes[:, 0] >= DICE_START) & (sides < NEAR_BELOW * size))
    if not len(small):
        return image, boxes, known, bare
    die = int(rng.choice(small))
    width = sides[die] * rng.uniform(*NEAR_WINDOW)
    middle = (boxes[die, 1:3] + boxes[die, 3:]) / 2 + rng.normal(0, NEAR_OFF, 2) * sides[die]
    scale = size / width
    matrix = np.column_stack([np.eye(2) * scale, -scale * (middle - width / 2)])
    grey = (LETTERBOX_GREY,) * 3
    near = cv2.warpAffine(image, about_pixel_centres(matrix), (size, size), borderValue=grey)
    moved, cut = move_boxes(boxes, matrix, size)
    middles = (np.arange(size // STRIDE) + 0.5) * STRIDE
    places = np.stack(np.meshgrid(middles, middles), -1).reshape(-1, 2)
    cells = np.floor((places - matrix[:, 2]) / scale / STRIDE).astype(int)
    outside = ((cells < 0) | (cells >= len(known))).any(1)
    column, row = cells.clip(0, len(known) - 1).T
    unclear = np.zeros(len(places), bool)
    for region in cut:
        unclear |= _inside(places, region)
    kept = [
        ((mask[row, column] | outside) & ~unclear).reshape(mask.shape) for mask in (known, bare)
    ]
    return np.asarray(near, np.uint8), moved, kept[0], kept[1]


def _focus(
    boxes: Boxes, item: Labelled, scale: Boxes, rng: Rng
) -> tuple[float, float, float, float]:
    """The part of the picture to look at: all labels, a few neighbours, or anywhere."""
    if not len(boxes):
        x, y = rng.uniform(0.2, 0.8, 2) * scale[:2]
        span = float(rng.uniform(0.2, 0.5) * scale[0])
        return float(x - span), float(y - span), float(x + span), float(y + span)
    if rng.random() < 0.6:
        low, high = boxes[:, 1:3].min(0), boxes[:, 3:5].max(0)
    else:
        chosen = boxes[int(rng.integers(len(boxes)))]
        middle = (chosen[1:3] + chosen[3:5]) / 2
        reach = float((chosen[3:5] - chosen[1:3]).max()) * rng.uniform(1.5, 6)
        low, high = middle - reach, middle + reach
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _warp(source: Image, matrix: np.ndarray, size: int, shrink: float, rng: Rng) -> Image:
    fill = int(rng.choice((0, 114, 114, 200)))
    if shrink < 0.6:  # shrink first, so that small tiles are averaged and not sampled
        source = np.asarray(
            cv2.resize(source, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
        matrix = np.column_stack([matrix[:, :2] / shrink, matrix[:, 2]])
    matrix = about_pixel_centres(matrix)
    image = cv2.warpAffine(
        source, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=(fill, fill, fill)
    )
    return np.asarray(image, np.uint8)


def _known(
    item: Labelled, scale: Boxes, matrix: np.ndarray, size: int, cut: Boxes
) -> tuple[np.ndarray, np.ndarray]:
    """Cells of 8 x 8 pixels whose faces, and whose backs and dice, are all labelled, once moved."""
    middles = (np.arange(size // STRIDE) + 0.5) * STRIDE
    places = np.stack(np.meshgrid(middles, middles), -1).reshape(-1, 2)
    back = (places - matrix[:, 2]) @ np.linalg.inv(matrix[:, :2]).T / scale[:2]
    in_picture = _inside(back, (0.0, 0.0, 1.0, 1.0))
    unknown = in_picture & ~_inside(back, item.known)
    for region in item.ignore:
        unknown |= _inside(back, region)
    for region in cut:
        unknown |= _inside(places, region)
    known = ~unknown
    bare = known
    if item.faces_only:
        bare = ~in_picture
        for region in item.bare:
            bare |= known & _inside(back, region)
    side = (len(middles), len(middles))
    return known.reshape(side), bare.reshape(side)


def _inside(points: np.ndarray, region: Sequence[float] | np.ndarray) -> np.ndarray:
    x1, y1, x2, y2 = region
    return np.asarray(
        (points[:, 0] >= x1) & (points[:, 0] <= x2) & (points[:, 1] >= y1) & (points[:, 1] <= y2)
    )
