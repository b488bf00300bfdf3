"""From the tiles on the table, moment by moment, to what happened.

A change counts once it has persisted; a tile that a hand covers is still there. Every move keeps
the identities of its tiles, so that a later correction of a tile corrects the move.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from rules import RuleOptions
from vision.table.placed import PlacedTile
from vision.tracking import amend, claims, gaps
from vision.tracking.events import TableEvent, acted, flipped, revised
from vision.tracking.moves import MELD_MOVES, KnownMeld, Seen, melds_of
from vision.tracking.my_hand import MyHand
from vision.tracking.opened import OpenHands
from vision.values import BACK

PERSIST_S = 0.35
KONG = 4
# A move that was not seen itself, but without which another could not be.
INFERRED = 0.5


@dataclass
class Story:
    """What has happened in this hand so far.

    Attributes:
        options: The rules in force.
        moves: Every move in order.
        joined_late: Tiles lay there already when watching began, so the beginning is not known.
        indicator: The turned tile as last read.
        won: The hand is over.
        hidden: Seats whose exposed sets may lie behind a wall for the camera.
        glimpses: What one look was sure of and no other found.
    """

    options: RuleOptions = field(default_factory=RuleOptions)
    moves: list[Seen] = field(default_factory=list)
    joined_late: bool = False
    indicator: str | None = None
    won: bool = False
    hidden: tuple[int, ...] = ()
    glimpses: tuple[gaps.Glimpse, ...] = ()
    _indicator_id: int | None = None
    _since: dict[int, tuple[tuple[str, int | None, int], float]] = field(default_factory=dict)
    _melds: dict[int, list[KnownMeld]] = field(default_factory=dict)
    _mine: MyHand = field(default_factory=MyHand)
    _open: OpenHands = field(default_factory=OpenHands)
    _begun: bool = False
    _denied: list[tuple[int, Seen]] = field(default_factory=list)

    def heed(self, said: Mapping[int, tuple[str, int | None]], here: Collection[int]) -> None:
        """Take the user's word for where tiles belong: what was told of them follows.

        Args:
            said: Role and seat by identity, as far as said.
            here: Identities of all tiles that are still there.
        """
        amend.discards(self.moves, self._denied, said, here)
        amend.sets(self.moves, self._melds, said)
        turned = self._indicator_id
        if turned is not None and said.get(turned, ("indicator",))[0] != "indicator":
            self._indicator_id = self.indicator = None

    def update(
        self, placed: Sequence[PlacedTile], at: float, wall: float, ready: bool
    ) -> list[TableEvent]:
        """Take in the table as it is now.

        Args:
            placed: Every tile that counts, with role and seat; covered tiles are among them.
            at: Seconds.
            wall: Unix seconds.
            ready: The whole table has been looked at.

        Returns:
            What has happened since the last call.
        """
        steady = self._steady(placed, at)
        events = self._revise(placed, at, wall)
        if not self._begun:
            self._begun = ready and bool(steady)
            if self._begun:
                self._join(steady, at)
        events += self._turned(steady, at, wall)
        self._vanish(placed, at)
        if self._begun and not self.won:
            sets = len(self._melds.get(0, []))
            events += self._mine.drew(placed, sets, self.moves, at, wall)
            events += self._melded(steady, at, wall)
            events += self._half_seen(steady, at, wall)
            events += self._discarded(steady, at, wall)
            events += self._opened(placed, at, wall)
        events += self._cleared(at, wall)
        return sorted(events, key=lambda event: event.at)

    def unseen_discards(self) -> tuple[tuple[Seen, tuple[int, ...]], ...]:
        """Discards that must have been made and were not seen, with the tiles beside them."""
        here = set(self._since)
        open_ = [s for s in self.moves if s.kind == "discard" and not s.tile]
        return tuple((s, gaps.beside(self.moves, s, here)) for s in open_)

    def lost_discards(self, at: float) -> tuple[Seen, ...]:
        """Discards that are gone though nobody's exposed set took them."""
        return claims.lost(self.moves, at)

    def miscounted_hand(self, at: float) -> int | None:
        """How many tiles my hand shows where that cannot be (see `MyHand.miscounted`)."""
        if not self.playing or self.won:
            return None
        return self._mine.miscounted(len(self._melds.get(0, [])), at)

    def known_melds(self, seat: int) -> tuple[tuple[str, str], ...]:
        """(kind, tile) of a seat's exposed sets so far."""
        return tuple((meld.kind, meld.tile) for meld in self._melds.get(seat, []))

    def _steady(self, placed: Sequence[PlacedTile], at: float) -> list[PlacedTile]:
        """The tiles whose role has persisted."""
        since: dict[int, tuple[tuple[str, int | None, int], float]] = {}
        steady = []
        for p in placed:
            key = (p.role, p.seat, int(p.raised))
            before = self._since.get(p.tile.index)
            since[p.tile.index] = before if before and before[0] == key else (key, at)
            if at - since[p.tile.index][1] >= PERSIST_S:
                steady.append(p)
        self._since = since
        return steady

    def _join(self, steady: Sequence[PlacedTile], at: float) -> None:
        """What lies there at the beginning has no story."""
        for p in steady:
            if p.role == "pond" and p.seat is not None:
                self._note("discard", p.seat, [p], at)
                self.joined_late = True
        for seat in range(4):
            for kind, tile, tiles in melds_of(steady, seat):
                seen = self._note(MELD_MOVES[kind], seat, tiles, at, tile)
                self._melds.setdefault(seat, []).append(KnownMeld(kind, tile, seen))
                self.joined_late = True

    def _note(
        self, kind: str, seat: int, tiles: Sequence[PlacedTile], at: float, tile: str | None = None
    ) -> Seen:
        first = tiles[0]
        name = tile or first.tile.tile
        ids = tuple(p.tile.index for p in tiles)
        sure = not any(p.tile.doubtful for p in tiles)
        seen = Seen(kind, seat, name, ids, at, name, x=first.x, y=first.y, sure=sure)
        self.moves.append(seen)
        return seen

    def _revise(self, placed: Sequence[PlacedTile], at: float, wall: float) -> list[TableEvent]:
        """Names that later looks or the user changed."""
        names = {p.tile.index: p for p in placed}
        events = []
        for seen in self.moves:
            read = seen.kind == "discard" and not seen.named
            now = names.get(seen.ids[0]) if read else None
            if now is None or now.tile.tile == seen.tile or now.tile.tile == BACK:
                continue
            seen.tile = now.tile.tile
            if seen.told != seen.tile and not now.tile.doubtful:
                old, seen.told = seen.told, seen.tile
                events.append(revised(seen.seat, seen.tile, old, at, wall, now.tile.confidence))
        return events

    def _turned(self, steady: Sequence[PlacedTile], at: float, wall: float) -> list[TableEvent]:
        found = next((p for p in steady if p.role == "indicator" and p.tile.is_face), None)
        if found is None:
            return []
        same = found.tile.index == self._indicator_id and found.tile.tile == self.indicator
        again = found.tile.tile == self.indicator
        self._indicator_id, self.indicator = found.tile.index, found.tile.tile
        if same or again:
            return []
        tile = found.tile
        rule = self.options.joker_rule
        return [flipped(tile.tile, rule, at, wall, tile.confidence, tile.doubtful)]

    @property
    def playing(self) -> bool:
        """Whether somebody has moved: the opening is over."""
        return any(seen.kind != "draw" for seen in self.moves)

    @property
    def hand(self) -> tuple[str, ...]:
        """My tiles before my first move, where they show."""
        return self._mine.dealt

    @property
    def indicator_id(self) -> int | None:
        """Identity of the turned tile."""
        return self._indicator_id

    def _vanish(self, placed: Sequence[PlacedTile], at: float) -> None:
        here = {p.tile.index for p in placed}
        for seen in self.moves:
            if seen.kind == "discard":
                gone = seen.ids[0] not in here and not gaps.is_gap(seen)
                seen.gone_at = (seen.gone_at or at) if gone else None

    def _discarded(self, steady: Sequence[PlacedTile], at: float, wall: float) -> list[TableEvent]:
        known = {i for seen in self.moves for i in seen.ids}
        new = [
            p
            for p in steady
            if p.role == "pond" and p.seat is not None and p.tile.index not in known
        ]
        new = [p for p in new if p.tile.is_face and not claims.pushed(self.moves, p, at)]
        last = self.moves[-1].seat if self.moves else 0
        events = []
        # Two that come to light at once were discarded in turn.
        for p in sorted(new, key=lambda p: ((p.seat or 0) - last - 1) % 4):
            assert p.seat is not None
            gap = gaps.open_gap(self.moves, p)
            if gap is not None:
                last_one = gaps.newer(self.moves, p, self._since[p.tile.index][1])
                if last_one is None or gap.named:
                    events += gaps.fill(gap, p, at, wall)
                else:
                    events += gaps.fill_older(gap, last_one, p, at, wall)
                continue
            events += self._claimed_by(p.seat, at, wall)
            since = self._since[p.tile.index][1]
            for seat in [] if self.joined_late else gaps.unseen_before(self.moves, p.seat, since):
                self.moves.append(gaps.unseen(self.moves, seat, at, self.glimpses))
                events.append(gaps.told(self.moves[-1], at, wall))
                if self.moves[-1].gone_at is not None:
                    break  # it lay there for a moment only: nobody between, but a claim
            events += self._claimed_by(p.seat, at, wall)
            self._note("discard", p.seat, [p], self._since[p.tile.index][1])
            events.append(acted("discarded", p.seat, p.tile.tile, at, wall, p.tile.confidence))
            if p.seat == 0:
                self._mine.discarded(self.moves)
        return events

    def _claimed_by(self, seat: int, at: float, wall: float) -> list[TableEvent]:
        """The pung that nobody saw of somebody who discards now."""
        hidden = claims.out_of_turn(self.moves, seat, self.hidden, at)
        return [] if hidden is None else [self._pung(hidden, seat, at, wall)]

    def _half_seen(self, steady: Sequence[PlacedTile], at: float, wall: float) -> list[TableEvent]:
        """A pung of which only a part can be seen."""
        known = {seat: [m.tile for m in melds] for seat, melds in self._melds.items()}
        found = claims.half_seen(self.moves, steady, at)
        if found is not None and found[0].tile not in known.get(found[1], []):
            return [self._pung(*found, at, wall)]
        long = [p for p in steady if at - self._since[p.tile.index][1] >= claims.HALF_SEEN_S]
        unseen = gaps.half_seen_claim(self.moves, long, known)
        if unseen is None:
            return []
        place, tile = unseen
        gap, seat = self.moves[place], self.moves[place + 1].seat
        gap.tile = gap.told = tile
        told = revised(gap.seat, tile, "", at, wall, INFERRED)
        return [told, self._pung(gap, seat, at, wall, place + 1)]

    def _pung(
        self, taken: Seen, seat: int, at: float, wall: float, place: int | None = None
    ) -> TableEvent:
        """A pung that nobody saw whole: the last move, or at a place among the moves."""
        taken.claimed = True
        seen = Seen("pong", seat, taken.tile, (-len(self.moves) - 1,), at, taken.tile)
        self.moves.insert(len(self.moves) if place is None else place, seen)
        self._melds.setdefault(seat, []).append(KnownMeld("pong", taken.tile, seen))
        if seat == 0:
            self._mine.claimed()
        return acted("ponged", seat, taken.tile, at, wall, INFERRED)

    def _melded(self, steady: Sequence[PlacedTile], at: float, wall: float) -> list[TableEvent]:
        events = []
        for seat in range(4):
            known = self._melds.setdefault(seat, [])
            for kind, tile, tiles in melds_of(steady, seat):
                have = next((m for m in known if m.tile == tile), None)
                if have is None and kind == "gang_concealed" and len(tiles) < KONG:
                    continue  # a back beside two alike is no set yet
                if have is None:
                    open_ = kind != "gang_concealed" and self._claimed(seat, tile) is None
                    taken = gaps.claim_unseen(self.moves, seat, tile) if open_ else None
                    if open_ and taken is None:
                        events += self._missed(seat, tile, at, wall)
                    events.append(self._new_meld(known, kind, seat, tile, tiles, at, wall))
                    if taken is not None:
                        claims.kong_before_discard(self.moves)
                elif have.kind == "pong" and kind == "gang_open":
                    events.append(self._grown(have, seat, tiles, at, wall))
        return events

    def _missed(self, claimer: int, tile: str, at: float, wall: float) -> list[TableEvent]:
        """A set took a tile that nobody was seen to discard: the next in turn did, too quickly."""
        last = self.moves[-1] if self.moves else None
        if last is None or last.kind != "discard" or last.claimed:
            return []
        seat = (last.seat + 1) % 4
        if seat == claimer:
            return []
        self.moves.append(Seen("discard", seat, tile, (-len(self.moves) - 1,), at, tile))
        return [acted("discarded", seat, tile, at, wall, INFERRED)]

    def _new_meld(
        self,
        known: list[KnownMeld],
        kind: str,
        seat: int,
        tile: str,
        tiles: list[PlacedTile],
        at: float,
        wall: float,
    ) -> TableEvent:
        confidence = min(p.tile.confidence for p in tiles)
        if kind != "gang_concealed":
            claimed = self._claimed(seat, tile)
            if claimed is None:
                confidence = min(confidence, 0.5)
            else:
                claimed.claimed = True
        seen = self._note(MELD_MOVES[kind], seat, tiles, at, tile)
        known.append(KnownMeld(kind, tile, seen))
        if seat == 0:
            self._mine.claimed()
        if kind == "pong":
            return acted("ponged", seat, tile, at, wall, confidence)
        how = "open" if kind == "gang_open" else "concealed"
        return acted("konged", seat, tile, at, wall, confidence, how)

    def _grown(
        self,
        meld: KnownMeld,
        seat: int,
        tiles: list[PlacedTile],
        at: float,
        wall: float,
    ) -> TableEvent:
        """A fourth tile joined: an added kong, or the kong was laid tile by tile."""
        confidence = min(p.tile.confidence for p in tiles)
        meld.kind = "gang_open"
        if self.moves and self.moves[-1] is meld.seen:
            meld.seen.kind = "kong_open"
            return acted("konged", seat, meld.tile, at, wall, confidence, "open")
        self._note("kong_added", seat, tiles[-1:], at, meld.tile)
        claims.kong_before_discard(self.moves)
        if seat == 0:
            self._mine.claimed()
        return acted("konged", seat, meld.tile, at, wall, confidence, "added")

    def _claimed(self, seat: int, tile: str) -> Seen | None:
        """The discard that a set took: the last one."""
        for seen in reversed(self.moves):
            if seen.kind == "discard":
                fits = seen.tile in (tile, "") and seen.seat != seat and not seen.claimed
                seen.tile = tile if fits else seen.tile
                return seen if fits else None
        return None

    def _opened(self, placed: Sequence[PlacedTile], at: float, wall: float) -> list[TableEvent]:
        """A hand laid open on the table: somebody says that he has won."""
        sets = {seat: len(melds) for seat, melds in self._melds.items()}
        opened = self._open.opened(placed, sets, at)
        if opened is None:
            return []
        drawn_by_me = opened.seat == 0 and bool(self.moves) and self.moves[-1].kind == "draw"
        hand, tile = opened.parted(self.moves[-1].tile if drawn_by_me else None)
        ids = tuple(p.tile.index for p in opened.tiles)
        self.moves.append(Seen("win", opened.seat, tile, ids, at, tile, hand=hand))
        self.won = True
        confidence = opened.confidence if opened.whole else INFERRED
        return [acted("won", opened.seat, tile, at, wall, confidence)]

    def _cleared(self, at: float, wall: float) -> list[TableEvent]:
        """Most of what lay there is gone: the hand is over and the tiles are gathered."""
        if not claims.gathered(self.moves, at):
            return []
        self.restart()
        return [
            TableEvent("cleared", at, wall, 0.9, "牌已收走，新的一盘", "the tiles are gathered in")
        ]

    def restart(self) -> None:
        """A new hand begins."""
        fresh = Story(self.options, hidden=self.hidden)
        fresh._begun = True
        self.__dict__.update(fresh.__dict__)
