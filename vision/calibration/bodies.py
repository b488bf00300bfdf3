"""A tile as a body on the table, seen from anywhere: its face, its sides, its neighbours.

The reader's box holds the whole tile. Seen from low down, the face is a slanted part of it and the
dark or bright sides are the rest, so a picture of the face alone does not show what a photo will.
Units are face widths; the faces lie in the plane z = 0, the bodies below it, the camera above.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.classifier import MARGIN
from vision.opencv import cv2

Rng = np.random.Generator

# Chances of a neighbour to the sides and above or below: in a row, in a grid, in a column.
_BESIDE_ABOVE = ((0.85, 0.1), (0.85, 0.7), (0.15, 0.8))
_LOWEST = 0.3  # radians of elevation: lower than this the face can hardly be read
_FINE = 3  # binary digits of the fraction in which corners of sides are drawn


@dataclass(frozen=True, eq=False)
class _Eye:
    """Where the camera is: its turn (world to camera, z towards it) and its distance."""

    turn: np.ndarray
    distance: float

    def seen(self, points: np.ndarray) -> np.ndarray:
        """n x 3 to n x 2."""
        at = points @ self.turn.T
        return np.asarray(at[:, :2] / (self.distance - at[:, 2:]))

    @property
    def place(self) -> np.ndarray:
        return np.asarray(self.turn.T @ np.array([0.0, 0.0, self.distance]))


@dataclass(frozen=True, eq=False)
class _Tile:
    picture: np.ndarray
    corners: np.ndarray
    light: float


def stand(
    face: np.ndarray,
    neighbours: Sequence[np.ndarray],
    table: np.ndarray,
    side: int,
    far: float,
    rng: Rng,
) -> tuple[np.ndarray, np.ndarray]:
    """The tile as the reader would cut it out of a photo from another place.

    Args:
        face: Its face, BGR.
        neighbours: Faces that may lie beside it; may be empty.
        table: A colour or a picture of bare table, put behind everything.
        side: Side of the picture, pixels.
        far: How far the camera goes from straight above, 0..1.
        rng: Source of randomness.

    Returns:
        side x side x 3 BGR uint8, and where the face's corners lie in it: 4 x 2 pixels, clockwise
        from what is top left on the upright face.
    """
    height = face.shape[0] / face.shape[1]
    thick = rng.uniform(0.5, 0.95) * min(1.0, height)
    eye = _eye(far, rng)
    tiles = _laid(face, neighbours, height, rng)
    tiles.sort(key=lambda tile: float((tile.corners.mean(axis=0) @ eye.turn.T)[2]))
    mine = next(tile for tile in tiles if tile.picture is face).corners
    hull = np.concatenate([eye.seen(mine), eye.seen(mine - [0, 0, thick])])
    low, high = hull.min(axis=0), hull.max(axis=0)
    reach = float((high - low).max()) * MARGIN * np.exp(rng.normal(0, 0.05))
    middle = (low + high) / 2 + rng.normal(0, 0.025, 2) * reach

    def pixels(points: np.ndarray) -> np.ndarray:
        at = ((eye.seen(points) - middle) / reach + 0.5) * side - 0.5
        return np.asarray(at, np.float32)

    picture = np.empty((side, side, 3), np.uint8)
    picture[:] = cv2.resize(table, (side, side)) if table.ndim == 3 else table
    _paint_sides(picture, tiles, eye, pixels, thick, rng)
    for tile in tiles:  # faces lie above every side
        _paint_face(picture, tile, pixels(tile.corners))
    return picture, pixels(mine)


def _eye(far: float, rng: Rng) -> _Eye:
    """From above in a quarter of the looks, else from lower down, from any side."""
    if rng.random() < 0.25:
        tilt = abs(rng.normal(0, 0.12 * far))
    else:
        tilt = 0.05 + abs(rng.normal(0, 0.62)) * far
    tilt = min(tilt, np.pi / 2 - _LOWEST)
    spread = 45 if rng.random() < 0.4 else 9
    azimuth = rng.integers(4) * np.pi / 2 + np.deg2rad(rng.normal(0, spread * max(far, 0.35)))
    roll = np.deg2rad(rng.normal(0, 4))
    if rng.random() < 0.35:  # standing on its side, or the photo is turned
        roll += rng.integers(4) * np.pi / 2
    turn = _about(roll, 0, 1) @ _about(tilt, 1, 2) @ _about(azimuth, 0, 1)
    return _Eye(turn, float(np.exp(rng.uniform(np.log(4), np.log(20)))))


def _about(angle: float, first: int, second: int) -> np.ndarray:
    """A rotation in the plane of two axes."""
    turn = np.eye(3)
    turn[first, first] = turn[second, second] = np.cos(angle)
    turn[first, second], turn[second, first] = -np.sin(angle), np.sin(angle)
    return turn


def _laid(
    face: np.ndarray, neighbours: Sequence[np.ndarray], height: float, rng: Rng
) -> list[_Tile]:
    gap = float(rng.choice((0, 0.01, 0.03, 0.15)))
    beside, above = _BESIDE_ABOVE[int(rng.integers(len(_BESIDE_ABOVE)))]
    alone = not neighbours or rng.random() < 0.3
    tiles = []
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            centre = (row, column) == (0, 0)
            chance = (1.0 if column == 0 else beside) * (1.0 if row == 0 else above)
            if not centre and (alone or rng.random() > chance):
                continue
            other = face if centre else neighbours[int(rng.integers(len(neighbours)))]
            picture = other if centre or other is not face else other.copy()
            x, y = column * (1 + gap), row * (height + gap)
            corners = np.array(
                [
                    (x + a / 2, y + b * height / 2, 0.0)
                    for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
                ]
            )
            tiles.append(_Tile(picture, corners, float(np.exp(rng.normal(0, 0.06)))))
    return tiles


def _paint_sides(
    picture: np.ndarray,
    tiles: Sequence[_Tile],
    eye: _Eye,
    pixels: Callable[[np.ndarray], np.ndarray],
    thick: float,
    rng: Rng,
) -> None:
    """The sides that the camera sees, in the colour of the face's rim and of some back."""
    rim = tiles[0].picture
    edges = (rim[:3], rim[-3:], rim[:, :3], rim[:, -3:])
    body = np.median(np.concatenate([edge.reshape(-1, 3) for edge in edges]), axis=0)
    back = rng.integers(0, 256, 3) if rng.random() < 0.5 else body
    split = thick * rng.uniform(0.35, 0.75)
    shades = rng.uniform(0.45, 1.1, 4)
    for tile in tiles:
        for k in range(4):
            a, b = tile.corners[k], tile.corners[(k + 1) % 4]
            outward = np.array([(b - a)[1], -(b - a)[0], 0.0])
            if outward @ (eye.place - (a + b) / 2) <= 0:
                continue
            for top, bottom, colour in ((0.0, split, body), (split, thick, back)):
                heights = np.array([top, top, bottom, bottom])
                side = np.stack([a, b, b, a]) - heights[:, None] * [0, 0, 1]
                corners = np.round(pixels(side) * 2**_FINE).astype(np.int32)
                paint = [float(v) for v in np.clip(colour * shades[k], 0, 255)]
                cv2.fillConvexPoly(picture, corners, paint, cv2.LINE_AA, _FINE)


def _paint_face(picture: np.ndarray, tile: _Tile, corners: np.ndarray) -> None:
    height, width = tile.picture.shape[:2]
    side = picture.shape[0]
    own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    how = cv2.getPerspectiveTransform(own, corners)
    seen = cv2.warpPerspective(tile.picture, how, (side, side))
    cover = cv2.warpPerspective(np.full((height, width), 255, np.uint8), how, (side, side))
    part = cover[..., None].astype(np.float32) / 255
    # The border was warped in black, so `seen` is already its share of the cover.
    mixed = picture * (1 - part) + np.minimum(seen * tile.light, 255)
    picture[:] = np.clip(mixed, 0, 255).astype(np.uint8)
