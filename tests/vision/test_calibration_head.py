"""Heads on made-up features whose right answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration.choice import choose_head
from vision.calibration.head import Head, HeadFitter, Views

CLASSES = 42
DIMENSIONS = 60


def told(named: np.ndarray, sure: float = 0.97) -> np.ndarray:
    """Answers of a general classifier that says `named` and is `sure` of it."""
    answers = np.full((len(named), CLASSES), (1 - sure) / (CLASSES - 1))
    answers[np.arange(len(named)), named] = sure
    return answers


def looks(
    named: dict[int, int], spread: float = 0.15, each: int = 16, photos: int = 1, seed: int = 1
) -> Views:
    """Looks at the kinds of `named` (kind: what the general classifier calls it).

    The features of a kind lie around its own axis; plain looks come first, as in `views_of`.
    """
    rng = np.random.default_rng(seed)
    labels = np.repeat(list(named), each)
    features = rng.normal(0, spread, (len(labels), DIMENSIONS))
    features[np.arange(len(labels)), labels] += 1
    families = np.tile([-1] * 4 + [k % 3 for k in range(each - 4)], len(named))
    number = np.tile(np.arange(each) % photos, len(named))
    answers = told(np.array([named[int(k)] for k in labels]))
    return Views(features, answers, labels, families, number)


def test_weights_of_zero_are_the_general_classifier() -> None:
    head = Head(np.ones(5, np.float32), np.zeros((35, 5), np.float32))
    answers = told(np.array([3, 34, 41]))
    features = np.random.default_rng(0).normal(size=(3, 5))
    assert np.allclose(head.adjust(answers, features), answers, atol=1e-6)


def test_answers_sum_to_one_and_what_is_no_face_keeps_its_shares() -> None:
    """Back, dice and nothing move together: a head learns faces, not which die it is."""
    head = Head(np.zeros(4, np.float32), np.random.default_rng(2).normal(size=(35, 4)))
    answers = told(np.array([34, 0]), 0.6)
    changed = head.adjust(answers, np.ones((2, 4)))
    assert changed.sum(axis=1) == pytest.approx([1, 1])
    before = answers[:, 34:] / answers[:, 34:].sum(axis=1, keepdims=True)
    assert np.allclose(changed[:, 34:] / changed[:, 34:].sum(axis=1, keepdims=True), before)


def test_a_misnamed_kind_is_learnt_and_the_others_stay() -> None:
    views = looks({0: 7, 1: 1, 7: 7, 20: 20})
    head = HeadFitter(views).fit(1e-4)
    fresh = looks({0: 7, 1: 1, 7: 7, 20: 20}, seed=2)
    assert (fresh.answers.argmax(axis=1) == fresh.labels).mean() == 0.75
    assert (head.adjust(fresh.answers, fresh.features).argmax(axis=1) == fresh.labels).all()


def test_a_tight_rein_keeps_the_general_answers() -> None:
    views = looks({0: 7, 1: 1, 7: 7})
    head = HeadFitter(views).fit(1e3)
    assert np.allclose(head.adjust(views.answers, views.features), views.answers, atol=1e-3)


def test_a_head_that_saw_only_faces_leaves_alone_whether_it_is_a_face() -> None:
    """A back it never saw must not become a tile, however strongly the head pushes."""
    head = HeadFitter(looks({0: 7, 1: 1, 7: 7})).fit(1e-4)
    back = told(np.array([34, 41]))
    changed = head.adjust(back, np.random.default_rng(1).normal(size=(2, DIMENSIONS)) * 9)
    assert np.allclose(changed[:, 34:], back[:, 34:])
    assert changed.sum(axis=1) == pytest.approx([1, 1])


def test_a_head_that_saw_no_back_leaves_sure_backs_alone_and_settles_doubtful_ones() -> None:
    """A wall must not become faces; a blank white dragon may be taken back from `back`."""
    views = looks({0: 34, 1: 1, 7: 7, 41: 41})
    head = HeadFitter(views).fit(1e-5)
    assert head.keeps_backs
    assert not head.within_faces
    features = looks({0: 34}, seed=3).features
    sure, doubtful = told(np.full(16, 34), 0.97), told(np.full(16, 34), 0.55)
    assert np.allclose(head.adjust(sure, features)[:, 34], sure[:, 34])
    assert head.adjust(sure, features).sum(axis=1) == pytest.approx(1)
    assert (head.adjust(doubtful, features).argmax(axis=1) == 0).all()
    with_back = looks({0: 34, 1: 1, 34: 34, 41: 41})
    assert not HeadFitter(with_back).fit(1e-4).keeps_backs


def test_the_fit_weighs_kinds_alike_however_often_they_come() -> None:
    many, few = looks({0: 5, 5: 5}, each=40), looks({8: 5}, each=7, seed=3)
    both = Views(*(np.concatenate([getattr(many, k), getattr(few, k)]) for k in vars(many)))
    head = HeadFitter(both).fit(1e-4)
    fresh = looks({8: 5}, seed=9)
    assert (head.adjust(fresh.answers, fresh.features).argmax(axis=1) == 8).all()


def test_a_set_that_is_read_well_is_left_alone() -> None:
    head, figures = choose_head(looks({k: k for k in range(10)}))
    assert head is None
    assert figures.plain == figures.before == figures.after == 1
    assert figures.penalty == 0


def test_features_that_tell_nothing_change_nothing() -> None:
    """Where held-out looks gain nothing, the general classifier stays as it is."""
    views = looks({0: 7, 1: 8, 2: 9, 3: 3, 4: 4})
    noise = np.random.default_rng(5).normal(size=views.features.shape)
    head, figures = choose_head(
        Views(noise, views.answers, views.labels, views.families, views.photos)
    )
    assert head is None or figures.after > figures.before
    assert figures.after >= figures.before


def test_an_odd_set_is_learnt_and_the_figures_are_of_held_out_looks() -> None:
    named = {k: (k + 1) % 12 for k in range(12)}
    head, figures = choose_head(looks(named))
    assert head is not None
    assert (figures.plain, figures.before) == (0, 0)
    assert figures.after > 0.95
    assert figures.held_out == "look"
    fresh = looks(named, seed=4)
    assert (head.adjust(fresh.answers, fresh.features).argmax(axis=1) == fresh.labels).mean() > 0.95


def test_with_several_photos_whole_photos_are_held_out() -> None:
    named = {k: (k + 1) % 6 for k in range(6)}
    calls: list[str] = []
    _, figures = choose_head(looks(named, photos=2), calls.append)
    assert figures.held_out == "photo"
    assert len(calls) == 8  # four penalties, two photos


def test_a_photo_with_kinds_of_its_own_is_not_held_out() -> None:
    """Partial photos: nobody can name a kind that was never shown."""
    views = looks({k: (k + 1) % 6 for k in range(6)})
    halves = (views.labels >= 3).astype(int)
    apart = Views(views.features, views.answers, views.labels, views.families, halves)
    assert choose_head(apart)[1].held_out == "look"


def test_learning_faces_must_not_cost_what_is_no_face() -> None:
    """Table without a tile that looks like the faces: a head that names it a tile is refused."""
    faces = looks({k: (k + 1) % 4 for k in range(4)}, spread=0.02)
    table = looks({0: 41}, spread=0.02, each=60, seed=8)
    same = Views(
        np.concatenate([faces.features, table.features]),
        np.concatenate([faces.answers, table.answers]),
        np.concatenate([faces.labels, np.full(60, 41)]),
        np.concatenate([faces.families, table.families]),
        np.concatenate([faces.photos, table.photos]),
    )
    head, _ = choose_head(same)
    kept = table.answers if head is None else head.adjust(table.answers, table.features)
    assert (kept.argmax(axis=1) == 41).mean() > 0.7
