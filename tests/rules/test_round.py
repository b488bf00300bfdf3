"""One hand from deal to settlement: flags, kongs, JSON (SPEC §4 to §10)."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from rules.events import (
    NO_GANG_TILE,
    AddedKong,
    ConcealedKong,
    Deal,
    Discard,
    Draw,
    DrawGame,
    JokerKong,
    OpenKong,
    Pung,
    ReplacementDraw,
    VoidHand,
    WinClaim,
    event_from_json,
    event_to_json,
)
from rules.hand import Meld
from rules.opening import Opening
from rules.reasons import RequestError, RulesError
from rules.round import Round, Setup
from rules.table import SetupError
from tests.rules.dealt_rounds import LONG, after, dealt


class TestFlags:
    """天和, 地和 and 杠开 come from the events alone (SPEC §7)."""

    def test_heavenly(self) -> None:
        """“庄家立手胡牌为天和”: 龙 4 x 没混儿 2 x 天和 4 = 32, from each of three."""
        table = after(dealt({0: LONG}, "4p"), WinClaim(0))
        assert table.outcome is not None
        assert (table.outcome.names, table.outcome.fan) == (("天和", "没混儿", "龙"), 32)
        assert table.settlement().deltas == (96, -32, -32, -32)
        assert table.settlement().next_dealer == 0

    def test_earthly(self) -> None:
        """“闲家抓第一颗牌胡牌为地和”; a non-dealer's win moves the deal on."""
        table = after(dealt({1: LONG}, "7z", "4p"), Discard(0, "7z"), Draw(1, "4p"), WinClaim(1))
        assert table.outcome is not None
        assert (table.outcome.names, table.outcome.fan) == (("地和", "没混儿", "龙"), 32)
        assert table.settlement().next_dealer == 1

    def test_the_second_draw_is_not_earthly(self) -> None:
        """Only "第一颗牌": seat 1 draws a tile it throws away, a turn later the one it needs."""
        table = after(dealt({1: LONG}, "7z", "4p", "6z", "6z", "6z", "5z"), Discard(0, "7z"))
        for seat, tile in ((1, "6z"), (2, "6z"), (3, "6z"), (0, "5z")):
            table = after(table, Draw(seat, tile), Discard(seat, tile))
        table = after(table, Draw(1, "4p"), WinClaim(1))
        assert table.outcome is not None
        assert table.outcome.names == ("没混儿", "龙")

    def test_others_pung_before_the_first_draw_leaves_earthly(self) -> None:
        """Seat 3 pungs the dealer's discard, so seat 1 draws its first tile a turn later [R]."""
        hands = {1: LONG, 3: "77z2468p2468s135s"}
        table = after(
            dealt(hands, "7z", "4p", "6z"),
            Discard(0, "7z"),
            Pung(3, "7z"),
            Discard(3, "2p"),
            Draw(0, "6z"),
            Discard(0, "6z"),
            Draw(1, "4p"),
        )
        assert table.judgement(1).names == ("地和", "没混儿", "龙")

    def test_own_pung_before_the_first_draw_is_not_earthly(self) -> None:
        """SPEC §12: neither flag goes with melds."""
        hands = {1: "77z123456789m1p2z"}
        table = after(
            dealt(hands, "7z", "6z", "6z", "6z", "1p"),
            Discard(0, "7z"),
            Pung(1, "7z"),
            Discard(1, "2z"),
        )
        for seat in (2, 3, 0):
            table = after(table, Draw(seat, "6z"), Discard(seat, "6z"))
        table = after(table, Draw(1, "1p"))
        assert table.judgement(1).names == ("没混儿", "龙")

    def test_gang_draw_and_no_heaven_after_a_gang(self) -> None:
        """“开杠抓进的牌成胡牌”; "dealer wins on the dealt hand, no 杠 before" (SPEC §7)."""
        table = after(
            dealt({0: "1111z123456789m"}, "1p", "1p"),
            ConcealedKong(0, "1z"),
            ReplacementDraw(0, "1p"),
            WinClaim(0),
        )
        assert table.outcome is not None
        assert (table.outcome.names, table.outcome.fan) == (("杠开", "没混儿", "龙"), 16)
        # 暗杠 2 from each besides.
        assert table.settlement().deltas == (54, -18, -18, -18)

    def test_the_draw_after_is_no_gang_draw(self) -> None:
        """Only the replacement itself makes 杠开."""
        table = after(
            dealt({0: "1111z123456789m"}, "2p", "6z", "5z", "5z", "5z", "2p"),
            ConcealedKong(0, "1z"),
            ReplacementDraw(0, "6z"),
            Discard(0, "6z"),
        )
        for seat in (1, 2, 3):
            table = after(table, Draw(seat, "5z"), Discard(seat, "5z"))
        assert after(table, Draw(0, "2p")).judgement(0).names == ("没混儿", "龙")


