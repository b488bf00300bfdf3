"""Boxes, letterboxing, crops, and two models' answers made one."""

from __future__ import annotations

import numpy as np
import pytest

from vision.boxes import ious, nested, suppress
from vision.classifier import crop
from vision.detector import Detections, Detector, letterbox
from vision.fusion import fuse
from vision.second_look import near_dice, quarters, windows
from vision.values import CLASSES, NONE


def test_iou_and_suppression_by_hand() -> None:
    boxes = np.array([[0, 0, 10, 10], [5, 0, 15, 10], [1, 0, 11, 10], [40, 40, 50, 50]], float)
    assert ious(boxes[:1], boxes)[0] == pytest.approx([1, 50 / 150, 90 / 110, 0])
    assert suppress(boxes, np.array([0.8, 0.7, 0.9, 0.5]), 0.55).tolist() == [2, 1, 3]


def test_a_box_within_a_better_one_is_marked() -> None:
    boxes = np.array([[0, 0, 20, 20], [2, 2, 12, 12], [15, 15, 30, 30]], float)
    assert nested(boxes, np.array([0.9, 0.5, 0.6]), 0.85).tolist() == [False, True, False]
    assert nested(boxes, np.array([0.4, 0.5, 0.6]), 0.85).tolist() == [False, False, False]


def test_a_box_around_a_better_one_of_nearly_its_size_is_marked() -> None:
    """One tile found twice; a box around two tiles is no second find of one of them."""
    twice = np.array([[536, 349, 582, 397], [546, 353, 576, 393]], float)
    assert nested(twice, np.array([0.90, 0.95]), 0.85).tolist() == [True, False]
    assert nested(twice, np.array([0.95, 0.90]), 0.85).tolist() == [False, True]
    wide = np.array([[0, 0, 100, 40], [10, 0, 40, 40]], float)
    assert nested(wide, np.array([0.5, 0.9]), 0.85).tolist() == [False, False]


def test_letterbox_keeps_the_shape_and_pads_with_114() -> None:
    square, scale, left, top = letterbox(np.full((300, 600, 3), 7, np.uint8), 640)
    assert (square.shape, left, top) == ((640, 640, 3), 0, 160)
    assert scale == pytest.approx(640 / 600)
    assert square[0, 0].tolist() == [114] * 3
    assert square[320, 320].tolist() == [7] * 3


def test_a_crop_is_square_and_repeats_the_border() -> None:
    photo = np.zeros((100, 100, 3), np.uint8)
    photo[:, 90:] = 200
    # A box at the right edge: 40 high, so a square of 43 around (95, 50) reaches past the edge.
    part = crop(photo, np.array([90.0, 30.0, 100.0, 70.0]), 43)
    assert part.shape == (43, 43, 3)
    assert part[20, 5].tolist() == [0, 0, 0]
    assert part[20, 42].tolist() == [200, 200, 200]


def answers(name: str, share: float, classes: tuple[str, ...]) -> np.ndarray:
    row = np.full(len(classes), (1 - share) / (len(classes) - 1))
    row[classes.index(name)] = share
    return row[None]


def seen(name: str, score: float) -> np.ndarray:
    row = np.full(len(CLASSES), 0.001)
    row[CLASSES.index(name)] = score
    return row[None]


def test_the_classifier_names_and_both_make_the_confidence() -> None:
    fused = fuse(seen("3m", 0.81), answers("2m", 0.64, CLASSES), CLASSES)
    assert CLASSES[fused.best[0]] == "2m"
    agreeing = fuse(seen("2m", 0.81), answers("2m", 0.64, CLASSES), CLASSES)
    weaker = fuse(seen("2m", 0.40), answers("2m", 0.64, CLASSES), CLASSES)
    assert 0.64 < agreeing.confidences[0] < 0.81
    assert fused.confidences[0] < agreeing.confidences[0]
    assert weaker.confidences[0] < agreeing.confidences[0]
    assert not fused.rejected[0]


def test_suspicion_of_no_tile_lowers_the_confidence() -> None:
    classes = (*CLASSES, NONE)
    clean = answers("1p", 0.9, classes)
    suspect = clean.copy()
    suspect[0, -1], suspect[0, 0] = 0.08, 0.0
    sure, less = (fuse(seen("1p", 0.9), row, classes).confidences[0] for row in (clean, suspect))
    assert less < 0.65 < sure


def test_none_rejects() -> None:
    classes = (*CLASSES, NONE)
    fused = fuse(seen("1p", 0.9), answers(NONE, 0.8, classes), classes)
    assert fused.rejected[0]


def test_the_detector_has_the_say_on_backs() -> None:
    """A back is a plain patch: cut out, it may be a piece of the table, and only around it is told.

    Where the classifier sees no tile, a back is less sure, but it is not thrown away.
    """
    classes = (*CLASSES, NONE)
    suspect, clean = answers(NONE, 0.8, classes), answers("back", 0.8, classes)
    held = fuse(seen("back", 0.9), suspect, classes)
    sure = fuse(seen("back", 0.9), clean, classes)
    faint = fuse(seen("back", 0.2), suspect, classes)
    assert CLASSES[held.best[0]] == "back"
    assert not held.rejected[0]
    assert faint.confidences[0] < held.confidences[0] < sure.confidences[0] <= 0.9
    assert held.confidences[0] < 0.5
    # A face that the classifier calls no tile stays rejected, however sure the detector is.
    assert fuse(seen("5z", 0.9), suspect, classes).rejected[0]


