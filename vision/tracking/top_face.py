"""The pips on top of a die where it is known how the table lies.

From a seat a die shows its side as large as its top, and a 3 on the side is counted as soon as the
1 above it. Where the table lies says where in the die's box its top is, and how that looks from
straight above. There its spots must lie as a die's pips do, and nothing else may lie among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from vision.opencv import cv2
from vision.pips import SIDE, strangeness
from vision.table.placement import Placement
from vision.table.plane import Plane
from vision.values import Box

# Sine of the angle from which on a camera looks down so steeply that a die's box shows its top.
STEEP = 0.92
# Of a top that is this low in the picture (pixels) nothing is counted.
LEAST_HEIGHT = 7.0
# Pixels of a die's side in the picture of its top, which is `SIDE` pixels wide.
DIE_PX = 64
TURNS = np.radians(np.arange(0, 90, 7.5))
# A box that is lower than this share of the lowest die as wide as it is cut.
CUT = 0.9
# Height above the cloth, in tile widths, at which a die's middle lies, and a step along the axes.
MIDDLE, STEP = 0.3, 0.05
# Shares of a die's side: how far its middle may lie from where it is taken to lie; from the middle
# to the pips in the corners; how far a pip may lie from its place.
MOST_AWAY, LEAST_REACH, MOST_REACH, MOST_OFF = 0.24, 0.24, 0.5, 0.085
# Beyond the outer pips, in shares of their distance from the middle along an edge, the top ends.
RIM = 1.3
# Of a lone pip: how far the rest of the top reaches.
LONE_REACH = 0.36
LEAST_AREA, MOST_AREA, MOST_LONE_AREA = 0.004, 0.07, 0.2
LEAST_ROUND, LEAST_CONTRAST, LEAST_COVERED = 0.55, 40.0, 0.6
MOST_RATIO = 2.6
# The rows of a 6 whose pips run together: their length and how far apart they lie, in shares of a
# die's side, how many times longer than wide they are, and the cosine between them.
LEAST_BAR, MOST_BAR, LEAST_ROWS, MOST_ROWS = 0.42, 0.85, 0.34, 0.68
LONG, PARALLEL = 1.8, 0.96
# What a part of a die's pips may be taken for, and whose part that may be.
FEW: dict[int | None, tuple[int, ...]] = {1: (3, 5), 2: (3, 5)}
# Where the pips lie whose outermost are at (-1, -1) and (1, 1).
CORNERS = [(-1, -1), (1, 1)]
SQUARE = [*CORNERS, (-1, 1), (1, -1)]
PATTERNS = (
    (6, [*SQUARE, (-1, 0), (1, 0)]),
    (6, [*SQUARE, (0, -1), (0, 1)]),
    (5, [*SQUARE, (0, 0)]),
    (4, SQUARE),
    (3, [*CORNERS, (0, 0)]),
    (2, CORNERS),
)


def top_pips(pixels: np.ndarray, box: Box, placement: Placement) -> int | None:
    """Pips on top of a die; None when they cannot be counted.

    Args:
        pixels: The frame, BGR.
        box: Around all that shows of the die.
        placement: Where the table lies.
    """
    slopes = slopes_at(placement.plane(pixels.shape[1], pixels.shape[0]), box, placement.tile)
    long, short = np.linalg.svd(slopes[:, :2], compute_uv=False)
    if short < STEEP * long:
        counts = [_counted(pixels, way, slopes, short) for way in _completed(box, slopes)]
        return _agreed(counts)
    whole = _counted(pixels, box, slopes, short)
    if whole not in FEW:
        return whole
    # From high above a box may be around the top alone. Then the whole die is larger, and what was
    # counted is what its middle shows.
    return _agreed([whole, _counted(pixels, box, slopes * [1.0, 1.0, 0.0], short)], whole)


def _agreed(counts: Sequence[int | None], otherwise: int | None = None) -> int | None:
    """The count of which all others may be parts; `otherwise` where there is none."""
    told = {count for count in counts if count is not None}
    most = max(told, default=None)
    parts = all(most in FEW.get(count, ()) for count in told if count != most)
    return most if parts else otherwise


def _counted(pixels: np.ndarray, box: Box, slopes: np.ndarray, short: float) -> int | None:
    """Pips on the top of the die of this box; `short` is the smaller scale of the table there."""
    side = _side(box, slopes)
    if side * short < LEAST_HEIGHT:
        return None
    flat = cv2.GaussianBlur(_from_above(pixels, box, slopes, side), (0, 0), 1.2)
    counts = {_count(strange) for strange in strangeness(flat)} - {None}
    return counts.pop() if len(counts) == 1 else None


def shows_side(box: Box, placement: Placement, size: tuple[int, int]) -> bool:
    """Whether a die there shows so much of its side that its box does not tell its top."""
    slopes = slopes_at(placement.plane(*size), box, placement.tile)
    long, short = np.linalg.svd(slopes[:, :2], compute_uv=False)
    return bool(short < STEEP * long)


def slopes_at(plane: Plane, box: Box, unit: float) -> np.ndarray:
    """2 x 3: pixels by which a point moves a tile width along x, y and z, where a die lies."""
    middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
    x, y = plane.to_table(middle, MIDDLE * unit)[0]

    def seen(step: np.ndarray) -> np.ndarray:
        a, b, c = step * unit
        return np.asarray(plane.to_picture(np.array([[x + a, y + b]]), MIDDLE * unit + c)[0])

    steps = np.eye(3) * STEP
    return np.stack([(seen(step) - seen(-step)) / (2 * STEP) for step in steps], 1)


def _completed(box: Box, slopes: np.ndarray) -> list[Box]:
    """The box; of a die whose foot another one hides, as far down as it may reach."""
    around = _extents(slopes)
    ratios = around[:, 1] / around[:, 0]
    heights = np.array([ratios.min(), ratios.mean(), ratios.max()]) * (box[2] - box[0])
    if box[3] - box[1] >= CUT * heights[0]:
        return [box]
    return [(box[0], box[1], box[2], box[1] + float(height)) for height in heights]


def _extents(slopes: np.ndarray) -> np.ndarray:
    """n x 2: width and height in the picture of a cube one tile width wide, turned in n ways."""
    ways = np.stack([np.cos(TURNS), np.sin(TURNS), -np.sin(TURNS), np.cos(TURNS)], 1)
    edges = np.einsum("ij,tkj->tki", slopes[:, :2], ways.reshape(-1, 2, 2))
    return np.asarray(np.abs(edges).sum(1) + np.abs(slopes[:, 2]))


def _side(box: Box, slopes: np.ndarray) -> float:
    """Side of the cube, in tile widths, whose box comes nearest to this one, however turned."""
    seen = np.array([box[2] - box[0], box[3] - box[1]])
    sides = np.log(seen / _extents(slopes))
    best = int(np.abs(sides[:, 0] - sides[:, 1]).argmin())
    return float(np.exp(sides[best].mean()))


def _from_above(pixels: np.ndarray, box: Box, slopes: np.ndarray, side: float) -> np.ndarray:
    """The die's top as it looks from straight above, in the middle of `SIDE` x `SIDE` pixels."""
    middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]) + slopes[:, 2] * side / 2
    # From the flat picture (x right, y down) to the frame: y of the table runs away from "me".
    turn = slopes[:, :2] @ np.diag([1.0, -1.0]) * side / DIE_PX
    back = np.hstack([turn, (middle - turn @ [SIDE / 2, SIDE / 2])[:, None]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    border = cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpAffine(pixels, back, (SIDE, SIDE), flags=flags, borderMode=border))


def _count(strange: np.ndarray) -> int | None:
    """Pips in one map of strangeness, None when its spots make no face."""
    ys, xs = (np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2) / DIE_PX
    height = float(np.percentile(strange[np.hypot(xs, ys) < MOST_REACH * 0.8], 98))
    if height < LEAST_CONTRAST:
        return None
    spots = (strange > height / 2).astype(np.uint8)
    points, areas = _spots(spots)
    found = []
    for a, b in combinations(range(len(points)), 2):
        middle, reach = (points[a] + points[b]) / 2, (points[b] - points[a]) / 2
        length = float(np.hypot(*reach))
        if float(np.hypot(*middle)) > MOST_AWAY or not LEAST_REACH <= length <= MOST_REACH:
            continue
        found += _faces(points, areas, middle, reach, (xs, ys), spots)
    if found:
        return max(found)
    if _two_rows(spots, (xs, ys)):
        return 6
    return 1 if _lone(points, areas, (xs, ys), spots) else None


def _spots(spots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Round spots: their middles (n x 2) and areas, in shares of a die's side from the middle."""
    contours, _ = cv2.findContours(spots, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    points, areas = [], []
    for contour in contours:
        area = float(cv2.contourArea(contour)) / DIE_PX**2
        around = float(cv2.arcLength(contour, True)) / DIE_PX
        x, y = contour.reshape(-1, 2).mean(axis=0)
        if not LEAST_AREA <= area <= MOST_LONE_AREA or not spots[round(y), round(x)]:
            continue  # or the room between spots that run together
        if 4 * np.pi * area >= LEAST_ROUND * around * around:
            points.append((np.array([x, y]) - (SIDE - 1) / 2) / DIE_PX)
            areas.append(area)
    return np.array(points, float).reshape(-1, 2), np.array(areas, float)


def _faces(
    points: np.ndarray,
    areas: np.ndarray,
    middle: np.ndarray,
    reach: np.ndarray,
    grid: tuple[np.ndarray, np.ndarray],
    spots: np.ndarray,
) -> list[int]:
    """The counts whose pips lie among the spots, two of them `reach` from the `middle`."""
    # One edge of the face: from the middle towards the corner, turned by an eighth.
    first = np.array([reach[0] + reach[1], reach[1] - reach[0]]) / 2
    second = np.array([-first[1], first[0]])
    edge = float(np.hypot(*first))

    def along(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        dx, dy = x - middle[0], y - middle[1]
        return (
            np.abs(dx * first[0] + dy * first[1]) / edge**2,
            np.abs(dx * second[0] + dy * second[1]) / edge**2,
        )

    on_top = np.maximum(*along(*grid)) <= RIM
    inside = np.maximum(*along(points[:, 0], points[:, 1])) <= RIM
    found = []
    for count, places in PATTERNS:
        expected = middle + np.array(places, float) @ np.stack([first, second])
        gaps = np.hypot(*(expected[:, None] - points[None]).transpose(2, 0, 1))
        nearest = gaps.argmin(axis=1)
        own = areas[nearest]
        if float(gaps.min(axis=1).max()) > MOST_OFF or len(set(nearest.tolist())) != len(places):
            continue
        if own.max() > MOST_RATIO * own.min() or own.max() > MOST_AREA:
            continue
        if int(inside.sum()) != len(places):
            continue
        strange = float((spots[on_top] > 0).sum()) / DIE_PX**2
        if float(own.sum()) >= LEAST_COVERED * strange:
            found.append(count)
    return found


def _two_rows(spots: np.ndarray, grid: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether the pips of a 6 have run together: two bars side by side, and nothing else."""
    contours, _ = cv2.findContours(spots, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    bars = []
    for contour in contours:
        middle, sides, angle = cv2.minAreaRect(contour)
        long, short = max(sides) / DIE_PX, min(sides) / DIE_PX
        if LEAST_BAR <= long <= MOST_BAR and long >= LONG * short:
            along = np.radians(angle if sides[0] >= sides[1] else angle + 90)
            at = (np.array(middle) - (SIDE - 1) / 2) / DIE_PX
            bars.append((at, np.array([np.cos(along), np.sin(along)]), cv2.contourArea(contour)))
    for (first, way, one), (second, other, two) in combinations(bars, 2):
        middle, apart = (first + second) / 2, second - first
        across = np.array([-way[1], way[0]])
        if (
            float(np.hypot(*middle)) > MOST_AWAY
            or abs(float(way @ other)) < PARALLEL
            or abs(float(way @ apart)) > 2 * MOST_OFF
            or not LEAST_ROWS <= abs(float(across @ apart)) <= MOST_ROWS
        ):
            continue
        x, y = grid[0] - middle[0], grid[1] - middle[1]
        reach = abs(float(across @ apart)) / 2 * RIM
        on_top = np.maximum(np.abs(x * way[0] + y * way[1]), np.abs(x * across[0] + y * across[1]))
        if one + two >= LEAST_COVERED * int(spots[on_top <= reach].sum()):
            return True
    return False


def _lone(
    points: np.ndarray,
    areas: np.ndarray,
    grid: tuple[np.ndarray, np.ndarray],
    spots: np.ndarray,
) -> bool:
    """Whether there is one spot in the middle and nothing else around it."""
    if not len(points):
        return False
    away = np.hypot(*points.T)
    one = int(away.argmin())
    if away[one] > MOST_AWAY * 0.8:
        return False
    around = np.hypot(grid[0] - points[one, 0], grid[1] - points[one, 1]) < LONE_REACH
    strange = float((spots[around] > 0).sum()) / DIE_PX**2
    return bool(areas[one] >= 0.8 * strange)
