"""Moves with the tiles they are about, and the exposed sets that lie on a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.melds import one_meld
from vision.table.placed import PlacedTile
from vision.tracking.book import Move
from vision.values import MeldReading


@dataclass
class Seen:
    """One move with the tiles it is about.

    Attributes:
        kind: As in `Move`.
        seat: 0..3.
        tile: As last read.
        ids: Identities of the tiles.
        at: When it was first seen.
        told: The tile as it was told.
        gone_at: Since when a discard is not on the table; None while it is.
        claimed: Taken by a pung or a kong.
        hand: Of a win, the other tiles.
        x, y: Where a discard lies, as its seat sees it.
        seen_seat: Of a discard that the user gave another seat, the one it was seen at.
        named: Of a discard that nobody saw, the user said what it was.
        sure: Of a discard, it was read without doubt.
    """

    kind: str
    seat: int
    tile: str
    ids: tuple[int, ...]
    at: float
    told: str
    gone_at: float | None = None
    claimed: bool = False
    hand: tuple[str, ...] = ()
    x: float = 0.0
    y: float = 0.0
    seen_seat: int | None = None
    named: bool = False
    sure: bool = True

    def move(self) -> Move:
        """It as the book takes it."""
        return Move(self.kind, self.seat, self.tile, self.hand)


@dataclass
class KnownMeld:
    """An exposed set with the move that made it."""

    kind: str
    tile: str
    seen: Seen


MELD_MOVES = {"pong": "pong", "gang_open": "kong_open", "gang_concealed": "kong_concealed"}


def set_of(tiles: Sequence[PlacedTile]) -> MeldReading | None:
    """The exposed set that tiles make; three with one on top of a fourth are a kong."""
    meld = one_meld([p.tile for p in tiles])
    if meld is not None and meld.kind == "pong" and any(p.raised for p in tiles):
        return replace(meld, kind="gang_open")
    return meld


def melds_of(steady: Sequence[PlacedTile], seat: int) -> list[tuple[str, str, list[PlacedTile]]]:
    """(kind, tile, tiles) of a seat's exposed sets."""
    groups: dict[int, list[PlacedTile]] = {}
    for p in steady:
        if p.role == "meld" and p.seat == seat and p.group > 0:
            groups.setdefault(p.group, []).append(p)
    found = []
    for tiles in groups.values():
        tiles.sort(key=lambda p: p.x)
        meld = set_of(tiles)
        if meld is not None:
            found.append((meld.kind, meld.tile, tiles))
    return found
