"""The stage: puts tiles, rows, melds, ponds, walls and dice on the table of one scene."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from datasets.scene_clutter import ClutterBox, bar
from datasets.scene_deck import Deck
from datasets.scene_dice import DieLook, random_die
from datasets.scene_items import Array, Item, lying, standing, thrown
from datasets.scene_types import FACES, SEATS
from datasets.styles import RGB, jitter
from datasets.tile_sets import TileLook, TileSet

#: Stacks in each player's wall.
WALL_LENGTH = 17
#: Things up to this thickness (boards, papers) can have others lying on them.
FLAT = 0.02


@dataclass
class Stage:
    """One scene in the making. Distances are in tile widths; `seat` turns all that is placed."""

    rng: random.Random
    tiles: TileSet
    clutter: ClutterBox
    items: list[Item] = field(default_factory=list)
    gap: float = 0.02
    angle: float = 0.0
    owner: str = ""
    deck: Deck = field(init=False)
    die: DieLook = field(init=False)

    def __post_init__(self) -> None:
        self.deck = Deck(self.rng)
        self.die = random_die(self.rng)

    @property
    def h(self) -> float:
        """Height of a tile in tile widths."""
        return self.tiles.style.aspect

    @property
    def t(self) -> float:
        """Thickness of a tile in tile widths."""
        return self.tiles.style.thickness

    @contextmanager
    def seat(self, number: int) -> Iterator[None]:
        """Within this block coordinates are those of the seat (0 self, 1 right, 2 across, 3 left):
        the player sits at negative y and looks along y."""
        before = self.angle, self.owner
        self.angle, self.owner = number * math.pi / 2, SEATS[number]
        yield
        self.angle, self.owner = before

    def _world(self, x: float, y: float) -> tuple[float, float]:
        c, s = math.cos(self.angle), math.sin(self.angle)
        return c * x - s * y, s * x + c * y

    def tile(
        self,
        name: str,
        x: float,
        y: float,
        rotation: Array,
        base: float = 0.0,
        role: str = "loose",
        focus: bool = True,
    ) -> Item:
        """Put one tile with its lowest point at height `base`."""
        look = TileLook(self.tiles, name, self.rng.randrange(4096), self.tiles.style.corner_radius)
        item = Item(
            name, np.zeros(3), rotation, (1.0, self.h, self.t), look, role, self.owner, focus=focus
        )
        wx, wy = self._world(x, y)
        item.centre = np.array([wx, wy, base + item.height() / 2])
        self.items.append(item)
        return item

    def flat(
        self,
        name: str,
        x: float,
        y: float,
        turn: float = 0.0,
        up: bool = True,
        base: float = 0.0,
        role: str = "loose",
        focus: bool = True,
    ) -> Item:
        """Lay one tile flat, its top `turn` radians to the left of the seat's view."""
        return self.tile(name, x, y, lying(self.angle + turn, up), base, role, focus)

    def upright(
        self,
        name: str,
        x: float,
        y: float,
        lean: float = 0.0,
        spin: int = 0,
        turn: float = 0.0,
        role: str = "hand",
        base: float = 0.0,
        focus: bool = True,
    ) -> Item:
        """Stand one tile with its face to the seat's player."""
        rotation = standing(self.angle - math.pi / 2 + turn, lean, spin)
        return self.tile(name, x, y, rotation, base, role, focus)

    def standing_row(
        self,
        names: Sequence[str],
        x: float,
        y: float,
        lean: float = 0.0,
        role: str = "hand",
        away: bool = False,
        flip: float = 0.0,
        base: float = 0.0,
        focus: bool = True,
    ) -> None:
        """A row of standing tiles centred on x; `away` turns the faces from the player, `flip`
        is the chance of a tile standing on its head."""
        step = 1 + self.gap
        for i, name in enumerate(names):
            dx = (i - (len(names) - 1) / 2) * step
            spin = 2 if self.rng.random() < flip else 0
            turn = (math.pi if away else 0.0) + self.rng.gauss(0, 0.012)
            dy = self.rng.uniform(-0.03, 0.03)
            self.upright(name, x + dx, y + dy, lean, spin, turn, role, base, focus)

    def flat_row(
        self,
        names: Sequence[str],
        x: float,
        y: float,
        turn: float = 0.0,
        role: str = "loose",
        backs: Sequence[int] = (),
        flip: float = 0.0,
        sideways: float = 0.0,
        focus: bool = True,
        base: float = 0.0,
        mess: float = 0.015,
    ) -> None:
        """A row of tiles lying side by side, centred on (x, y), running along `turn`.

        `backs` are the places that lie face down; `flip` is the chance of a tile upside down,
        `sideways` of one laid across.
        """
        along = (math.cos(turn), math.sin(turn))
        widths = [self.h if self.rng.random() < sideways else 1.0 for _ in names]
        total = sum(widths) + self.gap * (len(names) - 1)
        at = -total / 2
        for i, (name, width) in enumerate(zip(names, widths, strict=True)):
            d = at + width / 2
            at += width + self.gap
            own = turn + self.rng.gauss(0, mess)
            if width != 1.0:
                own += self.rng.choice((-1, 1)) * math.pi / 2
            if self.rng.random() < flip:
                own += math.pi
            drop = (self.h - 1) / 2 * self.rng.choice((-1, -1, 0)) if width != 1.0 else 0.0
            px = x + along[0] * d - along[1] * drop
            py = y + along[1] * d + along[0] * drop
            self.flat(name, px, py, own, i not in backs, base, role, focus)

    def meld(self, x: float, y: float, turn: float = 0.0, kind: str | None = None) -> float:
        """A meld of three or four tiles centred on (x, y); returns its length.

        Kinds: `run`, `pong`, `gang_open`, `gang_concealed` (some or all of its tiles face down).
        """
        rng = self.rng
        kind = kind or rng.choice(("run", "pong", "pong", "gang_open", "gang_concealed"))
        sideways = rng.choice((0.0, 0.0, 0.0, 0.3))
        if kind == "run":
            suit, first = rng.choice("mps"), rng.randint(1, 7)
            names = [f"{first + i}{suit}" for i in range(3)]
        else:
            names = self.deck.draw_same(3 if kind == "pong" else 4)
        backs: tuple[int, ...] = ()
        if kind == "gang_concealed" and len(names) == 4:
            backs = rng.choice(
                ((0, 3), (1, 2), (0, 1, 2), (1, 2, 3), (0, 1, 3), (0, 1, 2, 3), (0, 2))
            )
            sideways = 0.0
        if len(names) == 4 and rng.random() < 0.25:  # the fourth lies on the middle one
            self.flat_row(names[:3], x, y, turn, "meld", (0, 1, 2) if backs else ())
            self.flat(names[3], x, y, turn + rng.gauss(0, 0.03), True, self.t, "meld")
            return 3.1
        self.flat_row(names, x, y, turn, "meld", backs, sideways=sideways)
        return len(names) + 0.1 + 0.5 * bool(sideways)

    def pond(self, x: float, y: float, count: int, columns: int = 6, loose: float = 0.0) -> None:
        """Discards in rows of `columns`, the first row farthest from the player."""
        step = self.h * (1.02 + loose)
        names = self.deck.draw(count)
        for row in range(0, count, columns):
            part = names[row : row + columns]
            shift = (len(part) - columns) / 2 * (1 + self.gap)
            mess = 0.02 + 0.15 * loose
            self.flat_row(part, x + shift, y - row // columns * step, role="pond", mess=mess)

    def wall(self, x: float, y: float, turn: float, stacks: int, indicator: bool = False) -> None:
        """A wall of `stacks` two high along `turn`, maybe broken, maybe one tile face up."""
        rng = self.rng
        shown = rng.randrange(stacks) if indicator else -1
        missing = {0} if rng.random() < 0.2 else set()
        for i in range(stacks):
            d = (i - (stacks - 1) / 2) * (1 + self.gap)
            px, py = x + math.cos(turn) * d, y + math.sin(turn) * d
            for level in (0, 1):
                if level == 1 and i in missing:
                    continue
                up = i == shown and level == 1
                # what lies face down is never seen, so it is not taken from the deck
                name = self.deck.draw(1)[0] if up else rng.choice(FACES)
                own = turn + rng.gauss(0, 0.012) + (math.pi if rng.random() < 0.5 else 0)
                role = "indicator" if up else "wall"
                self.flat(name, px, py, own, up, level * self.t, role)

    def scatter(
        self,
        x: float,
        y: float,
        reach: tuple[float, float],
        count: int,
        up: float = 0.92,
        turn: float | None = None,
        role: str = "loose",
        apart: float | None = None,
    ) -> None:
        """Tiles lying about within `reach`, at least `apart` from each other; `turn` None is any
        direction, `up` is the share that lies face up, and a few stand on a side."""
        rng = self.rng
        apart = (
            apart if apart is not None else rng.uniform(1.05, 1.5) * math.hypot(1, self.h) / 1.35
        )
        placed = [(i.centre[0], i.centre[1]) for i in self.items if i.focus]
        names = self.deck.draw(count)
        for _ in range(count * 6):
            if not names:
                return
            px, py = x + rng.uniform(-1, 1) * reach[0], y + rng.uniform(-1, 1) * reach[1]
            if any(math.hypot(px - a, py - b) < apart for a, b in placed):
                continue
            placed.append((px, py))
            own = rng.uniform(0, 2 * math.pi) if turn is None else turn + rng.gauss(0, 0.2)
            name = names.pop()
            if rng.random() < 0.06:  # on its long side or standing
                spin = rng.choice((0, 1, 1, 3))
                self.upright(name, px, py, 0, spin, own, role)
            else:
                self.flat(name, px, py, own, rng.random() < up, 0.0, role)

    def pile(self, x: float, y: float, reach: float, count: int, up: float = 0.85) -> None:
        """A heap: tiles over one another, the upper ones leaning."""
        rng = self.rng
        names = self.deck.draw(count)
        for name in names:
            r, a = reach * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
            px, py = x + r * math.cos(a), y + r * math.sin(a)
            below = [
                i
                for i in self.items
                if math.hypot(i.centre[0] - px, i.centre[1] - py) < 0.95 and i.name
            ]
            base = max((i.centre[2] + i.height() / 2 for i in below), default=0.0)
            if base > 2.2 * self.t:
                continue
            rotation = lying(rng.uniform(0, 2 * math.pi), rng.random() < up)
            if below:
                tip, towards = rng.uniform(0, 0.35), rng.uniform(0, 2 * math.pi)
                rotation = _tipped(tip, towards) @ rotation
                base = max(0.0, base - 0.55 * self.t * tip)
            self.tile(name, px, py, rotation, base)

    def dice(self, x: float, y: float, count: int, spread: float = 1.2) -> None:
        """A throw of dice around (x, y) that keeps clear of everything placed before."""
        rng = self.rng
        side = rng.uniform(0.36, 0.66)
        look = self.die
        for _ in range(count):
            if rng.random() < 0.15:
                look = random_die(rng)
            for _attempt in range(12):
                px, py = self._world(
                    x + rng.uniform(-spread, spread), y + rng.uniform(-spread, spread)
                )
                if self._free(px, py, side):
                    value = rng.randint(1, 6)
                    rotation = thrown(value, rng.uniform(0, 2 * math.pi))
                    centre = np.array([px, py, side / 2])
                    size = (side, side, side)
                    self.items.append(
                        Item(f"die{value}", centre, rotation, size, look, "dice", self.owner)
                    )
                    break

    def _free(self, x: float, y: float, side: float) -> bool:
        """Whether a die of this side at (x, y) of the world touches nothing of the game."""
        return all(
            math.hypot(i.centre[0] - x, i.centre[1] - y) > 0.95 * side + 0.5 * min(i.size[:2])
            for i in self.items
            if i.focus and i.size[2] > FLAT
        )

    def pieces(
        self, middle: tuple[float, float], reach: float, count: int, focus: bool = False
    ) -> None:
        """Loose tokens, coins, chips and wooden cubes that touch nothing placed before."""
        rng = self.rng
        taken = [(i.centre[0], i.centre[1], _reach(i)) for i in self.items if i.size[2] > FLAT]
        for _ in range(count):
            at = (middle[0] + rng.uniform(-reach, reach), middle[1] + rng.uniform(-reach, reach))
            piece = self.clutter.thing(rng, *at, "piece")
            own = _reach(piece)
            if all(math.hypot(at[0] - x, at[1] - y) > own + r for x, y, r in taken):
                piece.focus = focus
                self.items.append(piece)
                taken.append((*at, own))

    def rack(self, length: float, y: float, colour: RGB | None = None) -> None:
        """The rim of an automatic table or a wooden rack in front of a standing row."""
        rng = self.rng
        colour = colour or jitter(
            rng, rng.choice(((240, 240, 240), (205, 170, 120), (50, 50, 54), (120, 80, 50))), 14
        )
        depth = rng.uniform(0.8, 5.0)
        low = rng.uniform(0.06, 0.3)
        px, py = self._world(0.0, y - self.t / 2 - depth / 2 - rng.uniform(0.05, 0.3))
        self.items.append(bar((px, py, low / 2), self.angle, (length, depth, low), colour))

    def tray(self, width: float, depth: float) -> None:
        """The rim of a box or tray around tiles laid in a block of this size."""
        rng = self.rng
        colour = jitter(rng, rng.choice(((30, 30, 34), (120, 80, 50), (235, 235, 230))), 14)
        rim, high = rng.uniform(0.15, 0.6), rng.uniform(0.3, 1.0)
        x, y = (width + rim) / 2 + 0.08, (depth + rim) / 2 + 0.08
        for px, py, size in (
            (0, y, (width + 2 * rim, rim, high)),
            (0, -y, (width + 2 * rim, rim, high)),
            (x, 0, (rim, depth, high)),
            (-x, 0, (rim, depth, high)),
        ):
            wx, wy = self._world(px, py)
            self.items.append(bar((wx, wy, high / 2), self.angle, size, colour))


def _reach(item: Item) -> float:
    """Radius of the circle on the table that an item lies within."""
    return math.hypot(*item.size[:2]) / 2


def _tipped(tip: float, towards: float) -> Array:
    """A rotation that tips the vertical by `tip` towards a direction in the plane."""
    c, s = math.cos(towards), math.sin(towards)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    ct, st = math.cos(tip), math.sin(tip)
    return turn @ np.array([[ct, 0, st], [0, 1.0, 0], [-st, 0, ct]]) @ turn.T
