"""开牌, 打风, settlement, 相公, advice, examples and drills over HTTP: worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from rules import parse_tiles
from rules.examples import GANG_TOPICS, TOPICS
from server.app import create_app
from server.config import Config
from server.reading_service import ReadingService


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    config = Config(data_folder=tmp_path_factory.mktemp("data"))
    with create_app(config, ReadingService(config)).test_client() as client:
        yield client


def post(client: FlaskClient, path: str, status: int = 200, **body: Any) -> dict[str, Any]:
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json
    return found


def test_opening_goes_roll_by_roll(client: FlaskClient) -> None:
    """Seed: "三七11对门", then the four dice counted from that player's left, then back d3."""
    start = post(client, "/api/opening", dealer=1)
    assert start["next"] == {"roll": 1, "roller": 1}
    assert (start["break"], start["indicator"]) == (None, None)
    first = post(client, "/api/opening", dealer=1, rolls=[[3, 4]])
    assert (first["second_roller"], first["next"]) == (3, {"roll": 2, "roller": 3})
    assert "三七11对门" in first["steps"][0]["zh"]
    second = post(client, "/api/opening", dealer=1, rolls=[[3, 4], [2, 3]])
    assert (second["count"], second["break"]) == (12, {"owner": 3, "stack": 12})
    assert "第 12 墩" in second["steps"][1]["zh"]
    assert second["next"] == {"roll": 3, "roller": 3}
    third = post(client, "/api/opening", dealer=1, rolls=[[3, 4], [2, 3], [1, 5]], indicator="5m")
    assert third["indicator"] == {"owner": 3, "stack": 6, "tile": "top"}
    assert (third["live_tiles"], third["gang_tail"]) == (124, 11)
    assert (third["jokers"], third["joker_tiles"]) == (["5m", "6m"], 7)
    assert third["next"] is None


def test_opening_past_seventeen_goes_on_into_the_next_wall(client: FlaskClient) -> None:
    """Seed: "如果超过17则顺着数到下一个人的牌墙": 6+6 and 4+4 from 上家: stack 3 of the dealer."""
    found = post(client, "/api/opening", dealer=0, rolls=[[6, 6], [4, 4]])
    assert found["second_roller"] == 3
    assert found["break"] == {"owner": 0, "stack": 3}
    assert "数完 17 墩" in found["steps"][1]["zh"]


def test_seating_from_the_roll_to_the_seats(client: FlaskClient) -> None:
    """SPEC §2.4, §2.5: 甲 rolls 5, so 甲's own seat is East; the first pick is by 甲."""
    names = ["甲", "乙", "丙", "丁"]
    rolled = post(client, "/api/seating", names=names, roller=0, dice=[2, 3])
    assert (rolled["east"], rolled["next_picker"], rolled["seats"]) == (0, 0, None)
    done = post(
        client,
        "/api/seating",
        names=names,
        roller=0,
        dice=[2, 3],
        picks=["3z", "1z", "2z", "4z"],
        after_guo=True,
    )
    assert done["seats"] == ["乙", "丙", "甲", "丁"]
    assert done["redo"] is False
    void = post(
        client,
        "/api/seating",
        names=names,
        roller=0,
        dice=[2, 3],
        picks=["2z", "3z", "4z", "1z"],
        after_guo=True,
    )
    assert void["redo"] is True, "everybody has the same neighbours"
    assert "重来" in void["steps"][-1]["zh"]


def test_settlement_says_who_pays_whom_and_who_deals(client: FlaskClient) -> None:
    """Seed: 坐庄 doubles between dealer and others, 拉庄 again; another's win passes the deal."""
    found = post(client, "/api/settle", dealer=0, winner=2, fan=6, zuo=True, la=[0, 0, 1, 0])
    assert found["deltas"] == [-24, -6, 36, -6]
    assert found["next_dealer"] == 1
    assert [(p["payer"], p["points"]) for p in found["payments"]] == [(3, 6), (0, 24), (1, 6)]


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/api/settle", {"dealer": 0, "winner": 1, "fan": 1}, "below_min_fan"),
        ("/api/settle", {"dealer": 0, "la": [0, 1, 0, 0]}, "la_without_zuo"),
        ("/api/settle", {"dealer": 4}, "bad_value"),
        ("/api/settle", {"dealer": 0, "fan": 10**9}, "bad_value"),
        ("/api/settle", {"dealer": 0, "gangs": [{"player": 0}]}, "bad_value"),
        ("/api/settle", {"dealer": 0, "gangs": [{"player": 0, "kind": "x"}]}, "unknown_gang"),
        ("/api/opening", {"dealer": 0, "rolls": [[0, 7]]}, "bad_value"),
        ("/api/opening", {"dealer": 0, "rolls": [[1, 1]] * 4}, "bad_value"),
        ("/api/opening", {"dealer": 0, "indicator": "back"}, "bad_value"),
        ("/api/opening", {"dealer": 0, "joker_rule": "9"}, "bad_value"),
        ("/api/opening", {"seat": 0}, "unknown_key"),
        ("/api/seating", {"names": ["a", "a", "b", "c"], "roller": 0}, "bad_value"),
        ("/api/seating", {"names": list("abcd"), "roller": 0, "picks": ["1z", "1z"]}, "bad_value"),
        ("/api/xianggong", {"concealed_count": -1}, "bad_field"),
        ("/api/advise", {"hand": ["9x"]}, "unknown_tile"),
        ("/api/pung", {"hand": ["1m"]}, "no_tile"),
    ],
)
def test_requests_that_cannot_be_are_told_why(
    client: FlaskClient, path: str, body: dict[str, Any], code: str
) -> None:
    answer = client.post(path, json=body)
    assert answer.status_code == 422, answer.text
    assert answer.json["error"]["code"] == code
    assert answer.json["error"]["zh"]


