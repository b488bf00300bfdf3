"""The live table: one producer of states, any number of readers, corrections from people.

Example:
    >>> table = LiveTable(ReaderLook(Reader()))                         # doctest: +SKIP
    >>> reader = SourceReader(named_source("0"))                        # doctest: +SKIP
    >>> follower = FrameFollower(reader, table.handle)                  # doctest: +SKIP
    >>> table.follow(lambda: reader.status().state)                     # doctest: +SKIP
    >>> with table.subscribe() as states:                               # doctest: +SKIP
    ...     state = states.next(seconds=1.0)
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import TracebackType

from rules import RuleOptions
from rules.tiles import KINDS
from vision.errors import VisionError
from vision.sources.frame import Frame
from vision.table.placement import Placement
from vision.tracking.events import TableEvent
from vision.tracking.gaps import is_gap, named
from vision.tracking.looking import Look
from vision.tracking.said import ROLES, Place, Said, say, usual_box
from vision.tracking.state import TableState
from vision.tracking.tracks import ABSENT, Tracks
from vision.tracking.watcher import TableWatcher, guess_table
from vision.values import CLASSES

LIVE_BUDGET_S = 0.12
MOST_ERROR = 200
# Tiles side by side across the picture where none shows to tell their size.
USUAL_TILES = 24


class CorrectionError(VisionError):
    """A correction that cannot be made."""


class LiveTable:
    """Holds the newest state of one table.

    `handle` is called by one thread (a `FrameFollower`); everything else may be called by any.
    A reader never waits for a frame to be handled, and never holds one up.

    Attributes:
        corrections: What people may change.
    """

    def __init__(
        self,
        look: Look,
        placement: Placement | None = None,
        options: RuleOptions | None = None,
        budget_s: float | None = LIVE_BUDGET_S,
        auto_place: bool = True,
    ) -> None:
        """No frame yet; see `TableWatcher` for the arguments."""
        self._watcher = TableWatcher(look, placement, options, budget_s, auto_place)
        self._working = threading.Lock()
        self._changed = threading.Condition()
        self._state: TableState | None = None
        self._source: Callable[[], str] = lambda: "live"
        self.corrections = Corrections(self)

    def follow(self, source: Callable[[], str]) -> None:
        """Ask `source` for the source's state (`SourceStatus.state`) with every `state()`."""
        self._source = source

    def handle(self, frame: Frame) -> None:
        """Take in a frame.

        Raises:
            Exception: Whatever reading it raised, once the last good state has been marked with
                the reason: a frame that cannot be read is not an empty table.
        """
        at = frame.at if frame.position is None else frame.position
        try:
            with self._working:
                # Published before anybody else works: else an older state could follow a newer one.
                self._publish(self._watcher.see(frame.pixels, at, frame.wall))
        except Exception as error:
            self._fail(error)
            raise

    def state(self) -> TableState | None:
        """The newest state, marked stale when the source is not live; None before the first."""
        state = self._state
        if state is None:
            return None
        source = self._source()
        return state if source == state.source else replace(state, source=source)

    def placement(self) -> Placement | None:
        """Where the table lies now, pushes of the camera included; None when it is not placed."""
        return self._watcher.looking.placement

    def rolls(self) -> tuple[tuple[int, int], ...]:
        """The opening's rolls so far, seen or said."""
        return self._watcher.rolls

    def guess(self) -> Placement | None:
        """Where the table may lie by the tiles that show; None when too few do."""
        with self._working:
            tiles, size = self._watcher.shown, self._watcher.looking.size
        # Long work; frames go on being handled meanwhile.
        return guess_table(tiles, size)

    def play_by(self, options: RuleOptions) -> TableState | None:
        """Judge by other rules from now on; the new state (None before the first frame)."""
        return self._change(lambda watcher: watcher.play_by(options))

    def look_anew(self) -> TableState | None:
        """Read everything again, also where nothing moves, as after word of the tiles' set."""
        return self._change(lambda watcher: watcher.looking.look_anew())

    def subscribe(self) -> Subscription:
        """A reader of its own, which gets the newest state each time it asks."""
        return Subscription(self)

    def wait_newer(self, version: int, seconds: float) -> TableState | None:
        """The newest state once its version is not `version`; None after `seconds`."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._state is not None and self._state.version != version, seconds
            )
            newer = self._state is not None and self._state.version != version
        return self.state() if newer else None

    def close(self) -> None:
        """Wake everybody who waits."""
        with self._changed:
            self._changed.notify_all()

    def events_told(self) -> int:
        """How many events there have been."""
        return self._watcher.events_told

    def _publish(self, state: TableState) -> None:
        with self._changed:
            self._state = state
            self._changed.notify_all()

    def _fail(self, error: Exception) -> None:
        text = f"{type(error).__name__}: {error}"[:MOST_ERROR]
        with self._changed:
            if self._state is not None and self._state.error != text:
                self._state = replace(self._state, error=text)
                self._changed.notify_all()

    def _change(self, work: Callable[[TableWatcher], None]) -> TableState | None:
        with self._working:
            work(self._watcher)
            known = self._state
            if known is None:
                return None
            self._publish(self._watcher.refresh(known.at, known.wall))
        return self.state()


class Subscription:
    """One reader's place in the stream of states and events."""

    def __init__(self, table: LiveTable) -> None:
        """Begin before the newest state."""
        self._table = table
        self._version = -1
        self._told = 0

    def __enter__(self) -> Subscription:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    def next(self, seconds: float) -> TableState | None:
        """The newest state this reader has not had; None after `seconds`.

        A slow reader misses states between, never the newest one.
        """
        state = self._table.wait_newer(self._version, seconds)
        if state is not None:
            self._version = state.version
        return state

    def events(self, state: TableState) -> tuple[TableEvent, ...]:
        """The events up to `state` that this reader has not had (the last 200 at most)."""
        told = self._table.events_told()
        new = min(max(told - self._told, 0), len(state.events))
        self._told = told
        return state.events[len(state.events) - new :]


