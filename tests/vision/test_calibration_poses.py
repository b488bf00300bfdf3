"""Which ways to lie a box leaves open, against faces laid on a table and seen from afar."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration.poses import poses_in

ASPECT = 1.35


def seen(turn: float, openness: float) -> np.ndarray:
    """A face (width 40) turned on the table, foreshortened downwards; corners from the middle."""
    a = np.deg2rad(turn)
    half = np.array(
        [[-20, -20 * ASPECT], [20, -20 * ASPECT], [20, 20 * ASPECT], [-20, 20 * ASPECT]]
    )
    on_table = half @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return np.asarray(on_table * (1, openness))


@pytest.mark.parametrize("turn", [0, 30, 90, 135])
@pytest.mark.parametrize("openness", [0.25, 0.5, 0.9])
def test_the_true_pose_is_among_them(turn: float, openness: float) -> None:
    corners = seen(turn, openness)
    width, height = np.ptp(corners, axis=0)
    poses = poses_in(float(width), float(height), ASPECT)
    assert len(poses.outlines) == len(poses.unlikely) <= 72
    # The same face half a turn on has its corners the other way about.
    off = np.abs(poses.outlines - corners).max(axis=(1, 2))
    assert off.min() < 0.12 * max(width, height)


def test_poses_fill_the_box_or_leave_room_for_the_tiles_side() -> None:
    poses = poses_in(60.0, 40.0, ASPECT)
    sides = np.ptp(poses.outlines, axis=1)
    assert (sides[:, 0] < 60 * 1.01).all()
    assert (sides[:, 1] < 40 * 1.15).all()
    assert (poses.unlikely >= 0).all()
    assert (poses.unlikely == 0).any()


def test_no_face_lies_in_a_sliver() -> None:
    assert len(poses_in(10.0, 200.0, ASPECT).outlines) == 0
