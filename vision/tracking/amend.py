"""What a person's word about where tiles belong changes in the moves that were told of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from vision.tracking.moves import KnownMeld, Seen

LEAST_SET = 3
Said = Mapping[int, tuple[str, int | None]]
Denied = list[tuple[int, Seen]]


def discards(moves: list[Seen], denied: Denied, said: Said, here: Collection[int]) -> None:
    """A discard that is none is no move; one of another seat is that seat's.

    Both are as before when the word is taken back while the tile still lies there.

    Args:
        moves: Every move in order; changed in place.
        denied: Moves taken out so far with the places they had; changed in place.
        said: Role and seat by identity, as far as said.
        here: Identities of all tiles that are still there.
    """
    for at, seen in list(reversed(denied)):
        if seen.ids[0] in here and said.get(seen.ids[0], ("pond",))[0] == "pond":
            moves.insert(min(at, len(moves)), seen)
            denied.remove((at, seen))
    for seen in [s for s in moves if s.kind == "discard"]:
        role, seat = said.get(seen.ids[0], ("pond", None))
        if role != "pond":
            denied.append((moves.index(seen), seen))
            moves.remove(seen)
        elif seat is not None:
            seen.seen_seat = seen.seat if seen.seen_seat is None else seen.seen_seat
            seen.seat = seat
        elif seen.seen_seat is not None and seen.ids[0] in here:
            seen.seat, seen.seen_seat = seen.seen_seat, None


def sets(moves: list[Seen], melds: Mapping[int, list[KnownMeld]], said: Said) -> None:
    """An exposed set that was none; the discard it seemed to take lies there unclaimed."""
    for seat, known in melds.items():
        for meld in list(known):
            ids = meld.seen.ids
            kept = [i for i in ids if said.get(i, ("meld", seat)) == ("meld", seat)]
            if len(kept) == len(ids) or len(kept) >= LEAST_SET:
                continue
            known.remove(meld)
            moves[:] = [s for s in moves if s is not meld.seen]
            taken = [s for s in moves if s.kind == "discard" and s.tile == meld.tile and s.claimed]
            if taken:
                taken[-1].claimed = False
