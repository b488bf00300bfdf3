"""Two iterations of each training, and the whole chain of a small recipe, stopped and resumed.

Needs the train extra.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from datasets.fonts import FontsMissing, chinese_fonts

pytest.importorskip("torch", reason="torch is not installed (extra: train)")
pytest.importorskip("ultralytics", reason="ultralytics is not installed (extra: train)")

from models import loop
from models.chain import Chain
from models.export import classifier_network, detector_network, write_onnx
from models.leave_out import leave_out, read_table
from models.recipe import Recipe, load_recipe
from models.train_classifier import train_classifier
from models.train_detector import train_detector
from models.training import Run
from server.picture_maker import DatasetPictures
from tests.models.tiny_photos import write_tiny_photos
from tests.models.tiny_recipe import tiny_recipe
from vision.model_store import open_store
from vision.photo import load_photo
from vision.reader import Reader

PHOTOS = Path(__file__).parents[2].parent / "shared" / "photos"

needs_photos = pytest.mark.skipif(
    not (PHOTOS / "train").exists(), reason="the shared photos are not beside the project"
)


def tiny(steps: int) -> Recipe:
    recipe = load_recipe()
    detector = replace(
        recipe.detector, start="scratch", iterations=steps, batch=2, image_size=128, last_share=0.0
    )
    classifier = replace(recipe.classifier, start="scratch", iterations=steps, batch=4)
    return replace(recipe, detector=detector, classifier=classifier)


def stopped_then_resumed(train, out: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run two steps, but kill the run at the second step and start it again."""
    saved_at: list[int] = []
    real_save = Run.save

    def save(run: Run, path: Path) -> None:
        saved_at.append(run.step)
        real_save(run, path)

    monkeypatch.setattr(Run, "save", save)
    train(tiny(1), PHOTOS, out / "no_scenes", out, 1)
    file: Path = train(tiny(2), PHOTOS, out / "no_scenes", out, 1)
    assert saved_at == [1, 2]
    return file


@needs_photos
def test_detector_two_iterations_with_resume(tmp_path: Path, monkeypatch) -> None:
    file = stopped_then_resumed(train_detector, tmp_path, monkeypatch)
    onnx = tmp_path / "detector.onnx"
    write_onnx(detector_network(file, tiny(2)), onnx, 640, many=False)
    assert onnx.stat().st_size > 5_000_000


@needs_photos
def test_classifier_two_iterations_with_resume(tmp_path: Path, monkeypatch) -> None:
    file = stopped_then_resumed(train_classifier, tmp_path, monkeypatch)
    onnx = tmp_path / "classifier.onnx"
    write_onnx(classifier_network(file, tiny(2)), onnx, 96, many=True)
    assert onnx.stat().st_size > 2_000_000


class Killed(BaseException):
    """Stands for a kill: nothing catches it."""


def killed_at_step(step: int, detector: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Die right after the checkpoint of a step of one training (every step makes one)."""
    real_save = Run.save

    def save(run: Run, path: Path) -> None:
        real_save(run, path)
        if path.parent.name == detector and run.step == step:
            raise Killed

    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1)
    monkeypatch.setattr(Run, "save", save)


def test_the_whole_chain_goes_on_after_a_kill(tmp_path: Path, monkeypatch) -> None:
    """Pictures, trainings, negatives, export, confidence, report; killed within a training."""
    try:
        chinese_fonts()
    except FontsMissing as missing:
        pytest.skip(str(missing))
    photos = write_tiny_photos(tmp_path / "photos")
    recipe, out = tiny_recipe(tmp_path), tmp_path / "out"
    said: list[str] = []

    def chain() -> Chain:
        return Chain(recipe, photos, out, DatasetPictures(None))

    with monkeypatch.context() as patched:
        killed_at_step(1, "second", patched)
        with pytest.raises(Killed):
            chain().run(said.append)
    assert [p.state for p in chain().plan()] == ["done", "done", "begun", *["to do"] * 7]
    early = {f: f.stat().st_mtime_ns for d in ("drawn", "first") for f in (out / d).iterdir()}
    assert len(early) == 4 + 2

    saved_at: list[tuple[str, int]] = []
    real_save = Run.save

    def save(run: Run, path: Path) -> None:
        saved_at.append((path.parent.name, run.step))
        real_save(run, path)

    monkeypatch.setattr(Run, "save", save)
    models = chain().run(said.append)
    # Step 1 of the second training was not made again, the first training not at all.
    assert saved_at == [("second", 3), ("naming", 2), ("wider", 2)]
    assert {f: f.stat().st_mtime_ns for f in early} == early
    assert [p.state for p in chain().plan()] == ["done"] * 10

    import torch

    first, second, both = (
        torch.load(out / name / file, weights_only=True)["model.0.conv.weight"]
        for name, file in (
            ("naming", "classifier.pt"),
            ("wider", "classifier.pt"),
            ("both", "mean.pt"),
        )
    )
    assert torch.allclose(both, (first + second) / 2)
    assert not torch.equal(first, second)

    assert json.loads((models / "manifest.json").read_text())["threshold"] == 0.5
    assert (models / "report" / "report.md").exists()
    reader = Reader(open_store(models), threads=1)
    reader.read(load_photo(photos / "eval" / "images" / "set0_eval.jpg"))
    # A further call has nothing to do.
    said.clear()
    chain().run(said.append)
    assert [line.endswith("done already") for line in said[1:]] == [True] * 10
    assert saved_at == [("second", 3), ("naming", 2), ("wider", 2)]

    installed = tmp_path / "installed"
    installed.mkdir()
    chain().install(installed)
    assert open_store(installed).model("classifier").content()


def test_a_series_is_left_out_measured_and_kept(tmp_path: Path) -> None:
    photos = write_tiny_photos(tmp_path / "photos")
    recipe = tiny_recipe(tmp_path)
    chosen = replace(recipe.leave_out, series=("set1",), iterations=1)
    recipe, out = replace(recipe, leave_out=chosen), tmp_path / "out"
    said: list[str] = []
    (row,) = leave_out(recipe, photos, (), out, say=said.append)
    assert (row.series, row.photos, row.iterations, row.faces) == ("set1", 1, 1, 2)
    assert read_table(out / "leave_out.json") == [row]
    said.clear()
    assert leave_out(recipe, photos, (), out, say=said.append) == [row]
    assert said == ["[1/1] without set1: measured already"]
