"""The training recipe: every setting of the shipped models, read from one TOML file.

`[detector]` and `[classifier]` hold a training's settings, `[[stage]]` what is done one after the
other (`models/stages.py`). A file without stages describes one training of each.
"""

from __future__ import annotations

import tomllib
from dataclasses import MISSING, dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from models.stages import Stage

RECIPE_FILE = Path(__file__).with_name("recipe.toml")
# Settings of earlier recipes that nothing reads any more.
FORMER = {"data": ("scenes", "scene_styles")}
T = TypeVar("T")


class RecipeError(ValueError):
    """The recipe file holds a key or a value that training does not know."""


@dataclass(frozen=True)
class DataRecipe:
    """What all training data have in common.

    Attributes:
        seed: what is drawn follows from it; a stage may have its own.
        photo_side: longer side of pictures kept in memory, pixels.
    """

    seed: int
    photo_side: int


@dataclass(frozen=True, kw_only=True)
class TrainingRecipe:
    """What both trainings have.

    Attributes:
        backgrounds: learn what lies around the labelled tiles.
        recoloured_dice: share of the photographed dice that are shown in other colours.
    """

    architecture: str
    start: str
    image_size: int
    batch: int
    iterations: int
    learning_rate: float
    final_learning_rate: float
    warmup: int
    weight_decay: float
    ema: float
    photos: float
    dice_photos: float
    scenes: float
    backgrounds: bool = True
    recoloured_dice: float = 0.0


@dataclass(frozen=True, kw_only=True)
class DetectorRecipe(TrainingRecipe):
    """Settings of the detector's training; `photos`, `dice_photos`, `scenes` are shares.

    `near_dice`: share of the pictures with a small die that show it from near.
    """

    last_image_size: int
    last_share: float
    mosaic: float
    scenes_from: int
    small_dice: float
    near_dice: float = 0.0


@dataclass(frozen=True, kw_only=True)
class ClassifierRecipe(TrainingRecipe):
    """Settings of the classifier's training; those of the sources are shares of the crops.

    Mined negatives join at batch `mined_from`; `far_dice` is the share of the photographed dice
    that are shown as small as dice are beside tiles.
    """

    label_smoothing: float
    crop_margin: float
    single_tiles: float
    negatives: float
    mined_from: int = 0
    far_dice: float = 0.0


@dataclass(frozen=True)
class LeaveOutRecipe:
    """Short trainings of the classifier without one series of photos (`models/leave_out.py`).

    Attributes:
        series: beginnings of the photos' file names.
        iterations: batches of each training.
    """

    series: tuple[str, ...] = ()
    iterations: int = 4000


@dataclass(frozen=True)
class Recipe:
    """The whole recipe."""

    data: DataRecipe
    detector: DetectorRecipe
    classifier: ClassifierRecipe
    leave_out: LeaveOutRecipe = LeaveOutRecipe()
    stages: tuple[Stage, ...] = ()


def section(
    kind: type[T], name: str, table: dict[str, Any], made: dict[str, Any] | None = None
) -> T:
    """`table` as a dataclass `kind`, called `name` in messages; `made` are finished values.

    Raises:
        RecipeError: a setting is unknown (the nearest is named), missing or of a wrong type.
    """
    made = made or {}
    known = {f.name: f for f in fields(kind) if f.name not in made}  # type: ignore[arg-type]
    for key in table:
        if key not in known:
            raise RecipeError(f"{name} has no setting {key!r}{nearest(key, known)}")
    needed = (f.name for f in known.values() if f.default is MISSING)
    missing = [key for key in needed if key not in table]
    if missing:
        raise RecipeError(f"{name} lacks {', '.join(missing)}")
    given = {key: typed(f"{name} {key}", str(known[key].type), v) for key, v in table.items()}
    return kind(**given, **made)


def nearest(word: str, known: Any) -> str:
    """What a message adds: the nearest of the known words, where one is near."""
    near = get_close_matches(word, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def typed(name: str, kind: str, value: Any) -> Any:
    """`value` as the type called `kind`; whole numbers do for `float`."""
    if kind == "float" and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if kind == "tuple[str, ...]" and isinstance(value, list):
        return tuple(typed(name, "str", item) for item in value)
    wanted = {"int": int, "str": str, "bool": bool}.get(kind)
    if wanted is None or type(value) is not wanted:
        words = {
            "int": "a whole number",
            "float": "a number",
            "str": "text",
            "bool": "true or false",
        }
        raise RecipeError(f"{name} must be {words.get(kind, 'a list of texts')}, not {value!r}")
    return value


def load_recipe(path: Path = RECIPE_FILE) -> Recipe:
    """Read and check a recipe file.

    Raises:
        RecipeError: the file is not TOML, or a setting is unknown, missing or of a wrong type.
    """
    from models.stages import read_stages

    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise RecipeError(f"{path.name} is not a training recipe: {error}") from error
    try:
        stages = tables.pop("stage", [])
        parts = _sections(tables)
        return replace(parts, stages=read_stages(stages, parts))
    except RecipeError as error:
        raise RecipeError(f"{path.name}: {error}") from error


def _sections(tables: dict[str, Any]) -> Recipe:
    kinds = {f.name: f for f in fields(Recipe) if f.name != "stages"}
    for name, table in tables.items():
        if name not in kinds:
            raise RecipeError(f"there is no section [{name}]{nearest(name, [*kinds, 'stage'])}")
        if not isinstance(table, dict):
            raise RecipeError(f"{name} must be a section [{name}] of settings, not {table!r}")
        for former in FORMER.get(name, ()):
            table.pop(former, None)
    missing = [n for n, f in kinds.items() if f.default is MISSING and n not in tables]
    if missing:
        raise RecipeError(f"the section [{missing[0]}] is missing")
    return Recipe(
        section(DataRecipe, "[data]", tables["data"]),
        section(DetectorRecipe, "[detector]", tables["detector"]),
        section(ClassifierRecipe, "[classifier]", tables["classifier"]),
        section(LeaveOutRecipe, "[leave_out]", tables.get("leave_out", {})),
    )
