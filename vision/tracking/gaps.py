"""Discards that nobody saw: the order of play says that they were made.

Whoever discards out of turn, while the last discard still lies there, tells that those in between
drew and discarded unseen. The gap keeps the account right; a tile that comes to light later fills
it, and a person may say what it was.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from vision.table.placed import PlacedTile
from vision.tracking.events import TableEvent, acted, revised, unread
from vision.tracking.moves import Seen

# When one look saw a tile, seconds, and where it lay.
Glimpse = tuple[float, PlacedTile]

SEATS = 4
# As many discards in a row may go unseen; more is another kind of mistake.
MOST_UNSEEN = 2
# Each player takes at least so long for a turn.
LEAST_TURN_S = 0.5
# Tiles that lie nearer to their player by so many widths lie in a later row; and within how many
# seconds two come to light at about one time.
NEXT_ROW, TOGETHER_S = 0.6, 3.0
# How sure one look must be of what it alone has seen, how sure it then is that it was discarded,
# and how long before the last discard was told it may have been.
SURE_GLIMPSE, GLIMPSED, JUST_BEFORE_S = 0.9, 0.5, 0.5
# A reading this sure is a person's word.
SAID = 0.9999


def passed_over(moves: Sequence[Seen], seat: int) -> list[int]:
    """The seats between the one whose turn it is and this one; none when it is its turn."""
    last = next((m for m in reversed(moves) if m.kind != "draw"), None)
    if last is None or last.kind == "win":
        return []
    turn = (last.seat + 1) % SEATS if last.kind == "discard" else last.seat
    return [(turn + k) % SEATS for k in range((seat - turn) % SEATS)]


def unseen_before(moves: Sequence[Seen], seat: int, at: float) -> list[int]:
    """The seats whose discards must have been made, unseen, before this seat's.

    Args:
        moves: Every move in order.
        seat: Who discards now.
        at: Seconds.
    """
    between = passed_over(moves, seat)
    if not between:
        return []
    last = next(m for m in reversed(moves) if m.kind != "draw")
    if len(between) > MOST_UNSEEN or at - last.at < LEAST_TURN_S * len(between):
        return []
    return between


def unseen(moves: Sequence[Seen], seat: int, at: float, glimpses: Sequence[Glimpse] = ()) -> Seen:
    """A discard that was not seen, with a number (negative) that no other move has.

    Args:
        moves: Every move in order.
        seat: Who made it.
        at: Seconds.
        glimpses: What one look was sure of: a claimed discard may lie there for no longer.
    """
    number = min(min((i for seen in moves for i in seen.ids), default=0), 0) - 1
    since = max((seen.at for seen in moves if seen.kind == "discard"), default=0.0)
    for when, p in reversed(glimpses):
        own = p.role == "pond" and p.seat == seat and p.tile.is_face
        if own and p.tile.confidence >= SURE_GLIMPSE and when >= since - JUST_BEFORE_S:
            name = p.tile.tile
            return Seen("discard", seat, name, (number,), when, name, when, x=p.x, y=p.y)
    return Seen("discard", seat, "", (number,), at, "")


def told(seen: Seen, at: float, wall: float) -> TableEvent:
    """The event of a discard that was not seen, or for one look only."""
    if not seen.tile:
        return unread(seen.seat, at, wall)
    return acted("discarded", seen.seat, seen.tile, at, wall, GLIMPSED)


def is_gap(seen: Seen) -> bool:
    """Whether this is a discard that nobody saw, also where a person has said what it was."""
    hidden = seen.kind == "discard" and seen.ids[0] < 0 and not seen.claimed
    return hidden and (seen.named or not seen.tile)


def named(moves: Sequence[Seen]) -> dict[int, str]:
    """What people have said of unseen discards, by their numbers."""
    return {seen.ids[0]: seen.tile for seen in moves if seen.named and seen.ids[0] < 0}


def name(
    moves: Sequence[Seen], said: Mapping[int, str], at: float, wall: float
) -> list[TableEvent]:
    """Let the unseen discards be exactly what was `said` of them, by their numbers.

    Returns:
        A correction of each one that was something else before.
    """
    events = []
    for seen in moves:
        tile = said.get(seen.ids[0], "") if is_gap(seen) else seen.tile
        if tile != seen.tile:
            events.append(revised(seen.seat, tile, seen.tile, at, wall, 1.0))
            seen.tile = seen.told = tile
            seen.named = bool(tile)
    return events


def fill(gap: Seen, p: PlacedTile, at: float, wall: float) -> list[TableEvent]:
    """The tile of a gap has come to light; what a person said that it is holds on."""
    gap.ids, gap.x, gap.y = (p.tile.index,), p.x, p.y
    if gap.named:
        return []
    gap.tile = gap.told = p.tile.tile
    return [revised(gap.seat, gap.tile, "", at, wall, p.tile.confidence)]


def newer(moves: Sequence[Seen], p: PlacedTile, since: float) -> Seen | None:
    """The seat's last discard where that must be older than `p`, which fills a gap; else None.

    Of two tiles that come to light at about one time the one told first need not be the older: a
    pond is laid row by row, each from its left.

    Args:
        moves: Every move in order.
        p: What comes to light.
        since: Since when it lies there, seconds.
    """
    last = next((m for m in reversed(moves) if m.kind == "discard" and m.seat == p.seat), None)
    if last is None or is_gap(last) or last.gone_at is not None or last.claimed:
        return None
    nearer, beside = last.y - p.y, p.x - last.x
    follows = nearer > NEXT_ROW or (abs(nearer) <= NEXT_ROW and beside > 0)
    return last if follows and abs(since - last.at) <= TOGETHER_S else None


def fill_older(gap: Seen, last: Seen, p: PlacedTile, at: float, wall: float) -> list[TableEvent]:
    """The tile of the `last` discard was the gap's; the one that comes to light is the last."""
    told = revised(gap.seat, last.tile, gap.tile, at, wall, p.tile.confidence)
    again = revised(last.seat, p.tile.tile, last.tile, at, wall, p.tile.confidence)
    gap.ids, gap.x, gap.y, gap.tile, gap.told = last.ids, last.x, last.y, last.tile, last.tile
    last.ids, last.x, last.y = (p.tile.index,), p.x, p.y
    last.tile = last.told = p.tile.tile
    return [told, again]