class TestKongs:
    """“明杠为1分，暗杠为2分”, and where their tiles come from (SPEC §5.3 to §5.6)."""

    def test_open_kong_is_paid_by_all(self) -> None:
        """Seat 2 kongs seat 0's discard; seats 0, 1 and 3 pay one point each."""
        table = after(
            dealt({2: "777z2468p2468s13s"}, "7z", "2z"), Discard(0, "7z"), OpenKong(2, "7z")
        )
        assert table.seats[2].melds == (Meld("gang_open", "7z"),)
        assert table.seats[0].river == ()
        assert table.settlement().deltas == (-1, -1, 3, -1)
        table = after(table, ReplacementDraw(2, "2z"), Discard(2, "2p"))
        assert table.wall.tail_left == 2 * 7 - 1 - 1

    def test_added_kong_counts_as_open(self) -> None:
        """“明杠…a drawn tile added to one's own pong” (SPEC §5.3)."""
        table = after(
            dealt({2: "77z2468p2468s135s"}, "7z", "6z", "6z", "6z", "7z", "2z"),
            Discard(0, "7z"),
            Pung(2, "7z"),
            Discard(2, "2p"),
        )
        for seat in (3, 0, 1):
            table = after(table, Draw(seat, "6z"), Discard(seat, "6z"))
        table = after(table, Draw(2, "7z"))
        assert AddedKong(2, "7z") in table.legal_actions(2)
        table = after(table, AddedKong(2, "7z"), ReplacementDraw(2, "2z"))
        assert table.seats[2].melds == (Meld("gang_open", "7z"),)
        assert [(gang.player, gang.kind) for gang in table.gangs] == [(2, "open")]

    def test_joker_kong(self) -> None:
        """“混儿杠也称金杠，即用混儿开杠…4到8分不等”: four 1s, a joker kind with all four in
        play.
        """
        table = dealt({0: "1111s147m258p369p"}, "7z", "2z", joker_gang_points=6)
        assert JokerKong(0, "1s") in table.legal_actions(0)
        table = after(table, JokerKong(0, "1s"), ReplacementDraw(0, "2z"))
        assert table.settlement().deltas == (18, -6, -6, -6)

    def four_kongs(self, **options: Any) -> Round:
        table = dealt(
            {0: "1111z2222z3333z1m"}, "4z", "4z", "4z", "4z", "5z", dice3=(1, 1), **options
        )
        for tile in ("1z", "2z", "3z"):
            table = after(table, ConcealedKong(0, tile), ReplacementDraw(0, "4z"))
        assert table.wall.tail_left == 0
        return after(table, ConcealedKong(0, "4z"))

    def test_tail_empty_skip(self) -> None:
        """“有的规则中会跳过混儿拿混儿前面的牌” (SPEC §5.6, the default)."""
        table = self.four_kongs()
        live = table.wall.live_left
        assert table.legal_actions(0) == (ReplacementDraw(0),)
        table = after(table, ReplacementDraw(0, "5z"))
        assert table.wall.live_left == live - 1

    def test_tail_empty_draw(self) -> None:
        """“有的规则会认为是和局”: the kong counts, 4 x 2 from each; the dealer has gangs and
        stays.
        """
        table = self.four_kongs(gang_tail_empty="draw")
        assert table.legal_actions(0) == (DrawGame(NO_GANG_TILE),)
        table = after(table, DrawGame(NO_GANG_TILE))
        assert table.settlement().deltas == (24, -8, -8, -8)
        assert table.settlement().next_dealer == 0


