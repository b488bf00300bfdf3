"""How many natural tiles of a suit fit into given sets and a pair: the counting behind shanten.

`rules.cover` asks how few sets hold all tiles; on the way to a win not all tiles stay, and the
question turns round: of the tiles there, how many can stay in `s` sets and `p` pairs? Each place no
natural tile fills is a joker's or still to be drawn, so the tiles that cannot stay are exactly the
draws a hand is away from its goal.

A goal may ask for places of its own first (a dragon's nine, the 4 and 6 of a 4-5-6m): a `Shape`
takes them out and asks the same of the rest. The answers are *cells*, one for each (sets, pair) at
index `2·sets + pair`: the number that fit, shifted left by `MASK_BITS`, and below it one bit for
each of the 34 kinds a further tile of which would fit as well. Cells of two suits add up.

Ranks are read one by one by an automaton whose states are worked out when first met.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rules.cover import unpack

MASK_BITS = 34
MASK = (1 << MASK_BITS) - 1
IMPOSSIBLE = -(1 << 60)
"""A cell no reading has; sums with it stay below 0."""

_MOST_SETS = 4
_CELLS = 2 * (_MOST_SETS + 1)
_KEPT = 8_000
_LIMITED_KEPT = 500
"""Entries a table keeps before it starts anew; there are many limited tables, each used little."""
_STATES_KEPT = 50_000
_FREE = 5
"""The cap of a kind of which a joker may stand for any number of copies."""

Cells = tuple[int, ...]
_State = tuple[tuple[int, int], ...]


def _symbol(count: int, cap: int, must: bool, starts: int) -> int:
    """One rank as a number: tiles there, how many may ever be, all must stay, runs may begin.

    `starts` is 0 where no run may begin (8 and 9), 1 where any may (7), 2 elsewhere.
    """
    return count + 5 * (cap + 6 * (starts + 3 * must))


def _code(older: int, newer: int, sets: int, pair: int) -> int:
    return ((older * 3 + newer) * (_MOST_SETS + 1) + sets) * 2 + pair


def _step(state: _State, symbol: int, runs: bool) -> _State:
    """Go on by one kind.

    A state is the most tiles that stay for each (runs begun two kinds ago, runs begun one kind ago,
    sets used, pair used). Three equal runs are three triplets, so at most two begin at one kind.
    """
    count, rest = symbol % 5, symbol // 5
    cap, rest = rest % 6, rest // 6
    starts, must = rest % 3, rest // 3
    most_starts = 0 if not runs or starts == 0 else 2
    if starts == 2 and cap == _FREE:
        # A run whose first place is empty holds no more than the one that begins a rank later.
        most_starts = min(most_starts, count)
    triplets_at_most = _most_triplets(count, runs)
    reached: dict[int, int] = {}
    for code, kept in state:
        pair, sets = code % 2, code // 2 % (_MOST_SETS + 1)
        older, newer = divmod(code // (2 * (_MOST_SETS + 1)), 3)
        for begun in range(min(most_starts, _MOST_SETS - sets) + 1):
            through = older + newer + begun
            for triplets in range(min(triplets_at_most, _MOST_SETS - sets - begun) + 1):
                places = through + 3 * triplets
                if triplets and places - 3 >= count:
                    break  # All tiles lie already; more places only cost a set.
                for spend in range(2 - pair if places < count else 1):
                    filled = places + 2 * spend
                    if (cap != _FREE and filled > cap) or (must and filled < count):
                        continue
                    to = _code(newer, begun, sets + begun + triplets, pair + spend)
                    stay = kept + min(count, filled)
                    if stay > reached.get(to, -1):
                        reached[to] = stay
    return _undominated(reached)


def _undominated(reached: dict[int, int]) -> _State:
    """The state without entries that another one matches with no more sets and pairs used."""
    state = []
    before = -1
    top = [-1, -1]  # The most kept so far without and with the pair, of equal runs begun.
    for code, kept in sorted(reached.items()):
        if code // _CELLS != before:
            before, top = code // _CELLS, [-1, -1]
        pair = code % 2
        if kept > top[pair] and kept > top[0]:
            top[pair] = kept
            state.append((code, kept))
    return tuple(state)


def _most_triplets(count: int, runs: bool) -> int:
    # Of four honours alike the fourth may begin a second triplet; in a suit a run takes it.
    return 0 if not count else 1 if runs or count < 4 else 2


class _Automaton:
    """Reads counts rank by rank; its states are numbered when first met."""

    def __init__(self, runs: bool) -> None:
        self._runs = runs
        self._start()

    def _start(self) -> None:
        first: _State = ((_code(0, 0, 0, 0), 0),)
        self._numbers = {first: 0}
        self._states = [first]
        self._moves: list[dict[int, int]] = [{}]
        self._answers: list[tuple[int, ...] | None] = [None]

    def read(self, symbols: list[int]) -> tuple[int, ...]:
        """The most tiles that stay for each cell, -1 where it cannot be."""
        if len(self._states) > _STATES_KEPT:
            self._start()
        state = 0
        moves = self._moves
        for symbol in symbols:
            to = moves[state].get(symbol)
            state = self._meet(state, symbol) if to is None else to
        answer = self._answers[state]
        if answer is None:
            answer = self._answers[state] = _answer(self._states[state])
        return answer

    def _meet(self, state: int, symbol: int) -> int:
        to = _step(self._states[state], symbol, self._runs)
        number = self._numbers.get(to)
        if number is None:
            number = self._numbers[to] = len(self._states)
            self._states.append(to)
            self._moves.append({})
            self._answers.append(None)
        self._moves[state][symbol] = number
        return number


def _answer(state: _State) -> tuple[int, ...]:
    best = [-1] * _CELLS
    for code, kept in state:
        at = code % _CELLS
        best[at] = max(best[at], kept)
    # A set or a pair left over lies elsewhere, with nothing of this suit in it.
    for at in range(1, _CELLS):
        best[at] = max(best[at], best[at - 1] if at % 2 else -1, best[at - 2] if at > 1 else -1)
    return tuple(best)


_SUIT = _Automaton(runs=True)
_HONOURS = _Automaton(runs=False)
_STARTS = (2, 2, 2, 2, 2, 2, 1, 0, 0)


@dataclass(frozen=True, slots=True)
class Shape:
    """Places a goal asks for in one suit before its other sets.

    Attributes:
        places: how many of each rank.
        sets: how many sets they are.
        last: the rank index kept for the last drawn tile, which nothing drawn earlier may fill, or
            -1.
        pair: 1 when the pair is among the places.
    """

    places: tuple[int, ...] = (0,) * 9
    sets: int = 0
    last: int = -1
    pair: int = 0


PLAIN = Shape()
LONG = Shape((1,) * 9, 3)
"""龙."""
ZHUOWU = Shape((0, 0, 0, 1, 0, 1, 0, 0, 0), 1, 4)
"""The 4 and 6 of a 4-5-6m whose 5 comes last (捉伍儿)."""
ZHUOWU_BESIDE_LONG = Shape((1, 1, 1, 2, 1, 2, 1, 1, 1), 4, 4)
ZHUOWU_IN_LONG = Shape((1, 1, 1, 1, 0, 1, 1, 1, 1), 3, 4)
SHUANG_IN_LONG = tuple(
    Shape(tuple(0 if rank // 3 == run else 1 for rank in range(9)), 3) for run in range(3)
)
"""A dragon one of whose runs is two jokers and the last tile."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many tiles of each kind there can be where no joker may stand in, for 没混儿 and 素的.

    Attributes:
        caps: copies that can ever be in the concealed hand, by rank.
        must: ranks all of whose tiles must stay (jokers at face value).
    """

    caps: tuple[int, ...]
    must: tuple[bool, ...]


class FitTable(dict[int, Cells]):
    """Packed suit -> its cells, worked out on first asking.

    Args:
        suit: 0 万, 1 饼, 2 条, 3 the honours.
        shape: the places taken out first.
        limits: None where jokers may stand for any tile.
        helps: whether the cells tell what would fit as well; without it they are ten times cheaper.
    """

    def __init__(self, suit: int, shape: Shape, limits: Limits | None, helps: bool) -> None:
        super().__init__()
        self._offset = 9 * suit
        self._kinds = 9 if suit < 3 else 7
        self._automaton = _SUIT if suit < 3 else _HONOURS
        self._shape = shape
        self._limits = limits
        self._helps = helps

    def __missing__(self, key: int) -> Cells:
        counts = unpack(key)[: self._kinds]
        cells = [IMPOSSIBLE] * _CELLS
        read = self._read(counts)
        if read is not None:
            symbols, kept, open_places = read
            plain = self._automaton.read(symbols)
            shift = 2 * self._shape.sets + self._shape.pair
            masks = self._masks(symbols, plain, open_places) if self._helps else [0] * _CELLS
            # A pair of the shape's own is the only one: what is left may make none.
            for at in range(0, _CELLS - shift, 1 + self._shape.pair):
                if plain[at] >= 0:
                    cells[at + shift] = (kept + plain[at] << MASK_BITS) | masks[at] << self._offset
        if len(self) >= (_KEPT if self._limits is None else _LIMITED_KEPT):
            self.clear()
        answer = self[key] = tuple(cells)
        return answer

    def _read(self, counts: list[int]) -> tuple[list[int], int, int] | None:
        """The symbols of what the shape leaves, tiles in its places, and its open places."""
        shape, limits = self._shape, self._limits
        symbols = []
        kept = open_places = 0
        for rank, count in enumerate(counts):
            places = shape.places[rank]
            kept += min(count, places)
            if count < places:
                open_places |= 1 << rank
            cap = _FREE
            if limits is not None:
                cap = limits.caps[rank] - places - (rank == shape.last)
                if cap < 0:
                    return None
            must = limits is not None and limits.must[rank]
            left = max(0, count - places)
            starts = _STARTS[rank] if self._kinds == 9 else 0
            symbols.append(_symbol(left, cap, must, starts))
        return symbols, kept, open_places

    def _masks(self, symbols: list[int], plain: tuple[int, ...], open_places: int) -> list[int]:
        """For each cell of what is left, the ranks a further tile of which would stay."""
        masks = [open_places] * _CELLS
        for rank, symbol in enumerate(symbols):
            bit = 1 << rank
            # An open place takes the tile; else it must be one that can still be drawn.
            if open_places & bit or symbol % 5 == 4 or symbol % 5 >= symbol // 5 % 6:
                continue
            symbols[rank] = symbol + 1
            more = self._automaton.read(symbols)
            symbols[rank] = symbol
            for at in range(_CELLS):
                if more[at] > plain[at]:
                    masks[at] |= bit
        return masks


@cache
def fit_table(suit: int, shape: Shape, helps: bool) -> FitTable:
    """The table of a suit and shape where jokers may stand for any tile."""
    return FitTable(suit, shape, None, helps)


_LIMITED_TABLES = 512
_limited: dict[tuple[int, Shape, Limits, bool], FitTable] = {}


def limited_table(suit: int, shape: Shape, limits: Limits, helps: bool) -> FitTable:
    """The table of a suit and shape where every tile is itself."""
    key = suit, shape, limits, helps
    found = _limited.get(key)
    if found is None:
        if len(_limited) >= _LIMITED_TABLES:
            _limited.clear()
        found = _limited[key] = FitTable(suit, shape, limits, helps)
    return found


def joined(one: Cells, other: Cells, sets: int) -> Cells:
    """The cells of two groups of suits together, up to a number of sets."""
    cells = [IMPOSSIBLE] * _CELLS
    for all_sets in range(sets + 1):
        cells[2 * all_sets] = joined_cell(one, other, all_sets, 0)
        cells[2 * all_sets + 1] = joined_cell(one, other, all_sets, 1)
    return tuple(cells)


def joined_cell(one: Cells, other: Cells, sets: int, pair: int) -> int:
    """One cell of two groups of suits: the most that fit, and what would fit as well."""
    best = IMPOSSIBLE
    top = -1
    for at in range(0, 2 * sets + 1, 2):
        across = 2 * sets - at
        value = one[at] + other[across + pair]
        if value >= 0:
            if value >> MASK_BITS > top:
                top, best = value >> MASK_BITS, value
            elif value >> MASK_BITS == top:
                best |= value
        if pair:
            value = one[at + 1] + other[across]
            if value >= 0:
                if value >> MASK_BITS > top:
                    top, best = value >> MASK_BITS, value
                elif value >> MASK_BITS == top:
                    best |= value
    return best
