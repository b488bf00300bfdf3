"""What happens to a training picture: geometry that keeps labels right, then light and noise.

A tile is never mirrored: a mirrored tile is no tile of the game. Quarter turns are safe.
"""

from __future__ import annotations

import numpy as np

from models.sources import Boxes, Image
from vision.opencv import cv2

Rng = np.random.Generator

# Share of recoloured dice whose light and dark change places.
LIGHT_TO_DARK = 0.2


def colour_and_noise(image: Image, rng: Rng) -> Image:
    """Random white balance, contrast, gamma, shadow, blur, noise and JPEG damage; same shape."""
    out: np.ndarray = _other_inks(image, rng) if rng.random() < 0.2 else image
    out = out.astype(np.float32)
    if rng.random() < 0.7:
        out *= rng.normal(1, 0.08, 3).astype(np.float32)
        out = (out - 128) * rng.uniform(0.7, 1.3) + 128 + rng.uniform(-30, 30)
    if rng.random() < 0.2:
        out = 255 * (np.clip(out, 0, 255) / 255) ** rng.uniform(0.6, 1.7)
    if rng.random() < 0.25:
        light = rng.uniform(0.55, 1.25, (3, 3)).astype(np.float32)
        size = (image.shape[1], image.shape[0])
        out *= cv2.resize(light, size, interpolation=cv2.INTER_CUBIC)[..., None]
    kind = rng.random()
    if kind < 0.15:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.4))
    elif kind < 0.25:
        out = _motion_blur(out, rng)
    if rng.random() < 0.3:
        noise = rng.standard_normal(image.shape[:2], np.float32)[..., None]
        out = out + noise * rng.uniform(1, 9)
    out = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        quality = int(rng.integers(30, 95))
        _, coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])
        out = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    if rng.random() < 0.06:
        out = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(out, np.uint8)


def _other_inks(image: Image, rng: Rng) -> np.ndarray:
    """Faded or other inks: sets differ in colour, the drawing is what names a tile."""
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV).astype(np.int16)
    hsv[..., 0] = (hsv[..., 0] + int(rng.normal(0, 14))) % 180
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.35, 1.6), 0, 255)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR))


def cast_anew(pixels: Image, rng: Rng) -> Image:
    """Dice of another colour: what a die shows is the number of its pips, whatever their paint.

    A white die may become ivory; now and then light and dark change places.
    """
    if rng.random() < LIGHT_TO_DARK:
        hls = cv2.cvtColor(pixels, cv2.COLOR_BGR2HLS)
        hls[..., 1] = 255 - hls[..., 1]
        pixels = np.asarray(cv2.cvtColor(hls, cv2.COLOR_HLS2BGR), np.uint8)
    hsv = cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180)) % 180
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.7, 1.8) + rng.uniform(0, 30), 0, 255)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def _motion_blur(image: np.ndarray, rng: Rng) -> np.ndarray:
    length = int(rng.integers(3, 8))
    kernel = np.zeros((length, length), np.float32)
    a, b = (int(v) for v in rng.integers(0, length, 2))
    cv2.line(kernel, (0, a), (length - 1, b), 1.0, 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()))


def placement(
    shape: tuple[int, int], focus: tuple[float, float, float, float], size: int, rng: Rng
) -> np.ndarray:
    """A random similarity (2 x 3) that puts the region `focus` on a size x size canvas.

    Args:
        shape: height and width of the picture, pixels.
        focus: x1, y1, x2, y2 in pixels that should mostly stay in view.
        size: side of the canvas, pixels.
        rng: source of randomness.
    """
    x1, y1, x2, y2 = focus
    span = max(x2 - x1, y2 - y1, 1.0)
    whole = size / max(shape)
    if rng.random() < 0.35:  # the whole picture, as the reader sees it
        scale = whole * rng.uniform(0.75, 1.15)
        cx, cy = shape[1] / 2, shape[0] / 2
    else:
        scale = size / span * float(np.exp(rng.uniform(np.log(0.45), np.log(1.35))))
        cx, cy = (x1 + x2) / 2, (y1 + y2) / 2
    aspect = float(rng.uniform(0.9, 1.1))
    turn = int(rng.choice(4, p=(0.64, 0.12, 0.12, 0.12)))
    angle = np.deg2rad(90 * turn + (rng.normal(0, 4) if rng.random() < 0.3 else 0))
    spread = 0.22 * size
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    linear = np.array([[c, -s], [s, c]]) @ np.diag([aspect, 1 / aspect])
    shift = size / 2 - linear @ (cx, cy) + rng.uniform(-spread, spread, 2)
    return np.column_stack([linear, shift]).astype(np.float32)


def about_pixel_centres(matrix: np.ndarray) -> np.ndarray:
    """The same move for OpenCV, which counts from the middle of the first pixel."""
    shift = matrix[:, :2] @ (0.5, 0.5) + matrix[:, 2] - 0.5
    return np.column_stack([matrix[:, :2], shift]).astype(np.float32)


def move_boxes(boxes: Boxes, matrix: np.ndarray, size: int) -> tuple[Boxes, Boxes]:
    """Move pixel boxes (n x 5: class, corners) by `matrix` and clip them to the canvas.

    Returns:
        The boxes still worth learning, and the corners (k x 4) of those cut off or too small to be
        learnt, which are neither targets nor background.
    """
    if not len(boxes):
        return boxes, np.zeros((0, 4), np.float32)
    x, y = boxes[:, [1, 3, 3, 1]], boxes[:, [2, 2, 4, 4]]
    moved = np.stack([x, y], -1) @ matrix[:, :2].T + matrix[:, 2]
    low, high = moved.min(1), moved.max(1)
    inner_low, inner_high = low.clip(0, size), high.clip(0, size)
    area = (high - low).prod(1)
    seen = (inner_high - inner_low).prod(1)
    corners = np.concatenate([inner_low, inner_high], 1).astype(np.float32)
    keep = (seen > 0.6 * area) & ((inner_high - inner_low).min(1) > 6)
    dropped = ~keep & (seen > 0)
    return np.concatenate([boxes[keep, :1], corners[keep]], 1), corners[dropped]
