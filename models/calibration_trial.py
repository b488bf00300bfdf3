"""What calibration gains on labelled photos: before and after, set by set.

For each tile set (source) of a folder of labelled photos, one example of each face present is
drawn, the set is taught from these alone, and all its other labelled faces are named by the
classifier without and with what was learnt. Where a set has a photo tagged `guided`, that is the
calibration photo. At last all sets so taught are stored together, and every photo of the folder is
asked by its other tiles which of them it shows. The figures come by size as well: a face that is a
dozen pixels high in its photo cannot be named by anybody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from models.measure import LabelledPhoto, load_yardstick
from vision.calibration import Example, TileSet, teach
from vision.calibration.chooser import LEAST_TILES, SetChooser
from vision.calibration.examples import examples_of
from vision.classifier import Classifier
from vision.photo import Photo, load_photo
from vision.reader import TAUGHT_MARGIN
from vision.values import FACES, NONE, TileReading

GUIDED_TAG, ROW_TAG = "guided", "row"
BANDS = (0.0, 24.0, 40.0)
"""From how many pixels on of a box's shorter side faces are counted together. Of the labelled hand
rows of ../shared/photos/eval one face in a hundred is smaller than 26, half are smaller than 43."""
LEAST_LABELS = 60
STRANGERS = "(sets not taught)"
"""The row of the photos of all other sets, of which only the recognition is measured."""


@dataclass(frozen=True, eq=False)
class Label:
    """One labelled tile of a photo of the set."""

    photo: LabelledPhoto
    tile: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Named:
    """What became of one labelled face.

    Attributes:
        photo: Draw and file.
        row: Its photo shows a hand row.
        side: Pixels of its box's shorter side.
        before: Named rightly without calibration.
        after: Named rightly with it.
        marked: With it, the two likeliest names are so near that the reader marks it doubtful.
    """

    photo: tuple[int, str]
    row: bool
    side: float
    before: bool
    after: bool
    marked: bool


@dataclass
class Recognition:
    """What was said of which stored set a photo shows, by photos.

    Attributes:
        right: Its own set, for sure; of a photo of no stored set: none of them.
        asked: It was open, and somebody would be asked.
        none: None of them, though its own set is stored.
        wrong: Another set, or a stored one where it is none of them.
    """

    right: int = 0
    asked: int = 0
    none: int = 0
    wrong: int = 0

    def count(self, found: str | None, asked: bool, true: str | None) -> None:
        """One more photo.

        Args:
            found: The set it was taken for.
            asked: Whether that was open.
            true: The set it shows; None where that is not stored.
        """
        if asked:
            self.asked += 1
        elif found == true:
            self.right += 1
        elif found is None:
            self.none += 1
        else:
            self.wrong += 1


@dataclass
class Trial:
    """A set's figures over its draws: shares of the remaining faces named rightly.

    Attributes:
        source: The set.
        faces: Labelled faces measured in each draw.
        before: Without calibration, by draw.
        after: With it, by draw.
        others: (right before, right after, number) of labelled backs and dice, all draws.
        recognised: Of its measured photos (draw 0, all sets stored).
        penalties: What the fit chose, by draw; 0 leaves the classifier as it is.
        named: Every labelled face that was measured, all draws.
    """

    source: str
    faces: int = 0
    before: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)
    others: tuple[int, int, int] = (0, 0, 0)
    recognised: Recognition = field(default_factory=Recognition)
    penalties: list[float] = field(default_factory=list)
    named: list[Named] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The figures with the worst and the mean change."""
        measured = bool(self.before)
        return {
            "source": self.source,
            "faces": self.faces,
            "before": float(np.mean(self.before)) if measured else None,
            "after": float(np.mean(self.after)) if measured else None,
            "worst_change": float(np.subtract(self.after, self.before).min()) if measured else None,
            "others": list(self.others),
            "recognised": asdict(self.recognised),
            "penalties": self.penalties,
            "sizes": [sizes_json(self.named, low) for low in BANDS],
            "rows": rows_json(self.named),
        }


def sizes_json(named: Sequence[Named], low: float) -> dict[str, float]:
    """Of the faces in the size band that begins at `low`: number, right before and after, and how
    many are wrong after without being marked doubtful."""
    high = next((bound for bound in BANDS if bound > low), float("inf"))
    here = [one for one in named if low <= one.side < high]
    return {
        "from": low,
        "faces": len(here),
        "right_before": sum(one.before for one in here),
        "right_after": sum(one.after for one in here),
        "wrong_unmarked": sum(not one.after and not one.marked for one in here),
    }


