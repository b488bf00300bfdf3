"""Small dice pasted into training pictures: dice far from the camera, on any ground.

The dice photos show dice large, on plain cloth. A die at a real table is a few dozen pixels and
lies on whatever lies there. So dice are cut out of their photos, shrunk, turned, recoloured and
laid on the other pictures where nothing else is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from models.augment import Rng, cast_anew
from models.sources import Boxes, Image, Labelled
from vision.opencv import cv2

CUT_SIDE = 96  # a cut-out die is kept at this size, pixels
MARGIN = 0.25
# A cut-out is believed when its hull fills the labelled box nearly, but not like a square would.
LEAST_EXTENT = 0.85
LEAST_FILLED, MOST_FILLED = 0.5, 0.97
SMALLEST, LARGEST = 12.0, 44.0  # longer side of a pasted die, pixels
MOST_AT_ONCE = 5
TRIES = 12


def cut_out(picture: Image, box: np.ndarray) -> tuple[Image, Image] | None:
    """The die in `box` (x1, y1, x2, y2 pixels) apart from its ground.

    Returns:
        Its pixels (CUT_SIDE square, BGR) and its mask (0 or 255), or None when it does not come
        away cleanly.
    """
    height, width = picture.shape[:2]
    margin = MARGIN * (box[2:] - box[:2])
    x1, y1 = np.maximum(box[:2] - margin, 0).astype(int)
    x2, y2 = np.minimum(box[2:] + margin, (width, height)).astype(int)
    if min(x2 - x1, y2 - y1) < 12:
        return None
    size = (CUT_SIDE, CUT_SIDE)
    patch = np.asarray(cv2.resize(picture[y1:y2, x1:x2], size, interpolation=cv2.INTER_AREA))
    scale = CUT_SIDE / np.array([x2 - x1, y2 - y1] * 2)
    left, top, right, bottom = ((box - (x1, y1, x1, y1)) * scale).astype(int)
    trimap = np.full(size, cv2.GC_BGD, np.uint8)
    trimap[top:bottom, left:right] = cv2.GC_PR_FGD
    third = ((right - left) // 3, (bottom - top) // 3)
    trimap[top + third[1] : bottom - third[1], left + third[0] : right - third[0]] = cv2.GC_FGD
    cv2.grabCut(patch, trimap, None, np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    parts = ((trimap == cv2.GC_FGD) | (trimap == cv2.GC_PR_FGD)).astype(np.uint8)
    outlines, _ = cv2.findContours(parts, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = cv2.convexHull(max(outlines, key=cv2.contourArea))
    _, _, wide, high = cv2.boundingRect(outline)
    filled = cv2.contourArea(outline) / max(wide * high, 1)
    extent = min(wide / max(right - left, 1), high / max(bottom - top, 1))
    if extent < LEAST_EXTENT or not LEAST_FILLED <= filled <= MOST_FILLED:
        return None
    mask = np.zeros(size, np.uint8)
    cv2.fillConvexPoly(mask, outline, 255)
    return patch, mask


class SmallDice:
    """Lays cut-out dice on pictures.

    Args:
        photos: pictures with labelled dice.
        longest: longer side at which they are read, pixels.
    """

    def __init__(self, photos: Sequence[Labelled], longest: int) -> None:
        self.photos = [item for item in photos if len(item.boxes)]
        self._longest = longest
        self._cut = lru_cache(maxsize=4000)(self._cut_of)

    def lay(self, image: Image, boxes: Boxes, known: np.ndarray, rng: Rng) -> tuple[Image, Boxes]:
        """Lay a few dice where `image` is known to be empty.

        Args:
            image: square picture, BGR; not changed.
            boxes: n x 5, class and corners in pixels: what lies there already.
            known: cells of 8 x 8 pixels whose labels are complete.
            rng: source of randomness.

        Returns:
            A picture with dice and its boxes.
        """
        image, taken = image.copy(), boxes
        for _ in range(int(rng.integers(1, MOST_AT_ONCE + 1))):
            die = self._draw(rng)
            if die is None:
                continue
            kind, pixels, mask = die
            place = _free(taken, known, pixels.shape, image.shape[0], rng)
            if place is None:
                continue
            x, y = place
            _blend(image, pixels, mask, x, y, rng)
            ys, xs = np.nonzero(mask > 127)
            new = [[kind, x + xs.min(), y + ys.min(), x + xs.max() + 1, y + ys.max() + 1]]
            taken = np.concatenate([taken, np.array(new, np.float32)])
        return image, taken

    def _cut_of(self, photo: int, row: int) -> tuple[Image, Image] | None:
        item = self.photos[photo]
        picture = item.load(self._longest)
        height, width = picture.shape[:2]
        return cut_out(picture, item.boxes[row, 1:] * (width, height, width, height))

    def _draw(self, rng: Rng) -> tuple[float, Image, Image] | None:
        """A die's class, its pixels and its mask, at a random size and angle."""
        for _ in range(TRIES):
            photo = int(rng.integers(len(self.photos)))
            row = int(rng.integers(len(self.photos[photo].boxes)))
            cut = self._cut(photo, row)
            if cut is not None:
                break
        else:
            return None
        pixels, mask = cut
        side = float(np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST))))
        scale = side / CUT_SIDE * (1 + 2 * MARGIN)
        if rng.random() < 0.5:
            pixels = cast_anew(pixels, rng)
        reach = int(np.ceil(CUT_SIDE * scale * 1.45)) + 2
        matrix = cv2.getRotationMatrix2D((CUT_SIDE / 2,) * 2, float(rng.uniform(0, 360)), scale)
        matrix[:, 2] += reach / 2 - CUT_SIDE / 2
        small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        rough = cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_AREA)
        matrix[:, :2] /= scale  # shrunk first, then turned
        matrix[:, 2] = reach / 2 - matrix[:, :2] @ (small.shape[1] / 2, small.shape[0] / 2)
        how = {"flags": cv2.INTER_LINEAR, "dsize": (reach, reach), "M": matrix}
        turned = np.asarray(cv2.warpAffine(small, borderMode=cv2.BORDER_REPLICATE, **how))
        outline = np.asarray(cv2.warpAffine(rough, **how))
        if (outline > 127).sum() < 30:
            return None
        return float(self.photos[photo].boxes[row, 0]), turned, outline


