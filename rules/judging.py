"""Judging a hand and listing its waits: the engine's front (SPEC §6 to §9, §12)."""

from __future__ import annotations

from dataclasses import replace

from rules.cover import FIELD, HONOURS, SUIT_BITS, SUIT_MASK, SUITS
from rules.explain import Judgement
from rules.face import face_readings
from rules.fans import View
from rules.features import (
    FACE_STEP,
    FIVE_M,
    PAIR_DIAO,
    SHUANG_DIAO,
    ZHUOWU_STEP,
    features,
    paired,
    pairless,
    shuang_clear_of_dragon,
    with_drawn,
    zhuowu,
)
from rules.hand import Hand, HandError
from rules.options import RuleOptions
from rules.packing import Position, drawing, locate
from rules.reasons import Reason
from rules.scoring import NO_JOKER, NOT_COMPLETE, NOT_DRAWN, Outcome, fans_of_view, scorer_for
from rules.tiles import TILES

DEFAULT = RuleOptions()
"""The default options, one object for all calls."""


def judge(hand: Hand, options: RuleOptions = DEFAULT) -> Judgement:
    """Whether a hand wins, what it is worth, and why (SPEC §6 to §9).

    Args:
        hand: a drawn tile and 13 tiles less 3 a meld beside it, or one tile more and none drawn.
        options: the rule options.

    Raises:
        HandError: an impossible hand, or a wait query; `reasons` names every reason.

    >>> judge(Hand(("2m", "3m", "4m", "5m"), (), (), None))
    Traceback (most recent call last):
    rules.hand.HandError: 4 tiles; with 0 melds there must be 13 (waiting) or 14
    """
    position = locate(hand, options)
    if position.drawn < 0 and len(hand.concealed) == 3 * position.sets + 1:
        raise HandError([_no_drawn_tile()])
    mask = mask_of(hand, position, options)
    if not mask:
        return Judgement(hand, options, NOT_COMPLETE)
    if not hand.self_draw:
        return Judgement(hand, options, NOT_DRAWN)
    return Judgement(hand, options, scorer_for(options).outcome(mask, position.context))


def _no_drawn_tile() -> Reason:
    return Reason(
        "no_drawn_tile",
        "没有抓的牌：这是听牌的手牌，请看听什么",
        "no drawn tile: this hand waits; ask for its waits, or give the drawn tile",
    )


def mask_of(hand: Hand, position: Position, options: RuleOptions) -> int:
    """Every combination of fans some reading has, as `rules.features` numbers them."""
    if hand.heavenly and options.heavenly_free_last:
        return _mask_of_any_last(hand, options)
    return _mask_of_drawn(hand, position, options)


def _mask_of_drawn(hand: Hand, position: Position, options: RuleOptions) -> int:
    natural, held_jokers, _, sets, drawn, is_joker, _, suits, _, gang_kills = position
    mask = features(natural, sets, drawn, is_joker, suits, options.shuang_outside_dragon)
    if not mask:
        return 0
    zhuowu_shuang = 1 << ZHUOWU_STEP + SHUANG_DIAO
    if (
        options.heaven_stack == "add"
        and mask & zhuowu_shuang
        and options.shuang_outside_dragon
        and not shuang_clear_of_dragon(natural, sets)
    ):
        mask &= ~zhuowu_shuang
    if options.su_mode != "no_jokers" and (held_jokers or is_joker) and not gang_kills:
        mask |= _face_mask(hand, options)
    return mask


def _mask_of_any_last(hand: Hand, options: RuleOptions) -> int:
    """天和 "随意摆": each of the 14 tiles in turn is the last (SPEC §11, heavenly_free_last)."""
    mask = 0
    for last in last_tiles(hand):
        position = locate(last, options)
        mask |= _mask_of_drawn(last, position, options)
    return mask


def last_tiles(hand: Hand) -> list[Hand]:
    """The same tiles with each kind among them as the drawn tile."""
    tiles = list(hand.tiles)
    hands = []
    for tile in dict.fromkeys(reversed(tiles)):
        rest = tiles.copy()
        rest.remove(tile)
        hands.append(replace(hand, concealed=tuple(rest), win_tile=tile))
    return hands


def hand_that_shows(hand: Hand, options: RuleOptions, combination: int) -> Hand:
    """The hand itself, or under 天和 "随意摆" the one whose last tile shows the combination."""
    if hand.heavenly and options.heavenly_free_last and hand.self_draw:
        for last in last_tiles(hand):
            if _mask_of_drawn(last, locate(last, options), options) >> combination & 1:
                return last
    return hand


