"""Drills about a hand: does it win, how much and why, what it waits for, what to discard, 碰."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from rules.advice import Advice, advise
from rules.advice_pung import advise_pung
from rules.claim import claim
from rules.drills import Question
from rules.example_hands import MadeHand, Wish, make_hand
from rules.example_words import judgement_words
from rules.hand import Hand
from rules.judging import DEFAULT, judge, waits
from rules.reasons import Reason
from rules.tiles import KINDS, TILES, format_tiles, tile_name

_SINGLE = (
    Wish(diao="pair"),
    Wish(diao="set"),
    Wish(no_joker=True),
    Wish(gang=True),
    Wish(zhuowu=True),
    Wish(long="other"),
    Wish(heaven="heavenly"),
    Wish(heaven="earthly"),
)
_COMBINED = (
    Wish(zhuowu=True, diao="set"),
    Wish(zhuowu=True, no_joker=True),
    Wish(zhuowu=True, long="other"),
    Wish(long="joker"),
    Wish(long="other", diao="pair"),
    Wish(long="other", diao="set"),
    Wish(long="other", no_joker=True),
    Wish(zhuowu=True, gang=True),
    Wish(no_joker=True, gang=True),
)
_RICH = (
    *_COMBINED,
    Wish(zhuowu=True, long="other", diao="set"),
    Wish(zhuowu=True, long="other", no_joker=True),
    Wish(zhuowu=True, long="joker"),
    Wish(long="joker", diao="pair"),
    Wish(zhuowu=True, long="joker", diao="set"),
    Wish(long="other", gang=True),
    Wish(long="joker", gang=True),
)
_WISHES = {1: _SINGLE, 2: _COMBINED, 3: _RICH}
_TOTALS = (1, 2, 3, 4, 6, 7, 8, 12, 14, 16, 28, 32)


def _shown(hand: Hand, indicator: str) -> dict[str, Any]:
    return {
        "concealed": list(hand.concealed),
        "drawn": hand.win_tile,
        "melds": [{"kind": meld.kind, "tile": meld.tile} for meld in hand.melds],
        "jokers": list(hand.jokers),
        "indicator": indicator,
        "self_draw": hand.self_draw,
        "flags": {name: getattr(hand, name) for name in ("gang_draw", "heavenly", "earthly")},
    }


_MELD_NAMES = {
    "pong": ("碰", "pung"),
    "gang_open": ("明杠", "open kong"),
    "gang_concealed": ("暗杠", "concealed kong"),
}


def _hand_words(hand: Hand, indicator: str) -> tuple[str, str]:
    """The hand in words: tiles, melds, the drawn tile, how it was drawn, the jokers."""
    jokers, tiles = format_tiles(hand.jokers), format_tiles(hand.concealed)
    zh = f"翻出 {indicator}（混儿 {jokers}）。手牌 {tiles}"
    en = f"{indicator} is turned (jokers {jokers}). In hand {tiles}"
    for meld in hand.melds:
        meld_zh, meld_en = _MELD_NAMES[meld.kind]
        text = format_tiles(meld.tiles)
        zh, en = f"{zh}，{meld_zh} {text}", f"{en}, {meld_en} {text}"
    if hand.win_tile is not None:
        zh, en = f"{zh}；抓到 {hand.win_tile}", f"{en}; drawn {hand.win_tile}"
    for flag, flag_zh, flag_en in (
        (hand.gang_draw, "（杠后抓的）", " (after a kong)"),
        (hand.heavenly, "（庄家起手）", " (the dealer's dealt hand)"),
        (hand.earthly, "（闲家第一抓）", " (a non-dealer's first draw)"),
    ):
        if flag:
            zh, en = zh + flag_zh, en + flag_en
    return zh + "。", en + "."


def _made(rng: random.Random, level: int) -> MadeHand:
    return make_hand(rng.choice(_WISHES[level]), rng)


def wins(rng: random.Random, level: int) -> Question:
    """Does this hand win? A win, a bare win, a hand that misses a tile, or another's discard."""
    case = rng.choice(("win", "win", "bare", "short", "discard"))
    made = make_hand(Wish(), rng) if case == "bare" else _made(rng, level)
    hand = made.hand
    if case == "short":
        hand = _one_tile_off(hand, rng)
    if case == "discard":
        hand = replace(hand, self_draw=False, gang_draw=False, heavenly=False, earthly=False)
    result = judge(hand)
    zh, en = _hand_words(hand, made.indicator)
    if case == "discard":
        zh = zh.replace("抓到", "别人打出")
        en = en.replace("; drawn", "; another player discards")
    return Question(
        f"{zh}能和吗？（2 番起和）",
        f"{en} Does it win? (at least 2 fan)",
        judgement_words(result),
        _shown(hand, made.indicator),
        [("能和", "It wins", result.win), ("不能和", "It does not win", not result.win)],
    )


