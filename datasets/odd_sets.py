"""Tile sets as no training set has them, photographed: the hard case for teaching a reader a set.

Four designs that real sets come in, and that `styles.random_style` never draws: letters and
figures in place of characters, bright paint on dark stone, faces worn to a shadow, and emblems
of a maker's own.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from datasets.canvas import Canvas
from datasets.faces import FACE_WIDTH, restyle
from datasets.felt import photograph_on_felt
from datasets.fonts import latin_fonts
from datasets.scene import SceneGenerator
from datasets.scene_camera import aim
from datasets.scene_clutter import ClutterBox
from datasets.scene_stage import Stage
from datasets.scene_types import FACES, Pixels, Scene
from datasets.styles import RGB, BackStyle, Palette, TileStyle, random_style
from datasets.tile_sets import TileSet
from vision.opencv import cv2

DESIGNS = ("letters", "dark", "worn", "emblems")
GUIDED_ROWS = (FACES[:9], FACES[9:18], FACES[18:27], FACES[27:])
"""The order the page asks for: 万 1-9, 饼 1-9, 条 1-9, 东南西北白发中."""

_LETTERS = {"1z": "E", "2z": "S", "3z": "W", "4z": "N", "5z": "O", "6z": "F", "7z": "C"}
_SHOWS = 0.7  # a tile of which less is seen cannot fairly be asked for
_ROWS = ("hand", "flat")
_PHOTOS = ("hand", "flat", "grid", "melds", "hand", "flat", "pond")


def odd_set(design: str, seed: int = 0) -> TileSet:
    """A tile set of one of `DESIGNS`; equal arguments give equal sets.

    Raises:
        ValueError: for an unknown design; the message lists the known ones.
    """
    if design not in DESIGNS:
        raise ValueError(f"no design {design!r}: use one of {', '.join(DESIGNS)}")
    rng = random.Random(f"odd {design} {seed}")
    style = restyle(random_style(rng), red_fives=False, wear=0.0, corner="none")
    if design == "letters":
        return TileSet(style, _lettered(style))
    if design == "dark":
        return TileSet(_dark(style, rng))
    if design == "worn":
        return TileSet(_worn(style, rng))
    return TileSet(style, _emblems(style, rng))


def _sheet(style: TileStyle) -> Canvas:
    return Canvas(FACE_WIDTH * 2, round(FACE_WIDTH * style.aspect) * 2, max(style.margin, 0.12))


def _paint(canvas: Canvas) -> list[Pixels]:
    return [np.asarray(cv2.cvtColor(np.asarray(canvas.image), cv2.COLOR_RGBA2BGRA), np.uint8)]


def _lettered(style: TileStyle) -> dict[str, list[Pixels]]:
    """Winds and dragons as letters, characters as a large figure over a bar."""
    faces = {}
    font = latin_fonts()[0]
    for tile in (*FACES[:9], *_LETTERS):
        canvas = _sheet(style)
        if tile in _LETTERS:
            canvas.glyph(_LETTERS[tile], font, (0.05, 0.1, 0.95, 0.9), style.palette.blue)
        else:
            canvas.glyph(tile[0], font, (0.15, 0.0, 0.85, 0.7), style.palette.red)
            canvas.line([(0.15, 0.9), (0.85, 0.9)], 0.09, style.palette.ink)
        faces[tile] = _paint(canvas)
    return faces


def _dark(style: TileStyle, rng: random.Random) -> TileStyle:
    stone: RGB = rng.choice(((70, 16, 70), (16, 60, 70), (60, 46, 16)))
    neon = Palette((255, 200, 60), (90, 240, 240), (255, 120, 220), (150, 255, 90), (120, 200, 255))
    back = BackStyle(stone, "plain", ((0.5, (230, 200, 120)), (0.5, stone)))
    return restyle(style, face=stone, palette=neon, back=back, margin=0.2)


def _worn(style: TileStyle, rng: random.Random) -> TileStyle:
    bone: RGB = rng.choice(((214, 196, 160), (204, 204, 190)))
    pale = Palette(*((r + 70, g + 70, b + 70) for r, g, b in [(90, 80, 70)] * 5))
    return restyle(style, face=bone, palette=pale, wear=0.85, engraving=0.3)


def _emblems(style: TileStyle, rng: random.Random) -> dict[str, list[Pixels]]:
    """1s, 1p and the dragons as pictures of no common kind."""
    faces = {}
    paints = list(vars(style.palette).values())
    for number, tile in enumerate(("1s", "1p", "5z", "6z", "7z")):
        canvas, paint = _sheet(style), paints[number]
        points = 3 + number
        tips = canvas.around((0.5, 0.5), 0.48, points, rng.uniform(0, 1))
        dents = canvas.around((0.5, 0.5), 0.2, points, rng.uniform(0, 1))
        star = [p for pair in zip(tips, dents, strict=True) for p in pair]
        canvas.blob(star, paint, paints[number - 1], 0.04)
        canvas.disc((0.5, 0.5), 0.1, None if number % 2 else paints[number - 2])
        faces[tile] = _paint(canvas)
    return faces


class OneSetScenes(SceneGenerator):
    """Scenes of always the same tile set."""

    def __init__(self, tiles: TileSet, seed: int) -> None:
        super().__init__(seed)
        self._only = tiles

    def _choose_set(self, index: int, rng: random.Random) -> TileSet:
        return self._only


def laid_out(
    tiles: TileSet,
    rows: Sequence[Sequence[str]] = GUIDED_ROWS,
    seed: int = 0,
    size: int = 1280,
    backs: int = 0,
    dice: int = 0,
) -> Scene:
    """The calibration photo: rows of tiles on the table, seen from above, none hidden.

    Args:
        tiles: The set.
        rows: Faces by rows; () for none.
        seed: Equal seeds give equal photos.
        size: Pixels of the longer side.
        backs: Tiles that lie face down in a row of their own.
        dice: Dice below them.
    """

    rng = random.Random(f"laid out {seed}")
    stage = Stage(rng, tiles, ClutterBox(seed))
    stage.gap = 0.15
    for number, row in enumerate(rows):
        stage.flat_row(row, 0, -number * (stage.h + 0.3), mess=0.02)
    below = -len(rows) * (stage.h + 0.3)
    if backs:
        stage.flat_row(FACES[:1] * backs, 0, below, backs=range(backs), mess=0.02)
        below -= stage.h + 0.8
    if dice:
        stage.dice(0, below, dice)
    focus = np.concatenate([item.corners() for item in stage.items])
    span = float(np.ptp(focus, axis=0).max())
    azimuth = -math.pi / 2 + rng.gauss(0, 0.05)
    camera = aim(focus, 1.3, azimuth, 2 * span, rng.gauss(0, 0.01), 0.9, size)
    photo, found = photograph_on_felt(stage, camera, rng, (-0.4, -0.3, 1.5), seed, strength=0.15)
    return Scene(photo, found, "laid out")


def write_trial(out: Path, designs: Sequence[str] = DESIGNS, photos: int = 7, seed: int = 0) -> int:
    """Write photos of odd sets as a folder that `zhuowu sets trial` and `evaluate` read.

    The first photo of each design is the calibration photo; the others show hands, rows and ponds.

    Returns:
        How many photos were written.
    """
    for part in ("images", "labels"):
        (out / part).mkdir(parents=True, exist_ok=True)
    manifest = []
    hidden = {}
    for design in tqdm(designs, unit="set", disable=None):
        tiles = odd_set(design, seed)
        generator = OneSetScenes(tiles, random.Random(f"{design} {seed}").randrange(2**31))
        scenes = [laid_out(tiles, seed=seed)]
        scenes += [generator.scene_at(n, _PHOTOS[n % len(_PHOTOS)], 960) for n in range(photos)]
        for number, scene in enumerate(scenes):
            if not any(o.visible >= _SHOWS for o in scene.objects):
                continue  # every tile is cut off or hidden: nothing can be asked for
            name = f"odd_{design}_{seed}_{number:02d}"
            hidden[name] = _write(out, name, scene)
            tags = [scene.kind, *(["row"] if scene.kind in _ROWS else [])] if number else ["guided"]
            size = list(scene.image.shape[1::-1])
            source = f"odd-{design}-{seed}"
            row = {"image": f"{name}.jpg", "size": size, "source": source, "tags": tags}
            manifest.append(row | {"set_unseen_in_crops_and_train_photos": True})
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    (out / "ignore.json").write_text(json.dumps(hidden), encoding="utf-8")
    return len(manifest)


def _write(out: Path, name: str, scene: Scene) -> list[list[float]]:
    """Write picture and labels; the regions (shares of the sides) of what hardly shows."""
    file = out / "images" / f"{name}.jpg"
    if not cv2.imwrite(str(file), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 92]):
        raise OSError(f"cannot write {file}: is the folder writable and the disk not full?")
    shown = replace(scene, objects=tuple(o for o in scene.objects if o.visible >= _SHOWS))
    rows = (f"{int(c)} {x:.6f} {y:.6f} {w:.6f} {h:.6f}" for c, x, y, w, h in shown.yolo().tolist())
    (out / "labels" / f"{name}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    height, width = scene.image.shape[:2]
    return [
        [o.box[0] / width, o.box[1] / height, o.box[2] / width, o.box[3] / height]
        for o in scene.objects
        if o.visible < _SHOWS
    ]
