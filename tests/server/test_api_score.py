"""POST /api/score and GET /api/options: answers worked out by hand from the seed's words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import parse_tiles
from server.app import create_app
from server.config import Config
from server.fan_texts import FAN_SENTENCES
from server.option_texts import SENTENCES
from server.reading_service import ReadingService


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    config = Config()
    with create_app(config, ReadingService(config)).test_client() as client:
        yield client


def ask(client: FlaskClient, hand: str = "", **more: Any) -> dict[str, Any]:
    answer = client.post("/api/score", json={"hand": list(parse_tiles(hand)), **more})
    assert answer.status_code == 200, answer.text
    return answer.json


def test_a_win_says_what_it_counts_and_why(client: FlaskClient) -> None:
    """Seed: "捉伍儿本混儿龙（14番）：本混儿×（捉伍儿＋龙）", the 4-5-6m may be the dragon's own."""
    found = ask(client, "1234m6789m23p7m11z", drawn="5m", indicator="6m")
    assert (found["kind"], found["fan"]) == ("win", 14)
    assert found["title"]["zh"] == "捉伍儿本混儿龙"
    assert found["jokers"] == ["6m", "7m"]
    assert found["arithmetic"] == "(3+4)×2 = 14"
    assert [(fan["zh"], fan["number"], fan["adds"]) for fan in found["fans"]] == [
        ("捉伍儿", 3, True),
        ("本混儿", 2, False),
        ("龙", 4, True),
    ]
    assert all(fan["sentence"]["zh"] and fan["sentence"]["en"] for fan in found["fans"])
    tiles = [tile for group in found["reading"] for tile in group["tiles"]]
    assert len(tiles) == 14
    assert [tile["tile"] for tile in tiles if tile["drawn"]] == ["5m"]
    assert [
        tile["stands_for"] for tile in tiles if tile["joker"] and tile["stands_for"] != tile["tile"]
    ] == ["1p"]


def test_a_bare_win_says_why_it_may_not_win(client: FlaskClient) -> None:
    """Seed: "最低分数2分…即不允许“屁和”"; the one joker makes 678s, so nothing here scores."""
    hand = "234p567p345s22z7m6s"
    found = ask(client, hand, drawn="7s", indicator="7m")
    assert (found["kind"], found["fan"]) == ("no_win", 1)
    assert "below_min_fan" in [reason.get("code") for reason in found["reasons"]]
    allowed = ask(client, hand, drawn="7s", indicator="7m", options={"min_fan": 1})
    assert (allowed["kind"], allowed["title"]["zh"]) == ("win", "屁和")


def test_waits_have_scores_titles_and_tiles_left(client: FlaskClient) -> None:
    """A lone joker waits for anything (混儿吊 2); drawing 5m scores no more without 4-6m."""
    found = ask(client, "123m678p678s222z1p", indicator="1p", aside=["6m", "6m"])
    assert found["kind"] == "waits"
    by_tile = {wait["tile"]: wait for wait in found["waits"]}
    assert by_tile["6m"]["fan"] == 2
    assert by_tile["6m"]["left"] == 2, "two of the four lie aside"
    assert by_tile["1p"]["left"] == 2, "one in hand, one turned"
    assert by_tile["2z"]["left"] == 1
    assert by_tile["6m"]["title"]["zh"] == "混儿吊"


def test_fourteen_tiles_with_none_apart_are_candidates(client: FlaskClient) -> None:
    """Seed: 捉伍儿 "需要单放": only with the 5m as the drawn tile it counts."""
    found = ask(client, "456m123p789s222z11p", indicator="9m")
    assert found["kind"] == "candidates"
    worth = {one["tile"]: one["fan"] for one in found["candidates"]}
    assert worth["5m"] == 6, "没混儿×捉伍儿"
    assert worth["4m"] == 2, "没混儿 alone"


def test_without_a_turned_tile_the_answer_says_so(client: FlaskClient) -> None:
    found = ask(client, "159m159p159s1234z", drawn="5z")
    assert found["kind"] == "no_win"
    assert any("翻混牌" in reason["zh"] for reason in found["reasons"])


@pytest.mark.parametrize(
    ("request_body", "code"),
    [
        ({"hand": ["1m"] * 5 + ["2m"] * 4 + ["3m"] * 4, "drawn": "9s"}, "five_of_a_kind"),
        ({"hand": ["1m", "2m", "3m"]}, "wrong_count"),
        ({"hand": ["1m"] * 2, "melds": [{"kind": "pong", "tile": "2m"}] * 5}, "too_many_melds"),
        (
            {
                "hand": list(parse_tiles("123m456p7s")),
                "drawn": "7s",
                "melds": [{"kind": "pong", "tile": "5m"}, {"kind": "pong", "tile": "1z"}],
                "indicator": "5m",
            },
            "joker_pong",
        ),
        ({"hand": [*parse_tiles("123m456p789s123z"), "back"], "drawn": "1z"}, "face_down"),
    ],
)
def test_impossible_hands_say_every_reason(
    client: FlaskClient, request_body: dict[str, Any], code: str
) -> None:
    answer = client.post("/api/score", json=request_body)
    assert answer.status_code == 200
    assert answer.json["kind"] == "impossible"
    assert code in [reason.get("code") for reason in answer.json["reasons"]]
    assert all(reason["zh"] and reason["en"] for reason in answer.json["reasons"])


