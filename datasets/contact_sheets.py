"""Contact sheets: many small pictures with their labels on one page, to look at."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from datasets.exchange import Dataset, DatasetError, LabelledBox
from datasets.faces import draw_back, draw_face
from datasets.scene import SceneGenerator
from datasets.scene_types import FACES, Pixels
from datasets.styles import random_style
from vision.opencv import cv2

_CELL = 420
_FACE = (48, 66)
_INK = (200, 0, 230)


def scene_sheet(seed: int, count: int, kind: str | None, shared: Path | None) -> Pixels:
    """`count` scenes with their boxes."""
    generator = SceneGenerator(seed, shared)
    cells = []
    for _ in range(count):
        scene = generator.scene(kind)
        cells.append(_labelled(scene.image, [LabelledBox(o.tile, o.box) for o in scene.objects]))
    return tiled(cells)


def dataset_sheet(dataset: Dataset, count: int) -> Pixels:
    """`count` pictures of a data set, evenly chosen, with their boxes."""
    step = max(1, len(dataset) // count)
    cells = []
    for picture in dataset[::step][:count]:
        pixels = cv2.imread(str(picture.path))
        if pixels is None:
            raise DatasetError(f"{picture.path} is not a readable picture.")
        cells.append(_labelled(pixels, picture.boxes))
    return tiled(cells)


def face_sheet(seed: int, count: int) -> Pixels:
    """All faces, two flowers and the back of `count` tile sets, one set a row."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        style = random_style(rng)
        faces = [draw_face(name, style) for name in (*FACES, "flower0", "flower6")]
        row = [
            cv2.resize(f, _FACE, interpolation=cv2.INTER_AREA) for f in (*faces, draw_back(style))
        ]
        rows.append(np.hstack(row))
    return np.vstack(rows)


def _labelled(pixels: Pixels, boxes: Sequence[LabelledBox]) -> Pixels:
    scale = _CELL / max(pixels.shape[:2])
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cell = np.full((_CELL, _CELL, 3), 255, np.uint8)
    for labelled in boxes:
        x1, y1, x2, y2 = (round(v * scale) for v in labelled.box)
        cv2.rectangle(small, (x1, y1), (x2, y2), _INK, 1)
        cv2.putText(small, labelled.tile, (x1 + 1, y1 + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.3, _INK, 1)
    cell[: small.shape[0], : small.shape[1]] = small[:_CELL, :_CELL]
    return cell


def tiled(cells: Sequence[Pixels]) -> Pixels:
    """Square cells side by side in about as many rows as columns."""
    columns = math.ceil(math.sqrt(len(cells)))
    blank = np.full_like(cells[0], 255)
    padded = [*cells, *[blank] * (-len(cells) % columns)]
    rows = [np.hstack(padded[i : i + columns]) for i in range(0, len(padded), columns)]
    return np.vstack(rows)


def save(sheet: Pixels, out: Path) -> None:
    """Write a sheet as PNG or JPEG, whichever the name says.

    Raises:
        DatasetError: when the name ends in something else or the file cannot be written.
    """
    if out.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise DatasetError(f"{out}: name the sheet .png or .jpg")
    out.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(out), sheet):
        raise DatasetError(f"{out} cannot be written: is the folder writable?")
