"""How many sets cover a suit's natural tiles: the counting the whole engine rests on.

A hand with jokers is complete exactly when its natural tiles fit into the sets and the pair it must
have: every place left over is a joker's, and the number of tiles makes the number of jokers come
out right by itself (SPEC §4.4: a joker stands for any tile, even a fifth copy). So one suit is told
by one small number, the fewest sets that cover its natural tiles, and by whether the pair saves one
of them. A dragon (龙) or a fixed 4-5-6m takes its tiles away first; what is left is the same
question again.

Counts are packed six bits a kind into one integer, kind k at bit 6·k, so that adding packed tiles
counts them. A suit of nine kinds is 54 bits.
"""

from __future__ import annotations

FIELD = 6
"""Bits a kind takes in a packed count; a hand and its melds hold at most 30 of one."""

SUIT_BITS = 9 * FIELD
SUIT_MASK = (1 << SUIT_BITS) - 1

TABLE_LIMIT = 60_000
"""Entries a table keeps before it starts anew: about 10 MB each, reached only in long runs."""

_MOST = 5  # More sets than any hand has: "cannot be covered".
_State = tuple[int, ...]


def _first_state() -> _State:
    return (0,) + (_MOST,) * 17


def _ways(count: int) -> list[list[tuple[int, int]]]:
    """For each place of a state, where `count` tiles of the next kind lead and at what cost.

    A state holds the fewest sets so far for each (runs begun two kinds ago, runs begun one kind
    ago, pair used), at place `6·older + 2·newer + pair`. Three equal runs are three triplets, so at
    most two runs begin at one kind. A run begun at 8 or 9 covers no more than one begun at 7 would,
    so no kind needs a rule of its own.
    """
    ways = []
    for at in range(18):
        older, newer, pair = at // 6, at // 2 % 3, at % 2
        here = []
        for runs in range(3):
            for spend in range(2 - pair):
                left = max(0, count - older - newer - runs - 2 * spend)
                here.append((6 * newer + 2 * runs + pair + spend, runs + (left + 2) // 3))
        ways.append(here)
    return ways


def _step(state: _State, ways: list[list[tuple[int, int]]]) -> _State:
    """Go on by one kind."""
    reached = [_MOST] * 18
    for cost, here in zip(state, ways, strict=True):
        if cost < _MOST:
            for to, more in here:
                if cost + more < reached[to]:
                    reached[to] = cost + more
    return tuple(reached)


def _number_states() -> tuple[list[list[int]], list[tuple[int, int]]]:
    """Every state that counts of 0 to 4 lead to, as numbers: the moves and each one's answer."""
    by_count = [_ways(count) for count in range(5)]
    numbers = {_first_state(): 0}
    queue = [_first_state()]
    moves: list[list[int]] = []
    for state in queue:
        row = []
        for ways in by_count:
            to = _step(state, ways)
            if to not in numbers:
                numbers[to] = len(queue)
                queue.append(to)
            row.append(numbers[to])
        moves.append(row)
    answers = []
    for state in queue:
        plain, paired = min(state[0::2]), min(state)
        answers.append((plain, plain - paired))
    return moves, answers


_MOVES, _ANSWERS = _number_states()


def cover(counts: list[int]) -> tuple[int, int]:
    """The fewest sets that cover a suit's tiles (5: more than four), and 1 if a pair saves one.

    Args:
        counts: tiles of each rank, 0 to 4, any number of neighbouring ranks.
    """
    state = 0
    for count in counts:
        state = _MOVES[state][count]
    return _ANSWERS[state]


def unpack(key: int) -> list[int]:
    """The nine counts of a packed suit."""
    return [
        key & 63,
        key >> 6 & 63,
        key >> 12 & 63,
        key >> 18 & 63,
        key >> 24 & 63,
        key >> 30 & 63,
        key >> 36 & 63,
        key >> 42 & 63,
        key >> 48,
    ]


Entry = tuple[int, int, int, int]
"""(sets, 1 if a pair saves one, the same two with a dragon taken out first and counted)."""


class SuitTable(dict[int, Entry]):
    """Packed suit -> `Entry`, worked out on first asking."""

    def __missing__(self, key: int) -> Entry:
        counts = unpack(key)
        if len(self) >= TABLE_LIMIT:
            self.clear()
        sets, saved = cover(counts)
        rest, rest_saved = cover([count - 1 if count else 0 for count in counts])
        entry = self[key] = (sets, saved, rest + 3, rest_saved)
        return entry


class HonourTable(dict[int, tuple[int, int]]):
    """Packed honours -> (sets, 1 if a pair saves one): triplets only."""

    def __missing__(self, key: int) -> tuple[int, int]:
        if len(self) >= TABLE_LIMIT:
            self.clear()
        sets = saved = 0
        rest = key
        while rest:
            count = rest & 63
            sets += (count + 2) // 3
            # A pair takes one or two of a kind whole, or leaves two of four for one set.
            if count in (1, 2, 4):
                saved = 1
            rest >>= FIELD
        entry = self[key] = (sets, saved)
        return entry


ZhuowuEntry = tuple[int, int, int, int, int, int]


class ZhuowuTable(dict[int, ZhuowuEntry]):
    """Packed 万 without the drawn tile -> covers with the drawn tile as 5m in a 4-5-6m (SPEC §7).

    Three pairs of (sets, 1 if a pair saves one), the 4-5-6m and the dragon counted: no dragon of
    万; a dragon of 万 beside the 4-5-6m; the 4-5-6m is the dragon's own (SPEC §7.5).
    """

    def __missing__(self, key: int) -> ZhuowuEntry:
        if len(self) >= TABLE_LIMIT:
            self.clear()
        counts = unpack(key)
        plain, plain_saved = cover(_without_4_and_6(counts))
        beside = [count - 1 if count else 0 for count in counts]
        own = beside.copy()
        own[4] = counts[4]  # The dragon's 5 is the drawn tile: none of these is used up.
        beside_sets, beside_saved = cover(_without_4_and_6(beside))
        own_sets, own_saved = cover(own)
        entry = self[key] = (
            plain + 1,
            plain_saved,
            beside_sets + 4,
            beside_saved,
            own_sets + 3,
            own_saved,
        )
        return entry


def _without_4_and_6(counts: list[int]) -> list[int]:
    left = counts.copy()
    for at in (3, 5):
        if left[at]:
            left[at] -= 1
    return left


SUITS = SuitTable()
HONOURS = HonourTable()
ZHUOWU = ZhuowuTable()
