"""First names of a calibration photo: by place in the guided order, else one tile a kind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from vision.calibration.names import ROWS, suggest_names, suggest_others
from vision.calibration.rows import rows_of
from vision.values import FACES, TileReading


def laid(
    rows: Sequence[Sequence[str]], read: dict[str, tuple[str, float]] | None = None
) -> list[TileReading]:
    """Tiles as they lie; `read` says what the reader makes of some and how surely."""
    out = []
    for y, row in enumerate(rows):
        for x, tile in enumerate(row):
            name, share = (read or {}).get(tile, (tile, 0.95))
            shares = {"7z": (1 - share) * 0.3, "back": (1 - share) * 0.2, tile: (1 - share) / 2}
            rest = sorted((shares | {name: share}).items(), key=lambda one: -one[1])
            box = (50.0 * x, 70.0 * y, 50.0 * x + 44, 70.0 * y + 60)
            out.append(TileReading(name, share, box, tuple(rest)))
    return out


def photographed(turned: float, low: float, aside: float) -> list[TileReading]:
    """The guided rows as a camera sees them that is held askew; read as nothing in particular.

    Args:
        turned: Of the picture, degrees.
        low: Of the camera above the table, degrees; 90 is straight above.
        aside: Of the camera to the right, degrees.
    """
    roll, high, azimuth = (np.deg2rad(angle) for angle in (turned, low, aside))
    out = [np.cos(high) * np.sin(azimuth), -np.cos(high) * np.cos(azimuth), np.sin(high)]
    right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    down = np.cross(right, out)
    tiles = []
    for y, row in enumerate(ROWS):
        for x, tile in enumerate(row):
            corners = np.array([(a, b, 0.0) for a in (0.0, 0.9) for b in (0.0, 1.3)])
            at = corners + np.array([1.05 * x - 4.7, -1.4 * y + 2.1, 0])
            seen = np.stack([at @ right, at @ down], 1) / (18 - at @ np.array(out))[:, None]
            how = [[np.cos(roll), np.sin(roll)], [-np.sin(roll), np.cos(roll)]]
            place = seen @ np.array(how) * 900 + 500
            box = (*place.min(axis=0), *place.max(axis=0))
            shares = (("1m", 0.6), ("back", 0.2), (tile, 0.2))
            tiles.append(TileReading("1m", 0.6, tuple(float(v) for v in box), shares))
    return [tiles[k] for k in np.random.default_rng(5).permutation(len(tiles))]


def names(tiles: Sequence[TileReading]) -> list[str]:
    return [tile.tile for tile in tiles]


def test_the_guided_order_names_a_set_that_nobody_can_read() -> None:
    """Everything looks like 1m, not surely: the places say what it is."""
    found = suggest_names(laid(ROWS, dict.fromkeys(FACES, ("1m", 0.6))))
    assert names(found) == list(FACES)
    assert not any(tile.doubtful for tile in found)


@pytest.mark.parametrize("turned", [-20, -10, 0, 10, 20])
@pytest.mark.parametrize(("low", "aside"), [(80, 0), (50, 0), (38, 0), (60, 15), (60, -15)])
def test_the_guided_order_is_found_where_the_camera_was_held_askew(
    turned: float, low: float, aside: float
) -> None:
    """Turned by up to 20 degrees, from low down, or from the side: nobody holds it straight."""
    rows = rows_of(photographed(turned, low, aside))
    assert [len(row) for row in rows] == [9, 9, 9, 7]
    found = suggest_names([tile for row in rows for tile in row])
    assert names(found) == list(FACES)
    for row in rows:  # in each row from the left, and each row below the one before
        assert all(a.centre[0] < b.centre[0] for a, b in pairwise(row))
    assert all(a[0].centre[1] < b[0].centre[1] for a, b in pairwise(rows))


def test_a_tile_surely_read_as_another_is_marked() -> None:
    found = suggest_names(laid(ROWS, {"3p": ("8p", 0.99)}))
    assert names(found) == list(FACES)
    assert [tile.tile for tile in found if tile.doubtful] == ["3p"]


def test_rows_of_another_order_are_named_by_what_is_read() -> None:
    """Nine, nine, nine and seven, but the rows run backwards: most speaks against the order."""
    backwards = [tuple(reversed(row)) for row in ROWS]
    assert names(suggest_names(laid(backwards))) == [t for row in backwards for t in row]


def test_part_of_the_guided_rows_is_known_by_its_rows() -> None:
    part = laid((ROWS[2], ROWS[3]), {"5s": ("5z", 0.5)})
    assert names(suggest_names(part)) == [*ROWS[2], *ROWS[3]]
    swapped = laid((ROWS[1], ROWS[0]))
    assert names(suggest_names(swapped)) == [*ROWS[1], *ROWS[0]]


def test_one_tile_of_each_kind_settles_what_two_claim() -> None:
    """2z is read as 3z, surely less than the 3z itself: only one of them can be 3z."""
    tiles = laid((("1z", "2z", "3z", "4m"),), {"2z": ("3z", 0.6)})
    found = suggest_names(tiles)
    assert names(found) == ["1z", "2z", "3z", "4m"]
    assert [tile.doubtful for tile in found] == [False, True, False, False]
    assert names(suggest_names(tiles, guided=False)) == names(found)


def test_more_tiles_than_kinds_keep_their_own_names() -> None:
    rows = (*ROWS, ("1m", "1m"))
    assert names(suggest_names(laid(rows)))[-2:] == ["1m", "1m"]


def test_a_photo_of_backs_and_dice_holds_nothing_else() -> None:
    """Odd backs are read as white dragons: among backs and dice the likeliest counts."""
    tiles = laid((("x", "y"),), {"x": ("5z", 0.7), "y": ("die4", 0.9)})
    assert names(suggest_others(tiles)) == ["back", "die4"]
    assert suggest_others(tiles)[0].doubtful


@pytest.mark.parametrize("degrees", [-12, -5, 5, 12])
def test_rows_are_found_in_a_photo_held_askew(degrees: float) -> None:
    """At 12 degrees the right end of a row of nine lies lower than the next row's left end."""
    turn = np.deg2rad(degrees)
    askew = []
    for tile in laid(ROWS):
        x, y = tile.centre
        u, v = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
        askew.append(TileReading(tile.tile, 0.95, (u - 25, v - 32, u + 25, v + 32)))
    mixed = [askew[k] for k in np.random.default_rng(1).permutation(len(askew))]
    rows = rows_of(mixed)
    assert [[t.tile for t in row] for row in rows] == [list(row) for row in ROWS]
    assert [t.index for row in rows for t in row] == list(range(34))


