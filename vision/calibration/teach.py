"""From labelled examples to a taught set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from vision.calibration.advice import check_examples
from vision.calibration.choice import choose_held_out, choose_shape, fits_needed
from vision.calibration.errors import CalibrationError
from vision.calibration.examples import Example
from vision.calibration.head import Views
from vision.calibration.match import pictures_of
from vision.calibration.others import OTHERS_FITS, choose_others
from vision.calibration.standing import believed_names
from vision.calibration.tile_set import MOST_EXAMPLES, TileSet, checked_name
from vision.calibration.views import plain_view, views_of
from vision.classifier import Classifier
from vision.values import BACK, FACES

MOST_VIEWS = 2600
VIEWS_EACH = (16, 60)
SEED = 20
# Standard deviations by which more looks must be lost than gained before it is no chance.
CHANCE = 2.0

Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """Nobody watches."""


def teach(
    name: str,
    examples: Sequence[Example],
    classifier: Classifier,
    *,
    insist: bool = False,
    need_all: bool = True,
    progress: Progress = no_progress,
) -> TileSet:
    """Learn a set from labelled tiles; the same examples always teach the same.

    Args:
        name: What the owner calls the set.
        examples: Labelled tiles, as `gather` makes them.
        classifier: The general classifier.
        insist: The labels have been looked at again; do not question them.
        need_all: Refuse when one of the 34 kinds is missing.
        progress: Told (steps done, steps in all), the last time with both equal.

    Raises:
        CalibrationError: the examples will not do (every reason is given), or the classifier
            gives no features.
    """
    return _learn(name, examples, classifier, insist, need_all, progress)[0]


def _learn(
    name: str,
    examples: Sequence[Example],
    classifier: Classifier,
    insist: bool,
    need_all: bool,
    progress: Progress,
) -> tuple[TileSet, Views, np.ndarray]:
    """`teach`, and the looks it learnt from and their pictures, example by example."""
    name = checked_name(name)
    need_features(classifier)
    if len(examples) > MOST_EXAMPLES:
        raise CalibrationError.of(
            "too_many_examples",
            f"样例有 {len(examples)} 张，最多 {MOST_EXAMPLES} 张。请少用几张照片。",
            f"{len(examples)} examples; at most {MOST_EXAMPLES} are used. Use fewer photos.",
        )
    examples = [e for e in examples if e.tile in classifier.classes]
    plain = np.stack([plain_view(e.patch, classifier.side) for e in examples])
    answers, features = classifier.look(plain)
    reasons = check_examples(examples, answers, features, insist, need_all)
    if reasons:
        raise CalibrationError(reasons)
    photos = len({e.photo for e in examples})
    total = len(examples) + fits_needed(photos) + OTHERS_FITS + 1
    done = 0

    def step(_: str = "") -> None:
        nonlocal done
        done = min(done + 1, total - 1)
        progress(done, total)

    views, pictures, corners = _look_at_all(examples, classifier, step)
    head, figures, held_out = choose_held_out(views, step)
    shape, figures = choose_shape(
        views, (pictures, corners), held_out, figures, pictures_of(examples), step
    )
    others, others_figures = choose_others(views, head, step)
    progress(total, total)
    taught = TileSet(
        name,
        classifier.sha256,
        tuple(examples),
        head,
        _prototypes(views),
        figures,
        others,
        others_figures,
        shape=shape,
        believed=believed_names(views, figures.plain, figures.before),
    )
    return taught, views, pictures


def add_examples(
    tile_set: TileSet,
    more: Sequence[Example],
    classifier: Classifier,
    *,
    insist: bool = False,
    progress: Progress = no_progress,
) -> TileSet:
    """The set taught again with further examples, such as a user's corrections in play.

    The newest of the earlier examples make way when there are too many.

    Raises:
        CalibrationError: as `teach`, for instance because the new tiles are of another set; or
            what the set knew already would be read worse than before.
    """
    first = 1 + max((e.photo for e in tile_set.examples), default=-1)
    shifted = [Example(e.tile, e.patch, e.photo + first, e.side) for e in more]
    kept = tile_set.examples[: max(MOST_EXAMPLES - len(shifted), 0)]
    fresh, views, pictures = _learn(
        tile_set.name, [*kept, *shifted], classifier, insist, need_all=False, progress=progress
    )
    if tile_set.classifier == classifier.sha256:
        known = views.photos < first
        _refuse_worse(tile_set, fresh, views.part(known), pictures[known])
    return fresh


def _refuse_worse(before: TileSet, after: TileSet, known: Views, pictures: np.ndarray) -> None:
    """The examples that both were taught with must be read as well as before.

    As they lie, none may be lost on balance; disguised, no more than chance explains: of the looks
    that only one of the two reads, about half are lost (a sign test).
    """
    was, now = (
        s.adjust(known.answers, known.features, pictures).argmax(axis=1) == known.labels
        for s in (before, after)
    )
    plain = known.families < 0
    lost, gained = int((was & ~now).sum()), int((now & ~was).sum())
    fewer = now[plain].sum() < was[plain].sum()
    right = float(was.mean()), float(now.mean())
    if fewer or lost - gained > CHANCE * (lost + gained) ** 0.5:
        raise CalibrationError.of(
            "would_be_worse",
            f"加上这些样例后，原来的牌反而读得差（{right[0]:.1%} → {right[1]:.1%}），所以没有改动。"
            "请核对名称，或换更清楚的照片。",
            f"With these examples the tiles known before would be read worse ({right[0]:.1%} -> "
            f"{right[1]:.1%}), so nothing was changed. Check the names, or use clearer pictures.",
        )


def refit(tile_set: TileSet, classifier: Classifier, progress: Progress = no_progress) -> TileSet:
    """The same set for another classifier, taught from the examples that it carries."""
    fresh = teach(
        tile_set.name,
        tile_set.examples,
        classifier,
        insist=True,
        need_all=False,
        progress=progress,
    )
    return replace(fresh, consent=tile_set.consent)


def need_features(classifier: Classifier) -> None:
    """Raise CalibrationError when the classifier does not give its features."""
    if not classifier.has_features:
        raise CalibrationError.of(
            "no_features",
            "当前的识别模型没有特征输出（features），不能校准牌具。请更新模型。",
            "The installed classifier has no output named features, which calibration needs. "
            "Update the models.",
        )


def _look_at_all(
    examples: Sequence[Example], classifier: Classifier, step: Callable[[], None]
) -> tuple[Views, np.ndarray, np.ndarray]:
    """What the classifier says to the looks, the looks, and where the tiles' corners are."""
    each = int(np.clip(MOST_VIEWS // max(len(examples), 1), *VIEWS_EACH))
    answers, features, families, pictures, corners = [], [], [], [], []
    for number, example in enumerate(examples):
        others = [
            e.patch
            for e in examples
            if e is not example and e.photo == example.photo and e.tile in FACES
        ]
        rng = np.random.default_rng([SEED, number])
        body = example.tile in (*FACES, BACK)
        looks = views_of(example.patch, others, classifier.side, each, rng, body)
        said, felt = classifier.look(looks.pictures)
        answers.append(said)
        features.append(felt)
        families.append(looks.families)
        pictures.append(looks.pictures)
        corners.append(looks.corners)
        step()
    views = Views(
        np.concatenate(features),
        np.concatenate(answers),
        np.repeat([classifier.classes.index(e.tile) for e in examples], each),
        np.concatenate(families),
        np.repeat([e.photo for e in examples], each),
    )
    return views, np.concatenate(pictures), np.concatenate(corners)


def _prototypes(views: Views) -> np.ndarray:
    """The mean direction of each face's features, over all its looks."""
    unit = views.features / np.maximum(np.linalg.norm(views.features, axis=1, keepdims=True), 1e-6)
    faces = [kind for kind in np.unique(views.labels) if kind < len(FACES)]
    means = np.stack([unit[views.labels == kind].mean(axis=0) for kind in faces])
    return np.asarray(means / np.linalg.norm(means, axis=1, keepdims=True), np.float32)
