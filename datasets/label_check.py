"""Labels that are probably wrong: impossible counts, bad boxes, faces unlike their kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.exchange import Dataset, LabelledBox, LabelledPicture
from datasets.scene_types import FACES, Box
from vision.boxes import iou
from vision.opencv import cv2

_SMALLEST = 14.0  # pixels: smaller faces say too little to be compared
_NEIGHBOURS = 5
_AGREE = 4  # so many of the nearest must agree on another kind
_SAME_PLACE = 0.7


@dataclass(frozen=True)
class Finding:
    """One suspicion.

    Attributes:
        path: the picture.
        code: `five_of_a_kind`, `bad_box`, `double_box`, `no_picture` or `unlike_its_kind`.
        message: what is wrong, in words.
        box: where, or None for the whole picture.
        tile: the label in question.
        suggestion: the likelier label, or "".
    """

    path: Path
    code: str
    message: str
    box: Box | None
    tile: str
    suggestion: str = ""


def check_dataset(dataset: Dataset, look: bool = True) -> list[Finding]:
    """Every suspicion about the labels; `look` also compares the pixels of the faces."""
    findings: list[Finding] = []
    for picture in dataset:
        findings += _impossible_counts(picture)
        findings += _bad_boxes(picture)
    return findings + (_unlike_their_kind(dataset) if look else [])


def _impossible_counts(picture: LabelledPicture) -> Iterable[Finding]:
    """A set has four of each kind; more in one picture means two sets or a wrong label."""
    counts = Counter(box.tile for box in picture.boxes if box.tile in FACES)
    for tile, count in sorted(counts.items()):
        if count > 4:
            yield Finding(
                picture.path,
                "five_of_a_kind",
                f"{count} tiles are labelled {tile}; a set has four",
                None,
                tile,
            )


def _bad_boxes(picture: LabelledPicture) -> Iterable[Finding]:
    for i, labelled in enumerate(picture.boxes):
        x1, y1, x2, y2 = labelled.box
        if x2 - x1 < 1 or y2 - y1 < 1:
            message = "the box is empty"
        elif x1 < -1 or y1 < -1 or x2 > picture.width + 1 or y2 > picture.height + 1:
            message = "the box leaves the picture"
        else:
            message = ""
        if message:
            yield Finding(picture.path, "bad_box", message, labelled.box, labelled.tile)
        for other in picture.boxes[:i]:
            if iou(labelled.box, other.box) > _SAME_PLACE:
                message = f"{labelled.tile} and {other.tile} lie in the same place"
                yield Finding(picture.path, "double_box", message, labelled.box, labelled.tile)


def _unlike_their_kind(dataset: Dataset) -> list[Finding]:
    """Faces whose nearest neighbours in other pictures agree on another kind."""
    places: list[tuple[LabelledPicture, LabelledBox]] = []
    vectors: list[NDArray[np.float32]] = []
    gone: list[Finding] = []
    owners: list[int] = []
    for number, picture in enumerate(tqdm(dataset, desc="looking", unit="picture", leave=False)):
        pixels = cv2.imread(str(picture.path))
        if pixels is None:
            message = "the picture is missing or cannot be read"
            gone.append(Finding(picture.path, "no_picture", message, None, ""))
            continue
        for labelled in picture.boxes:
            x1, y1, x2, y2 = (round(v) for v in labelled.box)
            crop = pixels[max(0, y1) : y2, max(0, x1) : x2]
            if labelled.tile in FACES and min(crop.shape[:2]) >= _SMALLEST:
                places.append((picture, labelled))
                vectors.append(face_vector(crop))
                owners.append(number)
    if len(places) <= _NEIGHBOURS:
        return gone
    kinds = np.array([FACES.index(labelled.tile) for _, labelled in places])
    nearest = _nearest(np.stack(vectors), np.array(owners))
    return gone + [
        Finding(
            picture.path,
            "unlike_its_kind",
            f"labelled {labelled.tile}, but looks like {FACES[likelier]}",
            labelled.box,
            labelled.tile,
            FACES[likelier],
        )
        for i, (picture, labelled) in enumerate(places)
        if (likelier := _verdict(kinds[i], kinds[nearest[i]])) is not None
    ]


def _verdict(kind: int, others: NDArray[np.int64]) -> int | None:
    if (others == kind).any():
        return None
    likelier, count = Counter(others.tolist()).most_common(1)[0]
    return int(likelier) if count >= _AGREE else None


def face_vector(crop: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A unit vector of a face's drawing and colours, the same for light and dark pictures."""
    lab = cv2.cvtColor(cv2.resize(crop, (18, 24), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB)
    values = lab.astype(np.float32).reshape(-1, 3)
    values -= np.median(values, axis=0)
    values[:, 0] /= values[:, 0].std() + 6
    values[:, 1:] /= 18
    flat = values.ravel()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), np.float32)


def _nearest(
    vectors: NDArray[np.float32], owners: NDArray[np.int64], chunk: int = 512
) -> NDArray[np.int64]:
    """For each vector the indices of its nearest ones from other pictures (also upside down)."""
    grid = vectors.reshape(len(vectors), 24, 18, 3)
    turned = np.ascontiguousarray(grid[:, ::-1, ::-1]).reshape(len(vectors), -1)
    found = []
    for start in range(0, len(vectors), chunk):
        part = vectors[start : start + chunk]
        alike = np.maximum(part @ vectors.T, part @ turned.T)
        alike[owners[start : start + chunk, None] == owners[None]] = -1
        found.append(np.argpartition(-alike, _NEIGHBOURS, axis=1)[:, :_NEIGHBOURS])
    return np.concatenate(found).astype(np.int64)
