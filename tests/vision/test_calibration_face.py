"""Of a tile's picture only the face is kept: table and sides beside it are painted over."""

from __future__ import annotations

import numpy as np

from vision.calibration.face import face_only
from vision.opencv import cv2

BONE, CLOTH = (200, 215, 220), (70, 40, 20)


def tile(turned: float = 6.0) -> tuple[np.ndarray, np.ndarray]:
    """A face with a pale stroke, a little askew in its box: the picture, and where the face is."""
    picture = np.full((120, 90, 3), CLOTH, np.uint8)
    corners = cv2.boxPoints(((45.0, 60.0), (74.0, 104.0), turned))
    where = np.zeros((120, 90), np.uint8)
    cv2.fillConvexPoly(where, corners.round().astype(np.int32), 1)
    picture[where > 0] = BONE
    cv2.line(picture, (45, 35), (45, 85), (165, 180, 185), 8)
    return picture, where > 0


def test_what_is_beside_the_face_becomes_face() -> None:
    picture, where = tile()
    cleaned, shows = face_only(picture)
    assert np.abs(cleaned.astype(int) - BONE).max() <= 40, "nothing of the cloth is left"
    assert not shows[~where].any()
    assert shows[where].mean() > 0.8


def test_the_print_stays_as_it_is() -> None:
    picture, _ = tile()
    cleaned, shows = face_only(picture)
    middle = (slice(30, 90), slice(36, 54))
    assert np.array_equal(cleaned[middle], picture[middle])
    assert shows[middle].all()


def test_a_picture_that_is_all_face_is_left_alone() -> None:
    picture = np.full((120, 90, 3), BONE, np.uint8)
    cv2.rectangle(picture, (30, 40), (60, 80), (20, 20, 160), -1)
    cleaned, shows = face_only(picture)
    assert np.array_equal(cleaned, picture)
    assert shows.all()
