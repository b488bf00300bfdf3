"""From public inputs to the shipped ONNX files: every stage of a recipe, one after the other.

A stage's results lie in `OUT/<name>`. `OUT/stages/<name>.json` holds what it was begun with, and
says that it is done once all its results are there, so that a chain that was killed at any moment
goes on: finished stages are passed over, trainings go on from their last checkpoint, pictures from
the last one written; the short stages begin anew.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from models import stages as kinds
from models.mean import write_mean
from models.recipe import Recipe
from models.stages import Stage
from models.training import TrainingError, require_torch, write_whole

MODEL_FILES = ("detector.onnx", "classifier.onnx", "manifest.json")


class PictureMaker(Protocol):
    """Makes rendered pictures; `datasets` does, which this room does not import."""

    def check(self, stage: Stage) -> None:
        """Raise `TrainingError` when a stage's pictures could not be made here."""

    def scenes(self, out: Path, series: kinds.Series) -> None:
        """Write the scenes that are not in `out` yet."""

    def film_frames(self, out: Path, stage: kinds.FilmFrames) -> None:
        """Write the frames of the films that are not in `out` yet."""


@dataclass(frozen=True)
class Planned:
    """A stage and how far it is: "done", "begun" or "to do"."""

    stage: Stage
    state: str


class Chain:
    """The stages of a recipe and where their results lie.

    Args:
        recipe: what is done.
        photos: the folder with train/, dice_train/, crops/ and eval/.
        out: the folder for all results.
        maker: makes the rendered pictures.
        threads: CPU threads of the trainings.

    Raises:
        TrainingError: the recipe has no stages, or `out` holds a stage made with other settings.
    """

    def __init__(
        self, recipe: Recipe, photos: Path, out: Path, maker: PictureMaker, threads: int = 1
    ) -> None:
        if not recipe.stages:
            raise TrainingError(
                "the recipe has no [[stage]]: use zhuowu train detector and zhuowu train "
                "classifier, or take models/recipe.toml as the pattern"
            )
        self.recipe, self.maker, self.threads = recipe, maker, threads
        # Mined negatives name their pictures: the same from wherever the command is given.
        self.photos, self.out = photos.resolve(), out.resolve()
        self._stages = {stage.name: stage for stage in recipe.stages}
        for stage in recipe.stages:
            self._compare(stage)

    def plan(self) -> list[Planned]:
        """Every stage and how far it is."""
        return [Planned(stage, self._state(stage)) for stage in self.recipe.stages]

    def check(self) -> None:
        """Look for what the stages still to be done need, before hours of work are spent.

        Raises:
            TrainingError: something is missing; the message says how to get it.
        """
        for part in ("train", "dice_train", "eval"):
            if not (self.photos / part / "manifest.json").exists():
                raise TrainingError(
                    f"no labelled photos in {self.photos / part}: --photos is the folder that "
                    "holds train/, dice_train/, crops/ and eval/"
                )
        left = [p.stage for p in self.plan() if p.state != "done"]
        trainings = [s for s in left if isinstance(s, kinds.TrainDetector)]
        for stage in left:
            self.maker.check(stage)
        if any(stage.does not in kinds.PICTURES for stage in left):
            require_torch()
        if any(s.settings.start == "mahjong-detector" for s in trainings):
            from models.warm_start import source_file

            source_file()

    def run(self, say: Callable[[str], None]) -> Path:
        """Do what is not done yet.

        Args:
            say: takes a line for people.

        Returns:
            The folder of the last exported models.
        """
        self.check()
        (self.out / kinds.FOLDER).mkdir(parents=True, exist_ok=True)
        planned = self.plan()
        left = sum(p.stage.minutes for p in planned if p.state != "done")
        done = sum(p.state == "done" for p in planned)
        say(f"{len(planned)} stages, {done} of them done; {about(left)} to go on one CPU core")
        for number, one in enumerate(planned, 1):
            head = f"[{number}/{len(planned)}] {one.stage.name}"
            if one.state == "done":
                say(f"{head}: done already")
                continue
            again = "goes on: " if one.state == "begun" else ""
            say(f"{head}: {again}{one.stage.words()} ({about(one.stage.minutes)})")
            began = time.monotonic()
            self._do(one.stage)
            minutes = (time.monotonic() - began) / 60
            self._mark(one.stage, done=True, minutes=round(minutes, 1))
            say(f"{head}: done in {minutes:.0f} min")
        return self.models

    @property
    def models(self) -> Path:
        """The folder of the last export."""
        exports = [s.name for s in self.recipe.stages if isinstance(s, kinds.Export)]
        if not exports:
            raise TrainingError('the recipe has no stage that does "export"')
        return self.out / exports[-1]

    def install(self, folder: Path) -> None:
        """Copy the exported models over those in `folder`."""
        for name in MODEL_FILES:
            shutil.copyfile(self.models / name, folder / name)

    # What is known of a stage

    def _marker(self, stage: Stage) -> Path:
        return self.out / kinds.FOLDER / f"{stage.name}.json"

    def _known(self, stage: Stage) -> dict[str, Any]:
        marker = self._marker(stage)
        return json.loads(marker.read_text("utf-8")) if marker.exists() else {}

    def _state(self, stage: Stage) -> str:
        known = self._known(stage)
        return "done" if known.get("done") else "begun" if known else "to do"

    def _settings(self, stage: Stage) -> dict[str, Any]:
        """All that decides a stage's results, with all that decides those of what it needs."""
        own = {k: v for k, v in asdict(stage).items() if k != "minutes"}
        own |= {"does": stage.does, "photo_side": self.recipe.data.photo_side}
        needed = {name: self._settings(self._stages[name]) for _, name, _ in stage.needs()}
        plain: dict[str, Any] = json.loads(json.dumps(own | {"needs": needed}))
        return plain

    def _mark(self, stage: Stage, **more: Any) -> None:
        found = {"settings": self._settings(stage)} | more
        write_whole(self._marker(stage), json.dumps(found, indent=1))

    def _compare(self, stage: Stage) -> None:
        known = self._known(stage)
        if not known:
            return
        found = _difference(known["settings"], self._settings(stage))
        if found:
            raise TrainingError(
                f"{self.out} holds the stage {stage.name} made with other settings ({found}): "
                f"use another --out, put the recipe back, or delete {self.out / stage.name} and "
                f"{self._marker(stage)} to make it again"
            )

    # Doing it

    def _do(self, stage: Stage) -> None:
        if self._state(stage) == "to do":
            # What a folder holds without a marker, nobody knows how it was made.
            if (self.out / stage.name).exists():
                raise TrainingError(
                    f"{self.out / stage.name} is there, but not from this chain: use another "
                    "--out, or delete it"
                )
            self._mark(stage)
        folder = self.out / stage.name
        match stage:
            case kinds.Render():
                for series in stage.series:
                    self.maker.scenes(folder, series)
            case kinds.FilmFrames():
                self.maker.film_frames(folder, stage)
            case kinds.TrainDetector():
                self._train_detector(stage, folder)
            case kinds.TrainClassifier():
                self._train_classifier(stage, folder)
            case kinds.Mean():
                self._mean(stage, folder)
            case kinds.Mine():
                self._mine(stage, folder)
            case kinds.Export():
                self._export(stage, folder)
            case kinds.Tune():
                from models.tune import tune

                scenes = self._pictures(stage.pictures)
                tune(self._result(stage.models), self.photos / "eval", scenes, stage.marked)
            case kinds.Evaluate():
                self._evaluate(stage)

    def _result(self, name: str, file: str = "") -> Path:
        """What an earlier stage made."""
        path = self.out / name / file
        if not path.exists():
            raise TrainingError(
                f"{path} is gone, though its stage was done: delete "
                f"{self._marker(self._stages[name])} to make it again"
            )
        return path

    def _pictures(self, names: tuple[str, ...]) -> list[Path]:
        return [self._result(name) for name in names]

    def _weights(self, name: str) -> Path:
        return self._result(name, f"{self._stages[name].does}.pt")

    def _train_detector(self, stage: kinds.TrainDetector, folder: Path) -> None:
        from models.train_detector import train_detector

        recipe, start = self._recipe_of(stage.name), stage.settings.start
        if start in self._stages:
            settings = replace(stage.settings, start=str(self._weights(start)))
            recipe = replace(recipe, detector=settings)
        train_detector(recipe, self.photos, self._pictures(stage.pictures), folder, self.threads)

    def _train_classifier(self, stage: kinds.TrainClassifier, folder: Path) -> None:
        from models.train_classifier import train_classifier

        recipe, detector = self._recipe_of(stage.name), None
        if stage.settings.start in self._stages:
            weights = self._weights(stage.settings.start)
            if isinstance(self._stages[stage.settings.start], kinds.TrainDetector):
                start, detector = "detector", weights
            else:
                start = str(weights)
            recipe = replace(recipe, classifier=replace(stage.settings, start=start))
        train_classifier(
            recipe,
            self.photos,
            self._pictures(stage.pictures),
            folder,
            self.threads,
            detector,
            negatives=self._result(stage.mined, "negatives.jsonl") if stage.mined else None,
        )

    def _recipe_of(self, name: str) -> Recipe:
        """The recipe as the training stage `name` sees it."""
        stage = self._stages[name]
        if isinstance(stage, kinds.Mean):
            return self._recipe_of(stage.second)
        if isinstance(stage, kinds.TrainDetector):
            recipe = replace(self.recipe, detector=stage.settings)
        elif isinstance(stage, kinds.TrainClassifier):
            recipe = replace(self.recipe, classifier=stage.settings)
        else:
            raise TypeError(f"{name} is no training")
        return replace(recipe, data=replace(recipe.data, seed=stage.seed))

    def _mean(self, stage: kinds.Mean, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        first, second = self._weights(stage.first), self._weights(stage.second)
        write_mean(first, second, stage.share, folder / f"{stage.does}.pt")

    def _mine(self, stage: kinds.Mine, folder: Path) -> None:
        from models.export import export_detector
        from models.mining import mine, pictures_to_mine
        from vision.detector import Detector
        from vision.model_store import open_store

        folder.mkdir(parents=True, exist_ok=True)
        recipe = self._recipe_of(stage.detector)
        export_detector(self._weights(stage.detector), recipe, folder, self.photos)
        detector = Detector(open_store(folder).model("detector"), self.threads)
        items = pictures_to_mine(self.photos, self._pictures(stage.pictures), stage.most)
        mine(detector, items, self.recipe.data.photo_side, folder / "negatives.jsonl")

    def _export(self, stage: kinds.Export, folder: Path) -> None:
        from models.export import export_classifier, export_detector

        folder.mkdir(parents=True, exist_ok=True)
        for name, export in (
            (stage.detector, export_detector),
            (stage.classifier, export_classifier),
        ):
            export(self._weights(name), self._recipe_of(name), folder, self.photos)

    def _evaluate(self, stage: kinds.Evaluate) -> None:
        from models.evaluate import evaluate, write_report
        from vision.model_store import open_store
        from vision.reader import Reader

        folder = self._result(stage.models)
        reader = Reader(open_store(folder), threads=self.threads)
        result = evaluate(self.photos / "eval", reader)
        write_report(result, "the development photos", folder / "report")


def about(minutes: float) -> str:
    """A time in words: "about 40 min", "about 3 h 20 min"."""
    hours, rest = divmod(round(minutes), 60)
    return f"about {hours} h {rest} min" if hours else f"about {max(rest, 1)} min"


def _difference(then: dict[str, Any], now: dict[str, Any]) -> str:
    """The first setting that differs, in words; "" when none does."""
    for key in sorted({*then, *now}):
        old, new = then.get(key), now.get(key)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            return f"{key} {_difference(old, new)}"
        return f"{key}: {old} then, {new} now"
    return ""
