"""A judgement explains itself: the reading, each fan, the sum, and why a hand does not win."""

from __future__ import annotations

import json

from rules import FANS, Hand, Meld, RuleOptions, judge, parse_tiles, waits

BEST = Hand(parse_tiles("123456789p22z5p6p"), (), ("5p", "6p"), "5m")


def test_the_whole_explanation_of_the_dearest_hand() -> None:
    # The seed: "双混儿捉伍儿本混儿龙（28番）：混儿吊×本混儿×（捉伍儿＋龙）", the end of its table.
    result = judge(BEST)
    assert result.win
    assert result.arithmetic == "(3+4)×2×2 = 28"
    assert [(line.zh, line.factor, line.operation) for line in result.fans] == [
        ("双混儿吊", 2, "×"),
        ("捉伍儿", 3, "+"),
        ("本混儿", 2, "×"),
        ("龙", 4, "+"),
    ]
    assert result.title_en == ("Double joker wait + Catch the five + Joker suit + Dragon (1 to 9)")
    assert result.reasons == ()
    reading = result.reading
    assert reading is not None
    drawn = reading.drawn_group
    assert drawn is not None
    assert drawn.stands_for == ("4m", "5m", "6m")
    assert [placed.joker for placed in drawn.tiles] == [True, False, True]
    assert [group.stands_for[0] for group in reading.groups] == ["4m", "1p", "4p", "7p", "2z"]


def test_jokers_say_what_they_stand_for() -> None:
    # "可以在胡牌时代替任意一张牌": the page must be able to say which tile that is.
    result = judge(Hand(parse_tiles("12345678m22z67s9p"), (), ("9p", "1p"), "9m"))
    assert result.reading is not None
    jokers = [p for group in result.reading.groups for p in group.tiles if p.joker]
    assert [placed.tile for placed in jokers] == ["9p"]
    assert jokers[0].stands_for in ("5s", "8s")


def test_the_json_of_a_judgement_holds_it_all() -> None:
    # The page and other programs read only this.
    told = json.loads(json.dumps(judge(BEST).to_json(), ensure_ascii=False))
    assert told["fan"] == 28
    assert told["title"] == "双混儿捉伍儿本混儿龙"
    assert told["names"] in told["names_alt"]
    assert told["options"]["min_fan"] == 2
    assert told["fans"][1] == {
        "key": "zhuowu",
        "zh": "捉伍儿",
        "en": "Catch the five",
        "factor": 3,
        "operation": "+",
    }
    assert sum(tile["drawn"] for group in told["reading"] for tile in group["tiles"]) == 1


def _codes(hand: Hand, options: RuleOptions | None = None) -> list[str]:
    return [reason.code for reason in judge(hand, options or RuleOptions()).reasons]


def test_why_a_hand_does_not_win() -> None:
    # Each way not to win has its reason: §5.2, §6.1, §6.4, §9.1.
    bare = Hand(parse_tiles("123m678p67s222z3z9p"), (), ("9p", "1p"), "3z")
    assert _codes(bare) == ["below_min_fan"]
    broken = Hand(parse_tiles("147m258p369s1234z"), (), (), "5z")
    assert _codes(broken) == ["not_complete"]
    assert judge(broken).reading is None
    assert judge(broken).arithmetic == ""
    discard = Hand(bare.concealed, (), bare.jokers, "3z", self_draw=False)
    assert _codes(discard) == ["not_self_draw"]
    alone = Hand(parse_tiles("123m678p678s222z9p"), (), ("9p", "1p"), "6m")
    windy = RuleOptions.from_mapping({"preset": "guadafeng"})
    assert _codes(alone, windy) == ["hundiao_alone", "below_min_fan"]
    lenient = RuleOptions(hundiao_alone=False, min_fan=1)
    assert _codes(alone, lenient) == ["hundiao_alone"]


def test_single_numbers_need_no_sum() -> None:
    # 没混儿 alone is 2, 捉伍儿 alone is 3: nothing is added or multiplied.
    assert judge(Hand(parse_tiles("123m678p678s22z13p"), (), (), "2p")).arithmetic == "2"
    quiet = judge(Hand(parse_tiles("46m777m567p67s9p22z"), (), ("9p", "1p"), "5m"))
    assert quiet.arithmetic == "3"


def test_every_fan_has_both_names() -> None:
    # Names in Chinese and English, each once (SPEC §8.6 fixes the order).
    order = "天和 地和 杠开 没混儿 素的 混儿吊 双混儿吊 捉伍儿 本混儿 龙"
    assert " ".join(fan.zh for fan in FANS) == order
    assert len({fan.en for fan in FANS}) == len({fan.key for fan in FANS}) == len(FANS)


def test_waits_leave_out_kinds_held_four_times() -> None:
    # "leaving out kinds of which the hand's concealed tiles and melds hold all four" (SPEC §12).
    gangs = tuple(Meld("gang_open", tile) for tile in ("7m", "7p", "7s", "1z"))
    single = waits(Hand(("9p",), gangs, ("9p", "1p")))
    assert "7m" not in single
    assert "1z" not in single
    assert len(single) == 30
    assert set(single.values()) == {2}  # 混儿吊 on any tile
    assert waits(Hand(parse_tiles("46m777m567p67s22z9p"), (), ("9p", "1p"))) != {}
    assert waits(Hand(("9p",), gangs, ("9p", "1p"), self_draw=False)) == {}
