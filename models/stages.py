"""The stages of a recipe: what `zhuowu train all` does, one after the other, as plain data.

Each `[[stage]]` of the recipe file has a `name`, says what it `does` (`KINDS`), about how many
`minutes` that takes, and names the earlier stages whose results it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from models.recipe import (
    ClassifierRecipe,
    DetectorRecipe,
    Recipe,
    RecipeError,
    nearest,
    section,
    typed,
)

Settings = DetectorRecipe | ClassifierRecipe

# The folder, beside those of the results, of what is known of the stages.
FOLDER = "stages"
# A training may also start from one of these.
STARTS = {"detector": ("mahjong-detector", "scratch"), "classifier": ("scratch",)}


@dataclass(frozen=True)
class Stage:
    """One stage.

    Attributes:
        name: unique; also the folder its results lie in.
        minutes: about how long it takes (one thread of the machine of `models/TRIALS.md`).
    """

    does: ClassVar[str]
    name: str
    minutes: float

    def needs(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Setting, stage named by it, and what that stage may do (`does`)."""
        yield from ()

    def words(self) -> str:
        """What is done, in a few words."""
        raise NotImplementedError


@dataclass(frozen=True)
class Series:
    """Rendered scenes number 0 to `count` - 1 of a seed; of one `kind`, or mixed.

    `wide`: every scene is of another set, in the widest choice of styles.
    """

    seed: int
    count: int
    size: int = 640
    kind: str = ""
    wide: bool = False


@dataclass(frozen=True)
class Render(Stage):
    """Rendered scenes (`zhuowu dataset synth`)."""

    does = "scenes"
    series: tuple[Series, ...]

    def words(self) -> str:
        """See `Stage`."""
        return f"render {sum(s.count for s in self.series):,} scenes"


@dataclass(frozen=True)
class FilmFrames(Stage):
    """Frames of filmed rounds (`zhuowu dataset film-frames`).

    Attributes:
        seed: of the first film; the others follow.
        films: how many.
        share: of a film's frames that are kept.
    """

    does = "film-frames"
    seed: int
    films: int
    share: float

    def words(self) -> str:
        """See `Stage`."""
        return f"film {self.films:,} rounds and keep {100 * self.share:.0f} % of their frames"


