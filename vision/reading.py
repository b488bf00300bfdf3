"""The one adapter from what a photo shows to what the rules judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rules import Hand, Meld
from vision.errors import VisionError
from vision.values import PhotoReading, TableReading, TileReading


class HandReadingError(VisionError):
    """A wish about the hand that the photo cannot grant."""


def to_hand(
    table: TableReading,
    jokers: Iterable[str] = (),
    *,
    gang_draw: bool = False,
    heavenly: bool = False,
    earthly: bool = False,
    self_draw: bool = True,
) -> Hand:
    """The hand on the table as the rules see it; nothing is checked here.

    Args:
        table: A photo's layout.
        jokers: The joker kinds.
        gang_draw: The drawn tile replaced a gang (杠开).
        heavenly: 天和.
        earthly: 地和.
        self_draw: False when another player discarded the last tile.
    """
    return Hand(
        concealed=tuple(tile.tile for tile in table.hand),
        melds=tuple(Meld(meld.kind, meld.tile) for meld in table.melds),
        jokers=tuple(jokers),
        win_tile=None if table.drawn is None else table.drawn.tile,
        gang_draw=gang_draw,
        heavenly=heavenly,
        earthly=earthly,
        self_draw=self_draw,
    )


def with_drawn(table: TableReading, tile: str | None) -> TableReading:
    """The same table with another tile taken for the drawn one.

    Args:
        table: A photo's layout.
        tile: MPSZ code of a tile in hand, or None for no drawn tile.

    Raises:
        HandReadingError: There is no such tile in the hand.
    """
    held = table.hand if table.drawn is None else (*table.hand, table.drawn)
    doubts = tuple(d for d in table.doubts if d.code not in ("drawn_tile", "drawn_unknown"))
    if tile is None:
        return replace(table, hand=held, drawn=None, doubts=doubts)
    found = next((t for t in reversed(held) if t.tile == tile), None)
    if found is None:
        names = " ".join(t.tile for t in held) or "-"
        raise HandReadingError(
            "drawn_not_in_hand",
            f"手牌里没有 {tile}，不能当作刚摸的牌。手牌：{names}",
            f"There is no {tile} in the hand, so it cannot be the drawn tile. Hand: {names}",
        )
    return replace(table, hand=tuple(t for t in held if t is not found), drawn=found, doubts=doubts)


def count_tiles(table: TableReading) -> int:
    """Tiles as the rules count them: an exposed set is three (SPEC §5.8)."""
    return len(table.hand) + (table.drawn is not None) + 3 * len(table.melds)


def table_to_json(reading: PhotoReading, table: TableReading) -> dict[str, Any]:
    """The reading with the roles of its tiles, for programs and the page."""
    return {**reading.to_json(), "table": table.to_json()}


def sorted_tiles(tiles: Iterable[TileReading]) -> list[str]:
    """Tile codes by suit (m, p, s, z) and rank."""
    return sorted((t.tile for t in tiles), key=lambda name: (name[-1], name[:-1]))
