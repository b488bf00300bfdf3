"""The score ledger: what is entered stays, is entered once, and counts as the rules say.

Points are worked out by hand from the seed: "和其他全部三家结算", "庄家和其他闲家…乘以2",
"明杠为1分，暗杠为2分" (SPEC §10).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from server.ledger import (
    ConflictError,
    Extras,
    Ledger,
    LedgerError,
    MalformedError,
    Picture,
    RefusedError,
    Request,
    UnknownError,
)

PLAYERS = ["甲", "乙", "丙", "丁"]
JPEG = Picture("image/jpeg", b"\xff\xd8\xff" + bytes(range(256)))


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(
        tmp_path / "data" / "ledger.sqlite", lambda: datetime(2025, 1, 31, 20, 5, tzinfo=UTC)
    )


def begun(ledger: Ledger) -> int:
    return ledger.begin(PLAYERS).sheet.id


def test_a_hand_is_entered_with_everything_that_belongs_to_it(ledger: Ledger) -> None:
    """坐庄, 丁 pulls: seat 2's 6 fan costs the dealer 12, the others 6; seat 1's 暗杠 pays 2, 4."""
    guo = begun(ledger)
    result = {
        "winner": 2,
        "fan": 6,
        "zuo": True,
        "la": [0, 0, 0, 1],
        "gangs": [{"player": 1, "kind": "concealed"}],
    }
    extras = Extras("双混儿捉伍儿", {"tiles": ["5m"]}, JPEG)
    ledger.enter_hand(guo, result, extras, "好牌")
    ledger.close()
    line = ledger.sheet(guo).lines[0]
    assert line.entry.deltas == (-12 - 4, -6 + 4 + 2 + 2, 6 + 6 + 12 - 2, -6 - 2)
    assert line.entry.result is not None
    assert (line.entry.result.dealer, line.entry.result.winner, line.entry.result.fan) == (0, 2, 6)
    assert (line.entry.result.zuo, line.entry.result.la) == (True, (0, 0, 0, 1))
    assert (line.title, line.reading, line.entry.note) == ("双混儿捉伍儿", extras.reading, "好牌")
    assert line.entered_at == "2025-01-31T20:05:00Z"
    assert ledger.picture(guo, 1) == JPEG


def test_totals_dealer_and_streak(ledger: Ledger) -> None:
    """SPEC §10.6: the dealer who wins stays, another's win passes the deal on."""
    guo = begun(ledger)
    ledger.enter_hand(guo, {"winner": 0, "fan": 2})
    ledger.enter_hand(guo, {"winner": 0, "fan": 4})
    totals = ledger.sheet(guo).totals_json()
    assert totals["running"] == [[6, -2, -2, -2], [18, -6, -6, -6]]
    assert (totals["dealer"], totals["dealer_streak"], totals["turns"]) == (0, 2, 0)
    ledger.enter_hand(guo, {"winner": 3, "fan": 2})
    totals = ledger.sheet(guo).totals_json()
    assert (totals["dealer_name"], totals["dealer_streak"], totals["turns"]) == ("乙", 0, 1)
    assert totals["score"] == {"甲": 16, "乙": -8, "丙": -8, "丁": 0}


def test_options_of_the_guo_are_used_and_kept(ledger: Ledger) -> None:
    """刮大风: "和局的情况下杠牌不计算分数" (SPEC §9.1)."""
    guo = ledger.begin(PLAYERS, {"preset": "guadafeng"}).sheet.id
    ledger.enter_hand(guo, {"gangs": [{"player": 1, "kind": "open"}]})
    ledger.close()
    assert ledger.sheet(guo).guo.totals == (0, 0, 0, 0)
    assert ledger.sheet(guo).guo.options.mei_hun_fan == 4


def test_an_impossible_hand_is_refused_with_every_reason_and_nothing_entered(
    ledger: Ledger,
) -> None:
    """Below 起和 2 番 (SPEC §6.4); 拉庄 without 坐庄, and by the dealer himself (SPEC §10.3)."""
    guo = begun(ledger)
    with pytest.raises(RefusedError) as caught:
        ledger.enter_hand(guo, {"winner": 1, "fan": 1, "la": [1, 0, 0, 0]})
    codes = {reason.code for reason in caught.value.reasons}
    assert codes == {"below_min_fan", "la_without_zuo", "dealer_la"}
    with pytest.raises(RefusedError, match="seat 0 deals"):
        ledger.enter_hand(guo, {"dealer": 2, "winner": 1, "fan": 2})
    assert ledger.sheet(guo).lines == ()