def found(moves: Sequence[Seen]) -> list[tuple[int, str]]:
    """Tiles that came to light where a person had said what lay there, and what was said.

    Told once: from then on it is a word about the tile.
    """
    new = [seen for seen in moves if seen.named and seen.ids[0] >= 0]
    for seen in new:
        seen.named = False
    return [(seen.ids[0], seen.tile) for seen in new]


def open_gap(moves: Sequence[Seen], p: PlacedTile) -> Seen | None:
    """The unseen discard that a tile of a seat's pond must be: it is not the seat's turn.

    What a person says lies there fills a gap in any case.
    """
    gaps = [m for m in moves if is_gap(m) and m.seat == p.seat]
    if not gaps or p.seat is None:
        return None
    fitting = [m for m in gaps if m.tile in ("", p.tile.tile)]
    if passed_over(moves, p.seat):
        return (fitting or gaps)[0]
    return fitting[0] if fitting and p.tile.confidence >= SAID else None


def claim_unseen(moves: list[Seen], seat: int, tile: str) -> Seen | None:
    """The unseen discard that a set took whose owner has discarded since; None where none is.

    Nobody between the two was passed over: whoever claims has the turn.

    Args:
        moves: Every move in order; the needless gaps are taken out.
        seat: Whose set came to light.
        tile: Of the set.
    """
    if len(moves) < 2 or moves[-1].kind != "discard" or moves[-1].seat != seat:
        return None
    first = len(moves) - 1
    while first and is_gap(moves[first - 1]):
        first -= 1
    taken = moves[first]
    if taken is moves[-1] or taken.seat == seat or taken.tile not in ("", tile):
        return None
    del moves[first + 1 : -1]
    taken.tile, taken.claimed = tile, True
    return taken


def half_seen_claim(
    moves: Sequence[Seen], steady: Sequence[PlacedTile], known: Mapping[int, Collection[str]]
) -> tuple[int, str] | None:
    """Which of the moves is the unseen discard that a set took of which only a part shows.

    Faces lie at a player's edge in exposed sets only. Where the player discarded right after a
    discard that nobody saw, that is what the set was made with.

    Args:
        moves: Every move in order.
        steady: The tiles whose roles have persisted.
        known: Tiles of the exposed sets that were told, by seat.

    Returns:
        The place of the unseen discard among the moves, and the set's tile.
    """
    for at in range(len(moves) - 2, -1, -1):
        gap, after = moves[at], moves[at + 1]
        if not is_gap(gap) or gap.named or after.kind != "discard" or after.seat == gap.seat:
            continue
        for p in steady:
            part = p.role == "meld" and p.group <= 0 and p.tile.is_face and p.seat == after.seat
            if part and p.tile.tile not in known.get(after.seat, ()):
                return at, p.tile.tile
    return None


def beside(moves: Sequence[Seen], gap: Seen, here: Collection[int]) -> tuple[int, ...]:
    """Identities of the tiles that tell where to look for an unseen discard.

    The seat's last discard before it and its first after it, as far as they still lie there.
    """
    at = next(k for k, m in enumerate(moves) if m is gap)
    own = [m for m in moves if m.kind == "discard" and m.seat == gap.seat and m.ids[0] in here]
    before = [m for m in own if any(m is other for other in moves[:at])][-1:]
    after = [m for m in own if any(m is other for other in moves[at + 1 :])][:1]
    return tuple(m.ids[0] for m in (*before, *after))
