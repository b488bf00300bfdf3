"""`zhuowu advise` and `zhuowu drill`: text for a beginner, JSON for programs, exit codes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from rules import TILES, parse_tiles
from rules.drills import drill
from server.cli import zhuowu


def run(*arguments: str, typed: str | None = None) -> Result:
    result = CliRunner().invoke(zhuowu, list(arguments), input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_a_win_is_said_first_in_both_languages() -> None:
    # 123456789m is a dragon (龙, 4), 55p the pair, the rest a set with two jokers.
    hand = ("advise", "123456789m55p1z7z6z", "--indicator", "7z")
    zh, en = run(*hand, "--lang", "zh"), run(*hand, "--lang", "en")
    assert zh.exit_code == en.exit_code == 0
    assert zh.output.startswith("现在就能和：龙，4 番")
    assert en.output.startswith("Declare the win now: 龙 Dragon (1 to 9), 4 fan")
    assert "drawn tile 6z" in en.output


def test_drawn_tile_may_be_named_and_a_pung_has_none() -> None:
    # 捉伍儿 needs the 5m drawn last ("最后一张抓的是伍万"): typed first, it is named by --drawn.
    tiles = "5m46m789p789s111z22z"
    named = json.loads(run("advise", tiles, "--drawn", "5m", "--jokers", "8m9m", "--json").output)
    assert "捉伍儿" in named["win"]["names"]
    last = json.loads(run("advise", tiles, "--jokers", "8m9m", "--json").output)
    assert "捉伍儿" not in last["win"]["names"]
    melded = ("advise", "5m46m789p789s22z", "--melds", "111z", "--jokers", "8m9m", "--json")
    assert json.loads(run(*melded, "--after-pung").output)["wins_now"] is False


def test_json_has_every_discard_and_never_a_joker() -> None:
    output = run("advise", "1155m456p23s78s7z6z9m", "--indicator", "7z", "--json").output
    data = json.loads(output)
    tiles = [found["tile"] for found in data["discards"]]
    assert set(tiles) == set(parse_tiles("1155m456p23s78s9m"))
    assert set(data["left"]) <= set(TILES)
    assert data["unseen"] == 136 - 14 - 1


def test_all_shows_every_discard_and_five_otherwise() -> None:
    hand = ("advise", "1155m456p23s78s7z6z9m", "--indicator", "7z", "--lang", "en")
    assert "10. discard" in run(*hand, "--all").output
    assert "6. discard" not in run(*hand).output
    assert "5 more; --all" in run(*hand).output


def test_a_kong_is_told_of_beside_the_discards_and_beside_the_pung() -> None:
    # "明杠为1分，暗杠为2分": four in hand on one's own turn, three and another's discard.
    own = ("advise", "1111m234p567p99s56s", "--indicator", "1z", "--drawn", "1m")
    assert "该暗杠一万：三家各付 2 分" in run(*own, "--lang", "zh").output
    assert [kong["tile"] for kong in json.loads(run(*own, "--json").output)["kongs"]] == ["1m"]
    claim = ("advise", "111m234p567p99s56s", "--indicator", "1z", "--discarded")
    assert "Make an open kong of 1m: each of the others pays 1" in run(*claim, "1m").output
    assert json.loads(run(*claim, "1m", "--json").output)["kong"]["may"] is True
    assert "kong" not in run(*claim, "9s").output
    assert json.loads(run(*claim, "9s", "--json").output)["kong"]["may"] is False


def test_pung_is_asked_with_discarded() -> None:
    hand = ("advise", "1155m456p23s78s7z6z", "--indicator", "7z", "--lang", "en")
    assert run(*hand, "--discarded", "1m").output.startswith("碰 1m, then discard")
    refused = run(*hand, "--discarded", "6z")
    assert refused.exit_code == 0
    assert "a joker: it can never be ponged" in refused.output
    assert json.loads(run(*hand, "--discarded", "4p", "--json").output)["may"] is False


@pytest.mark.parametrize(
    "melds", ["111z 2222p (3333s)", "111z2222p(3333s)", "111z,2222p，（3333s）"]
)
def test_melds_are_read_in_any_spacing(melds: str) -> None:
    data = run("advise", "456m1z", "--melds", melds, "--jokers", "1m", "--json")
    assert data.exit_code == 0, data.output
    assert json.loads(data.output)["left"].get("1z") is None  # Three melded, one in hand.


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("123q",), "123q"),
        (("123m",), "3 tiles; with 0 melds there must be 13"),
        (("123m456p789s23s5p1z5s", "--option", "min_fam=3"), "the nearest is 'min_fan'"),
        (("123m456p789s23s5p1z5s", "--visible", "1m1m1m1m"), "there are only four"),
        (("123m456p789s23s5p1z5s", "--melds", "12z"), "is no meld"),
        (("123m456p789s23s5p1z5s", "--indicator", "5m", "--jokers", "5m6m"), "not both"),
        (("123m456p789s23s5p1z", "--drawn", "5p"), "wait for a draw"),
        (("123m456p789s23s5p1z5s", "--drawn", "9p"), "not among TILES"),
        (("123m456p789s23s5p1z5s", "--discarded", "5p"), "take the drawn tile away"),
        (("123m456p789s23s5p1z5s", "--indicator", "5m6m"), "give one tile"),
    ],
)
def test_bad_input_is_told_with_the_way_out(arguments: tuple[str, ...], told: str) -> None:
    result = run("advise", *arguments, "--lang", "en")
    assert result.exit_code == 2
    assert told in result.output
    assert "Traceback" not in result.output


def test_drills_are_printed_with_answers_where_nobody_types() -> None:
    output = run("drill", "--seed", "4", "--count", "3", "--level", "2", "--lang", "en").output
    for number in range(3):
        made = drill(4, 2, number)
        assert f"{number + 1}. {made.en}" in output
        assert f"answer: {made.answer}" in output


def test_drills_as_json_lines_are_the_drills() -> None:
    lines = run(
        "drill", "--seed", "9", "--count", "4", "--level", "3", "--json"
    ).output.splitlines()
    assert [json.loads(line) for line in lines] == [
        json.loads(json.dumps(drill(9, 3, number).to_json())) for number in range(4)
    ]


def test_examples_name_the_whole_table() -> None:
    output = run("drill", "--examples", "--lang", "zh").output
    assert "双混儿捉伍儿本混儿龙  28 番" in output
    assert len(run("drill", "--examples", "--json").output.splitlines()) == 36


def test_kind_not_of_the_level_is_refused() -> None:
    result = run("drill", "--kind", "pays", "--level", "1", "--lang", "en")
    assert result.exit_code == 2
    assert "level 1 has no drills of kind 'pays'" in result.output


def test_typed_answers_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    # A terminal is all that differs: the answers come from the same standard input.
    import server.commands.drill as command

    monkeypatch.setattr(command, "_at_terminal", lambda: True)
    right = drill(4, 1, 0).answer
    typed = f"z\n{right}\n\n"
    output = run("drill", "--seed", "4", "--count", "2", "--lang", "en", typed=typed).output
    assert "type letters among" in output
    assert "Right!" in output
    assert "1 of 1 right" in output
