"""Hands laid open on the table, whole or half behind a wall: somebody has won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.table.placed import PlacedTile

FULL_HAND = 13
# Of an open hand at least so many tiles show: behind a wall not all of them do.
LEAST_OPEN, OPEN_SHARE = 9, 0.6
# It lies open for so long before it is told, the longer one of which not every tile shows; and no
# further tile of it came to light for as long as a whole one lies.
WHOLE_S, PART_S = 0.8, 2.0


@dataclass(frozen=True)
class Opened:
    """A hand that lies open.

    Attributes:
        seat: Whose.
        tiles: Its faces from left to right.
        whole: All of them show.
    """

    seat: int
    tiles: tuple[PlacedTile, ...]
    whole: bool

    @property
    def confidence(self) -> float:
        """Of the least certain tile."""
        return min(p.tile.confidence for p in self.tiles)

    def parted(self, drawn: str | None) -> tuple[tuple[str, ...], str]:
        """The concealed tiles, and the one drawn: the one set apart, or else the last.

        Args:
            drawn: The tile that was seen to be drawn, where one was.
        """
        apart = next((p for p in self.tiles if p.role == "drawn"), self.tiles[-1])
        names = [p.tile.tile for p in self.tiles]
        tile = drawn if drawn in names else apart.tile.tile
        names.remove(tile)
        return tuple(names), tile


class OpenHands:
    """Tells when a seat's hand has lain open for long enough."""

    def __init__(self) -> None:
        """None does."""
        # By seat: since when it lies open, how many tiles show, and since when so many do.
        self._since: dict[int, tuple[float, int, float]] = {}

    def opened(
        self, placed: Sequence[PlacedTile], sets: Mapping[int, int], at: float
    ) -> Opened | None:
        """The hand that lies open, if any.

        Args:
            placed: Every tile.
            sets: How many exposed sets each seat has.
            at: Seconds.
        """
        for seat in range(4):
            tiles = _faces(placed, seat)
            want = FULL_HAND + 1 - 3 * sets.get(seat, 0)
            least = min(LEAST_OPEN, max(2, round(OPEN_SHARE * want)))
            if not least <= len(tiles) <= want:
                self._since.pop(seat, None)
                continue
            since, count, counted = self._since.get(seat, (at, len(tiles), at))
            if count != len(tiles):
                since, counted = (since if len(tiles) > count else at), at
            self._since[seat] = since, len(tiles), counted
            whole = len(tiles) == want
            if at - counted >= WHOLE_S and (whole or at - since >= PART_S):
                return Opened(seat, tiles, whole)
        return None


def _faces(placed: Sequence[PlacedTile], seat: int) -> tuple[PlacedTile, ...]:
    """The faces of a seat's hand that lie on the table, from left to right."""
    mine = [p for p in placed if p.seat == seat and p.role in ("hand", "drawn")]
    faces = [p for p in mine if p.tile.is_face and not p.standing]
    return tuple(sorted(faces, key=lambda p: p.x))
