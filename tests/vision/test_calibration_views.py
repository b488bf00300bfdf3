"""Looks at a tile: its crop is the classifier's own, nothing is mirrored, all is repeatable."""

from __future__ import annotations

import numpy as np
import pytest

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
    looks, _ = views_of(patch, [], 96, 80, np.random.default_rng(3))
    told = 0
    for look in looks:
        red, green, blue = (centre_of(look, c) for c in (2, 1, 0))
        if red is None or green is None or blue is None:
            continue
        (ax, ay), (bx, by) = green - red, blue - green
        if abs(ax * by - ay * bx) > 150:
            told += 1
            assert ax * by - ay * bx > 0
    assert told >= 30


def test_all_quarter_turns_and_families_come_and_looks_repeat() -> None:
    patch = cut_patch(marked_tile(), BOX)
    looks, families = views_of(patch, [], 96, 34, np.random.default_rng(1))
    again, _ = views_of(patch, [], 96, 34, np.random.default_rng(1))
    assert looks.shape == (34, 96, 96, 3)
    assert (looks == again).all()
    assert list(families[:4]) == [-1] * 4
    assert [int((families == k).sum()) for k in range(len(FAMILIES))] == [10, 10, 10]
    assert all((np.rot90(looks[0], k) == looks[k]).all() for k in range(4))


def test_a_tile_at_the_edge_or_of_one_pixel_still_gives_looks() -> None:
    for box in (np.array([-20.0, -20.0, 5.0, 9.0]), np.array([3.0, 3.0, 3.0, 3.0])):
        looks, _ = views_of(cut_patch(marked_tile(), box), [], 96, 8, np.random.default_rng(0))
        assert looks.shape == (8, 96, 96, 3)
