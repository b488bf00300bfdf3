"""What each 番 is, in one sentence, and what to do about a hand that fails."""

from __future__ import annotations

from typing import Any

from rules import Judgement

Text = dict[str, str]


def _text(zh: str, en: str) -> Text:
    return {"zh": zh, "en": en}


FAN_SENTENCES: dict[str, Text] = {
    "heavenly": _text("庄家起手 14 张就和了。", "The dealer wins with the tiles as dealt."),
    "earthly": _text(
        "闲家抓第一张牌就和了。", "A player other than the dealer wins on the first tile drawn."
    ),
    "gang_draw": _text(
        "开杠以后补抓的那张牌成了和。", "The tile drawn to replace a kong made the win."
    ),
    "no_joker": _text("手里一张混儿也没有。", "There is no joker in the hand at all."),
    "su": _text("混儿都当本身用，没有替别的牌。", "Every joker stands for itself."),
    "hundiao": _text(
        "抓的牌和单独一张混儿凑成对子：抓什么都能和。",
        "The drawn tile pairs with a lone joker: any tile would have done.",
    ),
    "shuang_hundiao": _text(
        "抓的牌和两张混儿凑成一副：抓什么都能和。",
        "The drawn tile makes a set with two jokers: any tile would have done.",
    ),
    "zhuowu": _text(
        "抓的是伍万（或混儿当伍万），正好凑成四伍六万。",
        "The drawn tile is the 5 of Characters (or a joker for it) and completes 4-5-6 Characters.",
    ),
    "benhun": _text("龙的花色就是混儿的花色。", "The dragon is in the same suit as the jokers."),
    "long": _text("同一花色 123、456、789 三副顺子都有。", "All of 123, 456 and 789 in one suit."),
    "bare": _text(
        "四副一对凑齐了，但没有任何番种。", "Four sets and a pair, but nothing that scores."
    ),
}

HINTS: dict[str, Text] = {
    "choose_indicator": _text(
        "还没选翻混牌。有混儿的话，先在“翻混牌”那里选上。",
        "No turned tile is chosen. If there are jokers in play, choose it first.",
    ),
    "check_tiles": _text(
        "对一下照片，看有没有认错的牌，点一下就能改。",
        "Compare with the photo: a tile may have been read wrongly. Tap it to change it.",
    ),
    "check_drawn": _text(
        "看看“抓的牌”是不是这一张：捉伍儿和混儿吊要看抓的是哪张。",
        "Check that the drawn tile is the right one: 捉伍儿 and 混儿吊 depend on it.",
    ),
    "move_aside": _text(
        "不在手里的牌，点一下放到“旁边”；碰、杠的牌点一下摆成碰或杠。",
        "Tap a tile that is not in the hand and move it aside; lay pungs and kongs out as such.",
    ),
    "add_tiles": _text(
        "少的牌用“加牌”补上；四张一样的如果开了杠，点一下摆成杠。",
        "Add the missing tiles. If four alike were konged, tap one and lay them out as a kong.",
    ),
}


def fan_lines(found: Judgement) -> list[dict[str, Any]]:
    """The 番 of a hand for the page: names, number, whether it adds, and its sentence."""
    return [
        {
            "key": line.key,
            "zh": line.zh,
            "en": line.en,
            "number": line.factor,
            "adds": line.operation == "+",
            "sentence": FAN_SENTENCES[line.key],
        }
        for line in found.fans
    ]
