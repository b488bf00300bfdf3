"""Two iterations of each training, stopped after one and resumed (needs the train extra)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed (extra: train)")
pytest.importorskip("ultralytics", reason="ultralytics is not installed (extra: train)")

from models.export import classifier_network, detector_network, write_onnx
from models.recipe import Recipe, load_recipe
from models.train_classifier import train_classifier
from models.train_detector import train_detector
from models.training import Run

PHOTOS = Path(__file__).parents[2].parent / "shared" / "photos"

pytestmark = pytest.mark.skipif(
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


def test_detector_two_iterations_with_resume(tmp_path: Path, monkeypatch) -> None:
    file = stopped_then_resumed(train_detector, tmp_path, monkeypatch)
    onnx = tmp_path / "detector.onnx"
    write_onnx(detector_network(file, tiny(2)), onnx, 640, many=False)
    assert onnx.stat().st_size > 5_000_000


def test_classifier_two_iterations_with_resume(tmp_path: Path, monkeypatch) -> None:
    file = stopped_then_resumed(train_classifier, tmp_path, monkeypatch)
    onnx = tmp_path / "classifier.onnx"
    write_onnx(classifier_network(file, tiny(2)), onnx, 96, many=True)
    assert onnx.stat().st_size > 2_000_000
