"""What is known of a table from before, when its tiles are given their places anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vision.table.zones import Zones

SEATS = 4


@dataclass(frozen=True)
class Turned:
    """The turned tile as it was last seen.

    Attributes:
        tile: MPSZ code.
        x, y: Where it lay, tile widths as "me" sees the table.
    """

    tile: str
    x: float
    y: float


@dataclass(frozen=True)
class Standing:
    """How my row of standing tiles looked: what lies open looks otherwise.

    Attributes:
        depth: Its depth as if it were lying, tile widths.
        height: Logarithm of its boxes' height, compared with that of lying tiles.
    """

    depth: float
    height: float


@dataclass(frozen=True)
class Known:
    """What earlier frames said.

    Attributes:
        zones: Where the parts of this table lie; None: not measured yet.
        turned: The turned tile; None while it is not known.
        melds: Tiles of the exposed sets that were told, by seat.
        standing: My row while it stood; None: not seen yet.
        playing: Somebody has discarded, so that there may be exposed sets.
    """

    zones: Zones | None = None
    turned: Turned | None = None
    melds: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    standing: Standing | None = None
    playing: bool = True

    def sets(self, seat: int) -> tuple[str, ...]:
        """Tiles of a seat's exposed sets."""
        return self.melds.get(seat, ())


NOTHING = Known()
