"""The doubts a layout may have, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rules import tile_name
from vision.values import FACES, Choice, Doubt, MeldReading, TileReading


def _zh(name: str) -> str:
    return tile_name(name, "zh") if name in FACES else {"back": "牌背"}.get(name, name)


def unsure_tile(tile: TileReading) -> Doubt:
    """A tile of the hand that was not read with confidence."""
    names = [name for name, p in tile.alternatives[:4] if p >= 0.02] or [tile.tile]
    return Doubt(
        "unsure_tile",
        f"这张牌读作{_zh(tile.tile)}，把握不大。",
        f"This tile reads as {tile.tile}, but not surely.",
        (tile.index,),
        tuple(Choice(name, name, name) for name in names),
    )


def five_alike(name: str, tiles: Sequence[TileReading]) -> Doubt:
    """More than four of one tile: at least one is misread."""
    return Doubt(
        "five_alike",
        f"读出了 {len(tiles)} 张{_zh(name)}，一副牌只有四张：至少有一张读错了。",
        f"{len(tiles)} tiles read as {name}, and a set has four: at least one is misread.",
        tuple(tile.index for tile in tiles),
    )


def die_pips(die: TileReading) -> Doubt:
    """A die whose pips do not count up to its name."""
    said = int(die.tile[3:])
    return Doubt(
        "die_pips",
        f"骰子看起来是 {said} 点，但数出 {die.pips} 个点。",
        f"The die looks like a {said}, but {die.pips} pips are counted.",
        (die.index,),
        tuple(Choice(f"die{n}", f"{n} 点", str(n)) for n in (said, die.pips) if n),
    )


def drawn_tile(candidates: Sequence[TileReading]) -> Doubt:
    """Two tiles are set apart: which one was drawn?"""
    names = "、".join(_zh(tile.tile) for tile in candidates)
    tiles = ", ".join(tile.tile for tile in candidates)
    return Doubt(
        "drawn_tile",
        f"有不止一张牌单放（{names}）：刚摸的是哪一张？",
        f"More than one tile is set apart ({tiles}): which one was drawn?",
        tuple(tile.index for tile in candidates),
        tuple(Choice(str(tile.index), tile.tile, tile.tile) for tile in candidates),
    )


def drawn_unknown(hand: Sequence[TileReading]) -> Doubt:
    """Fourteen tiles, none set apart."""
    first: dict[str, TileReading] = {}
    for tile in hand:
        first.setdefault(tile.tile, tile)
    return Doubt(
        "drawn_unknown",
        "有 14 张牌，但没有一张单放：看不出刚摸的是哪一张。",
        "There are 14 tiles and none is set apart: the photo does not show which was drawn.",
        (),
        tuple(Choice(str(tile.index), name, name) for name, tile in first.items()),
    )


def hand_count(tiles: Sequence[TileReading], melds: int) -> Doubt:
    """Neither a hand to wait with nor one to win with."""
    want = 13 - 3 * melds
    have = len(tiles)
    more = "少了" if have < want else "多了"
    fewer = "too few" if have < want else "too many"
    return Doubt(
        "hand_count",
        f"手牌读出 {have} 张、副露 {melds} 组，应为 {want} 或 {want + 1} 张：可能{more}牌。",
        f"{have} tiles in hand with {melds} exposed sets, where {want} or {want + 1} belong: "
        f"perhaps {fewer} were found.",
        tuple(tile.index for tile in tiles),
    )


def left_out(tile: TileReading) -> Doubt:
    """A tile at the end of the row that is unsure, and one too many."""
    return Doubt(
        "left_out",
        f"这排多一张牌，最不像的是边上这张（读作{_zh(tile.tile)}），先放在一边：也许是花牌。",
        f"The row has a tile too many, and this one at its side (read as {tile.tile}) is the "
        "least sure: left aside, it may be a flower.",
        (tile.index,),
        (Choice("aside", "不算", "leave it out"), Choice("hand", "手牌", "part of the hand")),
    )


def row_gap(before: TileReading, after: TileReading) -> Doubt:
    """A hole in the row, just as wide as a tile."""
    return Doubt(
        "row_gap",
        "这两张牌之间空了约一张牌的位置：可能漏读了一张。",
        "There is room for a tile between these two: one may have been missed.",
        (before.index, after.index),
    )


def meld_or_hand(meld: MeldReading) -> Doubt:
    """Alike tiles a little apart from the hand."""
    return Doubt(
        "meld_or_hand",
        f"这几张{_zh(meld.tile)}稍微分开：是碰杠出去的，还是手牌？",
        f"These {meld.tile} lie a little apart: an exposed set, or part of the hand?",
        tuple(tile.index for tile in meld.tiles),
        (
            Choice("meld", "碰或杠", "exposed set"),
            Choice("hand", "手牌", "part of the hand"),
        ),
    )


def gang_in_row(meld: MeldReading) -> Doubt:
    """Four alike within a row that has a tile too many."""
    return Doubt(
        "gang_in_row",
        f"多出一张牌，所以把四张{_zh(meld.tile)}当作杠。是明杠还是暗杠？",
        f"There is a tile too many, so the four {meld.tile} are taken for a gang. Which kind?",
        tuple(tile.index for tile in meld.tiles),
        (
            Choice("gang_open", "明杠", "open gang"),
            Choice("gang_concealed", "暗杠", "concealed gang"),
            Choice("hand", "手牌", "part of the hand"),
        ),
    )


def no_row(tiles: Sequence[TileReading]) -> Doubt:
    """The right number of tiles, but not in rows."""
    return Doubt(
        "no_row",
        f"{len(tiles)} 张牌没有排成一排，全部当作手牌。",
        f"The {len(tiles)} tiles do not stand in one row; all are taken for the hand.",
        tuple(tile.index for tile in tiles),
    )


def no_hand() -> Doubt:
    """Nothing that could be a hand."""
    return Doubt(
        "no_hand",
        "没有找到手牌。请把 13 或 14 张牌排成一排，正对着拍。",
        "No hand found. Put the 13 or 14 tiles in a row and take the photo straight on.",
    )


def indicator_candidate(tile: TileReading) -> Doubt:
    """A lone tile: the turned indicator?"""
    return Doubt(
        "indicator_candidate",
        f"旁边单独有一张{_zh(tile.tile)}：是翻出的混牌吗？",
        f"A {tile.tile} lies alone: is it the turned indicator?",
        (tile.index,),
        (Choice("indicator", "是混牌", "the indicator"), Choice("aside", "不是", "no")),
    )


def about_tiles(tiles: Sequence[TileReading]) -> list[Doubt]:
    """Doubts on names: unsure tiles, and five of a kind."""
    doubts = [unsure_tile(tile) for tile in tiles if tile.doubtful]
    for name, count in Counter(tile.tile for tile in tiles if tile.is_face).items():
        if count > 4:
            doubts.append(five_alike(name, [tile for tile in tiles if tile.tile == name]))
    return doubts
