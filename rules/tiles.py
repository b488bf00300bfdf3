"""Tiles in words: MPSZ codes, Unicode tile characters, Chinese and English names (SPEC §1.1).

A tile is its MPSZ code (`"5m"`) at every public boundary. Inside the engine a kind is the index of
that code in `TILES`, which is also the class order of the recognition models.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

TILES: tuple[str, ...] = tuple(
    [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
    + [f"{rank}z" for rank in range(1, 8)]
)
"""The 34 kinds in class order: 1m..9m, 1p..9p, 1s..9s, 1z..7z."""

KINDS: dict[str, int] = {tile: kind for kind, tile in enumerate(TILES)}
"""The index of each tile code in `TILES`."""

# The first Unicode character of each run; winds stand in our order, dragons in reverse (中发白).
_UNICODE_FIRST = {"m": 0x1F007, "p": 0x1F019, "s": 0x1F010}
_UNICODE_HONOURS = "🀀🀁🀂🀃🀆🀅🀄"
_ZH_RANKS = "一二三四伍六七八九"
_ZH_SUITS = {"m": "万", "p": "饼", "s": "条"}
_ZH_HONOURS = ("东", "南", "西", "北", "白", "发", "中")
_EN_SUITS = {"m": "Characters", "p": "Dots", "s": "Bamboo"}
_EN_HONOURS = (
    "East Wind",
    "South Wind",
    "West Wind",
    "North Wind",
    "White Dragon",
    "Green Dragon",
    "Red Dragon",
)
# What players also write for the same rank, suit or honour.
_ZH_VARIANTS = {
    "五": "伍",
    "萬": "万",
    "筒": "饼",
    "餅": "饼",
    "索": "条",
    "條": "条",
    "東": "东",
    "發": "发",
}


def _unicode_of(tile: str) -> str:
    rank, suit = int(tile[0]), tile[1]
    if suit == "z":
        return _UNICODE_HONOURS[rank - 1]
    return chr(_UNICODE_FIRST[suit] + rank - 1)


def _zh_of(tile: str) -> str:
    rank, suit = int(tile[0]), tile[1]
    return _ZH_HONOURS[rank - 1] if suit == "z" else _ZH_RANKS[rank - 1] + _ZH_SUITS[suit]


def _en_of(tile: str) -> str:
    rank, suit = int(tile[0]), tile[1]
    return _EN_HONOURS[rank - 1] if suit == "z" else f"{rank} of {_EN_SUITS[suit]}"


_UNICODE = {tile: _unicode_of(tile) for tile in TILES}
_NAMES = {
    "zh": {tile: _zh_of(tile) for tile in TILES},
    "en": {tile: _en_of(tile) for tile in TILES},
}
_FROM_UNICODE = {char: tile for tile, char in _UNICODE.items()}
_FROM_ZH = {name: tile for tile, name in _NAMES["zh"].items()}

# One token: a run of digits with its suit, a Unicode tile, a Chinese name, or a gap.
_TOKEN = re.compile(
    r"(?P<mpsz>[0-9]+[mpsz])"
    r"|(?P<char>[\U0001F000-\U0001F021])[\uFE0E\uFE0F]?"
    r"|(?P<zh>[一二三四伍六七八九][万饼条]|[东南西北](?:风)?|白(?:板)?|发(?:财)?|红?中)"
    r"|(?P<gap>[\s,，、]+)"
)


class TileError(ValueError):
    """Text that is not a tile or a list of tiles; the message says which part and what fits."""


def parse_tiles(text: str) -> tuple[str, ...]:
    """Read tiles from text, in the order they stand.

    Takes MPSZ, run together or not (`"123m45p7z"`, `"1m 2m"`), Unicode tiles (`"🀇🀈"`) and Chinese
    names (`"一万伍万东"`), in any mixture; spaces and commas between them do not matter.

    Raises:
        TileError: a part of the text is no tile.

    >>> parse_tiles("123m7z")
    ('1m', '2m', '3m', '7z')
    """
    plain = "".join(_ZH_VARIANTS.get(char, char) for char in text)
    tiles: list[str] = []
    at = 0
    while at < len(plain):
        found = _TOKEN.match(plain, at)
        if found is None:
            raise TileError(f"{text[at : at + 8]!r} is no tile; write 1m-9m, 1p-9p, 1s-9s or 1z-7z")
        if found["mpsz"]:
            tiles.extend(_known(rank + found["mpsz"][-1]) for rank in found["mpsz"][:-1])
        elif found["char"]:
            tiles.append(_FROM_UNICODE[found["char"]])
        elif found["zh"]:
            tiles.append(_FROM_ZH.get(found["zh"]) or _FROM_ZH[found["zh"].strip("风板财红")])
        at = found.end()
    return tuple(tiles)


def _known(tile: str) -> str:
    if tile not in KINDS:
        raise TileError(f"{tile!r} is no tile; write 1m-9m, 1p-9p, 1s-9s or 1z-7z")
    return tile


def format_tiles(tiles: Iterable[str], style: str = "mpsz") -> str:
    """Print tiles in the order given; `parse_tiles` reads the text back to the same tiles.

    Args:
        tiles: MPSZ codes.
        style: `"mpsz"` (neighbours of one suit run together), `"unicode"` or `"zh"`.

    Raises:
        TileError: an unknown tile or style.

    >>> format_tiles(["1m", "2m", "3m", "7z"])
    '123m7z'
    """
    codes = [_known(tile) for tile in tiles]
    if style == "unicode":
        return "".join(_UNICODE[tile] for tile in codes)
    if style == "zh":
        return "".join(_NAMES["zh"][tile] for tile in codes)
    if style != "mpsz":
        raise TileError(f"unknown style {style!r}; use mpsz, unicode or zh")
    text = ""
    for tile in codes:
        # A run goes on: the suit letter moves behind the new rank.
        text = text[:-1] + tile if text.endswith(tile[1]) else text + tile
    return text


def tile_name(tile: str, language: str = "zh") -> str:
    """The name of a tile in Chinese (`"伍万"`) or English (`"5 of Characters"`).

    Raises:
        TileError: an unknown tile or language.
    """
    if language not in _NAMES:
        raise TileError(f"unknown language {language!r}; use zh or en")
    return _NAMES[language][_known(tile)]


def tile_unicode(tile: str) -> str:
    """The Unicode character of a tile, such as 🀋 for `"5m"`.

    Raises:
        TileError: an unknown tile.
    """
    return _UNICODE[_known(tile)]
