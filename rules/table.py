"""What lies on the table at one moment: the parts a `Round` is made of."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.hand import Meld
from rules.opening import Opening
from rules.options import RuleOptions
from rules.reasons import Reason, RulesError
from rules.settlement import NO_PULL, HandResult, result_problems
from rules.tiles import KINDS, TILES
from rules.wall import SEATS, TILES_IN_ALL

KIND_COUNT = len(TILES)
COPIES = 4
NO_TILES = bytes(KIND_COUNT)
FULL_SET = bytes([COPIES]) * KIND_COUNT

# Phases of a hand.
DEAL = "deal"  # nothing dealt yet
ACT = "act"  # the seat whose turn it is holds a tile more: discard, kong, win
CLAIM = "claim"  # a tile has just been discarded: pung, kong, or the next seat draws
REPLACE = "replace"  # a kong is open and its replacement not yet taken
VOID = "void"  # 铲 under "restart": only the void hand itself is left to be said
OVER = "over"

# How the tile in question came into the hand of the seat whose turn it is.
BY_DEAL = "deal"
BY_DRAW = "draw"
BY_REPLACEMENT = "replacement"
BY_PUNG = "pung"


class SetupError(RulesError):
    """A hand that cannot begin like that, with every reason that holds."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is settled before the tiles are dealt.

    Attributes:
        opening: dealer and the three rolls.
        options: the rules in force.
        zuo: the dealer chose 坐庄.
        la: how many times each seat pulls the dealer.
        wall: the 136 tiles by place (`2 * g` upper, `2 * g + 1` lower tile of stack g, see
            `rules.wall`), or None when the wall is not known and the tiles are named as they come.

    Raises:
        SetupError: with every reason that holds.
    """

    opening: Opening
    options: RuleOptions = field(default_factory=RuleOptions)
    zuo: bool = False
    la: tuple[int, ...] = NO_PULL
    wall: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        result = HandResult(self.opening.dealer, zuo=self.zuo, la=self.la)
        reasons = [*result_problems(result, self.options), *_dice_problems(self.opening)]
        if self.wall is not None:
            reasons.extend(_wall_problems(self.wall))
        if reasons:
            raise SetupError(reasons)


def _dice_problems(opening: Opening) -> list[Reason]:
    reasons = []
    for name in ("dice1", "dice2", "dice3"):
        dice = getattr(opening, name)
        if len(dice) != 2 or any(
            type(points) is not int or not 1 <= points <= 6 for points in dice
        ):
            reasons.append(
                Reason(
                    "bad_dice",
                    f"{name} 应是两个 1 到 6 的点数",
                    f"{name} must be two dice of 1 to 6, not {list(dice)}",
                )
            )
    return reasons


def _wall_problems(wall: tuple[str, ...]) -> list[Reason]:
    counts = dict.fromkeys(TILES, 0)
    for tile in wall:
        if tile in counts:
            counts[tile] += 1
    if len(wall) == TILES_IN_ALL and all(count == COPIES for count in counts.values()):
        return []
    return [
        Reason(
            "bad_wall",
            "牌墙要有 136 张，每种四张",
            f"the wall must hold 136 tiles, four of each kind; this one has {len(wall)} tiles",
        )
    ]


@dataclass(frozen=True, slots=True)
class Seat:
    """What lies before one player.

    Attributes:
        hand: concealed tiles, one count a kind (34 bytes, class order), the drawn tile included.
        melds: 碰 and 杠 in the order made.
        river: discards still lying there (those claimed by others are gone).
        joker_discarded: has discarded a joker in this hand and is 小相公.
    """

    hand: bytes = NO_TILES
    melds: tuple[Meld, ...] = ()
    river: tuple[str, ...] = ()
    joker_discarded: bool = False

    @property
    def concealed(self) -> tuple[str, ...]:
        """The concealed tiles as MPSZ codes, sorted in class order."""
        return tuple(
            tile for tile, count in zip(TILES, self.hand, strict=True) for _ in range(count)
        )

    @property
    def tile_count(self) -> int:
        """All tiles before the player: hand, melds and river."""
        melded = sum(4 if meld.is_gang else 3 for meld in self.melds)
        return sum(self.hand) + melded + len(self.river)


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """How a hand ended.

    Attributes:
        kind: "win", "draw" (和局) or "void" (铲).
        winner: seat, None unless won.
        fan: the winner's 番, else 0.
        names: the 番种 of the win.
        title: their joined name, such as 双混儿捉伍儿龙.
        cause: why nobody won: "wall_end", "no_gang_tile", "chan"; "" for a win.
    """

    kind: str
    winner: int | None = None
    fan: int = 0
    names: tuple[str, ...] = ()
    title: str = ""
    cause: str = ""


def counted(tiles: tuple[str, ...]) -> bytes:
    """The tiles as one count a kind (34 bytes, class order)."""
    counts = bytearray(KIND_COUNT)
    for tile in tiles:
        counts[KINDS[tile]] += 1
    return bytes(counts)


def changed(counts: bytes, kind: int, by: int) -> bytes:
    """The counts with `by` tiles of one kind more (or fewer)."""
    new = bytearray(counts)
    new[kind] += by
    return bytes(new)


EMPTY_SEATS: tuple[Seat, ...] = (Seat(),) * SEATS
