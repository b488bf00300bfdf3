"""How dice are named: several looks, never turned by a quarter; apart from faces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.classifier import Classifier
from vision.fusion import fuse, seen_as_dice
from vision.model_store import open_store
from vision.opencv import cv2
from vision.photo import load_photo
from vision.reader import Reader
from vision.values import CLASSES, NONE

NAMES = (*CLASSES, NONE)


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    return Classifier(open_store().model("classifier"), threads=1)


def drawn_die(pips: list[tuple[int, int]]) -> np.ndarray:
    picture = np.full((160, 160, 3), (60, 110, 60), np.uint8)
    cv2.rectangle(picture, (40, 40), (119, 119), (235, 240, 240), -1)
    for x, y in pips:
        cv2.circle(picture, (x, y), 8, (30, 20, 20), -1, cv2.LINE_AA)
    return picture


def shares(**given: float) -> np.ndarray:
    row = np.zeros(len(NAMES))
    for name, value in given.items():
        row[NAMES.index(name.removeprefix("_"))] = value
    return row[None]


def seen(**given: float) -> np.ndarray:
    return shares(**given)[:, : len(CLASSES)]


BOX = np.array([[36.0, 36.0, 124.0, 124.0]])


def test_a_mirrored_die_is_the_same_die(classifier: Classifier) -> None:
    """Pips know no left and right, so a photo and its mirror image must say the same."""
    picture = drawn_die([(60, 60), (80, 80), (104, 98)])
    mirrored = np.ascontiguousarray(picture[:, ::-1])
    die = np.array([True])
    one = classifier.classify(picture, BOX, dice=die)
    other = classifier.classify(mirrored, BOX, dice=die)
    assert np.abs(one - other).max() < 0.02
    assert one.sum() == pytest.approx(1)


def test_only_what_is_called_a_die_is_looked_at_as_one(classifier: Classifier) -> None:
    picture = drawn_die([(60, 60), (80, 80), (104, 98)])
    twice = np.concatenate([BOX, BOX])
    plain = classifier.classify(picture, BOX)
    both = classifier.classify(picture, twice, dice=np.array([False, True]))
    assert np.allclose(both[0], plain[0], atol=1e-5)
    assert np.allclose(
        both[1], classifier.classify(picture, BOX, dice=np.array([True]))[0], atol=1e-5
    )


def test_no_dice_no_difference(classifier: Classifier) -> None:
    assert classifier.classify(drawn_die([]), np.zeros((0, 4)), dice=np.zeros(0, bool)).shape == (
        0,
        len(classifier.classes),
    )


def test_the_detector_says_what_is_a_die() -> None:
    """All names of a sort count together: four dice at 0.1 are likelier than one face at 0.2."""
    spread = seen(die1=0.1, die2=0.1, die3=0.1, die4=0.1, _1p=0.2)
    assert seen_as_dice(np.concatenate([spread, seen(die3=0.1, _1p=0.2)])).tolist() == [True, False]


def test_the_six_of_a_die_is_no_eight_of_circles() -> None:
    """A die to the detector: a face that the classifier likes better is out of the question."""
    fused = fuse(seen(die6=0.78, _8p=0.01), shares(_8p=0.7, die6=0.2, none=0.1), NAMES)
    assert CLASSES[fused.best[0]] == "die6"


def test_a_face_that_both_see_is_no_die() -> None:
    fused = fuse(seen(die1=0.3, _1p=0.25), shares(_1p=0.95, die1=0.02, none=0.03), NAMES)
    assert CLASSES[fused.best[0]] == "1p"


def test_what_several_looks_agree_on_outweighs_the_detectors_score() -> None:
    """A small die is faint to the detector, a printed ship is not: the pips tell them apart."""
    die = fuse(seen(die4=0.25), shares(die4=0.9, none=0.02), NAMES).confidences[0]
    ship = fuse(seen(die1=0.8), shares(die1=0.4, die4=0.3, none=0.2), NAMES).confidences[0]
    assert die > ship


def test_between_equals_the_detectors_name_decides() -> None:
    fused = fuse(seen(die5=0.6, die4=0.1), shares(die4=0.45, die5=0.45, none=0.1), NAMES)
    assert CLASSES[fused.best[0]] == "die5"


def test_a_small_die_is_judged_by_how_it_was_looked_at() -> None:
    """Looked at from near or not, the same score is worth another share of right reads."""
    photo = load_photo(Path(__file__).parents[2] / "datasets" / "samples" / "hunr_diao.jpg")
    reader = Reader(threads=1)
    for again, record in ((True, "near"), (False, "small")):
        read = reader.read(photo, least_confidence=0.05, second_look=again).tiles
        assert {tile.record for tile in read if tile.tile.startswith("die")} == {record}
