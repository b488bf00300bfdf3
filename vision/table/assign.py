"""Every tile gets its role and its seat from where it lies."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from vision.table.cut import LEAST_READ, LEAST_WHOLE, cut_off, seen_share
from vision.table.edge import edge_roles
from vision.table.known import NOTHING, Known, Turned
from vision.table.measure import LEAST_ROW, row_looks
from vision.table.placed import LYING_Z, WALL_Z, PlacedTile
from vision.table.placement import Placement
from vision.table.plane import Plane
from vision.table.raised import raised_tiles
from vision.table.zones import MOST_DEPTH, Spot, Zones, spots
from vision.values import BACK, FACES, TileReading

NEIGHBOUR = 1.75
# From where in the walls' zone on a face by itself lies on the wall, no more in a pond.
LEAST_WALL_SHARE = 0.4
AGREE = 0.05
# Middles of neighbours are apart by at most so many of a box's longer sides.
SIDE_BY_SIDE = 1.6
# A reading this sure is a person's word.
SAID = 0.9999
# Tile widths within which the turned tile is found again when the tile below it was drawn.
TURNED_REACH = 1.3
# The same where it is read otherwise than before.
OTHER_REACH = 0.5
# A row laid open lies by so many tile widths nearer to the middle than it stood; a row that looks
# this much like the standing one still stands.
LAID_BACK, SAME_ROW = 0.35, 0.12
LEAST_KNOWN_ROW = 2
# What was read as a back and lies so clearly (misfits) in a pond, beside discards, is a blank face:
# nobody discards face down. It must look a little like one.
IN_POND, FROM_WALL, LEAST_BLANK = 0.4, 0.5, 0.04
BLANK, COPIES = "5z", 4
# What was read as a blank face and has this share of a back is one where the walls stand, by so
# much (misfits) more clearly than anywhere else.
LEAST_BACK, OFF_WALL = 0.15, 0.3
# Tiles that something before them may hide in part.
HIDDEN_ROLES = ("hand", "drawn", "meld", "pond")
# A face's share from which on a wall's tile may be the turned one, and how many times that of any
# other of the walls it is.
LEAST_TURNED, ALONE = 0.2, 2.0


def assign(
    tiles: Sequence[TileReading],
    placement: Placement,
    size: tuple[int, int],
    indicators: Collection[int] = (),
    known: Known = NOTHING,
) -> tuple[PlacedTile, ...]:
    """Give each tile its role and seat.

    Args:
        tiles: What was read, boxes in pixels.
        placement: Where the camera stands.
        size: Width and height of the picture.
        indicators: Indices (`TileReading.index`) of tiles that were the indicator before and
            have not moved since: they stay it, also when the wall around them is gone.
        known: What else earlier frames said.

    Returns:
        One entry a tile, in the order given.
    """
    plane = placement.plane(*size)
    dice = [tile for tile in tiles if tile.is_die]
    others = tuple(tile for tile in tiles if not tile.is_die)
    placed = {tile.index: _die(tile, plane, placement) for tile in dice}
    turned = _turned(others, plane, placement, indicators, known.turned)
    on_wall = turned if turned or known.turned is not None else None
    playing = known.playing
    found = spots(others, plane, placement, known.zones, on_wall, playing, playing)
    if playing and on_wall is not None:
        as_backs = tuple(replace(t, tile=BACK) if _may_be_back(t, turned) else t for t in others)
        if as_backs != others:
            on_walls = spots(as_backs, plane, placement, known.zones, on_wall)
            others, found = _with_backs(others, found, on_walls, turned)
    others = _with_blanks(others, found)
    chosen = _agreed(others, found)
    zones = known.zones or Zones.usual(placement.tile)
    placed |= _roles(others, chosen, turned, zones, known)
    placed |= _my_row(placed, plane, placement, known)
    placed |= raised_tiles(placed.values(), plane, placement)
    for index in turned & set(placed):
        placed[index] = replace(placed[index], role="indicator", group=0)
    return tuple(_in_doubt(placed[tile.index], plane, placement.tile, size) for tile in tiles)


def _in_doubt(p: PlacedTile, plane: Plane, unit: float, size: tuple[int, int]) -> PlacedTile:
    """The same; doubtful where a part of the face is out of the picture or behind something.

    Of another player's open hand a tile of which hardly half shows is nobody's: what is read there
    is a guess.
    """
    if not p.tile.is_face or p.tile.confidence >= SAID:
        return p
    off = cut_off(p.tile, plane, unit, size, p.standing)
    if not off and not p.standing and p.seat is not None and p.role in HIDDEN_ROLES:
        share = seen_share(p.tile, plane, unit)
        off = share < LEAST_WHOLE
        if share < LEAST_READ and p.seat != 0 and p.role in ("hand", "drawn"):
            p = replace(p, role="loose")
    return replace(p, tile=replace(p.tile, doubtful=True)) if off else p


def _turned(
    tiles: Sequence[TileReading],
    plane: Plane,
    placement: Placement,
    indicators: Collection[int],
    before: Turned | None,
) -> frozenset[int]:
    """The turned tile by its identity, or by its name and place where it was let down a little."""
    here = {tile.index for tile in tiles} & set(indicators)
    if here or before is None:
        return frozenset(here)
    unit = placement.tile
    near = []
    for tile in (tile for tile in tiles if tile.is_face):
        same = tile.tile == before.tile
        for height in (WALL_Z, LYING_Z) if same else (WALL_Z,):
            at = plane.to_table(np.array([tile.centre]), height * unit)[0] / unit
            away = float(np.hypot(at[0] - before.x, at[1] - before.y))
            if away < (TURNED_REACH if same else OTHER_REACH):
                near.append((not same, away, tile.index))
    return frozenset((min(near)[2],)) if near else frozenset()


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
        near = np.hypot(*(centres - centres[k]).T) < SIDE_BY_SIDE * sizes[k]
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


def _with_blanks(
    tiles: tuple[TileReading, ...], options: list[tuple[Spot, ...]]
) -> tuple[TileReading, ...]:
    """The tiles, the backs that lie in a pond as what they must be; only those keep its spots."""
    discards = [
        s[0] for t, s in zip(tiles, options, strict=True) if t.is_face and s and s[0].zone == "pond"
    ]
    backs = [s[0] for t, s in zip(tiles, options, strict=True) if t.tile == BACK and s]
    left = COPIES - sum(tile.tile == BLANK for tile in tiles)
    found = list(tiles)
    for k, (tile, spots_of) in enumerate(zip(tiles, options, strict=True)):
        if tile.tile != BACK:
            continue
        share = dict(tile.alternatives).get(BLANK, 0.0)
        best = spots_of[0] if spots_of else None
        others = tuple(spot for spot in spots_of if spot.zone != "pond")
        blank = (
            best is not None
            and best.zone == "pond"
            and best.misfit <= IN_POND
            and all(spot.misfit >= best.misfit + FROM_WALL for spot in others)
            and any(_near(best, other) for other in discards)
            # Two backs side by side are a piece of a wall that was pushed or put down.
            and sum(_near(best, other) for other in backs) == 1
        )
        if blank and share >= LEAST_BLANK and left > 0:
            left -= 1
            found[k] = replace(tile, tile=BLANK, confidence=share, doubtful=True)
            options[k] = tuple(spot for spot in spots_of if spot.zone == "pond")
        else:
            options[k] = others
    return tuple(found)


def _may_be_back(tile: TileReading, turned: Collection[int]) -> bool:
    """Whether what was read as a blank face may be a back as well."""
    blank = tile.tile == BLANK and tile.index not in turned and tile.confidence < SAID
    return blank and dict(tile.alternatives).get(BACK, 0.0) >= LEAST_BACK


def _among_backs(k: int, tiles: Sequence[TileReading]) -> bool:
    """Whether backs lie beside a tile, and no faces."""
    x, y = tiles[k].centre
    box = tiles[k].box
    reach = SIDE_BY_SIDE * max(box[2] - box[0], box[3] - box[1])
    others = [t for t in tiles if t is not tiles[k]]
    near = [t for t in others if np.hypot(t.centre[0] - x, t.centre[1] - y) < reach]
    return bool(near) and all(t.tile == BACK for t in near)


def _with_backs(
    tiles: tuple[TileReading, ...],
    options: list[tuple[Spot, ...]],
    as_backs: list[tuple[Spot, ...]],
    turned: Collection[int],
) -> tuple[tuple[TileReading, ...], list[tuple[Spot, ...]]]:
    """The tiles and their spots, blank faces that lie on the walls as the backs they must be: the
    one tile of the walls that is turned is known."""
    found, chosen = list(tiles), list(options)
    for k, tile in enumerate(tiles):
        ring = next((spot for spot in as_backs[k] if spot.zone == "ring"), None)
        if ring is None or not _may_be_back(tile, turned):
            continue
        own = options[k][0] if options[k] else None
        clear = as_backs[k][0] is ring and (own is None or own.misfit >= ring.misfit + OFF_WALL)
        # Far away a tile on the walls lies in the picture where one behind them would.
        behind = own is not None and own.zone != "pond" and ring.misfit <= own.misfit + OFF_WALL
        if clear or (behind and _among_backs(k, tiles)):
            share = dict(tile.alternatives)[BACK]
            found[k] = replace(tile, tile=BACK, confidence=share, doubtful=True)
            chosen[k] = as_backs[k]
    return tuple(found), chosen


def _roles(
    tiles: Sequence[TileReading],
    chosen: Sequence[Spot | None],
    turned: frozenset[int],
    zones: Zones,
    known: Known,
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
    for seat, seat_tiles in edges.items():
        placed |= {p.tile.index: p for p in edge_roles(seat, seat_tiles, known, turned)}
    ponds = [p for p in placed.values() if p.role == "pond"]
    open_ = known.turned is None and not turned
    placed |= {p.tile.index: p for p in _ring(ring, ponds, zones, open_, known.playing)}
    return placed


def _ring(
    ring: Sequence[PlacedTile],
    ponds: Sequence[PlacedTile],
    zones: Zones,
    open_: bool,
    playing: bool,
) -> list[PlacedTile]:
    """Backs are the wall; a face among them is the indicator, one by the discards a discard."""
    if open_ and playing and all(p.tile.tile == BACK for p in ring):
        ring = _hesitant_turned(ring)
    backs = [p for p in ring if p.tile.tile == BACK]
    found = [replace(p, role="wall", group=0) for p in backs]
    faces = [p for p in ring if p.tile.tile != BACK]
    least = zones.ring[0] + LEAST_WALL_SHARE * (zones.ring[1] - zones.ring[0])

    def likely(p: PlacedTile) -> tuple[int, bool, float]:
        alone = not any(_near(p, q) for q in (*ponds, *faces) if q is not p)
        return _beside_wall(p, backs), alone and -p.y > least, p.tile.confidence

    best = max(faces, key=likely, default=None) if open_ else None
    for p in faces:
        is_it = False
        if best is p:
            beside, alone, _ = likely(p)
            is_it = beside > 0 or alone
        found.append(replace(p, role="indicator" if is_it else "pond", group=0))
    return found


def _hesitant_turned(walls: Sequence[PlacedTile]) -> list[PlacedTile]:
    """Once somebody has discarded a tile of the wall lies turned: where none was read as a face,
    it is the one that looks might show one, if that is one alone."""

    def face(p: PlacedTile) -> tuple[float, str]:
        shares = [(share, name) for name, share in p.tile.alternatives if name in FACES]
        return max(shares, default=(0.0, BACK))

    order = sorted(walls, key=face, reverse=True)
    if not order or face(order[0])[0] < LEAST_TURNED:
        return list(walls)
    if len(order) > 1 and face(order[1])[0] > face(order[0])[0] / ALONE:
        return list(walls)
    share, name = face(order[0])
    tile = replace(order[0].tile, tile=name, confidence=share, doubtful=True)
    return [replace(p, tile=tile) if p is order[0] else p for p in walls]


def _my_row(
    placed: dict[int, PlacedTile], plane: Plane, placement: Placement, known: Known
) -> dict[int, PlacedTile]:
    """My row stands or lies as a whole: as it looked while it stood, or otherwise."""
    row = [p for p in placed.values() if p.seat == 0 and p.role in ("hand", "drawn")]
    faces = [p.tile for p in row if p.tile.is_face]
    least = LEAST_ROW if known.standing is None else LEAST_KNOWN_ROW
    looks = row_looks(faces, plane, placement, least)
    if looks is None:
        return {}
    before = known.standing
    if before is None:
        stands = not known.playing or sum(p.standing for p in row) * 2 >= len(row)
    else:
        same = abs(looks.height - before.height) + abs(looks.depth - before.depth)
        flat = abs(looks.height) + abs(looks.depth - before.depth + LAID_BACK)
        stands = same <= max(flat, SAME_ROW)
    return {p.tile.index: replace(p, standing=stands) for p in row}


def _near(p: PlacedTile | Spot, q: PlacedTile | Spot) -> bool:
    return p.seat == q.seat and abs(p.x - q.x) < NEIGHBOUR and abs(p.y - q.y) < NEIGHBOUR


def _beside_wall(face: PlacedTile, backs: Sequence[PlacedTile]) -> int:
    return sum(
        b.seat == face.seat and abs(b.x - face.x) < NEIGHBOUR and abs(b.y - face.y) < 1.2
        for b in backs
    )