def rows_json(named: Sequence[Named]) -> dict[str, int]:
    """Of the photos of hand rows: number, and of how many every face is right before and after."""
    by_photo: dict[tuple[int, str], list[Named]] = defaultdict(list)
    for one in named:
        if one.row:
            by_photo[one.photo].append(one)
    return {
        "photos": len(by_photo),
        "exact_before": sum(all(one.before for one in here) for here in by_photo.values()),
        "exact_after": sum(all(one.after for one in here) for here in by_photo.values()),
    }


def run_trials(
    folder: Path,
    classifier: Classifier,
    draws: int = 3,
    least_labels: int = LEAST_LABELS,
    quiet: bool = False,
) -> list[Trial]:
    """Try calibration on every set with enough labelled faces.

    Args:
        folder: Labelled photos, as `zhuowu evaluate` reads them.
        classifier: The general classifier.
        draws: How often examples are drawn (once where there is a guided photo).
        least_labels: Labelled faces below which a source is left out.
        quiet: No progress bar.
    """
    sets: dict[str, list[Label]] = defaultdict(list)
    for photo in load_yardstick(folder):
        sets[photo.source] += [Label(photo, tile, box) for tile, box in photo.labels]
    chosen = {
        source: labels
        for source, labels in sorted(sets.items())
        if sum(label.tile in FACES for label in labels) >= least_labels
    }
    trials = []
    stored: dict[str, TileSet] = {}
    used: set[int] = set()
    for source, labels in tqdm(chosen.items(), unit="set", disable=quiet):
        guided = any(GUIDED_TAG in label.photo.tags for label in labels)
        trial = Trial(source)
        photos = {label.photo.file: load_photo(label.photo.file) for label in labels}
        for draw in range(1 if guided else draws):
            taught = _guided(labels) if guided else _drawn(labels, draw)
            tile_set = _one_draw(trial, taught, labels, photos, classifier, guided)
            if draw == 0:
                stored[source] = tile_set
                used |= set(map(id, taught))
        trials.append(trial)
    for trial in trials:
        rest = [label for label in sets[trial.source] if id(label) not in used]
        trial.recognised = _recognised(rest, stored, trial.source, classifier)
    strangers = [x for source, labels in sets.items() if source not in stored for x in labels]
    if strangers:
        trials.append(Trial(STRANGERS, recognised=_recognised(strangers, stored, None, classifier)))
    return trials


def remaining_errors_gone(trials: Sequence[Trial], below: float = 0.98) -> float | None:
    """Mean share of the errors that calibration took away, over sets that start below `below`."""
    shares = [
        (np.mean(t.after) - np.mean(t.before)) / (1 - np.mean(t.before))
        for t in trials
        if t.before and np.mean(t.before) < below
    ]
    return float(np.mean(shares)) if shares else None


def _guided(labels: Sequence[Label]) -> list[Label]:
    return [label for label in labels if GUIDED_TAG in label.photo.tags and label.tile in FACES]


def _drawn(labels: Sequence[Label], draw: int) -> list[Label]:
    """One example of each face, drawn by a seed."""
    rng = np.random.default_rng(draw)
    by_tile: dict[str, list[Label]] = defaultdict(list)
    for label in labels:
        if label.tile in FACES:
            by_tile[label.tile].append(label)
    return [by_tile[tile][rng.integers(len(by_tile[tile]))] for tile in FACES if tile in by_tile]


def _examples(
    taught: Sequence[Label], labels: Sequence[Label], photos: dict[Path, Photo]
) -> list[Example]:
    """The tiles drawn, and a few pieces of bare table from the first photo that has any.

    A yardstick labels or ignores every tile, so the rest of a photo is bare.
    """
    examples: list[Example] = []
    bare: list[Example] = []
    for label in taught:
        photo = photos[label.photo.file]
        width, height = label.photo.size
        here = [x.box for x in labels if x.photo.file == label.photo.file]
        here += [
            (a * width, b * height, c * width, d * height) for a, b, c, d in label.photo.ignored
        ]
        covered = [TileReading(NONE, 1.0, box) for box in here]
        tile = TileReading(label.tile, 1.0, label.box)
        cut = examples_of(photo, [tile], 0, None if bare else covered)
        examples.append(cut[0])
        bare += cut[1:]
    return examples + bare