def test_undo_negates_redo_brings_back_twice_is_refused(ledger: Ledger) -> None:
    guo = begun(ledger)
    ledger.enter_hand(guo, {"winner": 2, "fan": 6})
    undone = ledger.undo(guo, 1, "数错了").sheet
    assert [line.entry.deltas for line in undone.lines] == [(-6, -6, 18, -6), (6, 6, -18, 6)]
    assert [undone.stands(line) for line in undone.lines] == [False, True]
    assert (undone.guo.dealer, undone.guo.turns) == (0, 0)
    with pytest.raises(RefusedError) as caught:
        ledger.undo(guo, 1)
    assert caught.value.code == "already_undone"
    redone = ledger.undo(guo, 2).sheet
    assert redone.guo.totals == (-6, -6, 18, -6)
    assert [redone.stands(line) for line in redone.lines] == [True, False, True]
    assert (redone.guo.dealer, redone.guo.turns) == (1, 1)


def test_a_correction_is_the_difference(ledger: Ledger) -> None:
    guo = begun(ledger)
    ledger.enter_hand(guo, {"winner": 2, "fan": 6})
    ledger.enter_hand(guo, {"winner": 1, "fan": 2})
    sheet = ledger.correct(guo, 1, {"winner": 2, "fan": 8}).sheet
    assert sheet.lines[2].entry.deltas == (-2, -2, 6, -2)
    assert sheet.guo.totals == (-8 - 2, -8 + 6, 24 - 2, -8 - 2)
    assert sheet.guo.dealer == 1


def test_an_adjustment_needs_its_reason_and_sums_to_zero(ledger: Ledger) -> None:
    guo = begun(ledger)
    ledger.adjust(guo, [-3, 1, 1, 1], "诈和")
    assert ledger.sheet(guo).guo.totals == (-3, 1, 1, 1)
    with pytest.raises(RefusedError):
        ledger.adjust(guo, [-3, 1, 1, 2], "诈和")
    with pytest.raises(MalformedError):
        ledger.adjust(guo, [-3, 1, 1, 1], "")
    with pytest.raises(MalformedError):
        ledger.adjust(guo, [-(10**12), 10**12, 0, 0], "x")


def test_a_repeated_request_is_entered_once(ledger: Ledger) -> None:
    first = ledger.begin(PLAYERS, request=Request("g"))
    again = ledger.begin(PLAYERS, request=Request("g"))
    assert (again.sheet.id, again.repeated) == (first.sheet.id, True)
    guo = first.sheet.id
    for repeated in (False, True):
        entered = ledger.enter_hand(guo, {"winner": 2, "fan": 6}, request=Request("h", 0))
        assert (entered.number, entered.repeated) == (1, repeated)
        assert len(entered.sheet.lines) == 1
    for repeated in (False, True):
        assert ledger.undo(guo, 1, request=Request("u")).repeated is repeated
    with pytest.raises(ConflictError) as caught:
        ledger.enter_hand(guo, {"winner": 2, "fan": 8}, request=Request("h"))
    assert caught.value.code == "key_reused"


def test_somebody_who_has_not_seen_the_last_line_is_told(ledger: Ledger) -> None:
    """Two tablets at one table: the second to enter the same hand must not enter it again."""
    guo = begun(ledger)
    ledger.enter_hand(guo, {"winner": 2, "fan": 6}, request=Request("one", 0))
    with pytest.raises(ConflictError) as caught:
        ledger.enter_hand(guo, {"winner": 2, "fan": 6}, request=Request("two", 0))
    assert caught.value.code == "sheet_moved_on"
    assert len(ledger.sheet(guo).lines) == 1


def test_sixteen_turns_end_a_guo_and_undoing_the_last_opens_it(ledger: Ledger) -> None:
    """SPEC §2.1: everybody deals four times."""
    guo = begun(ledger)
    for turn in range(16):
        ledger.enter_hand(guo, {"winner": (turn + 1) % 4, "fan": 2})
    sheet = ledger.sheet(guo)
    assert sheet.guo.is_finished
    assert sheet.ended_at == "2025-01-31T20:05:00Z"
    assert ledger.summaries()[0][0]["finished"] is True
    with pytest.raises(RefusedError) as caught:
        ledger.enter_hand(guo, {"winner": 1, "fan": 2})
    assert caught.value.code == "guo_over"
    assert ledger.undo(guo, 16).sheet.ended_at is None


