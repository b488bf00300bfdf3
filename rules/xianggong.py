"""相公: a player with the wrong number of tiles (SPEC §5.8)."""

from __future__ import annotations

DA = "da"
XIAO = "xiao"


def expected_tiles(meld_count: int, has_drawn: bool) -> int:
    """Concealed tiles a player should hold: `13 - 3 * melds`, one more with a tile drawn.

    A 杠 counts as three of them: its fourth tile is replaced. After a 碰 the player holds one tile
    more than when waiting, exactly as after a draw, so `has_drawn` is true until the discard.
    """
    return 13 - 3 * meld_count + (1 if has_drawn else 0)


def xianggong(
    concealed_count: int, meld_count: int, has_drawn: bool, discarded_joker: bool = False
) -> str | None:
    """`"da"` (大相公), `"xiao"` (小相公) or None (the count is right).

    "若多张则为“大相公”，此时不能胡牌，不能开杠。若少张则为“小相公”，此时不能胡牌，但可以开杠。
    行牌中若把混儿牌打出会被认定为小相公": the last whatever the count (SPEC §5.8).

    Args:
        concealed_count: tiles in hand, the drawn one included.
        meld_count: 碰 and 杠, 0..4.
        has_drawn: the player has drawn (or ponged) and not yet discarded.
        discarded_joker: the player has discarded a joker in this hand.
    """
    if discarded_joker:
        return XIAO
    expected = expected_tiles(meld_count, has_drawn)
    if concealed_count > expected:
        return DA
    if concealed_count < expected:
        return XIAO
    return None
