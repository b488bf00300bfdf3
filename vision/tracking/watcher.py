"""One table watched through one camera: frames in, states out. No threads, no clock of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rules import TILES, Meld, RuleOptions, joker_kinds
from vision.table.assign import assign
from vision.table.guess import guess_placement
from vision.table.placed import PlacedTile
from vision.table.placement import Placement
from vision.table.zones import hidden_edges
from vision.tracking import gaps
from vision.tracking.analysis import SeatAnalysis, analyse, hand_of
from vision.tracking.book import Book, Start, book_json, keep_book
from vision.tracking.dice import Throw
from vision.tracking.doubts import table_doubts
from vision.tracking.events import TableEvent, rolled
from vision.tracking.looking import Look, Looking
from vision.tracking.memory import TableMemory, heap
from vision.tracking.said import Said, as_said, places, words
from vision.tracking.settle import settle
from vision.tracking.state import SeatState, TableState, seats_of
from vision.tracking.story import Story
from vision.tracking.tracks import ABSENT
from vision.tracking.unplaced import unplaced
from vision.values import TileReading

EVENTS_KEPT = 200
LEAST_HAND = 4
# Fewer tiles than this are a hand, not a table.
TABLE_TILES = 40


class TableWatcher:
    """Turns frames into table states and events.

    Attributes:
        looking: The tiles on the table.
        story: What has happened in this hand.
        rolls: The opening's rolls so far.
        dealer: The dealer where the user named him.
    """

    def __init__(
        self,
        look: Look,
        placement: Placement | None = None,
        options: RuleOptions | None = None,
        budget_s: float | None = None,
        auto_place: bool = False,
    ) -> None:
        """Nothing seen yet.

        Args:
            look: Reads parts of frames.
            placement: Where the table lies; None: only the hand before the camera is made out.
            options: The rules in force.
            budget_s: See `Looking`.
            auto_place: Without a placement, guess one once a whole table shows.
        """
        self._auto_place = auto_place and placement is None
        self.options = options or RuleOptions()
        self.looking = Looking(look, placement, budget_s)
        self.story = Story(self.options)
        self.memory = TableMemory()
        self.rolls: tuple[tuple[int, int], ...] = ()
        self.dealer: int | None = None
        self.zuo = False
        self.la = (0, 0, 0, 0)
        self.named_indicator: str | None = None
        self._events: deque[TableEvent] = deque(maxlen=EVENTS_KEPT)
        self._told = 0
        self._version = 0
        self._roll_doubtful = False
        self._last: tuple[Any, ...] = ()
        self._state: TableState | None = None
        self._analysed: dict[int, tuple[Any, SeatAnalysis]] = {}
        self._placed_key: Any = None
        self._placed_tiles: tuple[PlacedTile, ...] = ()
        self._absent: tuple[TileReading, ...] = ()
        self._glimpsed: tuple[Any, tuple[gaps.Glimpse, ...]] = ((), ())
        self._book_key: Any = None
        self._book = Book(None, 0)

    @property
    def events_told(self) -> int:
        """How many events there have been, those no longer kept included."""
        return self._told

    def see(self, pixels: np.ndarray, at: float, wall: float) -> TableState:
        """Take in one frame.

        Args:
            pixels: BGR.
            at: Monotonic seconds, or seconds into a recording.
            wall: Unix seconds.

        Returns:
            The table as it is now known.
        """
        self.looking.guards = self.story.playing and not self.story.won
        motion = self.looking.see(pixels, at)
        for throw in self.looking.take_throws():
            # Nobody rolls dice between the first discard and the end of a hand.
            if self.story.won or not self.story.playing:
                self._tell([self._rolled(throw, at, wall)])
        if self._auto_place and self.looking.ready:
            self._place_by_itself()
        placed = self._placed()
        if self.looking.placement is not None and not self.looking.view_lost:
            self._tell_moves(placed, at, wall, self.looking.ready)
        return self._publish(placed, motion.any, at, wall)

    def see_tiles(self, tiles: Sequence[TileReading], at: float, wall: float) -> TableState:
        """Take in tiles that somebody else found, instead of a frame.

        Args:
            tiles: All that lie still, `index` the identity of each; `looking.size` and its
                placement say what their boxes mean.
            at: Seconds.
            wall: Unix seconds.

        Raises:
            ValueError: There is no placement.
        """
        if self.looking.placement is None:
            raise ValueError("tiles without pixels need a placement")
        story = (self.story.indicator_id, len(self.story.moves))
        key = (tuple(tiles), self.looking.placement, self.looking.size, *story)
        if key != self._placed_key:
            self._placed_key = key
            self._placed_tiles = self._assigned(tiles, self.looking.placement)
        placed = self._placed_tiles
        self._tell_moves(placed, at, wall, True)
        return self._publish(placed, False, at, wall)

    def _tell_moves(
        self, placed: tuple[PlacedTile, ...], at: float, wall: float, ready: bool
    ) -> None:
        if heap(placed):
            return
        before = self.story.won
        self.story.glimpses = self._glimpses()
        told = self.story.update(placed, at, wall, ready)
        for number, tile in gaps.found(self.story.moves):
            self.looking.tracks.correct(number, tile)
        if any(event.kind == "cleared" for event in told) or (before and not self.story.won):
            self.rolls = ()
        self._tell(told)

    @property
    def shown(self) -> tuple[TileReading, ...]:
        """The tiles that show now, wherever they belong."""
        return tuple(track.reading() for track in self.looking.tracks.settled())

    def _place_by_itself(self) -> None:
        placement = guess_table(self.shown, self.looking.size)
        if placement is not None:
            self.looking.place(placement)
            self._auto_place = False

    def refresh(self, at: float, wall: float) -> TableState:
        """The state after a correction, without a new frame."""
        moving = self._state.moving if self._state else False
        return self._publish(self._placed(), moving, at, wall)

    def play_by(self, options: RuleOptions) -> None:
        """Judge by other rules from now on, what has been worked out already included."""
        self.options = self.story.options = options
        self._analysed.clear()
        if self._state is not None:
            self._state = replace(self._state, analysis=())

    def new_hand(self) -> None:
        """Forget what happened: another hand begins."""
        self.story.restart()
        self.rolls, self.named_indicator = (), None

    def name_unseen(self, said: Mapping[int, str]) -> None:
        """Let the discards that nobody saw be exactly what is said of them, by their numbers."""
        at, wall = (self._state.at, self._state.wall) if self._state else (0.0, 0.0)
        self._tell(gaps.name(self.story.moves, said, at, wall))

    def _tell(self, events: Sequence[TableEvent]) -> None:
        self._events.extend(events)
        self._told += len(events)

    def _rolled(self, throw: Throw, at: float, wall: float) -> TableEvent:
        opening = not self.story.playing
        counted: tuple[tuple[int, int], ...] = ()
        if opening and len(throw.values) == 2 and len(self.rolls) < 3:
            self.rolls = (*self.rolls, (throw.values[0], throw.values[1]))
            counted = self.rolls
            self._roll_doubtful = throw.doubtful
        return rolled(
            throw.values, counted, self.dealer, throw.at, wall, throw.confidence, throw.doubtful
        )

    def _placed(self) -> tuple[PlacedTile, ...]:
        """Every tile that counts, with its role; worked out anew only when one changed."""
        looking = self.looking
        story = (self.story.indicator_id, len(self.story.moves))
        key = (looking.tracks.revision, looking.placement, looking.size, *story)
        if key != self._placed_key:
            self._placed_key, self._placed_tiles = key, self._place()
        return self._placed_tiles

    def _place(self) -> tuple[PlacedTile, ...]:
        tracks = self.looking.tracks.settled()
        placement = self.looking.placement
        said = places(self.looking.tracks)
        gone = [track for track in tracks if said.get(track.id, ("",))[0] == ABSENT]
        self._absent = tuple(track.reading() for track in gone if not track.added)
        tiles = settle([track for track in tracks if track not in gone])
        self.story.heed(said, {track.id for track in tracks})
        if placement is None:
            return as_said(unplaced(tiles, self.looking.size), said)
        return as_said(self._assigned(tiles, placement), said)

    def _assigned(
        self, tiles: Sequence[TileReading], placement: Placement
    ) -> tuple[PlacedTile, ...]:
        turned = () if self.story.indicator_id is None else (self.story.indicator_id,)
        size = self.looking.size
        self.story.hidden = hidden_edges(placement.plane(*size))
        known = self.memory.known(self.story, placement, tiles, size)
        placed = assign(tiles, placement, size, turned, known)
        self.memory.learn(placed, self.story, placement, size)
        return placed

    def _glimpses(self) -> tuple[gaps.Glimpse, ...]:
        """What one look was sure of and no other found, with its place; worked out once each."""
        seen, placement = tuple(self.looking.tracks.glimpses), self.looking.placement
        if placement is None or seen == self._glimpsed[0]:
            return self._glimpsed[1]
        size = self.looking.size
        known = self.memory.known(self.story, placement, (), size)
        placed = tuple((at, assign((tile,), placement, size, (), known)[0]) for at, tile in seen)
        self._glimpsed = (seen, placed)
        return placed

    def _publish(
        self, placed: tuple[PlacedTile, ...], moving: bool, at: float, wall: float
    ) -> TableState:
        indicator = next((p for p in placed if p.role == "indicator"), None)
        turned = self._turned(indicator)
        jokers = joker_kinds(turned, self.options.joker_rule) if turned in TILES else ()
        order = {
            seen.ids[0]: n for n, seen in enumerate(self.story.moves) if seen.kind == "discard"
        }
        seats = seats_of(placed, order)
        book = self._keep_book(turned)
        previous = self._state.analysis if self._state else ()
        analysis = previous if moving else self._analyse(seats, placed, turned, jokers)
        doubts = table_doubts(
            placed, self.looking, self.story, book, self.rolls, self.dealer, self._roll_doubtful, at
        )
        said = self.said
        content = (
            placed, moving, turned, doubts, self._told, book.applied, self.looking.placement,
            analysis, self.rolls, said, self._absent, self.options,
        )  # fmt: skip
        if self._state is None or content != self._last:
            self._version += 1
            self._last = content
        self._state = TableState(
            version=self._version,
            at=at,
            wall=wall,
            source="live",
            moving=moving,
            error=None,
            placement=self.looking.placement.name if self.looking.placement else None,
            size=self.looking.size,
            seats=seats,
            indicator=indicator,
            jokers=jokers,
            dice=tuple(p for p in placed if p.role == "dice"),
            wall_backs=sum(p.role == "wall" for p in placed),
            tiles=placed,
            doubts=doubts,
            analysis=analysis,
            round=book_json(book, len(self.story.moves)),
            events=tuple(self._events),
            absent=self._absent,
            said=said,
            turned=turned,
        )
        return self._state

    def _turned(self, seen: PlacedTile | None) -> str | None:
        """The turned tile: as named, as the tile that was said to be it reads, or as seen."""
        said = places(self.looking.tracks)
        if self.named_indicator is not None or seen is None:
            return self.named_indicator or self.story.indicator
        if said.get(seen.tile.index, ("",))[0] == "indicator":
            return seen.tile.tile
        # Without a placement a lone tile is only a guess at the turned one.
        placed = self.looking.placement is not None
        return self.story.indicator or (seen.tile.tile if placed else None)

    @property
    def said(self) -> Said:
        """Everything people have said and that still holds."""
        unseen = gaps.named(self.story.moves)
        return Said(words(self.looking.tracks), self.named_indicator, self.dealer, unseen)

    @property
    def state(self) -> TableState | None:
        """The newest state."""
        return self._state

    @property
    def book(self) -> Book:
        """What the rules make of the moves so far."""
        return self._book

    def _keep_book(self, turned: str | None) -> Book:
        moves = tuple(seen.move() for seen in self.story.moves)
        start = Start(
            self.dealer, self.rolls, turned, self.story.hand, self.options, self.zuo, self.la
        )
        key = (start, moves, self.story.joined_late)
        if key != self._book_key:
            self._book_key = key
            late = self.story.joined_late
            self._book = Book(None, 0) if late or turned not in TILES else keep_book(start, moves)
        return self._book

    def _analyse(
        self,
        seats: tuple[SeatState, ...],
        placed: Sequence[PlacedTile],
        turned: str | None,
        jokers: tuple[str, ...],
    ) -> tuple[SeatAnalysis, ...]:
        found = []
        for seat in seats:
            held = [p.tile.tile for p in seat.hand]
            if len(held) + (seat.drawn is not None) + 3 * len(seat.melds) < LEAST_HAND:
                continue
            if not held or (seat.seat != 0 and seat.hidden > 1):
                continue
            drawn = seat.drawn.tile.tile if seat.drawn else None
            melds = [Meld(m.kind, m.tile) for m in seat.melds]
            hand = hand_of(held, drawn, melds, jokers)
            visible = [*_visible(seats, seat.seat), *gaps.named(self.story.moves).values()]
            near = tuple(p.tile.tile for p in placed if p.role == "loose" and p.seat == seat.seat)
            key = (hand, turned, tuple(sorted(visible)), near)
            known = self._analysed.get(seat.seat)
            if known is None or known[0] != key:
                said = analyse(seat.seat, hand, self.options, turned, visible, near)
                known = (key, said)
                self._analysed[seat.seat] = known
            found.append(known[1])
        return tuple(found)


def guess_table(tiles: Sequence[TileReading], size: tuple[int, int]) -> Placement | None:
    """Where a whole table may lie by its tiles; None when too few show for a table."""
    return guess_placement(tiles, size) if len(tiles) >= TABLE_TILES else None


def _visible(seats: Sequence[SeatState], own: int) -> list[str]:
    """Faces that a seat sees besides its own tiles and the turned one."""
    visible = [p.tile.tile for seat in seats for p in seat.pond if p.tile.is_face]
    for seat in seats:
        if seat.seat == own:
            continue
        visible += [tile for m in seat.melds for tile in Meld(m.kind, m.tile).tiles]
        visible += [p.tile.tile for p in seat.hand]
        visible += [seat.drawn.tile.tile] if seat.drawn else []
    return visible
