"""Shanten against a brute force that knows only the wait list: exchange tiles until one appears."""

from __future__ import annotations

import random
from itertools import combinations, combinations_with_replacement

import pytest

from rules import (
    TILES,
    Hand,
    Meld,
    RuleOptions,
    hand_problems,
    joker_kinds,
    parse_tiles,
    waits,
)
from rules.shanten import UNREACHABLE, Outlook, shanten, shape_shanten

DEFAULT = RuleOptions()
GUADAFENG = RuleOptions.from_mapping({"preset": "guadafeng"})
OPTIONS = (
    DEFAULT,
    GUADAFENG,
    RuleOptions(min_fan=1),
    RuleOptions(min_fan=4),
    RuleOptions(min_fan=6),
    RuleOptions(min_fan=8, shuang_outside_dragon=False),
    RuleOptions(su_mode="face_value"),
)


def ready_after(hand: Hand, options: RuleOptions, most: int) -> int:
    """The fewest exchanges after which some draw wins; `most + 1` when more are needed.

    Jokers stay ("行牌中不能把混儿牌打出"), and no kind may be held five times.
    """
    natural = sorted(tile for tile in hand.concealed if tile not in hand.jokers)
    kept_jokers = [tile for tile in hand.concealed if tile in hand.jokers]
    melded = [tile for meld in hand.melds for tile in meld.tiles]
    seen = set()
    for exchanged in range(most + 1):
        for out in set(combinations(natural, exchanged)):
            rest = list(natural)
            for tile in out:
                rest.remove(tile)
            for drawn in combinations_with_replacement(TILES, exchanged):
                tiles = tuple(sorted((*rest, *drawn, *kept_jokers)))
                if tiles in seen:
                    continue
                seen.add(tiles)
                if any(tiles.count(tile) + melded.count(tile) > 4 for tile in set(drawn)):
                    continue
                if waits(Hand(tiles, hand.melds, hand.jokers), options):
                    return exchanged
    return most + 1


def random_hand(rng: random.Random, melds: int, options: RuleOptions, jokers: bool) -> Hand:
    indicator = rng.choice(TILES)
    kinds = joker_kinds(indicator, options.joker_rule) if jokers else ()
    deck = [tile for tile in TILES for _ in range(4)]
    deck.remove(indicator)
    laid = []
    while len(laid) < melds:
        meld = Meld(rng.choice(("pong", "gang_open", "gang_concealed")), rng.choice(TILES))
        if meld.tile not in kinds and deck.count(meld.tile) >= len(meld.tiles):
            laid.append(meld)
            for tile in meld.tiles:
                deck.remove(tile)
    rng.shuffle(deck)
    return Hand(tuple(deck[: 13 - 3 * melds]), tuple(laid), kinds)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: f"{o.min_fan}-{o.su_mode}")
@pytest.mark.parametrize(("melds", "count", "most"), [(4, 40, 1), (3, 30, 1), (2, 8, 1)])
def test_small_hands_against_brute_force(
    options: RuleOptions, melds: int, count: int, most: int
) -> None:
    # One to seven concealed tiles: every exchange can be tried, so the answer owes nothing to the
    # way shanten is counted.
    rng = random.Random(100 * melds + OPTIONS.index(options))
    for _ in range(count):
        hand = random_hand(rng, melds, options, jokers=rng.random() < 0.85)
        assert min(shanten(hand, options), most + 1) == ready_after(hand, options, most), hand


def test_two_exchanges_against_brute_force() -> None:
    rng = random.Random(7)
    for _ in range(12):
        hand = random_hand(rng, 3, DEFAULT, jokers=True)
        assert min(shanten(hand), 3) == ready_after(hand, DEFAULT, 2), hand