def _face_mask(hand: Hand, options: RuleOptions) -> int:
    mask = 0
    for reading in face_readings(hand):
        for fans in fans_of_view(View(hand, reading, options)):
            keys = {fan.key for fan in fans}
            if "su" in keys:
                diao = 2 * ("shuang_hundiao" in keys) + ("hundiao" in keys)
                long = 3 * (("long" in keys) + ("benhun" in keys))
                zhuowu_part = ZHUOWU_STEP * ("zhuowu" in keys)
                mask |= 1 << FACE_STEP + zhuowu_part + long + diao
    return mask


def waits(hand: Hand, options: RuleOptions = DEFAULT) -> dict[str, int]:
    """Every kind whose draw is a legal win, with its fan, in class order (SPEC §12).

    Kinds of which the hand and its melds hold all four are left out.

    Args:
        hand: no drawn tile and 13 tiles less 3 a meld; its flags apply to the draw.
        options: the rule options.

    Raises:
        HandError: an impossible hand or one that is not waiting for a draw.
    """
    outcomes = draws(hand, options)
    return {tile: outcome.fan for tile, outcome in outcomes.items() if outcome.win}


def draws(hand: Hand, options: RuleOptions = DEFAULT) -> dict[str, Outcome]:
    """What drawing each kind makes of a waiting hand, a legal win or not, in class order.

    Kinds of which the hand and its melds hold all four are left out; none is drawn when the hand is
    about another player's discard.

    Args:
        hand: as in `waits`.
        options: the rule options.

    Raises:
        HandError: as in `waits`.
    """
    position = locate(hand, options)
    if not hand.asks_waits:
        raise HandError([_already_drawn()])
    if not hand.self_draw:
        return {}
    open_kinds = [kind for kind in range(34) if (position.held >> FIELD * kind & 63) < 4]
    if options.su_mode == "no_jokers" and not (hand.heavenly or hand.earthly):
        outcomes = _outcomes_after(position, open_kinds, options)
    else:
        outcomes = [_outcome_with(hand, position, kind, options) for kind in open_kinds]
    return {TILES[kind]: outcome for kind, outcome in zip(open_kinds, outcomes, strict=True)}


def _already_drawn() -> Reason:
    return Reason(
        "not_waiting",
        "听牌的手牌不能有抓的牌，张数是 13 减去副露每副 3 张",
        "a waiting hand has no drawn tile and 13 tiles less 3 a meld; take one tile away",
    )


def _outcome_with(hand: Hand, position: Position, kind: int, options: RuleOptions) -> Outcome:
    """What the hand is worth after drawing a kind, asked as one whole hand."""
    drawn = replace(hand, win_tile=TILES[kind])
    after = drawing(position, kind)
    mask = mask_of(drawn, after, options)
    return scorer_for(options).outcome(mask, after.context) if mask else NOT_COMPLETE


def _outcomes_after(position: Position, kinds: list[int], options: RuleOptions) -> list[Outcome]:
    """What drawing each kind makes of a waiting hand: what they have in common is worked out once.

    Taking the drawn tile away with one or two jokers leaves the same tiles whatever it was.
    """
    natural, _, _, sets, _, _, joker_fields, suits, context, _ = position
    key = natural & SUIT_MASK
    m, p = SUITS[key], SUITS[natural >> SUIT_BITS & SUIT_MASK]
    s, z = SUITS[natural >> 2 * SUIT_BITS & SUIT_MASK], HONOURS[natural >> 3 * SUIT_BITS]
    bare = paired(m, p, s, z, sets, suits)
    if not bare:  # The tiles there do not fit already; one more never helps.
        return [NOT_COMPLETE] * len(kinds)
    apart = paired(m, p, s, z, sets - 1, suits)
    common = pairless(m, p, s, z, sets, suits) << PAIR_DIAO | apart << SHUANG_DIAO
    five = zhuowu(key, m, p, s, z, sets, suits) << ZHUOWU_STEP
    five |= apart << ZHUOWU_STEP + SHUANG_DIAO
    outside = options.shuang_outside_dragon
    score = scorer_for(options).outcome
    outcomes = []
    joker_outcome: Outcome | None = None
    for kind in kinds:
        is_joker = joker_fields >> FIELD * kind & 1
        if not outside:
            mask = features(natural, sets, kind, bool(is_joker), suits, outside)
            used = context & ~NO_JOKER if is_joker else context
            outcomes.append(score(mask, used) if mask else NOT_COMPLETE)
        elif is_joker:
            if joker_outcome is None:
                joker_outcome = score(bare | common | five, context & ~NO_JOKER)
            outcomes.append(joker_outcome)
        else:
            mask = with_drawn(natural, m, p, s, z, kind, sets, suits)
            if mask:
                mask |= common | five if kind == FIVE_M else common
                outcomes.append(score(mask, context))
            else:
                outcomes.append(NOT_COMPLETE)
    return outcomes
