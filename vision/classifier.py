"""Which tile a box holds: a small classifier on square crops of the full photo."""

from __future__ import annotations

import numpy as np

from vision.model_store import ModelFile
from vision.opencv import cv2
from vision.runtime import Session

MARGIN = 1.08
BATCH = 32


def crop(pixels: np.ndarray, box: np.ndarray, side: int) -> np.ndarray:
    """The square around a box, `side` pixels wide, BGR uint8.

    The square's side is 1.08 times the longer side of the box and shares its centre; beyond
    the photo the border is repeated. Shrinking averages areas, so fine strokes survive.
    """
    reach = max(float(box[2] - box[0]), float(box[3] - box[1]), 2.0) * MARGIN / 2
    x, y = float(box[0] + box[2]) / 2, float(box[1] + box[3]) / 2
    left, top = round(x - reach), round(y - reach)
    size = max(2, round(2 * reach))
    height, width = pixels.shape[:2]
    columns = slice(min(max(left, 0), width - 1), max(min(left + size, width), 1))
    rows = slice(min(max(top, 0), height - 1), max(min(top + size, height), 1))
    part = pixels[rows, columns]
    above, before = max(0, -top), max(0, -left)
    below = max(0, size - above - part.shape[0])
    after = max(0, size - before - part.shape[1])
    if above or below or before or after:
        part = cv2.copyMakeBorder(part, above, below, before, after, cv2.BORDER_REPLICATE)
    how = cv2.INTER_AREA if size > side else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, (side, side), interpolation=how))


class Classifier:
    """Names tiles; its class list may or may not hold dice and `none`."""

    def __init__(self, model: ModelFile, threads: int | None = None) -> None:
        """Load the model (ModelError when it may not be trusted)."""
        self.side = model.input_size
        self.classes = model.classes
        self._session = Session(model, threads)

    def warm_up(self) -> None:
        """Run once on grey, so that the first photo does not pay for it."""
        self._run(np.full((1, self.side, self.side, 3), 128, np.uint8))

    def crops(self, pixels: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """n x side x side x 3 crops of `boxes`."""
        if not len(boxes):
            return np.zeros((0, self.side, self.side, 3), np.uint8)
        return np.stack([crop(pixels, box, self.side) for box in boxes])

    def classify(self, crops: np.ndarray, sure: float = 0.9) -> np.ndarray:
        """Class probabilities of each crop, n x classes.

        A crop whose upright answer stays under `sure` is also looked at in the other three
        quarter turns, and the four answers are averaged. With `sure` above 1 all are.
        """
        answers = self._run(crops)
        unsure = np.flatnonzero(answers.max(axis=1, initial=0) < sure)
        if len(unsure):
            total = answers[unsure]
            for turns in (1, 2, 3):
                total = total + self._run(np.rot90(crops[unsure], turns, axes=(1, 2)))
            answers[unsure] = total / 4
        return answers

    def _run(self, crops: np.ndarray) -> np.ndarray:
        parts = [np.zeros((0, len(self.classes)), np.float32)]
        for start in range(0, len(crops), BATCH):
            chunk = crops[start : start + BATCH, :, :, ::-1].transpose(0, 3, 1, 2)
            parts.append(self._session.run(np.ascontiguousarray(chunk, np.float32) / 255))
        return np.concatenate(parts)
