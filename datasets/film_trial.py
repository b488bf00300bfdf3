"""The live table tried on films of whole rounds: frames in, and what it says against the truth."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from datasets.film_check import Check, check_state, shows
from datasets.film_events import (
    EventCheck,
    Happened,
    compare_events,
    happened,
    told_as,
    without_hidden,
)
from datasets.film_truth import FilmEvent, FrameTruth
from datasets.scene_types import SEATS, Pixels
from rules.round import Round
from vision.table.placement import Placement
from vision.tracking.events import TableEvent
from vision.tracking.looking import Look
from vision.tracking.watcher import TableWatcher
from vision.values import Box, TileReading

# A state is asked for once nothing has moved for so long.
STILL_S = 2.0
SURE = 0.95
# A perfect reader finds what shows at least so much of its face.
LEAST_SEEN = 0.5
HAND = 14


class FilmLike(Protocol):
    """What a trial needs of a `Film`."""

    seed: int
    view: str
    fps: int
    size: tuple[int, int]
    me: int
    events: list[FilmEvent]
    round: Round

    def header(self) -> dict[str, Any]:
        """See `Film`."""

    def frames(self) -> Iterable[tuple[Pixels, FrameTruth]]:
        """See `Film`."""


class PerfectLook:
    """A reader that makes no mistake: it reads the truth of the frame, not its pixels.

    Attributes:
        truth: Of the frame that is looked at.
    """

    side = 640
    least = 0.4

    def __init__(self) -> None:
        """No frame yet."""
        self.truth: FrameTruth | None = None

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        """See `vision.tracking.looking.Look`."""
        found = []
        for thing in self.truth.objects if self.truth else ():
            x1, y1, x2, y2 = thing.box
            meets = x1 < part[2] and x2 > part[0] and y1 < part[3] and y2 > part[1]
            if not thing.tile or thing.visible < LEAST_SEEN or not meets:
                continue
            box = (max(x1, part[0]), max(y1, part[1]), min(x2, part[2]), min(y2, part[3]))
            found.append(TileReading(thing.tile, SURE, box, ((thing.tile, SURE),)))
        return tuple(found)


@dataclass(frozen=True)
class FilmResult:
    """What came of one film.

    Attributes:
        film: Which film: seed, view, size and so on.
        checks: Every state that was compared.
        events: What was told against what happened.
        frames: Frames shown.
        looks: Parts of frames that were read.
        seconds: Processor time of the live table, rendering apart.
    """

    film: dict[str, Any]
    checks: tuple[Check, ...]
    events: EventCheck
    frames: int
    looks: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """For the file that is kept of each film."""
        return asdict(self)


def placement_of(film: FilmLike) -> Placement:
    """Where a film's table lies, as a user would have set it."""
    header = film.header()
    width, height = film.size
    corners = [(float(x) / width, float(y) / height) for x, y in header["corners"]]
    return Placement(
        "film", film.view, (corners[0], corners[1], corners[2], corners[3]), tile=header["tile"]
    )


def try_film(film: FilmLike, look: Look | PerfectLook) -> FilmResult:
    """Show a film to a live table and compare.

    Args:
        film: The film.
        look: The reader: `ReaderLook` for the models, `PerfectLook` for a perfect one.
    """
    watcher = TableWatcher(look, placement_of(film), film.round.options)
    told: list[TableEvent] = []
    checks: list[Check] = []
    frames, seconds, shown = 0, 0.0, 0
    checked = False
    truth: FrameTruth | None = None
    for image, truth in film.frames():
        if isinstance(look, PerfectLook):
            look.truth = truth
        started = time.process_time()
        state = watcher.see(image, truth.time, truth.time)
        seconds += time.process_time() - started
        frames += 1
        new = min(watcher.events_told - shown, len(state.events))
        told += state.events[len(state.events) - new :]
        shown = watcher.events_told
        if truth.still < STILL_S:
            checked = False
        elif not checked:
            checked = True
            table = Round.replay(film.round.setup, film.round.events[: truth.events])
            checks.append(check_state(state, truth, table, film.me))
    kept = {"seed": film.seed, "view": film.view, "width": film.size[0], "height": film.size[1]}
    return FilmResult(
        {**kept, "fps": film.fps, "me": film.me},
        tuple(checks),
        without_hidden(_events(film, told), hands_shown(truth)),
        frames,
        watcher.looking.looks,
        round(seconds, 2),
    )


def _events(film: FilmLike, told: list[TableEvent]) -> EventCheck:
    true = happened(film.events, film.round, film.me, film.fps)
    said = told_as(told)
    if film.view == "overhead":
        # From above a standing hand may or may not be read: its draws are not asked for.
        true, said = without_draws(true), without_draws(said)
    return compare_events(true, said)


def hands_shown(truth: FrameTruth | None) -> list[int]:
    """The seats of whose hands at least half lies where the camera sees the faces."""
    shown = []
    for side, name in enumerate(SEATS):
        mine = [thing for thing in truth.objects if thing.seat == name] if truth else []
        faces = [t for t in mine if t.role in ("hand", "drawn") and t.tile not in ("", "back")]
        sets = sum(thing.role == "meld" for thing in mine)
        if 2 * sum(shows(thing) for thing in faces) >= HAND - sets:
            shown.append(side)
    return shown


def without_draws(events: list[Happened]) -> list[Happened]:
    """All but draws."""
    return [event for event in events if event.kind != "drew"]
