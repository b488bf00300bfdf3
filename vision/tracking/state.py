"""The table at one moment, as one immutable value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from vision.table.placed import PlacedTile
from vision.tracking.analysis import SeatAnalysis
from vision.tracking.events import TableEvent
from vision.tracking.said import Said
from vision.values import BACK, Doubt, MeldReading, TileReading


@dataclass(frozen=True)
class SeatState:
    """What lies before one player.

    Attributes:
        seat: 0 me, 1 right, 2 across, 3 left.
        hand: Concealed tiles whose faces show, left to right.
        drawn: The drawn tile where it shows.
        melds: Exposed sets.
        pond: Discards, oldest first where that was seen.
        hidden: Tiles of the hand that show their backs.
    """

    seat: int
    hand: tuple[PlacedTile, ...] = ()
    drawn: PlacedTile | None = None
    melds: tuple[MeldReading, ...] = ()
    pond: tuple[PlacedTile, ...] = ()
    hidden: int = 0

    def to_json(self) -> dict[str, Any]:
        """Its tiles by name."""
        return {
            "seat": self.seat,
            "hand": [p.tile.tile for p in self.hand],
            "drawn": None if self.drawn is None else self.drawn.tile.tile,
            "melds": [{"kind": m.kind, "tile": m.tile} for m in self.melds],
            "pond": [p.tile.tile for p in self.pond],
            "hidden": self.hidden,
        }


@dataclass(frozen=True)
class TableState:
    """Everything known at one moment.

    Attributes:
        version: Counts up with every change.
        at: Seconds of the frame (monotonic, or into the recording).
        wall: Unix seconds of the frame.
        source: `"live"`, `"stale"`, `"offline"`, `"connecting"` or `"ended"`.
        moving: Something moves; the state is that of before.
        error: Why the newest frame could not be read; None while all is well.
        placement: Name of the placement; None when the table has not been placed.
        size: Width and height of the frames.
        seats: The four players.
        indicator: The turned tile.
        jokers: The joker kinds.
        dice: The dice that lie there.
        wall_backs: Tiles of the wall that show.
        tiles: Every tile with its place, role and identity (`tile.index`).
        doubts: What a person should settle; `Doubt.tiles` are identities.
        analysis: What the hands in view are worth and wait for.
        round: The hand as the rules see it: phase, turn, what it comes to; None when unknown.
        events: What has happened, oldest first (the last 200).
        absent: What is seen where the user says that no tile lies.
        said: Everything people have said that still holds.
        turned: The face of the turned tile as named, said or seen, also once it is gone.
    """

    version: int
    at: float
    wall: float
    source: str
    moving: bool
    error: str | None
    placement: str | None
    size: tuple[int, int]
    seats: tuple[SeatState, ...]
    indicator: PlacedTile | None
    jokers: tuple[str, ...]
    dice: tuple[PlacedTile, ...]
    wall_backs: int
    tiles: tuple[PlacedTile, ...]
    doubts: tuple[Doubt, ...]
    analysis: tuple[SeatAnalysis, ...]
    round: dict[str, Any] | None
    events: tuple[TableEvent, ...]
    absent: tuple[TileReading, ...] = ()
    said: Said = field(default_factory=Said)
    turned: str | None = None

    @property
    def stale(self) -> bool:
        """Whether this is an old state: nothing may be scored from it as if it were now."""
        return self.source != "live"

    def to_json(self) -> dict[str, Any]:
        """The state for programs and the page."""
        return {
            "version": self.version,
            "at": round(self.at, 3),
            "wall": round(self.wall, 3),
            "source": self.source,
            "stale": self.stale,
            "moving": self.moving,
            "error": self.error,
            "placement": self.placement,
            "width": self.size[0],
            "height": self.size[1],
            "seats": [seat.to_json() for seat in self.seats],
            "indicator": None if self.indicator is None else self.indicator.tile.tile,
            "turned": self.turned,
            "jokers": list(self.jokers),
            "dice": [p.tile.tile for p in self.dice],
            "wall_backs": self.wall_backs,
            "tiles": [{"id": p.tile.index, **p.to_json(), **p.tile.to_json()} for p in self.tiles],
            "absent": [{"id": tile.index, **tile.to_json()} for tile in self.absent],
            "doubts": [doubt.to_json() for doubt in self.doubts],
            "analysis": [entry.to_json() for entry in self.analysis],
            "round": self.round,
        }


def seats_of(placed: Sequence[PlacedTile], order: dict[int, int]) -> tuple[SeatState, ...]:
    """The four players' tiles.

    Args:
        placed: Every tile with its role.
        order: Identity of a discard to its number in the order of discarding.
    """
    from vision.tracking.moves import set_of

    seats = []
    for seat in range(4):
        mine = sorted((p for p in placed if p.seat == seat), key=lambda p: p.x)
        groups: dict[int, list[PlacedTile]] = {}
        for p in mine:
            if p.role == "meld":
                groups.setdefault(p.group, []).append(p)
        melds = [set_of(tiles) for _, tiles in sorted(groups.items())]
        pond = [p for p in mine if p.role == "pond"]
        late = len(order)
        pond.sort(key=lambda p: (order.get(p.tile.index, late), -round(p.y), p.x))
        seats.append(
            SeatState(
                seat,
                tuple(p for p in mine if p.role == "hand" and p.tile.tile != BACK),
                next((p for p in mine if p.role == "drawn" and p.tile.tile != BACK), None),
                tuple(meld for meld in melds if meld is not None),
                tuple(pond),
                sum(p.role in ("hand", "drawn") and p.tile.tile == BACK for p in mine),
            )
        )
    return tuple(seats)
