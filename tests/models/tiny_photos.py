"""A folder like the shared photos, small and made here: coloured rectangles for tiles."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

SIDE = 160
# Faces, a back and a die, by class number.
TILES, DICE = (3, 20), (35, 39)


def write_tiny_photos(folder: Path) -> Path:
    """Write train/, dice_train/, crops/ and eval/ with two or three pictures each."""
    rng = np.random.default_rng(3)
    for part, kinds in (("train", TILES), ("dice_train", DICE), ("eval", TILES)):
        names = [f"set{k}_{part}.jpg" for k in range(3)]
        for name in names:
            _picture(folder / part, name, kinds, rng)
        (folder / part / "manifest.json").write_text(json.dumps(_manifest(part, names)))
    (folder / "eval" / "ignore.json").write_text("{}")
    crops = folder / "crops" / "4m"
    crops.mkdir(parents=True)
    cv2.imwrite(str(crops / "one.jpg"), rng.integers(0, 255, (60, 45, 3), np.uint8))
    return folder


def _picture(folder: Path, name: str, kinds: tuple[int, ...], rng: np.random.Generator) -> None:
    image = np.full((SIDE, SIDE, 3), 90, np.uint8)
    lines = []
    for number, kind in enumerate(kinds):
        x, y = 30 + 70 * number, 50
        image[y : y + 40, x : x + 30] = rng.integers(0, 255, (40, 30, 3))
        lines.append(f"{kind} {(x + 15) / SIDE} {(y + 20) / SIDE} {30 / SIDE} {40 / SIDE}")
    for kind_of_file in ("images", "labels"):
        (folder / kind_of_file).mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / "images" / name), image)
    (folder / "labels" / name).with_suffix(".txt").write_text("\n".join(lines) + "\n")


def _manifest(part: str, names: list[str]) -> object:
    if part != "eval":
        return {name: {} for name in names}
    return [
        {"image": name, "size": [SIDE, SIDE], "source": "made here", "tags": []} for name in names
    ]