class TestValue:
    """Immutable, replayable, and the same again from JSON."""

    def sample(self) -> Round:
        return after(
            dealt({0: "1111z123456789m"}, "1p", "1p", zuo=True),
            ConcealedKong(0, "1z"),
            ReplacementDraw(0, "1p"),
            WinClaim(0),
        )

    def test_apply_leaves_the_old_round_alone(self) -> None:
        """What does not change is shared."""
        table = dealt({0: LONG}, "7z", "5z")
        later = after(table, Discard(0, "7z"), Draw(1, "5z"))
        assert table.phase == "act"
        assert len(table.events) == 1
        assert later.seats[3] is table.seats[3]
        with pytest.raises(FrozenInstanceError):
            table.turn = 2  # type: ignore[misc]

    def test_json_round_trip(self) -> None:
        """Through text, event by event and whole."""
        table = self.sample()
        again = Round.from_json(json.loads(json.dumps(table.to_json())))
        assert again == table
        assert Round.replay(table.setup, table.events) == table
        for event in table.events:
            assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event

    def test_the_won_hand_can_be_judged_after_the_end(self) -> None:
        """The page shows why it won: same fans, the drawn tile still apart."""
        table = self.sample()
        assert table.outcome is not None
        assert table.hand(0).win_tile == "1p"
        assert table.judgement(0).names == table.outcome.names == ("杠开", "没混儿", "龙")

    def test_every_event_has_its_json(self) -> None:
        """All of them, in both directions."""
        for event in (
            Draw(1, "5m"),
            Draw(1),
            ReplacementDraw(2),
            Discard(0, "1z"),
            Pung(0, "1z"),
            OpenKong(0, "1z"),
            AddedKong(0, "1z"),
            JokerKong(0, "1z"),
            DrawGame(NO_GANG_TILE),
            VoidHand(),
            Deal(),
        ):
            assert event_from_json(event_to_json(event)) == event

    @pytest.mark.parametrize(
        "data",
        [
            "draw",
            {"type": "fly"},
            {"type": "draw"},
            {"type": "draw", "seat": "1"},
            {"type": "draw", "seat": 1, "colour": "red"},
            {"type": "discard", "seat": 1, "tile": None, "x": 1},
            {"type": "deal", "hands": [1, 2]},
        ],
    )
    def test_malformed_events(self, data: Any) -> None:
        """A message, never a traceback of Python's own."""
        with pytest.raises(RequestError) as error:
            event_from_json(data)
        assert error.value.reasons[0].code == "malformed_event"

    @pytest.mark.parametrize(
        "change",
        [
            {"dice": None},
            {"dice": [[1, 2]]},
            {"dealer": None},
            {"dealer": 4},
            {"dice": [[1, 2], [1, 7], [1, 1]]},
            {"wall": "123m"},
            {"wall": "xx"},
            {"options": {"no_such": 1}},
            {"la": [1, 0, 0, 0]},
            {"events": [{"type": "win_claim", "seat": 0}]},
            {"events": 3},
        ],
    )
    def test_malformed_rounds(self, change: dict[str, Any]) -> None:
        """Every malformed record is refused with reasons of ours."""
        with pytest.raises(RulesError) as error:
            Round.from_json(self.sample().to_json() | change)
        assert error.value.reasons

    def test_setup_names_every_reason(self) -> None:
        """拉庄 without 坐庄, by the dealer himself, with a die of seven."""
        with pytest.raises(SetupError) as error:
            Setup(Opening(0, (1, 7), (1, 1), (1, 1)), la=(1, 0, 0, 0))
        codes = [reason.code for reason in error.value.reasons]
        assert codes == ["la_without_zuo", "dealer_la", "bad_dice"]

    def test_unseen_by_a_seat(self) -> None:
        """Own hand, melds, rivers and the turned tile are seen; wall and other hands are not."""
        table = after(dealt({2: "77z2468p2468s135s"}, "7z", "5z"), Discard(0, "7z"), Pung(2, "7z"))
        left = table.unseen_by(0)
        assert (left["7z"], left["9s"]) == (1, 3 - table.seats[0].concealed.count("9s"))
        assert table.unseen_by(2)["2p"] == 3
        assert sum(left.values()) == 136 - 13 - 3 - 1
        assert sum(table.unseen_by(2).values()) == 136 - 11 - 3 - 1

    def test_passing_needs_no_event(self) -> None:
        """The next seat's draw says that nobody claimed the discard."""
        table = after(dealt({2: "77z2468p2468s135s"}, "7z", "5z"), Discard(0, "7z"))
        assert table.legal_actions(2) == (Pung(2, "7z"),)
        assert table.legal_actions(1) == (Draw(1),)
        assert after(table, Draw(1, "5z")).legal_actions(2) == ()
