"""A hand that goes wrong or ends without a win: 铲, 相公, tail and wall end (SPEC §5, §9)."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.events import (
    WALL_END,
    ConcealedKong,
    Deal,
    Discard,
    Draw,
    DrawGame,
    VoidHand,
    WinClaim,
)
from rules.opening import Opening
from rules.round import Round, Setup
from rules.simulate import random_setup
from rules.tiles import TILES
from tests.rules.dealt_rounds import after, dealt, refused


class TestChan:
    """“庄家打出第一张牌后，其他三家分别跟打相同的牌的情况称为铲” (SPEC §9.2)."""

    def four(self, **options: Any) -> Round:
        table = dealt({0: "147m258p346p112z5z"}, "3z", "5z", "5z", "5z", zuo=True, **options)
        table = after(table, Discard(0, "5z"))
        for seat in (1, 2, 3):
            table = after(table, Draw(seat, "5z"), Discard(seat, "5z"))
        return table

    def test_none(self) -> None:
        """“大部分的规则中没有“铲””: play goes on and nothing is paid."""
        table = self.four()
        assert table.chan
        assert table.phase == "claim"
        assert table.settlement().deltas == (0, 0, 0, 0)

    def test_pay(self) -> None:
        """“庄家输给其他三家每家1分，之后继续正常进行”; 坐庄 does not multiply it [R]."""
        table = self.four(chan="pay")
        assert table.phase == "claim"
        assert table.legal_actions(0) == (Draw(0),)
        assert table.settlement().deltas == (-3, 1, 1, 1)

    def test_restart(self) -> None:
        """“这一盘被认为结束洗牌后重新开始”: nothing else may happen; same dealer, nothing paid."""
        table = self.four(chan="restart")
        assert table.phase == "void"
        assert [table.legal_actions(seat) for seat in range(4)] == [(), (), (), (VoidHand(),)]
        assert refused(table, Draw(0, "1z")) == ["chan_void"]
        over = after(table, VoidHand())
        settled = over.settlement()
        assert (settled.deltas, settled.next_dealer, settled.restart) == ((0, 0, 0, 0), 0, True)
        assert over.outcome is not None
        assert over.outcome.kind == "void"

    def test_three_alike_are_no_chan(self) -> None:
        """All four must discard it."""
        table = dealt({0: "147m258p346p112z5z"}, "3z", "5z", "5z", "6z", chan="restart")
        table = after(table, Discard(0, "5z"))
        for seat, tile in ((1, "5z"), (2, "5z"), (3, "6z")):
            table = after(table, Draw(seat, tile), Discard(seat, tile))
        assert not table.chan
        assert table.phase == "claim"


class TestXianggong:
    """“若多张则为“大相公”，此时不能胡牌，不能开杠。若少张则为“小相公”，此时不能胡牌，
    但可以开杠。”
    """

    def test_discarding_a_joker(self) -> None:
        """“行牌中若把混儿牌打出会被认定为小相公”: it can happen but is never a legal action."""
        table = dealt({0: "9s1111z23456789m"}, "7z", "1m")
        assert Discard(0, "9s") not in table.legal_actions(0)
        assert Discard(0, "9s") in table.legal_actions(0, include_penalised=True)
        assert [r.code for r in table.why_not(0, Discard(0, "9s"))] == ["joker_discard"]
        table = after(table, Discard(0, "9s"))
        assert table.xianggong(0) == "xiao"
        assert table.xianggong_by_count(0) is None

    def test_xiao_may_kong_but_not_win(self) -> None:
        """The next round's tiles complete the hand: still no win, and the kong is still there."""
        table = after(
            dealt({0: "9s111z123456789m"}, "1p", "6z", "6z", "6z", "1p", "1z"), Discard(0, "9s")
        )
        for seat in (1, 2, 3):
            table = after(table, Draw(seat, "6z"), Discard(seat, "6z"))
        won = after(table, Draw(0, "1p"))
        assert won.judgement(0).win
        assert [r.code for r in won.why_not(0, WinClaim(0))] == ["joker_discarded"]
        kong = after(table, Draw(0, "1z"))
        assert ConcealedKong(0, "1z") in kong.legal_actions(0)

    def test_second_draw_makes_da(self) -> None:
        """Too many tiles: neither win nor kong, play goes on."""
        table = dealt({0: "1111z23456789m5p"}, "1m", "5p")
        assert Draw(0) in table.legal_actions(0, include_penalised=True)
        assert Draw(0) not in table.legal_actions(0)
        table = after(table, Draw(0, "5p"))
        assert table.xianggong(0) == "da"
        codes = [r.code for r in table.why_not(0, ConcealedKong(0, "1z"))]
        assert codes == ["too_many_tiles"]
        table = after(table, Discard(0, "5p"))
        assert table.xianggong(0) == "da"

    def test_a_kong_without_its_tile_makes_xiao(self) -> None:
        """“如开杠没拿底牌”: discarding before the replacement leaves a tile too few for good."""
        table = after(dealt({0: "1111z23456789m5p"}, "1m"), ConcealedKong(0, "1z"))
        assert table.xianggong(0) is None
        table = after(table, Discard(0, "5p"))
        assert table.xianggong(0) == "xiao"


