"""Which tiles are jokers (SPEC §4.2, §4.3)."""

from __future__ import annotations

import pytest

from rules import TILES, TileError, joker_kinds, joker_tile_count, next_tile, prev_tile


@pytest.mark.parametrize(
    ("tile", "after"),
    [
        ("5m", "6m"),  # "伍万的下一张是六万"
        ("4z", "1z"),  # "北风的下一张为东风"
        ("9p", "1p"),  # "如果是最后一张则下一张为第一张"
        ("7z", "6z"),  # "三元牌的顺序为中-发-白"
        ("6z", "5z"),
        ("5z", "7z"),
    ],
)
def test_the_next_tile(tile: str, after: str) -> None:
    # The seed's examples and orders; the tile before is the inverse.
    assert next_tile(tile) == after
    assert prev_tile(after) == tile


def test_tiles_of_a_ring_come_round() -> None:
    # Suits are rings of nine, winds of four, dragons of three ("风牌箭牌单独算").
    for tile in TILES:
        length = 9 if tile[1] != "z" else 4 if tile < "5z" else 3
        at = tile
        for _ in range(length):
            at = next_tile(at)
        assert at == tile


@pytest.mark.parametrize(
    ("indicator", "rule", "kinds", "count"),
    [
        ("5m", "7", ("5m", "6m"), 7),  # "一般的规则中混儿牌为7张"
        ("7z", "7", ("6z", "7z"), 7),  # "如果翻出来的是中，则中和发都是混儿"
        ("1m", "11", ("1m", "2m", "9m"), 11),  # "上中下滚混儿的11张混儿"
        ("3z", "guadafeng", ("1z", "2z", "3z", "4z"), 15),  # "东南西北风都是混儿（15张混儿）"
        ("5z", "guadafeng", ("5z", "6z", "7z"), 11),
        ("9s", "11_next2", ("1s", "2s", "9s"), 11),  # tjmj: the two following tiles
    ],
)
def test_joker_sets(indicator: str, rule: str, kinds: tuple[str, ...], count: int) -> None:
    # Kinds as the seed counts the tiles: the turned one is out of play.
    assert joker_kinds(indicator, rule) == kinds
    assert joker_tile_count(kinds) == count


def test_unknown_tile_and_rule_are_refused() -> None:
    # A wrong word must not pass as a default.
    with pytest.raises(TileError):
        joker_kinds("back")
    with pytest.raises(ValueError, match="joker_rule"):
        joker_kinds("5m", "8")
