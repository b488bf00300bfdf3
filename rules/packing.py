"""A hand checked and packed into numbers for the engine."""

from __future__ import annotations

from typing import NamedTuple

from rules.cover import FIELD
from rules.hand import Hand, check_hand
from rules.options import RuleOptions
from rules.scoring import EARTHLY, GANG_DRAW, HEAVENLY, NO_JOKER
from rules.tiles import KINDS

_WEIGHTS = {tile: 1 << FIELD * kind for tile, kind in KINDS.items()}
_weight = _WEIGHTS.__getitem__
_MELDS = {
    (form, tile): (3 if form == "pong" else 4) * weight
    for tile, weight in _WEIGHTS.items()
    for form in ("pong", "gang_open", "gang_concealed")
}
# Adding 27 to every count lifts one of five or more into its field's highest bit.
_LIFT = 27 * sum(_WEIGHTS.values())
_HIGH = 32 * sum(_WEIGHTS.values())
_JOKER_SETS_KEPT = 1000


class _JokerTable(dict[tuple[str, ...], tuple[int, int]]):
    """Joker kinds -> (the bits of their fields, their suits as 1 万, 2 饼, 4 条 added up)."""

    def __missing__(self, jokers: tuple[str, ...]) -> tuple[int, int]:
        fields = suits = 0
        for tile in jokers:
            fields |= 63 * _WEIGHTS[tile]
            suits |= {"m": 1, "p": 2, "s": 4, "z": 0}[tile[1]]
        if len(self) >= _JOKER_SETS_KEPT:
            self.clear()
        self[jokers] = fields, suits
        return fields, suits


_JOKERS = _JokerTable()


class Position(NamedTuple):
    """A possible hand in numbers.

    Attributes:
        natural: packed tiles that are no jokers, without the drawn tile.
        jokers_held: packed joker tiles, without the drawn tile.
        held: packed counts of everything the player holds, drawn tile and melds included.
        sets: four less the melds.
        drawn: the kind of the drawn tile, or -1.
        drawn_is_joker: whether that is a joker.
        joker_fields: the bits of the joker kinds.
        joker_suits: 1 for 万, 2 for 饼, 4 for 条, added up.
        context: of `rules.scoring`, for this drawn tile.
        gang_kills: a joker gang rules out 没混儿 and 素的.
    """

    natural: int
    jokers_held: int
    held: int
    sets: int
    drawn: int
    drawn_is_joker: bool
    joker_fields: int
    joker_suits: int
    context: int
    gang_kills: bool


def locate(hand: Hand, options: RuleOptions) -> Position:
    """Check a hand and pack it.

    Raises:
        HandError: the hand is impossible; every reason.
    """
    try:
        concealed = sum(map(_weight, hand.concealed))
        jokers = hand.jokers
        joker_fields, joker_suits = _JOKERS[jokers]
        drawn_tile = hand.win_tile
        held = concealed
        drawn = -1
        if drawn_tile is not None:
            drawn = KINDS[drawn_tile]
            held += _WEIGHTS[drawn_tile]
        melds = hand.melds
        doubtful = gang_kills = False
        for meld in melds:
            held += _MELDS[meld.kind, meld.tile]
            if meld.tile in jokers:
                doubtful = True
                gang_kills = options.joker_gang_kills_meihun
    except (KeyError, TypeError):
        check_hand(hand, options)
        raise
    sets = 4 - len(melds)
    short = len(hand.concealed) - 3 * sets
    context = 0
    if hand.gang_draw:
        context, doubtful = GANG_DRAW, True
    if hand.heavenly:
        context, doubtful = context | HEAVENLY, True
    if hand.earthly:
        context, doubtful = context | EARTHLY, True
    if doubtful or (short != 1 and (short != 2 or drawn >= 0)) or sets < 0 or held + _LIFT & _HIGH:
        check_hand(hand, options)
    jokers_held = concealed & joker_fields
    drawn_is_joker = drawn >= 0 and joker_fields >> FIELD * drawn & 1 == 1
    if not jokers_held and not drawn_is_joker and not gang_kills:
        context |= NO_JOKER
    return Position(
        concealed - jokers_held,
        jokers_held,
        held,
        sets,
        drawn,
        drawn_is_joker,
        joker_fields,
        joker_suits,
        context,
        gang_kills,
    )


def drawing(position: Position, kind: int) -> Position:
    """The position of a waiting hand after drawing a tile of a kind."""
    is_joker = position.joker_fields >> FIELD * kind & 1 == 1
    context = position.context & ~NO_JOKER if is_joker else position.context
    return position._replace(
        drawn=kind,
        drawn_is_joker=is_joker,
        held=position.held + (1 << FIELD * kind),
        context=context,
    )
