"""Shanten and the draws that help against brute force, under every option that decides a win.

With three melds four tiles are left and with four melds one: every exchange is tried, and whether
some draw wins only `judge` says. Which options matter: `min_fan`, `mei_hun_fan`, `hundiao_alone`,
`su_mode`, `shuang_outside_dragon`, the joker kinds, and joker gangs with their options (SPEC §11);
the others are about luck, the deal or the payment.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from typing import Any

import pytest

from rules import TILES, Hand, Meld, RuleOptions, hand_problems, judge, parse_tiles
from rules.advice import advise
from rules.shanten import UNREACHABLE, shanten

HANDS = 6
"""How many hands each set of options is tried on."""

WINS: list[dict[str, Any]] = [
    {"su_mode": mode, "min_fan": least}
    for mode, least in product(("no_jokers", "face_value", "face_value_diao"), (1, 2, 3, 4, 6, 12))
] + [
    {"preset": "guadafeng"},
    {"preset": "guadafeng", "min_fan": 1},
    {"preset": "guadafeng", "min_fan": 1, "su_mode": "face_value_diao"},
    {"hundiao_alone": False, "min_fan": 1, "su_mode": "face_value"},
    {"su_mode": "face_value_diao", "min_fan": 8, "mei_hun_fan": 4},
    {"su_mode": "face_value_diao", "min_fan": 3, "joker_gang_points": 4},
    {
        "su_mode": "face_value_diao",
        "min_fan": 4,
        "joker_gang_points": 8,
        "joker_gang_kills_meihun": False,
    },
]

JOKERS = [
    ("5m", "6m"),
    ("4m", "5m", "6m"),
    ("4m", "6m"),
    ("9s", "1s"),
    ("6z", "7z"),
    ("1z", "2z", "3z", "4z"),
    (),
]


class Exchanges:
    """Every exchange of one hand tried, with nothing known but what `judge` says."""

    def __init__(self, hand: Hand, options: RuleOptions) -> None:
        self.hand, self.options = hand, options
        self.melded = [tile for meld in hand.melds for tile in meld.tiles]
        self.ready = cache(self._ready)
        self.distance = cache(self._distance)

    def room(self, tiles: tuple[str, ...], tile: str) -> bool:
        return tiles.count(tile) + self.melded.count(tile) < 4

    def _ready(self, tiles: tuple[str, ...]) -> bool:
        return any(
            judge(Hand(tiles, self.hand.melds, self.hand.jokers, tile), self.options).win
            for tile in TILES
            if self.room(tiles, tile)
        )

    def after(self, tiles: tuple[str, ...], tile: str) -> set[tuple[str, ...]]:
        """What may be kept after drawing a tile: "行牌中不能把混儿牌打出"."""
        drawn = sorted((*tiles, tile), key=TILES.index)
        return {
            tuple(drawn[:at] + drawn[at + 1 :])
            for at, out in enumerate(drawn)
            if out not in self.hand.jokers
        }

    def _distance(self, tiles: tuple[str, ...], most: int) -> int:
        """The fewest exchanges until some draw wins; `most + 1` when more are needed."""
        reached, seen = {tiles}, {tiles}
        for exchanged in range(most + 1):
            if any(self.ready(kept) for kept in reached):
                return exchanged
            if exchanged < most:
                further = {
                    after
                    for kept in reached
                    for tile in TILES
                    if self.room(kept, tile)
                    for after in self.after(kept, tile)
                }
                reached = further - seen
                seen |= reached
        return most + 1

    def helping(self, tiles: tuple[str, ...]) -> set[str]:
        """The draws after which some discard leaves a hand that waits for a win."""
        return {
            tile
            for tile in TILES
            if self.room(tiles, tile) and any(map(self.ready, self.after(tiles, tile)))
        }


def near_a_win(rng: random.Random, jokers: tuple[str, ...], options: RuleOptions) -> Hand | None:
    """Four tiles beside three melds: a set or two with neighbours, pairs and jokers among them."""
    melds = []
    for _ in range(3):
        tile = rng.choice(TILES)
        if tile in jokers and options.joker_gang_points:
            melds.append(Meld("gang_concealed", tile))
        else:
            melds.append(Meld(rng.choice(("pong", "gang_open")), tile))
    first = 3 if rng.random() < 0.4 else 9 * rng.randrange(3) + rng.randrange(7)
    tiles = list(TILES[first : first + 3]) if rng.random() < 0.7 else [rng.choice(TILES)] * 3
    tiles.append(rng.choice((*jokers, rng.choice(TILES))))
    for _ in range(rng.choice((0, 1, 1, 2))):
        tiles[rng.randrange(4)] = rng.choice((*jokers, *rng.sample(TILES, 3)))
    hand = Hand(tuple(sorted(tiles, key=TILES.index)), tuple(melds), jokers)
    return None if hand_problems(hand, options) else hand


@pytest.mark.parametrize("given", WINS, ids=lambda given: "-".join(map(str, given.values())))
def test_distance_and_helping_draws_under_every_option(given: dict[str, Any]) -> None:
    # "一般的规则中胡牌必须达到的最低分数2分": what counts as a win decides how far a hand is.
    options = RuleOptions.from_mapping(given)
    rng = random.Random(str(given))
    tried = 0
    while tried < HANDS:
        hand = near_a_win(rng, rng.choice(JOKERS), options)
        if hand is None:
            continue
        tried += 1
        exchanges = Exchanges(hand, options)
        found = exchanges.distance(hand.concealed, 1)
        assert min(shanten(hand, options), 2) == found, hand
        if found == 1:
            standing = advise(hand, options).standing
            assert standing is not None
            helps = {draw.tile for draw in standing.helps}
            assert helps == exchanges.helping(hand.concealed), hand


DIAO = {"su_mode": "face_value_diao", "min_fan": 4}
BARE = {"hundiao_alone": False, "min_fan": 1}
MELDS = (Meld("pong", "9p"), Meld("gang_open", "1p"), Meld("pong", "5s"))


@pytest.mark.parametrize(
    ("tiles", "jokers", "given", "distance", "why"),
    [
        # "混儿牌不做混儿用…便可以和诸如混儿吊…组合": 素的 2 × 混儿吊 2. With 789s the lone 6m waits
        # for another 6m, its own face; one exchange makes 6p 8s 9s into 789s.
        ("6m789s", "5m6m", DIAO, 0, "素的混儿吊 on 6m"),
        ("6m6p89s", "5m6m", DIAO, 1, "6p for 7s, then as above"),
        # A 5m and a 6m wait with a pair for 4m or 7m: 素的双混儿吊.
        ("5m6m33p", "5m6m", DIAO, 0, "素的双混儿吊 on 4m and 7m"),
        # Where 混儿吊 alone is no win and 屁和 is, three tiles of a set and a joker wait in vain
        # for any tile; giving up one of the set makes a hand that waits for some.
        ("234m5m", "5m6m", BARE, 1, "any tile completes it as 混儿吊 alone"),
        ("23m1z5m", "5m6m", BARE, 0, "1m and 4m, or 1z with the joker in the run"),
        # A pair and two jokers wait for any tile too, but 5m makes 捉伍儿 of it.
        ("11z5m6m", "5m6m", BARE, 0, "双混儿捉伍儿 on 5m and the jokers"),
    ],
)
def test_hands_worked_out_by_hand(
    tiles: str, jokers: str, given: dict[str, Any], distance: int, why: str
) -> None:
    options = RuleOptions.from_mapping(given)
    hand = Hand(parse_tiles(tiles), MELDS, parse_tiles(jokers))
    assert shanten(hand, options) == distance, why
    exchanges = Exchanges(hand, options)
    most = min(distance, 1)
    assert exchanges.distance(hand.concealed, most) == min(distance, most + 1), why


def test_a_single_joker_never_waits_where_diao_alone_is_no_win() -> None:
    # Four melds and a joker: it may not be discarded, and any tile makes 混儿吊 alone (SPEC §9.1).
    hand = Hand(("5m",), (*MELDS, Meld("pong", "1z")), ("5m", "6m"))
    options = RuleOptions.from_mapping(BARE)
    assert shanten(hand, options) == UNREACHABLE
    assert Exchanges(hand, options).distance(hand.concealed, 2) == 3
    standing = advise(hand, options).standing
    assert standing is not None
    assert standing.helps == ()
    assert not standing.reachable


@pytest.mark.parametrize(
    ("tiles", "jokers", "outside", "least", "distance", "why"),
    [
        # 龙 4 × 本混儿 2 × 素的 2 × 混儿吊 2 = 32: the spare joker waits for its own kind.
        ("123456789m5m123s", "5m6m", True, 32, 0, "5m for the pair beside the dragon"),
        ("123456789m5m12s1z", "5m6m", True, 32, 1, "3s for 1z first"),
        # 双混儿吊 in the dragon's own run counts only where the option lets it (SPEC §7.4).
        ("12356789m123s11p", "5m6m", False, 32, 0, "4m to 5m and 6m, themselves in the dragon"),
        ("12356789m123s11p", "5m6m", True, 32, 2, "the dragon's own run is no 双混儿吊"),
        # (捉伍儿 3 + 龙 4) × 本混儿 2 × 素的 2 × 双混儿吊 2 = 56: a second 456m of jokers.
        ("123456789m46m11p", "4m5m6m", True, 56, 0, "5m between 4m and 6m beside the dragon"),
        ("123456789m567m4m", "4m5m6m", True, 56, 1, "a pair for the spare tiles"),
    ],
)
def test_dragons_with_su_and_diao(
    tiles: str, jokers: str, outside: bool, least: int, distance: int, why: str
) -> None:
    options = RuleOptions(su_mode="face_value_diao", min_fan=least, shuang_outside_dragon=outside)
    hand = Hand(parse_tiles(tiles), (), parse_tiles(jokers))
    assert shanten(hand, options) == distance, why
    exchanges = Exchanges(hand, options)
    assert exchanges.ready(hand.concealed) == (distance == 0), why
    if distance == 1:
        standing = advise(hand, options).standing
        assert standing is not None
        helps = {draw.tile for draw in standing.helps}
        assert helps == exchanges.helping(hand.concealed) != set(), why
