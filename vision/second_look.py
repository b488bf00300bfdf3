"""A second look: closer where the first found something small, from farther away when too near."""

from __future__ import annotations

import numpy as np

from vision.boxes import hull, ious, suppress
from vision.detector import LETTERBOX_GREY, NMS_IOU, Detections, Detector
from vision.fusion import DICE_START
from vision.values import FACES

# Median longer side, in pixels of the detector's input, under which a closer look pays.
SMALL_SIDE = 40.0
# A window must enlarge by this much, or the second look sees nothing new.
LEAST_ENLARGEMENT = 1.4
MOST_WINDOWS = 6
OVERLAP = 0.2
SEED_SCORE = 0.25
# A die is small, in pixels of the detector's input, below this: its neighbour may have been missed
# altogether, so the whole photo is looked at again, in quarters.
SMALL_DIE = 45.0
# A small die is looked at once more from as near as dice are mostly learnt: a window this many of
# its sides wide, for the best of them. What is a die from afar and none from near is half believed.
DIE_WINDOW, MOST_DICE = 8.0, 6
SAME_DIE = 0.5
# A face that is longer than this share of the photo's longer side is too near.
NEAR_SHARE = 0.25


def windows(detections: Detections, width: int, height: int, side: int) -> list[np.ndarray]:
    """Parts of the photo (x1, y1, x2, y2 integers) worth a second look; often none."""
    seeds = detections.boxes[detections.scores >= SEED_SCORE]
    if not len(seeds):
        return []
    longer = np.maximum(seeds[:, 2] - seeds[:, 0], seeds[:, 3] - seeds[:, 1])
    scale = side / max(width, height)
    typical = float(np.median(longer))
    if typical * scale >= SMALL_SIDE:
        return []
    area = hull(seeds) + np.array([-1, -1, 1, 1]) * typical
    area = np.clip(area, 0, [width, height, width, height])
    # Small enough that the tiles come out well, large enough that few windows are needed.
    reach = max(side * typical / (1.5 * SMALL_SIDE), 6 * typical)
    columns, rows = _parts(area[2] - area[0], reach), _parts(area[3] - area[1], reach)
    while columns * rows > MOST_WINDOWS:
        reach *= 1.15
        columns, rows = _parts(area[2] - area[0], reach), _parts(area[3] - area[1], reach)
    found = [
        np.array([x1, y1, x2, y2])
        for y1, y2 in _cuts(area[1], area[3], rows)
        for x1, x2 in _cuts(area[0], area[2], columns)
    ]
    return [
        w
        for w in found
        if max(width, height) / max(w[2] - w[0], w[3] - w[1], 1) >= LEAST_ENLARGEMENT
    ]


def quarters(detections: Detections, width: int, height: int, side: int) -> list[np.ndarray]:
    """Four overlapping parts of the photo when a small die is suspected in it; else none."""
    if not _small_dice(detections, width, height, side).any():
        return []
    return [
        np.array([x1, y1, x2, y2])
        for y1, y2 in _cuts(0, height, 2)
        for x1, x2 in _cuts(0, width, 2)
    ]


def _small_dice(detections: Detections, width: int, height: int, side: int) -> np.ndarray:
    """Which finds are dice, and small ones; n booleans."""
    if not len(detections):
        return np.zeros(0, bool)
    sizes = (detections.boxes[:, 2:] - detections.boxes[:, :2]).max(axis=1)
    dice = detections.probabilities.argmax(axis=1) >= DICE_START
    return np.asarray(dice & (sizes * side / max(width, height) < SMALL_DIE))


