"""Which tiles are jokers (混儿) for a turned tile (SPEC §4.2, §4.3)."""

from __future__ import annotations

from rules.tiles import KINDS, TILES, TileError

JOKER_RULES: tuple[str, ...] = ("7", "11", "guadafeng", "11_next2")
"""中下滚, 上中下滚, 刮大风, and the two-following-tiles rule of some programs."""

_WINDS = TILES[27:31]


def _known(tile: str) -> str:
    if tile not in KINDS:
        raise TileError(f"{tile!r} is no tile; write 1m-9m, 1p-9p, 1s-9s or 1z-7z")
    return tile


def _step(tile: str, by: int) -> str:
    kind = KINDS[_known(tile)]
    if kind < 27:
        return TILES[kind - kind % 9 + (kind % 9 + by) % 9]
    if kind < 31:
        return TILES[27 + (kind - 27 + by) % 4]
    # "三元牌的顺序为中-发-白": downwards in MPSZ.
    return TILES[31 + (kind - 31 - by) % 3]


def next_tile(tile: str) -> str:
    """The tile after: 9→1 in a suit, 东南西北, 中发白 (7z→6z→5z→7z), each a ring (SPEC §4.2).

    Raises:
        TileError: an unknown tile.
    """
    return _step(tile, 1)


def prev_tile(tile: str) -> str:
    """The tile before, the inverse of `next_tile` (SPEC §4.2).

    Raises:
        TileError: an unknown tile.
    """
    return _step(tile, -1)


def joker_kinds(indicator: str, rule: str = "7") -> tuple[str, ...]:
    """The joker kinds for a turned tile, in class order (SPEC §4.3).

    Args:
        indicator: the turned tile 翻混牌.
        rule: one of `JOKER_RULES`, the option `joker_rule`.

    Raises:
        TileError: an unknown tile.
        ValueError: an unknown rule.

    >>> joker_kinds("7z")
    ('6z', '7z')
    """
    _known(indicator)
    if rule not in JOKER_RULES:
        raise ValueError(f"unknown joker_rule {rule!r}; use one of {', '.join(JOKER_RULES)}")
    following = next_tile(indicator)
    if rule == "guadafeng" and indicator in _WINDS:
        kinds = set(_WINDS)
    elif rule == "7":
        kinds = {indicator, following}
    elif rule == "11_next2":
        kinds = {indicator, following, next_tile(following)}
    else:
        kinds = {prev_tile(indicator), indicator, following}
    return tuple(sorted(kinds, key=KINDS.__getitem__))


def joker_tile_count(kinds: tuple[str, ...]) -> int:
    """How many joker tiles are in play: four of each kind less the turned tile (SPEC §4.3)."""
    return 4 * len(kinds) - 1
