"""Ready-to-paste tile sets: our drawn ones, and optional artwork and photographed crops."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from datasets.faces import FACE_WIDTH, draw_back, draw_face, material
from datasets.scene_types import FACES, Pixels
from datasets.styles import RGB, TileStyle, random_style
from vision.opencv import cv2

_ART_NAMES = {
    **{f"{n}m": f"Man{n}" for n in range(1, 10)},
    **{f"{n}p": f"Pin{n}" for n in range(1, 10)},
    **{f"{n}s": f"Sou{n}" for n in range(1, 10)},
    **dict(
        zip(
            (f"{n}z" for n in range(1, 8)),
            ("Ton", "Nan", "Shaa", "Pei", "Haku", "Hatsu", "Chun"),
            strict=True,
        )
    ),
}
_FIVES = ("5m", "5p", "5s")


def pyramid(picture: Pixels) -> list[Pixels]:
    """The picture and its halvings down to about 10 pixels, for pasting without shimmer."""
    levels = [picture]
    while levels[-1].shape[1] > 20:
        height, width = levels[-1].shape[:2]
        levels.append(
            cv2.resize(levels[-1], (width // 2, max(1, height // 2)), interpolation=cv2.INTER_AREA)
        )
    return levels


def level_for(levels: list[Pixels], width: float) -> Pixels:
    """The smallest level that is at least about as wide as it will be shown."""
    for level in reversed(levels):
        if level.shape[1] >= width * 0.95:
            return level
    return levels[0]


@dataclass
class TileSet:
    """One tile set: a style and pictures of its faces, made when first asked for.

    `sources` may give photographed or foreign pictures of faces that stand in for drawn ones.
    """

    style: TileStyle
    sources: Mapping[str, list[Pixels]] = field(default_factory=dict)
    _faces: dict[tuple[str, int], list[Pixels]] = field(default_factory=dict)
    _back: list[Pixels] = field(default_factory=list)

    def face(self, name: str, variant: int = 0) -> list[Pixels]:
        """The face `name` as a pyramid; `variant` picks a red five or one of several sources."""
        options = self.sources.get(name)
        if options:
            variant %= len(options)
        else:
            variant = int(name in _FIVES and self.style.red_fives and variant % 3 == 0)
        key = (name, variant)
        if key not in self._faces:
            if options:
                self._faces[key] = pyramid(self._fitted(options[variant]))
            else:
                self._faces[key] = pyramid(draw_face(name, self.style, red=bool(variant)))
        return self._faces[key]

    def back(self) -> list[Pixels]:
        """The back as a pyramid."""
        if not self._back:
            self._back.extend(pyramid(draw_back(self.style)))
        return self._back

    def _fitted(self, picture: Pixels) -> Pixels:
        size = (FACE_WIDTH, round(FACE_WIDTH * self.style.aspect))
        if picture.ndim == 3 and picture.shape[2] == 4:
            return self._on_material(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
        return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)

    def _on_material(self, paint: Pixels) -> Pixels:
        rng = np.random.default_rng(self.style.seed)
        base = material((paint.shape[0], paint.shape[1]), self.style.face, rng)
        alpha = paint[..., 3:].astype(np.float32) / 255
        mixed = base + (paint[..., :3].astype(np.float32) - base) * alpha
        return np.clip(mixed, 0, 255).astype(np.uint8)


@dataclass
class TileLook:
    """The `Look` of one tile of a set (see `scene_items`)."""

    tiles: TileSet
    name: str
    variant: int = 0
    radius: float = 0.08

    def texture(self, side: str, width: float) -> Pixels | None:
        """The face or the back at a fitting size; the other sides are plain."""
        if side == "face":
            return level_for(self.tiles.face(self.name, self.variant), width)
        return level_for(self.tiles.back(), width) if side == "back" else None

    def layers(self) -> tuple[tuple[float, RGB], ...]:
        """The set's layers; a photographed face brings the colour of its own material."""
        layers = self.tiles.style.back.layers
        if self.name not in self.tiles.sources:
            return layers
        small = self.tiles.face(self.name, self.variant)[-1].reshape(-1, 3)
        b, g, r = (int(v) for v in np.percentile(small, 75, axis=0))
        return (*layers[:-1], (layers[-1][0], (r, g, b)))


def drawn_set(rng: random.Random, wide: bool = False) -> TileSet:
    """A set drawn by our own code; `wide` as of `random_style`."""
    return TileSet(random_style(rng, wide))


class SharedPictures:
    """Optional pictures from outside: CC0 artwork in `art`, MIT crops in `photos/crops`."""

    def __init__(self, folder: Path) -> None:
        self._art = self._load_art(folder / "art" / "cc0_riichi_tiles" / "Export" / "Regular")
        self._crops = self._load_crops(folder / "photos" / "crops")
        self._grounds = {
            name: np.array(
                [np.percentile(p[::8, ::8].reshape(-1, 3), 70, axis=0) for p in pictures]
            )
            for name, pictures in self._crops.items()
        }

    @property
    def empty(self) -> bool:
        """Whether neither artwork nor crops were found."""
        return not self._art and not self._crops

    def choose(self, rng: random.Random, one_set: bool = False) -> TileSet:
        """A set with foreign faces: mostly photographed crops, sometimes the artwork.

        Crops come from many real sets; with `one_set` always those of about one colour are taken.
        """
        style = random_style(rng)
        if self._art and (not self._crops or rng.random() < 0.12):
            return TileSet(style, {name: [picture] for name, picture in self._art.items()})
        if rng.random() < 0.4 and not one_set:
            return TileSet(style, self._crops)
        return TileSet(style, self._matching(rng))

    def _matching(self, rng: random.Random) -> dict[str, list[Pixels]]:
        """Crops whose material has about one colour, so that they look like one set."""
        ground = self._grounds[rng.choice(sorted(self._crops))]
        colour = ground[rng.randrange(len(ground))]
        chosen = {}
        for name, pictures in self._crops.items():
            away = np.linalg.norm(self._grounds[name] - colour, axis=1)
            chosen[name] = [pictures[i] for i in np.argsort(away, kind="stable")[:3]]
        return chosen

    @staticmethod
    def _load_art(folder: Path) -> dict[str, Pixels]:
        found = {}
        for name, stem in _ART_NAMES.items():
            picture = cv2.imread(str(folder / f"{stem}.png"), cv2.IMREAD_UNCHANGED)
            if picture is not None and picture.ndim == 3 and picture.shape[2] == 4:
                edge = picture.shape[1] // 6  # room around the drawing, as on a real face
                found[name] = cv2.copyMakeBorder(
                    picture, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0)
                )
        return found

    @staticmethod
    def _load_crops(folder: Path) -> dict[str, list[Pixels]]:
        found: dict[str, list[Pixels]] = defaultdict(list)
        for name in FACES:
            for path in sorted((folder / name).glob("*.jpg")):
                picture = cv2.imread(str(path))
                if picture is not None:
                    scale = FACE_WIDTH / picture.shape[1]
                    size = (FACE_WIDTH, max(8, round(picture.shape[0] * scale)))
                    found[name].append(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
        return dict(found)
