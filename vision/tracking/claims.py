"""Claims that are not seen whole: what the order of the game says about them.

A discard leaves the table only when somebody claims it, and who discards out of turn has claimed
the discard before. So a pung that lies behind a wall is known all the same, though not for sure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from vision.table.placed import PlacedTile
from vision.tracking.moves import Seen

# A discard that is taken is gone for so long before anything is made of it.
TAKEN_S, HALF_SEEN_S, LONG_GONE_S = 0.2, 1.2, 0.8
CLAIM_S = 8.0
# A discard that is pushed about stays the same discard.
PUSHED_S, PUSHED_WIDTHS, SAME_PLACE = 4.0, 2.5, 0.6
CLEARED_SHARE, LEAST_CLEARED, CLEARED_S = 0.75, 4, 2.5


def out_of_turn(
    moves: Sequence[Seen], seat: int, hidden: Collection[int], at: float
) -> Seen | None:
    """The last discard, where it is gone and `seat`, who discards now, must have claimed it.

    Args:
        moves: Every move in order.
        seat: Who discards now. Whoever is next in turn may have drawn instead; but not where the
            last discard is gone for long, and was surely there.
        hidden: Seats whose exposed sets the camera does not see well.
        at: Seconds.
    """
    last = moves[-1] if moves else None
    if last is None or last.kind != "discard" or last.claimed or last.gone_at is None:
        return None
    if seat == last.seat:
        return None
    gone = at - last.gone_at
    if seat == (last.seat + 1) % 4:
        return last if seat in hidden and gone >= LONG_GONE_S and last.sure else None
    return last if gone >= TAKEN_S else None


def half_seen(
    moves: Sequence[Seen], steady: Sequence[PlacedTile], at: float
) -> tuple[Seen, int] | None:
    """The last discard where it is gone and its like lies at a seat's edge; and that seat."""
    last = next((m for m in reversed(moves) if m.kind != "draw"), None)
    if last is None or last.kind != "discard" or last.claimed or last.gone_at is None:
        return None
    if at - last.gone_at < HALF_SEEN_S:
        return None
    for p in steady:
        like = p.role == "meld" and p.group <= 0 and p.tile.tile == last.tile
        if like and p.seat is not None and p.seat != last.seat:
            return last, p.seat
    return None


def mine_to_draw(moves: Sequence[Seen]) -> bool:
    """Whether the last thing that happened is the left player's discard: I draw next."""
    last = next((m for m in reversed(moves) if m.kind != "draw"), None)
    return last is not None and last.kind == "discard" and last.seat == 3 and not last.claimed


def lost(moves: Sequence[Seen], at: float) -> tuple[Seen, ...]:
    """Discards that are gone though nobody's exposed set took them."""
    return tuple(
        s
        for s in moves
        if s.kind == "discard"
        and not s.claimed
        and s.gone_at is not None
        and at - s.gone_at > CLAIM_S
    )


def claimed_before(moves: Sequence[Seen], seat: int) -> bool:
    """Whether nothing was drawn before a seat's discard: it claimed, or it deals and begins."""
    made = [m for m in moves if m.kind != "draw" or m.seat == seat]
    return not made or made[-1].seat == seat


def gathered(moves: Sequence[Seen], at: float) -> bool:
    """Whether most of the discards are gone: the hand is over and the tiles are gathered in."""
    lying = [s for s in moves if s.kind == "discard" and not s.claimed]
    # Pushed tiles, or a pushed camera, are found again within this time.
    gone = sum(s.gone_at is not None and at - s.gone_at > CLEARED_S for s in lying)
    return len(lying) >= LEAST_CLEARED and gone >= CLEARED_SHARE * len(lying)


def pushed(moves: Sequence[Seen], p: PlacedTile, at: float) -> bool:
    """Whether this is a discard that was known in another place; then it is known in this one."""
    for seen in moves:
        lies = seen.kind == "discard" and not seen.claimed and seen.seat == p.seat
        if not lies or max(abs(seen.x - p.x), abs(seen.y - p.y)) > SAME_PLACE:
            continue
        # Two tiles do not lie in one place: after a knock one is found anew before it is lost.
        if seen.tile == p.tile.tile:
            seen.ids, seen.gone_at = (p.tile.index,), None
            return True
        if seen.gone_at is None:
            return True
    for seen in reversed(moves):
        gone = seen.kind == "discard" and not seen.claimed and seen.gone_at is not None
        if not gone or at - (seen.gone_at or at) > PUSHED_S or seen.seat != p.seat:
            continue
        near = abs(seen.x - p.x) + abs(seen.y - p.y) < PUSHED_WIDTHS
        if near and seen.tile == p.tile.tile:
            seen.ids, seen.gone_at = (p.tile.index,), None
            seen.x, seen.y = p.x, p.y
            return True
    return False


def kong_before_discard(moves: list[Seen]) -> None:
    """A kong seen after its owner's discard came before it: only who holds the turn makes one."""
    if len(moves) > 1 and moves[-2].kind == "discard" and moves[-2].seat == moves[-1].seat:
        moves[-2:] = moves[:-3:-1]
