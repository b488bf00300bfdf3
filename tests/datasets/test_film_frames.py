"""Frames of films as training pictures: labels as in scenes, other films than those of trials."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from datasets import film_frames
from datasets.film import Film
from datasets.film_frames import FIRST_SEED, labelled, training_film, write_film_frames
from datasets.film_report import trials
from datasets.film_truth import FilmObject, FrameTruth
from datasets.scene_types import CLASS_NAMES
from models.recipe import load_recipe
from models.sources import scene_files
from models.stages import FilmFrames
from server.commands.dataset import command
from vision.opencv import cv2


def thing(tile: str, box: tuple[float, float, float, float], visible: float = 1.0) -> FilmObject:
    return FilmObject("7", tile, box, ((0, 0), (1, 0), (1, 1), (0, 1)), "self", 0, "hand", visible)


class Beginning(Film):
    """The first frames of a film."""

    def frames(self):
        """Twelve of them."""
        return itertools.islice(super().frames(), 12)


def test_labels_are_what_can_be_read_within_the_picture() -> None:
    """Left out: a rolling die, what is mostly hidden, a sliver at the edge."""
    truth = FrameTruth(
        0,
        0.0,
        "play",
        0,
        0,
        0.0,
        (
            thing("3m", (10, 20, 30, 60)),
            thing("back", (-10, 50, 10, 90)),
            thing("", (50, 50, 60, 60)),
            thing("5p", (60, 10, 80, 40), visible=0.4),
            thing("6p", (97.5, 10, 120, 40)),
        ),
    )
    scene = labelled(np.zeros((100, 100, 3), np.uint8), truth)
    expected = [[CLASS_NAMES.index("3m"), 0.2, 0.4, 0.2, 0.4], [34, 0.05, 0.7, 0.1, 0.4]]
    assert scene.yolo() == pytest.approx(np.array(expected, np.float32))


def test_no_film_of_a_trial_is_trained_on() -> None:
    """The films of the recipe begin far above any that `zhuowu trial` takes by itself."""
    with pytest.raises(ValueError, match=r"seeds from 60,000 on"):
        training_film(FIRST_SEED - 1)
    stages = [s for s in load_recipe().stages if isinstance(s, FilmFrames)]
    assert stages
    tried = {trial.seed for trial in trials(400, 1, 0)}
    for stage in stages:
        assert stage.seed >= FIRST_SEED
        assert not tried & set(range(stage.seed, stage.seed + stage.films))


def test_films_are_seen_from_both_sides_and_in_two_sizes() -> None:
    films = [training_film(FIRST_SEED + k) for k in range(8)]
    assert {f.view for f in films} == {"overhead", "seat"}
    assert {f.size[0] for f in films} == {960, 1280}
    assert {f.short for f in films} == {True, False}


def test_frames_are_written_once_and_a_stopped_run_goes_on(tmp_path: Path, monkeypatch) -> None:
    """Stopped in the second film: the first is passed over, the second is whole in the end."""
    films = [Beginning(FIRST_SEED + k, short=True, width=320, speed=40) for k in range(2)]
    whole = tmp_path / "whole"
    made = write_film_frames(whole, films, 0.5)
    names = sorted(f.name for f in whole.glob("*.jpg"))
    assert len(names) == made > 2
    assert len({name.split("_")[0] for name in names}) == 2

    real, saved = film_frames.save_scene, []

    def save(scene, picture: Path, labels: Path, quality: int) -> None:
        if len(saved) == made - 1:
            raise OSError("no space left on the disk")
        saved.append(picture.name)
        real(scene, picture, labels, quality)

    stopped = tmp_path / "stopped"
    monkeypatch.setattr(film_frames, "save_scene", save)
    with pytest.raises(OSError, match="no space"):
        write_film_frames(stopped, films, 0.5)
    monkeypatch.setattr(film_frames, "save_scene", real)
    second = sum(name.startswith(f"film{FIRST_SEED + 1}_") for name in names)
    assert write_film_frames(stopped, films, 0.5) == second
    assert write_film_frames(stopped, films, 0.5) == 0
    for name in names:
        assert (stopped / name).read_bytes() == (whole / name).read_bytes()

    pictures = scene_files(whole)
    assert [p.path.name for p in pictures] == names
    assert sum(len(p.boxes) for p in pictures) > 5 * len(pictures)
    height, width = cv2.imread(str(pictures[0].path)).shape[:2]
    assert (width, height) == (320, 240)


def test_a_seed_of_a_trial_is_refused_on_the_command_line(tmp_path: Path) -> None:
    asked = ["film-frames", "--out", str(tmp_path), "--films", "1", "--seed", "7"]
    result = CliRunner().invoke(command, asked)
    assert result.exit_code == 2
    assert "seeds from 60,000 on" in result.output
