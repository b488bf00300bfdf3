"""Who pays whom, who deals next, and what is refused (SPEC §10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.options import RuleOptions
from rules.settlement import Gang, HandResult, SettlementError, pairwise, settle

GUADAFENG = RuleOptions.from_mapping({"preset": "guadafeng"})


def codes(result: HandResult, options: RuleOptions | None = None) -> list[str]:
    with pytest.raises(SettlementError) as refused:
        settle(result, options)
    assert all(reason.zh and reason.en for reason in refused.value.reasons)
    return [reason.code for reason in refused.value.reasons]


def test_zuo_and_la_worked_by_hand() -> None:
    """Dealer 0 sits, seat 1 pulls twice; seat 2 wins 3 番 and holds a 暗杠 (2), seat 0 a 明杠 (1).

    Win: seat 0 pays 3x2 = 6, seats 1 and 3 pay 3. 暗杠: seat 0 pays 2x2 = 4, the others 2.
    明杠 of the dealer: seat 1 pays 1x2x4 = 8, seats 2 and 3 pay 2
    (“如果拉两庄的话就是乘以4”).
    """
    settled = settle(
        HandResult(0, 2, 3, (Gang(2, "concealed"), Gang(0, "open")), zuo=True, la=(0, 2, 0, 0)),
        RuleOptions(max_la=2),
    )
    assert settled.deltas == (-6 - 4 + 12, -3 - 2 - 8, 12 + 8 - 2, -3 - 2 - 2)
    assert pairwise(settled)[0, 2] == -6 - 4 + 2
    assert {p.reason.code for p in settled.payments} == {"win", "gang_concealed", "gang_open"}


def test_a_gang_on_a_discard_is_paid_by_all_three() -> None:
    """“即便是杠别人打出的牌…仍然要和其他全部三家结算”: there is no payer among the inputs at
    all.
    """
    assert settle(HandResult(0, gangs=(Gang(3, "open"),))).deltas == (-1, -1, -1, 3)


def test_zhuang_may_leave_gangs_alone() -> None:
    """SPEC §10.4, option zhuang_multiplies_gangs."""
    result = HandResult(0, gangs=(Gang(1, "open"),), zuo=True)
    assert settle(result).deltas == (-2, 4, -1, -1)
    assert settle(result, RuleOptions(zhuang_multiplies_gangs=False)).deltas == (-1, 3, -1, -1)


@pytest.mark.parametrize(
    ("result", "options", "dealer"),
    [
        (HandResult(2, 2, 2), None, 2),
        (HandResult(2, 0, 2), None, 3),
        (HandResult(3, 1, 2), None, 0),
        (HandResult(2), None, 2),
        (HandResult(2, gangs=(Gang(1, "open"),)), None, 3),
        (HandResult(2, gangs=(Gang(1, "open"), Gang(2, "open"))), None, 2),
        (HandResult(2, gangs=(Gang(2, "concealed"),)), None, 2),
        (HandResult(2, gangs=(Gang(1, "open"),)), RuleOptions(draw_dealer="stay"), 2),
        (HandResult(2, gangs=(Gang(1, "open"),)), GUADAFENG, 3),
    ],
)
def test_next_dealer(result: HandResult, options: RuleOptions | None, dealer: int) -> None:
    """“若庄家胡牌则连庄；如果和局且庄家没有杠、旁家有杠则不连庄；否则和局连庄” (SPEC §10.6)."""
    assert settle(result, options).next_dealer == dealer


def test_chan_variants() -> None:
    """SPEC §9.2: no 铲; the hand void; the dealer pays each 1 and play goes on."""
    won = HandResult(1, 3, 4, chan=True, zuo=True)
    assert settle(won).deltas == settle(HandResult(1, 3, 4, zuo=True)).deltas
    pay = settle(won, RuleOptions(chan="pay"))
    assert pay.deltas == (-4 + 1, -8 - 3, -4 + 1, 16 + 1)
    multiplied = RuleOptions(chan="pay", chan_points=2, chan_multiplied=True)
    assert settle(won, multiplied).deltas == (-4 + 4, -8 - 12, -4 + 4, 16 + 4)
    void = settle(HandResult(1, gangs=(Gang(2, "open"),), chan=True), RuleOptions(chan="restart"))
    assert (void.deltas, void.next_dealer, void.restart) == ((0, 0, 0, 0), 1, True)


def test_every_reason_at_once() -> None:
    """SPEC §12: "An error names every reason that holds"."""
    result = HandResult(0, 1, 1, (Gang(1, "joker"),), zuo=False, la=(1, 2, 0, 0))
    assert codes(result) == [
        "below_min_fan",
        "la_without_zuo",
        "too_many_la",
        "dealer_la",
        "joker_gang",
    ]


@pytest.mark.parametrize(
    ("result", "options", "code"),
    [
        (HandResult(4), None, "bad_seat"),
        (HandResult(0, 5, 2), None, "bad_seat"),
        (HandResult(0, gangs=(Gang(7, "open"),)), None, "bad_seat"),
        (HandResult(0, None, 3), None, "fan_without_winner"),
        (HandResult(0, 1, 2, chan=True), RuleOptions(chan="restart"), "win_after_chan"),
        (HandResult(0, zuo=True, la=(0, 1)), None, "bad_la"),
        (HandResult(0, zuo=True, la=(0, -1, 0, 0)), None, "negative_la"),
        (HandResult(0, gangs=(Gang(1, "flower"),)), None, "unknown_gang"),
        (HandResult(0, gangs=(Gang(1, "open"),) * 5), None, "too_many_gangs"),
    ],
)
def test_refusals(result: HandResult, options: RuleOptions | None, code: str) -> None:
    """What cannot be is refused with its reason, never settled somehow."""
    assert codes(result, options) == [code]


@given(
    st.integers(0, 3),
    st.one_of(st.none(), st.integers(0, 3)),
    st.integers(2, 64),
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["open", "concealed", "joker"]))),
    st.booleans(),
    st.lists(st.integers(0, 2), min_size=4, max_size=4),
    st.booleans(),
)
def test_deltas_sum_to_zero(
    dealer: int,
    winner: int | None,
    fan: int,
    gangs: list[tuple[int, str]],
    zuo: bool,
    la: list[int],
    chan: bool,
) -> None:
    """SPEC §10.7, and what two seats owe each other adds up to the same."""
    pulls = [times if zuo and seat != dealer else 0 for seat, times in enumerate(la)]
    owned = [Gang(*gang) for gang in gangs][:4]
    result = HandResult(
        dealer, winner, fan if winner is not None else 0, tuple(owned), zuo, tuple(pulls), chan
    )
    options = RuleOptions(max_la=2, joker_gang_points=6, chan="pay")
    settled = settle(result, options)
    assert sum(settled.deltas) == 0
    net = [0, 0, 0, 0]
    for (a, b), points in pairwise(settled).items():
        net[a] += points
        net[b] -= points
    assert tuple(net) == settled.deltas
