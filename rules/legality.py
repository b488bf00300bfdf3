"""Why an action may not be done now: every reason that holds, none for a legal one (SPEC §5).

The three faults in `refusals.PENALISED` are reasons too, but a round can move on after them: the
rules punish them with 相公 instead of undoing them.

Where the seed says nothing we take what players do:

* No 杠 right after a 碰: the turn goes on with a discard [O: tjmj; R: "a drawn tile added", §5.3].
* With the last live tile drawn there is no discard any more: "抓到混儿牌之前最后一张，仍没有人
  和牌即为和局" ends the hand there; its drawer may still win, or 杠 while a tile is left for it.
* A 杠 that leaves no tile to take at all, tail and live part empty, is refused under "skip" [R];
  under "draw" it is made, counts, and ends the hand ("开杠时若混牌后没有底牌…也被认为是和局").
* A discarded joker is claimed by nobody (§4.5), and 相公 plays on, drawing and discarding [R].
* A player left with nothing but jokers after a 碰 has only the fault to choose [R].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rules.events import (
    NO_GANG_TILE,
    WALL_END,
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
from rules.reasons import Reason
from rules.refusals import refusal
from rules.table import ACT, BY_PUNG, CLAIM, COPIES, DEAL, OVER, REPLACE, VOID, counted
from rules.tiles import KINDS
from rules.wall import SEATS
from rules.xianggong import DA, XIAO

if TYPE_CHECKING:
    from rules.round import Round


def reasons_against(table: Round, action: Event) -> list[Reason]:
    """Every reason why the action cannot be done now; empty when it is legal."""
    malformed = _malformed(action)
    if malformed:
        return malformed
    if table.phase == OVER:
        return [refusal("hand_over")]
    if table.phase == VOID and not isinstance(action, VoidHand):
        return [refusal("chan_void")]
    if isinstance(action, Deal):
        return _against_deal(table, action)
    if table.phase == DEAL:
        return [refusal("not_dealt")]
    return _CHECKS[type(action)](table, action)


def _malformed(action: Event) -> list[Reason]:
    reasons = []
    seat = getattr(action, "seat", 0)
    if type(seat) is not int or not 0 <= seat < SEATS:
        reasons.append(refusal("bad_seat", seat=seat))
    tile = getattr(action, "tile", None)
    if tile is not None and tile not in KINDS:
        reasons.append(refusal("unknown_tile", tile=tile))
    return reasons


def _against_deal(table: Round, deal: Deal) -> list[Reason]:
    if table.phase != DEAL:
        return [refusal("already_dealt")]
    if deal.hands is None or deal.drawn is None or deal.indicator is None:
        return [refusal("tile_unknown")]
    dealt = [tile for hand in deal.hands for tile in hand] + [deal.drawn, deal.indicator]
    unknown = [tile for tile in dict.fromkeys(dealt) if tile not in KINDS]
    if unknown:
        return [refusal("unknown_tile", tile=tile) for tile in unknown]
    reasons = []
    if [len(hand) for hand in deal.hands] != [13] * SEATS:
        reasons.append(refusal("deal_count"))
    for tile in dict.fromkeys(dealt):
        if dealt.count(tile) > COPIES:
            reasons.append(refusal("deal_five_of_a_kind", tile=tile))
    if table.setup.wall is not None and not _same_deal(deal, table.dealt_by_wall()):
        reasons.append(refusal("deal_not_the_wall"))
    return reasons


def _same_deal(one: Deal, other: Deal) -> bool:
    hands = [[counted(hand) for hand in deal.hands or ()] for deal in (one, other)]
    return hands[0] == hands[1] and (one.drawn, one.indicator) == (other.drawn, other.indicator)


def _tile_drawn(table: Round, tile: str | None, order: int | None) -> list[Reason]:
    """Whether the tile drawn can be that one. Where none is named, nothing is asked."""
    if tile is None or order is None:
        return []
    if table.setup.wall is not None:
        fits = table.setup.wall[table.wall.place(order)] == tile
        return [] if fits else [refusal("not_the_next_tile", tile=tile)]
    return [] if table.unseen[KINDS[tile]] else [refusal("tile_used_up", tile=tile)]


def _against_draw(table: Round, action: Draw) -> list[Reason]:
    reasons = []
    phase, own = table.phase, action.seat == table.turn
    if own and phase == REPLACE:
        reasons.append(refusal("replacement_first"))
    elif own and phase == ACT:
        reasons.append(refusal("second_draw"))
    elif phase != CLAIM or action.seat != (table.turn + 1) % SEATS:
        reasons.append(refusal("not_your_turn", seat=action.seat))
    if not table.wall.live_left:
        reasons.append(refusal("wall_exhausted"))
        return reasons
    return reasons + _tile_drawn(table, action.tile, table.wall.next_order())


def _against_replacement(table: Round, action: ReplacementDraw) -> list[Reason]:
    reasons = []
    if table.phase != REPLACE:
        reasons.append(refusal("no_kong_to_replace"))
    elif action.seat != table.turn:
        reasons.append(refusal("not_your_turn", seat=action.seat))
    order = table.replacement_order()
    if order is None:
        reasons.append(refusal("tail_empty"))
    return reasons + _tile_drawn(table, action.tile, order)


def _not_own_turn(table: Round, seat: int) -> list[Reason]:
    """Whether a seat may act with the tiles in its hand."""
    if seat != table.turn or table.phase == CLAIM:
        return [refusal("not_your_turn", seat=seat)]
    return []


def _against_discard(table: Round, action: Discard) -> list[Reason]:
    reasons = _not_own_turn(table, action.seat)
    if not reasons and table.phase == REPLACE:
        reasons.append(refusal("no_replacement_taken"))
    if not table.wall.live_left:
        reasons.append(refusal("wall_exhausted"))
    kind = KINDS[action.tile]
    if not table.seats[action.seat].hand[kind]:
        reasons.append(refusal("tile_not_held", tile=action.tile))
    if kind in table.joker_kinds:
        reasons.append(refusal("joker_discard", tile=action.tile))
    return reasons


def _against_claim(
    table: Round, action: Pung | OpenKong, needed: int, too_few: str, joker: str
) -> list[Reason]:
    """What a pung and an open kong have in common; the last two are the codes of reasons."""
    reasons = []
    if table.phase != CLAIM:
        reasons.append(refusal("nothing_to_claim"))
    else:
        if action.seat == table.turn:
            reasons.append(refusal("own_discard"))
        if action.tile != table.last_discard:
            reasons.append(refusal("not_the_discard", tile=action.tile))
    kind = KINDS[action.tile]
    if table.seats[action.seat].hand[kind] < needed:
        reasons.append(refusal(too_few, tile=action.tile))
    if kind in table.joker_kinds:
        reasons.append(refusal(joker, tile=action.tile))
    return reasons


def _against_pung(table: Round, action: Pung) -> list[Reason]:
    return _against_claim(table, action, 2, "needs_two", "joker_pung")


def _against_any_kong(table: Round, seat: int) -> list[Reason]:
    """大相公 may not kong; a kong needs a tile to replace it, unless its lack is 和局.

    SPEC §5.6.
    """
    reasons = []
    if table.xianggong(seat) == DA:
        reasons.append(refusal("too_many_tiles"))
    if table.options.gang_tail_empty == "skip" and table.replacement_order() is None:
        reasons.append(refusal("no_replacement_tile"))
    return reasons


def _against_own_kong(table: Round, seat: int) -> list[Reason]:
    reasons = _not_own_turn(table, seat)
    if not reasons and table.phase == REPLACE:
        reasons.append(refusal("replacement_first"))
    if not reasons and table.drawn_by == BY_PUNG:
        reasons.append(refusal("kong_after_pung"))
    return reasons + _against_any_kong(table, seat)


def _against_open_kong(table: Round, action: OpenKong) -> list[Reason]:
    reasons = _against_claim(table, action, 3, "needs_three", "joker_kong")
    return reasons + _against_any_kong(table, action.seat)


def _against_concealed_kong(table: Round, action: ConcealedKong) -> list[Reason]:
    reasons = _against_own_kong(table, action.seat)
    kind = KINDS[action.tile]
    if table.seats[action.seat].hand[kind] < COPIES:
        reasons.append(refusal("needs_four", tile=action.tile))
    if kind in table.joker_kinds:
        reasons.append(refusal("joker_kong", tile=action.tile))
    return reasons


def _against_joker_kong(table: Round, action: JokerKong) -> list[Reason]:
    reasons = _against_own_kong(table, action.seat)
    kind = KINDS[action.tile]
    if table.seats[action.seat].hand[kind] < COPIES:
        reasons.append(refusal("needs_four", tile=action.tile))
    if kind not in table.joker_kinds:
        reasons.append(refusal("not_a_joker", tile=action.tile))
    if not table.options.joker_gang_points:
        reasons.append(refusal("joker_kong_not_allowed"))
    return reasons


def _against_added_kong(table: Round, action: AddedKong) -> list[Reason]:
    reasons = _against_own_kong(table, action.seat)
    seat = table.seats[action.seat]
    if not any(meld.kind == "pong" and meld.tile == action.tile for meld in seat.melds):
        reasons.append(refusal("no_pung_to_add", tile=action.tile))
    kind = KINDS[action.tile]
    if not seat.hand[kind]:
        reasons.append(refusal("tile_not_held", tile=action.tile))
    if kind in table.joker_kinds:
        reasons.append(refusal("joker_kong", tile=action.tile))
    return reasons


def _against_win(table: Round, action: WinClaim) -> list[Reason]:
    seat, own = action.seat, action.seat == table.turn
    reasons = []
    if table.phase == CLAIM:
        reasons.append(refusal("not_your_turn", seat=seat) if own else refusal("no_win_on_discard"))
    elif not own and isinstance(table.events[-1], AddedKong):
        reasons.append(refusal("no_robbing_kong"))
    elif not own:
        reasons.append(refusal("not_your_turn", seat=seat))
    elif table.phase == REPLACE:
        reasons.append(refusal("replacement_first"))
    elif table.drawn_by == BY_PUNG:
        reasons.append(refusal("win_after_pung"))
    wrong = _xianggong_reasons(table, seat)
    if not reasons and not wrong:
        return _against_shape(table, seat)
    return reasons + wrong


def _xianggong_reasons(table: Round, seat: int) -> list[Reason]:
    reasons = []
    if table.seats[seat].joker_discarded:
        reasons.append(refusal("joker_discarded"))
    by_count = table.xianggong_by_count(seat)
    if by_count == DA:
        reasons.append(refusal("too_many_tiles"))
    elif by_count == XIAO:
        reasons.append(refusal("too_few_tiles"))
    return reasons


def _against_shape(table: Round, seat: int) -> list[Reason]:
    judgement = table.judgement(seat)
    least = table.options.min_fan
    # The codes are the judgement's; said here as what claiming the win would be (诈和).
    return [refusal(reason.code, fan=judgement.fan, least=least) for reason in judgement.reasons]


def _against_draw_game(table: Round, action: DrawGame) -> list[Reason]:
    if action.cause == WALL_END:
        ended = table.phase == ACT and not table.wall.live_left
    elif action.cause == NO_GANG_TILE:
        ended = table.phase == REPLACE and table.replacement_order() is None
    else:
        return [refusal("unknown_cause", cause=action.cause)]
    return [] if ended else [refusal("not_drawn_yet")]


def _against_void(table: Round, action: VoidHand) -> list[Reason]:
    return [] if table.phase == VOID else [refusal("not_chan")]


def _against_chow(table: Round, action: Chow) -> list[Reason]:
    reasons = [refusal("no_chow")]
    if table.phase != CLAIM:
        reasons.append(refusal("nothing_to_claim"))
    return reasons


_CHECKS: dict[type, Callable[[Round, Any], list[Reason]]] = {
    Draw: _against_draw,
    ReplacementDraw: _against_replacement,
    Discard: _against_discard,
    Pung: _against_pung,
    OpenKong: _against_open_kong,
    ConcealedKong: _against_concealed_kong,
    JokerKong: _against_joker_kong,
    AddedKong: _against_added_kong,
    WinClaim: _against_win,
    DrawGame: _against_draw_game,
    VoidHand: _against_void,
    Chow: _against_chow,
}