class TestWallEnd:
    """“每盘抓牌抓到混儿牌之前最后一张，仍没有人和牌即为和局” (SPEC §5.7)."""

    def play_out(self, seed: int) -> Round:
        table = Round.begin(random_setup(Random(seed), dealer=1)).apply(Deal())
        while table.wall.live_left:
            plain = [a for a in table.legal_actions(table.turn) if isinstance(a, Discard)]
            table = table.apply(plain[-1])
            table = table.apply(Draw((table.turn + 1) % 4))
        return table

    def test_last_tile(self) -> None:
        """The last drawer may win or kong, not discard; else the hand is drawn, no gang, 连庄."""
        table = self.play_out(4)
        assert DrawGame(WALL_END) in table.legal_actions(table.turn)
        tile = table.hand(table.turn).win_tile
        assert tile is not None
        assert "wall_exhausted" in refused(table, Discard(table.turn, tile))
        assert refused(table, Draw((table.turn + 1) % 4)) == ["not_your_turn", "wall_exhausted"]
        over = after(table, DrawGame(WALL_END))
        assert over.settlement().deltas == (0, 0, 0, 0)
        assert over.settlement().next_dealer == 1
        assert all(over.xianggong(seat) is None for seat in range(4))
        live = over.wall.live_size
        assert len(over.events) == 1 + 2 * (live - 53) + 1

    def test_known_wall_is_dealt_from_the_break(self) -> None:
        """SPEC §3.5, §3.6, §4.1: the places of the first and the turned tile, worked out by hand.

        Dealer 1 rolls 3: 对门 is seat 3; 3 + 7 = 10 stacks along its wall: stack 60, place 120.
        """
        setup = random_setup(Random(1), dealer=1)
        setup = Setup(Opening(1, (1, 2), (3, 4), (1, 1)), wall=setup.wall)
        table = Round.begin(setup).apply(Deal())
        deal, wall = table.events[0], setup.wall
        assert isinstance(deal, Deal)
        assert wall is not None
        assert deal.hands is not None
        assert deal.hands[1][:4] == wall[120:124]
        assert deal.hands[2][:4] == wall[124:128]
        assert deal.indicator == wall[2 * 58]
        # The dealer's fourteenth is the 53rd tile: place 120 + 52 past the last, 135.
        assert deal.drawn == wall[120 + 52 - 136]
        wrong = next(tile for tile in TILES if tile != wall[120 + 53 - 136])
        table = table.apply(Discard(1, next(t for t in deal.hands[1] if t not in table.jokers)))
        assert refused(table, Draw(2, wrong)) == ["not_the_next_tile"]
