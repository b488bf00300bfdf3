"""Teaching, storing, recognising and sharing sets, with a classifier made of thumbnails."""

from __future__ import annotations

import contextlib
import io
import random
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.odd_sets import odd_set
from models.sources import single_tiles
from vision.calibration import (
    CalibrationError,
    Example,
    TileSet,
    TileSetLibrary,
    add_examples,
    load_tile_set,
    teach,
)
from vision.calibration.chooser import SetChooser
from vision.calibration.library import AUTO, OFF, write_training_crops
from vision.calibration.tile_set import LARGEST_FILE
from vision.calibration.views import cut_patch, plain_view
from vision.opencv import cv2
from vision.values import CLASSES, FACES, NONE

SIDE = 96


class Thumbnails:
    """A classifier whose features are a small picture, and that knows no face."""

    side = SIDE
    classes = (*CLASSES, NONE)
    sha256 = "a" * 64
    has_features = True

    def look(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        small = [cv2.resize(c, (12, 12), interpolation=cv2.INTER_AREA) for c in crops]
        turned = [np.mean([np.rot90(s, k) for k in range(4)], axis=0).ravel() for s in small]
        features = np.asarray(turned, np.float32) / 255 - 0.5
        answers = np.full((len(crops), len(self.classes)), 0.4 / 41, np.float32)
        answers[:, 0] = 0.6  # whatever it is, it says 1m
        return answers, features


class Changed(Thumbnails):
    sha256 = "b" * 64


class Plain(Thumbnails):
    has_features = False


@pytest.fixture(scope="module", autouse=True)
def _few_looks() -> Iterator[None]:
    """Seven sets are taught here: a third of the looks shows as well how sets are kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["vision.calibration.teach"], "MOST_VIEWS", 700)
        yield


@pytest.fixture(scope="module")
def pictures() -> dict[str, list[Example]]:
    """The faces of two drawn sets, each on a table of its own."""
    made = {}
    for design in ("letters", "dark"):
        tiles = odd_set(design, 1)
        made[design] = []
        for face in FACES:
            picture = tiles.face(face)[0]
            height, width = picture.shape[:2]
            photo = cv2.copyMakeBorder(
                picture, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(60, 90, 40)
            )
            box = np.array([60.0, 60.0, 60.0 + width, 60.0 + height])
            made[design].append(Example(face, cut_patch(photo, box), 0, float(height)))
    return made


@pytest.fixture(scope="module")
def taught(pictures: dict[str, list[Example]]) -> dict[str, TileSet]:
    return {name: teach(name, some, Thumbnails()) for name, some in pictures.items()}  # type: ignore[arg-type]


def plain(examples: list[Example]) -> tuple[np.ndarray, np.ndarray]:
    return Thumbnails().look(np.stack([plain_view(e.patch, SIDE) for e in examples]))


def test_teaching_names_the_tiles_that_the_general_classifier_cannot(
    taught: dict[str, TileSet], pictures: dict[str, list[Example]]
) -> None:
    one = taught["letters"]
    assert one.head is not None
    assert one.figures.before == pytest.approx(1 / 34)
    assert one.figures.after > 0.3
    answers, features = plain(pictures["letters"])
    looks = np.stack([plain_view(e.patch, SIDE) for e in pictures["letters"]])
    named = one.adjust(answers, features, looks).argmax(axis=1)
    assert (named == np.arange(34)).mean() > 0.9


def test_teaching_twice_teaches_the_same(
    taught: dict[str, TileSet], pictures: dict[str, list[Example]]
) -> None:
    again = teach("letters", pictures["letters"], Thumbnails())  # type: ignore[arg-type]
    assert again.head is not None
    assert np.array_equal(again.head.weights, taught["letters"].head.weights)  # type: ignore[union-attr]


def test_a_set_survives_its_file(taught: dict[str, TileSet], tmp_path: Path) -> None:
    one = taught["letters"]
    one.save(tmp_path / "a.zwset")
    back = load_tile_set(tmp_path / "a.zwset")
    assert (tmp_path / "a.zwset").stat().st_size < LARGEST_FILE
    assert (back.name, back.classifier, back.figures) == (one.name, one.classifier, one.figures)
    assert [e.tile for e in back.examples] == [e.tile for e in one.examples]
    difference = back.examples[5].patch.pixels.astype(int) - one.examples[5].patch.pixels
    assert np.abs(difference).mean() < 4  # JPEG
    assert np.abs(back.head.weights - one.head.weights).max() < 0.01  # type: ignore[union-attr]
    assert one.shape is not None
    looks = np.stack([plain_view(e.patch, SIDE) for e in one.examples])
    difference = back.shape.scores(looks) - one.shape.scores(looks)  # type: ignore[union-attr]
    assert np.abs(difference).max() < 0.1  # kept in 255 steps
    assert not list(tmp_path.glob("*.part"))


def test_broken_and_hostile_files_are_refused_in_words(
    taught: dict[str, TileSet], tmp_path: Path
) -> None:
    whole = taught["letters"].packed()
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("weights.npy", bytes(40_000_000))
    pickled = io.BytesIO()
    np.savez(pickled, about=np.array([{"format": 1}], dtype=object))
    rng = random.Random(1)
    bad = [
        b"",
        b"no zip",
        whole[: len(whole) // 2],
        bomb.getvalue(),
        pickled.getvalue(),
        bytes(3 * 2**20),
    ]
    for _ in range(20):
        at = rng.randrange(len(whole))
        bad.append(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
    for number, content in enumerate(bad):
        file = tmp_path / f"{number}.zwset"
        file.write_bytes(content)
        if number >= 6:  # one flipped byte: either noticed, or harmless
            with contextlib.suppress(CalibrationError):
                load_tile_set(file)
            continue
        with pytest.raises(CalibrationError, match="Export it again") as caught:
            load_tile_set(file)
        assert caught.value.code == "set_broken"
        assert "重新" in caught.value.zh
    with pytest.raises(CalibrationError, match="no file"):
        load_tile_set(tmp_path / "nothing.zwset")


def test_the_library_keeps_uses_and_removes(taught: dict[str, TileSet], tmp_path: Path) -> None:
    library = TileSetLibrary(tmp_path / "sets")
    assert library.sets() == []
    assert library.in_use() == AUTO
    for one in taught.values():
        library.add(one)
    with pytest.raises(CalibrationError, match="--replace"):
        library.add(taught["dark"])
    library.add(taught["dark"], replace_old=True)
    assert [s.name for s in library.sets()] == ["dark", "letters"]
    library.use("dark")
    assert library.chooser("a" * 64).pinned.name == "dark"  # type: ignore[union-attr]
    library.use(OFF)
    assert library.chooser("a" * 64).sets == ()
    with pytest.raises(CalibrationError, match="There are: dark, letters"):
        library.use("kitchen")
    library.use("dark")
    library.remove("dark")
    assert library.in_use() == AUTO
    assert [s.name for s in library.sets()] == ["letters"]


def test_names_that_would_leave_the_folder_or_confuse(
    pictures: dict[str, list[Example]], taught: dict[str, TileSet], tmp_path: Path
) -> None:
    library = TileSetLibrary(tmp_path)
    for name in ("", "  ", "x" * 61, "a\nb"):
        with pytest.raises(CalibrationError):
            teach(name, pictures["dark"], Thumbnails())  # type: ignore[arg-type]
    for name in ("auto", "None"):
        with pytest.raises(CalibrationError, match="meaning of its own"):
            library.check_free(name)
    file = tmp_path / "x.zwset"
    taught["dark"].save(file)
    stored = TileSetLibrary(tmp_path / "sets")
    stored.bring_in(file, "../../厨房/kitchen")
    assert [s.name for s in stored.sets()] == ["../../厨房/kitchen"]
    assert len(list((tmp_path / "sets").glob("*.zwset"))) == 1


def test_the_set_in_a_photo_is_recognised(
    taught: dict[str, TileSet], pictures: dict[str, list[Example]]
) -> None:
    chooser = SetChooser(tuple(taught.values()), None)
    for name, some in pictures.items():
        answers, features = plain(some[3:20])
        looks = np.stack([plain_view(e.patch, SIDE) for e in some[3:20]])
        assert chooser.choose(answers, features, looks) is taught[name]
        assert chooser.chosen is taught[name]
        alone = SetChooser(tuple(s for s in taught.values() if s.name != name), None)
        assert alone.choose(answers, features, looks) is None, "its tiles are of no other set"
    strange = np.random.default_rng(0).normal(size=(12, features.shape[1])).astype(np.float32)
    assert chooser.choose(answers[:12], strange) is None
    assert chooser.chosen is None
    assert chooser.choose(answers[:2], features[:2]) is None  # two tiles are no evidence


def test_a_new_classifier_is_refused_until_refitted(
    taught: dict[str, TileSet], tmp_path: Path
) -> None:
    library = TileSetLibrary(tmp_path)
    library.add(taught["letters"])
    unused = library.chooser("b" * 64)
    assert unused.sets == ()  # not used by itself
    assert [note.code for note in unused.notes()] == ["set_stale"]
    assert "letters" in unused.notes()[0].zh
    assert "zhuowu sets refit" in unused.notes()[0].en
    assert unused.following().notes() == unused.notes()
    library.use("letters")
    with pytest.raises(CalibrationError, match="zhuowu sets refit"):
        library.chooser("b" * 64)
    assert [s.name for s in library.refit(Changed())] == ["letters"]  # type: ignore[arg-type]
    assert library.stale("b" * 64) == []
    assert library.chooser("b" * 64).notes() == ()
    assert library.chooser("b" * 64).pinned.head is not None  # type: ignore[union-attr]


def test_without_features_calibration_says_so(pictures: dict[str, list[Example]]) -> None:
    with pytest.raises(CalibrationError, match="no output named features") as caught:
        teach("x", pictures["dark"], Plain())  # type: ignore[arg-type]
    assert "更新模型" in caught.value.zh


def test_corrections_in_play_become_examples(
    taught: dict[str, TileSet], pictures: dict[str, list[Example]]
) -> None:
    more = add_examples(taught["dark"], pictures["dark"][:2], Thumbnails())  # type: ignore[arg-type]
    assert len(more.examples) == 36
    assert {e.photo for e in more.examples} == {0, 1}
    with pytest.raises(CalibrationError) as caught:
        add_examples(taught["dark"], pictures["letters"][:8], Thumbnails())  # type: ignore[arg-type]
    assert caught.value.code == "another_set"


def test_examples_that_would_cost_what_is_known_are_refused(
    taught: dict[str, TileSet], pictures: dict[str, list[Example]]
) -> None:
    """Every tile again under its neighbour's name, insisted on: what was known would be lost."""
    misnamed = [
        replace(example, tile=FACES[(at + 1) % len(FACES)])
        for at, example in enumerate(pictures["dark"])
    ]
    with pytest.raises(CalibrationError) as caught:
        add_examples(taught["dark"], misnamed, Thumbnails(), insist=True)  # type: ignore[arg-type]
    assert [reason.code for reason in caught.value.reasons] == ["would_be_worse"]
    assert "没有改动" in caught.value.zh
    assert "nothing was changed" in caught.value.en


def test_a_shared_set_becomes_training_crops(taught: dict[str, TileSet], tmp_path: Path) -> None:
    assert write_training_crops(taught["letters"], tmp_path) == 34
    found = single_tiles(tmp_path, FACES)
    assert sorted(kind for _, kind in found) == list(range(34))
