"""Photos that will not do: each fault gets its own advice, and several are told together."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration.advice import check_examples, missing_kinds
from vision.calibration.examples import Example
from vision.calibration.views import PATCH_SIDE, Patch
from vision.values import CLASSES, FACES

PATCH = Patch(np.zeros((PATCH_SIDE, PATCH_SIDE, 3), np.uint8), (60.0, 80.0))


def examples(tiles: tuple[str, ...] = FACES, photo: int = 0, side: float = 90) -> list[Example]:
    return [Example(tile, PATCH, photo, side) for tile in tiles]


def said(tiles: tuple[str, ...], sure: float = 0.99) -> np.ndarray:
    """What a general classifier answers that sees `tiles`."""
    answers = np.full((len(tiles), 42), (1 - sure) / 41)
    answers[np.arange(len(tiles)), [CLASSES.index(t) for t in tiles]] = sure
    return answers


def felt(tiles: tuple[str, ...], turn: float = 0.0) -> np.ndarray:
    """Features of `tiles`: one axis a kind; another set's lie `turn` radians away."""
    out = np.zeros((len(tiles), 120))
    kinds = np.array([FACES.index(t) for t in tiles])
    out[np.arange(len(tiles)), kinds] = np.cos(turn)
    out[np.arange(len(tiles)), kinds + 50] = np.sin(turn)
    return out


def codes(some: list[Example], answers: np.ndarray, features: np.ndarray, **how: bool) -> list[str]:
    return [r.code for r in check_examples(some, answers, features, **how)]


def test_a_good_photo_has_nothing_against_it() -> None:
    assert codes(examples(), said(FACES), felt(FACES)) == []


def test_missing_kinds_are_named_with_the_one_that_came_twice() -> None:
    tiles = (*FACES[:33], "1m")
    reason = check_examples(examples(tiles), said(tiles), felt(tiles))[0]
    assert reason.code == "missing_kinds"
    assert "7z" in reason.zh
    assert "7z" in reason.en
    assert "1m" in reason.en
    assert reason.examples == (0, 33)
    assert missing_kinds(examples(tiles)) == ("7z",)


def test_partial_photos_are_complete_together() -> None:
    some = [*examples(FACES[:20]), *examples(FACES[20:], photo=1)]
    assert codes(some, said(FACES), felt(FACES)) == []


def test_tiles_too_small_to_see() -> None:
    assert codes(examples(side=20), said(FACES), felt(FACES)) == ["too_small"]


def test_two_swapped_names_are_found_and_may_be_insisted_on() -> None:
    swapped = ("2m", "1m", *FACES[2:])
    reasons = check_examples(examples(swapped), said(FACES), felt(FACES))
    assert [r.code for r in reasons] == ["wrong_names"]
    assert reasons[0].examples == (0, 1)
    assert "1m" in reasons[0].en
    assert codes(examples(swapped), said(FACES), felt(FACES), insist=True) == []


def test_rows_in_another_order_are_found() -> None:
    turned = FACES[9:18] + FACES[:9] + FACES[18:]
    assert "wrong_names" in codes(examples(turned), said(FACES), felt(FACES))


def test_a_design_that_the_general_classifier_cannot_read_is_not_held_against_the_names() -> None:
    """It says 1m to half of the tiles, and is sure of it: its word is worth nothing here."""
    seen = (*("1m",) * 17, *FACES[17:])
    assert codes(examples(), said(seen), felt(FACES)) == []


def test_two_photos_of_different_sets() -> None:
    some = [*examples(), *examples(photo=1)]
    features = np.concatenate([felt(FACES), felt(FACES, 1.3)])
    assert codes(some, said(FACES * 2), features) == ["another_set"]


def drawn(tiles: tuple[str, ...], photo: int, body: object, ink: object) -> list[Example]:
    """Tiles of one body colour with a bar of ink."""
    pixels = np.zeros((PATCH_SIDE, PATCH_SIDE, 3), np.uint8)
    pixels[24:104, 34:94] = body
    pixels[50:80, 55:72] = ink
    return [Example(tile, Patch(pixels, (60.0, 80.0)), photo) for tile in tiles]


IVORY, STONE, GREEN = (200, 228, 235), (60, 30, 40), (60, 190, 70)


@pytest.mark.parametrize(
    ("body", "ink", "found"),
    [
        (STONE, (90, 240, 240), ["another_set"]),  # light print on dark stone
        (GREEN, (20, 20, 20), ["another_set"]),
        ((120, 150, 170), (30, 40, 50), []),  # the same ivory in the evening, under a warm lamp
    ],
    ids=["dark stone", "green", "same set"],
)
def test_photos_that_share_no_kind_are_told_apart_by_the_tiles_bodies(
    body: object, ink: object, found: list[str]
) -> None:
    some = [*drawn(FACES[:20], 0, IVORY, (60, 60, 60)), *drawn(FACES[20:], 1, body, ink)]
    assert codes(some, said(FACES), felt(FACES)) == found
    assert codes(some, said(FACES), felt(FACES), insist=True) == []


def test_two_tiles_of_one_name_that_are_nothing_alike() -> None:
    tiles = (*FACES, "3s")
    features = felt(tiles)
    features[34] = felt(("9p",))[0]
    reasons = check_examples(examples(tiles), said(tiles), features)
    assert [r.code for r in reasons] == ["unlike_examples"]
    assert reasons[0].examples == (FACES.index("3s"), 34)


def test_every_reason_is_told_at_once() -> None:
    tiles = FACES[:30]
    assert codes(examples(tiles, side=10), said(tiles), felt(tiles)) == [
        "too_small",
        "missing_kinds",
    ]
