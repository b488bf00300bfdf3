"""Every tile gets its role and its seat from where it lies."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from vision.melds import all_melds
from vision.table.placed import LENGTH, LYING_Z, PlacedTile
from vision.table.placement import Placement
from vision.table.plane import Plane
from vision.table.zones import MOST_DEPTH, Spot, spots
from vision.values import BACK, TileReading

# Free room between neighbours in tile widths, from which on they do not belong together.
RUN_GAP = 0.45
DRAWN_GAP = 0.22
RUN_STEP = 1.0
NEIGHBOUR = 1.75
# Half table sides from the middle where a face by itself lies on the wall, no more in a pond.
LEAST_WALL_DEPTH = 0.68
AGREE = 0.05
LEAST_OPEN_HAND = 4


def assign(
    tiles: Sequence[TileReading],
    placement: Placement,
    size: tuple[int, int],
    indicators: Collection[int] = (),
) -> tuple[PlacedTile, ...]:
    """Give each tile its role and seat.

    Args:
        tiles: What was read, boxes in pixels.
        placement: Where the camera stands.
        size: Width and height of the picture.
        indicators: Indices (`TileReading.index`) of tiles that were the indicator before and
            have not moved since: they stay it, also when the wall around them is gone.

    Returns:
        One entry a tile, in the order given.
    """
    plane = placement.plane(*size)
    dice = [tile for tile in tiles if tile.is_die]
    others = tuple(tile for tile in tiles if not tile.is_die)
    placed = {tile.index: _die(tile, plane, placement) for tile in dice}
    chosen = _agreed(others, spots(others, plane, placement))
    placed |= _roles(others, chosen, frozenset(indicators), placement.tile)
    for index in set(indicators) & set(placed):
        placed[index] = replace(placed[index], role="indicator", group=0)
    return tuple(placed[tile.index] for tile in tiles)


def _die(tile: TileReading, plane: Plane, placement: Placement) -> PlacedTile:
    unit = placement.tile
    at = plane.to_table(np.array([tile.centre]), LYING_Z / 2 * unit)[0] / unit
    on_table = float(np.abs(at).max()) * unit <= MOST_DEPTH
    return PlacedTile(tile, "dice" if on_table else "loose", None, float(at[0]), float(at[1]))


def _agreed(tiles: Sequence[TileReading], options: Sequence[tuple[Spot, ...]]) -> list[Spot | None]:
    """Each tile's best spot, unless its neighbours agree on one that fits nearly as well."""
    chosen = [found[0] if found else None for found in options]
    sizes = [max(t.box[2] - t.box[0], t.box[3] - t.box[1], 1.0) for t in tiles]
    centres = np.array([t.centre for t in tiles], float).reshape(-1, 2)
    agreed = list(chosen)
    for k, found in enumerate(options):
        if len(found) < 2:
            continue
        near = np.hypot(*(centres - centres[k]).T) < 1.6 * sizes[k]
        near[k] = False
        votes: dict[tuple[str, int, bool], int] = {}
        for other in np.flatnonzero(near):
            spot = chosen[other]
            if spot is not None and (tiles[other].tile == BACK) == (tiles[k].tile == BACK):
                key = (spot.zone, spot.seat, spot.standing)
                votes[key] = votes.get(key, 0) + 1
        best = found[0]

        def weight(spot: Spot, votes: dict[tuple[str, int, bool], int] = votes) -> float:
            return spot.misfit - AGREE * min(votes.get((spot.zone, spot.seat, spot.standing), 0), 2)

        agreed[k] = min((s for s in found if s.misfit < best.misfit + 0.25), key=weight)
    return agreed


