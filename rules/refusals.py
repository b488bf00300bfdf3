"""The sentences for everything the table refuses: one code, one Chinese and one English text."""

from __future__ import annotations

from rules.reasons import Reason

_TEXTS: dict[str, tuple[str, str]] = {
    # the course of a hand
    "hand_over": ("这一盘已经结束", "the hand is over; start the next one"),
    "not_dealt": ("还没有抓牌", "the tiles are not dealt yet; deal first"),
    "already_dealt": ("已经抓过牌了", "the tiles are dealt already"),
    "bad_seat": ("没有 {seat} 号座位", "{seat} is no seat; seats are 0, 1, 2, 3"),
    "unknown_tile": (
        "没有“{tile}”这种牌",
        "{tile!r} is no tile; write 1m-9m, 1p-9p, 1s-9s or 1z-7z",
    ),
    "not_your_turn": ("没轮到 {seat} 号座位", "it is not seat {seat}'s turn"),
    "other_seat": ("这不是 {seat} 号座位的动作", "that is not an action of seat {seat}"),
    "chan_void": ("铲了，这一盘作废，重新洗牌", "铲: this hand is void; shuffle and deal again"),
    # drawing
    "second_draw": (
        "这一轮已经抓过牌，再抓就多张，成大相公",
        "a tile is drawn already; a second one makes too many tiles (大相公)",
    ),
    "replacement_first": (
        "开了杠，先从混儿牌后面拿一张",
        "a kong is open: take its replacement tile from the tail first",
    ),
    "wall_exhausted": (
        "混儿牌之前的牌已经抓完，没人和就是和局",
        "the last tile before the turned one is drawn: win now, or the hand is drawn (和局)",
    ),
    "not_the_next_tile": (
        "牌墙上的下一张不是 {tile}",
        "{tile} is not the next tile of the wall",
    ),
    "tile_used_up": ("{tile} 的四张都已经出现", "all four of {tile} are accounted for already"),
    "tile_unknown": ("要说出抓到的是哪张牌", "name the tile drawn: this wall is not known"),
    "no_kong_to_replace": ("没有开杠，不能从后面拿牌", "no kong is open, so no tile from the tail"),
    "tail_empty": (
        "没有底牌可以拿，是和局",
        "no replacement tile is left: the hand is drawn (和局)",
    ),
    # discarding
    "tile_not_held": ("手里没有 {tile}", "there is no {tile} in hand"),
    "joker_discard": (
        "{tile} 是混儿，打出混儿就成小相公",
        "{tile} is a joker: discarding it makes 小相公 and the hand can no longer win",
    ),
    "no_replacement_taken": (
        "开杠没拿底牌就打牌，成小相公",
        "discarding before taking the kong's replacement leaves too few tiles (小相公)",
    ),
    # claiming
    "no_chow": ("天津麻将不许吃，只能碰、杠", "there is no chow (吃) here, only pung and kong"),
    "nothing_to_claim": ("没有刚打出的牌可以要", "no tile has just been discarded to claim"),
    "own_discard": ("不能要自己打出的牌", "nobody claims the tile he discarded himself"),
    "not_the_discard": ("刚打出的不是 {tile}", "{tile} is not the tile just discarded"),
    "needs_two": ("手里不够两张 {tile}，不能碰", "a pung needs two {tile} in hand"),
    "needs_three": ("手里不够三张 {tile}，不能明杠", "an open kong needs three {tile} in hand"),
    "needs_four": ("手里不够四张 {tile}，不能暗杠", "a concealed kong needs four {tile} in hand"),
    "no_pung_to_add": ("没有碰过 {tile}，不能补杠", "there is no pung of {tile} to add to"),
    "joker_pung": ("{tile} 是混儿，混儿不能碰", "{tile} is a joker; jokers are never ponged"),
    "joker_kong": (
        "{tile} 是混儿，混儿不能这样杠",
        "{tile} is a joker; jokers make no such kong",
    ),
    "joker_kong_not_allowed": (
        "现在的规则不许混儿杠",
        "a kong of jokers is not allowed; set joker_gang_points to 4..8 if your table has it",
    ),
    "not_a_joker": ("{tile} 不是混儿", "{tile} is no joker; declare a plain concealed kong"),
    "kong_after_pung": (
        "碰了以后要先打牌，不能开杠",
        "after a pung comes the discard; a kong needs a tile drawn first",
    ),
    "no_replacement_tile": (
        "牌墙上没有牌可以拿，不能开杠",
        "no tile is left to replace a kong with",
    ),
    # winning
    "no_win_on_discard": (
        "只能自摸，不能和别人打出的牌",
        "a hand is won by one's own draw only, never on a discard",
    ),
    "no_robbing_kong": ("不能抢杠和", "a kong cannot be robbed"),
    "win_after_pung": ("碰了以后不能和牌，要自己抓", "no win right after a pung: only on a draw"),
    "too_many_tiles": (
        "牌多了，是大相公：不能和牌，不能开杠",
        "too many tiles (大相公): neither win nor kong",
    ),
    "too_few_tiles": (
        "牌少了，是小相公：不能和牌，可以开杠",
        "too few tiles (小相公): no win, kongs are allowed",
    ),
    "joker_discarded": (
        "打出过混儿，是小相公，不能和牌",
        "a joker was discarded (小相公): no win in this hand",
    ),
    "not_complete": (
        "没有四副一对，和了就是诈和",
        "not four sets and a pair; claiming it is a false win (诈和)",
    ),
    "below_min_fan": (
        "只有 {fan} 番，起和要 {least} 番，和了就是诈和",
        "{fan} fan is below the {least} needed to win; claiming it is a false win (诈和)",
    ),
    "hundiao_alone": (
        "现在的规则不准和单独的混儿吊",
        "混儿吊 with no other fan is no win under these rules",
    ),
    # ending
    "not_drawn_yet": (
        "还有牌可以抓，不是和局",
        "there are tiles left to draw; not a drawn hand yet",
    ),
    "unknown_cause": (
        "没有“{cause}”这种和局",
        "{cause!r} is no cause of a drawn hand; use wall_end or no_gang_tile",
    ),
    "not_chan": ("没有铲，这一盘不作废", "there was no 铲 that voids the hand"),
    # dealing
    "no_wall": (
        "牌墙不知道，要说出每家抓的牌",
        "this wall is not known: name the tiles dealt",
    ),
    "deal_count": (
        "每家应抓 13 张，庄家另有一张，再翻一张混牌",
        "a deal is four hands of thirteen, the dealer's fourteenth and the turned tile",
    ),
    "deal_not_the_wall": (
        "抓的牌和牌墙对不上",
        "these are not the tiles the wall deals from this break",
    ),
    "deal_five_of_a_kind": (
        "{tile} 超过四张，一副牌里只有四张",
        "more than four {tile}; there are only four",
    ),
}

PENALISED: frozenset[str] = frozenset({"joker_discard", "no_replacement_taken", "second_draw"})
"""Faults that can happen at a table: the rules punish them (相公) and play goes on."""

CODES: tuple[str, ...] = tuple(_TEXTS)
"""Every code the table can answer with."""


def refusal(code: str, **words: object) -> Reason:
    """The reason of that code, with its words filled in."""
    zh, en = _TEXTS[code]
    return Reason(code, zh.format(**words), en.format(**words))