def near_dice(
    detector: Detector, pixels: np.ndarray, found: Detections, least: float
) -> tuple[Detections, int]:
    """Small dice looked at from near: of each, the mean of what both looks say.

    Returns:
        The same boxes with new probabilities, best first, those below `least` left out; and the
        number of looks.
    """
    height, width = pixels.shape[:2]
    small = np.flatnonzero(_small_dice(found, width, height, detector.side))[:MOST_DICE]
    probabilities = found.probabilities.copy()
    for i in small:
        box = found.boxes[i]
        middle, reach = (box[:2] + box[2:]) / 2, (box[2:] - box[:2]).max() * DIE_WINDOW / 2
        x1, y1 = np.maximum(middle - reach, 0).astype(int)
        x2, y2 = np.minimum(np.ceil(middle + reach), (width, height)).astype(int)
        near = detector.detect(pixels[y1:y2, x1:x2], least)
        overlap = ious(box[None] - (x1, y1, x1, y1), near.boxes)[0]
        probabilities[i] /= 2
        if overlap.size and overlap.max() >= SAME_DIE:
            probabilities[i] += near.probabilities[overlap.argmax()] / 2
    scores = probabilities.max(axis=1, initial=0)
    kept = np.argsort(-scores, kind="stable")
    kept = kept[scores[kept] >= least]
    return Detections(found.boxes[kept], probabilities[kept]), len(small)


def too_near(detections: Detections, width: int, height: int) -> bool:
    """Whether a tile's face fills so much of the photo that it is better seen from farther away."""
    if not len(detections):
        return False
    sizes = (detections.boxes[:, 2:] - detections.boxes[:, :2]).max(axis=1)
    faces = detections.probabilities.argmax(axis=1) < len(FACES)
    return bool((faces & (sizes > NEAR_SHARE * max(width, height))).any())


def from_farther(detector: Detector, pixels: np.ndarray, least: float) -> Detections:
    """What is seen when the photo lies in a grey field twice as wide and high."""
    height, width = pixels.shape[:2]
    field = np.full((2 * height, 2 * width, 3), LETTERBOX_GREY, np.uint8)
    top, left = height // 2, width // 2
    field[top : top + height, left : left + width] = pixels
    seen = detector.detect(field, least)
    corner = np.array([left, top, left, top], np.float32)
    boxes = np.clip(seen.boxes - corner, 0, np.array([width, height, width, height], np.float32))
    return Detections(boxes, seen.probabilities)


def _parts(length: float, reach: float) -> int:
    if length <= reach:
        return 1
    return int(np.ceil((length - reach * OVERLAP) / (reach * (1 - OVERLAP))))


def _cuts(start: float, end: float, parts: int) -> list[tuple[int, int]]:
    step = (end - start) / (parts - (parts - 1) * OVERLAP)
    firsts = [start + k * step * (1 - OVERLAP) for k in range(parts)]
    return [(int(first), int(np.ceil(first + step))) for first in firsts]


def look_again(
    detector: Detector, pixels: np.ndarray, first: Detections, least: float
) -> tuple[Detections, int]:
    """Merge a closer look at small tiles and dice, or one from farther away, into the `first` one.

    Returns:
        The merged detections and the number of further looks (0: everything had its size).
    """
    height, width = pixels.shape[:2]
    parts = windows(first, width, height, detector.side)
    parts += quarters(first, width, height, detector.side)
    boxes, probabilities = [first.boxes], [first.probabilities]
    looks = len(parts)
    if too_near(first, width, height):
        farther = from_farther(detector, pixels, least)
        boxes.append(farther.boxes)
        probabilities.append(farther.probabilities)
        looks += 1
    for x1, y1, x2, y2 in parts:
        closer = detector.detect(pixels[y1:y2, x1:x2], least)
        # A tile cut by the window's edge is whole in the neighbouring window or the first look.
        inner = np.array(
            [1 if x1 > 0 else -1, 1 if y1 > 0 else -1, x2 - x1 - 1, y2 - y1 - 1], float
        )
        inner[2] += 2 if x2 >= width else 0
        inner[3] += 2 if y2 >= height else 0
        whole = (closer.boxes[:, :2] > inner[:2]).all(1) & (closer.boxes[:, 2:] < inner[2:]).all(1)
        boxes.append(closer.boxes[whole] + np.array([x1, y1, x1, y1], np.float32))
        probabilities.append(closer.probabilities[whole])
    if not looks:
        return first, 0
    merged = Detections(np.concatenate(boxes), np.concatenate(probabilities))
    kept = suppress(merged.boxes, merged.scores, NMS_IOU)
    found, of_dice = near_dice(
        detector, pixels, Detections(merged.boxes[kept], merged.probabilities[kept]), least
    )
    return found, looks + of_dice
