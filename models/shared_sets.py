"""Tile sets that their owners exported and allowed to be trained on, as single tiles."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from models.sources import single_tiles
from models.training import TrainingError
from vision.calibration import load_tile_set
from vision.calibration.library import SUFFIX, write_training_crops
from vision.errors import VisionError
from vision.values import CLASSES

FOLDER = "shared_sets"


def shared_set_tiles(places: Sequence[Path], out: Path) -> list[tuple[Path, int]]:
    """The tiles of exported sets, with their classes.

    Args:
        places: Set files (`zhuowu sets export --consent`), or folders of such.
        out: Where `FOLDER` is made, anew each time, for the pictures.

    Returns:
        Picture files and class indices, as `models.sources.single_tiles`.

    Raises:
        TrainingError: A file is no set, or its owner has not agreed; each is named.
    """
    files = [f for p in places for f in (sorted(p.glob(f"*{SUFFIX}")) if p.is_dir() else [p])]
    if not files:
        raise TrainingError(f"no set files (*{SUFFIX}) in {', '.join(map(str, places))}")
    sets, wrong = [], []
    for file in files:
        try:
            one = load_tile_set(file)
        except VisionError as error:
            wrong.append(str(error))
            continue
        if one.consent:
            sets.append(one)
        else:
            wrong.append(
                f"{file}: its owner has not agreed to training; the owner can export it with "
                "zhuowu sets export --consent, or with the tick on the page"
            )
    if wrong:
        raise TrainingError("\n".join(wrong))
    folder = out / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    found: list[tuple[Path, int]] = []
    for number, one in enumerate(sets):
        # Two owners may call their sets the same: each has a folder of its own.
        place = folder / f"{number:03d}"
        write_training_crops(one, place)
        found += single_tiles(place, CLASSES)
    return found
