"""One frame after another: what moves, what to read, and the tiles that lie there."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.table.nudge import Keyframe
from vision.table.placement import Placement
from vision.tracking.accept import accept
from vision.tracking.background import BackgroundLook, Ticket
from vision.tracking.change import GREAT_SHARE, ChangeDetector, Motion, cells_of
from vision.tracking.dice import DiceWatch, Throw
from vision.tracking.find_dice import FoundDie, dice_boxes, find_dice, is_print, with_dice
from vision.tracking.look import Look as Look
from vision.tracking.look import ReaderLook as ReaderLook
from vision.tracking.look import read_part
from vision.tracking.lookout import Lookout, Part
from vision.tracking.small_dice import SmallDice, die_size
from vision.tracking.tracks import FAINT_LOOKS, LEAST_LOOKS, Tracks
from vision.values import Box, TileReading

DICE_AFTER_S = 0.6
SMALL_DICE_AFTER_S = 2.0
# What has not moved for so long was not just thrown.
THROWN_S, AROUND_CELLS = 2.0, 4
# Share of the picture that changes when the camera is knocked; and how long it may swing.
LEAST_STIR, SHAKEN_S = 0.06, 1.5
# Share of the picture's blocks that change when the camera is pushed a little, and while it swings.
# (Measured on films: pushes 0.69 and more; arms, walls being built and dice up to 0.54.)
WIDE, SWINGING = 0.6, 0.2


@dataclass
class _UnderWay:
    """A part of a frame that is being read beside the frames that come meanwhile."""

    ticket: Ticket
    part: Part
    pixels: np.ndarray
    motion: Motion
    at: float


class Looking:
    """Keeps the tiles of one table up to date, frame by frame, reading as little as it can.

    Attributes:
        tracks: The tiles.
        placement: Where the table lies in the newest frame; None: anywhere.
        size: Width and height of the frames.
        looks: Parts that were read so far.
        view_lost: The picture shows something else: the tiles are those of before.
        guards: A game is on, so that tiles are not believed gone because the picture changed.
    """

    def __init__(
        self,
        look: Look,
        placement: Placement | None = None,
        budget_s: float | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Nothing seen yet.

        Args:
            look: Reads parts of frames; a `BackgroundLook` holds no frame up.
            placement: Where the table lies; None: anywhere in the frame.
            budget_s: No further part is read in a frame once this much time has gone into it;
                None reads everything that is due (for recordings).
            clock: Seconds of the budget.
        """
        self._look = look
        self.placement = placement
        self._budget_s = budget_s
        self._clock = clock
        self.tracks = Tracks()
        self.changes = ChangeDetector()
        self.lookout: Lookout | None = None
        self.size = (0, 0)
        self.looks = 0
        self.view_lost = False
        self._keyframe: Keyframe | None = None
        self._stirred = 0.0
        self._stirred_at = 0.0
        self._pushed = False
        self.guards = True
        self.dice = DiceWatch()
        self.small_dice = SmallDice()
        self.throws: list[Throw] = []
        self._dice_until = float("-inf")
        self._under_way: _UnderWay | None = None

    def place(self, placement: Placement | None) -> None:
        """The table lies there from now on; everything is looked at anew."""
        self.placement = placement
        self.lookout = None

    def look_anew(self) -> None:
        """Look at everything again, also where nothing moves: it may be read otherwise now."""
        self.lookout = None

    def see(self, pixels: np.ndarray, at: float) -> Motion:
        """Take in a frame.

        Args:
            pixels: BGR.
            at: Monotonic seconds (or seconds from the beginning of a recording).

        Returns:
            What moved. Errors of the look come through; the tiles stay as they were.
        """
        size = (pixels.shape[1], pixels.shape[0])
        if size != self.size:
            self.size, self.lookout, self._under_way = size, None, None
            self.tracks.clear()
            self.changes.reset()
        motion = self.changes.look(pixels, at)
        if self.lookout is None:
            self.lookout = Lookout(size, self.placement, self._look.side)
        self.lookout.watch(motion, at)
        self.tracks.stir(motion)
        if self._shaken(pixels, motion, at):
            self._under_way = None
            return motion
        self._watch_dice(pixels, motion, at)
        if isinstance(self._look, BackgroundLook):
            self._read_beside(self._look, pixels, motion, at)
            return motion
        started = self._clock()
        for part in self.due(at):
            self._read(pixels, part, motion, at)
            if self._budget_s is not None and self._clock() - started > self._budget_s:
                break
        return motion

    def _read_beside(
        self, look: BackgroundLook, pixels: np.ndarray, motion: Motion, at: float
    ) -> None:
        """Take what the look under way has found, and begin the next one that is due."""
        under = self._under_way
        if under is not None:
            # What moves while a part is read may not lie where it was read.
            under.motion = replace(under.motion, moving=under.motion.moving | motion.changed)
            if not under.ticket.done:
                return
            self._under_way = None
            found = under.ticket.take()
            if self.lookout is not None and any(p is under.part for p in self.lookout.parts):
                self._took(found, under.pixels, under.part, under.motion, under.at)
        for part in self.due(at)[:1]:
            ticket = look.begin(pixels, part.box, self.placement)
            if ticket is not None:
                self._under_way = _UnderWay(ticket, part, pixels, motion, at)

    def _shaken(self, pixels: np.ndarray, motion: Motion, at: float) -> bool:
        """Follow the camera when it was moved; True while it is not known where it looks."""
        if motion.share > self._stirred:
            self._stirred, self._stirred_at = motion.share, at
        self._pushed = self._pushed or motion.spread >= WIDE
        great = self._stirred > GREAT_SHARE or self._pushed
        swings = motion.share > LEAST_STIR or (self._pushed and motion.spread > SWINGING)
        if great and swings and at - self._stirred_at < SHAKEN_S:
            return True
        # An arm that still moves does not hide how the rest of the picture lies.
        if motion.any and not great:
            return False
        asked = self.view_lost or self._pushed or self._stirred > LEAST_STIR
        if self._keyframe is not None and not asked:
            return False
        now = Keyframe(pixels)
        if self._keyframe is not None:
            change = self._keyframe.change_to(now)
            asks = great and self.placement is not None
            if change is None and asks and self.guards:
                # Another view, or the light went out: no tile has been seen to leave. Without a
                # placement nothing hangs on the view: dice thrown close by change as much of it.
                # Nor does it before a game: the tiles are shuffled, and the walls built.
                self.view_lost = True
                return True
            if change is not None and not np.allclose(change, np.eye(3)):
                self._follow(change)
        self._keyframe, self._stirred, self.view_lost, self._pushed = now, 0.0, False, False
        return False

    def _follow(self, change: np.ndarray) -> None:
        """The camera was moved: the table and its tiles lie elsewhere in the picture."""
        self.tracks.moved(change)
        self.dice.shift(change)
        self.small_dice.reset()
        if self.placement is not None:
            self.placement = self.placement.moved(change, *self.size)
        self.lookout = Lookout(self.size, self.placement, self._look.side)

    def _watch_dice(self, pixels: np.ndarray, motion: Motion, at: float) -> None:
        """Look for rolling dice while anything moves, and until they have had time to rest."""
        if motion.any:
            self._dice_until = at + DICE_AFTER_S
        throws: list[Throw | None] = []
        at_table = self.placement is not None
        if at <= self._dice_until or self.dice.waits(at):
            throws.append(self.dice.see(self._thrown(pixels, motion, at), at, at_table))
        throws.append(self.dice.look(self.tracks.all(), motion, at, at_table))
        if at <= self._dice_until + SMALL_DICE_AFTER_S:
            throws.append(self._unread(pixels, at))
        self.throws += [throw for throw in throws if throw is not None]

    def _unread(self, pixels: np.ndarray, at: float) -> Throw | None:
        """Two dice that are too small to be read, unless something can read them."""
        others = [t.box for t in self.tracks.settled() if not t.tile.startswith("die")]
        is_size = die_size(self.placement, self.size, others)
        if is_size is None:
            return None
        dice = self.small_dice.see(pixels, is_size, others, at)
        read = any(t.tile.startswith("die") for t in self.tracks.all())
        return self.dice.unread(dice, at) if dice and not read else None

    def _thrown(self, pixels: np.ndarray, motion: Motion, at: float) -> tuple[FoundDie, ...]:
        """What looks like dice where something moved lately, and where dice were told last."""
        assert self.lookout is not None
        lately = self.changes.moved_within(THROWN_S, at)
        for box in self.dice.told_boxes():
            lately[cells_of(box, motion.scale, lately.shape)] = True
        rows, columns = np.flatnonzero(lately.any(1)), np.flatnonzero(lately.any(0))
        if not len(rows):
            return ()
        low, high = self.lookout.outline.min(0), self.lookout.outline.max(0)
        first = (np.array([columns[0], rows[0]]) - AROUND_CELLS) * motion.scale
        last = (np.array([columns[-1], rows[-1]]) + 1 + AROUND_CELLS) * motion.scale
        x1, y1 = np.maximum(first, low)
        x2, y2 = np.minimum(last, high)
        part = (float(x1), float(y1), float(x2), float(y2))

        def may_be_thrown(box: Box) -> bool:
            moved = lately[cells_of(box, motion.scale, lately.shape)].any()
            return bool(moved) and not self._is_print(box)

        return find_dice(pixels, part, self.tracks.cloth, self.placement, may_be_thrown)

    def _is_print(self, box: Box) -> bool:
        """Whether what looks like a die is the print on a tile that is known to lie there, also in
        a look that does not find the tile: a change of the light may hide its outline."""
        tiles = [track.reading() for track in self.tracks.all() if track.votes.looks < FAINT_LOOKS]
        # That a tile lies where so many looks found one is sure, whatever its name.
        often = [t for t in self.tracks.settled() if t.votes.looks >= FAINT_LOOKS]
        tiles += [replace(track.reading(), confidence=1.0) for track in often]
        return any(is_print(box, tile) for tile in tiles)

    def take_throws(self) -> tuple[Throw, ...]:
        """The throws since this was last asked."""
        throws, self.throws = tuple(self.throws), []
        return throws

    def due(self, at: float) -> list[Part]:
        """The parts that want to be read."""
        if self.lookout is None or self.lookout.idle:
            return []
        unresolved = [track.box for track in self.tracks.all() if track.unresolved]
        return self.lookout.due(at, unresolved)

    @property
    def ready(self) -> bool:
        """Whether the whole table has been looked at often enough to know what lies there."""
        return self.lookout is not None and all(p.looks >= LEAST_LOOKS for p in self.lookout.parts)

    def _read(self, pixels: np.ndarray, part: Part, motion: Motion, at: float) -> None:
        raw = read_part(self._look, pixels, part.box, self.placement)
        self._took(raw, pixels, part, motion, at)

    def _took(
        self,
        raw: tuple[TileReading, ...],
        pixels: np.ndarray,
        part: Part,
        motion: Motion,
        at: float,
    ) -> None:
        """Take in what a look has found."""
        assert self.lookout is not None
        self.looks += 1
        cloth = self.tracks.cloth

        def may_be_die(box: Box) -> bool:
            return not self._is_print(box)

        dice = find_dice(pixels, part.box, cloth, self.placement, may_be_die)
        if part.looked == 0:
            covered: list[Box] = [tile.box for tile in raw]
            covered += [track.box for track in self.tracks.all()]
            if not cloth.known:
                covered += dice_boxes(pixels, part.box, self.placement)
            covered += [die.box for die in dice if die.pips is not None]
            before = cloth.known
            cloth.learn(pixels, _corners(part.box), covered)
            if not before:
                dice = find_dice(pixels, part.box, cloth, self.placement, may_be_die)
        found = with_dice(accept(raw, pixels, self._look.least, self.placement), dice)
        self.tracks.look(found, part.box, pixels, motion, at, self._look.least)
        self.lookout.looked(part, at)


def _corners(box: Box) -> np.ndarray:
    x1, y1, x2, y2 = box
    return np.array([(x1, y1), (x2, y1), (x2, y2), (x1, y2)], float)
