"""Hard negatives: what today's detector takes for a tile or a die where there is none.

Found where the labels are complete (dice photos, rendered scenes, the known backgrounds of tile
photos), so that a find that touches no label is known to be wrong. The classifier learns them as
"none of them".
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.sources import FACES, Labelled, Scenes, dice_photos, scene_files, tile_photos
from vision.detector import Detector
from vision.second_look import look_again

LEAST_SCORE = 0.08
MOST_OVERLAP = 0.1


def false_finds(found: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The boxes of `found` (k x 4) that share at most a tenth of their area with any label."""
    if not len(found) or not len(labels):
        return found
    low = np.maximum(found[:, None, :2], labels[None, :, :2])
    high = np.minimum(found[:, None, 2:], labels[None, :, 2:])
    shared = (high - low).clip(0).prod(2)
    area = (found[:, 2:] - found[:, :2]).prod(1)
    return np.asarray(found[shared.max(1) <= MOST_OVERLAP * area])


def pictures_to_mine(photos: Path, scenes: Scenes, most: int) -> list[Labelled]:
    """About `most` of the training pictures, evenly from all sources."""
    pictures = [*dice_photos(photos), *scene_files(scenes), *tile_photos(photos)]
    return pictures[:: max(1, len(pictures) // most)]


def mine(detector: Detector, items: Sequence[Labelled], longest: int, out: Path) -> int:
    """Write the false finds of `detector` on `items` to a JSON file; how many there are.

    Args:
        detector: the detector to be corrected.
        items: pictures with complete labels.
        longest: longer side at which the pictures are looked at, pixels.
        out: the file, one object a line: {"image", "boxes"} with boxes as shares of the picture.
    """
    count = 0
    with out.open("w", encoding="utf-8") as file:
        for item in tqdm(items, unit="picture", desc="hard negatives"):
            picture = item.load(longest)
            height, width = picture.shape[:2]
            scale = np.array([width, height, width, height], np.float32)
            found = detector.detect(picture, LEAST_SCORE)
            found, _ = look_again(detector, picture, found, LEAST_SCORE)
            boxes = found.boxes
            if item.faces_only:  # a back may lie there unlabelled
                boxes = boxes[found.probabilities.argmax(axis=1) < FACES]
            spoken_for = np.concatenate([item.boxes[:, 1:], item.ignore]) * scale
            wrong = false_finds(boxes, spoken_for) / scale
            if len(wrong):
                line = {"image": str(item.path), "boxes": np.round(wrong, 5).tolist()}
                file.write(json.dumps(line) + "\n")
                count += len(wrong)
    return count


def mined_pictures(file: Path, items: Sequence[Labelled]) -> list[Labelled]:
    """The pictures of a file written by `mine`, with the false finds in place of their labels.

    Raises:
        FileNotFoundError: the file names pictures, but none of `items`.
    """
    by_path = {str(item.path): item for item in items}
    pictures = []
    lines = file.read_text("utf-8").splitlines()
    for line in lines:
        found = json.loads(line)
        item = by_path.get(found["image"])
        if item is not None:
            boxes = np.asarray(found["boxes"], np.float32).reshape(-1, 4)
            kinds = np.full((len(boxes), 1), -1, np.float32)
            pictures.append(replace(item, boxes=np.concatenate([kinds, boxes], 1)))
    if lines and not pictures:
        raise FileNotFoundError(
            f"{file} names none of the training pictures: give --photos and --scenes as when it "
            "was made, or make it again"
        )
    return pictures
