"""Frames of filmed rounds as labelled training pictures: tables as a camera over them sees them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from tqdm import tqdm

from datasets.film import Film
from datasets.film_truth import FilmObject, FrameTruth
from datasets.scene_types import CLASS_INDEX, Pixels, Scene, SceneObject
from datasets.write import save_scene
from vision.opencv import cv2

# Films that are trained on have seeds from here on, those that are tried (`zhuowu trial`) below.
FIRST_SEED = 60_000
# What a film's light goes through is filmed faster than in life: other frames, not more of one.
SPEED = 9.0
LEAST_SEEN = 0.45
LEAST_SIDE = 3.0
QUALITY = 90


def training_film(seed: int, shared: Path | None = None) -> Film:
    """The film of a seed: by turns from above and from a seat, larger or smaller, short or not.

    Args:
        seed: from `FIRST_SEED` on.
        shared: see `Film`.

    Raises:
        ValueError: for a seed that a trial may use.
    """
    if seed < FIRST_SEED:
        raise ValueError(
            f"training films have seeds from {FIRST_SEED:,} on, so that no film of zhuowu trial is "
            f"trained on; {seed} is below"
        )
    number = seed - FIRST_SEED
    view = ("overhead", "seat")[number % 2]
    width = 1280 if number % 4 == 0 else 960
    return Film(seed, view, short=number % 3 == 0, width=width, speed=SPEED, shared=shared)


def training_films(count: int, seed: int = FIRST_SEED, shared: Path | None = None) -> list[Film]:
    """`count` films from `seed` on; see `training_film`."""
    return [training_film(seed + number, shared) for number in range(count)]


def labelled_frames(film: Film, share: float) -> Iterator[tuple[int, Scene]]:
    """Some of a film's frames, always the same ones, with their numbers.

    Args:
        film: the film.
        share: of the frames, 0..1.
    """
    rng = random.Random(film.seed)
    for number, (image, truth) in enumerate(film.frames()):
        if rng.random() <= share:
            yield number, labelled(image, truth)


def labelled(image: Pixels, truth: FrameTruth) -> Scene:
    """A frame with what can be read in it; boxes are cut off at the picture's edges."""
    height, width = image.shape[:2]
    found = (_cut(thing, width, height) for thing in truth.objects)
    return Scene(image, tuple(thing for thing in found if thing is not None), "film")


def _cut(thing: FilmObject, width: int, height: int) -> SceneObject | None:
    x1, y1 = max(0.0, thing.box[0]), max(0.0, thing.box[1])
    x2, y2 = min(float(width), thing.box[2]), min(float(height), thing.box[3])
    readable = thing.tile in CLASS_INDEX and thing.visible >= LEAST_SEEN
    if not readable or min(x2 - x1, y2 - y1) < LEAST_SIDE:
        return None
    quad = np.array(thing.quad, np.float32)
    return SceneObject(thing.tile, (x1, y1, x2, y2), quad, thing.seat, thing.role, thing.visible)


def write_film_frames(out: Path, films: Sequence[Film], share: float) -> int:
    """Write some frames of films into `out`, as `write_scenes` writes scenes.

    Frames are called `film{seed}_{number:05d}`. A film that is done has a file `film{seed}.done`;
    it is passed over, so that an interrupted run goes on where it stopped.

    Args:
        out: the folder; made when it is not there.
        films: with seeds of their own each (`training_films`).
        share: of the frames of each, 0..1.

    Returns:
        How many pictures were written now.

    Raises:
        OSError: the folder cannot be written to.
    """
    out.mkdir(parents=True, exist_ok=True)
    missing = [film for film in films if not _done(out, film).exists()]
    cv2.setNumThreads(1)
    made = 0
    with tqdm(
        total=len(films), initial=len(films) - len(missing), unit="film", desc="films"
    ) as bar:
        for film in missing:
            kept = 0
            for number, scene in labelled_frames(film, share):
                stem = out / f"film{film.seed}_{number:05d}"
                save_scene(scene, stem.with_suffix(".jpg"), stem.with_suffix(".npy"), QUALITY)
                kept += 1
                bar.set_postfix(frames=made + kept)
            _done(out, film).write_text(f"{kept} frames, {share} of all\n", encoding="utf-8")
            made += kept
            bar.update()
    return made


def _done(out: Path, film: Film) -> Path:
    return out / f"film{film.seed}.done"
