"""Is the photo good enough? What is wrong with it, in words that say what to do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.classifier import crop
from vision.opencv import cv2
from vision.values import Note, TileReading

# Blurring sharp photos until a fifth of their tiles was lost brought them to about 0.1.
LEAST_SHARPNESS = 0.1
LEAST_LIGHT = 60.0
MOST_GLARE = 0.45
LEAST_TILE_SIDE = 20.0
SIDE = 64


def sharpness(square: np.ndarray) -> float:
    """Steepest strokes of a BGR crop against its contrast; about 0.05 blurred, 0.5 crisp.

    It compares neighbouring pixels of the crop at `SIDE` pixels, so it does not depend on how
    large the tile is in the photo, as long as it is not enlarged.
    """
    grey = cv2.cvtColor(square, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = np.percentile(grey, (2, 98))
    edges = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    return float(np.percentile(edges, 95) / max(high - low, 20.0))


def inspect(pixels: np.ndarray, tiles: Sequence[TileReading]) -> tuple[Note, ...]:
    """Advice about a photo (BGR `pixels`) whose `tiles` have been read; empty when it is good."""
    if not tiles:
        return (_nothing(pixels),)
    faces = [tile for tile in tiles if tile.is_face] or list(tiles)
    squares = [crop(pixels, np.array(tile.box), SIDE) for tile in faces]
    notes = [
        _far(faces),
        _blurred(squares),
        _dark(squares),
        _glare(faces, squares),
        _cut_off(faces, pixels.shape[1], pixels.shape[0]),
    ]
    return tuple(note for note in notes if note is not None)


def _nothing(pixels: np.ndarray) -> Note:
    if float(np.mean(pixels)) < LEAST_LIGHT / 2:
        return Note(
            "dark",
            "照片太暗，没有找到牌。请开灯或靠近光源再拍。",
            "The photo is too dark: no tile found. Switch on a light and take it again.",
        )
    return Note(
        "no_tiles",
        "照片里没有找到麻将牌。请正对牌面、靠近一些再拍。",
        "No mahjong tile found in the photo. Face the tiles, closer, and take it again.",
    )


def _far(faces: Sequence[TileReading]) -> Note | None:
    longer = [max(t.box[2] - t.box[0], t.box[3] - t.box[1]) for t in faces]
    if float(np.median(longer)) >= LEAST_TILE_SIDE:
        return None
    return Note(
        "far",
        "牌太小，看不清。请靠近一些，让牌占满画面。",
        "The tiles are too small to be told apart. Go closer, so that they fill the picture.",
    )


def _blurred(squares: Sequence[np.ndarray]) -> Note | None:
    if float(np.median([sharpness(square) for square in squares])) >= LEAST_SHARPNESS:
        return None
    return Note(
        "blurred",
        "照片模糊。请拿稳手机，点一下牌面对焦后再拍。",
        "The photo is blurred. Hold the camera still, tap a tile to focus, and take it again.",
    )


def _dark(squares: Sequence[np.ndarray]) -> Note | None:
    bright = float(np.median([np.percentile(square, 90) for square in squares]))
    if bright >= LEAST_LIGHT:
        return None
    return Note(
        "dark",
        "照片太暗。请开灯或靠近光源再拍。",
        "The photo is too dark. Switch on a light and take it again.",
    )


def _glare(faces: Sequence[TileReading], squares: Sequence[np.ndarray]) -> Note | None:
    """Burnt-out faces count only where the tile was not read well: white tiles may be white."""
    burnt = [
        tile.index
        for tile, square in zip(faces, squares, strict=True)
        if tile.doubtful and float((square.min(axis=2) >= 250).mean()) > MOST_GLARE
    ]
    if not burnt:
        return None
    return Note(
        "glare",
        f"{len(burnt)} 张牌反光，看不清。请换个角度或避开灯光再拍。",
        f"Light glares on {len(burnt)} tile(s). Change the angle and take the photo again.",
        tuple(burnt),
    )


def _cut_off(faces: Sequence[TileReading], width: int, height: int) -> Note | None:
    """Faces at the border that are clearly narrower than the others."""
    sides = np.array([[t.box[2] - t.box[0], t.box[3] - t.box[1]] for t in faces])
    typical = np.median(sides, axis=0)
    cut = [
        tile.index
        for tile, side in zip(faces, sides, strict=True)
        if ((tile.box[0] <= 2 or tile.box[2] >= width - 2) and side[0] < 0.75 * typical[0])
        or ((tile.box[1] <= 2 or tile.box[3] >= height - 2) and side[1] < 0.75 * typical[1])
    ]
    if not cut:
        return None
    return Note(
        "cut_off",
        f"{len(cut)} 张牌在画面边缘被截断。请后退一些，把牌全部拍进去。",
        f"{len(cut)} tile(s) are cut off by the edge of the photo. Step back to show them whole.",
        tuple(cut),
    )
