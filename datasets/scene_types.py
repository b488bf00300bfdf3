"""What a rendered scene is: the picture and the exact truth about everything in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Box = tuple[float, float, float, float]

#: Class names in the order of the models: 34 faces, the back, six dice.
CLASS_NAMES: tuple[str, ...] = (
    *(f"{n}{suit}" for suit in "mps" for n in range(1, 10)),
    *(f"{n}z" for n in range(1, 8)),
    "back",
    *(f"die{n}" for n in range(1, 7)),
)
CLASS_INDEX = {name: i for i, name in enumerate(CLASS_NAMES)}
FACES = CLASS_NAMES[:34]

#: The seats as the camera's owner sees them.
SEATS = ("self", "right", "across", "left")
ROLES = ("hand", "drawn", "meld", "pond", "wall", "indicator", "dice", "loose")


@dataclass(frozen=True)
class SceneObject:
    """One labelled tile or die.

    Attributes:
        tile: MPSZ code, `back` or `die1`..`die6`.
        box: x1, y1, x2, y2 in pixels of what can be seen of the face (of the whole die), clipped
            to the picture.
        quad: 4 x 2 float32 corners of the face in reading order (top left, top right, bottom
            right, bottom left as the tile itself is read), not clipped; of a die the upper side.
        seat: whose tile it is (`SEATS`), or "" where that has no meaning.
        role: one of `ROLES`.
        visible: share of the face that is neither covered nor outside of the picture.
    """

    tile: str
    box: Box
    quad: NDArray[np.float32]
    seat: str
    role: str
    visible: float


@dataclass(frozen=True)
class Scene:
    """A picture (H x W x 3 uint8 BGR), its labelled objects, and the kind of layout."""

    image: Pixels
    objects: tuple[SceneObject, ...]
    kind: str = ""

    def yolo(self) -> NDArray[np.float32]:
        """The labels as n x 5 float32: class, centre x and y, width, height, all 0..1."""
        height, width = self.image.shape[:2]
        rows = [
            (
                CLASS_INDEX[o.tile],
                (o.box[0] + o.box[2]) / 2 / width,
                (o.box[1] + o.box[3]) / 2 / height,
                (o.box[2] - o.box[0]) / width,
                (o.box[3] - o.box[1]) / height,
            )
            for o in self.objects
        ]
        return np.asarray(rows, np.float32).reshape(-1, 5)
