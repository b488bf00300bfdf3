"""Is the state of the live table what lies there? One frame's truth against one state.

A face counts as visible when it is hardly covered and not seen at a grazing angle; what shows less
may be in the state or not. Backs are not compared, the count of the wall is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from datasets.film_truth import FilmObject, FrameTruth
from datasets.scene_types import SEATS
from rules.round import Round
from vision.table.placed import LENGTH
from vision.tracking.state import TableState

LEAST_VISIBLE = 0.6
# Share of its height that a face keeps when it is seen at 24 degrees.
LEAST_OPEN = 0.4
PARTS = ("hand", "drawn", "meld", "pond", "indicator", "dice", "wall")
# What is asked in every game and says nothing about what was read.
USUAL_DOUBTS = frozenset({"dealer", "placement_guessed"})

Item = tuple[str, int | None, str]


@dataclass(frozen=True)
class Wrong:
    """One thing in which a state differs from what lies there.

    Attributes:
        part: One of `PARTS`.
        seat: 0 me, 1 right, 2 across, 3 left; None where nobody's.
        tile: MPSZ code; of the wall the number of tiles left.
        how: "missing" or "extra" (a misread tile is both).
        marked: The state says itself that this is doubtful.
    """

    part: str
    seat: int | None
    tile: str
    how: str
    marked: bool


@dataclass(frozen=True)
class Check:
    """One comparison.

    Attributes:
        at: Seconds of the film.
        wrong: What differs; empty when the state is exact.
        silent: It differs and the state has no doubt that says so.
        parts: The parts that had something to compare.
        pointed: It differs and a doubt or a mark says so of what differs, or of its neighbours of
            the same part and seat.
        doubted: The state has a doubt that is not asked in every game.
    """

    at: float
    wrong: tuple[Wrong, ...]
    silent: bool
    parts: tuple[str, ...]
    pointed: bool = False
    doubted: bool = False


def check_state(state: TableState, truth: FrameTruth, table: Round, me: int) -> Check:
    """Compare a state with the truth of its frame.

    Args:
        state: What the live table says.
        truth: What lies there.
        table: The round as far as it has gone.
        me: Seat of the rules that sits before the camera.
    """
    must, may = _lying(truth, table, me)
    got: dict[Item, list[bool]] = {}
    named = {index for doubt in state.doubts for index in doubt.tiles}
    for placed in state.tiles:
        part = "hand" if placed.role == "drawn" else placed.role
        tile = placed.tile
        if part not in PARTS or part == "wall" or tile.tile == "back":
            continue
        seat = placed.seat if part in ("hand", "meld", "pond") else None
        got.setdefault((part, seat, tile.tile), []).append(tile.doubtful or tile.index in named)
    have = Counter({item: len(marks) for item, marks in got.items()})
    missing, extra = must - have, have - (must | may)
    wrong = [Wrong(*item, "extra", any(got[item])) for item in extra.elements()]
    doubted = {(w.part, w.seat) for w in wrong if w.marked}
    if any(doubt.code == "turned_unseen" for doubt in state.doubts):
        doubted.add(("indicator", None))
    doubted |= {item[:2] for item, marks in got.items() if any(marks)}
    wrong += [Wrong(*item, "missing", (item[0], item[1]) in doubted) for item in missing.elements()]
    wrong += _drawn(state, truth) + _wall(state, table)
    parts = {part for part, _, _ in must}
    asked = any(doubt.code not in USUAL_DOUBTS for doubt in state.doubts)
    return Check(
        truth.time,
        tuple(wrong),
        bool(wrong) and not asked,
        tuple(p for p in PARTS if p in parts),
        any(w.marked for w in wrong),
        asked,
    )


def _lying(truth: FrameTruth, table: Round, me: int) -> tuple[Counter[Item], Counter[Item]]:
    """What the state must hold, and what it may hold."""
    must: Counter[Item] = Counter()
    may: Counter[Item] = Counter()
    for thing in truth.objects:
        part = "hand" if thing.role == "drawn" else thing.role
        if part not in PARTS or part == "wall" or not thing.tile or thing.tile == "back":
            continue
        seat = SEATS.index(thing.seat) if part in ("hand", "meld", "pond") else None
        item = (part, seat, thing.tile)
        may[item] += 1
        must[item] += shows(thing)
    known: Counter[Item] = Counter()
    for number, seat_state in enumerate(table.seats):
        side = (number - me) % len(SEATS)
        known.update(("pond", side, tile) for tile in seat_state.river)
        for meld in seat_state.melds:
            known.update(("meld", side, tile) for tile in meld.tiles)
    return +must, may | known


def shows(thing: FilmObject) -> bool:
    """Whether a face, or a die, can fairly be asked for."""
    if thing.visible < LEAST_VISIBLE:
        return False
    if thing.role == "dice":
        return True
    quad = np.array(thing.quad, float)
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    scale = max(across, along / LENGTH)
    x, y = quad[:, 0], quad[:, 1]
    area = abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
    return area >= LEAST_OPEN * scale**2 * LENGTH


def _drawn(state: TableState, truth: FrameTruth) -> list[Wrong]:
    """The tile I drew, where my faces show."""
    mine = [t for t in truth.objects if t.seat == SEATS[0] and t.tile not in ("", "back")]
    hand = [thing for thing in mine if thing.role in ("hand", "drawn")]
    if not hand or not all(shows(thing) for thing in hand):
        return []
    drawn = next((thing.tile for thing in mine if thing.role == "drawn"), None)
    said = state.seats[0].drawn
    name = said.tile.tile if said else None
    if name == drawn:
        return []
    wrong = [] if drawn is None else [Wrong("drawn", 0, drawn, "missing", False)]
    if said is not None:
        wrong.append(Wrong("drawn", 0, said.tile.tile, "extra", said.tile.doubtful))
    return wrong


def _wall(state: TableState, table: Round) -> list[Wrong]:
    """How many tiles are left, once the table says so."""
    said = state.round
    if said is None or said["phase"] == "over":
        return []
    left = table.wall.live_left
    # A camera knows of a draw by the discard that follows it.
    if said["live_left"] in (left, left + 1):
        return []
    counted = {"rolls_missing", "roll", "discard_unseen", "rules_disagree"}
    doubted = any(doubt.code in counted for doubt in state.doubts)
    return [Wrong("wall", None, str(said["live_left"]), "extra", doubted)]
