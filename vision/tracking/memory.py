"""What a watcher remembers of its table: where the walls stand, where the turned tile lies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.table.known import Known, Standing, Turned
from vision.table.measure import measure_walls, row_looks, turned_place
from vision.table.placed import PlacedTile
from vision.table.placement import Placement
from vision.table.zones import Zones
from vision.tracking.story import Story
from vision.values import BACK, TileReading

# Backs that lie nearer to the middle than the walls by so many tile widths: a heap being shuffled.
LEAST_HEAP, INSIDE = 6, 1.5


def heap(placed: Sequence[PlacedTile]) -> bool:
    """Whether the tiles lie in a heap: nobody plays while they are shuffled."""
    depths = [-p.y for p in placed if p.role == "wall"]
    if not depths:
        return False
    walls = float(np.median(sorted(depths)[len(depths) // 2 :]))
    return sum(depth < walls - INSIDE for depth in depths) >= LEAST_HEAP


class TableMemory:
    """Measures of one table, the better the more of it was seen."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._placement: str | None = None
        self._zones: Zones | None = None
        self._backs = 0
        self._standing: Standing | None = None
        self._turned: Turned | None = None

    def known(
        self,
        story: Story,
        placement: Placement,
        tiles: Sequence[TileReading],
        size: tuple[int, int],
    ) -> Known:
        """What is known before the tiles that show now are given their places."""
        if placement.name != self._placement:
            self.__init__()  # type: ignore[misc]
            self._placement = placement.name
        if sum(tile.tile == BACK for tile in tiles) > self._backs:
            measured = measure_walls(tiles, placement, size)
            if measured is not None and measured[0] > self._backs:
                self._backs, self._zones = measured
        if story.indicator is None:
            self._turned = None
        melds = {seat: tuple(t for _, t in story.known_melds(seat)) for seat in range(4)}
        return Known(self._zones, self._turned, melds, self._standing, story.playing)

    def learn(
        self,
        placed: Sequence[PlacedTile],
        story: Story,
        placement: Placement,
        size: tuple[int, int],
    ) -> None:
        """Remember what the tiles with their places say."""
        turned = next((p for p in placed if p.role == "indicator"), None)
        if turned is not None and turned.tile.index == story.indicator_id:
            self._turned = Turned(turned.tile.tile, *turned_place(turned))
        if story.playing and self._standing is not None:
            return
        row = [p for p in placed if p.seat == 0 and p.role in ("hand", "drawn")]
        if all(p.standing for p in row):
            faces = [p.tile for p in row if p.tile.is_face]
            looks = row_looks(faces, placement.plane(*size), placement)
            self._standing = looks or self._standing