def test_xianggong(client: FlaskClient) -> None:
    """Seed: "若多张则为“大相公”…若少张则为“小相公”"."""
    for held, word in ((14, "da"), (13, None), (12, "xiao")):
        body = {"concealed_count": held, "meld_count": 0, "has_drawn": False}
        assert post(client, "/api/xianggong", **body)["xianggong"] == word


def test_a_wrong_count_on_the_desk_names_the_xianggong(client: FlaskClient) -> None:
    found = post(client, "/api/score", hand=list(parse_tiles("123456789m123p")))
    assert "xiao_xianggong" in [reason.get("code") for reason in found["reasons"]]
    more = post(client, "/api/score", hand=list(parse_tiles("123456789m123p123s")))
    assert "da_xianggong" in [reason.get("code") for reason in more["reasons"]]


def test_advice_counts_what_lies_about(client: FlaskClient) -> None:
    """Discarding 1z leaves the lone 4-6m: 捉伍儿 waits for 5m (a joker here) and 6m's kind."""
    hand = list(parse_tiles("46m123p456p789s22z"))
    found = post(client, "/api/advise", hand=hand, drawn="1z", indicator="9p", aside=["5m", "back"])
    best = found["discards"][0]
    assert (found["kind"], best["tile"], best["ready"]) == ("discard", "1z", True)
    left = {wait["tile"]: wait["left"] for wait in best["waits"]}
    assert left["5m"] == 3, "one of four lies aside"
    assert left["9p"] == 3, "one was turned"
    assert found["headline"]["zh"].startswith("打东")
    waiting = post(client, "/api/advise", hand=hand, indicator="9p")
    assert (waiting["kind"], waiting["standing"]["ready"]) == ("wait", True)
    assert post(client, "/api/advise")["kind"] == "none"
    hidden = post(client, "/api/advise", hand=[*hand[:-1], "back"])
    assert (hidden["kind"], hidden["reasons"][0]["code"]) == ("none", "face_down")


def test_may_i_pung_this(client: FlaskClient) -> None:
    """Seed: jokers are never ponged, and one needs two of the tile."""
    hand = list(parse_tiles("46m123p456p789s22z"))
    found = post(client, "/api/pung", hand=hand, indicator="9p", tile="2z")
    assert (found["kind"], found["may"]) == ("pung", True)
    few = post(client, "/api/pung", hand=hand, indicator="9p", tile="1p")
    assert [reason["code"] for reason in few["refused"]] == ["too_few_to_pong"] or few["refused"]
    assert few["may"] is False


def test_every_fan_has_its_example_with_the_seeds_value(client: FlaskClient) -> None:
    found = {one["key"]: one for one in client.get("/api/examples").json["examples"]}
    assert list(found) == [topic.key for topic in (*TOPICS, *GANG_TOPICS)]
    for topic in (*TOPICS, *GANG_TOPICS):
        assert found[topic.key]["fan"] == topic.fan, topic.key
        assert found[topic.key]["reading"]
    other = client.get("/api/examples/zhuowu?seed=3").json
    assert other["hand"] != found["zhuowu"]["hand"]
    assert client.get("/api/examples/x").status_code == 404
    assert client.get("/api/examples?seed=-1").status_code == 422


def test_examples_laid_on_the_desk_score_the_same(client: FlaskClient) -> None:
    for one in client.get("/api/examples?seed=5").json["examples"]:
        hand = one["hand"]
        scored = post(
            client,
            "/api/score",
            hand=hand["concealed"],
            drawn=hand["drawn"],
            melds=hand["melds"],
            indicator=hand["indicator"],
            options=one["options"],
            **hand["flags"],
        )
        assert scored["fan"] == one["fan"], one["key"]


def test_drills_come_with_answers(client: FlaskClient) -> None:
    levels = client.get("/api/drill/levels").json["levels"]
    assert [level["level"] for level in levels] == [1, 2, 3]
    for level in levels:
        for kind in level["kinds"]:
            found = client.get(f"/api/drill?seed=4&level={level['level']}&kind={kind}").json
            assert found["kind"] == kind
            assert set(found["answer"]) <= {choice["key"] for choice in found["choices"]}
            assert found["answer"]
            assert found["explanation"]["en"]
    assert client.get("/api/drill?level=9").status_code == 422
    assert client.get("/api/drill?kind=none").status_code == 422


def test_nothing_is_written_before_the_sheet_is_asked_for(tmp_path: Path) -> None:
    config = Config(data_folder=tmp_path / "data")
    with create_app(config, ReadingService(config)).test_client() as client:
        client.get("/")
        post(client, "/api/settle", dealer=0)
        assert not (tmp_path / "data").exists()
