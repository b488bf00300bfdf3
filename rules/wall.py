"""The wall: 68 stacks of two in front of four seats, and what is drawn from which end.

A stack has a number `g = 17 * seat + stack - 1` (0..67), stacks counted 1..17 from the builder's
left, seats anticlockwise (SPEC §3.4: "从第二次掷色的人所码的牌墙左侧向右侧数…
如果超过17则顺着数到下一个人的牌墙"). A tile place is `2 * g` for the upper and `2 * g + 1` for the
lower tile of stack g.

Seen from the break, the 136 places form one row, the *drawing order*: stack by stack with rising
g, the upper tile before the lower one (SPEC §3.5). The turned tile is the upper tile of the stack
`d3` stacks behind the break, so with `L = 136 - 2 * d3` the row is

    0 .. L-1      live tiles, drawn from the front
    L             the turned tile (翻混牌), out of play
    L+1 .. 135    the tail behind it, `2 * d3 - 1` replacement tiles (SPEC §5.5)

Replacement tiles come "从后向前": from the last stack of the row towards the turned tile, the
upper tile of each stack before the lower one [R: a lower tile cannot be taken from under its upper
one].
"""

from __future__ import annotations

from dataclasses import dataclass, replace

SEATS = 4
STACKS_PER_SEAT = 17
STACKS = SEATS * STACKS_PER_SEAT
TILES_IN_ALL = 2 * STACKS
DEALT_TILES = 53  # 13 each and the dealer's fourteenth

Dice = tuple[int, int]


def stack_number(owner: int, stack: int) -> int:
    """The number g (0..67) of the `stack`-th stack (1..17 from the left) of seat `owner`.

    SPEC §3.4.
    """
    return STACKS_PER_SEAT * owner + stack - 1


def stack_place(g: int) -> tuple[int, int]:
    """`(owner, stack)` of stack number g, taken modulo 68: the inverse of `stack_number`."""
    owner, left = divmod(g % STACKS, STACKS_PER_SEAT)
    return owner, left + 1


def count_seats(first: int, points: int) -> int:
    """The seat reached by counting `points` places anticlockwise, `first` being one (SPEC §3.2)."""
    return (first + points - 1) % SEATS


@dataclass(frozen=True, slots=True)
class Wall:
    """A broken wall with a turned tile: how many tiles have left each end.

    Attributes:
        break_stack: number g of the stack at which drawing starts.
        joker_points: sum of the joker roll, 2..12: the turned tile lies this many stacks behind
            the break.
        front: tiles drawn from the front of the live part, the deal included.
        tail_taken: replacement tiles taken from behind the turned tile.
        skipped: replacement tiles taken from the back of the live part, the tail being empty
            (`gang_tail_empty = "skip"`, SPEC §5.6).
    """

    break_stack: int
    joker_points: int
    front: int = 0
    tail_taken: int = 0
    skipped: int = 0

    @property
    def live_size(self) -> int:
        """Tiles before the turned one in an untouched wall: `136 - 2 * d3` (SPEC §5.5)."""
        return TILES_IN_ALL - 2 * self.joker_points

    @property
    def tail_size(self) -> int:
        """Tiles behind the turned one in an untouched wall: `2 * d3 - 1`, its lower neighbour
        included.
        """
        return 2 * self.joker_points - 1

    @property
    def live_left(self) -> int:
        """Tiles that may still be drawn before the turned tile; at 0 it is 和局 (SPEC
        §5.7).
        """
        return self.live_size - self.front - self.skipped

    @property
    def tail_left(self) -> int:
        """Replacement tiles left behind the turned tile."""
        return self.tail_size - self.tail_taken

    def place(self, order: int) -> int:
        """The tile place (0..135) of the tile that is `order`-th (0..135) in drawing order."""
        g, lower = divmod(order, 2)
        return 2 * ((self.break_stack + g) % STACKS) + lower

    @property
    def indicator_order(self) -> int:
        """Where the turned tile stands in the drawing order."""
        return self.live_size

    def next_order(self) -> int:
        """Drawing order of the next tile from the front. Only meaningful while `live_left` is
        above 0.
        """
        # After an odd number of skips the last live stack has lost its upper tile: step over the
        # hole.
        hole = self.live_size - self.skipped - 1 if self.skipped % 2 else -1
        return self.front + 1 if self.front == hole else self.front

    def replacement_order(self, skip: bool) -> int | None:
        """Drawing order of the next replacement tile, or None when there is none.

        Args:
            skip: whether an empty tail is made good from before the turned tile (SPEC §5.6).
        """
        if self.tail_left:
            if self.tail_taken == self.tail_size - 1:
                return self.live_size + 1  # the turned tile's lower neighbour, the last one
            return TILES_IN_ALL - 1 - (self.tail_taken ^ 1)
        if not skip or not self.live_left:
            return None
        upper = self.live_size - 1 - (self.skipped ^ 1)
        # When the front has eaten the upper tile of the last live stack only the lower one is left.
        return upper + 1 if upper < self.front else upper

    def draw(self) -> Wall:
        """The wall after one tile from the front."""
        return replace(self, front=self.front + 1)

    def take_replacement(self) -> Wall:
        """The wall after one replacement tile: from the tail, or the live back when the tail is
        empty.
        """
        if self.tail_left:
            return replace(self, tail_taken=self.tail_taken + 1)
        return replace(self, skipped=self.skipped + 1)
