"""Which of several taught sets a photo shows, if any.

Features that were trained to see past a set's design are a poor witness: photos of sets that were
never taught come as near as 0.9 (cosine) to a stored one. The print tells far better: of the set's
own pictures the one that fits best is drawn into the photo, and fits its tiles at 0.50 to 1.40
(natural logarithm a pixel, mean over the photo; photos of four odd sets and of two real ones),
most of those of other sets at 0.45 and less. But prints may be alike: of 98 photos of other sets
7 are between that and 0.55, where somebody is asked (none of 47 of the sets' own), and 3 are above
it. These bounds were chosen on these photos.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.calibration.asking import waits_for_fit, which_set
from vision.calibration.outline import Outline
from vision.calibration.pace import Memory
from vision.calibration.tile_set import TileSet
from vision.classifier import TaughtSet
from vision.values import FACES, Note

# How well a tile's best picture fits (`match.Pictures.likeness`), mean over the tiles looked at.
FITS, FITS_STILL = 0.55, 0.4
# From here on a set may be the one, though not surely; and so much less well than the best set a
# second one fits when the two cannot be told apart. Then somebody is asked, among so many at most.
MAYBE, AS_WELL, MOST_ASKED = 0.45, 0.1, 3
# For sets without an outline, from earlier versions: cosine of a tile's features with the nearest
# kind of a set, middle over the photo; and how much less will do to stay with a set.
RECOGNISED, LET_GO = 0.8, 0.05
LEAST_TILES = 3
# Tiles compared in a photo, and in each look at a table that is watched (in the first one as many
# as are needed at all).
LOOKED_AT, AT_ONCE = 8, 1
# Of a watched table: how many tiles count, and from how many on a look in so many is enough.
REMEMBERED, ENOUGH, SELDOM = 60, 12, 10
# From so many on somebody is asked, if it is open; a table that hardly changes is seldom looked at.
ASKED_FROM = 6


class SetChooser:
    """Finds out which of several sets a photo shows."""

    def __init__(
        self, sets: tuple[TileSet, ...], pinned: TileSet | None, waiting: tuple[str, ...] = ()
    ) -> None:
        """Choose among `sets`, or take `pinned` whatever the photo shows.

        Args:
            sets: Which there are.
            pinned: One of them, or None.
            waiting: Names of sets that cannot be used before they are fitted again.
        """
        self.sets = sets
        self.pinned = pinned
        self.waiting = waiting
        outlines = [s.shape.outline for s in sets if s.shape is not None]
        # One set's outline serves for another's, too: tiles are tiles.
        self._outline = outlines[0] if outlines else None
        # One chooser serves every thread of a server: each must learn of its own photo's set.
        self._found = threading.local()

    @property
    def chosen(self) -> TileSet | None:
        """The set of the photo that this thread asked about last, also when it changes nothing."""
        return getattr(self._found, "chosen", None)

    @property
    def in_use(self) -> bool:
        """See `vision.classifier.TileSets`."""
        return self.chosen is not None and self.chosen.helps

    def choose(
        self, answers: np.ndarray, features: np.ndarray, crops: np.ndarray | None = None
    ) -> TaughtSet | None:
        """The photo's set, where it corrects anything; None when it is none of them.

        Afterwards `chosen` is that set, also when it changes nothing.

        Args:
            answers: n x classes, the general classifier's to a photo's upright crops.
            features: n x d, of the same.
            crops: n x side x side x 3; without them only the features are compared.
        """
        self._found.candidates, self._found.told = (), False
        chosen = self.pinned or self._recognised(answers, features, crops)
        self._found.chosen = chosen
        return chosen if chosen is not None and chosen.helps else None

    @property
    def candidates(self) -> tuple[TileSet, ...]:
        """The sets that the photo this thread asked about last may show, the likeliest first.

        None where it is sure which set that is, or that it is none; or where no answer would change
        the reading.
        """
        return tuple(getattr(self._found, "candidates", ()))

    def notes(self) -> tuple[Note, ...]:
        """See `vision.classifier.TileSets`."""
        # What is read as of a set that fits needs no other.
        outdated = waits_for_fit(self.waiting if self.chosen is None else ())
        if self.told:
            return outdated
        chosen = None if self.chosen is None else self.chosen.name
        return which_set([one.name for one in self.candidates], chosen) + outdated

    @property
    def told(self) -> bool:
        """Whether somebody has said which of the `candidates` it is."""
        return bool(getattr(self._found, "told", False))

    def take(self, name: str | None) -> TaughtSet | None:
        """Somebody says which of the `candidates` it is; None: none of them. Then as `choose`."""
        chosen = next((one for one in self.candidates if one.name == name), None)
        self._found.chosen, self._found.told = chosen, True
        return chosen if chosen is not None and chosen.helps else None

    def _recognised(
        self, answers: np.ndarray, features: np.ndarray, crops: np.ndarray | None
    ) -> TileSet | None:
        if not self.sets:
            return None
        faces = np.flatnonzero(_faces(answers))
        if crops is None or self._outline is None:
            return self._best(_alike(self.sets, features[faces]), None, False)
        scores = _fits(self.sets, self._outline, crops[_spread(faces, LOOKED_AT)])
        chosen = self._best(scores, None, True)
        self._found.candidates = self._asked(scores, chosen)
        return chosen

    def _best(self, scores: np.ndarray, held: TileSet | None, by_print: bool) -> TileSet | None:
        """The set that the tiles (tiles x sets) speak for; one held needs less."""
        if len(scores) < LEAST_TILES:
            return None
        middle = scores.mean(axis=0) if by_print else np.median(scores, axis=0)
        best = int(middle.argmax())
        if self.sets[best] is held:
            need = FITS_STILL if by_print else RECOGNISED - LET_GO
        else:
            need = FITS if by_print else RECOGNISED
        return self.sets[best] if middle[best] >= need else None

    def _asked(self, scores: np.ndarray, chosen: TileSet | None) -> tuple[TileSet, ...]:
        """Among which sets to ask: those that may be it, or fit as well as the one `chosen`."""
        if len(scores) < LEAST_TILES:
            return ()
        middle = scores.mean(axis=0)
        least = MAYBE if chosen is None else max(FITS, float(middle.max()) - AS_WELL)
        order = np.argsort(-middle, kind="stable")[:MOST_ASKED]
        found = tuple(self.sets[k] for k in order if middle[k] >= least)
        if found == (chosen,) or not any(one.helps for one in found):
            return ()
        return found

    def following(self) -> SetChooser:
        """A chooser for one film: it remembers what it saw in the pictures before."""
        return FollowingChooser(self.sets, self.pinned, self.waiting)


@dataclass(frozen=True, eq=False)
class SetOnFilm:
    """A set as it corrects the looks at one film: `vision.classifier.TaughtSet`."""

    tile_set: TileSet
    memory: Memory

    def adjust(self, answers: np.ndarray, features: np.ndarray, crops: np.ndarray) -> np.ndarray:
        """See `TileSet.adjust`."""
        return self.tile_set.adjust(answers, features, crops)

    def stands(self, general: np.ndarray) -> np.ndarray:
        """See `TileSet.stands`."""
        return self.tile_set.stands(general)

    def settle(
        self,
        answers: np.ndarray,
        crops: np.ndarray,
        sizes: np.ndarray,
        stands: np.ndarray,
        cuts: np.ndarray,
    ) -> np.ndarray:
        """See `TileSet.settle`."""
        return self.tile_set.settle(answers, crops, sizes, stands, self.memory, cuts)


def taken_for(
    sets: tuple[TileSet, ...], answers: np.ndarray, features: np.ndarray, crops: np.ndarray
) -> str | None:
    """The name of the set among `sets` that these tiles might be taken for; None for none.

    Args:
        sets: The stored sets, of the classifier in use.
        answers: n x classes, the general classifier's to the tiles.
        features: n x d, of the same.
        crops: n x side x side x 3.
    """
    chooser = SetChooser(sets, None)
    chooser.choose(answers, features, crops)
    found = (*chooser.candidates, *([chooser.chosen] if chooser.chosen else []))
    return found[0].name if found else None


class FollowingChooser(SetChooser):
    """Recognises the set of a table that is watched, of which each look may show few tiles."""

    def __init__(
        self, sets: tuple[TileSet, ...], pinned: TileSet | None, waiting: tuple[str, ...] = ()
    ) -> None:
        """Nothing seen yet."""
        super().__init__(sets, pinned, waiting)
        self._seen: deque[np.ndarray] = deque(maxlen=REMEMBERED)
        self._held: TileSet | None = None
        self._looks = 0
        self._rng = np.random.default_rng(0)
        self._memory: tuple[TileSet | None, Memory] = (None, Memory())
        self._open: tuple[TileSet, ...] = ()

    def choose(
        self, answers: np.ndarray, features: np.ndarray, crops: np.ndarray | None = None
    ) -> TaughtSet | None:
        """See `SetChooser.choose`; what is found of a face is remembered for as long as it lies."""
        super().choose(answers, features, crops)
        chosen = self.chosen
        if chosen is None or not chosen.helps:
            return None
        if self._memory[0] is not chosen:
            self._memory = (chosen, Memory())
        return SetOnFilm(chosen, self._memory[1])

    @property
    def chosen(self) -> TileSet | None:
        """The set on the table, whichever thread asks."""
        return self.pinned or self._held

    @property
    def candidates(self) -> tuple[TileSet, ...]:
        """See `SetChooser.candidates`; of the table, whichever thread asks."""
        return self._open

    def _recognised(
        self, answers: np.ndarray, features: np.ndarray, crops: np.ndarray | None
    ) -> TileSet | None:
        if not self.sets:
            return None
        faces = np.flatnonzero(_faces(answers))
        self._looks += 1
        by_print = crops is not None and self._outline is not None
        if crops is None or self._outline is None:
            self._seen.extend(_alike(self.sets, features[faces]))
        elif len(self._seen) < ENOUGH or self._looks % SELDOM == 0:
            # Others each time: the tiles of a table lie still for long.
            count = AT_ONCE if len(self._seen) >= LEAST_TILES else LEAST_TILES
            some = self._rng.permutation(faces)[:count]
            self._seen.extend(_fits(self.sets, self._outline, crops[some]))
        seen = np.stack(self._seen) if self._seen else np.zeros((0, len(self.sets)))
        if len(seen) >= LEAST_TILES:
            self._held = self._best(seen, self._held, by_print)
        self._open = self._asked(seen, self._held) if by_print and len(seen) >= ASKED_FROM else ()
        return self._held


def _fits(sets: Sequence[TileSet], outline: Outline, crops: np.ndarray) -> np.ndarray:
    """How well each tile fits the pictures of each set: tiles x sets."""
    said = np.zeros((len(crops), len(sets)))
    if len(crops):
        outlines = outline(crops)
        for column, one in enumerate(sets):
            if one.pictures is not None:
                said[:, column] = one.pictures.likeness(crops, outlines)
    return said


def _alike(sets: Sequence[TileSet], features: np.ndarray) -> np.ndarray:
    """How alike each tile's features are to the nearest kind of each set: tiles x sets."""
    unit = features / np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-6)
    return np.stack([(unit @ s.prototypes.T).max(axis=1, initial=-1) for s in sets], 1)


def _faces(answers: np.ndarray) -> np.ndarray:
    """Which crops may be faces: prints are of faces only, and a wall of backs is none."""
    if answers.shape[1] <= len(FACES) + 7:
        return np.ones(len(answers), bool)
    back_or_die = answers[:, len(FACES) : -1].sum(axis=1)
    return np.asarray((answers[:, -1] < 0.5) & (back_or_die < 0.5))


def _spread(rows: np.ndarray, most: int) -> np.ndarray:
    """At most so many of them, spread over all."""
    if len(rows) <= most:
        return rows
    return np.asarray(rows[np.linspace(0, len(rows) - 1, most).astype(int)])
