"""Scenes on disk for training: a JPEG and an array of labels each, in several processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tqdm import tqdm

from datasets.scene import SceneGenerator
from datasets.scene_types import Scene
from vision.opencv import cv2

_CHUNK = 24  # scenes a process makes in a row, so that it can use its tile sets again


def scene_paths(out: Path, seed: int, index: int) -> tuple[Path, Path]:
    """Where picture and labels of a scene go: `{seed}_{index:06d}.jpg` and `.npy`."""
    stem = f"{seed}_{index:06d}"
    return out / f"{stem}.jpg", out / f"{stem}.npy"


def write_scenes(
    out: Path,
    count: int,
    seed: int,
    shared: Path | None = None,
    processes: int = 1,
    size: int = 640,
    kind: str | None = None,
    quality: int = 92,
    wide: bool = False,
) -> int:
    """Write scenes 0 to `count` - 1 of `seed` into `out`; those already there are kept.

    Labels are `Scene.yolo()` arrays (n x 5 float32). The files do not depend on `processes`,
    and an interrupted run goes on where it stopped. `shared` and `wide`: see `SceneGenerator`.

    Returns:
        How many scenes were made now.
    """
    out.mkdir(parents=True, exist_ok=True)
    missing = [i for i in range(count) if not scene_paths(out, seed, i)[1].exists()]
    chunks = [
        (out, seed, shared, size, kind, quality, wide, missing[i : i + _CHUNK])
        for i in range(0, len(missing), _CHUNK)
    ]
    bar = tqdm(total=count, initial=count - len(missing), unit="scene", desc="scenes")
    with bar:
        for done in _run(chunks, processes):
            bar.update(done)
    return len(missing)


_Chunk = tuple[Path, int, Path | None, int, str | None, int, bool, list[int]]


def _run(chunks: list[_Chunk], processes: int) -> Iterator[int]:
    if processes <= 1 or len(chunks) <= 1:
        yield from map(_write_chunk, chunks)
        return
    with multiprocessing.get_context("spawn").Pool(min(processes, len(chunks))) as pool:
        yield from pool.imap_unordered(_write_chunk, chunks)


_generators: dict[tuple[int, Path | None, bool], SceneGenerator] = {}


def _write_chunk(chunk: _Chunk) -> int:
    out, seed, shared, size, kind, quality, wide, indices = chunk
    cv2.setNumThreads(1)
    which = (seed, shared, wide)
    if which not in _generators:
        _generators[which] = SceneGenerator(seed, shared, wide=wide)
    generator = _generators[which]
    for index in indices:
        scene = generator.scene_at(index, kind, size)
        save_scene(scene, *scene_paths(out, seed, index), quality)
    return len(indices)


def save_scene(scene: Scene, picture: Path, labels: Path, quality: int) -> None:
    """Write a scene's JPEG and its `Scene.yolo()` array.

    Raises:
        OSError: a file cannot be written.
    """
    if not cv2.imwrite(str(picture), scene.image, [cv2.IMWRITE_JPEG_QUALITY, quality]):
        raise OSError(f"cannot write {picture}: is the folder writable and the disk not full?")
    partial = labels.with_suffix(".part")
    with partial.open("wb") as file:
        np.save(file, scene.yolo())
    partial.replace(labels)  # the labels come last and whole: they mark the scene as done
