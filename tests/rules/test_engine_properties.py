"""What must hold of every hand, whatever it is."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules import TILES, Hand, Meld, RuleOptions, joker_kinds, judge

SEEDS = st.integers(0, 2**32)


def _any_hand(seed: int, *, with_melds: bool = True) -> Hand:
    """A possible hand near a win, its drawn tile somewhere in it."""
    rng = random.Random(seed)
    while True:
        jokers = joker_kinds(rng.choice(TILES), rng.choice(("7", "11")))
        sets = rng.choice((1, 2, 3, 4)) if with_melds else 4
        left = dict.fromkeys(TILES, 4)
        melds = []
        for _ in range(4 - sets):
            tile = rng.choice([tile for tile in TILES if tile not in jokers and left[tile] == 4])
            melds.append(Meld(rng.choice(("pong", "gang_open", "gang_concealed")), tile))
            left[tile] -= len(melds[-1].tiles)
        tiles = [rng.choice(TILES)] * 2
        for _ in range(sets):
            at = rng.randrange(27)
            run = at % 9 < 7 and rng.random() < 0.7
            tiles += TILES[at : at + 3] if run else [TILES[at]] * 3
        if sets >= 3 and rng.random() < 0.4:
            suit = rng.choice((0, 9, 18))
            tiles[2:11] = TILES[suit : suit + 9]
        for at in rng.sample(range(len(tiles)), rng.choice((0, 0, 1, 2, 3, 5))):
            tiles[at] = rng.choice(jokers)
        if all(tiles.count(tile) <= left[tile] for tile in TILES):
            rng.shuffle(tiles)
            return Hand(tuple(tiles[:-1]), tuple(melds), jokers, tiles[-1])


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_a_joker_in_place_of_a_tile_keeps_a_hand_complete(seed: int) -> None:
    # "可以在胡牌时代替任意一张牌": a joker can stand for the tile it replaces.
    hand = _any_hand(seed)
    if not judge(hand).complete:
        return
    held = [*hand.tiles, *(meld.tile for meld in hand.melds)]
    spare = [tile for tile in hand.jokers if held.count(tile) < 4]
    for at, tile in enumerate(hand.concealed):
        if spare and tile not in hand.jokers:
            swapped = (*hand.concealed[:at], spare[0], *hand.concealed[at + 1 :])
            assert judge(replace(hand, concealed=swapped)).complete
    if spare:
        assert judge(replace(hand, win_tile=spare[0])).complete


def _renamed(hand: Hand, suits: dict[str, str]) -> Hand:
    def rename(tile: str) -> str:
        return tile[0] + suits.get(tile[1], tile[1])

    return replace(
        hand,
        concealed=tuple(rename(tile) for tile in hand.concealed),
        melds=tuple(Meld(meld.kind, rename(meld.tile)) for meld in hand.melds),
        jokers=tuple(rename(tile) for tile in hand.jokers),
        win_tile=None if hand.win_tile is None else rename(hand.win_tile),
    )


@settings(max_examples=200, deadline=None)
@given(SEEDS, st.sampled_from(["no_jokers", "face_value", "face_value_diao"]))
def test_bamboo_and_dots_may_change_places(seed: int, su_mode: str) -> None:
    # Only 伍万 is special (SPEC §7.2: "5p, 5s do not count"): 饼 and 条 are alike.
    hand = _any_hand(seed)
    options = RuleOptions(su_mode=su_mode)
    before, after = judge(hand, options), judge(_renamed(hand, {"p": "s", "s": "p"}), options)
    assert (before.fan, before.names, before.win) == (after.fan, after.names, after.win)


@settings(max_examples=200, deadline=None)
@given(SEEDS, st.permutations("mps"))
def test_all_suits_are_alike_when_no_drawn_five_can_be_caught(seed: int, order: list[str]) -> None:
    # 捉伍儿 asks for a drawn 5m or a drawn joker; without either no rule knows 万 from the others.
    hand = _any_hand(seed)
    if hand.win_tile in hand.jokers or (hand.win_tile or "")[:1] == "5":
        return
    before = judge(hand)
    after = judge(_renamed(hand, dict(zip("mps", order, strict=True))))
    assert (before.fan, before.names_alt, before.win) == (after.fan, after.names_alt, after.win)


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.randoms())
def test_the_order_of_tiles_and_jokers_does_not_matter(seed: int, rng: random.Random) -> None:
    # "the joker kinds, in any order" (SPEC §12); nor does a player's sorting of the hand matter.
    hand = _any_hand(seed)
    tiles, jokers = list(hand.concealed), list(hand.jokers)
    rng.shuffle(tiles)
    rng.shuffle(jokers)
    shuffled = replace(hand, concealed=tuple(tiles), jokers=tuple(jokers))
    assert _worth(judge(hand)) == _worth(judge(shuffled))


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_a_discard_never_wins_and_a_drawn_tile_not_apart_never_scores_more(seed: int) -> None:
    # "只能自摸胡": complete or not, a discard is worth nothing; and "需要单放" (SPEC §6.5).
    hand = _any_hand(seed)
    drawn = judge(hand)
    discard = judge(replace(hand, self_draw=False))
    assert (discard.win, discard.fan, discard.complete) == (False, 0, drawn.complete)
    together = judge(replace(hand, concealed=hand.tiles, win_tile=None))
    assert together.complete == drawn.complete
    assert together.fan <= drawn.fan


def _worth(result: Any) -> tuple[Any, ...]:
    return result.win, result.complete, result.fan, result.names_alt