def spoiled(rng: random.Random, options: RuleOptions, exchanged: int) -> Hand | None:
    """A ready hand of 13 tiles with some natural tiles exchanged for random ones."""
    kinds = joker_kinds(rng.choice(TILES), options.joker_rule)
    tiles: list[str] = []
    for _ in range(4):
        kind = rng.randrange(34)
        if kind < 27 and rng.random() < 0.7:
            first = kind - kind % 9 + rng.randrange(7)
            tiles += TILES[first : first + 3]
        else:
            tiles += [TILES[kind]] * 3
    tiles += [rng.choice(TILES)] * 2
    rng.shuffle(tiles)
    tiles = tiles[:13]
    for _ in range(rng.randrange(4)):
        tiles[rng.randrange(13)] = rng.choice(kinds)
    if any(tiles.count(tile) > 4 for tile in tiles) or not waits(Hand(tiles, (), kinds), options):
        return None
    places = [at for at, tile in enumerate(tiles) if tile not in kinds]
    if len(places) < exchanged:
        return None
    for at in rng.sample(places, exchanged):
        tiles[at] = rng.choice([tile for tile in TILES if tile not in kinds])
    if any(tiles.count(tile) > 4 for tile in tiles):
        return None
    return Hand(tuple(tiles), (), kinds)


def one_exchange_readies(hand: Hand, options: RuleOptions) -> bool:
    for tile in set(hand.concealed) - set(hand.jokers):
        rest = list(hand.concealed)
        rest.remove(tile)
        for drawn in TILES:
            if rest.count(drawn) < 4 and waits(Hand((*rest, drawn), (), hand.jokers), options):
                return True
    return False


@pytest.mark.parametrize("exchanged", [1, 2])
@pytest.mark.parametrize("options", [DEFAULT, GUADAFENG], ids=["default", "guadafeng"])
def test_full_hands_near_ready(options: RuleOptions, exchanged: int) -> None:
    # A hand made n exchanges from a ready one is at most n away; whether it is nearer the wait
    # lists of all its exchanges say.
    rng = random.Random(exchanged)
    tried = 0
    while tried < 60:
        hand = spoiled(rng, options, exchanged)
        if hand is None:
            continue
        tried += 1
        if waits(hand, options):
            expected = 0
        elif one_exchange_readies(hand, options):
            expected = 1
        else:
            expected = 2
        assert shanten(hand, options) == expected, hand


@pytest.mark.slow
def test_thousands_of_hands_near_ready_never_overstate() -> None:
    # Cheap enough for thousands: the distance is at most the number of exchanges made, and 0
    # exactly when the wait list is not empty.
    rng = random.Random(3)
    tried = 0
    while tried < 3000:
        options = OPTIONS[tried % 3]
        hand = spoiled(rng, options, 1 + tried % 2)
        if hand is None:
            continue
        tried += 1
        found = shanten(hand, options)
        assert found <= 1 + (tried - 1) % 2
        assert (found == 0) == bool(waits(hand, options)), hand


EVERY_KIND_OF_OPTIONS = (
    *OPTIONS,
    RuleOptions(min_fan=3),
    RuleOptions(min_fan=14),
    RuleOptions(min_fan=14, shuang_outside_dragon=False),
    RuleOptions(min_fan=8, su_mode="face_value", joker_rule="11"),
    RuleOptions(min_fan=4, su_mode="face_value_diao"),
    RuleOptions(min_fan=12, su_mode="face_value_diao", joker_rule="11"),
    RuleOptions(min_fan=4, mei_hun_fan=4),
    RuleOptions(joker_gang_points=4),
    RuleOptions(joker_gang_points=4, joker_gang_kills_meihun=False),
    # Here a hand that any tile completes is no win at all: 混儿吊 alone is forbidden (SPEC §9.1).
    RuleOptions(min_fan=1, hundiao_alone=False),
)


def rich_hand(rng: random.Random, options: RuleOptions) -> Hand | None:
    """13 tiles less melds, often a dragon and a 4-5-6m with a tile or two missing."""
    kinds = joker_kinds(rng.choice(TILES), options.joker_rule) if rng.random() < 0.9 else ()
    melds = []
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3))):
        tile = rng.choice(TILES)
        form = "gang_concealed" if tile in kinds else rng.choice(("pong", "gang_open"))
        melds.append(Meld(form, tile))
    sets = 4 - len(melds)
    tiles = [rng.choice(TILES)] * 2
    if sets >= 3 and rng.random() < 0.6:
        first = 9 * rng.randrange(3)
        tiles += TILES[first : first + 9]
    while len(tiles) < 3 * sets + 2:
        first = 3 if rng.random() < 0.3 else 9 * rng.randrange(3) + rng.randrange(7)
        tiles += rng.choice((TILES[first : first + 3], [rng.choice(TILES)] * 3))
    for _ in range(rng.choice((0, 1, 2, 2, 3, 4)) if kinds else 0):
        tiles[rng.randrange(len(tiles))] = rng.choice(kinds)
    rng.shuffle(tiles)
    hand = Hand(tuple(tiles[: 3 * sets + 1]), tuple(melds), kinds)
    return None if hand_problems(hand, options) else hand


