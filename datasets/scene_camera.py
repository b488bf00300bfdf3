"""A pinhole camera with slight radial distortion over a table.

The world: one unit is the width of a tile, z points up, the table is the plane z = 0, and the
player who holds the camera sits at negative y.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Where the camera stands and how it maps the world to pixels.

    Attributes:
        position: its centre in the world.
        axes: 3 x 3, rows are the picture's right, its down and the view direction.
        focal: focal length in pixels.
        centre: the principal point in pixels.
        distortion: radial coefficient; positive makes a pincushion, negative a barrel.
        size: side of the square picture in pixels.
    """

    position: Array
    axes: Array
    focal: float
    centre: tuple[float, float]
    distortion: float
    size: int

    def project(self, points: Array) -> tuple[Array, Array]:
        """Pixels (... x 2) and depths (...) of world points (... x 3); depth <= 0 is behind."""
        seen = (points - self.position) @ self.axes.T
        depth = seen[..., 2]
        flat = seen[..., :2] / np.maximum(depth, 1e-3)[..., None] * self.focal
        radius2 = (flat**2).sum(-1, keepdims=True) / (self.size / 2) ** 2
        flat = flat * (1 + self.distortion * np.minimum(radius2, 4))
        return flat + np.asarray(self.centre), depth

    def ground_matrix(self) -> Array:
        """The homography from table coordinates (x, y, 1) to pixels, without distortion."""
        shift = -self.axes @ self.position
        matrix = np.stack([self.axes[:, 0], self.axes[:, 1], shift], 1)
        inner = np.array(
            [[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]]
        )
        return inner @ matrix


def aim(
    focus: Array,
    elevation: float,
    azimuth: float,
    distance: float,
    roll: float,
    fill: float,
    size: int,
    distortion: float = 0.0,
) -> Camera:
    """A camera that looks at points of interest so that they fill the picture.

    Args:
        focus: n x 3 world points to frame.
        elevation: height of the view direction above the table, radians; pi / 2 is straight down.
        azimuth: where the camera stands around the focus, radians (-pi / 2: the owner's seat).
        distance: from the middle of the focus, in tile widths.
        roll: turn of the picture around the view direction, radians.
        fill: share of the picture the focus spans (above 1 some of it is cut off).
        size: side of the square picture in pixels.
        distortion: see `Camera`.
    """
    target = (focus.min(0) + focus.max(0)) / 2
    out = np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )
    forward = -out
    right = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    down = np.cross(forward, right)
    c, s = math.cos(roll), math.sin(roll)
    axes = np.stack([c * right + s * down, -s * right + c * down, forward])
    seen = (focus - target - out * distance) @ axes.T
    flat = seen[:, :2] / np.maximum(seen[:, 2:], 0.2)
    low, high = flat.min(0), flat.max(0)
    focal = fill * size / float(max(high - low))
    middle = size / 2 - focal * (low + high) / 2
    return Camera(
        target + out * distance,
        axes,
        focal,
        (float(middle[0]), float(middle[1])),
        distortion,
        size,
    )