def test_too_many_in_view_is_a_warning_beside_the_score(client: FlaskClient) -> None:
    """Four 9m in hand and one turned make five: the reading or the turned tile is wrong."""
    found = ask(client, "9999m123p456s222z", drawn="1p", indicator="9m")
    assert [warning["code"] for warning in found["warnings"]] == ["five_in_view"]


def test_nothing_is_an_answer_too(client: FlaskClient) -> None:
    assert ask(client)["kind"] == "empty"


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        (b"", 400, "JSON"),
        (b"[1]", 400, "object"),
        (b"\xff\xfe", 400, "JSON"),
        (b"[" * 60000, 400, "JSON"),
        (b"{" + b" " * 70000 + b"}", 413, "64 KB"),
        (b'{"hands": []}', 422, "'hands'"),
        (b'{"hand": "123m"}', 422, "list"),
        (b'{"hand": [5]}', 422, "no tile"),
        (b'{"hand": ["0m"]}', 422, "no tile"),
        (b'{"hand": ["\\ud800"]}', 400, "JSON"),
        (b'{"hand": [null]}', 422, "no tile"),
        (b'{"drawn": ["1m"]}', 422, "no tile"),
        (b'{"indicator": "back"}', 422, "no tile"),
        (b'{"melds": [{"kind": "chow", "tile": "1m"}]}', 422, "pong"),
        (b'{"melds": [{"kind": ["pong"], "tile": "1m"}]}', 422, "pong"),
        (b'{"melds": [1]}', 422, "list of"),
        (b'{"gang_draw": 1}', 422, "true or false"),
        (b'{"options": {"min_fann": 2}}', 422, "min_fan"),
        (b'{"options": {"min_fan": 0}}', 422, "at least 1"),
        (b'{"options": {"heavenly_fan": 1' + b"0" * 4000 + b"}}", 422, "at most"),
        (b'{"options": {"joker_rule": {}}}', 422, "one of"),
        (b'{"options": []}', 422, "object"),
    ],
)
def test_malformed_requests_are_told_what_is_wrong(
    client: FlaskClient, body: bytes, status: int, word: str
) -> None:
    answer = client.post("/api/score", data=body, content_type="application/json")
    assert answer.status_code == status, answer.text
    assert word in answer.json["error"]["en"]
    assert answer.json["error"]["zh"]


TILE = st.sampled_from([f"{n}{s}" for s in "mps" for n in range(1, 10)] + ["1z", "7z", "back"])
SHAPED = st.fixed_dictionaries(
    {"hand": st.lists(TILE, max_size=18)},
    optional={
        "drawn": TILE | st.none(),
        "indicator": TILE | st.none(),
        "aside": st.lists(TILE, max_size=8),
        "jokers": st.lists(TILE, max_size=4) | st.none(),
        "melds": st.lists(
            st.fixed_dictionaries(
                {"kind": st.sampled_from(["pong", "gang_open", "gang_concealed"]), "tile": TILE}
            ),
            max_size=5,
        ),
        "gang_draw": st.booleans(),
        "heavenly": st.booleans(),
        "earthly": st.booleans(),
        "options": st.fixed_dictionaries(
            {},
            optional={
                "su_mode": st.sampled_from(["no_jokers", "face_value", "face_value_diao"]),
                "preset": st.sampled_from(["default", "guadafeng"]),
                "heaven_stack": st.sampled_from(["add", "multiply"]),
                "heavenly_free_last": st.booleans(),
            },
        ),
    },
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
KEY = st.sampled_from(
    ["hand", "drawn", "melds", "indicator", "jokers", "aside", "options", "gang_draw"]
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(body=SHAPED | st.dictionaries(KEY, ANY_JSON, max_size=4))
def test_no_request_reaches_an_error_of_the_server(
    client: FlaskClient, body: dict[str, Any]
) -> None:
    answer = client.post("/api/score", json=body)
    assert answer.status_code in (200, 400, 413, 422), answer.text


def test_options_explain_themselves(client: FlaskClient) -> None:
    about = client.get("/api/options").json
    assert [preset["name"] for preset in about["presets"]] == ["default", "guadafeng"]
    assert {option["name"] for option in about["options"]} == set(SENTENCES)
    for option in about["options"]:
        assert option["zh"]
        assert option["help"]["zh"]
        assert option["help"]["en"]
    big_wind = about["presets"][1]["values"]
    assert (big_wind["mei_hun_fan"], big_wind["hundiao_alone"]) == (4, False)


def test_every_fan_has_its_sentence() -> None:
    from rules.fans import BARE, FANS

    assert {fan.key for fan in (*FANS, BARE)} == set(FAN_SENTENCES)


def test_configured_rules_hold_where_the_request_gives_none() -> None:
    config = Config(rules={"min_fan": 1})
    client = create_app(config, ReadingService(config)).test_client()
    assert client.get("/api/options").json["start"]["min_fan"] == 1
    assert ask(client, "234p567p345s22z7m6s", drawn="7s", indicator="7m")["kind"] == "win"
