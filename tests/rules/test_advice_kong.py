"""Advice about 杠: what may be, what it leaves, what its replacement wins, counted one by one."""

from __future__ import annotations

import random

import pytest

from rules import TILES, Hand, HandError, Meld, RuleOptions, joker_kinds, judge, parse_tiles, waits
from rules.advice import advise
from rules.advice_kong import KongAdvice, advise_open_kong
from rules.claim import claim
from rules.shanten import shanten

DEFAULT = RuleOptions()
FORMS = {
    "concealed": "gang_concealed",
    "joker": "gang_concealed",
    "added": "gang_open",
    "open": "gang_open",
}


def konged(hand: Hand, kong: KongAdvice) -> Hand:
    """The hand after the 杠, put together without the advice's own code."""
    rest = [tile for tile in hand.tiles if tile != kong.tile]
    melds = [meld for meld in hand.melds if meld.tile != kong.tile]
    return Hand(tuple(rest), (*melds, Meld(FORMS[kong.kind], kong.tile)), hand.jokers)


def with_a_kong(rng: random.Random) -> tuple[Hand, str] | None:
    """Fourteen tiles near a win with four of a kind, or with a pong and its fourth tile."""
    indicator = rng.choice(TILES)
    kinds = joker_kinds(indicator)
    tile = rng.choice([found for found in TILES if found not in kinds])
    added = rng.random() < 0.4
    tiles = [tile] if added else [tile] * 4
    while len(tiles) < (11 if added else 14):
        first = 9 * rng.randrange(3) + rng.randrange(7)
        tiles += rng.choice((TILES[first : first + 3], [rng.choice(TILES)] * 2))
    tiles = tiles[: 11 if added else 14]
    tiles[-1 - rng.randrange(3)] = rng.choice(kinds)
    melds = (Meld("pong", tile),) if added else ()
    held = tiles + [meld.tile for meld in melds for _ in range(3)] + [indicator]
    if max(held.count(one) for one in held) > 4:
        return None
    return Hand(tuple(tiles[1:]), melds, kinds, tiles[0]), indicator


def test_every_kong_against_a_count_made_one_by_one() -> None:
    # "明杠为1分，暗杠为2分"; "开杠抓进的牌成胡牌" is 杠开: every unseen tile is drawn and judged.
    rng = random.Random(4)
    worth, kinds = set(), set()
    tried = 0
    while tried < 25:
        dealt = with_a_kong(rng)
        if dealt is None:
            continue
        tried += 1
        hand, indicator = dealt
        others = [tile for tile in TILES for _ in range(4)]
        for tile in (*hand.tiles, *(hand.melds[0].tiles if hand.melds else ()), indicator):
            others.remove(tile)
        seen = [others.pop(rng.randrange(len(others))) for _ in range(20)]
        advice = advise(hand, DEFAULT, indicator, seen)
        for kong in advice.kongs:
            after = konged(hand, kong)
            assert kong.points == (2 if kong.kind == "concealed" else 1)
            assert kong.after is not None
            assert kong.after.shanten == shanten(after)
            assert {wait.tile: wait.fan for wait in kong.after.waits} == waits(after)
            assert kong.after.unseen == len(others)
            drawn = [
                judge(Hand(after.concealed, after.melds, after.jokers, tile, gang_draw=True))
                for tile in others
            ]
            assert kong.replacement is not None
            assert kong.replacement.score == sum(result.fan for result in drawn if result.win)
            worth.add(kong.worth)
            kinds.add(kong.kind)
            # A 杠 that leaves the hand further from ready is never advised.
            if advice.best is not None and kong.after.shanten > advice.best.standing.shanten:
                assert not kong.worth
        fours = {tile for tile in hand.tiles if hand.tiles.count(tile) == 4}
        ponged = {meld.tile for meld in hand.melds} & set(hand.tiles)
        assert {kong.tile for kong in advice.kongs} == fours | ponged
    assert worth == {True, False}
    assert kinds == {"concealed", "added"}


