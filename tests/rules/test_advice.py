"""Advice: copies left, waits, expected scores, order and words, against counts made another way."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from rules import (
    TILES,
    Hand,
    HandError,
    Meld,
    RuleOptions,
    answer,
    joker_kinds,
    judge,
    parse_tiles,
    waits,
)
from rules.advice import Advice, advise
from rules.advice_pung import advise_pung
from rules.claim import claim
from rules.shanten import shanten

DEFAULT = RuleOptions()


def dealt(rng: random.Random, joker_tiles: int) -> tuple[Hand, str]:
    """A random hand of 14 with the last tile drawn, and the turned tile."""
    indicator = rng.choice(TILES)
    kinds = joker_kinds(indicator)
    deck = [tile for tile in TILES for _ in range(4)]
    deck.remove(indicator)
    jokers = [tile for tile in deck if tile in kinds]
    rest = [tile for tile in deck if tile not in kinds]
    rng.shuffle(jokers)
    rng.shuffle(rest)
    tiles = jokers[:joker_tiles] + rest[: 14 - joker_tiles]
    rng.shuffle(tiles)
    return Hand(tuple(tiles[:-1]), (), kinds, tiles[-1]), indicator


def near(rng: random.Random, joker_tiles: int) -> tuple[Hand, str]:
    """A hand of 14: sets and a pair, some tiles replaced by jokers, two by random tiles."""
    while True:
        indicator = rng.choice(TILES)
        kinds = joker_kinds(indicator)
        tiles = [rng.choice(TILES)] * 2
        while len(tiles) < 14:
            kind = rng.randrange(27)
            first = kind - kind % 9 + rng.randrange(7)
            tiles += rng.choice((TILES[first : first + 3], [TILES[kind]] * 3))
        rng.shuffle(tiles)
        tiles[:joker_tiles] = [rng.choice(kinds) for _ in range(joker_tiles)]
        tiles[-2:] = [rng.choice(TILES) for _ in range(2)]
        counts = {tile: tiles.count(tile) + (tile == indicator) for tile in tiles}
        if max(counts.values()) <= 4:
            return Hand(tuple(tiles[:-1]), (), kinds, tiles[-1]), indicator


def test_every_number_against_a_count_made_one_by_one() -> None:
    # The expected score is the sum over the unseen tiles themselves: draw each, judge the hand.
    rng = random.Random(1)
    ready = 0
    for number in range(40):
        hand, indicator = near(rng, number % 5)
        others = [tile for tile in TILES for _ in range(4)]
        for tile in (*hand.tiles, indicator):
            others.remove(tile)
        visible = [others.pop(rng.randrange(len(others))) for _ in range(rng.randrange(30))]
        advice = advise(hand, DEFAULT, indicator, visible)
        assert advice.unseen.total == len(others)
        for discard in advice.discards:
            rest = list(hand.tiles)
            rest.remove(discard.tile)
            standing = discard.standing
            waiting = Hand(tuple(rest), (), hand.jokers)
            assert {wait.tile: wait.fan for wait in standing.waits} == waits(waiting)
            assert standing.shanten == shanten(waiting)
            if standing.shanten == 0:
                ready += 1
                drawn = [judge(Hand(tuple(rest), (), hand.jokers, tile)) for tile in others]
                won = [result.fan for result in drawn if result.win]
                assert standing.score == sum(won)
                assert standing.left == len(won)
                assert Fraction(standing.expected) == Fraction(sum(won) / len(others))
                bare = sum(result.complete and not result.win for result in drawn)
                assert bare == sum(wait.left for wait in standing.bare)
            else:
                helpful = {draw.tile: draw.left for draw in standing.helps}
                assert all(helpful[tile] == others.count(tile) for tile in helpful)
    assert ready > 50


def test_jokers_are_never_advised_as_discards() -> None:
    # "行牌中不能把混儿牌打出，否则成为“小相公”".
    rng = random.Random(2)
    for number in range(60):
        hand, indicator = dealt(rng, number % 8)
        tiles = [discard.tile for discard in advise(hand, DEFAULT, indicator).discards]
        assert set(tiles) == set(hand.tiles) - set(hand.jokers)
        assert len(tiles) == len(set(tiles))


def test_order_is_live_first_then_nearer_then_dearer() -> None:
    rng = random.Random(4)
    for number in range(40):
        hand, indicator = near(rng, number % 5)
        standings = [found.standing for found in advise(hand, DEFAULT, indicator).discards]
        keys = [(not s.reachable, s.shanten, -s.score, -s.left) for s in standings]
        assert keys == sorted(keys)


def advice_of(tiles: str, drawn: str | None, indicator: str, visible: str = "") -> Advice:
    hand = Hand(parse_tiles(tiles), (), joker_kinds(indicator), drawn)
    return advise(hand, DEFAULT, indicator, parse_tiles(visible))


def test_a_win_in_hand_is_said_first() -> None:
    # 龙 of 万 with a pair of 5p, two jokers in the last set: 4 fan ("龙（4番）").
    advice = advice_of("123456789m55p1z7z", "6z", "7z")
    assert advice.wins_now
    assert advice.headline.code == "win"
    assert advice.headline.zh.startswith("现在就能和：龙，4 番")
    assert advice.headline.en.startswith("Declare the win now: 龙 Dragon (1 to 9), 4 fan")
    # Without the 1z two jokers stand beside dragon and pair: 双混儿吊龙 8, with 5m or a joker
    # 双混儿捉伍儿龙 14. Of 121 unseen tiles 3 are 5m, 3 are 6z, 2 are 7z (one is turned, one held).
    best = advice.best
    assert best is not None
    assert best.tile == "1z"
    assert best.standing.score == 8 * 113 + 14 * (3 + 3 + 2) == 1016
    assert "8.40" in advice.headline.en


def test_giving_up_a_dearer_fan_is_said_with_its_cost() -> None:
    rng = random.Random(8)
    said = 0
    for number in range(200):
        hand, indicator = near(rng, 1 + number % 4)
        advice = advise(hand, DEFAULT, indicator)
        best = advice.best
        if best is None or best.standing.shanten:
            continue
        dearest = max(found.standing.best_fan for found in advice.discards)
        cost = dearest - best.standing.best_fan
        reason = advice.reason(best)
        assert (cost > 0) == (f"costs {cost} fan" in reason.en)
        assert (cost > 0) == (f"少 {cost} 番" in reason.zh)
        said += cost > 0
    assert said >= 3


def test_hand_that_can_only_be_bare_is_not_ready() -> None:
    # "一般的规则中胡牌必须达到的最低分数2分…即不允许“屁和”" (SPEC §6.4).
    advice = advice_of("123m456p789s23s5p1z", None, "1z")
    standing = advice.standing
    assert standing is not None
    assert (standing.shanten, standing.shape_shanten, standing.waits) == (1, 0, ())
    # 23s take 1s or 4s with the joker as a pair, 5p makes the pair with the joker in the run; of 5p
    # two are in hand, of 1z one is in hand and one turned.
    left = {wait.tile: wait.left for wait in standing.bare}
    assert left == {"5p": 2, "1s": 4, "4s": 4, "1z": 2, "2z": 4}
    assert "屁和" in advice.headline.zh
    assert "does not count" in advice.headline.en
    least_one = advise(advice.hand, RuleOptions(min_fan=1), "1z")
    assert least_one.standing is not None
    assert least_one.standing.shanten == 0


def test_copies_left_count_hand_discard_melds_visible_and_the_turned_tile() -> None:
    # Four of each; own pong of 9p takes three, the turned 1z one, the two 4s seen two.
    hand = Hand(parse_tiles("456p789s23s5p1z"), (Meld("pong", "9p"),), joker_kinds("1z"), "3s")
    advice = advise(hand, DEFAULT, "1z", parse_tiles("4s4s1s"))
    left = advice.unseen.left
    assert (left["9p"], left["1z"], left["2z"], left["4s"], left["1s"], left["3s"]) == (
        *(1, 2, 4, 2, 3),
        2,
    )
    assert advice.unseen.total == 136 - 11 - 3 - 1 - 3


def test_turned_tile_is_found_from_the_jokers_where_they_tell_it() -> None:
    # 中下滚: 5m and 6m come from a turned 5m; all three dragons under 上中下滚 may come from any.
    tiles = parse_tiles("123m456p789s2355s")
    assert advise(Hand(tiles, (), ("5m", "6m"))).unseen.indicator == "5m"
    eleven = RuleOptions(joker_rule="11")
    assert advise(Hand(tiles, (), ("5z", "6z", "7z")), eleven).unseen.indicator is None
    assert advise(Hand(tiles), DEFAULT, "9s").hand.jokers == joker_kinds("9s")


@pytest.mark.parametrize(
    ("visible", "indicator", "code"),
    [
        ("2s2s2s2s", "1z", "five_of_a_kind"),
        ("", "4z", "wrong_indicator"),
        ("0m", "1z", "unknown_tile"),
    ],
)
def test_impossible_tables_are_refused(visible: str, indicator: str, code: str) -> None:
    hand = Hand(parse_tiles("123m456p789s23s5p1z"), (), joker_kinds("1z"))
    seen = [visible[at : at + 2] for at in range(0, len(visible), 2)]
    with pytest.raises(HandError) as refused:
        advise(hand, DEFAULT, indicator, seen)
    assert code in {reason.code for reason in refused.value.reasons}


def test_waits_all_gone_are_not_reachable() -> None:
    # 没混儿 on the 7z alone, the other three discarded: nothing can come any more.
    hand = Hand(parse_tiles("123m456p789s234s7z"), (), joker_kinds("1m"))
    advice = advise(hand, DEFAULT, "1m", parse_tiles("7z7z7z1m1m2m2m2m"))
    assert advice.standing is not None
    assert advice.unseen.left["7z"] == 0


def test_json_holds_everything_and_is_plain() -> None:
    import json

    advice = advice_of("123456789m55p1z7z", "6z", "7z")
    data = json.loads(json.dumps(advice.to_json(), ensure_ascii=False))
    assert data["wins_now"] is True
    assert data["discards"][0]["tile"] == "1z"
    assert data["discards"][0]["waits"][0].keys() == {"tile", "left", "fan", "title", "title_en"}
    assert data["options"] == DEFAULT.to_mapping()


def test_pung_needs_two_natural_tiles() -> None:
    # "不能用来代替别的牌碰、杠": a joker does not help to pong, nor can it be ponged itself.
    hand = Hand(parse_tiles("1155m456p23s78s7z6z"), (), joker_kinds("7z"))
    assert [r.code for r in advise_pung(claim(hand, "4p")).refused] == ["too_few_to_pong"]
    assert "joker_pong" in [r.code for r in advise_pung(claim(hand, "6z")).refused]


def test_pung_is_advised_exactly_when_it_leaves_the_hand_better() -> None:
    rng = random.Random(12)
    seen = {True: 0, False: 0}
    for number in range(200):
        hand, indicator = near(rng, number % 4)
        hand = Hand(hand.concealed, (), hand.jokers)
        pairs = [t for t in set(hand.concealed) - set(hand.jokers) if hand.concealed.count(t) == 2]
        for tile in sorted(pairs)[:1]:
            pung = advise_pung(claim(hand, tile, DEFAULT, indicator))
            assert not pung.refused
            assert pung.after is not None
            best = pung.after.best
            assert best is not None
            before, after = pung.before, best.standing
            gain = (not after.reachable, after.shanten, -after.score, -after.left) < (
                not before.reachable,
                before.shanten,
                -before.score,
                -before.left,
            )
            assert pung.worth == gain
            assert pung.reason.code == ("pung" if gain else "pass")
            seen[gain] += 1
    assert min(seen.values()) > 5


def test_after_a_pung_no_win_is_declared() -> None:
    # "只能自摸胡": right after 碰 nothing was drawn, so even a complete hand must discard.
    hand = Hand(parse_tiles("123456789m55p"), (Meld("pong", "9s"),), joker_kinds("1z"))
    advice = advise(hand, DEFAULT, "1z")
    assert not advice.wins_now
    assert advice.best is not None


def test_advice_is_a_type_of_the_json_interface() -> None:
    request = {
        "id": 5,
        "type": "advice",
        "concealed": list(parse_tiles("123456789m55p1z7z")),
        "win_tile": "6z",
        "indicator": "7z",
        "visible": ["1s"],
    }
    result = answer(request)
    assert (result["id"], result["wins_now"], result["discards"][0]["tile"]) == (5, True, "1z")
    assert result["jokers"] == ["6z", "7z"]
    for wrong in (
        {"visible": "1s"},
        {"indicator": 5},
        {"indicator": "0z"},
        {"visible": ["1m"] * 5},
    ):
        assert "error" in answer(request | wrong)
