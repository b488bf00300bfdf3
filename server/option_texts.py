"""What each rule option of one hand means, in a sentence, for the page."""

from __future__ import annotations

from typing import Any

from rules import OPTIONS, PRESETS, RuleOptions

Text = dict[str, str]


def _text(zh: str, en: str) -> Text:
    return {"zh": zh, "en": en}


# Options that decide what one hand is worth; the others concern the round and its payments.
SENTENCES: dict[str, Text] = {
    "joker_rule": _text(
        "翻开一张牌，决定哪些牌是混儿（百搭）。",
        "The turned tile decides which tiles are jokers (wild).",
    ),
    "min_fan": _text(
        "少于这个番数不能和；2 就是不许屁和。",
        "A hand worth less may not win; 2 means a bare win is not allowed.",
    ),
    "su_mode": _text(
        "手里有混儿、但都当本身用时，算不算“素的”（×2）。",
        "Whether a hand whose jokers all stand for themselves counts as 素的 (×2).",
    ),
    "mei_hun_fan": _text(
        "手里一张混儿也没有时乘几。", "What a hand without any joker is multiplied by."
    ),
    "hundiao_alone": _text(
        "只有混儿吊、没有别的番，准不准和。",
        "Whether 混儿吊 (a pair wait on a joker) wins with no other fan.",
    ),
    "heavenly_fan": _text(
        "庄家起手就和（天和）乘几；0 是不算。",
        "What a dealer's dealt win is multiplied by; 0: it does not count.",
    ),
    "earthly_fan": _text(
        "闲家抓第一张就和（地和）乘几；0 是不算。",
        "What a win on the first tile drawn is multiplied by; 0: it does not count.",
    ),
    "heaven_stack": _text(
        "天和、地和与别的番是相乘还是相加。",
        "Whether 天和 and 地和 multiply with the other fans or are added.",
    ),
    "heavenly_free_last": _text(
        "天和时 14 张里哪张都可以当最后抓的牌。",
        "Under 天和 any of the 14 tiles may count as the last one drawn.",
    ),
    "shuang_outside_dragon": _text(
        "双混儿吊的那副牌必须在龙的外面。",
        "The set of a 双混儿吊 must lie outside the dragon (龙).",
    ),
    "joker_gang_points": _text(
        "四张一样的混儿开杠得几分；0 是不许开。",
        "Points for a kong of four jokers of a kind; 0: not allowed.",
    ),
    "joker_gang_kills_meihun": _text(
        "开了混儿杠，就不再算没混儿。",
        "After a joker kong the hand no longer counts as jokerless.",
    ),
}

VALUES: dict[str, dict[Any, Text]] = {
    "joker_rule": {
        "7": _text("中下滚：翻的和下一张（7 张）", "the turned tile and the next (7 tiles)"),
        "11": _text("上中下滚：上一张、翻的、下一张（11 张）", "previous, turned, next (11 tiles)"),
        "guadafeng": _text(
            "刮大风：同上；翻到风，四风全是（15 张）",
            "the same, but a wind makes all winds jokers (15)",
        ),
        "11_next2": _text("翻的和后两张（11 张）", "the turned tile and the next two (11 tiles)"),
    },
    "su_mode": {
        "no_jokers": _text("没有混儿才算", "only without any joker"),
        "face_value": _text("混儿都当本身用也算", "also when all jokers stand for themselves"),
        "face_value_diao": _text(
            "当本身用也算，还可加混儿吊", "the same, together with 混儿吊 as well"
        ),
    },
    "heaven_stack": {"multiply": _text("相乘", "multiplied"), "add": _text("相加", "added")},
    "joker_gang_points": {0: _text("不许", "not allowed")},
}

PRESET_TEXTS: dict[str, Text] = {
    "default": _text("一般打法", "Usual rules"),
    "guadafeng": _text("刮大风", "刮大风 (big wind)"),
}

YES_NO = {True: _text("是", "yes"), False: _text("否", "no")}
MAIN = ("joker_rule", "min_fan", "su_mode")


def describe_options(start: dict[str, Any]) -> dict[str, Any]:
    """Everything the page needs to show the options of one hand.

    Args:
        start: the options in force at the start, as in `RuleOptions.from_mapping`.

    Returns:
        `{"presets": [...], "options": [...], "start": {...}}`; each preset with its full values,
        each option with its sentence, its values and whether it stands in front.
    """
    return {
        "presets": [
            {
                "name": name,
                **PRESET_TEXTS[name],
                "values": _shown(RuleOptions.from_mapping({"preset": name})),
            }
            for name in PRESETS
        ],
        "options": [_describe(name) for name in SENTENCES],
        "start": _shown(RuleOptions.from_mapping(start)),
    }


def _shown(options: RuleOptions) -> dict[str, Any]:
    return {name: value for name, value in options.to_mapping().items() if name in SENTENCES}


def _describe(name: str) -> dict[str, Any]:
    choice = OPTIONS[name]
    texts = VALUES.get(name, {})
    values = []
    for value in choice.values:
        plain = YES_NO[value] if isinstance(value, bool) else _text(str(value), str(value))
        values.append({"value": value, **texts.get(value, plain)})
    return {
        "name": name,
        "zh": choice.zh,
        "en": choice.en[:1].upper() + choice.en[1:],
        "help": SENTENCES[name],
        "values": values,
        "least": choice.least,
        "main": name in MAIN,
        "default": getattr(RuleOptions(), name),
    }
