"""Looks at a tile: its crop is the classifier's own, nothing is mirrored, all is repeatable."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration.bodies import stand
from vision.calibration.views import FAMILIES, PATCH_SIDE, cut_patch, plain_view, views_of
from vision.classifier import crop

BOX = np.array([60.0, 40.0, 140.0, 150.0])


def marked_tile() -> np.ndarray:
    """A grey tile with a red mark top left, a green one top right, a blue one bottom right."""
    photo = np.full((200, 220, 3), 40, np.uint8)
    photo[40:150, 60:140] = 128
    photo[48:70, 66:88] = (20, 20, 250)
    photo[48:70, 112:134] = (20, 250, 20)
    photo[120:142, 112:134] = (250, 20, 20)
    return photo


def centre_of(look: np.ndarray, channel: int) -> np.ndarray | None:
    """Where the mark of a channel lies (x, y), when it can be told."""
    values = look.astype(int)
    others = [values[..., c] for c in range(3) if c != channel]
    rows, columns = np.nonzero(values[..., channel] > np.maximum(*others) + 60)
    return np.array([columns.mean(), rows.mean()]) if len(rows) > 15 else None


def test_the_plain_view_is_what_the_reader_cuts_out() -> None:
    photo = marked_tile()
    ours = plain_view(cut_patch(photo, BOX), 96).astype(int)
    theirs = crop(photo, BOX, 96).astype(int)
    assert np.abs(ours - theirs).mean() < 6


def test_a_patch_knows_where_its_tile_is() -> None:
    patch = cut_patch(marked_tile(), BOX)
    assert patch.pixels.shape == (PATCH_SIDE, PATCH_SIDE, 3)
    assert patch.size[0] / patch.size[1] == pytest.approx(80 / 110)
    assert patch.tile[..., 0].min() > 15
    assert abs(int(np.median(patch.tile)) - 128) < 5  # tile only, the dark table is left out


def test_no_look_is_mirrored() -> None:
    """Red to green to blue runs clockwise on the tile, and so on every picture of it."""
    patch = cut_patch(marked_tile(), BOX)
    told = 0
    # Random tables and backs may be red too: looks without a body show no other colours.
    for look in views_of(patch, [], 96, 80, np.random.default_rng(3), body=False).pictures:
        red, green, blue = (centre_of(look, c) for c in (2, 1, 0))
        if red is None or green is None or blue is None:
            continue
        (ax, ay), (bx, by) = green - red, blue - green
        if abs(ax * by - ay * bx) > 150:
            told += 1
            assert ax * by - ay * bx > 0
    assert told >= 30
    for x, y in views_of(patch, [], 96, 80, np.random.default_rng(3)).corners.swapaxes(1, 2):
        assert x @ np.roll(y, -1) - y @ np.roll(x, -1) > 0  # clockwise, as on the upright tile


def test_all_quarter_turns_and_families_come_and_looks_repeat() -> None:
    patch = cut_patch(marked_tile(), BOX)
    made = views_of(patch, [], 96, 34, np.random.default_rng(1))
    looks, families = made.pictures, made.families
    again = views_of(patch, [], 96, 34, np.random.default_rng(1)).pictures
    assert looks.shape == (34, 96, 96, 3)
    assert (looks == again).all()
    assert list(families[:4]) == [-1] * 4
    assert [int((families == k).sum()) for k in range(len(FAMILIES))] == [10, 10, 10]
    assert all((np.rot90(looks[0], k) == looks[k]).all() for k in range(4))


def test_a_tile_at_the_edge_or_of_one_pixel_still_gives_looks() -> None:
    for box in (np.array([-20.0, -20.0, 5.0, 9.0]), np.array([3.0, 3.0, 3.0, 3.0])):
        made = views_of(cut_patch(marked_tile(), box), [], 96, 8, np.random.default_rng(0))
        assert made.pictures.shape == (8, 96, 96, 3)
        assert np.isfinite(made.corners).all()


def test_the_corners_of_a_look_are_those_of_the_tile() -> None:
    """The mark lies where the corners say: top left on the upright tile."""
    patch = cut_patch(marked_tile(), BOX)
    for body in (True, False):
        made = views_of(patch, [], 96, 60, np.random.default_rng(5), body)
        told = right = 0
        for look, corners in zip(made.pictures, made.corners, strict=True):
            red = centre_of(look, 2)
            if red is None:
                continue
            told += 1
            right += int(np.linalg.norm(corners - red, axis=1).argmin()) == 0
        assert told >= 30
        assert right >= 0.95 * told  # a red back beside it may be taken for the mark


def test_a_body_shows_its_sides_and_its_box_holds_them() -> None:
    """From low down the face is only part of what the reader cuts out."""
    face = np.full((110, 80, 3), 200, np.uint8)
    shares = []
    for seed in range(40):
        _, corners = stand(face, [], np.array([20, 90, 20]), 96, 1.0, np.random.default_rng(seed))
        assert corners.min() > -20
        assert corners.max() < 116
        x, y = corners.T
        area = 0.5 * abs(x @ np.roll(y, 1) - y @ np.roll(x, 1))
        shares.append(area / 96**2)
    assert min(shares) < 0.45
    assert max(shares) > 0.55
