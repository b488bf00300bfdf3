"""What a stranger's tile set would get: classifiers trained without one series of photos each.

A classifier learns from scratch without the photos whose names begin with a series' prefix, and
names the labelled faces of that series in the development photos. Beside it stands the ordinary
classifier, which has seen the series, and both on all other photos: how far the short training
falls behind there is what its budget costs, the rest is what not having seen the series costs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from models.export import export_classifier
from models.measure import load_yardstick
from models.naming import NamedPhoto, name_photos
from models.recipe import Recipe
from models.sources import Scenes
from models.train_classifier import train_classifier
from models.training import TrainingError, training_photos, write_whole
from vision.classifier import Classifier
from vision.model_store import open_store

RESULT = "leave_out.json"
TABLE = "leave_out.md"
BEGIN, END = "<!-- leave-out -->", "<!-- /leave-out -->"


@dataclass(frozen=True)
class LeftOut:
    """The figures of one series; accuracies are shares of labelled faces named rightly.

    Attributes:
        series: beginning of the photos' names.
        photos: training photos left out.
        iterations: batches of the training without them.
        faces: labelled faces of the series in the development photos.
        without, ordinary: accuracy on these, of the classifier trained without and of the ordinary.
        without_others, ordinary_others: the same on the faces of all other photos.
    """

    series: str
    photos: int
    iterations: int
    faces: int
    without: float
    ordinary: float
    without_others: float
    ordinary_others: float


def accuracy(named: Sequence[NamedPhoto], series: str, of_it: bool) -> tuple[int, float]:
    """Faces, and the share named rightly, in photos of the series or in all the others."""
    chosen = [p.right for p in named if p.file.startswith(series) is of_it]
    faces = sum(len(right) for right in chosen)
    return faces, sum(sum(right) for right in chosen) / max(faces, 1)


def leave_out(
    recipe: Recipe,
    photos: Path,
    scenes: Scenes,
    out: Path,
    ordinary: Path | None = None,
    threads: int = 1,
    say: Callable[[str], None] = print,
) -> list[LeftOut]:
    """Train without each series of `recipe.leave_out`, measure, and write the table.

    Args:
        recipe: settings; the classifier's start is "scratch" whatever they say, because a trained
            detector's backbone has seen the series.
        photos: the folder with train/, dice_train/, crops/ and eval/.
        scenes: folders of rendered scenes.
        out: a folder of each series' checkpoints and model; a run that was stopped goes on. Gets
            `RESULT` and `TABLE`, which hold the series measured so far.
        ordinary: folder of the models to compare with; the shipped ones by default.
        threads: CPU threads.
        say: takes a line for people.

    Raises:
        TrainingError: no series is given, or no photo belongs to one.
    """
    settings = recipe.leave_out
    counts = _counts(photos, settings.series)
    known = {(one.series, one.iterations): one for one in read_table(out / RESULT)}
    reference: list[NamedPhoto] = []
    for number, (series, count) in enumerate(counts.items(), 1):
        head = f"[{number}/{len(counts)}] without {series}"
        if (series, settings.iterations) in known:
            say(f"{head}: measured already")
            continue
        say(f"{head} ({count} photos): {settings.iterations:,} batches from scratch")
        folder = out / f"{series.strip('_')}-{settings.iterations}"
        named = _train_and_name(recipe, photos, scenes, folder, series, threads)
        reference = reference or name_photos(photos / "eval", _classifier(ordinary))
        row = compare(series, count, settings.iterations, named, reference)
        known[series, settings.iterations] = row
        say(f"{head}: {row.without:.3f} of {row.faces} faces, the ordinary one {row.ordinary:.3f}")
        write_table(out, list(known.values()))
    return [known[series, settings.iterations] for series in counts]


def _counts(photos: Path, series: Sequence[str]) -> dict[str, int]:
    """The training photos of each series."""
    if not series:
        raise TrainingError("no series of photos is given: use --series PREFIX")
    trained = [p.path.name for p in training_photos(photos, True, "")]
    measured = [p.file.name for p in load_yardstick(photos / "eval")]
    for prefix in series:
        for names, where in ((trained, "train"), (measured, "eval")):
            if not any(name.startswith(prefix) for name in names):
                raise TrainingError(
                    f"no photo in {photos / where} has a name that begins with {prefix!r}"
                )
    return {s: sum(name.startswith(s) for name in trained) for s in series}


def _train_and_name(
    recipe: Recipe, photos: Path, scenes: Scenes, folder: Path, series: str, threads: int
) -> list[NamedPhoto]:
    """Train without a series into `folder`, and let the classifier name the development photos."""
    settings = replace(recipe.classifier, start="scratch", iterations=recipe.leave_out.iterations)
    recipe = replace(recipe, classifier=settings)
    weights = train_classifier(recipe, photos, scenes, folder, threads, leave_out=series)
    export_classifier(weights, recipe, folder, photos)
    return name_photos(photos / "eval", _classifier(folder))


def _classifier(folder: Path | None) -> Classifier:
    return Classifier(open_store(folder).model("classifier"))


def compare(
    series: str,
    photos: int,
    iterations: int,
    without: Sequence[NamedPhoto],
    ordinary: Sequence[NamedPhoto],
) -> LeftOut:
    """The figures of one series from what both classifiers named."""
    faces, share = accuracy(without, series, True)
    others = [accuracy(named, series, False)[1] for named in (without, ordinary)]
    seen = accuracy(ordinary, series, True)[1]
    return LeftOut(series, photos, iterations, faces, share, seen, *others)


def read_table(file: Path) -> list[LeftOut]:
    """The figures measured so far."""
    return [LeftOut(**row) for row in json.loads(file.read_text("utf-8"))] if file.exists() else []


def write_table(out: Path, rows: Sequence[LeftOut]) -> None:
    """Write the figures into `out` as JSON and as a Markdown table."""
    write_whole(out / RESULT, json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    write_whole(out / TABLE, as_markdown(rows))


def as_markdown(rows: Sequence[LeftOut]) -> str:
    """The table that the model card shows."""
    lines = [
        "| series left out | its training photos | batches | its faces measured | without it "
        "| ordinary | other faces, without it | other faces, ordinary |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        shares = (r.without, r.ordinary, r.without_others, r.ordinary_others)
        figures = " | ".join(f"{share:.3f}" for share in shares)
        lines.append(f"| `{r.series}` | {r.photos} | {r.iterations:,} | {r.faces} | {figures} |")
    return "\n".join(lines) + "\n"


def install(rows: Sequence[LeftOut], models: Path) -> None:
    """Keep the figures with the shipped models: `leave_out.json`, and the table on the card.

    A series that was measured before is replaced.

    Args:
        rows: the figures.
        models: the folder that holds CARD.md.
    """
    fresh = {row.series: row for row in rows}
    before = {row.series: row for row in read_table(models / RESULT)}
    kept = list((before | fresh).values())
    write_whole(models / RESULT, json.dumps([asdict(row) for row in kept], indent=1) + "\n")
    card = models / "CARD.md"
    head, _, rest = card.read_text("utf-8").partition(BEGIN)
    _, mark, tail = rest.partition(END)
    if not mark:
        raise TrainingError(f"{card} has no place for the table: {BEGIN} and {END}")
    write_whole(card, f"{head}{BEGIN}\n{as_markdown(kept)}{END}{tail}")
