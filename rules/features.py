"""Which combinations of 捉伍儿, 龙 and 混儿吊 some reading of a hand has, as a bit mask.

A combination is numbered `9·捉伍儿 + 3·龙 + 混儿吊`: 捉伍儿 0 or 1; 龙 0 none, 1 of another suit,
2 of the jokers' suit (本混儿); 混儿吊 0 none, 1 the pair's, 2 双混儿吊. Bit n of a mask says that
number n has a reading. 18 more stands for a reading that is 素的 with jokers at face value.

A bit with a fan left out may be set for a reading that has it: it scores strictly less than the
bit with the fan, which is then set too, so no best score and no list of names comes from it. The
one place where leaving 龙 out could score more is asked exactly (`shuang_clear_of_dragon`).
"""

from __future__ import annotations

from functools import cache

from rules.cover import FIELD, HONOURS, SUIT_BITS, SUIT_MASK, SUITS, ZHUOWU, Entry, cover, unpack

FIVE_M = 4
"""The kind of 5m (伍万)."""

PAIR_DIAO = 1
SHUANG_DIAO = 2
ZHUOWU_STEP = 9
FACE_STEP = 18
"""Bit positions: add these to a combination's number."""

_LONG, _LONG_OF_JOKERS = 1 << 3, 1 << 6
# The bit of a dragon of 万, 饼, 条, by the suits of the jokers (1 万, 2 饼, 4 条, added up).
_LONG_BITS = tuple(
    tuple(_LONG_OF_JOKERS if suits >> suit & 1 else _LONG for suit in range(3))
    for suits in range(8)
)

Honours = tuple[int, int]


def paired(m: Entry, p: Entry, s: Entry, z: Honours, limit: int, joker_suits: int) -> int:
    """Bits 0, 3 and 6: whether `limit` sets and a pair cover the tiles, plain and with a 龙."""
    (am, gm, dm, hm), (ap, gp, dp, hp), (as_, gs, ds, hs), (az, gz) = m, p, s, z
    total = am + ap + as_ + az
    if total - (gm | gp | gs | gz) > limit:
        return 0
    mask = 1
    if limit >= 3:
        if total - am + dm - (hm | gp | gs | gz) <= limit:
            mask |= _LONG_BITS[joker_suits][0]
        if total - ap + dp - (gm | hp | gs | gz) <= limit:
            mask |= _LONG_BITS[joker_suits][1]
        if total - as_ + ds - (gm | gp | hs | gz) <= limit:
            mask |= _LONG_BITS[joker_suits][2]
    return mask


def pairless(m: Entry, p: Entry, s: Entry, z: Honours, limit: int, joker_suits: int) -> int:
    """Bits 0, 3 and 6: whether `limit` sets alone cover the tiles, plain and with a 龙."""
    total = m[0] + p[0] + s[0] + z[0]
    if total > limit:
        return 0
    mask = 1
    if limit >= 3:
        if total - m[0] + m[2] <= limit:
            mask |= _LONG_BITS[joker_suits][0]
        if total - p[0] + p[2] <= limit:
            mask |= _LONG_BITS[joker_suits][1]
        if total - s[0] + s[2] <= limit:
            mask |= _LONG_BITS[joker_suits][2]
    return mask


def zhuowu(key: int, m: Entry, p: Entry, s: Entry, z: Honours, sets: int, joker_suits: int) -> int:
    """Bits 0, 3 and 6: whether a 4-5-6m with the drawn tile as its 5 completes the hand.

    Args:
        key: packed 万 without the drawn tile.
        m, p, s, z: the entries of the four suits without the drawn tile.
        sets: how many sets the concealed tiles make.
        joker_suits: as in `features`.
    """
    a0, g0, a1, g1, a2, g2 = ZHUOWU[key]
    (ap, gp, dp, hp), (as_, gs, ds, hs), (az, gz) = p, s, z
    others = ap + as_ + az
    if others + a0 - (g0 | gp | gs | gz) > sets:
        return 0
    mask = 1
    if sets >= 3:
        gain = gp | gs | gz
        if others + a1 - (g1 | gain) <= sets or others + a2 - (g2 | gain) <= sets:
            mask |= _LONG_BITS[joker_suits][0]
        if others - ap + dp + a0 - (g0 | hp | gs | gz) <= sets:
            mask |= _LONG_BITS[joker_suits][1]
        if others - as_ + ds + a0 - (g0 | gp | hs | gz) <= sets:
            mask |= _LONG_BITS[joker_suits][2]
    return mask


