"""Many looks at one tile: what other photos of the same tile would show.

An example is a patch with some of its surroundings. A look puts the tile on the table again,
alone or among other tiles of its set, sees it from another place through another lens in other
light, and cuts it out as the reader would. A tile is never mirrored: that is no tile of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.calibration.bodies import stand
from vision.classifier import MARGIN, crop
from vision.opencv import cv2

PATCH_SIDE = 128
# The classifier's own crop is exactly the middle 96 of a patch's 128 pixels.
PATCH_MARGIN = MARGIN * 4 / 3
FAMILIES = ("place", "lens", "light")
"""Ways to differ: from where the tile is seen, how sharply, in which light."""
LITTLE = 0.4
BODIES = 0.8
"""Share of the looks at a tile that show its sides too."""
_LONGER = PATCH_SIDE / PATCH_MARGIN
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])

Rng = np.random.Generator


@dataclass(frozen=True, eq=False)
class Patch:
    """A tile with its surroundings.

    Attributes:
        pixels: `PATCH_SIDE` square, BGR uint8, the tile's box in the middle.
        size: Width and height of the box within it, pixels.
    """

    pixels: np.ndarray
    size: tuple[float, float]

    @property
    def tile(self) -> np.ndarray:
        """The box alone."""
        half_w, half_h = self.size[0] / 2, self.size[1] / 2
        middle = PATCH_SIDE / 2
        rows = slice(round(middle - half_h), round(middle + half_h))
        return self.pixels[rows, round(middle - half_w) : round(middle + half_w)]


def cut_patch(pixels: np.ndarray, box: np.ndarray) -> Patch:
    """The tile in `box` (x1, y1, x2, y2 in pixels) with its surroundings."""
    width, height = max(float(box[2] - box[0]), 1.0), max(float(box[3] - box[1]), 1.0)
    scale = _LONGER / max(width, height)
    size = (max(8.0, width * scale), max(8.0, height * scale))
    return Patch(crop(pixels, box, PATCH_SIDE, PATCH_MARGIN), size)


def plain_view(patch: Patch, side: int) -> np.ndarray:
    """What the classifier itself would cut out, `side` square."""
    inner = round(PATCH_SIDE * MARGIN / PATCH_MARGIN)
    start = (PATCH_SIDE - inner) // 2
    cut = patch.pixels[start : start + inner, start : start + inner]
    return np.asarray(cv2.resize(cut, (side, side), interpolation=cv2.INTER_LINEAR))


@dataclass(frozen=True, eq=False)
class Looks:
    """Looks at one patch.

    Attributes:
        pictures: n x side x side x 3, BGR uint8.
        families: For each the index in `FAMILIES` of the way it differs most from the example
            (-1: a plain view).
        corners: n x 4 x 2, where the tile's corners lie in the picture, pixels, clockwise from what
            is top left on the upright tile.
    """

    pictures: np.ndarray
    families: np.ndarray
    corners: np.ndarray


def views_of(
    patch: Patch,
    neighbours: Sequence[Patch],
    side: int,
    count: int,
    rng: Rng,
    body: bool = True,
) -> Looks:
    """`count` looks at a patch.

    Args:
        patch: The tile.
        neighbours: Other tiles of the set, to lie beside it; may be empty.
        side: Side of the classifier's input, pixels.
        count: How many; the first four are the plain view in its quarter turns.
        rng: Source of randomness.
        body: It is a tile, with sides; no piece of table and no die.
    """
    plain = plain_view(patch, side)
    half = np.array(patch.size) / PATCH_SIDE * PATCH_MARGIN / MARGIN * side / 2
    corners = 2 * _CORNERS * half
    looks, families, places = [], [], []
    for turns in range(min(4, count)):
        looks.append(np.rot90(plain, turns))
        families.append(-1)
        places.append(corners + side / 2 - 0.5)
        corners = corners[:, ::-1] * [1, -1]  # a quarter turn to the left
    for number in range(len(looks), count):
        family = number % len(FAMILIES)
        picture, place = _look(patch, neighbours, side, FAMILIES[family], rng, body)
        looks.append(picture)
        families.append(family)
        places.append(place)
    return Looks(np.stack(looks), np.asarray(families), np.asarray(places, np.float32))


def _look(
    patch: Patch, neighbours: Sequence[Patch], side: int, family: str, rng: Rng, body: bool
) -> tuple[np.ndarray, np.ndarray]:
    """One look: strongly different in its own family, a little in the others."""
    far = {name: 1.0 if name == family else LITTLE for name in FAMILIES}
    if body and rng.random() < BODIES:
        bare = patch.pixels[0, 0] if rng.random() < 0.4 else rng.integers(0, 256, 3)
        others = [other.tile for other in neighbours]
        look, corners = stand(patch.tile, others, np.asarray(bare), side, far["place"], rng)
    else:
        among = bool(neighbours) and rng.random() < 0.6
        table = _among(patch, neighbours, rng) if among else patch.pixels
        look, corners = _from_another_place(table, patch.size, side, far["place"], rng)
    return _lit(_through_lens(look, far["lens"], rng), far["light"], rng), corners


def _among(patch: Patch, neighbours: Sequence[Patch], rng: Rng) -> np.ndarray:
    """The tile on the table with neighbours to its sides, in the middle of the picture."""
    tile = patch.tile
    height, width = tile.shape[:2]
    gap = int(rng.choice((0, 0, 1, 3, 12)))
    table = np.empty((3 * height + 2 * gap, 3 * width + 2 * gap, 3), np.uint8)
    table[:] = patch.pixels[0, 0] if rng.random() < 0.5 else rng.integers(0, 256, 3)
    beside, above = rng.choice(((0.8, 0.15), (0.8, 0.7), (0.2, 0.8)))
    for row in range(3):
        for column in range(3):
            chance = (1.0 if column == 1 else beside) * (1.0 if row == 1 else above)
            if (row, column) != (1, 1) and rng.random() > chance:
                continue
            if (row, column) == (1, 1):
                cell = tile
            else:
                other = neighbours[int(rng.integers(len(neighbours)))].tile
                cell = cv2.resize(other, (width, height), interpolation=cv2.INTER_AREA)
            y, x = row * (height + gap), column * (width + gap)
            table[y : y + height, x : x + width] = cell
    return table


def _from_another_place(
    table: np.ndarray, size: tuple[float, float], side: int, far: float, rng: Rng
) -> tuple[np.ndarray, np.ndarray]:
    """The tile in the table's middle, turned, foreshortened and cut out as the reader would.

    Returns the picture, and where the tile's corners lie in it.
    """
    spread = 45 if rng.random() < 0.3 else 7
    angle = np.pi / 2 * rng.integers(4) + np.deg2rad(rng.normal(0, spread * far))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = np.diag([1.0, max(0.4, np.exp(-abs(rng.normal(0, 0.4 * far))))])
    slant = np.array([[1.0, rng.normal(0, 0.15 * far)], [0.0, 1.0]])
    seen = np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), int(rng.integers(4)))
    corners = _CORNERS * size @ (seen @ slant @ flat @ turn).T
    corners += rng.normal(0, 0.02 * far, (4, 2)) * max(size)
    low, high = corners.min(axis=0), corners.max(axis=0)
    reach = float((high - low).max()) * MARGIN * np.exp(rng.normal(0, 0.06 * far))
    middle = (low + high) / 2 + rng.normal(0, 0.03 * far, 2) * reach
    target = ((corners - middle) / reach + 0.5) * side - 0.5
    source = _CORNERS * size + np.array(table.shape[1::-1]) / 2 - 0.5
    how = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    picture = cv2.warpPerspective(table, how, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(picture), target


def _through_lens(look: np.ndarray, far: float, rng: Rng) -> np.ndarray:
    """Seen from farther away, out of focus, or moving."""
    side = look.shape[0]
    small = round(side * float(np.exp(-abs(rng.normal(0, 0.75 * far)))))
    if small < side - 2:
        tiny = cv2.resize(look, (max(small, 18),) * 2, interpolation=cv2.INTER_AREA)
        look = cv2.resize(tiny, (side, side), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.5 * far:
        look = cv2.GaussianBlur(look, (0, 0), rng.uniform(0.4, 1.3))
    if rng.random() < 0.25 * far:
        kernel = np.zeros((5, 5), np.float32)
        a, b = (int(v) for v in rng.integers(0, 5, 2))
        cv2.line(kernel, (0, a), (4, b), 1.0, 1)
        look = cv2.filter2D(look, -1, kernel / kernel.sum())
    return np.asarray(look)


def _lit(look: np.ndarray, far: float, rng: Rng) -> np.ndarray:
    """In other light: its colour, strength, contrast and fall-off, and a noisy sensor."""
    out: np.ndarray = look.astype(np.float32)
    tint = rng.normal(0, 0.12 * far, 3).astype(np.float32)
    out *= np.exp(tint)
    out = (out - 128) * rng.uniform(1 - 0.4 * far, 1 + 0.3 * far) + 128
    out += rng.uniform(-40, 40) * far
    if rng.random() < 0.5 * far:
        light = rng.uniform(0.55, 1.3, (3, 3)).astype(np.float32)
        out *= cv2.resize(light, out.shape[1::-1], interpolation=cv2.INTER_CUBIC)[..., None]
    gamma = float(np.exp(rng.normal(0, 0.3 * far)))
    out = np.asarray(255 * (np.clip(out, 0, 255) / 255) ** gamma, np.float32)
    if rng.random() < 0.25 * far:  # a dim room
        out *= rng.uniform(0.2, 0.7)
    if rng.random() < 0.2:
        out = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if rng.random() < 0.5 * far:
        out += rng.standard_normal(out.shape[:2], np.float32)[..., None] * rng.uniform(1, 14)
    if rng.random() < 0.2 * far:
        out += rng.standard_normal(out.shape, np.float32) * rng.uniform(1, 14)
    return np.clip(out, 0, 255).astype(np.uint8)
