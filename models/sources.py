"""Labelled pictures for training: real photos of `shared/photos` and rendered scenes.

A photo may be labelled in part only. What is not known must teach nothing: every picture
carries the region in which its labels are complete and the classes that were labelled at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.opencv import cv2

FACES = 34
BACK = 34
BACKGROUNDS_FILE = Path(__file__).with_name("backgrounds.json")
NONE = 41  # the classifier's class for "neither a tile nor a die"

Boxes = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]
Scenes = Path | Sequence[Path]
NO_BOXES: Boxes = np.zeros((0, 4), np.float32)


@dataclass(frozen=True, eq=False)
class Labelled:
    """One picture with its labels.

    Attributes:
        path: the picture file.
        boxes: n x 5 float32, columns class, x1, y1, x2, y2; corners as shares (0..1).
        known: x1, y1, x2, y2 (0..1) of the region in which every tile and die is labelled.
        ignore: k x 4 regions (0..1) whose content is neither a target nor background.
        faces_only: backs and dice may be visible without a label.
        bare: k x 4 regions (0..1) in which even so there is neither.
    """

    path: Path
    boxes: Boxes
    known: tuple[float, float, float, float]
    ignore: Boxes
    faces_only: bool
    bare: Boxes = field(default_factory=lambda: NO_BOXES)

    def only_dice(self) -> bool:
        """Whether it shows dice and, as far as anybody knows, nothing else of the game."""
        return not self.faces_only and len(self.boxes) > 0 and bool((self.boxes[:, 0] > BACK).all())

    def load(self, longest: int) -> Image:
        """Read the picture, its longer side at most `longest` pixels; BGR."""
        image = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(f"cannot read the training picture {self.path}")
        scale = longest / max(image.shape[:2])
        if scale < 1:
            image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return np.asarray(image, np.uint8)


def _regions(rows: Sequence[Sequence[float] | np.ndarray]) -> Boxes:
    return np.asarray(rows, np.float32).reshape(-1, 4)


def _yolo_boxes(file: Path) -> Boxes:
    rows = [list(map(float, line.split()[:5])) for line in file.read_text().splitlines() if line]
    raw = np.asarray(rows, np.float32).reshape(-1, 5)
    half = raw[:, 3:5] / 2
    return np.concatenate([raw[:, :1], raw[:, 1:3] - half, raw[:, 1:3] + half], 1)


def _manifest(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    data = json.loads((folder / "manifest.json").read_text("utf-8"))
    if isinstance(data, dict):
        yield from data.items()
    else:
        for item in data:
            yield item["image"], item


def tile_photos(photos: Path, backgrounds: Path | None = BACKGROUNDS_FILE) -> list[Labelled]:
    """`photos/train`: tile faces only.

    Args:
        photos: the folder that holds `train/`.
        backgrounds: what was seen outside the labelled tiles (`models/backgrounds.py`): for each
            photo, regions that may show other tiles ("unsure"), tiles' "backs", and "bare" ones
            that look like backs and are none; everything else is background to a face. Without
            it, and for photos it does not name, nothing is known outside the labelled tiles' hull.
    """
    looked_at = json.loads(backgrounds.read_text("utf-8")) if backgrounds else {}
    out = []
    for name, item in _manifest(photos / "train"):
        boxes = _yolo_boxes(photos / "train" / "labels" / f"{name.rsplit('.', 1)[0]}.txt")
        if not len(boxes):
            continue
        low, high = boxes[:, 1:3].min(0) - 0.015, boxes[:, 3:5].max(0) + 0.015
        known = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        ignore, bare = _regions(item.get("ignore", [])), NO_BOXES
        if name in looked_at:
            known = (0.0, 0.0, 1.0, 1.0)
            ignore = _regions([*ignore, *looked_at[name]["unsure"]])
            bare = _regions(looked_at[name].get("bare", []))
            backs = _regions(looked_at[name].get("backs", []))
            boxes = np.concatenate([boxes, np.insert(backs, 0, BACK, axis=1)])
        out.append(Labelled(photos / "train" / "images" / name, boxes, known, ignore, True, bare))
    return out


def dice_photos(photos: Path) -> list[Labelled]:
    """`photos/dice_train`: dice only; no tile occurs in them, so they are negatives for tiles."""
    everywhere = (0.0, 0.0, 1.0, 1.0)
    none = np.zeros((0, 4), np.float32)
    folder = photos / "dice_train"
    return [
        Labelled(
            folder / "images" / name,
            _yolo_boxes(folder / "labels" / f"{name.rsplit('.', 1)[0]}.txt"),
            everywhere,
            none,
            False,
        )
        for name, _ in _manifest(folder)
    ]


def scene_files(folders: Scenes) -> list[Labelled]:
    """Rendered scenes written by `datasets.write`: everything is labelled.

    Args:
        folders: one folder, or several; those that do not exist hold nothing.
    """
    none = np.zeros((0, 4), np.float32)
    out = []
    listed = [folders] if isinstance(folders, Path) else folders
    for file in (file for folder in listed for file in sorted(folder.glob("*.npy"))):
        picture = file.with_suffix(".jpg")
        if not picture.exists():
            continue
        raw = np.load(file).astype(np.float32).reshape(-1, 5)
        half = raw[:, 3:5] / 2
        boxes = np.concatenate([raw[:, :1], raw[:, 1:3] - half, raw[:, 1:3] + half], 1)
        out.append(Labelled(picture, boxes, (0.0, 0.0, 1.0, 1.0), none, False))
    return out


def single_tiles(photos: Path, tiles: tuple[str, ...]) -> list[tuple[Path, int]]:
    """`photos/crops/<tile>`: pictures that one tile face fills, with its class."""
    return [
        (file, kind)
        for kind, tile in enumerate(tiles)
        for file in sorted((photos / "crops" / tile).glob("*.jpg"))
    ]
