"""Which part of a line is hand, drawn tile, exposed set or none of it.

Every part may play one of a few roles. All combinations are weighed by how well the number of
tiles comes out (13, or 14 with the drawn one, a set counting three: SPEC §5.8) and by how the
parts lie, and the best one is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from vision.melds import all_melds, gangs_within
from vision.values import BACK, MeldReading, TileReading

MOST_PARTS = 7
COUNT_FITS = 10.0
COUNT_OFF = 0.7
LARGEST_GROUP = 5


@dataclass(frozen=True)
class Part:
    """Tiles of a line without a gap.

    Attributes:
        tiles: In the line's order.
        gap: Units of free space towards the main part.
        main: The longest part: always hand.
        end: Whether it is the first or the last of the line.
        across: One tile laid across the row.
        beside: Off the line, close to it.
        row: A whole second row.
    """

    tiles: tuple[TileReading, ...]
    gap: float = 0.0
    main: bool = False
    end: bool = False
    across: bool = False
    beside: bool = False
    row: bool = False

    @property
    def unsure(self) -> bool:
        """Whether it is one tile whose name is open: a flower, say."""
        return len(self.tiles) == 1 and self.tiles[0].name_open

    @property
    def faces(self) -> int:
        """How many faces it shows."""
        return sum(tile.is_face for tile in self.tiles)


@dataclass(frozen=True)
class Casting:
    """One way to give the parts their roles.

    Attributes:
        roles: `"hand"`, `"meld"`, `"drawn"` or `"aside"` for each part.
        melds_outside: How many sets away from the line it needs.
        gangs_within: How many fours in the hand it takes for gangs.
        score: The higher the better.
    """

    roles: tuple[str, ...]
    melds_outside: int
    gangs_within: int
    score: float


def cast(parts: Sequence[Part], melds_outside: int) -> Casting:
    """The best casting.

    Args:
        parts: The parts of the line, the main one among them.
        melds_outside: How many sets lie elsewhere and may belong to the hand.
    """
    castings = [
        casting
        for roles in product(*(_possible(part) for part in parts[:MOST_PARTS]))
        if roles.count("drawn") <= 1
        for casting in _weigh(parts, roles + ("aside",) * (len(parts) - len(roles)), melds_outside)
    ]
    return max(castings, key=lambda casting: casting.score)


def _possible(part: Part) -> tuple[str, ...]:
    if part.main:
        return ("hand",)
    if not part.faces:
        return ("aside",)
    if part.beside:
        return ("aside", "drawn")
    roles = ["hand", "aside"]
    if part.end and len(part.tiles) == 1 and part.faces:
        roles.append("drawn")
    if all_melds(part.tiles):
        roles.append("meld")
    return tuple(roles)


def _weigh(parts: Sequence[Part], roles: tuple[str, ...], melds_outside: int) -> list[Casting]:
    plain = [
        len(part.tiles)
        for part, role in zip(parts, roles, strict=True)
        if role == "hand" and len(part.tiles) > 1 and not all_melds(part.tiles)
    ]
    # A hand laid out in many groups shows sets as well as runs: then sets are hand too.
    in_groups = len(plain) > 1 and max(plain) <= LARGEST_GROUP
    score = sum(_fitness(part, role, in_groups) for part, role in zip(parts, roles, strict=True))
    hand, melds = hand_tiles(parts, roles)
    drawn = roles.count("drawn")
    total = len(hand) + drawn + 3 * len(melds)
    castings = []
    for outside in range(min(melds_outside, 4 - len(melds)) + 1 if len(melds) <= 4 else 1):
        for gangs in range(len(gangs_within(hand, with_backs=False)) + 1):
            count = total + 3 * outside - gangs
            fits = count == 14 or (count == 13 and not drawn)
            off = min(abs(count - 13), abs(count - 14)) + (1 if drawn else 0)
            bonus = COUNT_FITS if fits else -COUNT_OFF * off
            cost = 0.2 * outside + 2.0 * gangs
            castings.append(Casting(roles, outside, gangs, score + bonus - cost))
    return castings


def hand_tiles(
    parts: Sequence[Part], roles: tuple[str, ...]
) -> tuple[list[TileReading], list[MeldReading]]:
    """The faces in hand, and the sets: parts cast as such, and concealed gangs anywhere."""
    hand: list[TileReading] = []
    melds: list[MeldReading] = []
    for part, role in zip(parts, roles, strict=True):
        if role == "meld":
            melds += all_melds(part.tiles) or []
        elif role == "hand":
            gangs = gangs_within(part.tiles, with_backs=True)
            covered = {position + k for position, _ in gangs for k in range(4)}
            melds += [meld for _, meld in gangs]
            hand += [t for k, t in enumerate(part.tiles) if k not in covered and t.tile != BACK]
    return hand, melds


def _fitness(part: Part, role: str, in_groups: bool) -> float:
    """How well a role suits the way a part lies, in a hand laid out in groups or not."""
    if part.main:
        return 0.0
    if role == "drawn":
        if part.beside:
            return 0.5
        if part.unsure:
            return 1.0
        return 4.0 if part.across else 3.0 + 0.3 * min(part.gap, 2.0)
    if role == "meld":
        return 2.5 if not in_groups else 0.5
    if role == "aside":
        return 0.0 if part.beside or part.row else (-0.2 if part.unsure else -0.4 * part.faces)
    if part.row:
        return 1.0
    return 1.5 - 0.5 * part.gap