def _one_draw(
    trial: Trial,
    taught: list[Label],
    labels: Sequence[Label],
    photos: dict[Path, Photo],
    classifier: Classifier,
    guided: bool,
) -> TileSet:
    """Teach the set from `taught` and measure the rest; what was taught."""
    examples = _examples(taught, labels, photos)
    tile_set = teach("trial", examples, classifier, insist=True, need_all=False)
    used = set(map(id, taught))
    files = {label.photo.file for label in taught} if guided else set()
    rest = [x for x in labels if id(x) not in used and x.photo.file not in files]
    before, after, marked = _named(rest, labels, photos, classifier, tile_set)
    truth = np.array([x.tile for x in rest])
    faces = np.isin(truth, FACES)
    trial.faces = int(faces.sum())
    trial.before.append(float((before == truth)[faces].mean()))
    trial.after.append(float((after == truth)[faces].mean()))
    kinds, was, now = (np.array([t[:3] for t in names]) for names in (truth, before, after))
    right = (int((was == kinds)[~faces].sum()), int((now == kinds)[~faces].sum()))
    a, b, n = trial.others
    trial.others = (a + right[0], b + right[1], n + int((~faces).sum()))
    draw = len(trial.penalties)
    trial.penalties.append(tile_set.figures.penalty)
    trial.named += [
        Named(
            (draw, rest[k].photo.file.name),
            ROW_TAG in rest[k].photo.tags,
            min(rest[k].box[2] - rest[k].box[0], rest[k].box[3] - rest[k].box[1]),
            bool(before[k] == truth[k]),
            bool(after[k] == truth[k]),
            bool(marked[k]),
        )
        for k in np.flatnonzero(faces)
    ]
    return tile_set


def _named(
    asked: Sequence[Label],
    labels: Sequence[Label],
    photos: dict[Path, Photo],
    classifier: Classifier,
    tile_set: TileSet,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Names of the tiles asked for, without and with the set, and which of the latter are marked.

    Each photo is read as a whole.
    """
    place = {id(label): row for row, label in enumerate(asked)}
    by_file: dict[Path, list[Label]] = defaultdict(list)
    for label in labels:
        by_file[label.photo.file].append(label)
    before, after = (np.empty(len(asked), "<U5") for _ in range(2))
    marked = np.zeros(len(asked), bool)
    pinned = SetChooser((tile_set,), tile_set)
    for file, here in by_file.items():
        if not any(id(label) in place for label in here):
            continue
        boxes = np.array([label.box for label in here])
        for names, sets in ((before, None), (after, pinned)):
            answers = classifier.classify(photos[file].pixels, boxes, sets)
            second, first = np.sort(answers, axis=1)[:, -2:].T
            for number, (label, k) in enumerate(zip(here, answers.argmax(axis=1), strict=True)):
                if id(label) in place:
                    names[place[id(label)]] = classifier.classes[k]
                    # What is taken for no tile at all is not reported and so not marked either.
                    near = first[number] - second[number] < TAUGHT_MARGIN
                    marked[place[id(label)]] = near and classifier.classes[k] != NONE
    return before, after, marked


def _recognised(
    labels: Sequence[Label],
    stored: dict[str, TileSet],
    source: str | None,
    classifier: Classifier,
) -> Recognition:
    """What is said of each photo with three faces or more of the set `source`; None: not stored."""
    by_file: dict[Path, list[Label]] = defaultdict(list)
    for label in labels:
        by_file[label.photo.file].append(label)
    names = {id(tile_set): name for name, tile_set in stored.items()}
    chooser = SetChooser(tuple(stored.values()), None)
    recognition = Recognition()
    for file, here in by_file.items():
        if sum(label.tile in FACES for label in here) < LEAST_TILES:
            continue
        crops = classifier.crops(load_photo(file).pixels, np.array([x.box for x in here]))
        chooser.choose(*classifier.look(crops), crops)
        found = None if chooser.chosen is None else names[id(chooser.chosen)]
        recognition.count(found, bool(chooser.candidates), source)
    return recognition
