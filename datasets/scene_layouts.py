"""The kinds of pictures people take: hands, rows, grids, melds, ponds, walls, heaps, dice."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from datasets.scene_stage import WALL_LENGTH, Stage
from datasets.scene_tables import lay_table
from datasets.scene_types import FACES


@dataclass(frozen=True)
class View:
    """From where a layout is looked at.

    `elevation` in radians, `azimuth` around the table (-pi / 2 is the owner's seat), `distance`
    in spans of the focus, `fill` the share of the picture the focus spans.
    """

    elevation: float
    azimuth: float
    distance: float
    fill: float


_FRONT = -math.pi / 2


def _from_seat(rng: random.Random) -> float:
    """The elevation of a camera that looks at standing tiles: mostly low, as faces ask for."""
    return rng.uniform(0.12, 0.65) if rng.random() < 0.7 else rng.uniform(0.5, 1.1)


def _from_above(rng: random.Random) -> float:
    """The elevation of a camera that looks at lying tiles: mostly steep."""
    return rng.uniform(0.95, 1.56) if rng.random() < 0.65 else rng.uniform(0.42, 1.0)


def _surroundings(stage: Stage, half: float, near: float, far: float) -> None:
    """Now and then other things of a game around the main subject."""
    rng = stage.rng
    if rng.random() < 0.45:
        stage.scatter(
            0,
            (near + far) / 2,
            (half, (far - near) / 2),
            rng.randint(2, 24),
            rng.choice((0.95, 0.7, 0.3)),
        )
        for item in stage.items[-24:]:
            item.focus = item.focus and abs(item.centre[1]) < near
    if rng.random() < 0.3:
        stage.dice(rng.uniform(-half, half) * 0.6, rng.uniform(near, far), rng.choice((1, 2, 2, 3)))


def hand(stage: Stage) -> View:
    """A standing hand from its owner's seat, drawn tile apart, maybe melds, pond, wall beyond."""
    rng = stage.rng
    count = rng.choice((13, 14, 14, 13, 10, 11, 7, 8, 4, 5, 2, 1))
    names = stage.deck.draw(count, ordered=rng.random() < 0.65)
    lean = rng.choice((0.0, 0.0, 0.15, 0.3, 0.45))
    flip = rng.choice((0.0, 0.0, 0.1, 0.3))
    drawn = names.pop() if count % 3 == 2 and rng.random() < 0.6 else None
    with stage.seat(0):
        stage.standing_row(names, 0, 0, lean, flip=flip)
        end = len(names) / 2 * (1 + stage.gap)
        if drawn:
            _place_drawn(stage, drawn, end, lean)
        if rng.random() < 0.4:
            x = end + rng.uniform(1.5, 3) + 1.6
            for _ in range(rng.randint(1, 3)):
                x += stage.meld(x, rng.uniform(-0.3, 0.6), 0.0) + rng.uniform(0.1, 0.4)
        if rng.random() < 0.5:
            stage.rack(end * 2 + rng.uniform(0, 14), 0)
        if rng.random() < 0.35:
            stage.wall(
                rng.uniform(-2, 2), rng.uniform(2, 4), rng.gauss(0, 0.04), rng.randint(6, 17)
            )
            for item in stage.items:
                item.focus = item.focus and item.role != "wall"
    if rng.random() < 0.3:
        with stage.seat(2):
            stage.standing_row(stage.deck.draw(13), 0, -rng.uniform(9, 13), focus=False)
    _surroundings(stage, end + 2, 3.0, 9.0)
    return View(
        _from_seat(rng), _FRONT + rng.gauss(0, 0.2), rng.uniform(0.9, 2.5), rng.uniform(0.75, 1.3)
    )


def _place_drawn(stage: Stage, name: str, end: float, lean: float) -> None:
    """The drawn tile: a gap to the right, laid flat beside, or laid across on top of the row."""
    rng = stage.rng
    how = rng.random()
    if how < 0.6:
        stage.upright(
            name, end + 0.5 + rng.uniform(0.25, 1.6), rng.uniform(-0.15, 0.15), lean, role="drawn"
        )
    elif how < 0.75:
        stage.upright(
            name,
            rng.uniform(0, end - 1),
            0,
            lean,
            spin=rng.choice((1, 3)),
            role="drawn",
            base=stage.h * math.cos(lean),
        )
    else:
        x = end + 0.8 + rng.uniform(0.2, 1.2)
        stage.flat(name, x, rng.uniform(-0.6, 0.2), rng.choice((0, 0, 1.57, -1.57)), role="drawn")


def flat_rows(stage: Stage) -> View:
    """One to three rows lying on the table, seen from anywhere above."""
    rng = stage.rng
    rows, length = rng.choice((1, 1, 1, 2, 2, 3)), rng.choice((3, 4, 5, 7, 9, 13, 14, 14))
    step = stage.h * rng.uniform(1.05, 2.2)
    flip = rng.choice((0.0, 0.0, 0.1, 0.5))
    for row in range(rows):
        count = max(1, length - rng.choice((0, 0, 1, 3)))
        names = stage.deck.draw(count, ordered=rng.random() < 0.5)
        drawn = names.pop() if count in (5, 8, 11, 14) and rng.random() < 0.5 else None
        y, turn = (row - (rows - 1) / 2) * step, rng.gauss(0, 0.03)
        role = "hand" if rows == 1 else "loose"
        stage.flat_row(names, 0, y, turn, role, flip=flip, sideways=rng.choice((0.0, 0.0, 0.05)))
        if drawn:
            x = (len(names) / 2 + rng.uniform(0.8, 1.8)) * (1 + stage.gap)
            turn = rng.choice((0.0, 0.0, 0.0, math.pi / 2))
            stage.flat(drawn, x, y + rng.uniform(-0.2, 0.2), turn, role="drawn")
    _surroundings(stage, length / 2, rows * step / 2 + 1.5, rows * step / 2 + 6)
    turn = rng.choice((0, 0, 0, 0, math.pi, math.pi / 2, rng.uniform(-3, 3)))
    return View(
        _from_above(rng),
        _FRONT + turn + rng.gauss(0, 0.15),
        rng.uniform(0.9, 3),
        rng.uniform(0.6, 1.2),
    )


def grid(stage: Stage) -> View:
    """Many tiles side by side in rows that touch, as in a box or laid out for a picture."""
    rng = stage.rng
    rows, columns = rng.randint(2, 6), rng.randint(3, 10)
    stage.gap = rng.choice((0.0, 0.01, 0.04, 0.3))
    step = stage.h + max(0.005, stage.gap)
    up = rng.choice((1.0, 1.0, 0.8, 0.2))
    flip = rng.choice((0.0, 0.0, 0.2, 0.5))
    for row in range(rows):
        backs = [i for i in range(columns) if rng.random() > up]
        names = stage.deck.draw(columns)
        y = (row - (rows - 1) / 2) * step
        stage.flat_row(names, 0, y, 0, backs=backs, flip=flip, mess=0.004)
    if rng.random() < 0.3:
        stage.tray(columns * (1 + stage.gap), rows * step)
    turn = rng.choice((0, 0, 0, math.pi, math.pi / 2, rng.uniform(-3, 3)))
    return View(
        _from_above(rng),
        _FRONT + turn + rng.gauss(0, 0.1),
        rng.uniform(0.9, 3),
        rng.uniform(0.65, 1.5),
    )


def melds(stage: Stage) -> View:
    """A few melds beside each other, maybe with a short hand."""
    rng = stage.rng
    x = 0.0
    for _ in range(rng.randint(1, 4)):
        x += stage.meld(x, rng.gauss(0, 0.15), rng.gauss(0, 0.04)) + rng.uniform(0.2, 1.0)
    if rng.random() < 0.5:
        names = stage.deck.draw(rng.choice((1, 2, 4, 5, 7, 8, 10)), ordered=True)
        if rng.random() < 0.5:
            stage.standing_row(names, x / 2 - 2, -2.2 - rng.random(), rng.choice((0, 0.2)))
        else:
            stage.flat_row(names, x / 2 - 2, -2.4 - rng.random(), 0, "hand")
    _surroundings(stage, x / 2 + 2, 2.5, 7)
    return View(
        _from_above(rng),
        _FRONT + rng.gauss(0, 0.25),
        rng.uniform(0.9, 2.5),
        rng.uniform(0.55, 1.1),
    )


def pond(stage: Stage) -> View:
    """One or two players' discards."""
    rng = stage.rng
    loose = rng.choice((0.0, 0.05, 0.2))
    with stage.seat(0):
        stage.pond(0, -3.2, rng.randint(3, 21), rng.choice((6, 6, 7, 9)), loose)
    if rng.random() < 0.6:
        with stage.seat(rng.choice((1, 2, 3))):
            stage.pond(0, -3.2, rng.randint(3, 18), 6, loose)
    if rng.random() < 0.4:
        stage.dice(0, 0, rng.choice((2, 2, 3)), 1.0)
    return View(
        _from_above(rng),
        _FRONT + rng.gauss(0, 0.3),
        rng.uniform(0.9, 2.5),
        rng.uniform(0.6, 1.3),
    )


def wall(stage: Stage) -> View:
    """A wall with one tile flipped, maybe dice and a hand in front."""
    rng = stage.rng
    stacks = rng.choice((WALL_LENGTH, WALL_LENGTH, rng.randint(3, 16)))
    with stage.seat(0):
        stage.wall(0, 0, rng.gauss(0, 0.06), stacks, indicator=rng.random() < 0.75)
        if rng.random() < 0.5:
            names = stage.deck.draw(rng.choice((13, 14)), ordered=True)
            stage.standing_row(names, rng.uniform(-1, 1), -rng.uniform(2, 3.5))
    if rng.random() < 0.55:
        stage.dice(rng.uniform(-4, 4), rng.uniform(1.8, 3), rng.choice((2, 2, 2, 3, 4)), 1.2)
    if rng.random() < 0.3:
        with stage.seat(rng.choice((1, 3))):
            stage.wall(rng.uniform(-1, 1), -stacks / 2 - 1.5, 0.0, rng.randint(5, 17))
    return View(
        rng.uniform(0.35, 1.5),
        _FRONT + rng.gauss(0, 0.4),
        rng.uniform(0.8, 2.2),
        rng.uniform(0.8, 1.9),
    )


def scatter(stage: Stage) -> View:
    """Tiles lying about, any way round."""
    rng = stage.rng
    reach = rng.uniform(2.5, 8)
    turn = None if rng.random() < 0.8 else rng.uniform(0, 6)
    count = rng.randint(4, 46)
    up = rng.choice((0.97, 0.9, 0.7, 0.4))
    apart = rng.choice((None, None, 1.02))
    stage.scatter(0, 0, (reach, reach), count, up, turn, apart=apart)
    if rng.random() < 0.4:
        stage.dice(0, 0, rng.choice((1, 2, 2, 3, 4)), reach * 0.7)
    return View(
        _from_above(rng),
        rng.uniform(-3.1, 3.1),
        rng.uniform(0.9, 2.5),
        rng.uniform(0.8, 1.6),
    )


def pile(stage: Stage) -> View:
    """A heap of tiles, some over others."""
    rng = stage.rng
    reach = rng.uniform(1.2, 4.5)
    stage.pile(0, 0, reach, rng.randint(6, 44), rng.choice((0.95, 0.85, 0.6)))
    if rng.random() < 0.5:
        stage.scatter(0, 0, (reach + 3, reach + 3), rng.randint(3, 14), 0.85)
    return View(
        _from_above(rng),
        rng.uniform(-3.1, 3.1),
        rng.uniform(0.9, 2.5),
        rng.uniform(0.8, 1.5),
    )


def single(stage: Stage) -> View:
    """One to three tiles close up."""
    rng = stage.rng
    for i, name in enumerate(stage.deck.draw(rng.choice((1, 1, 2, 3)))):
        x, y = i * rng.uniform(1.1, 2.2), rng.uniform(-0.5, 0.5)
        if rng.random() < 0.7:
            stage.flat(name, x, y, rng.choice((0.0, rng.uniform(-3.1, 3.1))), rng.random() < 0.9)
        else:
            stage.upright(name, x, y, rng.choice((0.0, 0.3)), rng.choice((0, 0, 1, 2)))
    if rng.random() < 0.3:
        stage.dice(1, -1.5, rng.choice((1, 2)), 1.0)
    return View(
        _from_above(rng),
        _FRONT + rng.gauss(0, 0.5),
        rng.uniform(2, 5),
        rng.uniform(0.2, 0.85),
    )


def dice(stage: Stage) -> View:
    """A throw of dice, alone, with a few tiles, or small among the things of a board game."""
    rng = stage.rng
    if rng.random() < 0.4:
        reach = _board_game(stage)
        stage.dice(0, 0, rng.choice((1, 2, 2, 3, 5)), reach * rng.uniform(0.3, 1.1))
        fill = rng.uniform(0.85, 1.8)
    else:
        spread = rng.uniform(0.6, 4)
        stage.dice(0, 0, rng.choice((1, 2, 2, 2, 3, 4, 6, 10, 24)), spread)
        if rng.random() < 0.3:
            stage.scatter(0, 0, (spread + 2, spread + 2), rng.randint(1, 6), 0.7)
        fill = rng.uniform(0.25, 1.1)
    return View(_from_above(rng), rng.uniform(-3.1, 3.1), rng.uniform(1.5, 6), fill)


def _board_game(stage: Stage) -> float:
    """A board with loose pieces on and beside it; returns half its side."""
    rng = stage.rng
    board = stage.clutter.thing(rng, rng.gauss(0, 1), rng.gauss(0, 1), "board")
    board.focus = True
    stage.items.append(board)
    reach = board.size[0] / 2
    stage.pieces((0, 0), reach * rng.uniform(0.7, 1.4), rng.randint(0, 18))
    return reach


def clutter(stage: Stage) -> View:
    """No tile and no die at all: only things that might be taken for them."""
    rng = stage.rng
    kind = rng.random()
    if kind < 0.35:
        _board_game(stage)
    elif kind < 0.5:
        stage.pieces((0, 0), rng.uniform(2, 7), rng.randint(3, 30), focus=True)
    azimuth = rng.uniform(-3.1, 3.1)
    if rng.random() < 0.2:
        spines = stage.clutter.standing_shelf(rng, azimuth, rng.uniform(1, 9))
        spines.focus = True
        stage.items.append(spines)
    for _ in range(rng.randint(0, 3) if stage.items else rng.randint(1, 9)):
        thing = stage.clutter.thing(rng, rng.uniform(-9, 9), rng.uniform(-9, 9))
        thing.focus = True
        stage.items.append(thing)
    return View(rng.uniform(0.4, 1.56), azimuth, rng.uniform(0.9, 2.5), rng.uniform(0.8, 2.2))


def table(stage: Stage) -> View:
    """A whole table with four seats."""
    rng = stage.rng
    lay_table(stage)
    return View(
        rng.uniform(0.5, 1.56),
        _FRONT + rng.gauss(0, 0.12),
        rng.uniform(0.8, 1.8),
        rng.choice((rng.uniform(0.85, 1.1), rng.uniform(1.1, 2.4))),
    )


def whole_set(stage: Stage) -> View:
    """Every kind of one set, lying or standing in rows, each way round, also seen aslant."""
    rng = stage.rng
    names = list(FACES)
    rng.shuffle(names)
    columns = rng.randint(6, 12)
    rows = [names[i : i + columns] for i in range(0, len(names), columns)]
    stage.gap = rng.choice((0.0, 0.01, 0.05, 0.3))
    stands = rng.random() < 0.3
    step = stage.t + stage.h * rng.uniform(1.2, 2.5) if stands else stage.h + stage.gap + 0.01
    flip = rng.choice((0.0, 0.2, 0.5))
    for number, row in enumerate(rows):
        y = (number - (len(rows) - 1) / 2) * step
        if stands:
            stage.standing_row(row, 0, y, rng.choice((0.0, 0.15, 0.3)), flip=flip)
        else:
            stage.flat_row(row, 0, y, flip=flip, sideways=rng.choice((0.0, 0.0, 0.2)), mess=0.01)
    turn = rng.gauss(0, 0.5) if stands else rng.choice((0.0, rng.uniform(-3.1, 3.1)))
    elevation = rng.uniform(0.15, 1.0) if stands else rng.uniform(0.35, 1.56)
    return View(elevation, _FRONT + turn, rng.uniform(0.9, 3), rng.uniform(0.7, 1.3))


#: Scenes of this kind are each of a set of their own, drawn in the widest choice of styles.
WIDE = "set"
LAYOUTS: dict[str, tuple[float, Callable[[Stage], View]]] = {
    "hand": (0.21, hand),
    "flat": (0.14, flat_rows),
    "grid": (0.07, grid),
    "melds": (0.07, melds),
    "pond": (0.06, pond),
    "wall": (0.06, wall),
    "scatter": (0.1, scatter),
    "pile": (0.08, pile),
    "single": (0.04, single),
    "dice": (0.08, dice),
    "clutter": (0.04, clutter),
    "table": (0.06, table),
    WIDE: (0.0, whole_set),  # only where it is asked for
}


def choose_kind(rng: random.Random) -> str:
    """A kind of layout by its share."""
    return rng.choices(list(LAYOUTS), [share for share, _ in LAYOUTS.values()])[0]
