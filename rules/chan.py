"""铲: the three others discard the very tile the dealer discarded first (SPEC §9.2)."""

from __future__ import annotations

from collections.abc import Sequence

from rules.wall import SEATS


def is_chan(dealer: int, discards: Sequence[tuple[int, str]]) -> bool:
    """Whether the first four discards of a hand are a 铲.

    "庄家打出第一张牌后，其他三家分别跟打相同的牌": one kind, by dealer, 下家, 对门, 上家 in that
    order.

    Args:
        dealer: seat 0..3.
        discards: `(seat, tile)` in the order discarded; later ones than the fourth do not matter.
    """
    first = discards[:SEATS]
    return len(first) == SEATS and all(
        seat == (dealer + k) % SEATS and tile == first[0][1] for k, (seat, tile) in enumerate(first)
    )
