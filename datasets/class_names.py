"""Names other data sets give to tiles, understood as MPSZ codes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from datasets.scene_types import CLASS_NAMES

_SUITS = {
    "m": "m", "c": "m", "wan": "m", "man": "m", "char": "m", "character": "m", "characters": "m",
    "crak": "m", "万": "m", "萬": "m",
    "p": "p", "d": "p", "t": "p", "tong": "p", "bing": "p", "pin": "p", "dot": "p", "dots": "p",
    "circle": "p", "circles": "p", "饼": "p", "餅": "p", "筒": "p",
    "s": "s", "b": "s", "tiao": "s", "sou": "s", "suo": "s", "bam": "s", "bamboo": "s",
    "bamboos": "s", "条": "s", "條": "s", "索": "s",
    "z": "z", "honor": "z", "honors": "z", "honour": "z", "honours": "z",
}  # fmt: skip
_NUMERALS = {n: i for i, n in enumerate("一二三四五六七八九", 1)} | {"伍": 5}
_HONOURS = {
    "1z": ("ew", "east", "ton", "dong", "东", "東", "东风", "東風"),
    "2z": ("sw", "south", "nan", "南", "南风", "南風"),
    "3z": ("ww", "west", "sha", "xia", "xi", "西", "西风", "西風"),
    "4z": ("nw", "north", "pei", "bei", "北", "北风", "北風"),
    "5z": ("wd", "white", "haku", "bai", "whitedragon", "白", "白板"),
    "6z": ("gd", "green", "hatsu", "fa", "greendragon", "发", "發", "发财", "發財"),
    "7z": ("rd", "red", "chun", "zhong", "reddragon", "中", "红中", "紅中"),
}
_WORDS = {word: code for code, words in _HONOURS.items() for word in words}
_WORDS |= {"backs": "back", "facedown": "back", "背": "back", "牌背": "back"}


def tile_code(name: str, mapping: Mapping[str, str] | None = None) -> str | None:
    """The class a foreign name stands for.

    Args:
        name: as written in the data set: `1m`, `m1`, `Bamboo-3`, `3B`, `EW`, `三条`, `红中`,
            `die4`, `dice_4`.
        mapping: a user's own names, looked at first; an empty code drops the class.

    Returns:
        A name of `CLASS_NAMES`, "" when the mapping drops it, None when it is not understood.
    """
    if mapping and name in mapping:
        return mapping[name]
    plain = re.sub(r"[\s_\-./]+", "", name).lower()
    if plain in CLASS_NAMES:
        return plain
    if plain in _WORDS:
        return _WORDS[plain]
    for word in ("honors", "honours", "honor", "honour", "dragon", "wind"):
        rest = plain.replace(word, "")
        if rest in _WORDS:
            return _WORDS[rest]
    die = re.fullmatch(r"(?:die|dice|pip|pips|骰子?)([1-6])", plain)
    if die:
        return f"die{die[1]}"
    return _suited(plain)


def _suited(plain: str) -> str | None:
    for number, suit in ((r"([1-9])", r"(\D+)"), (r"([一二三四五六七八九伍])", r"(\D)")):
        found = re.fullmatch(f"{number}{suit}", plain)
        if found is None:
            back = re.fullmatch(f"{suit}{number}", plain)
            parts = (back[2], back[1]) if back else None
        else:
            parts = (found[1], found[2])
        if parts and parts[1] in _SUITS:
            code = f"{_NUMERALS.get(parts[0], parts[0])}{_SUITS[parts[1]]}"
            return code if code in CLASS_NAMES else None
    return None
