"""What a calibration brought: figures, and the tiles that are read otherwise now."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from vision.calibration import Example, TileSet
    from vision.classifier import Classifier

Place = tuple[int, int]
MOST_CHANGES = 48
PICTURE_SIDE = 96
SHEET_COLUMNS = 9


@dataclass(frozen=True)
class Change:
    """One example that is read otherwise than before, or still wrongly."""

    tile: str
    before: str
    after: str
    picture: str

    def to_json(self) -> dict[str, str]:
        """Names and the picture as a data URL."""
        return asdict(self)


@dataclass(frozen=True)
class Result:
    """What was learnt.

    Attributes:
        taught: The set, not stored yet.
        like: The stored set that the examples may be taken for; None for none.
        before: Examples named rightly before.
        after: Examples named rightly now.
        count: Examples.
        changes: Those whose name changes, and those still wrong; `MOST_CHANGES` at most.
    """

    taught: TileSet
    like: str | None
    before: int
    after: int
    count: int
    changes: tuple[Change, ...]

    def to_json(self) -> dict[str, Any]:
        """For the page."""
        return {
            "set": self.taught.to_json(),
            "like": self.like,
            "before": self.before,
            "after": self.after,
            "count": self.count,
            "changes": [change.to_json() for change in self.changes],
        }


def result_of(
    taught: TileSet,
    base: TileSet | None,
    stored: Sequence[TileSet],
    examples: Sequence[Example],
    places: Sequence[Place | None],
    classifier: Classifier,
) -> Result:
    """Read the new examples' undisguised looks without and with what was learnt.

    Args:
        taught: The set.
        base: What was in use before: the stored set that learnt more, or None.
        stored: The stored sets.
        examples: What was given now.
        places: For each of them, whether it is a tile (None: a piece of bare table).
        classifier: The general classifier.
    """
    import numpy as np

    from vision.calibration.chooser import taken_for
    from vision.calibration.views import plain_view

    tiles = [e for e, place in zip(examples, places, strict=True) if place is not None]
    if not tiles:
        return Result(taught, None, 0, 0, 0, ())
    looks = np.stack([plain_view(e.patch, classifier.side) for e in tiles])
    answers, features = classifier.look(looks)
    usable = base is not None and base.classifier == classifier.sha256
    was = _read_as(base, answers, features, looks) if base and usable else answers
    before = _names(was, classifier)
    after = _names(_read_as(taught, answers, features, looks), classifier)
    fitting = tuple(s for s in stored if s.classifier == classifier.sha256)
    like = taken_for(fitting, answers, features, looks)
    changes = [
        Change(e.tile, was, now, _picture(e.patch.tile))
        for e, was, now in zip(tiles, before, after, strict=True)
        if was != now or now != e.tile
    ]
    return Result(
        taught,
        like,
        sum(e.tile == was for e, was in zip(tiles, before, strict=True)),
        sum(e.tile == now for e, now in zip(tiles, after, strict=True)),
        len(tiles),
        tuple(changes[:MOST_CHANGES]),
    )


def _read_as(
    tile_set: TileSet, answers: np.ndarray, features: np.ndarray, looks: np.ndarray
) -> np.ndarray:
    """Answers to upright looks as the reader would correct them for this set."""
    import numpy as np

    stands = tile_set.stands(answers)
    adjusted = tile_set.adjust(answers, features, looks)
    return tile_set.settle(np.where(stands[:, None], answers, adjusted), looks, stands=stands)


def _names(answers: np.ndarray, classifier: Classifier) -> list[str]:
    return [classifier.classes[int(k)] for k in answers.argmax(axis=1)]


def _picture(tile: np.ndarray) -> str:
    from vision.opencv import cv2

    coded = cv2.imencode(".jpg", tile, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
    return "data:image/jpeg;base64," + base64.b64encode(coded).decode("ascii")


def sheet_of(tile_set: TileSet) -> bytes:
    """The set's faces, back and dice as one JPEG, nine to a row in class order."""
    import numpy as np

    from vision.opencv import cv2
    from vision.values import CLASSES

    first = {e.tile: e for e in reversed(tile_set.examples) if e.tile in CLASSES}
    cells = [first[tile].patch.tile for tile in CLASSES if tile in first]
    width, height = PICTURE_SIDE * 3 // 4, PICTURE_SIDE
    rows = -(-len(cells) // SHEET_COLUMNS) or 1
    sheet = np.full((rows * height, SHEET_COLUMNS * width, 3), 128, np.uint8)
    for number, cell in enumerate(cells):
        y, x = number // SHEET_COLUMNS * height, number % SHEET_COLUMNS * width
        sheet[y : y + height, x : x + width] = cv2.resize(
            cell, (width, height), interpolation=cv2.INTER_AREA
        )
    coded: bytes = cv2.imencode(".jpg", sheet, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
    return coded
