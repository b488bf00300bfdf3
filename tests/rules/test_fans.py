"""One hand worked out by hand for each fan and each line of the seed's table (SPEC §7, §8.5)."""

from __future__ import annotations

import pytest

from rules import Hand, Judgement, Meld, RuleOptions, judge, parse_tiles


def score(
    text: str, draw: str | None, jokers: str = "", *melds: Meld, options: RuleOptions | None = None
) -> Judgement:
    """Judge a hand written in MPSZ."""
    hand = Hand(
        parse_tiles(text),
        melds,
        parse_tiles(jokers),
        draw,
        gang_draw=any(meld.is_gang for meld in melds),
    )
    return judge(hand, options or RuleOptions())


@pytest.mark.parametrize(
    ("text", "draw", "jokers", "fan", "title"),
    [
        # "（双）混儿吊（2番）": 1p stands alone; any tile pairs with it.
        ("123m678p678s222z1p", "6m", "1p2p", 2, "混儿吊"),
        # "最后一张牌可以和两个混儿组成一副": 9m, 1p, 1p; the pair is 55s.
        ("123m678p222z55s1p1p", "9m", "1p2p", 2, "双混儿吊"),
        # "没有混儿牌的胡牌"
        ("123m678p678s22z13p", "2p", "7z6z", 2, "没混儿"),
        # "最后一张抓的是伍万，而且有四伍六万一副牌"; the joker is the 8s of 678s.
        # "数不出任何番种": the joker is the 8s of 678s, the drawn 3z pairs with a natural one.
        ("123m678p67s222z3z9p", "3z", "9p1p", 1, "屁和"),
        ("46m777m567p67s9p22z", "5m", "9p1p", 3, "捉伍儿"),
        # "1-9相连接的序数牌。这些牌作为三副牌": the joker is the 8s of 678s.
        ("12345678m22z67s9p", "9m", "9p1p", 4, "龙"),
        # "龙的花色和混儿的花色相同": 5p is a joker, standing for itself.
        ("12345678p22z78m5p", "9m", "5p6p", 8, "本混儿龙"),
        ("46m777m567p678s22z", "5m", "9p1p", 6, "没混儿捉伍儿"),
        ("777m567p678s22z9p9p", "5m", "9p1p", 6, "双混儿捉伍儿"),
        # "如果是“万子”龙，捉伍儿的“四伍六万”可以是龙里的"
        ("1234678m9m22z67s9p", "5m", "9p1p", 7, "捉伍儿龙"),
        ("123456789p678s7z", "1z", "7z6z", 8, "混儿吊龙"),
        ("123456789p22z7z7z", "9s", "7z6z", 8, "双混儿吊龙"),
        ("12345678p22z678s", "9p", "7z6z", 8, "没混儿龙"),
        ("123456789p22z7z7z", "5m", "7z6z", 14, "双混儿捉伍儿龙"),
        ("123456789p22z46m", "5m", "7z6z", 14, "没混儿捉伍儿龙"),
        ("1234678m9m22z67s9m", "5m", "9m1m", 14, "捉伍儿本混儿龙"),
        ("123456789p678s5p", "1z", "5p6p", 16, "混儿吊本混儿龙"),
        ("123456789p22z5p6p", "5m", "5p6p", 28, "双混儿捉伍儿本混儿龙"),
    ],
)
def test_the_table_of_the_seed(text: str, draw: str, jokers: str, fan: int, title: str) -> None:
    # Each row: a hand laid out by hand for that line of the seed's list.
    result = score(text, draw, jokers)
    assert (result.fan, result.title) == (fan, title)
    assert result.win == (fan >= 2)


def test_a_joker_drawn_onto_a_single_tile_is_no_hundiao() -> None:
    # SPEC §7.1: the wait was 6m (or a joker), not "任意一张牌".
    assert score("123m678p678s222z6m", "1p", "1p2p").names == ("屁和",)
    # Drawn onto a single standing joker it is.
    assert score("123m678p678s222z2p", "1p", "1p2p").names == ("混儿吊",)


