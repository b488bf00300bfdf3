"""A seat's edge of the table: its hand, its drawn tile and its exposed sets."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from vision.melds import all_melds
from vision.table.known import Known
from vision.table.placed import LENGTH, PlacedTile
from vision.table.sets import likely_sets
from vision.values import BACK, MeldReading

# Free room between neighbours in tile widths, from which on they do not belong together.
RUN_GAP = 0.45
# So far from all else, two alike before me are what the picture shows of an exposed set.
SET_GAP, LEAST_SHOWN = 2.0, 2
DRAWN_GAP, DRAWN_REACH = 0.22, 1.0
RUN_STEP = 1.0
LEAST_OPEN_HAND, FULL_HAND, OPEN_SHARE = 4, 14, 0.6
KONG = 4
# A concealed kong lies in a line: middles are apart across it by no more, along it by no less.
IN_LINE, ALONG = 0.6, 2.0


def edge_roles(
    seat: int, tiles: Sequence[PlacedTile], known: Known, turned: Collection[int] = ()
) -> list[PlacedTile]:
    """The roles of what lies at a seat's edge.

    Args:
        seat: Whose.
        tiles: The tiles there.
        known: What earlier frames said.
        turned: The turned tile, which is none of the seat's.
    """
    mine = [p for p in tiles if p.tile.index not in turned]
    standing = sorted((p for p in mine if p.standing), key=lambda p: p.x)
    lying = sorted((p for p in mine if not p.standing), key=lambda p: p.x)
    found = [replace(p, role="loose", group=0) for p in tiles if p.tile.index in turned]
    found += [replace(p, role="hand", group=0) for p in standing if p.tile.tile == BACK]
    faces = [p for p in standing if p.tile.tile != BACK]
    if seat == 0:
        # From behind, a standing face may look as a lying one does: runs tell them apart.
        lying, faces = _sets_apart([*faces, *lying], known)
    found += _row_of_hand(faces)
    group = 0
    for run in _with_drawn(_runs(_stacks(lying)), _least_open(len(known.sets(seat)))):
        melds = _melds_in(run)
        if melds:
            for meld in melds:
                group += 1
                ids = {t.index for t in meld.tiles}
                found += [replace(p, role="meld", group=group) for p in run if p.tile.index in ids]
            continue
        sets = likely_sets(run) if known.playing else None
        for tiles in sets or ():
            group += 1
            found += [replace(p, role="meld", group=group) for p in tiles]
        if sets is None:
            found += _other_run(seat, run, known)
    return found


def _melds_in(run: Sequence[PlacedTile]) -> tuple[MeldReading, ...]:
    """The sets that a run is made of and nothing else; backs beside a face, but not in a line with
    it, are no concealed kong."""
    melds = tuple(all_melds([p.tile for p in run]) or ())
    for meld in melds:
        ids = {t.index for t in meld.tiles}
        at = np.array([(p.x, p.y) for p in run if p.tile.index in ids])
        along, across = np.ptp(at, axis=0)
        if meld.kind == "gang_concealed" and (across > IN_LINE or along < ALONG):
            return ()
    return melds


def _sets_apart(
    tiles: Sequence[PlacedTile], known: Known
) -> tuple[list[PlacedTile], list[PlacedTile]]:
    """My exposed sets and whatever else lies there, and my row of faces."""
    runs = _runs(_stacks(sorted(tiles, key=lambda p: p.x)))
    told = set(known.sets(0))
    certain, whole = [], []
    for run in runs:
        names = {p.tile.tile for p in run}
        sets = known.playing and bool(_melds_in(run) or likely_sets(run))
        # Backs by themselves are a wall's or a hand's; beside my faces they are misplaced.
        certain.append(names <= told or names == {BACK} or (BACK in names and sets))
        shown = known.playing and len(run) == LEAST_SHOWN and len(names) == 1
        whole.append(certain[-1] or sets or (shown and _far_from(run, runs)))
    # Three alike may be all that is left of a hand; but something must be.
    is_set = certain if all(whole) and any(p.standing for p in tiles) else whole
    apart = [p for run, is_apart in zip(runs, is_set, strict=True) if is_apart for p in run]
    rest = [p for run, is_apart in zip(runs, is_set, strict=True) if not is_apart for p in run]
    row = [p for p in rest if p.tile.tile != BACK]
    apart += [p for p in rest if p.tile.tile == BACK]
    lies = sum(not p.standing for p in row) > len(row) / 2
    return sorted(apart, key=lambda p: p.x), [replace(p, standing=not lies) for p in row]


def _far_from(run: Sequence[PlacedTile], runs: Sequence[list[PlacedTile]]) -> bool:
    """Whether a run lies to the right of all others, with more room between than in a hand."""
    others = [p.x for other in runs if other is not run for p in other]
    return bool(others) and run[0].x - max(others) > 1 + SET_GAP


def _other_run(seat: int, run: Sequence[PlacedTile], known: Known) -> list[PlacedTile]:
    """A run that is no whole set: a hand laid open, a set partly hidden, or tiles lying about."""
    if all(p.tile.tile == BACK for p in run):
        return [replace(p, role="meld" if len(run) == KONG else "hand", group=-1) for p in run]
    told = known.sets(seat)
    parts = [p for p in run if p.tile.tile in told]
    rest = [p for p in run if p.tile.tile not in told]
    found = [replace(p, role="meld", group=-1 - told.index(p.tile.tile)) for p in parts]
    if len(rest) >= _least_open(len(told)):
        return found + _row_of_hand(rest, whole=False)
    names = {p.tile.tile for p in rest}
    role = "meld" if known.playing and len(names) == 1 and BACK not in names else "loose"
    return found + [replace(p, role=role, group=0) for p in rest]


def _least_open(sets: int) -> int:
    """How many mixed faces in a row are a hand laid open, not tiles lying about."""
    return min(LEAST_OPEN_HAND, max(2, round(OPEN_SHARE * (FULL_HAND - 3 * sets))))


def _stacks(lying: Sequence[PlacedTile]) -> list[PlacedTile]:
    """Tiles on top of others count as lying behind them, so that a stacked fourth is a fourth."""
    return sorted(lying, key=lambda p: (round(p.x, 1), p.group))


def _row_of_hand(row: Sequence[PlacedTile], whole: bool = True) -> list[PlacedTile]:
    """A row of faces; the last one is the drawn tile where it is set apart.

    Args:
        row: From left to right.
        whole: Every tile of it shows, so that their number says whether one was drawn.
    """
    found = [replace(p, role="hand", group=0) for p in row]
    if len(row) >= 3:
        steps = np.diff([p.x for p in row])
        usual = float(np.median(steps[:-1])) if len(steps) > 1 else 1.0
        if steps[-1] - usual > DRAWN_GAP and (len(row) % 3 == 2 or not whole):
            found[-1] = replace(found[-1], role="drawn")
    elif len(row) == 2 and row[1].x - row[0].x > 1 + DRAWN_GAP:
        found[-1] = replace(found[-1], role="drawn")
    return found


def _runs(tiles: Sequence[PlacedTile]) -> list[list[PlacedTile]]:
    """Neighbours along x without a gap."""
    runs: list[list[PlacedTile]] = []
    for p in tiles:
        last = runs[-1][-1] if runs else None
        reach = 0.0 if last is None else (_wide(last) + _wide(p)) / 2 + RUN_GAP
        if last is not None and p.x - last.x <= reach and abs(p.y - last.y) <= RUN_STEP:
            runs[-1].append(p)
        else:
            runs.append([p])
    return runs


def _with_drawn(runs: Sequence[list[PlacedTile]], least: int) -> list[list[PlacedTile]]:
    """The runs, with a tile by itself to the right of an open hand counted to that hand."""
    joined: list[list[PlacedTile]] = []
    for run in runs:
        last = joined[-1] if joined else []
        alone = len(run) == 1 and run[0].tile.tile != BACK
        # Of the row as it stood a back or two may be remembered behind it.
        names = [p.tile.tile for p in last if p.tile.tile != BACK]
        opened = len(names) >= least and len(set(names)) > 1 and 2 * len(names) > len(last)
        near = bool(last) and run[0].x - last[-1].x <= 1 + DRAWN_REACH
        if alone and near and (opened or len(last) == 1):
            joined[-1] = [*last, *run]
        else:
            joined.append(run)
    return joined


def _wide(p: PlacedTile) -> float:
    return LENGTH if p.across else 1.0
