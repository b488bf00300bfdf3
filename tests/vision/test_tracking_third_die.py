"""Every roll has two dice: something else that is taken for a die beside them is no new roll."""

from __future__ import annotations

from vision.tracking.dice import DiceWatch, Throw
from vision.tracking.find_dice import FoundDie

FRAME_S = 0.1


def die(pips: int, x: float) -> FoundDie:
    return FoundDie((x, 100.0, x + 40, 140.0), pips)


def shown(watch: DiceWatch, at: float, *dice: FoundDie) -> list[tuple[int, ...]]:
    """The throws told while these dice lie there for half a second."""
    throws: list[Throw | None] = [watch.see(dice, at + FRAME_S * k) for k in range(5)]
    return [throw.values for throw in throws if throw is not None]


def test_a_third_thing_beside_two_dice_that_lie_as_they_did_is_no_roll() -> None:
    watch = DiceWatch()
    assert shown(watch, 0.0, die(2, 100), die(6, 200)) == [(2, 6)]
    assert shown(watch, 1.0, die(4, 20), die(2, 100), die(6, 200)) == []
    # And the next real roll is told, the third thing lying there or not.
    assert shown(watch, 2.0, die(4, 20), die(3, 130), die(5, 260)) == [(4, 3, 5)]


def test_a_second_die_that_is_seen_late_is_told() -> None:
    watch = DiceWatch()
    assert shown(watch, 0.0, die(2, 100)) == [(2,)]
    assert shown(watch, 1.0, die(2, 100), die(6, 200)) == [(2, 6)]