class Corrections:
    """What people say about the table; it outranks what later frames seem to show.

    Every method gives the new state (None before the first frame) and raises `CorrectionError`
    where it cannot be done.
    """

    def __init__(self, table: LiveTable) -> None:
        """Made by `LiveTable`."""
        self._table = table

    def tile(self, identity: int, tile: str | None) -> TableState | None:
        """This tile is a `tile` (MPSZ, `back`, `dieN`), until it moves; None takes that back."""
        if tile is not None and tile not in CLASSES:
            raise _unknown(tile)
        return self._table._change(
            lambda w: _there(w.looking.tracks.correct(identity, tile), identity)
        )

    def nothing(self, identity: int) -> TableState | None:
        """No tile lies there, until something moves there."""
        return self.move((identity,), ABSENT, None)

    def move(
        self, identities: Sequence[int], role: str | None, seat: int | None
    ) -> TableState | None:
        """These tiles belong there until they move.

        Args:
            identities: Of tiles on the table; all of them or none are moved.
            role: One of `vision.tracking.said.ROLES`; None: as it is seen.
            seat: 0 me, 1 right, 2 across, 3 left; None for a role that is nobody's.
        """
        if role is not None and (role not in ROLES or ROLES[role] != (seat in range(4))):
            raise CorrectionError(
                "bad_place",
                "位置不对：手牌、抓的牌、碰杠、打出的牌要说是谁的（0 到 3），翻混牌和旁边不用。",
                "No such place: hand, drawn, meld and pond take a seat 0 to 3, indicator and loose "
                "take none.",
            )
        place = None if role is None else (role, seat)

        def change(watcher: TableWatcher) -> None:
            tracks = watcher.looking.tracks
            here = {track.id for track in tracks.all()}
            for identity in identities:
                _there(identity in here, identity)
            if role in ("drawn", "indicator"):
                _only_one(tracks, place)
            for identity in identities:
                tracks.place(identity, place)
            if role == "indicator":
                watcher.named_indicator = None

        return self._table._change(change)

    def add(self, tile: str, x: float, y: float) -> tuple[int, TableState | None]:
        """A tile lies there that is not seen; it stays until something moves there.

        Args:
            tile: What it is.
            x, y: Its middle, shares of the picture's width and height.

        Returns:
            Its identity, and the new state.
        """
        if tile not in CLASSES:
            raise _unknown(tile)
        if not (0 <= x <= 1 and 0 <= y <= 1):
            raise CorrectionError(
                "outside", "要点在画面里面。", "Point at a place inside of the picture."
            )
        added: list[int] = []

        def change(watcher: TableWatcher) -> None:
            looking = watcher.looking
            width, height = looking.size
            at = watcher.state.at if watcher.state else 0.0
            box = usual_box(looking.tracks, x * width, y * height, width / USUAL_TILES)
            added.append(looking.tracks.add(tile, box, at))

        state = self._table._change(change)
        return added[0], state

    def said(self) -> Said:
        """Everything that people have said and that still holds."""
        with self._table._working:
            return self._table._watcher.said

    def say(self, said: Said) -> TableState | None:
        """Let exactly this hold, as far as its tiles are still there."""

        def change(watcher: TableWatcher) -> None:
            say(watcher.looking.tracks, said.words)
            watcher.named_indicator, watcher.dealer = said.indicator, said.dealer
            watcher.name_unseen(said.discards)

        return self._table._change(change)

    def indicator(self, tile: str | None) -> TableState | None:
        """The turned tile; None: as it is seen."""
        if tile is not None and tile not in KINDS:
            raise _unknown(tile)
        return self._table._change(lambda w: setattr(w, "named_indicator", tile))

    def discard(self, move: int, tile: str | None) -> TableState | None:
        """What a discard was that nobody saw; a tile that comes to light there is then that one.

        Args:
            move: Its number (`Doubt.move`).
            tile: A face; None: nobody knows.
        """
        if tile is not None and tile not in KINDS:
            raise _unknown(tile)

        def change(watcher: TableWatcher) -> None:
            moves = watcher.story.moves
            if not any(is_gap(seen) and seen.ids[0] == move for seen in moves):
                raise CorrectionError(
                    "move_gone",
                    "这张打出的牌已经看清了，或已是新的一盘。",
                    "That discard has come to light meanwhile, or another hand has begun.",
                )
            said = {number: name for number, name in named(moves).items() if number != move}
            watcher.name_unseen(said if tile is None else {**said, move: tile})

        return self._table._change(change)

    def dealer(self, seat: int | None) -> TableState | None:
        """Who deals: 0 me, 1 right, 2 across, 3 left; None: whoever discards first."""
        if seat is not None and seat not in range(4):
            raise CorrectionError("bad_seat", "座位是 0 到 3。", "A seat is 0, 1, 2 or 3.")
        return self._table._change(lambda w: setattr(w, "dealer", seat))

    def rolls(self, rolls: tuple[tuple[int, int], ...]) -> TableState | None:
        """The opening's rolls, at most three, two dice each."""
        good = len(rolls) <= 3 and all(
            len(roll) == 2 and all(type(n) is int and 1 <= n <= 6 for n in roll) for roll in rolls
        )
        if not good:
            raise CorrectionError(
                "bad_rolls",
                "最多三次掷骰，每次两个 1 到 6 的点数。",
                "Give at most three rolls of two dice, 1 to 6 each.",
            )

        def change(watcher: TableWatcher) -> None:
            watcher.rolls, watcher._roll_doubtful = rolls, False

        return self._table._change(change)

    def stakes(self, zuo: bool, la: tuple[int, int, int, int]) -> TableState | None:
        """坐庄, and how many times each seat pulls the dealer (拉庄)."""

        def change(watcher: TableWatcher) -> None:
            watcher.zuo, watcher.la = zuo, la

        return self._table._change(change)

    def place(self, placement: Placement | None) -> TableState | None:
        """Where the table lies in the picture."""
        return self._table._change(lambda w: w.looking.place(placement))

    def new_hand(self) -> TableState | None:
        """Another hand begins now."""
        return self._table._change(lambda w: w.new_hand())


def _unknown(tile: str) -> CorrectionError:
    return CorrectionError(
        "unknown_tile",
        f"没有“{tile}”这种牌：写 1m-9m、1p-9p、1s-9s、1z-7z。",
        f"{tile!r} is no tile; write 1m-9m, 1p-9p, 1s-9s or 1z-7z.",
    )


def _there(found: bool, identity: int) -> None:
    if not found:
        raise CorrectionError(
            "tile_gone",
            f"这张牌（{identity}）已经不在桌上了。",
            f"That tile ({identity}) is no longer on the table.",
        )


def _only_one(tracks: Tracks, place: Place | None) -> None:
    """What was said to be the one drawn or turned tile before is as it is seen again."""
    for track in tracks.all():
        if track.place == place:
            tracks.place(track.id, None)
