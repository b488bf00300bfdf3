"""At most four of a kind, by the likeliest assignment of all tiles together."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.knowledge import best_kinds, calibrate, crowding


def test_nothing_changes_while_no_kind_is_crowded() -> None:
    probabilities = np.array([[0.6, 0.4], [0.9, 0.1], [0.2, 0.8]])
    assert best_kinds(probabilities).tolist() == [0, 0, 1]


def test_the_least_sure_of_five_gives_way() -> None:
    # Five tiles read as kind 0. Giving up 0.55 for 0.40 costs least: log(0.55/0.40) = 0.32
    # against log(0.6/0.3) = 0.69 and log(0.9/0.05) = 2.9.
    rows = [[0.9, 0.05, 0.05]] * 3 + [[0.55, 0.40, 0.05], [0.6, 0.3, 0.1]]
    assert best_kinds(np.array(rows)).tolist() == [0, 0, 0, 1, 0]


def test_joint_probability_beats_greed() -> None:
    # One copy a kind. By turns, the surest first: tile 0 keeps kind 0 (0.60) and tile 1 is left
    # with 0.02: 0.012 in all. Together: 0.40 x 0.55 = 0.22.
    rows = [[0.60, 0.40, 0.00], [0.55, 0.02, 0.02]]
    assert best_kinds(np.array(rows), copies=1).tolist() == [1, 0]


def test_a_chain_of_moves_when_the_neighbour_is_full_too() -> None:
    # Kind 0 has five, kind 1 has four, kind 2 is free. The fifth tile of kind 0 could only be
    # kind 1, so a tile of kind 1 must move on to kind 2.
    rows = [[0.98, 0.01, 0.01]] * 4 + [[0.51, 0.48, 0.01]]
    rows += [[0.01, 0.98, 0.01]] * 3 + [[0.01, 0.50, 0.49]]
    assert best_kinds(np.array(rows)).tolist() == [0] * 4 + [1] + [1] * 3 + [2]


def test_nine_alike_spread_over_what_is_likeliest() -> None:
    rows = np.tile([0.7, 0.2, 0.1], (9, 1))
    counts = np.bincount(best_kinds(rows), minlength=3)
    assert counts.tolist() == [4, 4, 1]


def test_more_tiles_than_a_set_has_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be"):
        best_kinds(np.ones((9, 2)) / 2)


def test_no_tiles() -> None:
    assert best_kinds(np.zeros((0, 34))).tolist() == []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 2))
def test_it_equals_brute_force(seed: int, tiles: int, copies: int) -> None:
    kinds = 3
    if tiles > kinds * copies:
        tiles = kinds * copies
    rows = np.random.default_rng(seed).dirichlet(np.full(kinds, 0.5), size=tiles) + 1e-3
    best = max(
        sum(np.log(rows[i, k]) for i, k in enumerate(kind_of))
        for kind_of in product(range(kinds), repeat=tiles)
        if all(kind_of.count(k) <= copies for k in range(kinds))
    )
    chosen = best_kinds(rows, copies)
    assert np.bincount(chosen, minlength=kinds).max() <= copies
    assert sum(np.log(rows[i, k]) for i, k in enumerate(chosen)) == pytest.approx(best)


def test_calibration_follows_its_table() -> None:
    table = ((0.2, 0.0), (0.6, 0.8), (1.0, 1.0))
    assert calibrate(0.4, table) == pytest.approx(0.4)
    assert calibrate(0.8, table) == pytest.approx(0.9)
    assert calibrate(0.1, table) == 0.0
    assert calibrate(0.37, ()) == 0.37


def test_more_than_four_alike_make_each_less_certain() -> None:
    names = np.array([9] * 9 + [3] * 4 + [5])
    assert crowding(names) == pytest.approx([2 / 3] * 9 + [1.0] * 5)
    assert crowding(np.zeros(0, int)).tolist() == []