def test_zhuowu_is_the_drawn_five_of_characters_only() -> None:
    # "伍万 only; 5p, 5s do not count" (SPEC §7.2), nor a 4m or 6m drawn onto 4-5-6m.
    assert "捉伍儿" not in score("46p777m567p678s22z", "5p", "9s8s").names
    assert "捉伍儿" not in score("56m777m567p678s22z", "4m", "7z6z").names
    # A drawn joker must stand for the 5 itself; here it does (7.2).
    assert "捉伍儿" in score("46m777m567p678s22z", "9p", "9p1p").names


def test_shuang_inside_the_dragon_is_seven_not_fourteen() -> None:
    # "“四伍六万”不能是龙里面的" (SPEC §7.4): two jokers as 4m and 6m of the dragon's own 456m.
    result = score("123m789m777s22z9p9p", "5m", "9p1p")
    assert (result.fan, result.title) == (7, "捉伍儿龙")
    free = RuleOptions(shuang_outside_dragon=False)
    assert score("123m789m777s22z9p9p", "5m", "9p1p", options=free).fan == 14


def test_gang_draw_doubles_once_whatever_the_gangs() -> None:
    # "Every 杠 kind gives 杠开, at most once" (SPEC §7.9).
    one = score("46m567p678s22z", "5m", "9p1p", Meld("gang_open", "1z"))
    two = score("46m567p22z", "5m", "9p1p", Meld("gang_open", "1z"), Meld("gang_concealed", "3z"))
    assert one.title == two.title == "杠开没混儿捉伍儿"
    assert one.fan == two.fan == 2 * 2 * 3


def test_melds_are_sets_as_they_lie() -> None:
    # "Runs are always concealed" (SPEC §6.2): a pong of 5m is never part of a 456m.
    assert score("46m567p22z", "5m", "9p1p", *[Meld("pong", t) for t in ("1z", "3z")]).fan == 6
    result = score("23m567p22z", "4m", "9p1p", *[Meld("pong", t) for t in ("5m", "3z")])
    assert result.names == ("没混儿",)


def test_no_other_shapes_win() -> None:
    # "不允许特殊牌型（如七对、全不靠、组合龙等）胡牌" (SPEC §6.1).
    assert not score("1122m3344p5566s7z", "7z").complete
    assert not score("19m19p19s1234567z", "1m").complete
    assert not score("147m258p369s1234z", "5z").complete


def test_a_joker_may_be_a_fifth_copy() -> None:
    # SPEC §4.4: 混儿吊 "显然可以和任意一张牌", also with three of that tile in the hand.
    assert score("666m123p678s222z1s", "6m", "1s2s").fan == 2
    # A pair of two jokers is a pair too (tjmj's defect, SPEC §12).
    assert score("123m678p678s22z9p9p", "2z", "9p1p").complete


def test_min_fan_decides_what_is_a_legal_win() -> None:
    # "最低分数2分（不计杠分），即不允许“屁和”" (SPEC §6.4, option min_fan).
    bare = ("123m678p67s222z3z9p", "3z", "9p1p")
    assert not score(*bare).win
    assert score(*bare, options=RuleOptions(min_fan=1)).win
    three = ("46m777m567p67s9p22z", "5m", "9p1p")
    assert score(*three, options=RuleOptions(min_fan=3)).win
    assert not score(*three, options=RuleOptions(min_fan=4)).win


