"""Every reason the table can give, each from a position where it holds (SPEC §5, §6.4, §9)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from rules.events import (
    NO_GANG_TILE,
    AddedKong,
    Chow,
    ConcealedKong,
    Deal,
    Discard,
    Draw,
    DrawGame,
    Event,
    JokerKong,
    OpenKong,
    Pung,
    ReplacementDraw,
    VoidHand,
    WinClaim,
)
from rules.refusals import CODES, PENALISED
from rules.round import IllegalEvent, Round
from rules.simulate import random_setup
from rules.tiles import TILES
from tests.rules.refusal_positions import (
    added,
    begun,
    chan,
    da,
    dealt,
    discarded,
    four_kongs,
    known,
    kong_at_the_end,
    konged,
    moved,
    ponged,
    wall_end,
    won,
    xiao,
)

GUADAFENG_DIAO = "9s 222m 345p 678p 333z"  # one joker alone beside four sets: 混儿吊

Case = tuple[Callable[[], Round], int, Event, list[str]]

CASES: dict[str, Case] = {
    # the course of a hand
    "over": (won, 0, Discard(0, "1m"), ["hand_over"]),
    "not dealt": (begun, 0, Draw(0, "1m"), ["not_dealt"]),
    "dealt twice": (known, 0, Deal(), ["already_dealt"]),
    "no seat, no tile": (known, 4, Discard(4, "0m"), ["bad_seat", "unknown_tile"]),
    "another seat's action": (ponged, 1, Discard(2, "2p"), ["other_seat"]),
    "not your turn": (ponged, 1, Discard(1, "1s"), ["not_your_turn", "joker_discard"]),
    "铲 voids": (chan, 0, Draw(0, "1z"), ["chan_void"]),
    # drawing
    "draw twice": (lambda: dealt("123456789m11p23p", "4p"), 0, Draw(0), ["second_draw"]),
    "draw for a kong from the front": (konged, 0, Draw(0, "1p"), ["replacement_first"]),
    "draw out of turn": (discarded, 2, Draw(2, "5z"), ["not_your_turn"]),
    "draw after the end": (wall_end, 0, Draw(0), ["not_your_turn", "wall_exhausted"]),
    "draw another tile": (known, 1, Draw(1, "1m"), ["not_your_turn", "not_the_next_tile"]),
    "a fifth tile": (
        lambda: moved(dealt("1111z23456789m5p", "1m"), Discard(0, "5p")),
        1,
        Draw(1, "1z"),
        ["tile_used_up"],
    ),
    "replace without a kong": (ponged, 2, ReplacementDraw(2, "5z"), ["no_kong_to_replace"]),
    "another's replacement": (konged, 1, ReplacementDraw(1, "5z"), ["not_your_turn"]),
    "no tail": (
        lambda: moved(four_kongs(gang_tail_empty="draw"), ConcealedKong(0, "4z")),
        0,
        ReplacementDraw(0, "5z"),
        ["tail_empty"],
    ),
    # discarding
    "discard what one has not": (ponged, 2, Discard(2, "1m"), ["tile_not_held"]),
    "discard a joker one has not": (
        konged,
        0,
        Discard(0, "9s"),
        [
            "no_replacement_taken",
            "tile_not_held",
            "joker_discard",
        ],
    ),
    "discard a joker": (
        lambda: dealt("9s123456789m11p2p", "3p"),
        0,
        Discard(0, "9s"),
        ["joker_discard"],
    ),
    "discard before the replacement": (konged, 0, Discard(0, "1m"), ["no_replacement_taken"]),
    # claiming
    "吃": (discarded, 1, Chow(1, "7z"), ["no_chow"]),
    "吃 on one's turn": (ponged, 2, Chow(2, "7z"), ["no_chow", "nothing_to_claim"]),
    "碰 with nothing there": (
        ponged,
        0,
        Pung(0, "7z"),
        ["nothing_to_claim", "needs_two"],
    ),
    "碰 one's own discard": (discarded, 0, Pung(0, "7z"), ["own_discard", "needs_two"]),
    "碰 another tile": (discarded, 2, Pung(2, "2p"), ["not_the_discard", "needs_two"]),
    "碰 a joker": (
        lambda: moved(dealt("11s2468p246s777z2z", "1s", seat=2), Discard(0, "1s")),
        2,
        Pung(2, "1s"),
        ["joker_pung"],
    ),
    "明杠 with two": (
        lambda: discarded(text="77z2468p2468s135s"),
        2,
        OpenKong(2, "7z"),
        ["needs_three"],
    ),
    "明杠 a joker": (
        lambda: moved(dealt("111s2468p24s777z2z", "1s", seat=2), Discard(0, "1s")),
        2,
        OpenKong(2, "1s"),
        ["joker_kong"],
    ),
    "暗杠 with three": (
        lambda: dealt("111z23456789m55p", "1m"),
        0,
        ConcealedKong(0, "1z"),
        ["needs_four"],
    ),
    "暗杠 of jokers": (
        lambda: dealt("1111s23456789m5p", "1m"),
        0,
        ConcealedKong(0, "1s"),
        ["joker_kong"],
    ),
    "混儿杠 not in the rules": (
        lambda: dealt("1111s23456789m5p", "1m"),
        0,
        JokerKong(0, "1s"),
        ["joker_kong_not_allowed"],
    ),
    "混儿杠 of other tiles": (
        lambda: dealt("1111z23456789m5p", "1m", joker_gang_points=4),
        0,
        JokerKong(0, "1z"),
        ["not_a_joker"],
    ),
    "补杠 without a 碰": (
        lambda: dealt("111z23456789m55p", "1m"),
        0,
        AddedKong(0, "1z"),
        ["no_pung_to_add"],
    ),
    "杠 right after 碰": (
        ponged,
        2,
        AddedKong(2, "7z"),
        ["kong_after_pung"],
    ),
    "杠 twice at once": (
        lambda: moved(dealt("1111z2222z34567m", "1m"), ConcealedKong(0, "1z")),
        0,
        ConcealedKong(0, "2z"),
        ["replacement_first"],
    ),
    "大相公 may not kong": (da, 0, ConcealedKong(0, "1z"), ["too_many_tiles"]),
    # winning
    "和 on a discard": (discarded, 2, WinClaim(2), ["no_win_on_discard"]),
    "和 on one's own discard": (discarded, 0, WinClaim(0), ["not_your_turn"]),
    "抢杠": (added, 3, WinClaim(3), ["no_robbing_kong"]),
    "和 before the replacement": (konged, 0, WinClaim(0), ["replacement_first"]),
    "和 in another's turn": (konged, 3, WinClaim(3), ["not_your_turn"]),
    "和 after 碰": (ponged, 2, WinClaim(2), ["win_after_pung"]),
    "大相公 may not win": (da, 0, WinClaim(0), ["too_many_tiles"]),
    "小相公 may not win": (xiao, 0, WinClaim(0), ["too_few_tiles"]),
    "大相公 on a discard: both reasons": (
        lambda: moved(da(), Discard(0, "5p"), Draw(1, "6z"), Discard(1, "6z")),
        0,
        WinClaim(0),
        ["no_win_on_discard", "too_many_tiles"],
    ),
    "诈和, no shape": (lambda: dealt("147m258p369p1234z", "5z"), 0, WinClaim(0), ["not_complete"]),
    "混儿吊 alone under 刮大风": (
        lambda: moved(
            dealt(GUADAFENG_DIAO, "5z", "7z", preset="guadafeng", joker_rule="7"),
        ),
        0,
        WinClaim(0),
        ["hundiao_alone", "below_min_fan"],
    ),
    # ending
    "和局 too early": (known, 0, DrawGame(), ["not_drawn_yet"]),
    "和局 for want of a gang tile": (konged, 0, DrawGame(NO_GANG_TILE), ["not_drawn_yet"]),
    "no such 和局": (known, 0, DrawGame("rain"), ["unknown_cause"]),
    "no 铲": (known, 0, VoidHand(), ["not_chan"]),
    # dealing
    "dealing from an unknown wall": (begun, 0, Deal(), ["tile_unknown"]),
    "too few dealt": (
        begun,
        0,
        Deal((("1m",),) * 4, "1m", "1m"),
        ["deal_count", "deal_five_of_a_kind"],
    ),
    "no tile dealt": (begun, 0, Deal((("0m",) * 13,) * 4, "1m", "1m"), ["unknown_tile"]),
    "not what the wall deals": (
        lambda: Round.begin(random_setup(Random(5), dealer=0)),
        0,
        Deal(tuple(tuple(t for t in TILES[k : k + 13]) for k in (0, 5, 10, 15)), "7z", "7z"),
        ["deal_not_the_wall"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_reason(name: str) -> None:
    """`why_not` gives all the reasons that hold, in both languages, and `apply` refuses with
    them.
    """
    build, seat, action, codes = CASES[name]
    table = build()
    reasons = table.why_not(seat, action)
    assert [reason.code for reason in reasons] == codes
    assert all(reason.zh and reason.en and "{" not in reason.zh + reason.en for reason in reasons)
    blocking = set(codes) - PENALISED - {"other_seat"}
    if blocking:
        with pytest.raises(IllegalEvent):
            table.apply(action)
    if 0 <= seat < 4:
        assert action not in table.legal_actions(seat)


def test_below_min_fan_is_a_false_win() -> None:
    """“一般的规则中胡牌必须达到的最低分数2分…否则算作诈和”: 屁和 is 1 番.

    Not the first draw, or it would be 地和; a joker in a run, so neither 没混儿 nor 混儿吊.
    """
    table = moved(dealt("9s23m345p678p333z4z", "6z", "4z", *["6z"] * 3, *["7z"] * 3, seat=1))
    table = moved(table, Discard(0, "6z"), Draw(1, "7z"), Discard(1, "7z"))
    for seat, tile in ((2, "6z"), (3, "6z"), (0, "7z")):
        table = moved(table, Draw(seat, tile), Discard(seat, tile))
    table = moved(table, Draw(1, "4z"))
    judged = table.judgement(1)
    assert (judged.complete, judged.names) == (True, ("屁和",))
    reasons = table.why_not(1, WinClaim(1))
    assert [reason.code for reason in reasons] == ["below_min_fan"]
    assert "诈和" in reasons[0].zh


def test_a_discarded_joker_bars_the_win() -> None:
    """“行牌中若把混儿牌打出会被认定为小相公”, and 小相公 may not win: the hand is 没混儿龙 by
    now.
    """
    table = dealt("9s123456789m11p2p", "6z", "3p", "1p", *["6z"] * 3)
    table = moved(table, Discard(0, "9s"))
    for seat in (1, 2, 3):
        table = moved(table, Draw(seat, "6z"), Discard(seat, "6z"))
    table = moved(table, Draw(0, "1p"))
    codes = [reason.code for reason in table.why_not(0, WinClaim(0))]
    assert codes == ["joker_discarded"]


def test_no_tile_left_for_a_kong() -> None:
    """Tail and live part both empty: under "skip" there is no kong; under "draw" it is 和局."""
    table = kong_at_the_end("skip")
    kong = ConcealedKong(3, "4z")
    assert [reason.code for reason in table.why_not(3, kong)] == ["no_replacement_tile"]
    assert kong not in table.legal_actions(3)
    table = kong_at_the_end("draw")
    assert table.why_not(3, kong) == ()
    table = moved(table, kong)
    assert table.legal_actions(3) == (DrawGame(NO_GANG_TILE),)


def test_a_wrong_tile_of_a_known_wall() -> None:
    """The wall says what is drawn next."""
    table = known()
    discard = next(a for a in table.legal_actions(0) if isinstance(a, Discard))
    table = moved(table, discard)
    setup = table.setup
    assert setup.wall is not None
    right = setup.wall[table.wall.place(table.wall.next_order())]
    wrong = next(tile for tile in TILES if tile != right)
    assert [r.code for r in table.why_not(1, Draw(1, wrong))] == ["not_the_next_tile"]
    assert table.why_not(1, Draw(1, right)) == ()


def test_an_unknown_wall_needs_the_tile_named() -> None:
    """Asking about a draw needs no tile; drawing does."""
    table = discarded()
    assert table.why_not(1, Draw(1)) == ()
    with pytest.raises(IllegalEvent) as refused:
        table.apply(Draw(1))
    assert [reason.code for reason in refused.value.reasons] == ["tile_unknown"]
    with pytest.raises(IllegalEvent) as refused:
        table.dealt_by_wall()
    assert [reason.code for reason in refused.value.reasons] == ["no_wall"]


def test_no_reason_is_left_out_here() -> None:
    """Every code of `rules.refusals` is met in this file."""
    elsewhere = {"joker_discarded", "no_replacement_tile", "no_wall"}
    met = {code for _, _, _, codes in CASES.values() for code in codes}
    assert met | elsewhere == set(CODES)
    assert set(CODES) >= PENALISED
