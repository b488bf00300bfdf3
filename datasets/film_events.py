"""Did the live table tell what happened? The events of a film against those that were told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from datasets.film_truth import FilmEvent
from datasets.scene_types import SEATS
from rules.round import Round
from vision.tracking.events import TableEvent

KINDS = ("rolled", "flipped", "drew", "discarded", "ponged", "konged", "won", "cleared")
_KONGS = {
    "open_kong": "open",
    "added_kong": "added",
    "concealed_kong": "concealed",
    "joker_kong": "concealed",
}
_NAMES = {
    "roll": "rolled",
    "flip": "flipped",
    "draw": "drew",
    "replacement_draw": "drew",
    "discard": "discarded",
    "pung": "ponged",
    "win_claim": "won",
    **dict.fromkeys(_KONGS, "konged"),
}
# An event may be told a little before its end, and up to so many seconds after it.
EARLY_S, LATE_S = 1.0, 12.0


@dataclass(frozen=True)
class Happened:
    """One event, true or told, in one form.

    Attributes:
        kind: One of `KINDS`.
        seat: 0 me, 1 right, 2 across, 3 left; None where nobody's.
        tile: MPSZ code, or the dice as "3+4", smaller first.
        at: Seconds.
        how: Of a kong, how.
        doubtful: It was told as doubtful.
    """

    kind: str
    seat: int | None
    tile: str
    at: float
    how: str = ""
    doubtful: bool = False

    def same(self, other: Happened) -> bool:
        """Whether both are the same event, its time apart."""
        return (self.kind, self.seat, self.tile, self.how) == (
            other.kind,
            other.seat,
            other.tile,
            other.how,
        )


@dataclass(frozen=True)
class EventCheck:
    """How what was told compares with what happened.

    Attributes:
        true: All that happened and could be seen.
        right: Pairs (true, told) that agree.
        wrong: Pairs of the same kind and time that differ in tile, seat or manner.
        missed: What was never told.
        invented: What was told and never happened.
        hidden: What happened where the camera does not see it, and was not told; not in `true`.
    """

    true: tuple[Happened, ...]
    right: tuple[tuple[Happened, Happened], ...]
    wrong: tuple[tuple[Happened, Happened], ...]
    missed: tuple[Happened, ...]
    invented: tuple[Happened, ...]
    hidden: tuple[Happened, ...] = ()


def happened(events: Sequence[FilmEvent], table: Round, me: int, fps: int) -> list[Happened]:
    """The events of a film that a camera can see.

    Args:
        events: Of the film.
        table: The finished round.
        me: Seat of the rules that sits before the camera: only its draws are among them.
        fps: Frames per second.
    """
    found = []
    for event in events:
        kind = _NAMES.get(event.type)
        if kind is None:
            continue
        data = event.data
        seat = None if kind in ("rolled", "flipped") else (int(data["seat"]) - me) % len(SEATS)
        if kind == "drew" and seat != 0:
            continue
        tile = str(data.get("tile", ""))
        if kind == "rolled":
            tile = _dice(data["dice"])
        elif kind == "won":
            tile = str(table.hand(int(data["seat"])).win_tile)
        at = event.frame / fps
        found.append(Happened(kind, seat, tile, at, _KONGS.get(event.type, "")))
    return found


def told_as(events: Sequence[TableEvent]) -> list[Happened]:
    """What was told, each event as it was corrected later (`revised`)."""
    found: list[Happened] = []
    for event in events:
        if event.kind == "revised":
            for k in range(len(found) - 1, -1, -1):
                old = found[k]
                if (old.kind, old.seat, old.tile) == ("discarded", event.seat, event.how):
                    found[k] = replace(old, tile=event.tile or "")
                    break
            continue
        tile = _dice(event.values) if event.kind == "rolled" else event.tile or ""
        how = event.how if event.kind == "konged" else ""
        found.append(Happened(event.kind, event.seat, tile, event.at, how, event.doubtful))
    return found


def compare_events(true: Sequence[Happened], told: Sequence[Happened]) -> EventCheck:
    """Pair what was told with what happened: the same first, then what was told amiss."""
    left, open_ = list(told), list(true)
    right = _pairs(open_, left, Happened.same)
    wrong = _pairs(open_, left, _alike)
    return EventCheck(tuple(true), tuple(right), tuple(wrong), tuple(open_), tuple(left))


def without_hidden(check: EventCheck, shown: Sequence[int]) -> EventCheck:
    """The comparison without the missed wins of hands that were laid open out of sight.

    Args:
        check: The comparison.
        shown: Seats of which at the end at least half of the hand could be seen.
    """
    gone = [e for e in check.missed if e.kind == "won" and e.seat not in shown]
    return replace(
        check,
        true=tuple(e for e in check.true if e not in gone),
        missed=tuple(e for e in check.missed if e not in gone),
        hidden=tuple(gone),
    )


def _pairs(
    true: list[Happened], told: list[Happened], fits: object
) -> list[tuple[Happened, Happened]]:
    """Take pairs that fit out of both lists, the earliest first."""
    assert callable(fits)
    pairs = []
    for event in list(true):
        near = [
            other
            for other in told
            if fits(event, other) and -EARLY_S <= other.at - event.at <= LATE_S
        ]
        if near:
            best = min(near, key=lambda other: abs(other.at - event.at))
            pairs.append((event, best))
            true.remove(event)
            told.remove(best)
    return pairs


def _alike(true: Happened, told: Happened) -> bool:
    """The same event told amiss: another tile, another seat, a pung for a kong."""
    claims = ("ponged", "konged")
    if true.kind != told.kind and not (true.kind in claims and told.kind in claims):
        return False
    return true.seat == told.seat or true.tile == told.tile


def _dice(values: Sequence[int]) -> str:
    return "+".join(str(value) for value in sorted(values))