def _one_tile_off(hand: Hand, rng: random.Random) -> Hand:
    """The hand with another drawn tile, one that does not win, where there is one."""
    held = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)]
    winning = waits(replace(hand, win_tile=None))
    drawn = [
        tile
        for tile in TILES
        if tile not in winning and tile not in hand.jokers and held.count(tile) < 3
    ]
    return replace(hand, win_tile=rng.choice(drawn)) if drawn else hand


def fan(rng: random.Random, level: int) -> Question:
    """How many 番, and why."""
    made = _made(rng, level)
    right = made.judgement.fan
    near = sorted((total for total in _TOTALS if total != right), key=lambda t: abs(t - right))
    totals = sorted([right, *rng.sample(near[:5], 3)])
    zh, en = _hand_words(made.hand, made.indicator)
    return Question(
        f"{zh}和了，几番？",
        f"{en} It wins: how many fan?",
        judgement_words(made.judgement),
        _shown(made.hand, made.indicator),
        [(f"{total} 番", f"{total} fan", total == right) for total in totals],
    )


def waits_for(rng: random.Random, level: int) -> Question:
    """Which of these tiles win?"""
    while True:
        made = _made(rng, level)
        hand = replace(made.hand, win_tile=None, heavenly=False, earthly=False, gang_draw=False)
        found = waits(hand)
        misses = _likely_misses(hand, found)
        if found and misses:
            break
    right = rng.sample(sorted(found), min(len(found), rng.choice((1, 2, 3))))
    wrong = rng.sample(misses, min(len(misses), 6 - len(right)))
    tiles = sorted({*right, *wrong}, key=KINDS.__getitem__)
    zh, en = _hand_words(hand, made.indicator)
    return Question(
        f"{zh}下面哪些牌抓到就能和？",
        f"{en} Drawing which of these tiles wins?",
        _waits_words(hand, made.indicator, tiles),
        _shown(hand, made.indicator),
        [(tile_name(tile), tile, tile in found) for tile in tiles],
        several=True,
    )


def _likely_misses(hand: Hand, found: dict[str, int]) -> list[str]:
    """Tiles that do not win but look as if they might: neighbours of tiles in hand."""
    near: set[str] = set()
    for tile in hand.concealed:
        kind = KINDS[tile]
        near.add(tile)
        if kind < 27:
            near |= {TILES[k] for k in (kind - 1, kind + 1) if k // 9 == kind // 9 and k >= 0}
    held = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)]
    return sorted(tile for tile in near if tile not in found and held.count(tile) < 4)


def _waits_words(hand: Hand, indicator: str, asked: list[str]) -> Reason:
    headline = advise(hand, DEFAULT, indicator).headline
    lines_zh, lines_en = [], []
    for tile in asked:
        result = judgement_words(judge(replace(hand, win_tile=tile)))
        lines_zh.append(f"{tile_name(tile)}：{result.zh}")
        lines_en.append(f"{tile}: {result.en}")
    return Reason(
        "waits",
        f"{headline.zh}。\n" + "\n".join(lines_zh),
        f"{headline.en}.\n" + "\n".join(lines_en),
    )


