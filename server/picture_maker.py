"""Rendered pictures for a training: `datasets` draws what `models` asks for."""

from __future__ import annotations

from pathlib import Path

from datasets.film_frames import training_films, write_film_frames
from datasets.fonts import FontsMissing, chinese_fonts
from datasets.scene import check_kind
from datasets.write import write_scenes
from models.stages import FilmFrames, Render, Series, Stage
from models.training import TrainingError


class DatasetPictures:
    """A `models.chain.PictureMaker`.

    Args:
        shared: folder with art/ and photos/crops/, whose tile sets are used too; None for none.
        processes: how many scenes are drawn at a time.
    """

    def __init__(self, shared: Path | None, processes: int = 1) -> None:
        self.shared, self.processes = shared, processes

    def check(self, stage: Stage) -> None:
        """See `PictureMaker`."""
        try:
            if isinstance(stage, Render | FilmFrames):
                chinese_fonts()
            if isinstance(stage, Render):
                for series in stage.series:
                    check_kind(series.kind or None)
            if isinstance(stage, FilmFrames):
                training_films(1, stage.seed)
        except (FontsMissing, ValueError) as error:
            raise TrainingError(f"stage {stage.name}: {error}") from error

    def scenes(self, out: Path, series: Series) -> None:
        """See `PictureMaker`."""
        write_scenes(
            out,
            series.count,
            series.seed,
            self.shared,
            self.processes,
            series.size,
            series.kind or None,
            wide=series.wide,
        )

    def film_frames(self, out: Path, stage: FilmFrames) -> None:
        """See `PictureMaker`."""
        films = training_films(stage.films, stage.seed, self.shared)
        write_film_frames(out, films, stage.share)
