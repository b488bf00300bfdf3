"""What is true about every frame of a film, and its JSON lines.

A truth file has one JSON object a line, told apart by `kind`:

* `film` (the first line): size, frames per second, seed, view, `me` (the seat of the rules that
  sits before the camera), corners of the table top in pixels, width of a `tile` in half sides of
  that table top, and the whole `round` as `rules.Round.from_json` reads it.
* `event` (before the frame in which its outcome lies at rest): `n`, `start` (the frame in which it
  began), `frame`, and `data`: an event of the rules as JSON, or one of `{"type": "roll", "seat",
  "number", "dice"}`, `{"type": "flip", "tile"}` and `{"type": "nudge"}`.
* `frame`: see `FrameTruth`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from datasets.scene_types import Box


@dataclass(frozen=True)
class FilmEvent:
    """Something that happened.

    Attributes:
        n: number of the event, from 0.
        start: frame in which it began.
        frame: first frame in which its outcome lies at rest.
        data: see the module's words.
    """

    n: int
    start: int
    frame: int
    data: Mapping[str, Any]

    @property
    def type(self) -> str:
        """The event's name: `roll`, `flip`, `nudge` or that of an event of the rules."""
        return str(self.data["type"])


@dataclass(frozen=True)
class FilmObject:
    """One tile or die that can be read in a frame.

    Attributes:
        id: the same for the same tile or die through the whole film: 0..135, or `die0`, `die1`.
        tile: MPSZ code, `back`, or `die1`..`die6`; of a rolling die "".
        box, quad, seat, role, visible: as in `SceneObject`.
        player: seat of the rules whose tile it is, -1 for nobody's.
        moving: whether it is on its way.
    """

    id: str
    tile: str
    box: Box
    quad: tuple[tuple[float, float], ...]
    seat: str
    player: int
    role: str
    visible: float
    moving: bool = False


@dataclass(frozen=True)
class FrameTruth:
    """The truth about one frame.

    Attributes:
        frame: number of the frame, from 0.
        time: seconds from the beginning.
        phase: "shuffle", "build", "roll", "deal", "flip", "play" or "end".
        rolls: throws that have come to rest.
        events: events of the rules that are done, so that `Round.replay(setup, round.events[:n])`
            is the state of the game.
        still: seconds since anything moved or hid something.
        objects: everything that can be read.
    """

    frame: int
    time: float
    phase: str
    rolls: int
    events: int
    still: float
    objects: tuple[FilmObject, ...] = field(default=())

    def to_json(self) -> str:
        """One line of a truth file."""
        data = asdict(self)
        for thing in data["objects"]:
            thing["box"] = [round(v, 1) for v in thing["box"]]
            thing["quad"] = [[round(v, 1) for v in point] for point in thing["quad"]]
        return _line("frame", data)


def event_line(event: FilmEvent) -> str:
    """One line of a truth file."""
    return _line("event", asdict(event))


def film_line(data: Mapping[str, Any]) -> str:
    """The first line of a truth file."""
    return _line("film", data)


def _line(kind: str, data: Mapping[str, Any]) -> str:
    return json.dumps({"kind": kind, **data}, ensure_ascii=False, separators=(",", ":"))