@dataclass(frozen=True)
class TrainDetector(Stage):
    """A training of the detector; `start` may name an earlier one."""

    does = "detector"
    settings: DetectorRecipe
    seed: int
    pictures: tuple[str, ...]

    def needs(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """See `Stage`."""
        yield from (("pictures", name, PICTURES) for name in self.pictures)
        if self.settings.start not in STARTS[self.does]:
            yield "start", self.settings.start, ("detector",)

    def words(self) -> str:
        """See `Stage`."""
        s = self.settings
        last = f", the last {100 * s.last_share:.0f} % at {s.last_image_size}"
        return (
            f"train the detector, {s.iterations:,} batches of {s.batch} at {s.image_size} pixels"
            f"{last if s.last_share else ''}"
        )


@dataclass(frozen=True)
class TrainClassifier(Stage):
    """A training of the classifier; `start` may name an earlier one, or a detector's.

    Attributes:
        mined: the stage whose false finds are learnt as none, or "".
    """

    does = "classifier"
    settings: ClassifierRecipe
    seed: int
    pictures: tuple[str, ...]
    mined: str = ""

    def needs(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """See `Stage`."""
        yield from (("pictures", name, PICTURES) for name in self.pictures)
        if self.settings.start not in STARTS[self.does]:
            yield "start", self.settings.start, ("detector", "classifier", "mean")
        if self.mined:
            yield "mined", self.mined, ("negatives",)

    def words(self) -> str:
        """See `Stage`."""
        s = self.settings
        return f"train the classifier, {s.iterations:,} batches of {s.batch}"


@dataclass(frozen=True)
class Mean(Stage):
    """The mean of two classifiers' weights, of which one grew out of the other.

    Attributes:
        first, second: the trainings.
        share: of the second, 0..1.
    """

    does = "mean"
    first: str
    second: str
    share: float

    def needs(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """See `Stage`."""
        yield "first", self.first, ("classifier",)
        yield "second", self.second, ("classifier",)

    def words(self) -> str:
        """See `Stage`."""
        return f"take the mean of {self.first} and {self.second}"


@dataclass(frozen=True)
class Mine(Stage):
    """What a detector takes for tiles where there are none, in about `most` pictures."""

    does = "negatives"
    detector: str
    pictures: tuple[str, ...]
    most: int

    def needs(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """See `Stage`."""
        yield "detector", self.detector, ("detector",)
        yield from (("pictures", name, PICTURES) for name in self.pictures)

    def words(self) -> str:
        """See `Stage`."""
        return f"find what {self.detector} takes for tiles where there are none"


@dataclass(frozen=True)
class Export(Stage):
    """The ONNX files of a detector and a classifier, compared with the networks."""

    does = "export"
    detector: str
    classifier: str

    def needs(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """See `Stage`."""
        yield "detector", self.detector, ("detector",)
        yield "classifier", self.classifier, ("classifier", "mean")

    def words(self) -> str:
        """See `Stage`."""
        return f"export {self.detector} and {self.classifier} to ONNX"


@dataclass(frozen=True)
class Tune(Stage):
    """Fits what a confidence means on the development photos and on scenes kept out of training.

    Attributes:
        models: the export whose manifest is written.
        marked: greatest share of reads to mark doubtful.
    """

    does = "tune"
    models: str
    pictures: tuple[str, ...]
    marked: float

    def needs(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """See `Stage`."""
        yield "models", self.models, ("export",)
        yield from (("pictures", name, PICTURES) for name in self.pictures)

    def words(self) -> str:
        """See `Stage`."""
        return f"fit the confidence of {self.models}"


@dataclass(frozen=True)
class Evaluate(Stage):
    """The report on the development photos."""

    does = "evaluate"
    models: str

    def needs(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """See `Stage`."""
        yield "models", self.models, ("export",)

    def words(self) -> str:
        """See `Stage`."""
        return f"read the development photos with {self.models} and report"


PICTURES = (Render.does, FilmFrames.does)
KINDS: dict[str, type[Stage]] = {
    kind.does: kind
    for kind in (
        Render,
        FilmFrames,
        TrainDetector,
        TrainClassifier,
        Mean,
        Mine,
        Export,
        Tune,
        Evaluate,
    )
}


def read_stages(tables: Any, recipe: Recipe) -> tuple[Stage, ...]:
    """The stages of a recipe file.

    Args:
        tables: the file's `[[stage]]` tables.
        recipe: the sections, whose settings hold where a stage has none of its own.

    Raises:
        RecipeError: a stage has an unknown or missing setting, a name that is taken or no folder's,
            or needs what no earlier stage makes.
    """
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise RecipeError("stages are written as [[stage]]")
    stages: list[Stage] = []
    for number, table in enumerate(tables, 1):
        stage = _stage(number, dict(table), recipe)
        _check(stage, stages)
        stages.append(stage)
    return tuple(stages)


def _stage(number: int, table: dict[str, Any], recipe: Recipe) -> Stage:
    name = typed(f"the name of stage {number}", "str", table.get("name", ""))
    if not name or not all(c.isalnum() or c in "-_" for c in name):
        raise RecipeError(f"stage {number} needs a name of letters, digits and -, not {name!r}")
    if name == FOLDER:
        raise RecipeError(f"stage {number} cannot be called {name!r}: that folder is taken")
    does = table.pop("does", "")
    if does not in KINDS:
        known = ", ".join(KINDS)
        raise RecipeError(
            f"stage {name} does {does!r}{nearest(str(does), KINDS)}; a stage does one of {known}"
        )
    where, kind = f"stage {name}", KINDS[does]
    made: dict[str, Any] = {}
    if kind is Render:
        made["series"] = _series(where, table.pop("series", []))
    elif kind in (TrainDetector, TrainClassifier):
        base = recipe.detector if kind is TrainDetector else recipe.classifier
        made["settings"] = _settings(where, kind, table, base)
        table.setdefault("seed", recipe.data.seed)
    return section(kind, where, table, made)


def _series(where: str, rows: Any) -> tuple[Series, ...]:
    if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
        raise RecipeError(f"{where} needs series = [{{seed = 1, count = 100}}, ...]")
    return tuple(section(Series, f"{where} series", row) for row in rows)


def _settings(where: str, kind: type[Stage], table: dict[str, Any], base: Settings) -> Settings:
    """The section's settings with those of the stage, which are taken out of `table`."""
    own = {f.name for f in fields(kind)} - {"settings"}
    known = {f.name for f in fields(base)}
    for key in table:
        if key not in own | known:
            raise RecipeError(f"{where} has no setting {key!r}{nearest(key, own | known)}")
    given = {key: table.pop(key) for key in list(table) if key not in own}
    return section(type(base), where, asdict(base) | given)


def _check(stage: Stage, earlier: Sequence[Stage]) -> None:
    """Refuse a name that is taken, and needs that no earlier stage meets."""
    by_name = {s.name: s for s in earlier}
    if stage.name in by_name:
        raise RecipeError(f"two stages are called {stage.name}")
    for setting, name, may in stage.needs():
        found = by_name.get(name)
        if found is None:
            hint = nearest(name, by_name)
            raise RecipeError(f"stage {stage.name}: {setting} {name!r} is no earlier stage{hint}")
        if found.does not in may:
            wanted = " or ".join(may)
            raise RecipeError(
                f"stage {stage.name}: {setting} {name!r} does {found.does!r}, not {wanted}"
            )
