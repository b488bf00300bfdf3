"""`zhuowu bench photo`: how long a 12-megapixel photo takes from bytes to score, warm."""

from __future__ import annotations

import json
import statistics
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rules import joker_kinds
from server.cli import UserError
from server.language import LANG_OPTION, language, say
from server.photo_files import open_reader
from server.samples import list_samples

if TYPE_CHECKING:
    from vision.photo import Photo
    from vision.reader import Reader

WIDTH, HEIGHT = 4000, 3000
GOAL_MS = 1000.0
JPEG_QUALITY = 92
STAGES = ("decode", "detect", "second_look", "classify", "decide", "quality", "layout", "judge")


@click.command(name="photo")
@click.argument("photo", required=False, type=click.Path(path_type=Path))
@click.option("--rounds", type=click.IntRange(1, 1000), default=9, help="Median over so many.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@LANG_OPTION
def command(photo: Path | None, rounds: int, as_json: bool, lang: str) -> None:
    """Time a 12-megapixel photo from its bytes to its score, warm, split by stage.

    The photo is PHOTO, or a bundled sample, enlarged to 4000×3000. Exits with 1 when the median
    misses the goal of one second.
    """
    lang = language(lang)
    reader = open_reader(lang)
    source = _source(photo, lang)
    data = _twelve_megapixels(source)
    laps = [_one_round(reader, data) for _ in range(rounds + 1)][1:]
    split = {
        stage: statistics.median(lap.get(stage, 0.0) for lap in laps)
        for stage in STAGES
        if any(stage in lap for lap in laps)
    }
    total = statistics.median(sum(lap.values()) for lap in laps)
    if as_json:
        rounded = {stage: round(ms, 2) for stage, ms in split.items()}
        result = {"photo": source.name, "bytes": len(data), "rounds": rounds}
        click.echo(json.dumps({**result, "total_ms": round(total, 1), "ms": rounded}))
    else:
        click.echo(
            say(
                lang,
                f"{source.name} 放大到 {WIDTH}×{HEIGHT}，{rounds} 次的中位数：",
                f"{source.name} enlarged to {WIDTH}×{HEIGHT}, median of {rounds}:",
            )
        )
        for stage, ms in split.items():
            click.echo(f"  {stage:12s} {ms:8.1f} ms")
        goal = say(lang, f"目标 {GOAL_MS:.0f} ms", f"goal {GOAL_MS:.0f} ms")
        click.echo(f"  {'total':12s} {total:8.1f} ms   ({goal})")
    if total > GOAL_MS:
        raise SystemExit(1)


def _source(photo: Path | None, lang: str) -> Photo:
    from vision.errors import VisionError
    from vision.photo import load_photo

    path = photo
    if path is None:
        samples = list_samples()
        if not samples:
            raise UserError(
                say(
                    lang,
                    "没有自带的样张。请给出一张照片：zhuowu bench photo 照片.jpg",
                    "No bundled sample. Name a photo: zhuowu bench photo PHOTO.jpg",
                )
            )
        path = samples[0].path
    try:
        return load_photo(path)
    except VisionError as error:
        raise UserError(f"{path}: {error.message(lang)}") from None


def _twelve_megapixels(photo: Photo) -> bytes:
    """The photo enlarged to fit 4000×3000, its border repeated to fill it, as JPEG."""
    from vision.opencv import cv2

    scale = min(WIDTH / photo.width, HEIGHT / photo.height)
    size = (min(WIDTH, round(photo.width * scale)), min(HEIGHT, round(photo.height * scale)))
    large = cv2.resize(photo.pixels, size, interpolation=cv2.INTER_CUBIC)
    right, below = WIDTH - size[0], HEIGHT - size[1]
    large = cv2.copyMakeBorder(
        large,
        below // 2,
        below - below // 2,
        right // 2,
        right - right // 2,
        cv2.BORDER_REPLICATE,
    )
    _, data = cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return bytes(data)


def _one_round(reader: Reader, data: bytes) -> dict[str, float]:
    """Milliseconds by stage of one whole run."""
    from rules import RuleOptions
    from server.score_photo import score
    from vision.layout import lay_out
    from vision.photo import load_photo

    marks = [time.perf_counter()]
    photo = load_photo(data, "bench.jpg")
    marks.append(time.perf_counter())
    reading = reader.read(photo, four_of_a_kind=True)
    marks.append(time.perf_counter())
    table = lay_out(reading)
    marks.append(time.perf_counter())
    score(reading, table, joker_kinds("5m"), RuleOptions()).to_json()
    marks.append(time.perf_counter())
    decode, _, layout, judging = ((after - before) * 1000 for before, after in pairwise(marks))
    return {"decode": decode, **reading.ms, "layout": layout, "judge": judging}
