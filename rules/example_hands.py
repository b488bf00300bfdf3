"""Hands made to order: four sets and a pair that have exactly the fans asked for.

A hand is laid out from the wish (a dragon, a 4-5-6m caught by its 5, a standing joker ...) with an
injected `random.Random`; the engine judges it, and only one with exactly the wished fans is given
out. So every example and drill is the engine's own answer, and the same seed makes the same hand.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from rules.explain import Judgement
from rules.hand import Hand, Meld
from rules.jokers import joker_kinds
from rules.judging import DEFAULT, judge
from rules.options import RuleOptions
from rules.tiles import KINDS, TILES

_TRIES = 4000


@dataclass(frozen=True, slots=True)
class Wish:
    """The fans a made hand must have, and no others.

    Attributes:
        zhuowu: 捉伍儿.
        long: None, `"other"` (龙 of a suit without jokers) or `"joker"` (本混儿龙).
        diao: `""`, `"pair"` (混儿吊) or `"set"` (双混儿吊).
        no_joker: 没混儿.
        gang: 杠开.
        heaven: `""`, `"heavenly"` or `"earthly"`.
        su: 素的 as a fan of its own: jokers at face value.
    """

    zhuowu: bool = False
    long: str | None = None
    diao: str = ""
    no_joker: bool = False
    gang: bool = False
    heaven: str = ""
    su: bool = False

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the fans wished for; 屁和 when there are none."""
        diao = {"pair": "hundiao", "set": "shuang_hundiao"}
        named = {
            "zhuowu": self.zhuowu,
            "long": self.long is not None,
            "benhun": self.long == "joker",
            "no_joker": self.no_joker,
            "gang_draw": self.gang,
            "su": self.su,
        }
        keys = {key for key, wished in named.items() if wished}
        keys |= {diao[self.diao]} if self.diao else set()
        keys |= {self.heaven} if self.heaven else set()
        return frozenset(keys or {"bare"})


@dataclass(frozen=True, slots=True)
class MadeHand:
    """A made hand with what the engine says of it.

    Attributes:
        indicator: the turned tile.
        judgement: of the hand, which it holds.
    """

    indicator: str
    judgement: Judgement

    @property
    def hand(self) -> Hand:
        """The hand."""
        return self.judgement.hand


@dataclass(slots=True)
class _Layout:
    """Groups of kinds; the place of the drawn tile; places that jokers must take."""

    groups: list[list[int]]
    drawn: tuple[int, int]
    jokers: set[tuple[int, int]]
    melds: int


def make_hand(
    wish: Wish, rng: random.Random, options: RuleOptions = DEFAULT, jokers: int | None = None
) -> MadeHand:
    """A hand with exactly the fans wished for.

    Args:
        wish: the fans.
        rng: makes every choice.
        options: the rule options.
        jokers: how many joker tiles to hold at least, where the wish leaves it open.

    Raises:
        ValueError: no hand has these fans together.
    """
    for _ in range(_TRIES):
        made = _try(wish, rng, options, jokers)
        if made is not None:
            return made
    raise ValueError(f"no hand has exactly {sorted(wish.keys)} under these options")


def _try(
    wish: Wish, rng: random.Random, options: RuleOptions, jokers: int | None
) -> MadeHand | None:
    indicator = TILES[rng.randrange(27 if wish.long == "joker" else 34)]
    kinds = joker_kinds(indicator, options.joker_rule)
    layout = _lay(wish, rng, {KINDS[tile] for tile in kinds})
    if layout is None:
        return None
    hand = _with_tiles(wish, layout, rng, kinds, jokers)
    if hand is None or not _fits_one_set(hand, indicator):
        return None
    judgement = judge(hand, options)
    fans = {line.key for line in judgement.fans}
    return MadeHand(indicator, judgement) if fans == wish.keys else None


