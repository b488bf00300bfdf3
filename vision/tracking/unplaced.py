"""Without a placement: the hand before the camera, as in a photo."""

from __future__ import annotations

from dataclasses import replace

from vision.layout import lay_out
from vision.table.placed import PlacedTile
from vision.values import CLEAR_NAME, PhotoReading, TileReading


def unplaced(tiles: tuple[TileReading, ...], size: tuple[int, int]) -> tuple[PlacedTile, ...]:
    """Every tile with the role that a photo would give it; what is none of the hand is loose."""
    # What has no clear name may be a flower at the end of the row: it is left out, as in a photo.
    numbered = tuple(
        replace(tile, index=k, doubtful=tile.doubtful or tile.confidence < CLEAR_NAME)
        for k, tile in enumerate(tiles)
    )
    table = lay_out(PhotoReading("frame", size[0], size[1], numbered, {}))
    roles: dict[int, tuple[str, int | None, int]] = {}
    roles |= {tile.index: ("hand", 0, 0) for tile in table.hand}
    if table.drawn is not None:
        roles[table.drawn.index] = ("drawn", 0, 0)
    for group, meld in enumerate(table.melds, 1):
        roles |= {tile.index: ("meld", 0, group) for tile in meld.tiles}
    roles |= {tile.index: ("dice", None, 0) for tile in table.dice}
    if table.indicator is not None:
        roles[table.indicator.index] = ("indicator", None, 0)
    order = {tile.index: k for k, tile in enumerate((*table.hand, *table.aside))}
    placed = []
    for k, tile in enumerate(tiles):
        role, seat, group = roles.get(k, ("loose", None, 0))
        placed.append(PlacedTile(tile, role, seat, float(order.get(k, k)), 0.0, group=group))
    return tuple(placed)
