"""Between the picture and the table: a homography, and from it the camera.

Table coordinates: the table's edges lie at -1 and 1, x to the right and y away as the player "me"
sees them, z up from the cloth, all in half table sides. "Me" sits at y = -1; seats count
anticlockwise (0 me, 1 right, 2 across, 3 left), as the rules deal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.opencv import cv2

CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
# Focal lengths of webcams and phones, in shares of the longer picture side.
LEAST_FOCAL, MOST_FOCAL, USUAL_FOCAL = 0.5, 4.0, 1.0
LEAST_EVIDENCE = 1e-4


@dataclass(frozen=True, eq=False)
class Plane:
    """How points of the table appear in a picture.

    Attributes:
        projection: 3 x 4, from table coordinates (x, y, z, 1) to pixels.
        size: Width and height of the picture.
    """

    projection: np.ndarray
    size: tuple[int, int]

    @classmethod
    def of(cls, corners: np.ndarray, size: tuple[int, int]) -> Plane:
        """From the table's four corners in pixels, in the order of `CORNERS`.

        The height above the cloth follows from the camera's pose: a square tells its focal length
        unless it is seen straight from above, where it does not matter.
        """
        ground = cv2.getPerspectiveTransform(
            CORNERS.astype(np.float32), np.asarray(corners, np.float32)
        )
        centre = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, 1.0]])
        focal = _focal(centre @ ground, float(max(size)))
        inner = np.diag([focal, focal, 1.0])
        pose = np.linalg.inv(inner) @ centre @ ground
        # The camera looks at the table: points of it lie before the camera.
        pose = pose * np.sign(pose[2] @ np.array([0, 0, 1.0]) or 1.0)
        length = float(np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1])))
        pose = pose / max(length, 1e-9)
        up = np.cross(pose[:, 0], pose[:, 1])
        whole = np.stack([pose[:, 0], pose[:, 1], up, pose[:, 2]], 1)
        return cls(np.linalg.inv(centre) @ inner @ whole, size)

    def to_picture(self, points: np.ndarray, z: float = 0.0) -> np.ndarray:
        """Pixels (n x 2) of table points (n x 2) at height `z`."""
        flat = np.asarray(points, float).reshape(-1, 2)
        whole = np.hstack([flat, np.full((len(flat), 1), z), np.ones((len(flat), 1))])
        seen = whole @ self.projection.T
        return np.asarray(seen[:, :2] / _safe(seen[:, 2:]))

    def to_table(self, pixels: np.ndarray, z: float = 0.0) -> np.ndarray:
        """Table points (n x 2) at height `z` that appear at `pixels` (n x 2)."""
        level = np.stack(
            [
                self.projection[:, 0],
                self.projection[:, 1],
                self.projection[:, 2] * z + self.projection[:, 3],
            ],
            1,
        )
        flat = np.asarray(pixels, float).reshape(-1, 2)
        found = np.hstack([flat, np.ones((len(flat), 1))]) @ np.linalg.inv(level).T
        return np.asarray(found[:, :2] / _safe(found[:, 2:]))

    def box_of(self, centre: np.ndarray, sides: tuple[float, float, float]) -> np.ndarray:
        """The box (x1, y1, x2, y2 pixels) around a block on the table.

        Args:
            centre: Its middle, x y z in table coordinates.
            sides: Its extent along x, y and z.
        """
        signs = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)
        corners = np.asarray(centre, float) + signs * np.asarray(sides) / 2
        seen = np.hstack([corners, np.ones((8, 1))]) @ self.projection.T
        flat = seen[:, :2] / _safe(seen[:, 2:])
        return np.concatenate([flat.min(0), flat.max(0)])

    def camera(self) -> np.ndarray:
        """Where the camera stands, x y z in table coordinates."""
        return np.asarray(-np.linalg.inv(self.projection[:, :3]) @ self.projection[:, 3])

    def moved(self, change: np.ndarray) -> Plane:
        """The plane after the picture moved by a 3 x 3 homography."""
        return Plane(np.asarray(change) @ self.projection, self.size)


def _safe(depth: np.ndarray) -> np.ndarray:
    return np.where(np.abs(depth) < 1e-9, 1e-9, depth)


def _focal(ground: np.ndarray, side: float) -> float:
    """Focal length in pixels: the columns of a pose are square to each other and equally long."""
    scaled = ground / np.array([[side], [side], [1.0]])
    scaled = scaled / np.linalg.norm(scaled)
    (a1, b1, c1), (a2, b2, c2) = scaled[:, 0], scaled[:, 1]
    flat = np.array([a1 * a2 + b1 * b2, a1**2 + b1**2 - a2**2 - b2**2])
    deep = np.array([c1 * c2, c1**2 - c2**2])
    evidence = float(flat @ flat)
    if evidence < LEAST_EVIDENCE * float(scaled[:2, :2].ravel() @ scaled[:2, :2].ravel()) ** 2:
        return USUAL_FOCAL * side
    inverse = -float(flat @ deep) / evidence
    if inverse <= 0:
        return USUAL_FOCAL * side
    return float(np.clip(1 / np.sqrt(inverse), LEAST_FOCAL, MOST_FOCAL)) * side
