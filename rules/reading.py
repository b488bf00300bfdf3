"""A reading of a hand: which tiles form which set, and what each joker stands for (SPEC §6.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules.tiles import KINDS


@dataclass(frozen=True, slots=True)
class Placed:
    """One tile in its place.

    Attributes:
        tile: the tile that lies there.
        stands_for: the tile it counts as: itself, unless it is a joker.
        joker: whether it is a joker tile.
        drawn: whether it is the drawn tile.
    """

    tile: str
    stands_for: str
    joker: bool = False
    drawn: bool = False

    def to_json(self) -> dict[str, Any]:
        """The tile as a JSON object."""
        return {
            "tile": self.tile,
            "stands_for": self.stands_for,
            "joker": self.joker,
            "drawn": self.drawn,
        }


@dataclass(frozen=True, slots=True)
class Group:
    """A set or the pair.

    Attributes:
        form: `"run"`, `"triplet"`, `"pair"`, or the kind of a meld.
        tiles: its tiles in rank order.
    """

    form: str
    tiles: tuple[Placed, ...]

    @property
    def stands_for(self) -> tuple[str, ...]:
        """The tiles it counts as."""
        return tuple(placed.stands_for for placed in self.tiles)

    @property
    def is_run(self) -> bool:
        """Whether it is a 顺子."""
        return self.form == "run"

    @property
    def drawn(self) -> Placed | None:
        """The drawn tile, when it lies in this group."""
        return next((placed for placed in self.tiles if placed.drawn), None)

    def to_json(self) -> dict[str, Any]:
        """The group as a JSON object."""
        return {"form": self.form, "tiles": [placed.to_json() for placed in self.tiles]}


@dataclass(frozen=True, slots=True)
class Reading:
    """Four sets and a pair, melds included."""

    groups: tuple[Group, ...]

    @property
    def drawn_group(self) -> Group | None:
        """The group the drawn tile lies in; None when no drawn tile is told apart (SPEC §6.5)."""
        return next((group for group in self.groups if group.drawn), None)

    @property
    def runs(self) -> tuple[tuple[str, ...], ...]:
        """The runs, each as the three tiles it counts as."""
        return tuple(group.stands_for for group in self.groups if group.is_run)

    @property
    def long_suits(self) -> tuple[str, ...]:
        """The suits whose runs 123, 456 and 789 are all there (SPEC §7, 龙)."""
        starts = {run[0] for run in self.runs}
        return tuple(suit for suit in "mps" if {f"1{suit}", f"4{suit}", f"7{suit}"} <= starts)

    @property
    def drawn_with_two_jokers(self) -> bool:
        """Whether the drawn tile's group is a set whose two other tiles are jokers."""
        group = self.drawn_group
        return (
            group is not None
            and len(group.tiles) == 3
            and all(placed.joker for placed in group.tiles if not placed.drawn)
        )

    @property
    def drawn_group_in_long(self) -> bool:
        """Whether the drawn tile's group is one of the dragon's runs and cannot be spared."""
        group = self.drawn_group
        if group is None or not group.is_run:
            return False
        first = group.stands_for[0]
        return (
            first[1] in self.long_suits
            and KINDS[first] % 9 in (0, 3, 6)
            and self.runs.count(group.stands_for) == 1
        )

    @property
    def at_face_value(self) -> bool:
        """Whether every joker stands for its own kind (SPEC §9.4)."""
        return all(
            placed.tile == placed.stands_for for group in self.groups for placed in group.tiles
        )

    def to_json(self) -> list[dict[str, Any]]:
        """The groups as JSON objects."""
        return [group.to_json() for group in self.groups]
