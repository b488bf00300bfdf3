"""Exposed sets: three or four alike, or a concealed gang shown by one face among backs."""

from __future__ import annotations

from collections.abc import Sequence

from vision.values import BACK, MeldReading, TileReading


def one_meld(tiles: Sequence[TileReading]) -> MeldReading | None:
    """The set these neighbouring tiles make, if any.

    A concealed gang shows at least one face (SPEC §5.4); with a back among them, four tiles
    are one, and without any they are taken for an open gang. Three with a back are a concealed
    gang of which one tile is hidden: a pong has no backs.
    """
    names = {tile.tile for tile in tiles if tile.is_face}
    backs = sum(tile.tile == BACK for tile in tiles)
    if len(names) != 1 or any(tile.is_die for tile in tiles):
        return None
    name = names.pop()
    if len(tiles) == 4:
        return MeldReading("gang_concealed" if backs else "gang_open", name, tuple(tiles))
    if len(tiles) == 3:
        return MeldReading("gang_concealed" if backs else "pong", name, tuple(tiles))
    return None


def all_melds(tiles: Sequence[TileReading]) -> list[MeldReading] | None:
    """Neighbouring tiles read as sets and nothing else, or None."""
    if not tiles:
        return []
    for count in (4, 3):
        head = one_meld(tiles[:count]) if len(tiles) >= count else None
        rest = all_melds(tiles[count:]) if head else None
        if head and rest is not None:
            return [head, *rest]
    return None


def gangs_within(tiles: Sequence[TileReading], with_backs: bool) -> list[tuple[int, MeldReading]]:
    """Four alike side by side within a row, as (position, set); concealed ones, or open ones."""
    found: list[tuple[int, MeldReading]] = []
    position = 0
    while position + 4 <= len(tiles):
        meld = one_meld(tiles[position : position + 4])
        if meld and (meld.kind == "gang_concealed") == with_backs:
            found.append((position, meld))
            position += 4
        else:
            position += 1
    return found
