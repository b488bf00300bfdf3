"""Tiles that keep their identity while they lie still."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count

import numpy as np

from vision.classifier import crop
from vision.quality import sharpness
from vision.tracking.accept import BLANK
from vision.tracking.change import Motion
from vision.tracking.cloth import Cloth
from vision.tracking.matching import SAME_IOU, TAKEN_IOU, inside, lies_there, paired, slid, taken
from vision.tracking.votes import Votes
from vision.values import BACK, CLEAR_NAME, FACES, Box, TileReading

LEAST_LOOKS = 2
# A tile that no single look is sure of counts once so many looks found it, such a share of those
# since the first one; until then it takes longer to be given up.
FAINT_LOOKS, FAINT_SHARE, FAINT_GONE_LOOKS = 4, 0.4, 5
GONE_LOOKS, GONE_S = 2, 0.3
COVERED_LOOKS, COVERED_S = 5, 8.0
SURE_LOOK = 0.55
# So many looks in a row that find the same clear face within a back, none of them sure, after
# something moved there, have found a tile that was turned over.
LEAST_HINTS = 6
# So many looks in a row that are sure of another face within a tile's box, after something moved
# there, see no part of that tile: what hides a part of one seldom rests for so long.
LEAST_PARTS = 4
# A faint look that gives the known name so large a share shows no shadow.
LEAST_NAMED = 0.6
MOST_GLIMPSES = 16
MOST_MOTION = 0.12
BOX_FOLLOW = 0.4
SHARPNESS_SIDE = 48
# The role of a tile that somebody says is not there.
ABSENT = "absent"


@dataclass
class Track:
    """One physical tile or die that lies still.

    Attributes:
        id: Its identity; another tile in the same place gets another.
        box: Where it lies, pixels.
        votes: What the looks at it said.
        first_at, seen_at: Monotonic seconds of the first and the newest look that found it.
        correction: What the user said it is; outranks the votes until it moves.
        place: The role and seat that the user gave it, until it moves.
        added: The user said that it lies here; no look has to find it.
        missed: Looks that did not find it since the last one that did.
        missed_at: When the first of those was.
        rival: What looks say that contradict it after something moved here.
        stirred: Something moved here since the last look that found it.
        down: Which way its foot points in the picture, where it showed.
        pips: Pips counted on a die.
        best_sharpness: Of the sharpest look.
        faint: No single look is sure that something lies here.
        unfound: Looks at this place, since the first one that found it, that did not.
    """

    id: int
    box: Box
    votes: Votes
    first_at: float
    seen_at: float
    correction: str | None = None
    place: tuple[str, int | None] | None = None
    added: bool = False
    missed: int = 0
    missed_at: float = 0.0
    rival: Votes = field(default_factory=Votes.none)
    stirred: bool = False
    down: tuple[float, float] | None = None
    pips: int | None = None
    best_sharpness: float = 1e-6
    faint: bool = False
    unfound: int = 0

    @property
    def settled(self) -> bool:
        """Seen often enough to count."""
        if self.correction is not None:
            return True
        looks = self.votes.looks
        if not self.faint:
            return looks >= LEAST_LOOKS
        return looks >= FAINT_LOOKS and looks >= FAINT_SHARE * (looks + self.unfound)

    @property
    def tile(self) -> str:
        """What it is."""
        return self.correction or self.votes.best

    @property
    def unresolved(self) -> bool:
        """Whether another look may change something."""
        if self.added and not self.stirred:
            return False
        return not self.settled or self.missed > 0 or self.rival.looks > 0

    def reading(self) -> TileReading:
        """What is known of it as a reading; `index` is its identity."""
        sure = self.correction is not None
        return TileReading(
            self.tile,
            1.0 if sure else self.votes.confidence,
            self.box,
            ((self.tile, 1.0),) if sure else self.votes.alternatives(),
            down=self.down,
            pips=self.pips,
            index=self.id,
        )


class Tracks:
    """All tiles on the table, kept over time.

    Attributes:
        cloth: The table's colours.
        revision: Counts up whenever a tile may have changed.
        glimpses: Faces that one look was sure of and no other found, each with its time.
    """

    def __init__(self) -> None:
        """An empty table."""
        self._tracks: list[Track] = []
        self._ids = count(1)
        self.cloth = Cloth()
        self.revision = 0
        self.glimpses: deque[tuple[float, TileReading]] = deque(maxlen=MOST_GLIMPSES)

    def all(self) -> tuple[Track, ...]:
        """Every track, settled or not."""
        return tuple(self._tracks)

    def settled(self) -> tuple[Track, ...]:
        """The tiles that count."""
        return tuple(track for track in self._tracks if track.settled)

    def clear(self) -> None:
        """Forget every tile."""
        self._tracks = []
        self.revision += 1

    def correct(self, identity: int, tile: str | None) -> bool:
        """Take the user's word for a tile; None takes it back. False when it is not there."""
        for track in self._tracks:
            if track.id == identity:
                track.correction = tile
                self.revision += 1
                return True
        return False

    def place(self, identity: int, place: tuple[str, int | None] | None) -> bool:
        """Take the user's word for where a tile belongs; None takes it back. False: not there."""
        for track in self._tracks:
            if track.id == identity:
                track.place = place
                self.revision += 1
                return True
        return False

    def add(self, tile: str, box: Box, at: float) -> int:
        """The user says that a tile lies there which no look finds; its identity."""
        track = Track(next(self._ids), box, Votes.none(), at, at, correction=tile, added=True)
        self._tracks.append(track)
        self.revision += 1
        return track.id

    def moved(self, change: np.ndarray) -> None:
        """The camera moved: every box follows a 3 x 3 homography of pixels."""
        self.revision += 1
        for track in self._tracks:
            track.box = shifted(track.box, change)

    def stir(self, motion: Motion) -> None:
        """Remember where something moves."""
        if not motion.any:
            return
        for track in self._tracks:
            if motion.within(track.box) > MOST_MOTION:
                track.stirred = True
                track.missed = 0

    def look(
        self,
        found: Sequence[TileReading],
        window: Box,
        pixels: np.ndarray,
        motion: Motion,
        at: float,
        least: float = 0.0,
    ) -> None:
        """Take in what was read in a part of the frame.

        Args:
            found: Readings, boxes in pixels of the frame.
            window: The part that was read; what lies across its border is left alone.
            pixels: The frame.
            motion: What moves: readings and tiles under it are left alone.
            at: Monotonic seconds.
            least: Confidence below which a look by itself says nothing: only many of them do.
        """
        self.revision += 1
        height, width = pixels.shape[:2]
        looks = [
            tile
            for tile in found
            if inside(tile.box, window, width, height) and motion.within(tile.box) <= MOST_MOTION
        ]
        here = [
            track
            for track in self._tracks
            if inside(track.box, window, width, height) and motion.within(track.box) <= MOST_MOTION
        ]
        pairs, parts = paired(here, looks)
        sure = [tile for tile in looks if tile.confidence >= least]
        shadows = set()
        for row, column in list(pairs.items()):
            track, tile = here[row], looks[column]
            shadow = tile.confidence < least and not _reads_as(tile, track.tile)
            if shadow and self.cloth.is_empty(pixels, track.box):
                shadows.add(pairs.pop(row))  # where a tile lay, or light like the tiles
            else:
                self._seen(track, tile, pixels, at, column in parts, tile.confidence < least)
        # After a push what no look was ever sure of is often remembered beside its place.
        alike = np.array([[t.faint and t.tile == look.tile for look in looks] for t in here], bool)
        alike = alike.reshape(len(here), len(looks))
        alike[:, list(shadows)] = False
        for row, column in slid(here, looks, alike, pairs).items():
            pairs[row] = column
            here[row].box = looks[column].box
            faint = looks[column].confidence < least
            self._seen(here[row], looks[column], pixels, at, False, faint)
        lost = taken(here, sure, pairs)
        # What no look was ever sure of gives way to others of its kind that lie otherwise.
        lost |= {row for row in taken(here, looks, pairs) if here[row].faint}
        for row, track in enumerate(here):
            if row not in pairs:
                self._unseen(track, row in lost, pixels, at)
        matched = set(pairs.values())
        for column, tile in enumerate(looks):
            faint = tile.confidence < least
            # What lies across the window's border, or under a shadow that moves, is known as well.
            left = [track for track in self._tracks if faint or all(track is not t for t in here)]
            if column in matched or lies_there(tile.box, left, TAKEN_IOU if faint else SAME_IOU):
                continue
            self._tracks.append(self._new(tile, pixels, at, faint))

    def _new(self, tile: TileReading, pixels: np.ndarray, at: float, faint: bool) -> Track:
        sharp = _sharpness(pixels, tile.box)
        votes = Votes.none().after(tile)
        return Track(
            next(self._ids),
            tile.box,
            votes,
            at,
            at,
            down=tile.down,
            pips=tile.pips,
            best_sharpness=sharp,
            faint=faint,
        )

    def _seen(
        self,
        track: Track,
        tile: TileReading,
        pixels: np.ndarray,
        at: float,
        part: bool,
        faint: bool,
    ) -> None:
        track.missed = 0
        track.seen_at = at
        # A part of a back is never a sure face: a face that is seen at a slant lies there now.
        laid_open = tile.is_face and track.votes.best == BACK and tile.confidence >= SURE_LOOK
        if part and not laid_open:
            if track.settled or faint:
                self._hinted(track, tile, at)
            else:  # one look at something that passed by: it is not what a part shows of
                track.box, track.votes = tile.box, Votes.none().after(tile)
                track.down, track.pips, track.unfound = tile.down, tile.pips, 0
            return
        track.faint = track.faint and faint
        sharp = _sharpness(pixels, tile.box)
        track.best_sharpness = max(track.best_sharpness, sharp)
        relative = sharp / track.best_sharpness
        differs = tile.tile != track.votes.best
        if differs and track.stirred and tile.confidence >= SURE_LOOK:
            if track.rival.looks and track.rival.best != tile.tile:
                track.rival = Votes.none()
            track.rival = track.rival.after(tile, relative)
            if track.rival.looks >= LEAST_LOOKS:
                self._become(track, tile, at)
            return
        if not differs:
            track.rival = Votes.none()
            track.stirred = False
        track.votes = track.votes.after(tile, relative)
        track.down = tile.down or track.down
        track.pips = tile.pips
        track.box = _between(track.box, tile.box, BOX_FOLLOW)

    def _hinted(self, track: Track, tile: TileReading, at: float) -> None:
        """A smaller thing lies in a tile's place: a part of it, the face of a turned back, or
        another tile, whose box is smaller because the first one's was seen with its top."""
        back = track.votes.best == BACK
        if not (tile.is_face and track.stirred):
            return
        if not back and (tile.tile == track.votes.best or tile.confidence < SURE_LOOK):
            track.rival = Votes.none()
            return
        if track.rival.looks and track.rival.best != tile.tile:
            track.rival = Votes.none()
        track.rival = track.rival.after(tile)
        least = LEAST_HINTS if back else LEAST_PARTS
        if track.rival.looks >= least and track.rival.confidence >= CLEAR_NAME:
            self._become(track, tile, at)

    def _become(self, track: Track, tile: TileReading, at: float) -> None:
        """Another tile lies in this place now."""
        new = replace(
            track,
            id=next(self._ids),
            box=tile.box,
            votes=track.rival,
            first_at=at,
            seen_at=at,
            correction=None,
            place=None,
            added=False,
            rival=Votes.none(),
            stirred=False,
            down=tile.down,
            pips=tile.pips,
        )
        self._tracks[self._tracks.index(track)] = new

    def _unseen(self, track: Track, taken: bool, pixels: np.ndarray, at: float) -> None:
        """A look did not find it: gone when its place is empty or taken, else only covered."""
        if track.added and not track.stirred:
            return
        if track.missed == 0:
            track.missed_at = at
        track.missed += 1
        track.unfound += 1
        since = at - track.missed_at
        if not track.settled:
            gone = track.missed >= (FAINT_GONE_LOOKS if track.faint else GONE_LOOKS)
        elif taken or self.cloth.is_empty(pixels, track.box):
            gone = track.missed >= GONE_LOOKS and since >= GONE_S
        else:
            gone = track.missed >= COVERED_LOOKS and since >= COVERED_S
            if gone and track.added:
                # Whatever moved over it has left it where it was.
                gone, track.stirred, track.missed = False, False, 0
        if gone:
            self._tracks.remove(track)
            if not track.settled and not track.faint and track.tile in FACES:
                self.glimpses.append((track.seen_at, track.reading()))


def shifted(box: Box, change: np.ndarray) -> Box:
    """The box around a box after a 3 x 3 homography of pixels."""
    x1, y1, x2, y2 = box
    corners = np.array([(x1, y1, 1), (x2, y1, 1), (x2, y2, 1), (x1, y2, 1)], float)
    seen = corners @ np.asarray(change, float).T
    flat = seen[:, :2] / seen[:, 2:]
    low, high = flat.min(0), flat.max(0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _reads_as(tile: TileReading, name: str) -> bool:
    """Whether what lies there, if a tile does, bears the face of this name: a shadow bears none,
    and a patch of light cloth between tiles is as blank as a white dragon."""
    share = max((p for _, p in tile.alternatives), default=0.0)
    named = tile.tile == name and share >= LEAST_NAMED
    return tile.is_face and tile.tile != BLANK and named


def _between(old: Box, new: Box, share: float) -> Box:
    a, b, c, d = (float(o + share * (n - o)) for o, n in zip(old, new, strict=True))
    return a, b, c, d


def _sharpness(pixels: np.ndarray, box: Box) -> float:
    return max(sharpness(crop(pixels, np.array(box), SHARPNESS_SIDE)), 1e-6)