def _roles(
    tiles: Sequence[TileReading],
    chosen: Sequence[Spot | None],
    indicators: frozenset[int],
    unit: float,
) -> dict[int, PlacedTile]:
    placed: dict[int, PlacedTile] = {}
    edges: dict[int, list[PlacedTile]] = {seat: [] for seat in range(4)}
    ring: list[PlacedTile] = []
    for tile, spot in zip(tiles, chosen, strict=True):
        if spot is None:
            placed[tile.index] = PlacedTile(tile, "loose", None, 0.0, 0.0)
            continue
        at = PlacedTile(
            tile, "pond", spot.seat, spot.x, spot.y, spot.across, spot.standing, int(spot.top)
        )
        if spot.zone == "edge":
            edges[spot.seat].append(at)
        elif spot.zone == "ring":
            ring.append(at)
        else:
            placed[tile.index] = replace(at, group=0)
    for seat_tiles in edges.values():
        placed |= {p.tile.index: p for p in _edge(seat_tiles)}
    ponds = [p for p in placed.values() if p.role == "pond"]
    placed |= {p.tile.index: p for p in _ring(ring, ponds, indicators, unit)}
    return placed


def _ring(
    ring: Sequence[PlacedTile],
    ponds: Sequence[PlacedTile],
    indicators: frozenset[int],
    unit: float,
) -> list[PlacedTile]:
    """Backs are the wall; a face among them is the indicator, one by the discards a discard."""
    backs = [p for p in ring if p.tile.tile == BACK]
    found = [replace(p, role="wall", group=0) for p in backs]
    faces = [p for p in ring if p.tile.tile != BACK]
    known = {p.tile.index for p in faces} & indicators

    def likely(p: PlacedTile) -> tuple[int, bool, float]:
        alone = not any(_near(p, q) for q in (*ponds, *faces) if q is not p)
        return _beside_wall(p, backs), alone and -p.y * unit > LEAST_WALL_DEPTH, p.tile.confidence

    best = max(faces, key=likely, default=None)
    for p in faces:
        is_it = p.tile.index in known
        if not known and best is p:
            beside, alone, _ = likely(p)
            is_it = beside > 0 or alone
        found.append(replace(p, role="indicator" if is_it else "pond", group=0))
    return found


def _near(p: PlacedTile, q: PlacedTile) -> bool:
    return p.seat == q.seat and abs(p.x - q.x) < NEIGHBOUR and abs(p.y - q.y) < NEIGHBOUR


def _beside_wall(face: PlacedTile, backs: Sequence[PlacedTile]) -> int:
    return sum(
        b.seat == face.seat and abs(b.x - face.x) < NEIGHBOUR and abs(b.y - face.y) < 1.2
        for b in backs
    )


def _edge(tiles: Sequence[PlacedTile]) -> list[PlacedTile]:
    """One seat's edge: hand, drawn tile and exposed sets."""
    standing = sorted((p for p in tiles if p.standing), key=lambda p: p.x)
    lying = sorted((p for p in tiles if not p.standing), key=lambda p: p.x)
    faces = [p for p in standing if p.tile.tile != BACK]
    found = [replace(p, role="hand", group=0) for p in standing if p.tile.tile == BACK]
    found += _row_of_hand(faces)
    group = 0
    for run in _runs(_stacks(lying)):
        melds = all_melds([p.tile for p in run])
        if melds:
            for meld in melds:
                group += 1
                mine = {t.index for t in meld.tiles}
                found += [replace(p, role="meld", group=group) for p in run if p.tile.index in mine]
        elif all(p.tile.tile == BACK for p in run):
            found += [replace(p, role="meld" if len(run) == 4 else "hand", group=-1) for p in run]
        elif len(run) >= LEAST_OPEN_HAND or not faces:
            found += _row_of_hand(run)
        else:
            found += [replace(p, role="loose", group=0) for p in run]
    return found


def _stacks(lying: Sequence[PlacedTile]) -> list[PlacedTile]:
    """Tiles on top of others count as lying behind them, so that a stacked fourth is a fourth."""
    return sorted(lying, key=lambda p: (round(p.x, 1), p.group))


def _row_of_hand(row: Sequence[PlacedTile]) -> list[PlacedTile]:
    """A row of faces; the last one is the drawn tile where it is set apart."""
    found = [replace(p, role="hand", group=0) for p in row]
    if len(row) >= 3:
        steps = np.diff([p.x for p in row])
        usual = float(np.median(steps[:-1])) if len(steps) > 1 else 1.0
        if steps[-1] - usual > DRAWN_GAP and len(row) % 3 == 2:
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


def _wide(p: PlacedTile) -> float:
    return LENGTH if p.across else 1.0
