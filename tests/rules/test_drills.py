"""Examples and drills: the engine's own answers, by level, the same for the same seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from rules import FANS, Hand, Meld, judge, waits
from rules.advice import advise
from rules.drills import KINDS_OF_LEVEL, LEVELS, Drill, DrillError, drill, drills
from rules.examples import GANG_TOPICS, TOPICS, Topic, worked_example, worked_examples
from rules.opening import Opening
from rules.settlement import Gang, HandResult, settle
from rules.wall import stack_place

# SPEC §8.5, the seed's list of combinations, with the values of its headings.
SEED_TABLE = {
    "双混儿捉伍儿": 6,
    "没混儿捉伍儿": 6,
    "捉伍儿龙": 7,
    "本混儿龙": 8,
    "混儿吊龙": 8,
    "双混儿吊龙": 8,
    "没混儿龙": 8,
    "双混儿捉伍儿龙": 14,
    "没混儿捉伍儿龙": 14,
    "捉伍儿本混儿龙": 14,
    "混儿吊本混儿龙": 16,
    "双混儿捉伍儿本混儿龙": 28,
}
# SPEC §7, the list of single fans.
SINGLE = {
    "混儿吊": 2,
    "双混儿吊": 2,
    "没混儿": 2,
    "素的": 2,
    "杠开": 2,
    "捉伍儿": 3,
    "龙": 4,
    "天和": 4,
    "地和": 4,
    "屁和": 1,
}


@pytest.mark.parametrize("topic", [*TOPICS, *GANG_TOPICS], ids=lambda topic: topic.key)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_example_is_worth_what_the_seed_says(topic: Topic, seed: int) -> None:
    # Judged afresh from the bare hand: the value is the seed's, the name is the seed's.
    example = worked_example(topic, seed)
    result = judge(example.made.hand, topic.options)
    assert result.fan == topic.fan
    assert result.title == topic.zh
    assert result.win == (topic.fan >= 2)


def test_examples_cover_every_fan_and_the_whole_table_of_the_seed() -> None:
    values = {topic.zh: topic.fan for topic in TOPICS}
    assert values == SINGLE | SEED_TABLE
    shown = {line.key for example in worked_examples() for line in example.made.judgement.fans}
    assert shown == {fan.key for fan in FANS} | {"bare"}


def test_kong_draw_doubles_wherever_a_kong_fits() -> None:
    # "由于龙占用三副，捉伍儿占用第四副，所以不存在“杠开双混儿捉伍儿龙”": dragon and a set of its
    # own fill the hand; 混儿吊 needs only the pair, and a 4-5-6m may be the dragon's.
    ganged = {topic.zh.removeprefix("杠开") for topic in GANG_TOPICS}
    no_room = {"双混儿吊龙", "双混儿捉伍儿龙", "双混儿捉伍儿本混儿龙"}
    assert set(SEED_TABLE) - ganged == no_room
    values = SINGLE | SEED_TABLE
    assert all(topic.fan == 2 * values[topic.zh.removeprefix("杠开")] for topic in GANG_TOPICS)


def test_sources_are_the_seeds_words() -> None:
    seed = Path(__file__).parents[2] / ".." / "shared" / "rules" / "seed_天津麻将.txt"
    if not seed.exists():
        pytest.skip("the seed document is not beside the repository")
    text = seed.read_text(encoding="utf-8").replace("_", "")
    for topic in (*TOPICS, *GANG_TOPICS):
        for part in topic.source.split("…"):
            assert part in text, topic.key


def all_drills(count: int) -> list[Drill]:
    return [made for level in LEVELS for made in islice(drills(3, level), count)]


def test_every_drill_has_one_answer_or_says_there_may_be_more() -> None:
    for made in all_drills(42):
        assert made.answer
        assert made.several or len(made.answer) == 1
        for texts in ([c.zh for c in made.choices], [c.en for c in made.choices]):
            assert len(set(texts)) == len(texts) >= 2
        assert made.because.zh
        assert made.because.en
        assert json.loads(json.dumps(made.to_json()))["answer"] == made.answer


def hand_of(made: Drill) -> Hand:
    shown = made.shown
    melds = tuple(Meld(meld["kind"], meld["tile"]) for meld in shown["melds"])
    return Hand(
        tuple(shown["concealed"]), melds, tuple(shown["jokers"]), shown["drawn"], **shown["flags"]
    )


def chosen(made: Drill) -> list[str]:
    return [choice.en for choice in made.choices if choice.right]


def of_kind(kind: str, count: int) -> list[Drill]:
    levels = [level for level in LEVELS if kind in KINDS_OF_LEVEL[level]]
    return [drill(8, level, number, kind) for level in levels for number in range(count)]


def test_answers_about_hands_are_the_judging_engines() -> None:
    for made in of_kind("fan", 20):
        assert chosen(made) == [f"{judge(hand_of(made)).fan} fan"]
    said = set()
    for made in of_kind("wins", 20):
        # "只能自摸胡…不能铳胡": on another player's discard the answer is no.
        discard = "another player discards" in made.en
        wins = judge(hand_of(made)).win and not discard
        said.add((wins, discard))
        assert chosen(made) == ["It wins" if wins else "It does not win"]
    assert said == {(True, False), (False, False), (False, True)}
    for made in of_kind("waits", 15):
        winning = waits(hand_of(made))
        assert {choice.en: choice.right for choice in made.choices} == {
            choice.en: choice.en in winning for choice in made.choices
        }


def test_best_discard_is_strictly_the_best_of_those_offered() -> None:
    for made in of_kind("discard", 12):
        hand = hand_of(made)
        ranks = {
            found.tile: found.standing.rank[:4]
            for found in advise(hand, indicator=made.shown["indicator"]).discards
        }
        offered = {choice.en.split()[-1]: choice.right for choice in made.choices}
        assert not set(offered) & set(hand.jokers)
        best = next(tile for tile, right in offered.items() if right)
        assert all(ranks[best] < ranks[tile] for tile in offered if tile != best)


def test_a_joker_or_a_single_tile_may_not_be_ponged() -> None:
    # "不能用来代替别的牌碰、杠"; two natural tiles are needed.
    refused = 0
    for made in of_kind("pung", 40):
        tile = made.shown["discarded"]
        may = tile not in made.shown["jokers"] and made.shown["concealed"].count(tile) >= 2
        assert (chosen(made) != ["I may not"]) == may
        refused += not may
    assert refused > 5


def test_payments_are_the_settlements() -> None:
    for made in of_kind("pays", 25):
        shown = made.shown
        result = HandResult(
            shown["dealer"],
            shown["winner"],
            shown["fan"],
            tuple(Gang(gang["player"], gang["kind"]) for gang in shown["gangs"]),
            shown["zuo"],
            tuple(shown["la"]),
        )
        points = settle(result).deltas[shown["seat"]]
        word = "nothing either way" if not points else f"{'wins' if points > 0 else 'loses'}"
        assert chosen(made)[0].startswith(word)
        assert str(abs(points)) in chosen(made)[0] or points == 0


def test_wall_drills_agree_with_the_opening() -> None:
    for made in of_kind("opening", 20):
        dealer, dice = made.shown["dealer"], [tuple(roll) for roll in made.shown["dice"]]
        opened = Opening(dealer, *(dice + [(1, 1)] * (3 - len(dice))))
        if made.level == 1:
            # "五九自手" "二六十过" "三七11对门" "四八12到底".
            names = ("the dealer", "the player after", "the player opposite", "the player before")
            assert chosen(made)[0].startswith(names[(sum(dice[0]) - 1) % 4])
            continue
        stack = opened.break_stack if made.level == 2 else opened.indicator_stack
        assert chosen(made)[0].endswith(f"stack {stack_place(stack)[1]} from the left")


def test_seating_drills_agree_with_a_count_made_by_hand() -> None:
    # "掷色子，由点数决定…东家…的座位的位置", counted as in 开牌; "按照牌面对号入座"; after a 锅
    # "上下家的关系未发生变化：则打风无效" (SPEC §2).
    names = ["Ann", "Bo", "Cai", "Dee"]
    said = set()
    for made in of_kind("seating", 30):
        shown, right = made.shown, chosen(made)
        if made.level == 1:
            ring = names[shown["roller"] :] + names[: shown["roller"]]
            assert right == [(ring * 3)[sum(shown["dice"][0]) - 1]]
            continue
        drew = {wind: names[(shown["east"] + turn) % 4] for turn, wind in enumerate(shown["picks"])}
        sits = {
            (shown["east"] + at) % 4: drew[wind] for at, wind in enumerate(("1z", "2z", "3z", "4z"))
        }
        if made.level == 2:
            assert right == [sits[shown["seat"]]]
            continue
        next_of = {sits[seat]: sits[(seat + 1) % 4] for seat in range(4)}
        same = all(next_of[name] == (names * 2)[at + 1] for at, name in enumerate(names))
        void = same and shown["after_guo"]
        said.add((same, shown["after_guo"]))
        assert right == ["Yes, the draw is void" if void else "No, it stands"]
    assert len(said) == 4


def test_same_seed_same_drills_in_another_process() -> None:
    # Hash seeds differ between processes; the drills must not.
    code = (
        "import json; from rules.drills import drill;"
        "print(json.dumps([drill(5, level, n).to_json() for level in (1, 2, 3) for n in range(7)]))"
    )
    root = Path(__file__).parents[2]
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("1", "2")
    ]
    here = json.dumps([drill(5, level, n).to_json() for level in (1, 2, 3) for n in range(7)])
    assert [json.loads(text) for text in printed] == [json.loads(here)] * 2
    assert drill(6, 1, 0).to_json() != drill(5, 1, 0).to_json()


@pytest.mark.parametrize(
    ("level", "number", "kind", "code"),
    [(4, 0, None, "bad_level"), (1, -1, None, "bad_number"), (1, 0, "pays", "bad_kind")],
)
def test_what_no_drill_has_is_refused(level: int, number: int, kind: str | None, code: str) -> None:
    with pytest.raises(DrillError) as refused:
        drill(0, level, number, kind)
    assert [reason.code for reason in refused.value.reasons] == [code]
