"""Labelled pictures in and out: Ultralytics YAML, COCO, CVAT, Label Studio, rendered scenes.

COCO, CVAT and the YOLO text files are read and written by globox, `data.yaml` by PyYAML (both
in the extra `train`). Label Studio's tasks are a short JSON of our own making: the only kept
library that writes them is Label Studio's own converter, which brings the whole server's SDK.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from datasets.class_names import tile_code
from datasets.scene_types import CLASS_NAMES, Box

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


class DatasetError(ValueError):
    """A data set that cannot be read or written; the message says why and what to do."""


@dataclass(frozen=True)
class LabelledBox:
    """A class name and x1, y1, x2, y2 in pixels."""

    tile: str
    box: Box


@dataclass(frozen=True)
class LabelledPicture:
    """A picture file, its size in pixels, and what is labelled in it."""

    path: Path
    width: int
    height: int
    boxes: tuple[LabelledBox, ...]


Dataset = tuple[LabelledPicture, ...]


def library(name: str, package: str) -> types.ModuleType:
    """An optional library.

    Raises:
        DatasetError: when it is not installed; the message says how to get it.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise DatasetError(
            f"Reading and writing this format needs {package}: pip install 'zhuowu[train]' "
            f"(or just: pip install {package})."
        ) from error


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture without decoding it.

    Raises:
        DatasetError: when it is no picture.
    """
    try:
        with Image.open(path) as image:
            return image.size
    except (OSError, UnidentifiedImageError) as error:
        raise DatasetError(f"{path} is not a readable picture: {error}") from error


def load_dataset(source: Path, mapping: Mapping[str, str] | None = None) -> Dataset:
    """Read labelled pictures in any of the known forms, told apart by what `source` is.

    Args:
        source: a `data.yaml` (Ultralytics) or its folder, a folder of `images/` and `labels/`,
            a COCO or Label Studio `.json`, a CVAT `.xml`, or a folder of rendered scenes
            (`.jpg` with `.npy`).
        mapping: names of the set's classes to MPSZ codes, where they are not understood by
            themselves (`class_names.tile_code`); an empty code leaves the class out.

    Raises:
        DatasetError: with the reason and, for class names, all those not understood.
    """
    from datasets import exchange_formats as formats

    if not source.exists():
        raise DatasetError(f"{source} does not exist.")
    if source.is_dir():
        named = sorted(source.glob("*.yaml"))
        if named:
            pictures = formats.read_ultralytics(named[0])
        elif (source / "labels").is_dir():
            pictures = formats.read_folder(source / "images", source / "labels", CLASS_NAMES)
        elif any(source.glob("*.npy")):
            pictures = formats.read_scenes(source)
        else:
            pictures = _single_file(source)
    elif source.suffix in (".yaml", ".yml"):
        pictures = formats.read_ultralytics(source)
    elif source.suffix == ".xml":
        pictures = formats.read_cvat(source)
    elif source.suffix == ".json":
        pictures = formats.read_json(source)
    else:
        raise DatasetError(
            f"{source} is none of the known forms: data.yaml, COCO or Label Studio .json, "
            "CVAT .xml, or a folder with images/ and labels/."
        )
    if not pictures:
        raise DatasetError(f"{source} holds no labelled picture.")
    return tuple(_translated(pictures, mapping))


def _single_file(folder: Path) -> list[LabelledPicture]:
    from datasets import exchange_formats as formats

    found = [*sorted(folder.glob("*.json")), *sorted(folder.glob("*.xml"))]
    if len(found) != 1:
        raise DatasetError(
            f"{folder} has no data.yaml and no labels/, and {len(found)} .json or .xml files: "
            "name the file to read."
        )
    read = formats.read_cvat if found[0].suffix == ".xml" else formats.read_json
    return read(found[0])


def _translated(
    pictures: Sequence[LabelledPicture], mapping: Mapping[str, str] | None
) -> list[LabelledPicture]:
    names = {box.tile for picture in pictures for box in picture.boxes}
    codes = {name: tile_code(name, mapping) for name in names}
    unknown = sorted(
        n for n, code in codes.items() if code is None or code not in (*CLASS_NAMES, "")
    )
    if unknown:
        raise DatasetError(
            f"Class names not understood: {', '.join(unknown)}. Give a JSON file with --names that "
            'maps each to a code (1m-9m, 1p-9p, 1s-9s, 1z-7z, back, die1-die6) or to "" to '
            "leave it out."
        )
    return [
        LabelledPicture(
            picture.path,
            picture.width,
            picture.height,
            tuple(LabelledBox(codes[b.tile] or "", b.box) for b in picture.boxes if codes[b.tile]),
        )
        for picture in pictures
    ]


def save_dataset(dataset: Dataset, out: Path, form: str) -> None:
    """Write pictures and labels to a new folder.

    Args:
        dataset: what to write; pictures are copied.
        out: a folder that does not exist or is empty.
        form: `ultralytics`, `coco`, `cvat` or `labelstudio`.

    Raises:
        DatasetError: when the folder is in use, the form unknown or a library missing.
    """
    from datasets import exchange_formats as formats

    if form not in formats.WRITERS:
        raise DatasetError(f"No form {form!r}: use one of {', '.join(formats.WRITERS)}.")
    if out.exists() and any(out.iterdir()):
        raise DatasetError(f"{out} is not empty: choose a new folder.")
    formats.WRITERS[form](formats.copy_pictures(dataset, out / "images"), out)