def test_a_kong_that_breaks_the_hand_is_not_advised() -> None:
    # 1123m... the fourth 1m is the run's: without it 23m wait for a tile that is gone.
    hand = Hand(parse_tiles("111m23m456p789s5p7z"), (), joker_kinds("1z"), "1m")
    advice = advise(hand, DEFAULT, "1z")
    (kong,) = advice.kongs
    assert advice.best is not None
    assert (kong.kind, kong.tile) == ("concealed", "1m")
    assert kong.after is not None
    assert (advice.best.standing.shanten, kong.after.shanten) == (0, 1)
    assert not kong.worth
    assert kong.reason.code == "no_kong"


def test_a_fourth_tile_of_a_pong_is_worth_its_points() -> None:
    # "开杠抓进的牌成胡牌": after the kong 1m adds nothing lost, and 屁和 counts as 杠开 (2 番).
    hand = Hand(parse_tiles("234p567p99s56s"), (Meld("pong", "1m"),), joker_kinds("1z"), "1m")
    (kong,) = advise(hand, DEFAULT, "1z").kongs
    assert (kong.kind, kong.points, kong.worth) == ("added", 1, True)
    assert kong.reason.zh.startswith("该补杠一万：三家各付 1 分")
    assert kong.reason.en.startswith("Make a kong by adding 1m: each of the others pays 1")


def test_a_win_in_hand_goes_before_a_kong() -> None:
    hand = Hand(parse_tiles("111m23m456p789s55p"), (), joker_kinds("1z"), "1m")
    advice = advise(hand, DEFAULT, "1z")
    assert advice.wins_now
    (kong,) = advice.kongs
    assert not kong.worth
    assert kong.reason.en.endswith("but the drawn tile wins now")


def test_four_jokers_make_a_kong_only_where_the_rules_allow_it() -> None:
    # "有的规则不允许开混儿杠，其他的规则则认为混儿杠4到8分不等" (SPEC §9.3).
    hand = Hand(parse_tiles("2z2z2z123m456p78s1p4p"), (), joker_kinds("1z"), "2z")
    (refused,) = advise(hand, DEFAULT, "1z").kongs
    assert [reason.code for reason in refused.refused] == ["joker_kong_not_allowed"]
    assert refused.after is None
    assert refused.to_json()["may"] is False
    (allowed,) = advise(hand, RuleOptions(joker_gang_points=6), "1z").kongs
    assert (allowed.kind, allowed.points, allowed.refused) == ("joker", 6, ())


def test_right_after_a_pung_there_is_no_kong() -> None:
    hand = Hand(parse_tiles("1111m234p567p9s"), (Meld("pong", "9p"),), joker_kinds("1z"))
    assert advise(hand, DEFAULT, "1z").kongs == ()


@pytest.mark.parametrize(
    ("tile", "codes"),
    [("1m", []), ("2p", ["needs_three"]), ("1z", ["joker_kong", "needs_three"])],
)
def test_open_kong_of_a_discard(tile: str, codes: list[str]) -> None:
    # "即便是杠别人打出的牌": three in hand and the discard; "不能用来代替别的牌碰、杠".
    hand = Hand(parse_tiles("111m234p567p99s56s"), (), joker_kinds("1z"))
    kong = advise_open_kong(claim(hand, tile, DEFAULT, "1z"))
    assert [reason.code for reason in kong.refused] == codes
    assert (kong.after is None) == bool(codes)
    if not codes:
        assert kong.after is not None
        after = konged(hand, kong)
        assert {wait.tile: wait.fan for wait in kong.after.waits} == waits(after)
        assert kong.after.unseen == 136 - 14 - 1


def test_an_impossible_hand_is_refused() -> None:
    with pytest.raises(HandError):
        claim(Hand(("1m",) * 5, (), ()), "1m")
