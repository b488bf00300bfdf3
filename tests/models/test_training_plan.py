"""What `zhuowu train all` would do, and what it refuses, without torch."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from datasets.fonts import FontsMissing, chinese_fonts
from models.chain import Chain, about
from models.recipe import RecipeError, load_recipe
from models.stages import FilmFrames, Render, Series, Stage, TrainClassifier, TrainDetector
from models.training import TrainingError
from server.commands.train import command
from server.picture_maker import DatasetPictures
from tests.models.tiny_photos import write_tiny_photos
from tests.models.tiny_recipe import tiny_recipe, tiny_text


class NoPictures:
    """A maker that writes one empty file a series; it can die at one of them."""

    def __init__(self, dies_at: int = 0) -> None:
        self.dies_at = dies_at

    def check(self, stage: Stage) -> None:
        """Everything can be made."""

    def scenes(self, out: Path, series: Series) -> None:
        """See `PictureMaker`."""
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{series.seed}.npy").touch()
        if series.seed == self.dies_at:
            raise OSError("no space left on the disk")

    def film_frames(self, out: Path, stage: FilmFrames) -> None:
        """See `PictureMaker`."""
        out.mkdir(parents=True, exist_ok=True)


def render_only(folder: Path, *stages: Stage):
    """A recipe whose stages need neither torch nor photos' labels."""
    return replace(tiny_recipe(folder), stages=stages)


DRAWN = Render("drawn", 1, (Series(1, 1), Series(2, 1)))
FILMED = FilmFrames("filmed", 2, 60_000, 1, 0.1)


def test_the_shipped_recipe_says_how_the_models_came_about() -> None:
    recipe = load_recipe()
    named = {stage.name: stage for stage in recipe.stages}
    detectors = [s for s in recipe.stages if isinstance(s, TrainDetector)]
    assert [s.settings.iterations for s in detectors] == [3600, 3100, 4300, 2000]
    assert [s.settings.start for s in detectors[:2]] == ["mahjong-detector", "detector-1"]
    second = named["detector-2"]
    assert isinstance(second, TrainDetector)
    # What a stage does not say is the section's.
    assert (second.seed, second.settings.batch) == (20261201, recipe.detector.batch)
    assert (second.settings.photos, second.settings.dice_photos) == (0.42, 0.14)
    classifiers = [s for s in recipe.stages if isinstance(s, TrainClassifier)]
    assert [s.settings.iterations for s in classifiers] == [
        17000,
        3000,
        2600,
        6000,
        3500,
        14000,
        3600,
        8000,
        5000,
    ]
    for stage in detectors:
        s = stage.settings
        assert s.photos + s.dice_photos + s.scenes == pytest.approx(1.0)
    assert [s.does for s in recipe.stages[-3:]] == ["export", "tune", "evaluate"]


