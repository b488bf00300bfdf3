"""What is learnt about a set's backs and dice: a second small change, over groups of classes.

Nine groups: any face, back, the six dice, nothing. What lies in a photo of backs and dice moves the
shares of the groups; which face a face is stays the business of `head`. Fitted and held like it
(multinomial logistic regression from the answers so far, with a ridge penalty), and used only when
held-out looks at backs and dice gain by it and those at faces and the bare table lose nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.calibration.head import LEAST_P, Head, Views
from vision.calibration.views import FAMILIES
from vision.values import CLASSES, FACES

PENALTIES = (1e-2, 1e-3, 2e-4)
OTHERS_FITS = len(PENALTIES) * len(FAMILIES)
"""How often `choose_others` tells of progress at most."""
STEPS = 80
RANK = 160
_FACE_COUNT = len(FACES)
# Any face, then back, dice and nothing as the classifier has them.
GROUP_COUNT = 1 + len(CLASSES) - _FACE_COUNT + 1


@dataclass(frozen=True, eq=False)
class OthersHead:
    """Weights over the nine groups.

    Attributes:
        mean: Features' mean over the looks it was fitted on (d).
        weights: 9 x d.
    """

    mean: np.ndarray
    weights: np.ndarray

    def adjust(self, answers: np.ndarray, features: np.ndarray) -> np.ndarray:
        """Answers with the shares of the groups moved; n x classes, features n x d."""
        groups = _grouped(answers)
        push = (features - self.mean) @ self.weights.T
        moved = _softmax(np.log(np.maximum(groups, LEAST_P)) + push)
        changed = answers.copy()
        faces = np.maximum(groups[:, :1], LEAST_P)
        changed[:, :_FACE_COUNT] = answers[:, :_FACE_COUNT] / faces * moved[:, :1]
        changed[:, _FACE_COUNT:] = moved[:, 1:]
        return changed


@dataclass(frozen=True)
class OthersFigures:
    """Shares of disguised looks at backs and dice named rightly.

    Attributes:
        before: As it was read without what was learnt of them.
        after: By heads fitted without the looks' like; equal to `before` when none is used.
    """

    before: float
    after: float


def choose_others(
    views: Views, head: Head | None, tell: Callable[[str], None] = lambda _: None
) -> tuple[OthersHead | None, OthersFigures | None]:
    """Fit a head for backs and dice, if the looks show any and gain by it.

    Args:
        views: Looks at the examples of one set.
        head: What was learnt about the faces; the answers are moved by it first.
        tell: Called once after each fit.

    Returns:
        The head, or None; and the figures, None where no back and no die was shown.
    """
    others = (views.labels >= _FACE_COUNT) & (views.labels < len(CLASSES))
    if not others.any() or views.answers.shape[1] != _FACE_COUNT + GROUP_COUNT - 1:
        return None, None
    answers = views.answers if head is None else head.adjust(views.answers, views.features)
    groups = _grouped(answers)
    labels = np.where(views.labels < _FACE_COUNT, 0, views.labels - _FACE_COUNT + 1)
    faces, nothing = labels == 0, labels == GROUP_COUNT - 1
    fitter = _Fitter(views.features, groups, labels, views.labels)
    disguised = views.families >= 0
    right = groups.argmax(axis=1) == labels
    before = float(right[others & disguised].mean())
    best, chosen = before, 0.0
    for penalty in PENALTIES:
        held_out = right.copy()
        for family in range(len(FAMILIES)):
            fold = views.families == family
            trial = fitter.fit(penalty, ~fold)
            moved = trial.adjust(answers[fold], views.features[fold])
            held_out[fold] = _grouped(moved).argmax(axis=1) == labels[fold]
            tell("fit")
        after = float(held_out[others & disguised].mean())
        rest = (faces & disguised, nothing & disguised)
        harmless = all(held_out[rows].sum() >= right[rows].sum() for rows in rest)
        if after > best and harmless:
            best, chosen = after, penalty
    figures = OthersFigures(before, best)
    return (fitter.fit(chosen) if chosen else None), figures


def _grouped(answers: np.ndarray) -> np.ndarray:
    """n x classes to n x 9."""
    faces = answers[:, :_FACE_COUNT].sum(axis=1, keepdims=True)
    return np.concatenate([faces, answers[:, _FACE_COUNT:]], axis=1)


class _Fitter:
    """Fits to parts of the same looks."""

    def __init__(
        self, features: np.ndarray, groups: np.ndarray, labels: np.ndarray, kinds: np.ndarray
    ) -> None:
        self._mean = features.mean(axis=0)
        centred = features - self._mean
        values, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
        rank = int(min(RANK, (values > values[-1] * 1e-7).sum()))
        self._basis = vectors[:, -rank:]
        self._scale = float(np.sqrt(max(values.sum(), 1e-12)))
        self._reduced = (centred @ self._basis / self._scale).astype(np.float32)
        self._logs = np.log(np.maximum(groups, LEAST_P)).astype(np.float32)
        self._labels = labels
        # Each kind counts the same, so faces outweigh backs and dice as they do on a table.
        self._share = 1 / np.bincount(kinds)[kinds]

    def fit(self, penalty: float, rows: np.ndarray | None = None) -> OthersHead:
        """The head for a ridge penalty; each kind that is shown counts the same.

        Dice that were not shown keep their answers against each other: where only some of the six
        are shown, all six share one row of weights.
        """
        rows = np.ones(len(self._labels), bool) if rows is None else rows
        inputs, logs, labels = self._reduced[rows], self._logs[rows], self._labels[rows]
        share = self._share[rows]
        share = (share / share.sum())[:, None].astype(np.float32)
        wanted = np.zeros_like(logs)
        wanted[np.arange(len(labels)), labels] = 1
        ties = self._ties()
        steepest = 0.5 * float(np.linalg.norm(inputs * np.sqrt(share), 2) ** 2) + penalty
        weights = ahead = np.zeros((ties.shape[1], inputs.shape[1]), np.float32)
        pace = 1.0
        for _ in range(STEPS):  # Nesterov's accelerated gradient descent; the loss is convex
            wrong = (_softmax(logs + inputs @ ahead.T @ ties.T) - wanted) * share
            step = ahead - ((wrong @ ties).T @ inputs + penalty * ahead) / steepest
            faster = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
            ahead = step + (pace - 1) / faster * (step - weights)
            weights, pace = step, faster
        full = ties @ weights @ self._basis.T / self._scale
        return OthersHead(self._mean.astype(np.float32), full.astype(np.float32))

    def _ties(self) -> np.ndarray:
        """9 x rows of 0 and 1: which groups move together."""
        dice = range(2, 8)
        apart = set(dice) <= set(self._labels.tolist())
        rows = list(range(GROUP_COUNT)) if apart else [0, 1, *[2] * 6, 3]
        ties = np.zeros((GROUP_COUNT, max(rows) + 1), np.float32)
        ties[np.arange(GROUP_COUNT), rows] = 1
        return ties


def _softmax(logs: np.ndarray) -> np.ndarray:
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
