"""The painter: boxes in the right order with light and shade, and what of each can be seen."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from datasets.scene_camera import Array, Camera
from datasets.scene_items import CORNERS, NORMALS, Item
from datasets.scene_types import Box, Pixels, SceneObject
from vision.opencv import cv2

_SHIFT = 4  # sub-pixel bits of OpenCV's polygons
MIN_VISIBLE = 0.45
MIN_SIDE = 8.0  # pixels: smaller faces cannot be read
MIN_FLATNESS = 0.13  # shown area over the squared longer edge: flatter faces cannot be read
MIN_DIE_FLATNESS = 0.22  # the same for a die's upper side


@dataclass(frozen=True)
class Light:
    """One lamp far away (unit vector towards it) and light from everywhere."""

    towards: Array
    ambient: float
    shadow: float
    softness: int

    def shade(self, normal: Array) -> float:
        """Brightness of a surface with this normal, about 0.5 to 1.15."""
        return self.ambient + (1.12 - self.ambient) * max(0.0, float(normal @ self.towards))


@dataclass
class _Seen:
    """An item in the picture: projected sides and, when it is one to label, its label."""

    item: Item
    corners: Array
    near: float
    quad: NDArray[np.float32] | None = None
    label: str = ""


def paint_shadows(picture: Pixels, items: Sequence[Item], camera: Camera, light: Light) -> None:
    """Darken the table where items keep the lamp's light from it (in place)."""
    height, width = picture.shape[:2]
    mask = np.zeros((height // 2, width // 2), np.uint8)
    slope = light.towards[:2] / light.towards[2]
    for item in items:
        corners = item.corners()
        fallen = corners.copy()
        fallen[:, :2] -= slope * corners[:, 2:] * 0.7
        fallen[:, 2] = 0
        pixels, depth = camera.project(fallen)
        if depth.min() < 0.5 or np.abs(pixels).max() > 4 * width:
            continue
        hull = cv2.convexHull(_f32(pixels / 2)).astype(np.int32)
        cv2.fillConvexPoly(mask, hull, 255)
    mask = cv2.GaussianBlur(mask, (light.softness, light.softness), 0)
    keep = 255 - cv2.resize(mask, (width, height)).astype(np.float32) * light.shadow
    picture[:] = cv2.multiply(
        picture, cv2.merge([keep, keep, keep]), scale=1 / 255, dtype=cv2.CV_8U
    )


def back_to_front(items: Sequence[Item], camera: Camera) -> list[int]:
    """Indices of the items so that none is painted before one it hides.

    Two boxes that a side's plane of either separates are ordered exactly: the one on the
    camera's side of the plane comes later. The others (leaning in a pile) go by distance.
    """
    n = len(items)
    corners = np.stack([item.corners() for item in items])
    centres = np.stack([item.centre for item in items])
    normals = np.stack([np.array(list(NORMALS.values()), float) @ i.rotation.T for i in items])
    half = np.stack([np.asarray(i.size)[[2, 2, 1, 1, 0, 0]] / 2 for i in items])
    planes = (normals * centres[:, None]).sum(-1) + half
    # beyond[i, j]: all of j lies outside of some side plane of i; front: the camera does too.
    heights = np.einsum("ifk,jck->ifjc", normals, corners).min(-1) - planes[..., None]
    outside = heights > -0.02
    camera_out = (normals @ camera.position) > planes
    j_in_front = (outside & camera_out[..., None]).any(1)
    j_behind = (outside & ~camera_out[..., None]).any(1)
    distance = np.linalg.norm(centres - camera.position, axis=1)
    pixels, _ = camera.project(corners)
    low, high = pixels.min(1), pixels.max(1)
    meet = ((low[:, None] <= high[None]) & (low[None] <= high[:, None])).all(-1)
    np.fill_diagonal(meet, False)
    after = meet & j_in_front  # j is to be painted after i
    before = meet & j_behind
    after |= before.T
    # A pair ordered both ways (both lie outside of planes on either side) is ordered by neither
    # being able to hide the other; drop it.
    both = after & after.T
    after &= ~both
    waiting = after.sum(0)
    heap = [(-distance[i], i) for i in range(n) if not waiting[i]]
    heapq.heapify(heap)
    done = np.zeros(n, bool)
    order: list[int] = []
    while len(order) < n:
        if not heap:  # a ring of leaning tiles: break it at the farthest
            farthest = int(np.where(done, -1.0, distance).argmax())
            heap.append((-distance[farthest], farthest))
        i = heapq.heappop(heap)[1]
        if done[i]:
            continue
        done[i] = True
        order.append(i)
        for j in np.flatnonzero(after[i]):
            waiting[j] -= 1
            if waiting[j] == 0 and not done[j]:
                heapq.heappush(heap, (-distance[j], int(j)))
    return order


class Painter:
    """Paints items over a picture and remembers which pixels show which item's face."""

    def __init__(self, picture: Pixels, camera: Camera, light: Light) -> None:
        self.picture = picture
        self.camera = camera
        self.light = light
        self.owner = np.zeros(picture.shape[:2], np.int32)
        self._seen: list[_Seen] = []

    def paint(self, items: Sequence[Item]) -> None:
        """Paint the items, hidden ones first."""
        if not items:
            return
        low, high = -8.0, np.array(self.picture.shape[1::-1]) + 8.0
        for index in back_to_front(items, self.camera):
            item = items[index]
            corners, depth = self.camera.project(item.corners())
            if depth.min() < 0.6:
                continue
            if (corners.max(0) < low).any() or (corners.min(0) > high).any():
                continue
            self._paint_item(_Seen(item, corners, float(depth.min())))

    def cover(self, mask: NDArray[np.uint8]) -> None:
        """Say that something painted elsewhere hides the pixels where `mask` is set."""
        self.owner[mask > 127] = 0

    def _paint_item(self, seen: _Seen) -> None:
        item = seen.item
        to_camera = self.camera.position - item.centre
        visible = {}
        for side, normal in NORMALS.items():
            world = item.rotation @ np.asarray(normal)
            offset = abs(np.asarray(normal)) @ np.asarray(item.size) / 2
            if world @ to_camera > offset:
                visible[side] = self.light.shade(world)
        self._paint_layers(item, visible)
        number = len(self._seen) + 1
        for side in ("top", "bottom", "left", "right", "back", "face"):
            if side not in visible:
                continue
            quad = self._side_quad(item, side)
            texture = item.look.texture(side, _width(quad))
            if texture is not None:
                self._paste(texture, quad, visible[side], item, side)
            label = _label(item, side)
            if label:
                seen.quad, seen.label = quad, label
        hull = cv2.convexHull(_f32(seen.corners)).astype(np.int32)
        if item.is_die:
            seen.label, seen.quad = item.name, self._top_quad(item)
            cv2.fillConvexPoly(self.owner, hull, number)
        else:
            cv2.fillConvexPoly(self.owner, hull, 0)
            if seen.quad is not None:
                cv2.fillConvexPoly(self.owner, np.round(seen.quad).astype(np.int32), number)
        self._seen.append(seen)

    def _paint_layers(self, item: Item, visible: dict[str, float]) -> None:
        """The rounded body, layer by layer, the far one first; then its plain sides' shades."""
        w, h, t = item.size
        layers = item.look.layers()
        side_shades = [s for name, s in visible.items() if name not in ("face", "back")]
        shade = float(np.mean(side_shades or list(visible.values()) or [0.8]))
        spans = []
        z = -t / 2
        for share, colour in layers:
            spans.append((z, z + share * t, colour))
            z += share * t
        if "back" in visible:
            spans.reverse()
        r = _radius(item)
        bevel = min(r, 0.45 * t, 0.1)
        for low, high, colour in spans:
            outline = _slab(item, r, bevel, low, high) @ item.rotation.T + item.centre
            pixels, _ = self.camera.project(outline)
            self._fill(cv2.convexHull(_f32(pixels))[:, 0], colour, shade)
            for side in ("top", "bottom", "left", "right"):
                if side in visible and len(visible) > 1:
                    corners = CORNERS[side] * np.array([w / 2, h / 2, 1.0])
                    axis = 0 if side in ("top", "bottom") else 1
                    corners[:, axis] *= 1 - 2 * r / (w, h)[axis]
                    top, bottom = min(high, t / 2 - bevel), max(low, -t / 2 + bevel)
                    corners[:, 2] = np.where(corners[:, 2] > 0, top, bottom)
                    quad, _ = self.camera.project(corners @ item.rotation.T + item.centre)
                    self._fill(quad, colour, visible[side] * 0.95)

    def _fill(self, polygon: Array, colour: tuple[int, int, int], shade: float) -> None:
        bgr = tuple(int(min(255.0, c * shade)) for c in colour[::-1])
        points = np.round(polygon * (1 << _SHIFT)).astype(np.int32)
        cv2.fillConvexPoly(self.picture, points, bgr, cv2.LINE_AA, _SHIFT)

    def _side_quad(self, item: Item, side: str) -> NDArray[np.float32]:
        local = CORNERS[side] * np.asarray(item.size) / 2
        pixels, _ = self.camera.project(local @ item.rotation.T + item.centre)
        return _f32(pixels)

    def _top_quad(self, item: Item) -> NDArray[np.float32]:
        side = max(NORMALS, key=lambda s: float((item.rotation @ np.asarray(NORMALS[s]))[2]))
        return self._side_quad(item, side)

    def _paste(
        self, texture: Pixels, quad: NDArray[np.float32], shade: float, item: Item, side: str
    ) -> None:
        """Paste a side's picture with round corners, in its shade."""
        x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, self.picture.shape[1::-1])
        if x1 - x0 < 2 or y1 - y0 < 2:
            return
        height, width = texture.shape[:2]
        source = _f32([[0, 0], [width, 0], [width, height], [0, height]])
        shift = _f32([x0, y0])
        matrix = cv2.getPerspectiveTransform(source, quad - shift)
        box = (int(x1 - x0), int(y1 - y0))
        pasted = cv2.warpPerspective(
            texture, matrix, box, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        r = _radius(item) / item.size[0] * width * 0.9
        outline = cv2.perspectiveTransform(_round_outline(width, height, r, r * 0.35)[None], matrix)
        mask = np.zeros((box[1], box[0]), np.uint8)
        points = np.round(outline[0] * (1 << _SHIFT)).astype(np.int32)
        cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, _SHIFT)
        target = self.picture[y0:y1, x0:x1]
        alpha = mask[..., None].astype(np.uint16)
        lit = np.minimum(pasted.astype(np.float32) * shade, 255).astype(np.uint16)
        target[:] = (lit * alpha + target.astype(np.uint16) * (255 - alpha)) // 255

    def fork(self) -> Painter:
        """Another painter that goes on from here; this one and its picture stay as they are."""
        copy = Painter(self.picture.copy(), self.camera, self.light)
        copy.owner = self.owner.copy()
        copy._seen = [replace(seen) for seen in self._seen]
        return copy

    def forget(self, item: Item) -> None:
        """Say that an item is no longer in the picture; `take_over` paints what was below."""
        for seen in self._seen:
            if seen.item is item:
                seen.quad = None

    def take_over(self, other: Painter, area: tuple[int, int, int, int]) -> None:
        """Take x0, y0, x1, y1 of a picture in which another painter painted all that is seen there.

        What both have painted keeps its label and is seen where either shows it.
        """
        x0, y0, x1, y1 = area
        numbers = {id(seen.item): number for number, seen in enumerate(self._seen, 1)}
        table = np.zeros(len(other._seen) + 1, np.int32)
        for number, seen in enumerate(other._seen, 1):
            known = numbers.get(id(seen.item))
            if known is None:
                self._seen.append(seen)
            else:
                self._seen[known - 1] = seen
            table[number] = known or len(self._seen)
        self.picture[y0:y1, x0:x1] = other.picture[y0:y1, x0:x1]
        self.owner[y0:y1, x0:x1] = table[other.owner[y0:y1, x0:x1]]

    def objects(self) -> tuple[SceneObject, ...]:
        """The labels of everything painted that can still be read."""
        return tuple(found for _, found in self.found())

    def found(self) -> list[tuple[Item, SceneObject]]:
        """The same with the item that each label is about."""
        found = []
        counts = np.bincount(self.owner.ravel(), minlength=len(self._seen) + 1)
        for number, seen in enumerate(self._seen, 1):
            if seen.quad is None or not counts[number]:
                continue
            outline = _f32(seen.corners) if seen.item.is_die else seen.quad
            labelled = self._object(number, seen, outline, int(counts[number]))
            if labelled is not None:
                found.append((seen.item, labelled))
        return found

    def _object(
        self, number: int, seen: _Seen, outline: NDArray[np.float32], count: int
    ) -> SceneObject | None:
        hull = cv2.convexHull(outline)
        # cv2 fills a polygon's rim as well, about half its length more than its area
        area = cv2.contourArea(hull)
        full = area + cv2.arcLength(hull, True) / 2 + 1
        visible = min(1.0, count / full)
        if visible < MIN_VISIBLE or area < MIN_SIDE**2 * 0.6:
            return None
        assert seen.quad is not None
        edge = max(_width(seen.quad), _height(seen.quad))
        flatness = cv2.contourArea(seen.quad) / max(edge, 1) ** 2
        if flatness < (MIN_DIE_FLATNESS if seen.item.is_die else MIN_FLATNESS):
            return None
        box = self._box(number, outline, visible)
        if min(box[2] - box[0], box[3] - box[1]) < MIN_SIDE:
            return None
        item = seen.item
        role = "dice" if item.is_die else item.role
        return SceneObject(seen.label, box, seen.quad, item.seat, role, round(visible, 3))

    def _box(self, number: int, outline: NDArray[np.float32], visible: float) -> Box:
        height, width = self.owner.shape
        x0, y0 = np.maximum(outline.min(0), 0)
        x1, y1 = np.minimum(outline.max(0), (width, height))
        if visible < 0.9:  # partly covered: what an annotator would draw is the part one sees
            part = self.owner[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1] == number
            rows, columns = np.flatnonzero(part.any(1)), np.flatnonzero(part.any(0))
            if len(rows) and len(columns):
                left, top = int(x0), int(y0)
                x0, x1 = max(x0, left + columns[0]), min(x1, left + columns[-1] + 1)
                y0, y1 = max(y0, top + rows[0]), min(y1, top + rows[-1] + 1)
        return float(x0), float(y0), float(x1), float(y1)


def _label(item: Item, side: str) -> str:
    if not item.name or item.is_die:
        return ""
    if side == "face":
        return "" if item.name.startswith("flower") else item.name
    return "back" if side == "back" and item.labelled_back else ""


def _f32(values: object) -> NDArray[np.float32]:
    return np.asarray(values, np.float32)


def _width(quad: NDArray[np.float32]) -> float:
    return float(max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3])))


