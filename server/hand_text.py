"""A hand as it is typed on the command line: melds, jokers and options."""

from __future__ import annotations

import re

from rules import (
    KINDS,
    Meld,
    RuleOptions,
    RulesError,
    TileError,
    joker_kinds,
    parse_tiles,
)
from server.cli import UserError
from server.language import say

_MELD = re.compile(r"[(（][^()（）]*[)）]|[0-9]+[mpsz]|[^\s,，()（）]+")


def typed_options(pairs: tuple[str, ...], lang: str) -> RuleOptions:
    """Rule options from texts like `min_fan=3`.

    Raises:
        UserError: an unknown option or a bad value.
    """
    try:
        return RuleOptions.from_pairs(pairs)
    except RulesError as error:
        raise refused(error, lang) from None


def refused(error: RulesError, lang: str) -> UserError:
    """Every reason of a refusal as one message."""
    return UserError("; ".join(say(lang, reason.zh, reason.en) for reason in error.reasons))


def typed_tiles(text: str, name: str) -> tuple[str, ...]:
    """Tiles in any spelling.

    Raises:
        UserError: a part of the text is no tile.
    """
    try:
        return parse_tiles(text)
    except TileError as error:
        raise UserError(f"{name}: {error}") from None


def typed_tile(text: str, name: str, lang: str) -> str:
    """One tile.

    Raises:
        UserError: no tile, or more than one.
    """
    tiles = typed_tiles(text, name)
    if len(tiles) != 1:
        zh, en = f"{name} 要写一张牌，不是“{text}”", f"{name}: give one tile, not {text!r}"
        raise UserError(say(lang, zh, en))
    return tiles[0]


def typed_jokers(
    indicator: str | None, jokers: str | None, options: RuleOptions, lang: str
) -> tuple[str, ...]:
    """The joker kinds, from the turned tile or named themselves; none when neither is given.

    Raises:
        UserError: both are given, or one is no tile.
    """
    if indicator and jokers:
        raise UserError(
            say(
                lang,
                "--indicator 和 --jokers 只要给一个",
                "give --indicator or --jokers, not both",
            )
        )
    if indicator:
        return joker_kinds(typed_tile(indicator, "--indicator", lang), options.joker_rule)
    kinds = dict.fromkeys(typed_tiles(jokers, "--jokers")) if jokers else {}
    return tuple(sorted(kinds, key=KINDS.__getitem__))


def typed_melds(text: str, lang: str) -> tuple[Meld, ...]:
    """Melds like `111z 2222p (3333s)`: 碰, 明杠, and 暗杠 in brackets.

    Raises:
        UserError: a part is neither three nor four of one tile.
    """
    melds = []
    for part in _MELD.findall(text):
        concealed = part[0] in "(（"
        tiles = typed_tiles(part.strip("()（）"), "--melds")
        if len(set(tiles)) != 1 or len(tiles) not in (3, 4) or (concealed and len(tiles) == 3):
            zh = f"“{part}”不是副露：碰写 111z，明杠写 1111z，暗杠写 (1111z)"
            en = f"--melds: {part!r} is no meld; write 111z (碰), 1111z (明杠) or '(1111z)' (暗杠)"
            raise UserError(say(lang, zh, en))
        kind = "pong" if len(tiles) == 3 else "gang_concealed" if concealed else "gang_open"
        melds.append(Meld(kind, tiles[0]))
    return tuple(melds)
