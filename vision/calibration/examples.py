"""Labelled tiles for calibration, cut from a photo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.boxes import nested
from vision.calibration.errors import CalibrationError
from vision.calibration.rows import rows_of
from vision.calibration.views import Patch, cut_patch
from vision.photo import Photo
from vision.reader import LEAST_SCORE, NESTED_SHARE, Reader
from vision.second_look import look_again
from vision.values import CLASSES, FACES, NONE, TileReading

GUIDED = FACES
"""The order of the guided photo: 万 1-9, 饼 1-9, 条 1-9, 东南西北白发中, row by row."""
# A box of a laid-out tile scores far more; odd designs score less than common ones.
LEAST_BOX = 0.3
# The detector hardly believes in the oddest designs. A faint box counts beside surer ones when it
# is about as large (logarithm of the ratio of the sides), hardly overlaps them, and lies within so
# many tiles of the nearest one.
FAINTEST, SIZE_SPREAD, MOST_SHARED, REACH = 0.05, 0.3, 0.1, 2.0
# Backs and dice that nobody named are taken at the reader's word from here on.
SURE_ENOUGH = 0.9
BACKGROUNDS = 6


@dataclass(frozen=True, eq=False)
class Example:
    """One labelled tile.

    Attributes:
        tile: A face, `back`, `die1`..`die6`, or `none` for a piece of table without a tile.
        patch: Its picture.
        photo: Which photo of the calibration it came from, from 0.
        side: Longer side of its box in the photo, pixels.
    """

    tile: str
    patch: Patch
    photo: int = 0
    side: float = 96.0


def tile_boxes(reader: Reader, photo: Photo, expected: int | None = None) -> list[TileReading]:
    """Every tile of a laid-out photo in reading order, whatever its design.

    Names are the reader's (with its taught sets, if it has any) and may be wrong; a tile it would
    not report at all for its design is among them.

    Args:
        reader: The reader.
        photo: Tiles laid out in rows, none hidden.
        expected: How many tiles there are, when known: the surest boxes are taken.

    Returns:
        The tiles; `alternatives` are all names that the classifier knows, best first.
    """
    found = reader.detector.detect(photo.pixels, FAINTEST)
    found, _ = look_again(reader.detector, photo.pixels, found, FAINTEST)
    scores = found.probabilities.max(axis=1, initial=0)
    keep = np.flatnonzero(~nested(found.boxes, scores, NESTED_SHARE))
    keep = keep[np.argsort(-scores[keep], kind="stable")]
    surest = scores[keep].max(initial=0.0)
    sure = keep[scores[keep] >= min(LEAST_BOX, max(surest, LEAST_SCORE))]
    sure = np.concatenate([sure, _of_their_size(found.boxes, sure, keep[len(sure) :])])
    keep = keep[:expected] if expected is not None and len(sure) < expected else sure
    if expected is not None:
        keep = keep[:expected]
    answers = reader.classifier.classify(photo.pixels, found.boxes[keep], reader.tile_sets)
    if expected is None:
        real = ~_of_no_sort(found.boxes[keep], answers, reader.classifier.classes)
        keep, answers = keep[real], answers[real]
    tiles = []
    for row, answer in zip(keep, answers, strict=True):
        order = [int(k) for k in np.argsort(-answer, kind="stable")]
        named = [
            reader.classifier.classes[k] for k in order if reader.classifier.classes[k] != NONE
        ]
        x1, y1, x2, y2 = (float(v) for v in found.boxes[row])
        shares = tuple(
            (tile, float(answer[reader.classifier.classes.index(tile)])) for tile in named
        )
        tiles.append(
            TileReading(
                named[0], shares[0][1], (x1, y1, x2, y2), shares, detector_p=float(scores[row])
            )
        )
    return [tile for row in rows_of(tiles) for tile in row]


def _of_no_sort(boxes: np.ndarray, answers: np.ndarray, classes: Sequence[str]) -> np.ndarray:
    """Which boxes are neither of the tiles' size nor, to the classifier, anything at all.

    An odd tile may look like nothing to it, but is as large as the others; a die is smaller, but
    looks like one.
    """
    if NONE not in classes or not len(boxes):
        return np.zeros(len(boxes), bool)
    sides = boxes[:, 2:] - boxes[:, :2]
    off = np.abs(np.log(sides / np.median(sides, axis=0))).max(axis=1) > SIZE_SPREAD
    return np.asarray(off & (answers[:, list(classes).index(NONE)] > 0.5))


def _of_their_size(boxes: np.ndarray, sure: np.ndarray, unsure: np.ndarray) -> np.ndarray:
    """Those of the `unsure` boxes that lie beside the `sure` ones as another tile would."""
    if not len(sure):
        return unsure[:0]
    taken = [boxes[k] for k in sure]
    size = np.median([box[2:] - box[:2] for box in taken], axis=0)
    more: list[int] = []
    rest = [int(k) for k in unsure]
    while True:  # a row of faint boxes is followed from the surer ones on
        fitting = [k for k in rest if _fits(boxes[k], np.array(taken), size)]
        if not fitting:
            return np.array(more, dtype=int)
        more.append(fitting[0])
        taken.append(boxes[fitting[0]])
        rest.remove(fitting[0])


def _fits(box: np.ndarray, taken: np.ndarray, size: np.ndarray) -> bool:
    """Whether a box is about of the size, near those taken, and hardly overlaps them."""
    alike = (np.abs(np.log((box[2:] - box[:2]) / size)) < SIZE_SPREAD).all()
    middles = (taken[:, :2] + taken[:, 2:]) / 2 - (box[:2] + box[2:]) / 2
    near = np.abs(middles).max(axis=1).min() < REACH * float(size.max())
    low = np.maximum(taken[:, :2], box[:2])
    shared = (np.minimum(taken[:, 2:], box[2:]) - low).clip(0).prod(axis=1).max()
    return bool(alike and near and shared < MOST_SHARED * float(size.prod()))


def gather(
    reader: Reader, photo: Photo, labels: Sequence[str] | None = None, number: int = 0
) -> list[Example]:
    """The examples in one photo.

    Args:
        reader: The reader.
        photo: Tiles laid out in rows.
        labels: What they are, in reading order (rows from the top, each left to right); None
            takes the reader's own names, as confirmed by the caller.
        number: Which photo of this calibration it is.

    Returns:
        An example for each tile, and a few of the bare table.

    Raises:
        CalibrationError: there are not as many tiles in the photo as labels.
    """
    tiles = tile_boxes(reader, photo, None if labels is None else len(labels))
    if not tiles:
        raise CalibrationError.of(
            "no_tiles",
            f"{photo.name}：没有找到牌。请把牌正面朝上摆成几行，从上方拍清楚。",
            f"{photo.name}: no tiles were found. Lay them face up in rows and take the photo from "
            "above.",
        )
    if labels is not None:
        if len(tiles) != len(labels):
            raise _wrong_count(photo, len(tiles), len(labels))
        named = [replace(t, tile=k) for t, k in zip(tiles, labels, strict=True)]
    else:
        named = [t for t in tiles if t.is_face or t.confidence >= SURE_ENOUGH]
    return examples_of(photo, named, number, tiles)


def examples_of(
    photo: Photo,
    tiles: Sequence[TileReading],
    number: int = 0,
    all_tiles: Sequence[TileReading] | None = None,
) -> list[Example]:
    """Examples from tiles whose names a person has confirmed, with a few of the bare table.

    Args:
        photo: The photo they were read in.
        tiles: Confirmed readings.
        number: Which photo of this calibration it is.
        all_tiles: Every tile of the photo, so that none is taken for bare table; None takes no
            bare table (a photo in play, where a tile may have been overlooked).
    """
    out = []
    for tile in tiles:
        box = np.array(tile.box)
        side = float(max(box[2] - box[0], box[3] - box[1]))
        if tile.tile in CLASSES:
            out.append(Example(tile.tile, cut_patch(photo.pixels, box), number, side))
    for box in _bare_table(photo, all_tiles or ()):
        out.append(Example(NONE, cut_patch(photo.pixels, box), number, float(box[2] - box[0])))
    return out


def _bare_table(photo: Photo, tiles: Sequence[TileReading]) -> list[np.ndarray]:
    """Squares of a tile's size that touch no tile."""
    if not tiles:
        return []
    boxes = np.array([tile.box for tile in tiles])
    side = float(np.median((boxes[:, 2:] - boxes[:, :2]).max(axis=1)))
    rng = np.random.default_rng([len(tiles), photo.width, photo.height])
    out: list[np.ndarray] = []
    if side >= min(photo.width, photo.height):
        return out
    for _ in range(200):
        x, y = rng.uniform(0, photo.width - side), rng.uniform(0, photo.height - side)
        square = np.array([x, y, x + side, y + side])
        apart = (
            (boxes[:, 0] > square[2])
            | (boxes[:, 2] < square[0])
            | (boxes[:, 1] > square[3])
            | (boxes[:, 3] < square[1])
        )
        if apart.all():
            out.append(square)
        if len(out) == BACKGROUNDS:
            break
    return out


def _wrong_count(photo: Photo, found: int, told: int) -> CalibrationError:
    return CalibrationError.of(
        "wrong_count",
        f"{photo.name}：照片里找到 {found} 张牌，您给了 {told} 张。请让牌之间留些空隙、"
        "拍全所有的牌，或更正牌名。",
        f"{photo.name}: {found} tiles were found, but {told} were named. Leave small gaps between "
        "the tiles, have all of them in the photo, or correct the names.",
    )
