"""A hand as it lies on the table, and every reason why one is impossible (SPEC §12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules.options import RuleOptions
from rules.reasons import Reason, RulesError, brief
from rules.tiles import KINDS

MELD_KINDS: tuple[str, ...] = ("pong", "gang_open", "gang_concealed")
"""碰, 明杠 (an added tile included), 暗杠."""


class HandError(RulesError):
    """A hand that cannot lie on a table, with every reason that holds."""


@dataclass(frozen=True, slots=True)
class Meld:
    """An exposed set: 碰, 明杠 or 暗杠 of one tile.

    Attributes:
        kind: one of `MELD_KINDS`.
        tile: MPSZ code of the tile it is made of.
    """

    kind: str
    tile: str

    @property
    def is_gang(self) -> bool:
        """Whether it is a 杠 (four tiles)."""
        return self.kind in ("gang_open", "gang_concealed")

    @property
    def tiles(self) -> tuple[str, ...]:
        """The tiles that lie in it: three of a pong, four of a gang."""
        return (self.tile,) * (4 if self.is_gang else 3)


@dataclass(frozen=True, slots=True)
class Hand:
    """One player's tiles at one moment. Building one checks nothing: `judge` and `waits` do.

    Attributes:
        concealed: tiles in hand without the drawn one, MPSZ.
        melds: exposed sets.
        jokers: the joker kinds, in any order; empty when there are none.
        win_tile: the drawn tile, kept apart; None when none is known.
        gang_draw: the drawn tile replaced a gang.
        heavenly: the dealer's dealt hand (天和).
        earthly: a non-dealer's first draw (地和).
        self_draw: False for another player's discard, which never wins (SPEC §5.2).
    """

    concealed: tuple[str, ...]
    melds: tuple[Meld, ...] = ()
    jokers: tuple[str, ...] = ()
    win_tile: str | None = None
    gang_draw: bool = False
    heavenly: bool = False
    earthly: bool = False
    self_draw: bool = True

    def __post_init__(self) -> None:
        for name in ("concealed", "melds", "jokers"):
            value = getattr(self, name)
            if type(value) is not tuple:
                object.__setattr__(self, name, tuple(value))

    @property
    def tiles(self) -> tuple[str, ...]:
        """The concealed tiles with the drawn one, if any, at the end."""
        return self.concealed if self.win_tile is None else (*self.concealed, self.win_tile)

    @property
    def asks_waits(self) -> bool:
        """Whether no drawn tile is there and none is in the hand: 13 tiles less 3 a meld."""
        return self.win_tile is None and len(self.concealed) == 13 - 3 * len(self.melds)


def hand_problems(hand: Hand, options: RuleOptions | None = None) -> tuple[Reason, ...]:
    """Every reason why the hand is impossible; empty for a possible one (SPEC §12).

    Args:
        hand: the hand; a wait query (no drawn tile, one tile short) is possible.
        options: decide whether a joker gang is allowed; the defaults when None.
    """
    used = options or RuleOptions()
    return (
        *_unknown_tiles(hand),
        *_wrong_count(hand),
        *_five_of_a_kind(hand),
        *_joker_melds(hand, used),
        *_contradictions(hand),
    )


def check_hand(hand: Hand, options: RuleOptions | None = None) -> None:
    """Refuse an impossible hand.

    Raises:
        HandError: with every reason that holds.
    """
    reasons = hand_problems(hand, options)
    if reasons:
        raise HandError(reasons)


def _unknown_tiles(hand: Hand) -> Iterator[Reason]:
    for tile in _once([*hand.tiles, *(meld.tile for meld in hand.melds), *hand.jokers]):
        if tile not in KINDS:
            yield Reason(
                "unknown_tile",
                f"没有 {brief(tile)} 这种牌",
                f"{brief(tile)} is no tile; write 1m-9m, 1p-9p, 1s-9s or 1z-7z",
            )
    for kind in _once(meld.kind for meld in hand.melds):
        if kind not in MELD_KINDS:
            yield Reason(
                "unknown_meld",
                f"没有 {brief(kind)} 这种副露",
                f"{brief(kind)} is no meld; use one of {', '.join(MELD_KINDS)}",
            )


def _once(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))


def _wrong_count(hand: Hand) -> Iterator[Reason]:
    melds, have = len(hand.melds), len(hand.concealed)
    if melds > 4:
        yield Reason(
            "too_many_melds", f"有 {melds} 副，最多 4 副", f"{melds} melds; a hand has at most 4"
        )
        return
    short = 13 - 3 * melds
    if hand.win_tile is not None and have != short:
        yield Reason(
            "wrong_count",
            f"不算抓的牌应有 {short} 张，现在有 {have} 张",
            f"{have} tiles beside the drawn one; with {melds} melds there must be {short}",
        )
    if hand.win_tile is None and have not in (short, short + 1):
        yield Reason(
            "wrong_count",
            f"应有 {short} 张（听牌）或 {short + 1} 张（和牌），现在有 {have} 张",
            f"{have} tiles; with {melds} melds there must be {short} (waiting) or {short + 1}",
        )


def _five_of_a_kind(hand: Hand) -> Iterator[Reason]:
    held = Counter(hand.tiles)
    for meld in hand.melds:
        held.update(meld.tiles)
    for tile, count in held.items():
        if count > 4:
            yield Reason(
                "five_of_a_kind",
                f"{brief(tile)} 有 {count} 张，一副牌里只有 4 张",
                f"{count} tiles of {brief(tile)}; there are only four",
            )


def _joker_melds(hand: Hand, options: RuleOptions) -> Iterator[Reason]:
    for meld in hand.melds:
        if meld.tile not in hand.jokers:
            continue
        if meld.kind == "pong":
            yield Reason(
                "joker_pong",
                f"{meld.tile} 是混儿，混儿不能碰",
                f"{meld.tile} is a joker: nobody may discard one, so it cannot be ponged",
            )
        elif meld.kind == "gang_open":
            yield Reason(
                "joker_gang_open",
                f"{meld.tile} 是混儿，混儿不能明杠",
                f"{meld.tile} is a joker: nobody may discard one, so there is no open gang of it",
            )
        elif meld.kind == "gang_concealed" and options.joker_gang_points == 0:
            yield Reason(
                "joker_gang",
                f"{meld.tile} 是混儿，现在的规则不许混儿杠",
                f"a gang of the joker {meld.tile} is not allowed; set joker_gang_points to 4..8",
            )


def _contradictions(hand: Hand) -> Iterator[Reason]:
    if hand.gang_draw and not any(meld.is_gang for meld in hand.melds):
        yield Reason(
            "gang_draw_without_gang",
            "没有杠，不能是杠后抓的牌",
            "the tile cannot be a gang's replacement: there is no gang",
        )
    if hand.heavenly and hand.earthly:
        yield Reason(
            "heavenly_and_earthly",
            "天和与地和不能同时有",
            "a hand cannot be 天和 (dealer) and 地和 (not the dealer) at once",
        )
    for flag, name in ((hand.heavenly, "天和"), (hand.earthly, "地和")):
        if flag and hand.melds:
            yield Reason(
                "heaven_with_melds", f"{name}之前不能有副露", f"{name} cannot come after a meld"
            )
