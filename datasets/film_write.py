"""A film on disk: the video, and its truth as JSON lines (see `film_truth`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from datasets.film import Film
from datasets.film_truth import event_line, film_line
from vision.opencv import cv2

_CODES = {".mp4": "mp4v", ".avi": "MJPG"}


@dataclass(frozen=True)
class Written:
    """What was written: the two files, frames and events."""

    video: Path
    truth: Path
    frames: int
    events: int


def write_film(film: Film, folder: Path, suffix: str = ".mp4", quiet: bool = True) -> Written:
    """Film a round into `folder`: `film` + suffix (.mp4 or .avi) and `truth.jsonl`.

    Raises:
        ValueError: for another suffix.
        OSError: the folder cannot be written, or OpenCV has no encoder for the suffix.
    """
    if suffix not in _CODES:
        raise ValueError(f"no video {suffix!r}: use {' or '.join(_CODES)}")
    folder.mkdir(parents=True, exist_ok=True)
    video, truth = folder / f"film{suffix}", folder / "truth.jsonl"
    code = cv2.VideoWriter_fourcc(*_CODES[suffix])
    writer = cv2.VideoWriter(str(video), code, film.fps, film.size)
    if not writer.isOpened():
        raise OSError(f"cannot write {video}: try the other of {' and '.join(_CODES)}")
    count = told = 0
    try:
        with truth.open("w", encoding="utf-8") as out:
            out.write(film_line(film.header()) + "\n")
            for image, frame in tqdm(film.frames(), unit="frame", disable=quiet):
                for event in film.events[told:]:
                    out.write(event_line(event) + "\n")
                told = len(film.events)
                writer.write(image)
                out.write(frame.to_json() + "\n")
                count += 1
    finally:
        writer.release()
    return Written(video, truth, count, told)
