"""Prints of a set: outlines are found, flat faces are told apart, and nothing else is touched."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration.choice import Figures, choose_shape
from vision.calibration.head import Views
from vision.calibration.outline import Outline, first_corner
from vision.calibration.shape import (
    FLAT,
    Shape,
    blended,
    flattened,
    packed_shape,
    unpacked_shape,
)
from vision.calibration.views import PATCH_MARGIN, PATCH_SIDE, Patch, views_of
from vision.opencv import cv2

SIDE = 96
KINDS = 6
EACH = 40


def patch(kind: int) -> Patch:
    """A pale tile with bars: kinds differ in where they are."""
    longer = PATCH_SIDE / PATCH_MARGIN
    width, height = round(longer * 0.75), round(longer)
    tile = np.full((height, width, 3), 225, np.uint8)
    for bar in range(3):
        y = 12 + bar * (height - 24) // 3
        x = 8 if (kind >> bar) & 1 else width // 2 + 4
        cv2.rectangle(tile, (x, y), (x + width // 3, y + 12), (30, 30, 160), -1)
    pixels = np.full((PATCH_SIDE, PATCH_SIDE, 3), (60, 90, 40), np.uint8)
    top, left = (PATCH_SIDE - height) // 2, (PATCH_SIDE - width) // 2
    pixels[top : top + height, left : left + width] = tile
    return Patch(pixels, (float(width), float(height)))


def looks(seed: int) -> tuple[Views, np.ndarray, np.ndarray]:
    """Looks at all kinds; the general classifier says kind 0 to each, and is fairly sure."""
    patches = [patch(kind) for kind in range(KINDS)]
    made = [
        views_of(
            p, [q for q in patches if q is not p], SIDE, EACH, np.random.default_rng([seed, k])
        )
        for k, p in enumerate(patches)
    ]
    answers = np.full((KINDS * EACH, 42), 0.1 / 41)
    answers[:, 0] = 0.9
    views = Views(
        np.zeros((KINDS * EACH, 4), np.float32),
        answers,
        np.repeat(np.arange(KINDS), EACH),
        np.concatenate([m.families for m in made]),
        np.zeros(KINDS * EACH, int),
    )
    return (
        views,
        np.concatenate([m.pictures for m in made]),
        np.concatenate([m.corners for m in made]),
    )


@pytest.fixture(scope="module")
def learnt() -> tuple[Shape | None, Figures]:
    views, pictures, corners = looks(1)
    plain = Figures(1 / KINDS, 1 / KINDS, 1 / KINDS, 0.0, "look")
    return choose_shape(views, (pictures, corners), views.answers, plain)


def test_prints_name_what_the_features_cannot_tell(learnt: tuple[Shape | None, Figures]) -> None:
    """The features are all alike here; looks that were never seen are named by their print."""
    shape, figures = learnt
    assert shape is not None
    assert figures.shape == shape.weight > 0
    assert figures.after > 0.5
    views, pictures, _ = looks(2)
    named = shape.adjust(views.answers, pictures).argmax(axis=1)
    assert (named == views.labels).mean() > 0.6


def test_outlines_of_new_looks_are_found(learnt: tuple[Shape | None, Figures]) -> None:
    shape = learnt[0]
    assert shape is not None
    _, pictures, corners = looks(3)
    places, _ = first_corner((corners + 0.5) / SIDE)
    guess = np.abs(places - places.mean(axis=0)).mean()
    rough = np.abs(Outline(shape.outline.rough)(pictures) - places).mean()
    assert rough < 0.7 * guess
    assert np.abs(shape.outline(pictures) - places).mean() < 0.95 * rough  # seen flat: closer


def test_what_is_no_face_keeps_its_share() -> None:
    answers = np.full((2, 42), 0.5 / 41)
    answers[:, 41] = 1 - answers[:, :41].sum(axis=1)
    scores = np.zeros((2, 34))
    scores[:, 7] = 1
    moved = blended(answers, scores, 6.0)
    assert moved.sum(axis=1) == pytest.approx(1)
    assert np.allclose(moved[:, 34:], answers[:, 34:])
    assert (moved[:, :34].argmax(axis=1) == 7).all()


def test_prints_that_tell_nothing_are_not_used() -> None:
    """Labels that have nothing to do with the pictures: held-out looks gain nothing."""
    views, pictures, corners = looks(4)
    right = np.full((len(views.labels), 42), 1e-3)
    right[np.arange(len(right)), views.labels] = 0.9
    plain = Figures(1.0, 1.0, 1.0, 0.0, "look")
    shape, figures = choose_shape(views, (pictures, corners), right, plain)
    assert shape is not None
    assert shape.prints is None
    assert not shape.helps
    assert shape.adjust(right, pictures) is right
    assert figures == plain
    back = unpacked_shape(packed_shape(shape))  # its outline is kept: sets are recognised by it
    assert back is not None
    assert back.prints is None
    assert np.abs(back.outline(pictures) - shape.outline(pictures)).max() < 0.05


def test_prints_survive_their_file_in_few_bytes(learnt: tuple[Shape | None, Figures]) -> None:
    shape = learnt[0]
    assert shape is not None
    arrays = packed_shape(shape)
    assert sum(array.nbytes for array in arrays.values()) < 400_000
    back = unpacked_shape(arrays)
    assert back is not None
    _, pictures, _ = looks(5)
    assert np.abs(back.scores(pictures) - shape.scores(pictures)).max() < 0.1
    earlier = {k: v for k, v in arrays.items() if not k.startswith("close")}
    del earlier["shape_closer"]  # a file from before faces were looked at flat
    old = unpacked_shape(earlier)
    assert old is not None
    assert old.closer == 0
    assert np.isfinite(old.scores(pictures)).all()
    arrays["prints_mean"] = arrays["prints_mean"][:5]
    with pytest.raises(ValueError, match="prints of shape"):
        unpacked_shape(arrays)
    assert unpacked_shape({}) is None


def test_an_impossible_outline_gives_the_whole_crop() -> None:
    crop = np.ascontiguousarray(patch(5).pixels[None, :SIDE, :SIDE])
    bow_tie = np.array([[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]])
    point = np.full((1, 4, 2), 0.5)
    for corners in (bow_tie, point):
        face = flattened(crop, corners)[0]
        whole = cv2.resize(crop[0], (FLAT, FLAT), interpolation=cv2.INTER_LINEAR)
        assert face.shape == (FLAT, FLAT, 3)
        assert np.corrcoef(face.ravel(), whole.ravel())[0, 1] > 0.9