def _to_discard(rng: random.Random, level: int) -> tuple[Advice, str]:
    """A hand near a win that must discard, with one best discard clear of the others."""
    while True:
        made = _made(rng, level)
        hand = _changed(made.hand, rng)
        if hand is None or judge(hand).complete:
            continue
        advice = advise(hand, DEFAULT, made.indicator)
        ranks = [found.standing.rank[:4] for found in advice.discards]
        if len(ranks) >= 4 and ranks[0] < ranks[1] and advice.discards[0].standing.shanten <= 1:
            return advice, made.indicator


def _changed(hand: Hand, rng: random.Random) -> Hand | None:
    """A made hand with one or two natural tiles exchanged and a chance tile drawn."""
    tiles = list(hand.concealed)
    places = [at for at, tile in enumerate(tiles) if tile not in hand.jokers]
    held = [*hand.tiles, *(tile for meld in hand.melds for tile in meld.tiles)]
    spare = [tile for tile in TILES if tile not in hand.jokers and held.count(tile) < 2]
    if len(places) < 2:
        return None
    for at in rng.sample(places, rng.choice((0, 1))):
        tiles[at] = rng.choice(spare)
    tiles.sort(key=KINDS.__getitem__)
    return Hand(tuple(tiles), hand.melds, hand.jokers, rng.choice(spare))


def discard(rng: random.Random, level: int) -> Question:
    """Which discard is best?"""
    advice, indicator = _to_discard(rng, level)
    best = advice.discards[0]
    shown = [best, *rng.sample(advice.discards[1:], 3)]
    shown.sort(key=lambda found: KINDS[found.tile])
    zh, en = _hand_words(advice.hand, indicator)
    reasons = [advice.reason(found) for found in shown]
    because_zh = "\n".join(
        f"打{tile_name(found.tile)}：{reason.zh}"
        for found, reason in zip(shown, reasons, strict=True)
    )
    because_en = "\n".join(
        f"{found.tile}: {reason.en}" for found, reason in zip(shown, reasons, strict=True)
    )
    return Question(
        f"{zh}打哪张最好？",
        f"{en} Which discard is best?",
        Reason("discard", because_zh, because_en),
        _shown(advice.hand, indicator),
        [(f"打{tile_name(found.tile)}", f"discard {found.tile}", found is best) for found in shown],
    )


def pung(rng: random.Random, level: int) -> Question:
    """May I 碰 this discard, and is it worth it?"""
    while True:
        made = _made(rng, level)
        changed = _changed(made.hand, rng)
        if changed is None:
            continue
        hand = replace(changed, win_tile=None)
        # A tile held twice may be ponged, one held once or a joker may not.
        wanted = rng.choice((1, 2, 2, 2))
        natural = sorted(set(hand.concealed) - set(hand.jokers), key=KINDS.__getitem__)
        tiles = [tile for tile in natural if hand.concealed.count(tile) == wanted]
        held = [*hand.concealed, made.indicator]
        jokers = [tile for tile in hand.jokers if held.count(tile) < 4]
        if level > 1 and jokers and rng.random() < 0.15:
            tiles = jokers
        if tiles:
            break
    tile = rng.choice(tiles)
    found = advise_pung(claim(hand, tile, DEFAULT, made.indicator))
    zh, en = _hand_words(hand, made.indicator)
    shown = _shown(hand, made.indicator) | {"discarded": tile}
    may = not found.refused
    return Question(
        f"{zh}别人打出 {tile}，可以碰吗？值得吗？",
        f"{en} Another player discards {tile}. May you pung it, and is it worth it?",
        found.reason,
        shown,
        [
            ("不可以碰", "I may not", not may),
            ("可以，值得", "I may, and it is worth it", may and found.worth),
            ("可以，不值得", "I may, but it is not worth it", may and not found.worth),
        ],
    )
