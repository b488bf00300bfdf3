"""Things on the table: tiles, dice and plain boxes, with their place, turn and look."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from datasets.scene_types import Pixels
from datasets.styles import RGB

Array = NDArray[np.float64]

#: Outward normals of a box's sides in its own axes (x right, y up as read, z out of the face).
NORMALS: dict[str, tuple[float, float, float]] = {
    "face": (0, 0, 1), "back": (0, 0, -1), "top": (0, 1, 0), "bottom": (0, -1, 0),
    "left": (-1, 0, 0), "right": (1, 0, 0),
}  # fmt: skip


def _corners(side: str) -> Array:
    """The side's corners in its reading order, as signs of the half sizes."""
    return np.array(
        {
            "face": [(-1, 1, 1), (1, 1, 1), (1, -1, 1), (-1, -1, 1)],
            "back": [(1, 1, -1), (-1, 1, -1), (-1, -1, -1), (1, -1, -1)],
            "top": [(-1, 1, -1), (1, 1, -1), (1, 1, 1), (-1, 1, 1)],
            "bottom": [(-1, -1, 1), (1, -1, 1), (1, -1, -1), (-1, -1, -1)],
            "left": [(-1, 1, -1), (-1, 1, 1), (-1, -1, 1), (-1, -1, -1)],
            "right": [(1, 1, 1), (1, 1, -1), (1, -1, -1), (1, -1, 1)],
        }[side],
        float,
    )


CORNERS: dict[str, Array] = {side: _corners(side) for side in NORMALS}


class Look(Protocol):
    """How a thing is painted: `texture` of a side (or None for plain) and its layers."""

    radius: float

    def texture(self, side: str, width: float) -> Pixels | None:
        """Picture of a side for a width of about `width` pixels, BGR, or None for plain."""

    def layers(self) -> tuple[tuple[float, RGB], ...]:
        """Share of the depth and colour of each layer, from the back to the face."""


@dataclass
class Item:
    """A box in the world.

    Attributes:
        name: MPSZ code, `flowerN`, `die1`..`die6`, or "" for a thing that is no tile.
        centre: its middle in the world.
        rotation: 3 x 3, columns are the box's right, up and out-of-face directions.
        size: width, height, thickness in tile widths.
        look: its paint.
        role, seat: see `SceneObject`.
        labelled_back: whether the back, when seen, is labelled `back`.
    """

    name: str
    centre: Array
    rotation: Array
    size: tuple[float, float, float]
    look: Look
    role: str = "loose"
    seat: str = ""
    labelled_back: bool = True
    focus: bool = field(default=True)

    @property
    def is_die(self) -> bool:
        """Whether it is a die."""
        return self.name.startswith("die")

    def corners(self) -> Array:
        """The eight corners in the world (face first)."""
        local = np.concatenate([CORNERS["face"], CORNERS["back"]]) * np.asarray(self.size) / 2
        return local @ self.rotation.T + self.centre

    def height(self) -> float:
        """How high the box reaches above the lowest of its points."""
        return float(np.abs(self.rotation[2]) @ np.asarray(self.size))


def lying(turn: float, face_up: bool = True) -> Array:
    """The rotation of a tile flat on the table, its top pointing to `turn` + 90 degrees."""
    c, s = math.cos(turn), math.sin(turn)
    if face_up:
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    return np.array([[-c, -s, 0], [-s, c, 0], [0, 0, -1.0]])


def standing(towards: float, lean: float = 0.0, spin: int = 0) -> Array:
    """The rotation of a standing tile whose face looks to the direction `towards`.

    `lean` tips the face up (radians); `spin` turns it by quarter turns in its own plane, so that
    2 stands it on its head.
    """
    out = np.array([math.cos(towards), math.sin(towards), 0])
    right = np.array([-math.sin(towards), math.cos(towards), 0])
    up = np.array([0, 0, 1.0])
    c, s = math.cos(lean), math.sin(lean)
    upright = np.stack([right, up * c - out * s, out * c + up * s], 1)
    return upright @ quarter(spin)


def quarter(spin: int) -> Array:
    """A turn by `spin` quarter turns around the axis out of the face."""
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[spin % 4]
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


#: Which value each side of a die shows: opposite sides sum to seven.
DIE_SIDES = {"face": 1, "back": 6, "right": 2, "left": 5, "top": 3, "bottom": 4}


def thrown(value: int, turn: float) -> Array:
    """The rotation of a die that shows `value` on top, turned by `turn` on the table."""
    up = np.array(NORMALS[next(s for s, v in DIE_SIDES.items() if v == value)], float)
    helper = np.array([1.0, 0, 0]) if abs(up[0]) < 0.5 else np.array([0, 1.0, 0])
    right = np.cross(helper, up)
    to_top = np.stack([right, np.cross(up, right), up])
    return lying(turn) @ to_top