def _height(quad: NDArray[np.float32]) -> float:
    return float(max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1])))


def _round_outline(width: float, height: float, r: float, inset: float) -> NDArray[np.float32]:
    """A rounded rectangle in picture coordinates, 4 x 5 points."""
    points = []
    for cx, cy, sx, sy in (
        (r, r, -1, -1),
        (width - r, r, 1, -1),
        (width - r, height - r, 1, 1),
        (r, height - r, -1, 1),
    ):
        arc = [
            (cx + sx * (r - inset) * a, cy + sy * (r - inset) * b)
            for a, b in ((1, 0), (0.92, 0.4), (0.71, 0.71), (0.4, 0.92), (0, 1))
        ]
        points += arc if sx * sy > 0 else arc[::-1]
    return _f32(points)


def _radius(item: Item) -> float:
    """Radius of the round corners of an item's face, in tile widths."""
    w, h, _ = item.size
    return min(item.look.radius * min(1.0, w), 0.5 * min(w, h))


def _slab(item: Item, r: float, bevel: float, low: float, high: float) -> Array:
    """Outline points of the body between two depths, its outer edges rounded by `bevel`."""
    w, h, t = item.size
    rim = _round_outline(w, h, r, 0.0).astype(float) - (w / 2, h / 2)
    inner = rim * (1 - 1.2 * bevel / np.array([w, h]))
    points = []
    for z, edge in ((low, -t / 2), (high, t / 2)):
        outermost = abs(z - edge) < 1e-9
        rows = [(inner, z), (rim, z - np.sign(edge) * bevel * 0.7)] if outermost else [(rim, z)]
        points += [np.column_stack([xy, np.full(len(xy), d)]) for xy, d in rows]
    return np.concatenate(points)
