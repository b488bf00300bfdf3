"""Bare wins where 混儿吊 alone is none: 刮大风 played with `min_fan` 1 (SPEC §9.1).

There a hand that any tile completes is no win with its jokers standing apart, whatever is drawn
("不准和混儿吊"): the goal is a hand that waits for some tiles and not for all. In the words of
`rules.cover`, its natural tiles must need the pair: `sets` sets and a pair hold them, `sets` sets
alone do not. (Where the sets alone hold them a joker is left to stand for the pair; where one set
less and the pair do, two are left: SPEC §7.1.)
"""

from __future__ import annotations

from functools import lru_cache

from rules.cover import FIELD, HONOURS, SUIT_BITS, SUIT_MASK, SUITS

_KINDS = 34
_MOST_SETS = 4
_SUIT_KINDS = (9, 9, 9, 7)


def _suits(natural: int) -> tuple[int, ...]:
    return tuple(natural >> SUIT_BITS * suit & SUIT_MASK for suit in range(4))


def _cover(suit: int, key: int) -> tuple[int, int]:
    """The fewest sets that hold a suit's tiles, and 1 if a pair saves one."""
    return HONOURS[key] if suit == 3 else SUITS[key][:2]


def _open_ranks(suit: int, key: int) -> list[int]:
    """The ranks of which a further tile can be there."""
    return [rank for rank in range(_SUIT_KINDS[suit]) if key >> FIELD * rank & 63 < 4]


def needs_its_pair(natural: int, sets: int) -> bool:
    """Whether tiles that wait for some shape do not wait for every tile.

    Args:
        natural: packed tiles that are no jokers, of a hand that waits for a draw.
        sets: how many sets the concealed tiles make.
    """
    return sum(_cover(suit, key)[0] for suit, key in enumerate(_suits(natural))) > sets


def draws_that_tell(natural: int, sets: int) -> int:
    """One exchange from any shape: the natural draws after which some discard leaves a bare wait.

    Args:
        natural: packed tiles that are no jokers, of a hand one exchange from waiting.
        sets: how many sets the concealed tiles make.

    Returns:
        A bit for each kind. (A joker's draw leaves such a wait where the tiles kept need the pair
        already: bit 34.)
    """
    found = 0
    for out in range(_KINDS):
        if not natural >> FIELD * out & 63:
            continue
        keys = _suits(natural - (1 << FIELD * out))
        covers = [_cover(suit, key) for suit, key in enumerate(keys)]
        plain = sum(cover for cover, _ in covers)
        if plain - max(saved for _, saved in covers) > sets:
            continue
        if plain > sets:
            found |= 1 << _KINDS
        for suit, key in enumerate(keys):
            others = plain - covers[suit][0]
            saved_elsewhere = max(saved for at, (_, saved) in enumerate(covers) if at != suit)
            for rank in _open_ranks(suit, key):
                cover, saved = _cover(suit, key + (1 << FIELD * rank))
                if others + cover > sets >= others + cover - max(saved, saved_elsewhere):
                    found |= 1 << 9 * suit + rank
    return found


Removals = tuple[tuple[int, int], ...]
"""For 0, 1, 2 ... tiles taken from a suit: the most sets the rest still needs, and the kinds of
which a further tile needs one set more."""


@lru_cache(maxsize=20_000)
def _removals(suit: int, key: int, most: int) -> Removals:
    best = [[-1, 0] for _ in range(most + 1)]
    seen = set()

    def visit(left: int, taken: int, first: int) -> None:
        if left in seen:
            return
        seen.add(left)
        cover = _cover(suit, left)[0]
        if cover >= best[taken][0]:
            kinds = _raising(suit, left, cover)
            best[taken] = [cover, kinds | (best[taken][1] if cover == best[taken][0] else 0)]
        if taken < most:
            for rank in range(first, _SUIT_KINDS[suit]):
                if left >> FIELD * rank & 63:
                    visit(left - (1 << FIELD * rank), taken + 1, rank)

    visit(key, 0, 0)
    return tuple((cover, kinds) for cover, kinds in best)


def _raising(suit: int, key: int, cover: int) -> int:
    """The ranks a further tile of which needs one set more."""
    return sum(
        1 << rank
        for rank in _open_ranks(suit, key)
        if _cover(suit, key + (1 << FIELD * rank))[0] > cover
    )


def leave_every_tile(natural: int, sets: int) -> tuple[int, int] | None:
    """How far a hand that waits for every tile is from waiting for some only.

    A tile far from all others needs a set of its own, so each exchange adds one set to what the
    tiles kept need, and the question is which tiles to give away: those whose loss saves no set.

    Args:
        natural: packed tiles that are no jokers, of a hand that waits for every tile.
        sets: how many sets the concealed tiles make.

    Returns:
        The exchanges and a bit for each kind whose draw is one of them, or None when there are too
        many jokers for such a hand.
    """
    keys = _suits(natural)
    for exchanges in range(1, _MOST_SETS + 2):
        found = _kept_after(keys, exchanges, sets + 1 - exchanges)
        if found is not None:
            return exchanges, found
    return None


def _kept_after(keys: tuple[int, ...], taken: int, wanted: int) -> int | None:
    """The kinds that add a set where `taken` tiles can go and the rest still needs `wanted` sets.

    None where they cannot.
    """
    removals = [_removals(suit, key, taken) for suit, key in enumerate(keys)]
    found: int | None = None
    for m in range(taken + 1):
        for p in range(taken + 1 - m):
            for s in range(taken + 1 - m - p):
                rows = [
                    removals[suit][count] for suit, count in enumerate((m, p, s, taken - m - p - s))
                ]
                if min(cover for cover, _ in rows) < 0 or sum(c for c, _ in rows) < wanted:
                    continue
                found = found or 0
                for suit, (_, kinds) in enumerate(rows):
                    found |= kinds << 9 * suit
    return found
