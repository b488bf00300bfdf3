"""My own tiles, where their faces show: what was dealt, and what I drew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from vision.table.placed import PlacedTile
from vision.tracking import claims
from vision.tracking.events import TableEvent, acted
from vision.tracking.moves import Seen

SETTLE_HAND_S = 0.5
FULL_HAND = 13
# A draw that was not seen itself, but follows from the hand after the discard.
FOLLOWS = 0.8
# Of my hand so many tiles may go unread, each turn the same ones, and a draw is told all the same,
# not for sure: what comes at the right end in my turn was drawn.
MOST_UNREAD, UNREAD = 2, 0.5
# A hand that has a wrong number of tiles for so long is asked about, when most of it shows.
COUNTED_S, MOST_SHARE = 1.5, 0.6


@dataclass
class MyHand:
    """What my hand has been.

    Attributes:
        dealt: My tiles before my first move, where they show.
    """

    dealt: tuple[str, ...] = ()
    _names: tuple[str, ...] = ()
    _since: float = 0.0
    _held: Counter[str] | None = None
    _owed: tuple[Seen, Counter[str]] | None = None

    def claimed(self) -> None:
        """I made a set: what I held before says nothing of my next draw."""
        self._held = None

    def discarded(self, moves: Sequence[Seen]) -> None:
        """The last of the moves is a discard of mine: my hand will say what I had drawn."""
        owed = self._held is not None and not claims.claimed_before(moves[:-1], 0)
        self._owed = (moves[-1], self._held or Counter()) if owed else None
        self._held = None

    def drew(
        self,
        placed: Sequence[PlacedTile],
        melds: int,
        moves: list[Seen],
        at: float,
        wall: float,
    ) -> list[TableEvent]:
        """What came into my hand.

        Args:
            placed: Every tile.
            melds: How many exposed sets I have.
            moves: Every move in order; a draw is put among them.
            at: Seconds.
            wall: Unix seconds.
        """
        mine = [p for p in placed if p.seat == 0 and p.role in ("hand", "drawn")]
        names = tuple(sorted(p.tile.tile for p in mine if p.tile.is_face))
        if names != self._names:
            self._names, self._since = names, at
            return []
        if at - self._since < SETTLE_HAND_S or not names:
            return []
        full = FULL_HAND - 3 * melds
        acting = any(s.seat == 0 and s.kind != "draw" for s in moves)
        complete = len(names) in (FULL_HAND, FULL_HAND + 1) and not melds
        if complete and not acting and not self.dealt:
            self.dealt = names
        # The dealer's fourteenth tile is dealt, not drawn.
        playing = any(s.kind != "draw" for s in moves)
        came = self._came(names) if playing else None
        if len(names) <= full and (came is None or not claims.mine_to_draw(moves)):
            return self._rested(mine, names, full, moves, at, wall)
        if came is None or len(names) > full + 1:
            return []
        last = max(mine, key=lambda p: p.x)
        if len(names) <= full and last.tile.tile != came:
            self._held = Counter(names)  # one in the row that was not read before
            return []
        tile = came
        confidence = _certainty(mine, tile)
        confidence = confidence if len(names) > full else min(confidence, UNREAD)
        self._held = None
        moves.append(Seen("draw", 0, tile, (), self._since, tile))
        return [acted("drew", 0, tile, at, wall, confidence)]

    def _rested(
        self,
        mine: Sequence[PlacedTile],
        names: tuple[str, ...],
        full: int,
        moves: list[Seen],
        at: float,
        wall: float,
    ) -> list[TableEvent]:
        """My hand without a drawn tile, as it lies now."""
        if len(names) < full - MOST_UNREAD:
            return []
        my_turn = claims.mine_to_draw(moves)
        gone = 0 if self._held is None else (self._held - Counter(names)).total()
        if my_turn and gone == 1 and self._held is not None and len(names) == self._held.total():
            return []  # one has gone and one has come: my discard will be told any moment
        self._owed = None if my_turn else self._owed
        self._held = Counter(names)
        return self._drew_unseen(mine, moves, at, wall)

    def _came(self, names: Sequence[str]) -> str | None:
        """The tile that I hold besides those I held, where it is one and none has gone."""
        if self._held is None or self._held - Counter(names):
            return None
        more = Counter(names) - self._held
        return next(iter(more)) if more.total() == 1 else None

    def miscounted(self, melds: int, at: float) -> int | None:
        """How many tiles my hand shows where that many cannot be; None where all is well.

        Thirteen, three fewer for each exposed set, and one more while I act. A hand of which
        little shows, as from above, says nothing.
        """
        full, count = FULL_HAND - 3 * melds, len(self._names)
        known = at - self._since >= COUNTED_S and count >= MOST_SHARE * full
        return count if known and count not in (full, full + 1) else None

    def _drew_unseen(
        self, mine: Sequence[PlacedTile], moves: list[Seen], at: float, wall: float
    ) -> list[TableEvent]:
        """What I drew and did not show for long: my hand after the discard says it."""
        if self._owed is None:
            return []
        names = self._names
        discard, before = self._owed
        more = Counter([*names, discard.tile]) - before
        if len(names) < before.total() or more.total() != 1 or discard not in moves:
            return []  # the row is being put in order, and not all of it shows again yet
        self._owed = None
        tile = next(iter(more))
        place = moves.index(discard)
        moves.insert(place, Seen("draw", 0, tile, (), discard.at, tile))
        confidence = min(FOLLOWS, _certainty(mine, tile))
        return [acted("drew", 0, tile, at, wall, confidence)]


def _certainty(mine: Sequence[PlacedTile], name: str) -> float:
    """How sure the tiles of a name in my hand are; 1 where there is none."""
    shown = [p.tile for p in mine if p.tile.tile == name]
    least = min((tile.confidence for tile in shown), default=1.0)
    return min(least, UNREAD) if any(tile.doubtful for tile in shown) else least
