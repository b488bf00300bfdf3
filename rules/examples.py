"""A worked example for every fan and every combination of the seed's table (SPEC §7, §8.5)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from rules.example_hands import MadeHand, Wish, make_hand
from rules.example_words import judgement_words
from rules.judging import DEFAULT
from rules.options import RuleOptions

FACE_VALUE = RuleOptions(su_mode="face_value")
"""素的 is a fan of its own only where "混儿牌不做混儿用" (SPEC §9.4)."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What an example shows.

    Attributes:
        key: a stable word for programs.
        zh: the seed's name of the fan or combination.
        fan: its value by the seed.
        source: the seed's words.
        wish: the fans the hand has.
        options: the options it needs.
    """

    key: str
    zh: str
    fan: int
    source: str
    wish: Wish
    options: RuleOptions = DEFAULT


TOPICS: tuple[Topic, ...] = (
    Topic("bare", "屁和", 1, "数不出任何番种的胡牌称为“屁和”", Wish()),
    Topic("hundiao", "混儿吊", 2, "用混儿单骑对子", Wish(diao="pair")),
    Topic("shuang_hundiao", "双混儿吊", 2, "最后一张牌可以和两个混儿组成一副", Wish(diao="set")),
    Topic("no_joker", "没混儿", 2, "没有混儿牌的胡牌", Wish(no_joker=True)),
    Topic("su", "素的", 2, "混儿牌不做混儿用", Wish(su=True), FACE_VALUE),
    Topic("gang_draw", "杠开", 2, "开杠抓进的牌成胡牌", Wish(gang=True)),
    Topic("zhuowu", "捉伍儿", 3, "最后一张抓的是伍万…而且有四伍六万一副牌", Wish(zhuowu=True)),
    Topic("long", "龙", 4, "有一种花色1-9相连接的序数牌", Wish(long="other")),
    Topic("benhun_long", "本混儿龙", 8, "龙的花色和混儿的花色相同", Wish(long="joker")),
    Topic("heavenly", "天和", 4, "庄家立手胡牌为天和", Wish(heaven="heavenly")),
    Topic("earthly", "地和", 4, "闲家抓第一颗牌胡牌为地和", Wish(heaven="earthly")),
    Topic("shuang_zhuowu", "双混儿捉伍儿", 6, "混儿吊×捉伍儿", Wish(zhuowu=True, diao="set")),
    Topic("no_joker_zhuowu", "没混儿捉伍儿", 6, "没混儿×捉伍儿", Wish(zhuowu=True, no_joker=True)),
    Topic("zhuowu_long", "捉伍儿龙", 7, "捉伍儿＋龙", Wish(zhuowu=True, long="other")),
    Topic("hundiao_long", "混儿吊龙", 8, "混儿吊×龙", Wish(long="other", diao="pair")),
    Topic("shuang_long", "双混儿吊龙", 8, "双混儿吊×龙", Wish(long="other", diao="set")),
    Topic("no_joker_long", "没混儿龙", 8, "没混儿×龙", Wish(long="other", no_joker=True)),
    Topic(
        "shuang_zhuowu_long",
        "双混儿捉伍儿龙",
        14,
        "双混儿吊×（捉伍儿＋龙）",
        Wish(zhuowu=True, long="other", diao="set"),
    ),
    Topic(
        "no_joker_zhuowu_long",
        "没混儿捉伍儿龙",
        14,
        "没混儿×（捉伍儿＋龙）",
        Wish(zhuowu=True, long="other", no_joker=True),
    ),
    Topic(
        "zhuowu_benhun_long",
        "捉伍儿本混儿龙",
        14,
        "本混儿×（捉伍儿＋龙）",
        Wish(zhuowu=True, long="joker"),
    ),
    Topic(
        "hundiao_benhun_long",
        "混儿吊本混儿龙",
        16,
        "混儿吊×本混儿×龙",
        Wish(long="joker", diao="pair"),
    ),
    Topic(
        "shuang_zhuowu_benhun_long",
        "双混儿捉伍儿本混儿龙",
        28,
        "混儿吊×本混儿×（捉伍儿＋龙）",
        Wish(zhuowu=True, long="joker", diao="set"),
    ),
)
"""Every fan and every combination of the seed's list, in its order."""


_STACKING = "其它都可以相互叠加"


def _with_gang(topic: Topic) -> Topic | None:
    """The topic with 杠开, where a 杠 fits beside its sets."""
    wish = topic.wish
    # A dragon, and a set of its own beside it for 双混儿吊 or the like, leave no set for a 杠.
    full = wish.long is not None and wish.diao == "set"
    if wish.gang or wish.heaven or wish.su or full or topic.key == "bare":
        return None
    ganged = Wish(wish.zhuowu, wish.long, wish.diao, wish.no_joker, True)
    return Topic(
        f"gang_draw_{topic.key}", f"杠开{topic.zh}", 2 * topic.fan, _STACKING, ganged, topic.options
    )


GANG_TOPICS: tuple[Topic, ...] = tuple(
    found for found in (_with_gang(topic) for topic in TOPICS) if found is not None
)
"""The same with 杠开 doubled, "其它都可以相互叠加", where a 杠 fits."""


@dataclass(frozen=True, slots=True)
class Example:
    """A topic with a hand that shows it.

    Attributes:
        topic: what it shows.
        made: the hand and the engine's judgement of it.
    """

    topic: Topic
    made: MadeHand

    def to_json(self) -> dict[str, Any]:
        """The example as a JSON object."""
        hand = self.made.hand
        return {
            "key": self.topic.key,
            "zh": self.topic.zh,
            "source": self.topic.source,
            "fan": self.made.judgement.fan,
            "concealed": list(hand.concealed),
            "melds": [{"kind": meld.kind, "tile": meld.tile} for meld in hand.melds],
            "jokers": list(hand.jokers),
            "indicator": self.made.indicator,
            "win_tile": hand.win_tile,
            "judgement": self.made.judgement.to_json(),
            "explanation": judgement_words(self.made.judgement).to_json(),
        }


def worked_example(topic: Topic, seed: int = 0) -> Example:
    """A hand that shows a topic; another for each seed, the same for the same."""
    rng = random.Random(f"{topic.key}:{seed}")
    return Example(topic, make_hand(topic.wish, rng, topic.options))


def worked_examples(seed: int = 0) -> tuple[Example, ...]:
    """One example for each of `TOPICS` and `GANG_TOPICS`."""
    return tuple(worked_example(topic, seed) for topic in (*TOPICS, *GANG_TOPICS))
