"""Backs and dice: a second small head that must not cost the faces anything."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration.head import Views
from vision.calibration.others import GROUP_COUNT, OthersHead, choose_others

CLASSES, BACK, DIE1, NOTHING = 42, 34, 35, 41
DIMENSIONS = 60


def told(named: np.ndarray, sure: float = 0.9) -> np.ndarray:
    answers = np.full((len(named), CLASSES), (1 - sure) / (CLASSES - 1))
    answers[np.arange(len(named)), named] = sure
    return answers


def looks(named: dict[int, int], spread: float = 0.1, each: int = 24, seed: int = 1) -> Views:
    """Looks at the classes of `named` (class: what the general classifier calls it)."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(list(named), each)
    features = rng.normal(0, spread, (len(labels), DIMENSIONS))
    features[np.arange(len(labels)), labels] += 1
    families = np.tile([-1] * 4 + [k % 3 for k in range(each - 4)], len(named))
    answers = told(np.array([named[int(k)] for k in labels]))
    return Views(features, answers, labels, families, np.zeros(len(labels), int))


FACES = {k: k for k in range(12)}


def names(head: OthersHead, views: Views) -> np.ndarray:
    return np.asarray(head.adjust(views.answers, views.features).argmax(axis=1))


def test_a_back_taken_for_nothing_is_learnt_and_the_faces_stay() -> None:
    named = FACES | {BACK: NOTHING, NOTHING: NOTHING}
    head, figures = choose_others(looks(named), None)
    assert head is not None
    assert figures is not None
    assert figures.before == 0
    assert figures.after > 0.95
    fresh = looks(named, seed=7)
    assert (names(head, fresh) == fresh.labels).mean() > 0.98
    assert head.adjust(fresh.answers, fresh.features).sum(axis=1) == pytest.approx(1)


def test_which_face_it_is_never_changes() -> None:
    """Only the share of "any face" moves, so the order among the faces is the general one."""
    head, _ = choose_others(looks(FACES | {BACK: 3}), None)
    assert head is not None
    fresh = looks(FACES, seed=5)
    changed = head.adjust(fresh.answers, fresh.features)
    assert (changed[:, :34].argmax(axis=1) == fresh.answers[:, :34].argmax(axis=1)).all()


def test_all_six_dice_shown_are_told_apart() -> None:
    """Dice with figures instead of pips: the general classifier calls every one a die1."""
    dice = {DIE1 + k: DIE1 for k in range(6)}
    head, figures = choose_others(looks(FACES | dice), None)
    assert head is not None
    assert figures is not None
    assert figures.after > 0.9 > figures.before
    fresh = looks(dice, seed=3)
    assert (names(head, fresh) == fresh.labels).mean() > 0.9


def test_dice_that_were_not_shown_keep_their_answers_against_each_other() -> None:
    """Two of six shown: all six move together, so an unseen 4 is not made a shown 1."""
    head, _ = choose_others(looks(FACES | {DIE1: NOTHING, DIE1 + 4: NOTHING}), None)
    assert head is not None
    assert np.allclose(head.weights[2], head.weights[2:8])


def test_nothing_is_changed_where_backs_are_read_well_or_none_was_shown() -> None:
    head, figures = choose_others(looks(FACES | {BACK: BACK}), None)
    assert head is None
    assert figures is not None
    assert figures.before == figures.after == 1
    assert choose_others(looks(FACES), None) == (None, None)


def test_backs_that_look_like_a_face_are_left_alone_rather_than_cost_it() -> None:
    """A back with the very features of 5z and called so: no head may take the 5z away."""
    faces, backs = looks(FACES | {31: 31}), looks({BACK: 31}, each=60, seed=4)
    backs.features[:, BACK] -= 1
    backs.features[:, 31] += 1
    both = Views(*(np.concatenate([getattr(faces, k), getattr(backs, k)]) for k in vars(faces)))
    head, _ = choose_others(both, None)
    if head is not None:
        kept = faces.part(faces.labels == 31)
        assert (names(head, kept) == 31).mean() > 0.95


def test_the_weights_have_a_row_for_each_group() -> None:
    head, _ = choose_others(looks(FACES | {BACK: NOTHING}), None)
    assert head is not None
    assert head.weights.shape == (GROUP_COUNT, DIMENSIONS)
