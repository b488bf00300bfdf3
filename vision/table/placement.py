"""How the table lies in the camera's picture, set once by the user and saved under a name."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from vision.errors import VisionError
from vision.table.plane import Plane

VIEWS = ("seat", "overhead")
Corner = tuple[float, float]
# A mahjong table is about 27 tiles wide: two hands' depths, two walls and three ponds.
USUAL_TILE = 1 / 13.5
LEAST_TILE, MOST_TILE = 1 / 30, 1 / 6
MOST_OUTSIDE = 4.0
LEAST_AREA = 0.005
_NAME = re.compile(r"[^\x00-\x1f/\\:*?\"<>|.][^\x00-\x1f/\\:*?\"<>|]{0,59}")


class PlacementError(VisionError):
    """A placement that cannot be, or that is not there."""


def _wrong(zh: str, en: str) -> PlacementError:
    return PlacementError("bad_placement", zh, en)


@dataclass(frozen=True)
class Placement:
    """Where the camera stands.

    Attributes:
        name: What the user calls it.
        view: `"seat"` (a player's own view, standing faces show) or `"overhead"`.
        corners: The table's corners as shares of the picture's width and height, anticlockwise
            as seen from above; they may lie outside of the picture.
        me: The side that "me" sits at: 0 is the one between the first two corners, then
            anticlockwise.
        tile: Width of a tile in half table sides.

    Raises:
        PlacementError: The corners make no table, or a value is out of range.
    """

    name: str
    view: str
    corners: tuple[Corner, Corner, Corner, Corner]
    me: int = 0
    tile: float = USUAL_TILE

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise _wrong(
                '名称要有 1 到 60 个字符，不含 / \\ : * ? " < > | ，不以点开头。',
                'A name has 1 to 60 characters, none of / \\ : * ? " < > |, and no leading dot.',
            )
        if self.view not in VIEWS:
            raise _wrong(
                f"没有视角“{self.view}”：用 seat 或 overhead。",
                f"There is no view {self.view!r}: use seat or overhead.",
            )
        if self.me not in range(4):
            raise _wrong("me 是 0 到 3。", "me is 0, 1, 2 or 3.")
        if not LEAST_TILE <= self.tile <= MOST_TILE:
            raise _wrong(
                "牌宽超出范围：应为半张桌子的 1/30 到 1/6。",
                "The tile's width is out of range: 1/30 to 1/6 of half the table.",
            )
        _check_corners(np.asarray(self.corners, float))

    def plane(self, width: int, height: int) -> Plane:
        """The table in pictures of this size; "me" sits at y = -1."""
        turned = np.roll(np.asarray(self.corners, float), -self.me, axis=0)
        return Plane.of(turned * [width, height], (width, height))

    def moved(self, change: np.ndarray, width: int, height: int) -> Placement:
        """The same table after the picture moved by a 3 x 3 homography of pixels."""
        points = np.asarray(self.corners, float) * [width, height]
        seen = np.hstack([points, np.ones((4, 1))]) @ np.asarray(change, float).T
        points = seen[:, :2] / seen[:, 2:] / [width, height]
        return replace(self, corners=_corners(points.tolist()))

    def to_json(self) -> dict[str, Any]:
        """The form that is saved and sent."""
        return {
            "name": self.name,
            "view": self.view,
            "corners": [list(corner) for corner in self.corners],
            "me": self.me,
            "tile": self.tile,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Placement:
        """The inverse of `to_json`.

        Raises:
            PlacementError: It has not the shape of a placement.
        """
        try:
            return cls(
                str(data["name"]),
                str(data["view"]),
                _corners(data["corners"]),
                int(data.get("me", 0)),
                float(data.get("tile", USUAL_TILE)),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise _wrong(
                f"机位设置的写法不对（{error}）：要有 name、view 和四个 corners。",
                f"Malformed placement ({error}): give name, view and four corners.",
            ) from None


def _corners(points: Sequence[Sequence[float]]) -> tuple[Corner, Corner, Corner, Corner]:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def _check_corners(points: np.ndarray) -> None:
    """Four corners of a convex quadrilateral, in one sense, of some size."""
    if not np.isfinite(points).all() or np.abs(points - 0.5).max() > MOST_OUTSIDE:
        raise _wrong("桌角离画面太远。", "A corner lies too far outside of the picture.")
    sides = np.roll(points, -1, axis=0) - points
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    # Anticlockwise from above is clockwise turned over by the picture's y, which points down.
    if not (turns < 0).all():
        raise _wrong(
            "四个桌角要按逆时针顺序（近左、近右、远右、远左），并围成一个凸四边形。",
            "Give the corners anticlockwise (near left, near right, far right, far left); "
            "together they make a convex figure.",
        )
    area = abs(float((points[:, 0] * np.roll(points[:, 1], -1)).sum()
                     - (points[:, 1] * np.roll(points[:, 0], -1)).sum())) / 2  # fmt: skip
    if area < LEAST_AREA:
        raise _wrong("桌子太小。", "The table is too small in the picture.")


class PlacementStore:
    """Placements in one JSON file of the user's data folder."""

    def __init__(self, folder: Path) -> None:
        """`folder` is made when something is saved."""
        self._file = folder / "placements.json"

    def names(self) -> tuple[str, ...]:
        """Every saved name, in the order of saving."""
        return tuple(self._all())

    def load(self, name: str) -> Placement:
        """The placement saved as `name`.

        Raises:
            PlacementError: There is none, or the file is broken.
        """
        saved = self._all()
        if name not in saved:
            known = ", ".join(saved) or "-"
            raise PlacementError(
                "no_placement",
                f"没有名为“{name}”的机位。已保存：{known}",
                f"No placement is called {name!r}. Saved: {known}",
            )
        return saved[name]

    def save(self, placement: Placement) -> None:
        """Keep it under its name, in place of one of the same name.

        Raises:
            PlacementError: The folder cannot be written to, or the file is broken.
        """
        saved = self._all()
        saved[placement.name] = placement
        self._write(saved)

    def delete(self, name: str) -> None:
        """Forget it.

        Raises:
            PlacementError: There is none of this name.
        """
        self.load(name)
        self._write({key: value for key, value in self._all().items() if key != name})

    def _all(self) -> dict[str, Placement]:
        try:
            data = json.loads(self._file.read_text(encoding="utf-8"))
            listed = [Placement.from_json(entry) for entry in data["placements"]]
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, PlacementError) as error:
            raise PlacementError(
                "placements_unreadable",
                f"无法读取 {self._file}（{error}）。请改正或删除这个文件。",
                f"Cannot read {self._file} ({error}). Mend or remove that file.",
            ) from None
        return {placement.name: placement for placement in listed}

    def _write(self, saved: Mapping[str, Placement]) -> None:
        text = json.dumps(
            {"format": 1, "placements": [p.to_json() for p in saved.values()]},
            ensure_ascii=False,
            indent=1,
        )
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            # Written beside and moved over, so that a crash leaves the old file or the new one.
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", dir=self._file.parent, delete=False
            ) as new:
                new.write(text)
            os.replace(new.name, self._file)
        except OSError as error:
            raise PlacementError(
                "placements_unwritable",
                f"无法写入 {self._file}（{error.strerror}）。",
                f"Cannot write {self._file} ({error.strerror}).",
            ) from None