def test_no_tiles_no_names() -> None:
    assert suggest_names([]) == []


def test_a_tile_that_was_not_found_leaves_the_others_their_names() -> None:
    """3p and 2z are not seen by the detector: their neighbours still lie where they lie."""
    tiles = laid(ROWS, dict.fromkeys(FACES, ("1m", 0.6)))
    left = [t for n, t in enumerate(tiles) if FACES[n] not in ("3p", "2z", "1m")]
    assert names(suggest_names(left)) == [f for f in FACES if f not in ("3p", "2z", "1m")]


def test_the_last_row_may_lie_in_the_middle() -> None:
    rows = [*ROWS[:3], ("", *ROWS[3])]
    tiles = [t for t in laid(rows, {"": ("1m", 0.5)}) if t.box[0] > 0 or t.box[1] < 210]
    left = [t for t in tiles if t.tile != "8m"]
    assert names(suggest_names(left)) == [f for f in FACES if f != "8m"]


def test_few_tiles_are_among_those_still_wanted() -> None:
    """The detector missed 3p at first; in a photo of its own it is read as 8p."""
    found = suggest_names(laid((("3p",),), {"3p": ("8p", 0.9)}), wanted=("3p", "2z"))
    assert names(found) == ["3p"]
    assert found[0].doubtful
