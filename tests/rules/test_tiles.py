"""Tiles in words (SPEC §1.1): codes, Unicode, names, and the way there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import TILES, TileError, format_tiles, parse_tiles, tile_name, tile_unicode


def test_thirty_four_kinds_in_class_order() -> None:
    # "共计136张牌": 34 kinds of four; the order is the models' class order.
    assert len(TILES) == len(set(TILES)) == 34
    assert TILES[0] == "1m"
    assert TILES[9] == "1p"
    assert TILES[18] == "1s"
    assert TILES[27:] == ("1z", "2z", "3z", "4z", "5z", "6z", "7z")


@given(st.lists(st.sampled_from(TILES)), st.sampled_from(["mpsz", "unicode", "zh"]))
def test_print_and_parse_is_a_round_trip(tiles: list[str], style: str) -> None:
    # What is printed must read back as the same tiles in the same order, in every writing.
    assert parse_tiles(format_tiles(tiles, style)) == tuple(tiles)


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("", ()),
        ("123m45p7z", ("1m", "2m", "3m", "4p", "5p", "7z")),
        ("1m, 2m 3p", ("1m", "2m", "3p")),
        ("🀇🀙🀐🀀🀆🀅🀄", ("1m", "1p", "1s", "1z", "5z", "6z", "7z")),
        ("🀄\ufe0f", ("7z",)),
        ("伍万五万五萬九筒一索", ("5m", "5m", "5m", "9p", "1s")),
        ("东南西北白发中", ("1z", "2z", "3z", "4z", "5z", "6z", "7z")),
        ("东风白板发财红中", ("1z", "5z", "6z", "7z")),
        ("12m🀙东", ("1m", "2m", "1p", "1z")),
    ],
)
def test_every_writing_is_read(text: str, tiles: tuple[str, ...]) -> None:
    # Players and programs write the same tile in different ways.
    assert parse_tiles(text) == tiles


@pytest.mark.parametrize("text", ["0m", "8z", "123", "m", "1x", "hello", "一", "🀫", "1m?"])
def test_what_is_no_tile_is_refused(text: str) -> None:
    # A misread tile must not become another tile: 136 tiles, no flowers, no zero.
    with pytest.raises(TileError, match="no tile"):
        parse_tiles(text)


def test_names_follow_the_seed_and_the_trade() -> None:
    # The seed writes 伍万; 白 is 5z, 发 6z, 中 7z in MPSZ.
    assert tile_name("5m") == "伍万"
    assert tile_name("3s") == "三条"
    assert tile_name("7z") == "中"
    assert tile_name("5m", "en") == "5 of Characters"
    assert tile_name("6z", "en") == "Green Dragon"
    assert tile_unicode("5m") == "🀋"
    assert tile_unicode("9s") == "🀘"
    with pytest.raises(TileError, match="language"):
        tile_name("5m", "fr")
    with pytest.raises(TileError, match="style"):
        format_tiles(["5m"], "roman")
