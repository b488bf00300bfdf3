"""`zhuowu score` on real photos; the right answers are worked out by hand from their labels.

No photo here shows which tile was drawn or which was turned, so each case says so on the command
line. Every case tells why its answer is right (SPEC numbers are of the rules' specification).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rules import parse_tiles
from server.cli import zhuowu
from vision.errors import ModelError
from vision.model_store import open_store

PHOTOS = Path(__file__).parents[2] / ".." / "shared" / "photos" / "eval" / "images"


@cache
def why_not() -> str | None:
    """Why these tests cannot run here; None when they can."""
    if not PHOTOS.is_dir():
        return "the shared photos are not beside this checkout"
    try:
        open_store().model("classifier").content()
    except ModelError as error:
        return f"no trained models here: {error}"
    return None


@dataclass(frozen=True)
class Case:
    """A photo, what lies in it, and what it is worth."""

    photo: str
    hand: str
    args: str
    code: int
    fan: int | None = None
    names: frozenset[str] = frozenset()
    waits: dict[str, int] | None = None
    why: str = ""


CASES = [
    Case(
        "rb_hand_009.jpg",
        "888m11m234m555m666z",
        "--indicator 4m --drawn 5m",
        0,
        6,
        frozenset({"双混儿吊", "捉伍儿"}),
        why="Jokers 4m 5m, four of them. 888m 666z 123m, 1m+joker; the drawn 5m stands for itself "
        "between two jokers as 4m and 6m: 双混儿捉伍儿 3×2. A dragon lacks five ranks.",
    ),
    Case(
        "rb_hand_009.jpg",
        "888m11m234m555m666z",
        "--indicator 3m --drawn 2m",
        0,
        2,
        frozenset({"双混儿吊"}),
        why="Jokers 3m 4m, one of each. 888m 555m 666z and the pair 11m stand; the drawn 2m makes "
        "a set with the two jokers.",
    ),
    Case(
        "rb_hand_009.jpg",
        "888m11m234m555m666z",
        "--indicator 3m --drawn 5m",
        1,
        1,
        frozenset({"屁和"}),
        why="The same jokers, but now they make 234m with the 2m, the drawn 5m lies in 555m: "
        "complete, worth 1, and 2 are needed (SPEC 6.4).",
    ),
    Case(
        "rb_387325315_1383103635941496_.jpg",
        "444m999m777z33m666m",
        "--indicator 6m --drawn 6m",
        0,
        6,
        frozenset({"双混儿吊", "捉伍儿"}),
        why="Jokers 6m 7m: the three 6m. 444m 999m 777z 33m stand; the drawn 6m is a joker and "
        "stands for 5m between the two others: 3×2 (SPEC 7.2, 7.3).",
    ),
    Case(
        "rb_395794810_343847804804918_1.jpg",
        "234m555m1111z1349m",
        "--indicator 1z --drawn 5m",
        0,
        8,
        frozenset({"混儿吊", "龙"}),
        why="Jokers 1z 2z: the four 1z. 123m 45(6)m (7)(8)9m take three of them, 345m is natural, "
        "and the drawn 5m pairs with the fourth: 混儿吊龙 4×2. The jokers are honours, so no "
        "本混儿; 捉伍儿 beside it would need two more jokers.",
    ),
    Case(
        "rb_hand_012.jpg",
        "111p234p456p567p99p",
        "--indicator 8p --drawn 1p",
        0,
        8,
        frozenset({"本混儿", "龙"}),
        why="Jokers 8p 9p: the two 9p. 123p 456p 7(8)9p, 456p and the pair 11p: a dragon in the "
        "jokers' suit, 4×2. A pair on a joker would need a third joker.",
    ),
    Case(
        "rb_384431440_2098836703848534_.jpg",
        "111m33m66m77m888m99m",
        "--indicator 2m --drawn 9m",
        0,
        2,
        frozenset({"混儿吊"}),
        why="Jokers 2m 3m: the two 3m. 111m 678m (7)89m 678m take one, the drawn 9m pairs with the "
        "other: 混儿吊 2.",
    ),
    Case(
        "rb_hand_004.jpg",
        "666z678p234p55z456p",
        "--indicator 1m --drawn 7p",
        0,
        2,
        frozenset({"没混儿"}),
        why="Jokers 1m 2m, none in hand: 没混儿 2; 1p and 9p are missing for a dragon.",
    ),
    Case(
        "rb_387594793_2588024031375884_.jpg",
        "789p22p456p333p444p",
        "--indicator 1z --drawn 2p",
        0,
        2,
        frozenset({"没混儿"}),
        why="Jokers 1z 2z, none in hand; there is no 1p for a dragon: 没混儿 2.",
    ),
    Case(
        "rb_370263729_1028427731726944_.jpg",
        "678m678m123m555m55z",
        "--indicator 9s --drawn 5z",
        0,
        2,
        frozenset({"没混儿"}),
        why="Jokers 9s 1s, none in hand: 没混儿 2. The flower at the left is no tile of this game.",
    ),
    Case(
        "kz_03.jpg",
        "234m12233456p44z",
        "--indicator 9m",
        0,
        waits={"1p": 2, "4p": 2, "7p": 2},
        why="Jokers 9m 1m, none in hand. 234m and 44z stand; 12233456p waits on three sides: "
        "123 234 56+4/7, 123+1 23 456. Each is 没混儿 2; a drawn joker would make it 屁和.",
    ),
    Case(
        "rb_410157219_3667435646872439_.jpg",
        "35s123m456m789p22z",
        "--indicator 9s",
        0,
        waits={"4s": 2},
        why="Jokers 9s 1s, none in hand: only 4s between 3s and 5s, 没混儿 2.",
    ),
    Case(
        "rb_410157219_3667435646872439_.jpg",
        "35s123m456m789p22z",
        "--indicator 1z",
        0,
        waits={
            **dict.fromkeys(parse_tiles("12346789m123456789p123456789s34567z"), 2),
            **dict.fromkeys(("5m", "1z", "2z"), 3),
        },
        why="Jokers 1z 2z: the two 2z. 3(4)5s, and any tile pairs with the other joker: 混儿吊 2 "
        "on all 34 kinds. 5m, or a joker as 5m, goes into 456m while the old 5m pairs with the "
        "joker: 捉伍儿 3.",
    ),
    Case(
        "rb_395988950_1540038216535405_.jpg",
        "123345p67z36p11z5z",
        "--indicator 9m",
        1,
        waits={},
        why="Jokers 9m 1m, none in hand. Two runs and a pair, five loose tiles: not ready.",
    ),
    Case(
        "rb_hand_015.jpg",
        "11s9s19m19p1234567z",
        "--indicator 2p --drawn 1s",
        1,
        0,
        why="Thirteen orphans are no shape of Tianjin mahjong (SPEC 6.1).",
    ),
    Case(
        "rb_394824858_291256653734174_5.jpg",
        "8p5p6z2z5s55m4m2m4z76p13s4p",
        "--indicator 4z",
        2,
        why="Fifteen tiles, no gang among them: neither a hand that waits nor one that wins.",
    ),
]


def run(case: Case) -> tuple[int, dict[str, Any]]:
    args = ["score", str(PHOTOS / case.photo), "--json", *case.args.split()]
    result = CliRunner().invoke(zhuowu, args)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, json.loads(result.stdout)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.photo[:12]} {c.args}")
def test_a_real_photo_is_scored_right(case: Case) -> None:
    if reason := why_not():
        pytest.skip(reason)
    code, found = run(case)
    hand = found["hand"]
    tiles = [*hand["concealed"], *([hand["drawn"]] if hand["drawn"] else [])]
    assert sorted(tiles) == sorted(parse_tiles(case.hand))
    assert hand["melds"] == []
    assert code == case.code
    if case.waits is not None:
        assert found["waits"] == case.waits
    if case.fan is not None:
        judgement = found["judgement"]
        assert judgement["fan"] == case.fan
        assert judgement["win"] == (code == 0)
        if case.names:
            assert case.names in [frozenset(names) for names in judgement["names_alt"]]
    if code == 2:
        assert found["error"][0]["code"] == "wrong_count"


def test_at_least_ten_different_photos_of_full_hands() -> None:
    assert len({case.photo for case in CASES if case.code != 2}) >= 10


def test_a_gang_in_the_row_and_its_replacement_tile() -> None:
    """55z 888m 555p 333z and four 2z (15 tiles): a gang, so 杠开 × 没混儿 = 4 (SPEC 7, 8.2)."""
    if reason := why_not():
        pytest.skip(reason)
    photo = PHOTOS / "rb_394497921_713610487289095_3.jpg"
    args = ["score", str(photo), "--json", "--indicator", "1p", "--drawn", "5z", "--gang-draw"]
    result = CliRunner().invoke(zhuowu, args)
    found = json.loads(result.stdout)
    assert found["hand"]["melds"] == [{"kind": "gang_open", "tile": "2z"}]
    assert (result.exit_code, found["judgement"]["fan"]) == (0, 4)
    assert set(found["judgement"]["names"]) == {"杠开", "没混儿"}


def test_without_a_drawn_tile_every_candidate_is_told() -> None:
    """Jokers 4m 5m: a drawn 4m or 5m is 双混儿捉伍儿 6, any other tile 双混儿吊 2 (see above)."""
    if reason := why_not():
        pytest.skip(reason)
    args = ["score", str(PHOTOS / "rb_hand_009.jpg"), "--indicator", "4m"]
    found = json.loads(CliRunner().invoke(zhuowu, [*args, "--json"]).stdout)
    assert {tile: j["fan"] for tile, j in found["candidates"].items()} == {
        **dict.fromkeys(("8m", "1m", "2m", "3m", "6z"), 2),
        **dict.fromkeys(("4m", "5m"), 6),
    }
    for lang, words in (("zh", ("最高 6 番", "捉伍儿", "--drawn")), ("en", ("The best, 6 fan",))):
        said = CliRunner().invoke(zhuowu, [*args, "--lang", lang])
        assert said.exit_code == 0
        assert all(word in said.stdout for word in words)