def features(
    natural: int, sets: int, drawn: int, drawn_is_joker: bool, joker_suits: int, outside: bool
) -> int:
    """The mask of combinations that some reading of a hand has (SPEC §7).

    Args:
        natural: packed tiles that are no jokers, without the drawn tile.
        sets: how many sets the concealed tiles make: four less the melds.
        drawn: the kind of the drawn tile, or -1 when none lies apart (SPEC §6.5).
        drawn_is_joker: whether the drawn tile is a joker.
        joker_suits: the suits of the joker kinds, 1 for 万, 2 for 饼, 4 for 条, added up.
        outside: the option `shuang_outside_dragon`.
    """
    key = natural & SUIT_MASK
    m = SUITS[key]
    p = SUITS[natural >> SUIT_BITS & SUIT_MASK]
    s = SUITS[natural >> 2 * SUIT_BITS & SUIT_MASK]
    z = HONOURS[natural >> 3 * SUIT_BITS]
    if drawn < 0 or drawn_is_joker:
        mask = paired(m, p, s, z, sets, joker_suits)
    else:
        mask = with_drawn(natural, m, p, s, z, drawn, sets, joker_suits)
    if not mask or drawn < 0:
        return mask
    # Taken away with its joker or jokers, the drawn tile leaves sets alone, or sets and a pair.
    apart = paired(m, p, s, z, sets - 1, joker_suits)
    mask |= pairless(m, p, s, z, sets, joker_suits) << PAIR_DIAO | apart << SHUANG_DIAO
    if drawn_is_joker or drawn == FIVE_M:
        mask |= zhuowu(key, m, p, s, z, sets, joker_suits) << ZHUOWU_STEP
        mask |= apart << ZHUOWU_STEP + SHUANG_DIAO
    if not outside and sets >= 3:
        mask |= shuang_inside(natural, sets, drawn, drawn_is_joker, joker_suits)
    return mask


def with_drawn(
    natural: int,
    m: Entry,
    p: Entry,
    s: Entry,
    z: Honours,
    drawn: int,
    sets: int,
    joker_suits: int,
) -> int:
    """`paired` for the tiles with a natural drawn tile added to them."""
    if drawn < 9:
        m = SUITS[(natural & SUIT_MASK) + (1 << FIELD * drawn)]
    elif drawn < 18:
        p = SUITS[(natural >> SUIT_BITS & SUIT_MASK) + (1 << FIELD * (drawn - 9))]
    elif drawn < 27:
        s = SUITS[(natural >> 2 * SUIT_BITS & SUIT_MASK) + (1 << FIELD * (drawn - 18))]
    else:
        z = HONOURS[(natural >> 3 * SUIT_BITS) + (1 << FIELD * (drawn - 27))]
    return paired(m, p, s, z, sets, joker_suits)


def _suit_counts(natural: int) -> list[list[int]]:
    return [unpack(natural >> SUIT_BITS * suit & SUIT_MASK) for suit in range(3)]


def shuang_inside(
    natural: int, sets: int, drawn: int, drawn_is_joker: bool, joker_suits: int
) -> int:
    """The bits of 双混儿吊 in a run of the dragon, for `shuang_outside_dragon` = false (SPEC §7.4).

    The drawn tile and two jokers are one of the dragon's runs; the tiles fill the other two.
    """
    suits = _suit_counts(natural)
    honours = HONOURS[natural >> 3 * SUIT_BITS]
    mask = 0
    for suit in range(3):
        for run in range(3):
            if not drawn_is_joker and drawn // 3 != 3 * suit + run:
                continue
            left = [
                count - 1 if count and rank // 3 != run else count
                for rank, count in enumerate(suits[suit])
            ]
            covers = [cover(suits[other]) for other in range(3) if other != suit]
            covers += [cover(left), honours]
            if 3 + sum(count for count, _ in covers) - max(saved for _, saved in covers) <= sets:
                bit = _LONG_BITS[joker_suits][suit] << SHUANG_DIAO
                mask |= bit
                if suit == 0 and run == 1 and (drawn_is_joker or drawn == FIVE_M):
                    mask |= bit << ZHUOWU_STEP
    return mask


def shuang_clear_of_dragon(natural: int, sets: int) -> bool:
    """Whether 双混儿捉伍儿 has a reading in which 123m and 789m do not make its 456m a dragon's.

    Only where 天和 adds to 龙 (SPEC §8.4) can 双混儿捉伍儿 without 龙 score more than the same
    tiles read as 捉伍儿龙, whose 456m is no 双混儿吊 (SPEC §7.4).
    """
    suits = _suit_counts(natural)
    others = [cover(suits[1]), cover(suits[2]), HONOURS[natural >> 3 * SUIT_BITS]]
    for forbidden in (0, 6):
        paired_m = _cover_without(tuple(suits[0]), forbidden, True)
        plain_m = _cover_without(tuple(suits[0]), forbidden, False)
        rest = sum(count for count, _ in others)
        if min(paired_m + rest, plain_m + rest - max(saved for _, saved in others)) <= sets - 1:
            return True
    return False


@cache
def _cover_without(counts: tuple[int, ...], forbidden: int, pair: bool) -> int:
    """The fewest sets that cover a suit with no run beginning at index `forbidden`."""
    first = next((rank for rank, count in enumerate(counts) if count), None)
    if first is None:
        return 0
    ways = [1 + _cover_without(_taken(counts, [first] * 3), forbidden, pair)]
    for start in range(max(0, first - 2), min(6, first) + 1):
        if start != forbidden:
            run = _taken(counts, [start, start + 1, start + 2])
            ways.append(1 + _cover_without(run, forbidden, pair))
    if pair:
        ways.append(_cover_without(_taken(counts, [first] * 2), forbidden, False))
    return min(ways)


def _taken(counts: tuple[int, ...], ranks: list[int]) -> tuple[int, ...]:
    left = list(counts)
    for rank in ranks:
        left[rank] = max(0, left[rank] - 1)
    return tuple(left)