def _lay(wish: Wish, rng: random.Random, joker_set: set[int]) -> _Layout | None:
    groups: list[list[int]] = []
    drawn: tuple[int, int] | None = None
    if wish.long:
        suited = {kind // 9 for kind in joker_set if kind < 27}
        suits = [suit for suit in range(3) if (suit in suited) == (wish.long == "joker")]
        if not suits:
            return None
        first = 9 * rng.choice(suits)
        groups += [list(range(first + start, first + start + 3)) for start in (0, 3, 6)]
    forced: set[tuple[int, int]] = set()
    if wish.zhuowu:
        inside = [at for at, group in enumerate(groups) if group == [3, 4, 5]]
        if not inside or wish.diao or rng.random() < 0.5:
            inside = [len(groups)]
            groups.append([3, 4, 5])
        drawn = inside[0], 1
    if wish.diao == "set":
        if drawn is None:
            groups.append(_set(rng))
            drawn = len(groups) - 1, rng.randrange(3)
        forced = {(drawn[0], place) for place in range(3) if place != drawn[1]}
    if len(groups) > 4 or (len(groups) == 4 and wish.gang):
        return None
    free = 4 - len(groups)
    # Melds lie last. 天和 and 地和 come before any meld.
    melds = 0 if wish.heaven else min(free, rng.choice((0, 0, 0, 1, 1, 2)))
    melds = max(melds, 1) if wish.gang else melds
    groups += [_set(rng) for _ in range(free - melds)]
    groups += [[rng.randrange(34)] * 3 for _ in range(melds)]
    pair = rng.randrange(34)
    groups.insert(4 - melds, [pair, pair])
    if wish.diao == "pair":
        drawn = 4 - melds, 1
        forced = {(4 - melds, 0)}
    if drawn is None:
        concealed = [(at, place) for at in range(5 - melds) for place in range(len(groups[at]))]
        drawn = rng.choice(concealed)
    return _Layout(groups, drawn, forced, melds)


def _set(rng: random.Random) -> list[int]:
    kind = rng.randrange(34)
    if kind < 27 and rng.random() < 0.75:
        first = kind - kind % 9 + rng.randrange(7)
        return [first, first + 1, first + 2]
    return [kind] * 3


def _with_tiles(
    wish: Wish,
    layout: _Layout,
    rng: random.Random,
    kinds: tuple[str, ...],
    jokers: int | None,
) -> Hand | None:
    concealed = layout.groups[: 5 - layout.melds]
    places = [(at, place) for at, group in enumerate(concealed) for place in range(len(group))]
    held = set(layout.jokers)
    if not wish.su:
        held |= {(at, place) for at, place in places if TILES[concealed[at][place]] in kinds}
    held.discard(layout.drawn)
    if not wish.no_joker and not wish.su:
        least = jokers if jokers is not None else max(1, len(held))
        free = [place for place in places if place not in held and place != layout.drawn]
        held |= set(rng.sample(free, min(len(free), max(0, least - len(held)))))
    tiles = {place: TILES[concealed[place[0]][place[1]]] for place in places}
    tiles |= {place: rng.choice(kinds) for place in sorted(held)}
    drawn = tiles.pop(layout.drawn)
    order = sorted(tiles.values(), key=KINDS.__getitem__)
    melds = tuple(
        Meld(_meld_kind(wish, rng, first=at == 0), TILES[group[0]])
        for at, group in enumerate(layout.groups[5 - layout.melds :])
    )
    if any(meld.tile in kinds for meld in melds):
        return None
    return Hand(
        tuple(order),
        melds,
        kinds,
        drawn,
        gang_draw=wish.gang,
        heavenly=wish.heaven == "heavenly",
        earthly=wish.heaven == "earthly",
    )


def _meld_kind(wish: Wish, rng: random.Random, first: bool) -> str:
    if wish.gang and first:
        return rng.choice(("gang_open", "gang_concealed"))
    return rng.choice(("pong", "pong", "gang_open", "gang_concealed"))


def _fits_one_set(hand: Hand, indicator: str) -> bool:
    """Whether one set of 136 tiles holds the hand, the turned tile lying elsewhere."""
    held = Counter([*hand.tiles, indicator])
    for meld in hand.melds:
        held.update(meld.tiles)
    return max(held.values()) <= 4
