"""How far the general classifier is moved towards one set: as far as held-out looks allow.

Looks at the same example are alike, so looks held out flatter every head. Two brakes answer that:
the head may be the freer, the worse the general classifier reads the undisguised examples, and a
head that does not lower the errors of looks unlike those it was fitted on is not used at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.calibration.head import Head, HeadFitter, Views
from vision.calibration.views import FAMILIES
from vision.values import FACES

# (general accuracy on plain looks below which it is allowed, ridge penalty), from timid to bold.
PENALTIES = ((1.01, 1e-2), (0.95, 1e-3), (0.9, 2e-4), (0.9, 5e-5))


@dataclass(frozen=True)
class Figures:
    """What the calibration looks say, all shares of looks at faces named rightly.

    Attributes:
        plain: General classifier, undisguised looks in the four quarter turns.
        before: General classifier, disguised looks.
        after: The same looks, each named by a head that was fitted without its like.
        penalty: The ridge penalty chosen; 0 when the general classifier is left as it is.
        held_out: `"photo"` or `"look"`: what the held-out looks did not share with the others.
    """

    plain: float
    before: float
    after: float
    penalty: float
    held_out: str


def choose_head(
    views: Views, tell: Callable[[str], None] = lambda _: None
) -> tuple[Head | None, Figures]:
    """Fit a head to all views, its freedom chosen by views held out.

    With several photos each photo is held out in turn, else each family of looks.

    Args:
        views: Looks at the examples of one set.
        tell: Called once after each fit, for a progress bar.

    Returns:
        The head, or None when no head names more held-out looks rightly; and the figures.
    """
    fitter = HeadFitter(views)
    faces = views.labels < len(FACES)
    plain = _share_right(views.answers, views, faces & (views.families < 0))
    disguised = views.families >= 0
    folds, held_out = _folds(views)
    before = _share_right(views.answers, views, faces & disguised)
    best, chosen = before, 0.0
    for limit, penalty in PENALTIES:
        if plain >= limit:
            continue
        answers = views.answers.copy()
        for fold in folds:
            trial = fitter.fit(penalty, ~fold)
            answers[fold] = trial.adjust(views.answers[fold], views.features[fold])
            tell("fit")
        others_lost = _share_right(views.answers, views, ~faces) - _share_right(
            answers, views, ~faces
        )
        after = _share_right(answers, views, faces & disguised)
        if after > best and others_lost <= max(0.01, after - before):
            best, chosen = after, penalty
    head = fitter.fit(chosen) if chosen else None
    return head, Figures(plain, before, best, chosen, held_out)


def fits_needed(views_photos: int) -> int:
    """How often `choose_head` tells of progress at most."""
    return len(PENALTIES) * (views_photos if views_photos > 1 else len(FAMILIES))


def _folds(views: Views) -> tuple[list[np.ndarray], str]:
    """Masks of what is held out together.

    A photo is held out only where the others show all of its kinds: nobody can name a kind that
    was never shown.
    """
    photos = np.unique(views.photos)
    masks = [views.photos == photo for photo in photos]
    complete = [set(views.labels[m]) <= set(views.labels[~m]) for m in masks]
    if len(photos) > 1 and all(complete):
        return masks, "photo"
    return [views.families == family for family in range(len(FAMILIES))], "look"


def _share_right(answers: np.ndarray, views: Views, rows: np.ndarray) -> float:
    if not rows.any():
        return 1.0
    return float((answers[rows].argmax(axis=1) == views.labels[rows]).mean())