def test_scenes_kept_out_are_in_no_training() -> None:
    """Confidence is fitted on scenes that no training saw: neither the folder nor its seeds."""
    stages = load_recipe().stages
    trained = {
        name
        for stage in stages
        if isinstance(stage, TrainDetector | TrainClassifier)
        for name in stage.pictures
    }
    seeds: dict[bool, set[int]] = {True: set(), False: set()}
    for stage in stages:
        if isinstance(stage, Render):
            seeds[stage.name in trained] |= {series.seed for series in stage.series}
    assert seeds[False]
    assert not seeds[True] & seeds[False]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("mosaic = 0.15", "mosiac = 0.15", r"\[detector\] has no setting 'mosiac'.*'mosaic'"),
        ("iterations = 3\n", "iteration = 3\n", "stage second has no setting 'iteration'.*tions'"),
        ("iterations = 3\n", 'iterations = "3"\n', "stage second iterations must be a whole"),
        ("iterations = 3\n", "iterations = true\n", "must be a whole number, not True"),
        ('does = "tune"', 'does = "tun"', "stage fit does 'tun'; did you mean 'tune'"),
        ('start = "first"', 'start = "frist"', "start 'frist' is no earlier stage.*'first'"),
        ('start = "first"', 'start = "third"', "stage second: start 'third' is no earlier"),
        ('mined = "invented"', 'mined = "drawn"', "'drawn' does 'scenes', not negatives"),
        ('pictures = ["drawn"]', 'pictures = "drawn"', "pictures must be a list of texts"),
        (
            'first = "naming"',
            'first = "second"',
            "stage both: first 'second' does 'detector', not c",
        ),
        ('name = "second"', 'name = "first"', "two stages are called first"),
        ('name = "second"', 'name = "../x"', "stage 3 needs a name of letters"),
        ('name = "second"', 'name = "stages"', "that folder is taken"),
        ("seed = 1, count = 2", "seed = 1, conut = 2", "series has no setting 'conut'.*'count'"),
        ("seed = 1, count = 2", "seed = 1", "stage drawn series lacks count"),
        ("[leave_out]", "[leave_ot]", r"no section \[leave_ot\]; did you mean 'leave_out'"),
        ("photo_side = 1280", "", r"\[data\] lacks photo_side"),
        ('\n[[stage]]\nname = "drawn"', '\n[stage]\nname = "drawn"', "is not a training recipe"),
    ],
)
def test_a_recipe_with_a_slip_is_refused_with_words(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    with pytest.raises(RecipeError, match=message):
        tiny_recipe(tmp_path, {before: after})


def test_a_file_of_one_training_each_is_a_recipe_too(tmp_path: Path) -> None:
    """As the recipes before there were stages, with two settings that nothing reads any more."""
    text = tiny_text().partition("\n[[stage]]")[0]
    text = text.replace("photo_side", "scenes = 5000\nscene_styles = 12\nphoto_side")
    file = tmp_path / "one.toml"
    file.write_text(text, "utf-8")
    recipe = load_recipe(file)
    assert recipe.detector.iterations == 2
    with pytest.raises(TrainingError, match=r"no \[\[stage\]\].*zhuowu train detector"):
        Chain(recipe, tmp_path, tmp_path / "out", NoPictures())


def test_a_stage_is_done_only_when_all_of_it_is(tmp_path: Path) -> None:
    """Killed after the first of two series: begun, and gone on with; the second run only does what
    is left."""
    photos = write_tiny_photos(tmp_path / "photos")
    recipe = render_only(tmp_path, DRAWN, FILMED)

    def chain(maker: NoPictures) -> Chain:
        return Chain(recipe, photos, tmp_path / "out", maker)

    assert [p.state for p in chain(NoPictures()).plan()] == ["to do", "to do"]
    said: list[str] = []
    with pytest.raises(OSError, match="no space"):
        chain(NoPictures(dies_at=1)).run(said.append)
    assert [p.state for p in chain(NoPictures()).plan()] == ["begun", "to do"]
    assert said[0].startswith("2 stages, 0 of them done; about 3 min")
    said.clear()
    with pytest.raises(TrainingError, match="no stage that does"):
        chain(NoPictures()).run(said.append)
    assert [p.state for p in chain(NoPictures()).plan()] == ["done", "done"]
    assert said[1].startswith("[1/2] drawn: goes on: render 2 scenes (about 1 min)")
    assert sorted(f.name for f in (tmp_path / "out" / "drawn").iterdir()) == ["1.npy", "2.npy"]


def test_other_settings_than_a_stage_was_begun_with_are_refused(tmp_path: Path) -> None:
    """Also those of a stage that it rests on: nothing of two recipes is mixed unseen."""
    out = tmp_path / "out"
    recipe = tiny_recipe(tmp_path)
    chain = Chain(recipe, tmp_path, out, NoPictures())
    (out / "stages").mkdir(parents=True)
    for stage in recipe.stages[:3]:
        chain._mark(stage, done=True)
    assert [p.state for p in chain.plan()][:4] == ["done", "done", "done", "to do"]
    with pytest.raises(TrainingError, match=r"stage second .*iterations: 3 then, 4 now"):
        Chain(
            tiny_recipe(tmp_path, {"iterations = 3\n": "iterations = 4\n"}),
            tmp_path,
            out,
            NoPictures(),
        )
    other = tiny_recipe(tmp_path, {"seed = 1, count = 2": "seed = 1, count = 3"})
    with pytest.raises(TrainingError, match="stage drawn made with other settings"):
        Chain(other, tmp_path, out, NoPictures())
    # How long a stage takes decides nothing.
    longer = tiny_recipe(tmp_path, {"minutes = 1": "minutes = 50"})
    assert Chain(longer, tmp_path, out, NoPictures()).plan()[0].state == "done"


def test_a_folder_of_unknown_origin_is_not_taken_for_a_result(tmp_path: Path) -> None:
    photos = write_tiny_photos(tmp_path / "photos")
    (tmp_path / "out" / "drawn").mkdir(parents=True)
    chain = Chain(render_only(tmp_path, DRAWN), photos, tmp_path / "out", NoPictures())
    with pytest.raises(TrainingError, match="is there, but not from this chain"):
        chain.run(lambda _: None)


def test_what_is_missing_is_said_before_any_work(tmp_path: Path, monkeypatch) -> None:
    chain = Chain(render_only(tmp_path, DRAWN), tmp_path / "none", tmp_path / "out", NoPictures())
    with pytest.raises(TrainingError, match=r"no labelled photos in .*train: --photos is"):
        chain.run(lambda _: None)
    assert not (tmp_path / "out").exists()
    photos = write_tiny_photos(tmp_path / "photos")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(TrainingError, match=r"pip install 'zhuowu\[train\]'"):
        Chain(tiny_recipe(tmp_path), photos, tmp_path / "out", NoPictures()).run(print)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        (Render("drawn", 1, (Series(1, 1, kind="tabel"),)), "stage drawn: no scene kind 'tabel'"),
        (FilmFrames("filmed", 1, 3, 1, 0.5), "stage filmed: .*seeds from 60,000 on"),
    ],
)
def test_pictures_that_cannot_be_made_are_said_before_any_work(stage: Stage, message: str) -> None:
    try:
        chinese_fonts()
    except FontsMissing as missing:
        pytest.skip(str(missing))
    with pytest.raises(TrainingError, match=message):
        DatasetPictures(None).check(stage)


