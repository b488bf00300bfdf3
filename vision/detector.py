"""Where the tiles and dice are: a YOLO detector through onnxruntime."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.boxes import suppress
from vision.model_store import ModelFile
from vision.opencv import cv2
from vision.runtime import Session

LETTERBOX_GREY = 114
NMS_IOU = 0.55


@dataclass(frozen=True, eq=False)
class Detections:
    """What the detector saw in one picture, best first.

    Attributes:
        boxes: n x 4, x1 y1 x2 y2 in pixels of the picture given.
        probabilities: n x classes, each class by itself (they do not sum to one).
    """

    boxes: np.ndarray
    probabilities: np.ndarray

    @property
    def scores(self) -> np.ndarray:
        """The best class's probability of each box."""
        if not len(self.boxes):
            return np.zeros(0, np.float32)
        return np.asarray(self.probabilities.max(axis=1))

    def __len__(self) -> int:
        return len(self.boxes)


def letterbox(pixels: np.ndarray, side: int) -> tuple[np.ndarray, float, int, int]:
    """Fit BGR `pixels` into a grey square: the square, the scale, the offsets x and y."""
    height, width = pixels.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(pixels, size, interpolation=how)
    left, top = (side - size[0]) // 2, (side - size[1]) // 2
    square = np.full((side, side, 3), LETTERBOX_GREY, np.uint8)
    square[top : top + size[1], left : left + size[0]] = small
    return square, scale, left, top


def to_input(square: np.ndarray) -> np.ndarray:
    """BGR uint8 square to a 1 x 3 x side x side float32 batch in RGB 0..1."""
    return np.ascontiguousarray(square[..., ::-1].transpose(2, 0, 1)[None], np.float32) / 255


class Detector:
    """Finds tiles and dice in BGR pictures of any size."""

    def __init__(self, model: ModelFile, threads: int | None = None) -> None:
        """Load the model (ModelError when it may not be trusted)."""
        self.side = model.input_size
        self.classes = model.classes
        self._session = Session(model, threads)

    def warm_up(self) -> None:
        """Run once on grey, so that the first photo does not pay for it."""
        self.detect(np.full((self.side, self.side, 3), LETTERBOX_GREY, np.uint8), 0.5)

    def detect(self, pixels: np.ndarray, least: float) -> Detections:
        """Every box whose best class reaches `least`, after class-agnostic suppression."""
        height, width = pixels.shape[:2]
        square, scale, left, top = letterbox(pixels, self.side)
        output = self._session.run(to_input(square))[0].T
        output = output[output[:, 4:].max(axis=1) >= least]
        centre, half = output[:, 0:2], output[:, 2:4] / 2
        offset = np.array([left, top], np.float32)
        corners = np.hstack([(centre - half - offset) / scale, (centre + half - offset) / scale])
        corners = np.clip(corners, 0, np.array([width, height, width, height], np.float32))
        kept = suppress(corners, output[:, 4:].max(axis=1), NMS_IOU)
        return Detections(corners[kept], output[kept, 4:])
