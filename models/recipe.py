"""The training recipe: every setting of the shipped models, read from one TOML file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

RECIPE_FILE = Path(__file__).with_name("recipe.toml")
T = TypeVar("T")


class RecipeError(ValueError):
    """The recipe file holds a key or a value that training does not know."""


@dataclass(frozen=True)
class DataRecipe:
    """What the training data are made of."""

    seed: int
    scenes: int
    scene_styles: int
    photo_side: int


@dataclass(frozen=True)
class DetectorRecipe:
    """Settings of the detector's training; `photos`, `dice_photos`, `scenes` are shares."""

    architecture: str
    start: str
    image_size: int
    last_image_size: int
    last_share: float
    batch: int
    iterations: int
    learning_rate: float
    final_learning_rate: float
    warmup: int
    weight_decay: float
    ema: float
    mosaic: float
    scenes_from: int
    photos: float
    dice_photos: float
    scenes: float
    small_dice: float


@dataclass(frozen=True)
class ClassifierRecipe:
    """Settings of the classifier's training; the last five are shares of the crops."""

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
    label_smoothing: float
    crop_margin: float
    photos: float
    dice_photos: float
    single_tiles: float
    scenes: float
    negatives: float


@dataclass(frozen=True)
class Recipe:
    """The whole recipe."""

    data: DataRecipe
    detector: DetectorRecipe
    classifier: ClassifierRecipe


def _section(kind: type[T], name: str, table: dict[str, Any]) -> T:
    known = {f.name: f.type for f in fields(kind)}  # type: ignore[arg-type]
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise RecipeError(f"[{name}] has no setting {key!r}{hint}")
    missing = [key for key in known if key not in table]
    if missing:
        raise RecipeError(f"[{name}] lacks {', '.join(missing)}")
    makers = {"int": int, "float": float, "str": str}
    return kind(**{key: makers[str(known[key])](table[key]) for key in known})


def load_recipe(path: Path = RECIPE_FILE) -> Recipe:
    """Read and check a recipe file.

    Raises:
        RecipeError: the file is not TOML, or a setting is unknown, missing or of a wrong type.
    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
        return Recipe(
            _section(DataRecipe, "data", table["data"]),
            _section(DetectorRecipe, "detector", table["detector"]),
            _section(ClassifierRecipe, "classifier", table["classifier"]),
        )
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise RecipeError(f"{path.name} is not a training recipe: {error}") from error
