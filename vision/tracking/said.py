"""What people say about single tiles, and the table as it is then.

A word about a tile holds until that tile moves: it belongs to the track, and another tile in the
same place has a track of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.table.placed import LENGTH, PlacedTile, seen_by
from vision.tracking.tracks import ABSENT, Tracks
from vision.values import BACK, Box

# Where a tile may be said to lie, and whether that is some seat's.
ROLES = {
    "hand": True,
    "drawn": True,
    "meld": True,
    "pond": True,
    "indicator": False,
    "loose": False,
    ABSENT: False,
}
KONG = 4
# Tiles that tell how large a neighbour of theirs is.
NEIGHBOURS = 5
Place = tuple[str, int | None]


@dataclass(frozen=True)
class Word:
    """What was said about one tile; None: as it is seen.

    Attributes:
        tile: What it is.
        place: Its role (`ROLES`) and seat.
        added: Nobody saw it but the person who said so.
    """

    tile: str | None = None
    place: Place | None = None
    added: bool = False


NOTHING = Word()


@dataclass(frozen=True)
class Said:
    """Everything people have said about the table.

    Attributes:
        words: About single tiles, by identity.
        indicator: The turned tile where it was named.
        dealer: The dealer where named.
        discards: What discards were that nobody saw, by the numbers of the moves.
    """

    words: Mapping[int, Word] = field(default_factory=dict)
    indicator: str | None = None
    dealer: int | None = None
    discards: Mapping[int, str] = field(default_factory=dict)


def words(tracks: Tracks) -> dict[int, Word]:
    """Everything said about tiles that still lie where they lay then."""
    return {
        track.id: Word(track.correction, track.place, track.added)
        for track in tracks.all()
        if track.correction is not None or track.place is not None
    }


def say(tracks: Tracks, said: Mapping[int, Word]) -> None:
    """Let exactly `said` hold, as far as its tiles are still there.

    A tile that a person added and that is not in `said` is not there.
    """
    for track in tracks.all():
        unsaid = Word(track.correction, (ABSENT, None), True) if track.added else NOTHING
        word = said.get(track.id, unsaid)
        track.correction, track.place = word.tile, word.place
    tracks.revision += 1


def places(tracks: Tracks) -> dict[int, Place]:
    """The places that were said, by the tiles' identities."""
    return {track.id: track.place for track in tracks.all() if track.place is not None}


def as_said(placed: Sequence[PlacedTile], said: Mapping[int, Place]) -> tuple[PlacedTile, ...]:
    """The table with every tile where it was said to lie.

    There is one turned tile, and one drawn tile for each seat: where one is said, another that
    merely looks like one is an ordinary tile.
    """
    if not said:
        return tuple(placed)
    moved = [_put(p, *said[p.tile.index]) if p.tile.index in said else p for p in placed]
    single = {(role, seat) for role, seat in said.values() if role in ("drawn", "indicator")}
    for k, p in enumerate(moved):
        if p.tile.index in said or p.role not in ("drawn", "indicator"):
            continue
        if p.role == "drawn" and ("drawn", p.seat) in single:
            moved[k] = replace(p, role="hand")
        elif p.role == "indicator" and ("indicator", None) in single:
            moved[k] = replace(p, role="loose")
    return tuple(_grouped(moved, said))


def _put(p: PlacedTile, role: str, seat: int | None) -> PlacedTile:
    x, y = p.x, p.y
    if (p.seat or 0) != (seat or 0):
        x, y = seen_by(seat or 0, *seen_by(-(p.seat or 0), x, y))
    return replace(p, role=role, seat=seat, x=x, y=y, group=0)


def _grouped(tiles: Sequence[PlacedTile], said: Mapping[int, Place]) -> list[PlacedTile]:
    """Tiles said to be exposed belong to the set of their own face; backs to the nearest set."""
    found = list(tiles)
    sizes = Counter((p.seat, p.group) for p in tiles if p.role == "meld" and p.group > 0)
    mine = [k for k, p in enumerate(tiles) if p.role == "meld" and p.tile.index in said]
    for k in sorted(mine, key=lambda k: (found[k].tile.tile == BACK, found[k].x)):
        p = found[k]
        group = _group_for(p, found, sizes)
        found[k] = replace(p, group=group)
        sizes[p.seat, group] += 1
    return found


def _group_for(
    p: PlacedTile, tiles: Iterable[PlacedTile], sizes: Mapping[tuple[int | None, int], int]
) -> int:
    others = [q for q in tiles if q.role == "meld" and q.seat == p.seat and q.group > 0]
    free = [q for q in others if sizes[q.seat, q.group] < KONG]
    if p.tile.tile != BACK:
        free = [q for q in free if q.tile.tile == p.tile.tile]
    if free:
        return min(free, key=lambda q: abs(q.x - p.x)).group
    return max((q.group for q in others), default=0) + 1


def usual_box(tracks: Tracks, x: float, y: float, usual: float) -> Box:
    """Where a tile with its middle at x, y (pixels) would lie, as large as its neighbours.

    Args:
        tracks: The tiles around.
        x, y: Pixels.
        usual: Width in pixels where no tile shows.
    """
    boxes = np.array([t.box for t in tracks.settled() if not t.reading().is_die], float)
    width, height = usual, usual * LENGTH
    if len(boxes):
        away = np.hypot(*((boxes[:, :2] + boxes[:, 2:]) / 2 - [x, y]).T)
        near = boxes[np.argsort(away)[:NEIGHBOURS]]
        width, height = np.median(near[:, 2:] - near[:, :2], axis=0).tolist()
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2
