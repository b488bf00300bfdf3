"""Every roll has two dice: something else that is taken for a die beside them is no new roll."""

from __future__ import annotations

import numpy as np

from tests.vision.pip_places import PIP_PLACES
from vision.opencv import cv2
from vision.tracking.change import Motion
from vision.tracking.dice import DiceWatch, Throw
from vision.tracking.find_dice import FoundDie, with_dice
from vision.tracking.looking import Looking
from vision.tracking.tracks import Track
from vision.tracking.votes import Votes
from vision.values import Box, TileReading

FRAME_S = 0.1


def die(pips: int, x: float) -> FoundDie:
    return FoundDie((x, 100.0, x + 40, 140.0), pips)


def shown(
    watch: DiceWatch, at: float, *dice: FoundDie, seconds: float = 0.5
) -> list[tuple[int, ...]]:
    """The throws told while these dice lie there."""
    frames = round(seconds / FRAME_S)
    throws: list[Throw | None] = [watch.see(dice, at + FRAME_S * k, True) for k in range(frames)]
    return [throw.values for throw in throws if throw is not None]


def test_a_third_thing_beside_two_dice_that_lie_as_they_did_is_no_roll() -> None:
    watch = DiceWatch()
    assert shown(watch, 0.0, die(2, 100), die(6, 200)) == [(2, 6)]
    assert shown(watch, 1.0, die(4, 20), die(2, 100), die(6, 200)) == []
    # And the next real roll is told, the third thing lying there or not.
    assert shown(watch, 2.0, die(4, 20), die(3, 130), die(5, 260)) == [(4, 3, 5)]


def test_a_second_die_that_is_seen_late_makes_one_roll_with_the_first() -> None:
    watch = DiceWatch()
    assert shown(watch, 0.0, die(2, 100)) == []
    assert shown(watch, 0.5, die(2, 100), die(6, 200)) == [(2, 6)]


def test_one_die_by_itself_is_told_only_once_nothing_else_has_told_of_two() -> None:
    watch = DiceWatch()
    assert shown(watch, 0.0, die(2, 100), seconds=1.5) == []
    assert watch.waits(1.5)
    assert shown(watch, 1.5, die(2, 100), seconds=1.0) == [(2,)]


def test_a_lone_die_waits_also_where_another_was_unsure_long_before() -> None:
    watch = DiceWatch()
    assert shown(watch, 0.0, die(4, 300), seconds=0.5) == []  # print that an arm uncovered
    assert shown(watch, 0.5, seconds=3.0) == []
    assert shown(watch, 3.5, die(6, 100), seconds=0.8) == []
    assert shown(watch, 4.3, die(6, 100), die(2, 200)) == [(6, 2)]


def test_a_lone_die_that_the_models_found_waits_for_its_company() -> None:
    watch, votes = DiceWatch(), Votes.none()
    for _ in range(3):
        votes = votes.after(TileReading("die6", 0.9, (100.0, 100.0, 140.0, 140.0)))
    nothing = np.zeros((60, 80), bool)
    still = Motion(nothing, nothing, 8.0, 0.0)
    first = Track(1, (100.0, 100.0, 140.0, 140.0), votes, 0.0, 0.0)
    second = Track(2, (200.0, 100.0, 240.0, 140.0), votes, 0.0, 0.0)
    alone = [watch.look([first], still, FRAME_S * k, True) for k in range(10)]
    both = [watch.look([first, second], still, 1.0 + FRAME_S * k, True) for k in range(10)]
    assert [t.values for t in (*alone, *both) if t is not None] == [(6, 6)]


def test_dice_read_otherwise_where_they_lie_are_no_new_roll() -> None:
    watch = DiceWatch()
    assert shown(watch, 0.0, die(2, 100), die(6, 200)) == [(2, 6)]
    assert shown(watch, 1.0, die(2, 100), die(4, 200)) == []
    assert shown(watch, 2.0, die(4, 200), seconds=3.0) == []


def test_print_on_a_tile_seen_from_above_is_no_die() -> None:
    # From above a face is hardly longer than wide in the picture; 東 in its middle is about square.
    face = TileReading("1z", 0.95, (100.0, 100.0, 129.0, 132.0), (("1z", 0.95),))
    printed = FoundDie((107.0, 108.0, 124.0, 126.0), 3)
    assert with_dice((face,), (printed,)) == (face,)
    # A die that was read as a face is about as large as what was read.
    misread = TileReading("1p", 0.95, (100.0, 100.0, 126.0, 128.0), (("1p", 0.95),))
    lying = FoundDie((103.0, 102.0, 124.0, 126.0), 3)
    assert [tile.tile for tile in with_dice((misread,), (lying,))] == ["die3"]


class OneFace:
    """Reads a face, or nothing."""

    side, least = 640, 0.4

    def __init__(self, box: Box, confidence: float) -> None:
        self.found = (TileReading("2z", confidence, box, (("2z", confidence),)),)

    def __call__(self, pixels: np.ndarray, part: Box, closer: bool) -> tuple[TileReading, ...]:
        return self.found


def test_print_on_a_known_tile_is_no_die_in_a_look_that_does_not_find_the_tile() -> None:
    # The cloth is partly as light as the tiles, so that of a tile only its print stands out: a dark
    # square in which another light shows three spots, as in a worn 南.
    pixels = np.full((480, 640, 3), (225, 235, 240), np.uint8)
    pixels[:, 400:] = (60, 140, 40)
    body: Box = (100.0, 100.0, 164.0, 190.0)
    cv2.rectangle(pixels, (112, 124), (152, 164), (120, 20, 20), -1)
    spots = pixels.copy()
    for x, y in PIP_PLACES[3]:
        cv2.circle(spots, (132 + 11 * x, 144 + 11 * y), 4, (240, 240, 240), -1)
    cases: list[tuple[float, bool, list[str]]] = [
        (0.95, True, []),
        (0.5, True, []),  # worn: nobody knows for sure what it is, but that it lies there
        (0.95, False, ["die3"]),
    ]
    for confidence, knows, dice in cases:
        look = OneFace(body, confidence)
        look.found = look.found if knows else ()
        looking = Looking(look)
        for k in range(15):
            looking.see(pixels, 0.2 * k)
        assert [t.tile for t in looking.tracks.settled() if t.tile == "2z"] == ["2z"][:knows]
        look.found = ()
        looking.place(None)  # everything is looked at anew
        for k in range(3):
            looking.see(spots, 4.0 + 0.2 * k)
        assert [t.tile for t in looking.tracks.all() if t.tile.startswith("die")] == dice
