"""What is learnt about one tile set: a small change to the classifier's last layer.

The general classifier answers with log p(kind | crop). A head adds to it `w_kind . z`, where z are
the crop's features less the set's mean. With w = 0 it is the general classifier; fitting starts
there and is held there by a ridge penalty, so that only what the general classifier gets wrong on
this set moves it (multinomial logistic regression with the general answer as offset).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.values import BACK, CLASSES, FACES

LEAST_P = 1e-7
NEVER = -80.0
RANK = 320
STEPS = 80
FACE_COUNT = len(FACES)
BACK_AT = CLASSES.index(BACK)
SURE_BACK = 0.8


@dataclass(frozen=True, eq=False)
class Head:
    """Weights that turn the general answer into the answer for one set.

    Attributes:
        mean: Features' mean over the set's views (d).
        weights: (34 + 1) x d: one row a face, one for everything that is no face.
        within_faces: Only which face it is may change, not whether it is one. So it is when the
            head was shown nothing but faces: it cannot know what is none.
        keeps_backs: The share of `back` may not change where it is large. So it is when the head
            was shown no back: a wall of backs must not become faces, but a blank white dragon that
            the general classifier takes for one in doubt may.
    """

    mean: np.ndarray
    weights: np.ndarray
    within_faces: bool = False
    keeps_backs: bool = False

    def adjust(self, answers: np.ndarray, features: np.ndarray) -> np.ndarray:
        """The answers for this set.

        Args:
            answers: n x classes of the general classifier, faces first, rows summing to one.
            features: n x d, of the same crops.
        """
        push = (features - self.mean) @ self.weights.T
        logs = np.log(np.maximum(answers, LEAST_P)) + _over_classes(push, answers.shape[1])
        if not self.within_faces:
            moved = _softmax(logs)
            if self.keeps_backs:
                back = answers[:, BACK_AT]
                others = np.maximum(1 - moved[:, BACK_AT], LEAST_P)
                kept = moved * ((1 - back) / others)[:, None]
                kept[:, BACK_AT] = back
                moved = np.where((back >= SURE_BACK)[:, None], kept, moved)
            return moved.astype(answers.dtype)
        changed = answers.copy()
        shares = _softmax(logs[:, :FACE_COUNT])
        changed[:, :FACE_COUNT] = shares * answers[:, :FACE_COUNT].sum(axis=1, keepdims=True)
        return changed


@dataclass(frozen=True, eq=False)
class Views:
    """What the classifier says to many looks at labelled examples.

    Attributes:
        features: n x d.
        answers: n x classes, the general classifier's.
        labels: n class indices.
        families: n, the way each look differs (`views.FAMILIES`; -1: not at all).
        photos: n, the photo each example came from.
    """

    features: np.ndarray
    answers: np.ndarray
    labels: np.ndarray
    families: np.ndarray
    photos: np.ndarray

    def part(self, rows: np.ndarray) -> Views:
        """The looks selected by a mask or by indices."""
        return Views(
            self.features[rows],
            self.answers[rows],
            self.labels[rows],
            self.families[rows],
            self.photos[rows],
        )


class HeadFitter:
    """Fits heads to (parts of) the same views; the features are reduced once for all fits."""

    def __init__(self, views: Views) -> None:
        """Reduce the features to the directions in which these views differ at all."""
        self._views = views
        self._mean = views.features.mean(axis=0)
        centred = views.features - self._mean
        values, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
        rank = int(min(RANK, (values > values[-1] * 1e-7).sum()))
        self._basis = vectors[:, -rank:]
        self._scale = float(np.sqrt(max(values.sum(), 1e-12)))
        self._reduced = (centred @ self._basis / self._scale).astype(np.float32)
        self._logs = np.log(np.maximum(views.answers, LEAST_P)).astype(np.float32)
        self._within_faces = not bool((views.labels >= FACE_COUNT).any())
        self._keeps_backs = not bool((views.labels == BACK_AT).any())
        if self._within_faces:
            self._logs[:, FACE_COUNT:] = NEVER

    def fit(self, penalty: float, rows: np.ndarray | None = None) -> Head:
        """The head for a ridge penalty (the larger, the nearer to the general classifier).

        Args:
            penalty: Weight of the squared length of the weights against the mean log loss.
            rows: Mask of the views to learn from; all by default. Each class counts the same.
        """
        rows = np.ones(len(self._reduced), bool) if rows is None else rows
        inputs, logs, labels = self._reduced[rows], self._logs[rows], self._views.labels[rows]
        share = 1 / np.bincount(labels, minlength=logs.shape[1])[labels]
        share = (share / share.sum())[:, None].astype(np.float32)
        wanted = np.zeros_like(logs)
        wanted[np.arange(len(labels)), labels] = 1
        steepest = 0.5 * float(np.linalg.norm(inputs * np.sqrt(share), 2) ** 2) + penalty
        weights = ahead = np.zeros((FACE_COUNT + 1, inputs.shape[1]), np.float32)
        pace = 1.0
        for _ in range(STEPS):  # Nesterov's accelerated gradient descent; the loss is convex
            answers = _softmax(logs + _over_classes(inputs @ ahead.T, logs.shape[1]))
            wrong = _by_row((answers - wanted) * share)
            step = ahead - (wrong.T @ inputs + penalty * ahead) / steepest
            faster = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
            ahead = step + (pace - 1) / faster * (step - weights)
            weights, pace = step, faster
        full = weights @ self._basis.T / self._scale
        return Head(
            self._mean.astype(np.float32),
            full.astype(np.float32),
            self._within_faces,
            self._keeps_backs,
        )


def _over_classes(rows: np.ndarray, classes: int) -> np.ndarray:
    """n x (34 + 1) to n x classes: everything that is no face shares the last one."""
    rest = np.repeat(rows[:, FACE_COUNT:], classes - FACE_COUNT, axis=1)
    return np.concatenate([rows[:, :FACE_COUNT], rest], axis=1)


def _by_row(values: np.ndarray) -> np.ndarray:
    """n x classes to n x (34 + 1): the transpose of `_over_classes`."""
    rest = values[:, FACE_COUNT:].sum(axis=1, keepdims=True)
    return np.concatenate([values[:, :FACE_COUNT], rest], axis=1)


def _softmax(logs: np.ndarray) -> np.ndarray:
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