def test_a_classifier_without_dice_leaves_dice_to_the_detector() -> None:
    classes = CLASSES[:35]
    fused = fuse(seen("die5", 0.7), answers("1p", 0.9, classes), classes)
    assert CLASSES[fused.best[0]] == "die5"


def test_a_shared_doubt_about_back_or_face_is_settled_by_the_detector() -> None:
    detector = seen("back", 0.9)
    detector[0, CLASSES.index("5z")] = 0.05
    row = np.full(len(CLASSES), 0.0)
    row[CLASSES.index("5z")], row[CLASSES.index("back")] = 0.5, 0.45
    assert CLASSES[fuse(detector, row[None], CLASSES).best[0]] == "back"


def test_only_small_tiles_get_a_second_look() -> None:
    def found(side: float) -> Detections:
        corners = [[100 + 30 * k, 100, 100 + 30 * k + side, 100 + side] for k in range(4)]
        return Detections(np.array(corners, float), np.tile(seen("1m", 0.9), (4, 1)))

    assert windows(found(120), 1600, 1200, 640) == []
    looks = windows(found(28), 1600, 1200, 640)
    assert looks
    for x1, y1, x2, y2 in looks:
        assert 0 <= x1 < x2 <= 1600
        assert 0 <= y1 < y2 <= 1200
    assert min(x1 for x1, *_ in looks) <= 100
    assert max(x2 for _, _, x2, _ in looks) >= 218


def one_find(tile: str, side: float, score: float = 0.3) -> Detections:
    probabilities = np.zeros((1, len(CLASSES)), np.float32)
    probabilities[0, CLASSES.index(tile)] = score
    return Detections(np.array([[100, 100, 100 + side, 100 + side]], np.float32), probabilities)


def test_a_small_die_has_the_whole_photo_looked_at_again() -> None:
    """Its neighbour may have been missed altogether: the quarters cover the photo, and overlap."""
    parts = quarters(one_find("die4", 60), 2000, 1500, 640)
    covered = np.zeros((1500, 2000), int)
    for x1, y1, x2, y2 in parts:
        covered[y1:y2, x1:x2] += 1
    assert len(parts) == 4
    assert covered.min() == 1
    assert covered[750, 1000] == 4


@pytest.mark.parametrize(("tile", "side"), [("die4", 300), ("5m", 60), ("back", 60)])
def test_large_dice_and_tiles_ask_for_no_quarters(tile: str, side: float) -> None:
    assert quarters(one_find(tile, side), 2000, 1500, 640) == []


class NearAndFar(Detector):
    """Finds in a window what is written down for it; needs no model for that."""

    def __init__(self, in_window: Detections) -> None:
        self.side = 640
        self.in_window = in_window
        self.widths: list[int] = []

    def detect(self, pixels: np.ndarray, least: float) -> Detections:
        self.widths.append(pixels.shape[1])
        return self.in_window


def test_a_small_die_is_looked_at_from_near_and_both_looks_count() -> None:
    """Its window is 8 of its sides wide, so it lies in its middle; scores are averaged."""
    far = one_find("die4", 20, 0.4)
    middle = Detections(
        np.array([[70, 70, 90, 90]], np.float32), one_find("die4", 20, 0.8).probabilities
    )
    detector = NearAndFar(middle)
    photo = np.zeros((600, 600, 3), np.uint8)
    found, looks = near_dice(detector, photo, far, 0.1)
    assert (looks, detector.widths) == (1, [160])
    assert found.boxes.tolist() == far.boxes.tolist()
    assert found.scores == pytest.approx([0.6])

    elsewhere = Detections(np.array([[0, 0, 20, 20]], np.float32), middle.probabilities)
    found, _ = near_dice(NearAndFar(elsewhere), photo, far, 0.1)
    assert found.scores == pytest.approx([0.2])  # half believed
    gone, _ = near_dice(NearAndFar(elsewhere), photo, far, 0.3)
    assert len(gone) == 0


@pytest.mark.parametrize(("tile", "side"), [("die4", 300), ("5m", 20)])
def test_only_small_dice_are_looked_at_from_near(tile: str, side: float) -> None:
    found = one_find(tile, side)
    same, looks = near_dice(NearAndFar(found), np.zeros((600, 600, 3), np.uint8), found, 0.1)
    assert looks == 0
    assert same.boxes.tolist() == found.boxes.tolist()


def test_an_empty_photo_asks_for_no_quarters() -> None:
    nothing = Detections(np.zeros((0, 4), np.float32), np.zeros((0, len(CLASSES)), np.float32))
    assert quarters(nothing, 2000, 1500, 640) == []
