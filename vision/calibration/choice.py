"""How far the general classifier is moved towards one set: as far as held-out looks allow.

Looks at the same example are alike, so looks held out flatter every head. Two brakes answer that:
the head may be the freer, the worse the general classifier reads the undisguised examples, and a
head that does not lower the errors of looks unlike those it was fitted on is not used at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.calibration import shape as shapes
from vision.calibration.head import LEAST_P, Head, HeadFitter, Views
from vision.calibration.match import Pictures, against_best
from vision.calibration.outline import first_corner, fit_outline
from vision.calibration.shape import Shape
from vision.calibration.views import FAMILIES
from vision.values import FACES

# (general accuracy on plain looks below which it is allowed, ridge penalty), from timid to bold.
PENALTIES = ((1.01, 1e-2), (0.95, 1e-3), (0.9, 2e-4), (0.9, 5e-5))
# Disguised looks are harder than photos: a set that is read well loses up to a sixth of them.
HARDER = 0.25
# The same for the weight of the prints.
WEIGHTS = ((1.01, 6.0), (0.95, 12.0), (0.9, 24.0))
# And for that of what is compared stroke by stroke, tried on a few looks at each face.
CLOSER = ((1.01, 0.1), (0.95, 0.2), (0.9, 0.4))
LOOKED_CLOSER = 4
# A worn set's own pictures fit its faces little better than chance now and then. So what no print
# stands for (`match.BLANK_FITS`) is at most this share of what all but a few looks fit, in bounds.
WORN, FEW, PRINTLESS = 0.6, 0.1, (0.45, 1.0)


@dataclass(frozen=True)
class Figures:
    """What the calibration looks say, all shares of looks at faces named rightly.

    Attributes:
        plain: General classifier, undisguised looks in the four quarter turns.
        before: General classifier, disguised looks.
        after: The same looks, each named by a head that was fitted without its like.
        penalty: The ridge penalty chosen; 0 when the general classifier is left as it is.
        held_out: `"photo"` or `"look"`: what the held-out looks did not share with the others.
        shape: Weight of the prints (`shape.Shape`); 0 when they are not used.
        closer: Weight of the comparison stroke by stroke (`match`); 0 when it is not used.
    """

    plain: float
    before: float
    after: float
    penalty: float
    held_out: str
    shape: float = 0.0
    closer: float = 0.0


def choose_head(
    views: Views, tell: Callable[[str], None] = lambda _: None
) -> tuple[Head | None, Figures]:
    """`choose_held_out` without the answers."""
    head, figures, _ = choose_held_out(views, tell)
    return head, figures


def choose_held_out(
    views: Views, tell: Callable[[str], None] = lambda _: None
) -> tuple[Head | None, Figures, np.ndarray]:
    """Fit a head to all views, its freedom chosen by views held out.

    With several photos each photo is held out in turn, else each family of looks.

    Args:
        views: Looks at the examples of one set.
        tell: Called once after each fit, for a progress bar.

    Returns:
        The head, or None when no head names more held-out looks rightly; the figures; and the
        answers (n x classes) by heads of that freedom which were fitted without the look's like.
    """
    fitter = HeadFitter(views)
    faces = views.labels < len(FACES)
    plain = _share_right(views.answers, views, faces & (views.families < 0))
    disguised = views.families >= 0
    folds, held_out = _folds(views)
    before = _share_right(views.answers, views, faces & disguised)
    best, chosen, kept = before, 0.0, views.answers
    for limit, penalty in PENALTIES:
        if not _allowed(plain, before, limit):
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
            best, chosen, kept = after, penalty, answers
    head = fitter.fit(chosen) if chosen else None
    return head, Figures(plain, before, best, chosen, held_out), kept


def choose_shape(
    views: Views,
    looks: tuple[np.ndarray, np.ndarray],
    answers: np.ndarray,
    figures: Figures,
    pictures: Pictures | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Shape | None, Figures]:
    """Fit the prints of a set, their weights chosen by looks held out.

    Args:
        views: Looks at the examples.
        looks: The looks themselves, n x side x side x 3, and where the tiles' corners lie in them,
            n x 4 x 2 pixels.
        answers: What is answered so far to looks held out (`choose_held_out`).
        figures: Of the same.
        pictures: The set's own; without them nothing is compared stroke by stroke.
        tell: Called once after each fit.

    Returns:
        The outline, with the prints where they name more held-out looks rightly; None where no
        face was shown; and the figures.
    """
    faces = views.labels < len(FACES)
    if not faces.any():
        return None, figures
    crops, corners = (part[faces] for part in looks)
    labels, answers = views.labels[faces], answers[faces]
    disguised = views.families[faces] >= 0
    places, first = first_corner((corners + 0.5) / crops.shape[1])
    folds = [mask[faces] for mask in _folds(views)[0]]
    outline, told = fit_outline(crops, places, folds, tell)
    flat = shapes.described(shapes.flattened(crops, told))
    scores = np.zeros((len(flat), len(FACES)))
    for fold in folds:
        trial = shapes.fit_prints(flat[~fold], labels[~fold], first[~fold])
        scores[fold] = trial(flat[fold]).reshape(-1, len(FACES), shapes.TURNS).max(axis=2)
        tell("fit")
    best, weight = _choose_weight(answers, scores, labels, disguised, figures)
    if weight:
        answers = shapes.blended(answers, scores, weight)
    closer, gained, printless = 0.0, 0.0, 1.0
    if pictures is not None:
        some = _some_of_each(labels, disguised)
        fits = pictures.compare(crops[some], told[some], answers=answers[some])
        said = against_best(fits)
        closer, gained = _choose_closer(answers[some], said, labels[some], figures)
        printless = _printless(fits, labels[some], pictures.blank)
    tell("fit")
    prints = shapes.fit_prints(flat, labels, first) if weight else None
    tell("fit")
    figures = replace(figures, after=min(best + gained, 1.0), shape=weight, closer=closer)
    return shapes.Shape(outline, prints, weight or 1.0, closer, printless), figures


def _choose_weight(
    answers: np.ndarray,
    scores: np.ndarray,
    labels: np.ndarray,
    disguised: np.ndarray,
    figures: Figures,
) -> tuple[float, float]:
    """The share of looks named rightly with the best weight of the prints, and that weight."""
    best, weight = figures.after, 0.0
    for limit, trial in WEIGHTS:
        named = shapes.blended(answers, scores, trial).argmax(axis=1)
        right = float((named == labels)[disguised].mean())
        if _allowed(figures.plain, figures.before, limit) and right > best:
            best, weight = right, trial
    return best, weight


def _some_of_each(labels: np.ndarray, disguised: np.ndarray) -> np.ndarray:
    """Indices of `LOOKED_CLOSER` disguised looks at each face, spread over all of them."""
    some: list[int] = []
    for kind in np.unique(labels):
        here = np.flatnonzero((labels == kind) & disguised)
        if len(here):
            some += here[np.linspace(0, len(here) - 1, LOOKED_CLOSER).astype(int)].tolist()
    return np.array(some, dtype=int)


def _choose_closer(
    answers: np.ndarray, said: np.ndarray, labels: np.ndarray, figures: Figures
) -> tuple[float, float]:
    """The weight of what the pictures say, and the share of looks it gains.

    Of the weights that lose no look the one that believes most in the true names. Where the general
    classifier reads the set well, only a weight that names more looks rightly.
    """
    right = float((answers.argmax(axis=1) == labels).mean())
    chosen, gained, most = 0.0, 0.0, _believes(answers, labels)
    for limit, weight in CLOSER:
        if not _allowed(figures.plain, figures.before, limit):
            continue
        moved = shapes.blended(answers, said, weight)
        more = float((moved.argmax(axis=1) == labels).mean()) - right
        believes = _believes(moved, labels)
        if more >= 0 and (more > 0 or limit < 1) and believes > most:
            chosen, gained, most = weight, more, believes
    return chosen, gained


def _printless(fits: np.ndarray, labels: np.ndarray, blank: Sequence[int]) -> float:
    """How well a picture fits where there is no print (`shape.Shape`), by looks at known faces.

    Args:
        fits: What `match` says of the looks.
        labels: Their kinds.
        blank: Kinds without print.
    """
    printed = ~np.isin(labels, blank)
    own = fits[np.arange(len(labels)), labels][printed]
    shares = own / np.maximum(fits[printed, -1], LEAST_P)
    if not len(shares):
        return 1.0
    return float(np.clip(WORN * np.quantile(shares, FEW), *PRINTLESS))


def _believes(answers: np.ndarray, labels: np.ndarray) -> float:
    """The mean natural logarithm of the true names' shares."""
    return float(np.log(np.maximum(answers[np.arange(len(labels)), labels], LEAST_P)).mean())


def _allowed(plain: float, disguised: float, limit: float) -> bool:
    """Whether the general classifier reads the set so badly that it may be moved so far.

    A set that is read well as it lies may still be lost in any other light: worn or pale print.
    """
    return plain < limit or disguised < limit - HARDER


def fits_needed(views_photos: int) -> int:
    """How often `choose_held_out` and `choose_shape` tell of progress at most."""
    folds = views_photos if views_photos > 1 else len(FAMILIES)
    return (len(PENALTIES) + 3) * folds + 2


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
