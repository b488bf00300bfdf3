"""The picture of a table at rest, of which only what has changed is painted anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.scene_camera import Array, Camera
from datasets.scene_items import Item
from datasets.scene_render import Light, Painter
from datasets.scene_types import Pixels

_MANY = 24  # so many changes are painted sooner by painting everything
_MARGIN = 3

Area = tuple[int, int, int, int]


@dataclass(frozen=True)
class _Laid:
    """An item where it was painted; poses are never changed in place, so identity tells."""

    item: Item
    centre: Array
    rotation: Array
    body: Area
    reach: Area  # with its shadow

    def still(self, item: Item) -> bool:
        """Whether the item lies as it did."""
        return self.centre is item.centre and self.rotation is item.rotation


@dataclass
class TablePicture:
    """A painted table and where everything on it was painted."""

    painter: Painter
    camera: Camera
    light: Light
    laid: dict[int, _Laid]

    @classmethod
    def painted(
        cls, ground: Pixels, items: Sequence[Item], camera: Camera, light: Light
    ) -> TablePicture:
        """Paint everything over the ground with its shadows (which is taken, not copied)."""
        painter = Painter(ground, camera, light)
        painter.paint(items)
        return cls(painter, camera, light, {id(i): _laid(i, camera, light) for i in items})

    def updated(self, ground: Pixels, items: Sequence[Item]) -> TablePicture:
        """The picture of other items, or of the same at other places; this one stays as it is."""
        laid, changed = {}, []
        for item in items:
            old = self.laid.get(id(item))
            if old is not None and old.still(item):
                laid[id(item)] = old
            else:
                laid[id(item)] = _laid(item, self.camera, self.light)
                changed += [laid[id(item)].reach] + ([old.reach] if old else [])
        gone = [old for key, old in self.laid.items() if key not in laid]
        changed += [old.reach for old in gone]
        if len(changed) > _MANY:
            return self.painted(ground, items, self.camera, self.light)
        painter = self.painter.fork()
        for old in gone:
            painter.forget(old.item)
        for area in _merged(changed, ground.shape):
            scratch = Painter(ground.copy(), self.camera, self.light)
            scratch.paint([i for i in items if _meet(laid[id(i)].body, area)])
            painter.take_over(scratch, area)
        return TablePicture(painter, self.camera, self.light, laid)


def _laid(item: Item, camera: Camera, light: Light) -> _Laid:
    corners = item.corners()
    fallen = corners.copy()
    fallen[:, :2] -= light.towards[:2] / light.towards[2] * corners[:, 2:]
    fallen[:, 2] = 0
    body = _bounds(camera, corners, _MARGIN)
    reach = _bounds(camera, np.concatenate([corners, fallen]), _MARGIN + 2 * light.softness)
    return _Laid(item, item.centre, item.rotation, body, reach)


def _bounds(camera: Camera, points: Array, margin: int) -> Area:
    pixels, _ = camera.project(points)
    low, high = np.floor(pixels.min(0)).astype(int), np.ceil(pixels.max(0)).astype(int)
    return (
        int(low[0]) - margin,
        int(low[1]) - margin,
        int(high[0]) + margin,
        int(high[1]) + margin,
    )


def _meet(one: Area, two: Area) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _merged(areas: Sequence[Area], shape: tuple[int, ...]) -> list[Area]:
    """The areas within the picture, those that meet made one."""
    merged: list[Area] = []
    for area in areas:
        x0, y0, x1, y1 = area
        now = (max(x0, 0), max(y0, 0), min(x1, shape[1]), min(y1, shape[0]))
        while True:
            other = next((m for m in merged if _meet(m, now)), None)
            if other is None:
                break
            merged.remove(other)
            now = (
                min(now[0], other[0]),
                min(now[1], other[1]),
                max(now[2], other[2]),
                max(now[3], other[3]),
            )
        if now[0] < now[2] and now[1] < now[3]:
            merged.append(now)
    return merged
