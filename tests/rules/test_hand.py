"""Impossible hands are refused with every reason that holds (SPEC §12)."""

from __future__ import annotations

import pytest

from rules import Hand, HandError, Meld, RuleOptions, hand_problems, judge, parse_tiles, waits


def hand(text: str, win_tile: str | None = None, **more: object) -> Hand:
    """A hand from MPSZ text."""
    return Hand(parse_tiles(text), win_tile=win_tile, **more)  # type: ignore[arg-type]


GOOD = "123m456p789s1122z"


@pytest.mark.parametrize(
    ("bad", "codes"),
    [
        (hand("123m", "4m"), ["wrong_count"]),
        (hand(GOOD + "3z", "3z"), ["wrong_count"]),
        (hand("123m"), ["wrong_count"]),
        (hand("11111m456p789s11z", "2z"), ["five_of_a_kind"]),
        (Hand(("0m", *parse_tiles(GOOD)[1:]), win_tile="2z"), ["unknown_tile"]),
        (hand(GOOD, "2z", gang_draw=True), ["gang_draw_without_gang"]),
        (hand(GOOD, "2z", heavenly=True, earthly=True), ["heavenly_and_earthly"]),
        (
            hand("456p789s1122z", "2z", melds=(Meld("pong", "7z"),), earthly=True),
            ["heaven_with_melds"],
        ),
        (
            hand("456p789s1122z", "2z", melds=(Meld("pong", "7z"),), jokers=("7z",)),
            ["joker_pong"],
        ),
        (
            hand("456p789s1122z", "2z", melds=(Meld("gang_open", "7z"),), jokers=("7z",)),
            ["joker_gang_open"],
        ),
        (
            hand("456p789s1122z", "2z", melds=(Meld("gang_concealed", "7z"),), jokers=("7z",)),
            ["joker_gang"],
        ),
        (hand("456p789s1122z", "2z", melds=(Meld("chow", "7s"),)), ["unknown_meld"]),
        (hand("", melds=(Meld("pong", "7s"),) * 5), ["five_of_a_kind", "too_many_melds"]),
        (
            Hand(("9z",) * 5, (Meld("pong", "1m"),), ("1m",), None, True, True, True),
            [
                "five_of_a_kind",
                "gang_draw_without_gang",
                "heaven_with_melds",
                "heaven_with_melds",
                "heavenly_and_earthly",
                "joker_pong",
                "unknown_tile",
                "wrong_count",
            ],
        ),
    ],
)
def test_every_reason_is_named(bad: Hand, codes: list[str]) -> None:
    # "An error names every reason that holds": SPEC §12's list, one by one and together.
    assert sorted(reason.code for reason in hand_problems(bad)) == codes
    for ask in (judge, waits):
        with pytest.raises(HandError) as refused:
            ask(bad)
        assert sorted(reason.code for reason in refused.value.reasons) == codes


def test_a_joker_gang_is_the_options_matter() -> None:
    # "有的规则不允许开混儿杠" (SPEC §9.3): the same hand is possible when it has points.
    gang = hand("456p789s1122z", "2z", melds=(Meld("gang_concealed", "7z"),), jokers=("7z",))
    assert not hand_problems(gang, RuleOptions(joker_gang_points=4))
    assert judge(gang, RuleOptions(joker_gang_points=4)).complete


def test_judging_needs_a_drawn_tile_and_waits_need_none() -> None:
    # 13 tiles wait, 14 are judged (SPEC §12): the wrong question says so.
    with pytest.raises(HandError, match="ask for its waits"):
        judge(hand(GOOD))
    with pytest.raises(HandError, match="waiting hand"):
        waits(hand(GOOD, "2z"))
    with pytest.raises(HandError, match="waiting hand"):
        waits(hand(GOOD + "2z"))


def test_lists_are_taken_and_kept_as_tuples() -> None:
    # A hand is a value: it must not change when a list it was made from does.
    tiles = list(parse_tiles(GOOD))
    made = Hand(tiles, [], ["7z"], "2z")  # type: ignore[arg-type]
    tiles.clear()
    assert len(made.concealed) == 13
    assert hash(made) == hash(Hand(made.concealed, (), ("7z",), "2z"))
