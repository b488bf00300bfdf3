"""Reads the yardstick's photos with the shipped reader and reports what came of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from models.measure import (
    KINDS,
    LabelledPhoto,
    PhotoScore,
    Read,
    confusions,
    doubt_figures,
    groups,
    load_yardstick,
    per_class,
    reliability,
    row,
    score_photo,
)
from vision.opencv import cv2
from vision.photo import load_photo
from vision.reader import Reader

ERROR_SIDE = 150


@dataclass(frozen=True)
class Evaluation:
    """The scored photos and the mean time of a reading by stage, milliseconds."""

    scores: list[PhotoScore]
    ms: dict[str, float]


def evaluate(
    photos: Path | Sequence[LabelledPhoto], reader: Reader, quiet: bool = False, **options: Any
) -> Evaluation:
    """Read and score every photo of a yardstick.

    Args:
        photos: the photos, or a folder with images/, labels/, manifest.json, ignore.json.
        reader: the reader to measure.
        quiet: no progress bar.
        options: passed to `Reader.read`.
    """
    scores, times = [], []
    photos = load_yardstick(photos) if isinstance(photos, Path) else photos
    for photo in tqdm(photos, unit="photo", disable=quiet):
        reading = reader.read(load_photo(photo.file), **options)
        reads = [Read(t.tile, t.confidence, t.box, t.doubtful, t.record) for t in reading.tiles]
        scores.append(score_photo(reads, photo))
        times.append(reading.ms)
    stages = sorted({stage for ms in times for stage in ms})
    return Evaluation(scores, {s: float(np.mean([m.get(s, 0.0) for m in times])) for s in stages})


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """All figures as plain values."""
    scores = evaluation.scores
    return {
        "groups": {
            name: {kind: row(members, kind) for kind in KINDS if row(members, kind)["tiles"]}
            for name, members in groups(scores).items()
        },
        "classes": {
            tile: {"labels": n, "right": r, "wrong": w}
            for tile, (n, r, w) in per_class(scores).items()
        },
        "confusions": [[*pair, n] for pair, n in confusions(scores).most_common()],
        "reliability": [list(line) for line in reliability(scores)],
        "doubts": doubt_figures(scores),
        "invented_backs": sum(s.wrong["back"] for s in scores),
        "ms": evaluation.ms,
    }


def as_markdown(evaluation: Evaluation, folder: str) -> str:
    """The figures as tables; `folder` says where the photos came from."""
    data = as_json(evaluation)
    photos = len(evaluation.scores)
    lines = [f"# Accuracy on {folder} ({photos} photos)", "", "## By group", ""]
    lines += ["| photos | kind | photos | tiles | precision | recall | located | F1 | exact |"]
    lines += ["|---|---|---|---|---|---|---|---|---|"]
    for name, kinds in data["groups"].items():
        for kind, r in kinds.items():
            numbers = " | ".join(f"{r[k]:.3f}" for k in ("precision", "recall", "located", "f1"))
            lines.append(
                f"| {name} | {kind} | {r['photos']} | {r['tiles']} | {numbers} | {r['exact']} |"
            )
    doubts = data["doubts"]
    lines += [
        "",
        f"Wrong reads not marked doubtful: {doubts['wrong_unmarked_per_1000']:.1f} per 1,000; "
        f"marked doubtful: {100 * doubts['marked']:.1f} % of reads. "
        f"Invented or misnamed backs: {data['invented_backs']} in {photos} photos.",
        "",
        "## What a confidence means",
        "",
        "| from | to | reads | mean confidence | right |",
        "|---|---|---|---|---|",
    ]
    for low, high, n, mean, share in data["reliability"]:
        lines.append(f"| {low:.2f} | {high:.2f} | {n} | {mean:.3f} | {share:.3f} |")
    lines += ["", "## By class", "", "| tile | labels | right | wrong reads |", "|---|---|---|---|"]
    for tile, c in data["classes"].items():
        lines.append(f"| {tile} | {c['labels']} | {c['right']} | {c['wrong']} |")
    pairs = ", ".join(f"{a} read as {b}: {n}" for a, b, n in data["confusions"][:25])
    lines += ["", f"Confusions: {pairs or 'none'}.", ""]
    stages = ", ".join(f"{k} {v:.0f} ms" for k, v in data["ms"].items())
    lines += [f"Mean time of a reading: {stages}.", ""]
    return "\n".join(lines)


def write_report(evaluation: Evaluation, folder: str, out: Path) -> Path:
    """Write `report.md`, `figures.json` and a picture of every error into `out`."""
    pictures = out / "errors"
    pictures.mkdir(parents=True, exist_ok=True)
    lines = [as_markdown(evaluation, folder), "## Every error", ""]
    for score in evaluation.scores:
        if score.exact:
            continue
        sheet = pictures / f"{score.photo.file.stem}.jpg"
        cv2.imwrite(str(sheet), _error_sheet(score))
        said = ", ".join(
            f"{label or 'nothing'} → {read.tile + f' {read.confidence:.2f}' if read else 'missed'}"
            for read, label, _ in score.errors
        )
        lines += [f"`{score.photo.file.name}`: {said}", "", f"![](errors/{sheet.name})", ""]
    (out / "figures.json").write_text(json.dumps(as_json(evaluation), indent=1), "utf-8")
    report = out / "report.md"
    report.write_text("\n".join(lines), "utf-8")
    return report


def _error_sheet(score: PhotoScore) -> np.ndarray:
    """The places of a photo's errors, cut out with some surroundings, side by side."""
    pixels = load_photo(score.photo.file).pixels
    return np.hstack([_cut(pixels, box) for _, _, box in score.errors])


def _cut(pixels: np.ndarray, box: Sequence[float]) -> np.ndarray:
    reach = max(box[2] - box[0], box[3] - box[1]) * 0.75
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    height, width = pixels.shape[:2]
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = pixels[top : min(height, int(y + reach) + 1), left : min(width, int(x + reach) + 1)]
    return np.asarray(cv2.resize(part, (ERROR_SIDE, ERROR_SIDE)))