def test_a_closed_guo_takes_nothing_until_opened(ledger: Ledger) -> None:
    guo = begun(ledger)
    assert ledger.set_closed(guo, True).ended_at == "2025-01-31T20:05:00Z"
    with pytest.raises(RefusedError) as caught:
        ledger.enter_hand(guo, {"winner": 1, "fan": 2})
    assert caught.value.code == "guo_closed"
    ledger.set_closed(guo, False)
    assert ledger.enter_hand(guo, {"winner": 1, "fan": 2}).number == 1


def test_the_file_itself_refuses_to_change_or_delete_a_line(ledger: Ledger) -> None:
    guo = begun(ledger)
    ledger.enter_hand(guo, {"winner": 2, "fan": 6})
    ledger.close()
    with closing(sqlite3.connect(ledger.path)) as db:
        for statement in ("UPDATE entry SET fan = 28", "DELETE FROM entry"):
            with pytest.raises(sqlite3.IntegrityError, match="never"):
                db.execute(statement)


def test_a_picture_can_be_forgotten_and_the_line_stays(ledger: Ledger) -> None:
    guo = begun(ledger)
    ledger.enter_hand(guo, {"winner": 2, "fan": 6}, Extras(picture=JPEG))
    ledger.forget_picture(guo, 1)
    with pytest.raises(UnknownError):
        ledger.picture(guo, 1)
    with pytest.raises(UnknownError):
        ledger.forget_picture(guo, 1)
    assert ledger.sheet(guo).guo.totals == (-6, -6, 18, -6)


@pytest.mark.parametrize(
    ("players", "options", "east"),
    [
        (["甲", "乙", "丙"], {}, 0),
        (["甲", "乙", "丙", "甲"], {}, 0),
        (["甲", "乙", "丙", "a\nb"], {}, 0),
        (["甲", "乙", "丙", "x" * 41], {}, 0),
        (["甲", "乙", "丙", " "], {}, 0),
        (["甲", "乙", "丙", 4], {}, 0),
        ("甲乙丙丁", {}, 0),
        (PLAYERS, {"min_fann": 2}, 0),
        (PLAYERS, {"min_fan": 10**30}, 0),
        (PLAYERS, {}, 4),
        (PLAYERS, {}, None),
    ],
)
def test_a_guo_of_other_than_four_names_is_refused(
    ledger: Ledger, players: object, options: dict[str, object], east: int
) -> None:
    with pytest.raises(LedgerError):
        ledger.begin(players, options, east)
    assert ledger.summaries() == ([], 0)


@pytest.mark.parametrize(
    "result",
    [
        None,
        [],
        {"winner": "2"},
        {"winner": 2, "fan": 10**15},
        {"winner": 2, "fan": 2.5},
        {"winner": 2, "fan": float("inf")},
        {"gangs": [{"player": 0, "kind": "open"}] * 17},
        {"gangs": [{"player": 0}]},
        {"winners": 2},
        {"la": [0, 0, 0]},
    ],
)
def test_what_is_no_result_is_refused(ledger: Ledger, result: object) -> None:
    guo = begun(ledger)
    with pytest.raises(LedgerError):
        ledger.enter_hand(guo, result)
    assert ledger.sheet(guo).lines == ()


@pytest.mark.parametrize("guo", [0, -1, 2, 10**30])
def test_unknown_guos_are_named(ledger: Ledger, guo: int) -> None:
    begun(ledger)
    with pytest.raises(UnknownError) as caught:
        ledger.sheet(guo)
    assert caught.value.code == "no_such_guo"
    with pytest.raises(UnknownError):
        ledger.undo(1, guo)
    with pytest.raises(UnknownError):
        ledger.picture(1, guo)


def test_a_reading_must_be_json_of_a_modest_size(ledger: Ledger) -> None:
    guo = begun(ledger)
    for reading in ("x" * 70_000, {"a": float("nan")}, {"a": {1, 2}}):
        with pytest.raises(MalformedError):
            ledger.enter_hand(guo, {"winner": 2, "fan": 6}, Extras(reading=reading))


def test_a_preview_says_what_is_paid_and_enters_nothing(ledger: Ledger) -> None:
    guo = begun(ledger)
    settlement = ledger.preview(guo, {"winner": 2, "fan": 6})
    assert settlement.deltas == (-6, -6, 18, -6)
    assert {payment.payer for payment in settlement.payments} == {0, 1, 3}
    with pytest.raises(RefusedError):
        ledger.preview(guo, {"dealer": 1, "winner": 2, "fan": 6})
    assert ledger.sheet(guo).lines == ()