def test_guadafeng_forbids_hundiao_alone() -> None:
    # "不准和混儿吊（但不限制混儿吊和其他牌型的叠加，如混儿吊龙）" (SPEC §9.1).
    windy = RuleOptions.from_mapping({"preset": "guadafeng"})
    alone = score("123m678p678s222z9p", "6m", "9p1p", options=windy)
    assert (alone.win, alone.fan, alone.names) == (False, 1, ("屁和",))
    with_long = score("123456789p678s7z", "1z", "7z6z", options=windy)
    assert (with_long.win, with_long.fan) == (True, 8)
    # "Such a hand is not a win even if another reading would be 屁和": 9s pairs with the joker,
    # or completes 789s and leaves 6s with it.
    lenient = RuleOptions.from_mapping({"preset": "guadafeng", "min_fan": 1})
    either = score("123m678p678s222z9p", "9s", "9p1p", options=lenient)
    assert (either.win, either.fan) == (False, 1)
    # No reading of this one is 混儿吊, so with min_fan 1 it is a win.
    plain = score("123m67p678s222z3z9p", "8p", "9p1p", options=lenient)
    assert (plain.win, plain.fan) == (True, 1)


def test_guadafeng_counts_no_joker_four_and_has_no_heavenly_win() -> None:
    # "没混儿为4番", "没有天和" (SPEC §9.1).
    windy = RuleOptions.from_mapping({"preset": "guadafeng"})
    assert score("123m678p678s22z13p", "2p", "7z6z", options=windy).fan == 4
    dealt = Hand(parse_tiles("123m678p678s22z13p"), (), ("7z", "6z"), "2p", heavenly=True)
    assert judge(dealt, windy).names == ("没混儿",)
    assert judge(dealt).names == ("天和", "没混儿")
    assert judge(dealt).fan == 8


def test_heaven_adds_where_the_option_says_so() -> None:
    # SPEC §8.4: multiply by default; one public program adds 4 to 龙 and 捉伍儿.
    dealt = Hand(parse_tiles("12345678p22z678s"), (), ("7z", "6z"), "9p", earthly=True)
    assert judge(dealt).arithmetic == "4×4×2 = 32"
    adding = judge(dealt, RuleOptions(heaven_stack="add"))
    assert adding.arithmetic == "(4+4)×2 = 16"


def test_su_at_face_value() -> None:
    # "“素的”被理解为“混儿牌不做混儿用”": 5p and 6p stand for themselves in the dragon (SPEC §9.4).
    hand = ("12345678p22z678s", "9p", "5p6p")
    assert score(*hand).title == "本混儿龙"
    face = score(*hand, options=RuleOptions(su_mode="face_value"))
    assert (face.title, face.fan) == ("素的本混儿龙", 16)
    # "和“混儿吊”组合一般不能令人接受": only face_value_diao lets them combine.
    pair = ("123m678p678s222z9p", "9p", "9p1p")
    assert score(*pair, options=RuleOptions(su_mode="face_value")).fan == 2
    both = score(*pair, options=RuleOptions(su_mode="face_value_diao"))
    assert (both.title, both.fan) == ("素的混儿吊", 4)


def test_a_joker_gang_rules_out_no_joker() -> None:
    # SPEC §9.3: there are 混儿牌 in the hand, unless the option says otherwise.
    gang = Meld("gang_concealed", "9p")
    hand = ("46m567m678s22z", "5m", "9p1p", gang)
    assert score(*hand, options=RuleOptions(joker_gang_points=4)).title == "杠开捉伍儿"
    kept = RuleOptions(joker_gang_points=4, joker_gang_kills_meihun=False)
    assert score(*hand, options=kept).title == "杠开没混儿捉伍儿"


def test_under_heaven_any_tile_may_be_the_last() -> None:
    # SPEC §11, heavenly_free_last (folk "随意摆"): the 5m was dealt, not drawn.
    dealt = Hand(parse_tiles("456m777m567p67s22z"), (), ("7z", "6z"), "8s", heavenly=True)
    assert judge(dealt).names == ("天和", "没混儿")
    free = judge(dealt, RuleOptions(heavenly_free_last=True))
    assert free.title == "天和没混儿捉伍儿"
    assert free.reading is not None
    assert free.reading.drawn_group is not None
    assert free.reading.drawn_group.stands_for == ("4m", "5m", "6m")