def test_the_plan_on_the_command_line(tmp_path: Path) -> None:
    tiny_recipe(tmp_path)
    out = tmp_path / "out"
    (out / "stages").mkdir(parents=True)
    Chain(tiny_recipe(tmp_path), tmp_path, out, NoPictures())._mark(
        tiny_recipe(tmp_path).stages[0], done=True
    )
    asked = ["all", "--plan", "--out", str(out), "--recipe", str(tmp_path / "recipe.toml")]
    result = CliRunner().invoke(command, asked)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "done   drawn: render 2 scenes (about 1 min)"
    assert lines[2].startswith(
        "to do  second: train the detector, 3 batches of 2 at 64 pixels, the"
    )
    assert len(lines) == 10


def test_a_broken_recipe_on_the_command_line_is_a_message(tmp_path: Path) -> None:
    file = tmp_path / "recipe.toml"
    file.write_text("[data\n")
    result = CliRunner().invoke(command, ["all", "--out", str(tmp_path), "--recipe", str(file)])
    assert result.exit_code == 2
    assert "recipe.toml is not a training recipe" in result.output


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0.2, "about 1 min"), (59.4, "about 59 min"), (200, "about 3 h 20 min")],
)
def test_times_in_words(minutes: float, words: str) -> None:
    assert about(minutes) == words


def test_markers_are_whole_files(tmp_path: Path) -> None:
    """What is known of a stage is JSON at any moment; nothing half written stays."""
    chain = Chain(render_only(tmp_path, DRAWN), tmp_path, tmp_path / "out", NoPictures())
    (tmp_path / "out" / "stages").mkdir(parents=True)
    chain._mark(DRAWN)
    chain._mark(DRAWN, done=True)
    (file,) = (tmp_path / "out" / "stages").iterdir()
    assert json.loads(file.read_text())["done"] is True