def _free(
    taken: Boxes, known: np.ndarray, shape: tuple[int, ...], size: int, rng: Rng
) -> tuple[int, int] | None:
    """A corner at which a patch of `shape` covers no box and only known cells."""
    high, wide = shape[:2]
    cell = size / len(known)
    for _ in range(TRIES):
        x, y = int(rng.integers(size - wide)), int(rng.integers(size - high))
        first, last = (
            (int(x / cell), int(y / cell)),
            (int((x + wide) / cell), int((y + high) / cell)),
        )
        if not known[first[1] : last[1] + 1, first[0] : last[0] + 1].all():
            continue
        apart = (
            (taken[:, 1] > x + wide)
            | (taken[:, 3] < x)
            | (taken[:, 2] > y + high)
            | (taken[:, 4] < y)
        )
        if apart.all():
            return x, y
    return None


def _blend(image: Image, pixels: Image, mask: Image, x: int, y: int, rng: Rng) -> None:
    """Lay the die at (x, y), its shadow first, its light after that of the ground."""
    high, wide = mask.shape
    ground = image[y : y + high, x : x + wide].astype(np.float32)
    alpha = cv2.GaussianBlur(mask, (0, 0), 0.6).astype(np.float32)[..., None] / 255
    if rng.random() < 0.7:
        reach = max(1.0, wide * 0.05)
        move = np.array([[1, 0, rng.normal(0, reach)], [0, 1, abs(rng.normal(0, reach))]])
        shade = cv2.warpAffine(mask, move, (wide, high))
        shade = cv2.GaussianBlur(shade, (0, 0), reach).astype(np.float32)[..., None] / 255
        ground = ground * (1 - rng.uniform(0.15, 0.6) * shade)
    light = float(np.clip(ground.mean() / 128, 0.45, 1.2)) ** rng.uniform(0, 0.8)
    die = np.clip(pixels.astype(np.float32) * light, 0, 255)
    image[y : y + high, x : x + wide] = (ground * (1 - alpha) + die * alpha).astype(np.uint8)
