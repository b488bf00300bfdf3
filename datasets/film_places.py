"""Where everything of a game lies on the table: walls, hands, melds, ponds, heaps of tiles.

Coordinates are those of `scene_camera`; a *side* is 0 self, 1 right, 2 across, 3 left.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np

from datasets.scene_items import Array, lying, standing

STACKS = 17
COLUMNS = 6
_GAP = 0.012
_HAND_START = -7.2
_MELD_END = 10.4


@dataclass(frozen=True)
class Pose:
    """A tile's place: its middle, its turn, whose it is (side, or -1) and its role."""

    centre: Array
    rotation: Array
    side: int
    role: str

    def height(self) -> float:
        """How high its middle is above the table."""
        return float(self.centre[2])


@dataclass
class Places:
    """The places of one table.

    Attributes:
        h, t: height and thickness of the tiles in tile widths.
        lean: how far standing hands lean back, radians.
        mess: how untidily things are laid, 0..1.
        rng: source of the small differences.
    """

    h: float
    t: float
    lean: float
    mess: float
    rng: random.Random

    def __post_init__(self) -> None:
        first = 3.15 + self.h / 2
        self.pond_step = self.h * 1.03
        self.pond_at = -first
        self.wall_at = -max(first + 3.5 * self.pond_step + 0.35 + self.h / 2, 8.7 + self.h / 2)
        self.hand_at = self.wall_at - self.h / 2 - self.t / 2 - 0.75
        self.edge = -self.hand_at + 1.2

    def _pose(self, side: int, x: float, y: float, base: float, rotation: Array, role: str) -> Pose:
        angle = side * math.pi / 2
        c, s = math.cos(angle), math.sin(angle)
        high = float(np.abs(rotation[2]) @ np.array([1.0, self.h, self.t]))
        return Pose(np.array([c * x - s * y, s * x + c * y, base + high / 2]), rotation, side, role)

    def _flat(
        self,
        side: int,
        x: float,
        y: float,
        role: str,
        up: bool = True,
        base: float = 0.0,
        turn: float = 0.0,
    ) -> Pose:
        own = side * math.pi / 2 + turn + self.rng.gauss(0, 0.02 * self.mess)
        shift = 0.03 * self.mess
        x, y = x + self.rng.gauss(0, shift), y + self.rng.gauss(0, shift)
        return self._pose(side, x, y, base, lying(own, up), role)

    def wall(self, place: int, flipped: bool = False, dropped: bool = False) -> Pose:
        """A tile place of the rules (0..135, counted from the wall of side 0).

        Args:
            place: even for the upper, odd for the lower tile of a stack.
            flipped: face up, as the turned tile.
            dropped: an upper tile whose lower one has been taken lies on the table.
        """
        stack, lower = divmod(place, 2)
        side, left = divmod(stack, STACKS)
        x = (left - (STACKS - 1) / 2) * (1 + _GAP)
        base = 0.0 if lower or dropped else self.t
        role = "indicator" if flipped else "wall"
        turn = self.rng.choice((0.0, math.pi))
        return self._flat(side, x, self.wall_at, role, flipped, base, turn)

    def hand(self, side: int, index: int, drawn: bool = False) -> Pose:
        """The `index`-th tile from the left of a standing hand, or the tile drawn, set apart."""
        x = _HAND_START + index * (1 + _GAP) + (0.55 if drawn else 0.0)
        turn = side * math.pi / 2 - math.pi / 2 + self.rng.gauss(0, 0.012)
        role = "drawn" if drawn else "hand"
        return self._pose(side, x, self.hand_at, 0.0, standing(turn, self.lean), role)

    def open_hand(self, side: int, index: int, drawn: bool = False) -> Pose:
        """The same laid open on the table."""
        x = _HAND_START + index * (1 + _GAP) + (0.55 if drawn else 0.0)
        return self._flat(side, x, self.hand_at, "drawn" if drawn else "hand")

    def pond(self, side: int, index: int) -> Pose:
        """The `index`-th discard: rows of six, the fourth row is the last and goes on."""
        row = min(index // COLUMNS, 3)
        x = (index - row * COLUMNS - (COLUMNS - 1) / 2) * 1.02
        return self._flat(side, x, self.pond_at - row * self.pond_step, "pond")

    def meld(
        self, side: int, before: float, count: int, backs: tuple[int, ...] = ()
    ) -> tuple[list[Pose], float]:
        """The places of a new meld, leftwards after `before` tile widths of earlier ones; and how
        much there is then."""
        left = _MELD_END - before - count * (1 + _GAP) + 0.5
        poses = [
            self._flat(side, left + k * (1 + _GAP), self.hand_at, "meld", k not in backs)
            for k in range(count)
        ]
        return poses, before + count * (1 + _GAP) + 0.3

    def on_meld(self, below: Pose) -> Pose:
        """On top of a tile of a meld: the fourth tile of an added kong."""
        c, s = math.cos(below.side * math.pi / 2), math.sin(below.side * math.pi / 2)
        x, y = below.centre[:2]
        return self._flat(below.side, c * x + s * y, -s * x + c * y, "meld", base=self.t)

    def scattered(self, index: int, up: float) -> Pose:
        """A place in the heap before the walls are built, face down but for a share `up`."""
        row, column = divmod(index, 12)
        reach = -self.wall_at
        x = (column - 5.5) / 6 * reach + self.rng.uniform(-0.12, 0.12)
        y = (row - 5.5) / 6 * reach + self.rng.uniform(-0.12, 0.12)
        turn = self.rng.gauss(0, 0.12) + self.rng.randrange(4) * math.pi / 2
        pose = self._flat(0, x, y, "loose", self.rng.random() < up, turn=turn)
        return Pose(pose.centre, pose.rotation, -1, "loose")