@pytest.mark.parametrize("options", EVERY_KIND_OF_OPTIONS)
def test_goals_say_ready_exactly_when_some_draw_wins(options: RuleOptions) -> None:
    # The goals know nothing of wait lists, and the wait lists nothing of goals.
    rng = random.Random(21)
    tried = ready_hands = 0
    while tried < 120:
        hand = rich_hand(rng, options)
        if hand is None:
            continue
        tried += 1
        ready = bool(waits(hand, options))
        assert (shanten(hand, options) == 0) == ready, hand
        assert (Outlook(hand, options).to_a_win().distance == 0) == ready, hand
        ready_hands += ready
    assert ready_hands > 5 or options.min_fan >= 8


def test_draws_that_help_are_exactly_those_that_bring_it_nearer() -> None:
    # `Progress.kinds` is what advice lists: each kind in it shortens the way, no other does.
    rng = random.Random(11)
    for _ in range(25):
        hand = random_hand(rng, rng.choice((0, 1, 2)), DEFAULT, jokers=True)
        outlook = Outlook(hand, DEFAULT)
        now = outlook.to_a_win()
        if now.distance in (0, UNREACHABLE):
            continue
        held = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)]
        for kind, tile in enumerate(TILES):
            if held.count(tile) == 4:
                continue
            after = shanten(Hand((*hand.concealed, tile), hand.melds, hand.jokers))
            helps = now.jokers if tile in hand.jokers else bool(now.kinds >> kind & 1)
            assert (after == now.distance - 1) == helps, (hand, tile)


@pytest.mark.parametrize(
    ("tiles", "jokers", "legal", "shape", "why"),
    [
        # "数不出任何番种的胡牌称为“屁和”…一般是不允许屁和的": it waits, but for no legal win.
        ("123m456p789s23s5p1z", "1z2z", 1, 0, "complete on 1s and 4s, but only as 屁和"),
        # "用混儿单骑对子的时候显然可以和任意一张牌": the standing joker makes it 混儿吊.
        ("123m456p789s234s1z", "1z2z", 0, 0, "混儿吊 on any tile"),
        # "没有混儿牌的胡牌" is worth 2: the same waits without a joker in hand are ready.
        ("123m456p789s23s55p", "1z2z", 0, 0, "没混儿 on 1s and 4s"),
        # 龙 is worth 4: with the dragon there the joker may be anything.
        ("123456789m23s5p1z", "1z2z", 0, 0, "龙 on 1s and 4s"),
        # 捉伍儿 needs the drawn 5m between 4m and 6m.
        ("46m456p789s123s5p1z", "1z2z", 0, 0, "捉伍儿 on 5m"),
        # A pair of jokers and a pair short of nothing: 双混儿吊.
        ("123m456p789s55p1z2z", "1z2z", 0, 0, "双混儿吊 on any tile"),
    ],
)
def test_hands_worked_out_by_hand(
    tiles: str, jokers: str, legal: int, shape: int, why: str
) -> None:
    hand = Hand(parse_tiles(tiles), (), parse_tiles(jokers))
    assert (shanten(hand), shape_shanten(hand)) == (legal, shape), why


def test_winning_hand_is_minus_one_and_bare_win_is_not() -> None:
    jokers = parse_tiles("1z2z")
    dragon = Hand(parse_tiles("123456789m23s55p"), (), jokers, "4s")
    assert shanten(dragon) == shape_shanten(dragon) == -1
    bare = Hand(parse_tiles("123m456p789s23s5p1z"), (), jokers, "4s")
    assert shape_shanten(bare) == -1
    # One discard back: throw the 5p and the joker stands alone, 混儿吊.
    assert shanten(bare) == 0


def test_joker_in_hand_ends_no_joker() -> None:
    # "行牌中不能把混儿牌打出": the joker stays, so 没混儿 is out of reach for good.
    outlook = Outlook(Hand(parse_tiles("123m456p789s23s5p1z"), (), parse_tiles("1z2z")), DEFAULT)
    assert all(not goal.plain for goal in outlook.singles)
