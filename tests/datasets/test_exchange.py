"""Import and export: what goes out comes back, foreign names are understood, errors are clear."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from datasets.class_names import tile_code
from datasets.exchange import (
    Dataset,
    DatasetError,
    LabelledBox,
    LabelledPicture,
    library,
    load_dataset,
    save_dataset,
)
from server.commands.dataset import command
from vision.opencv import cv2


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """Two pictures of different shapes and suffixes, one of them without any label."""
    one, two = tmp_path / "in" / "a.jpg", tmp_path / "in" / "b.png"
    one.parent.mkdir()
    cv2.imwrite(str(one), np.full((120, 200, 3), 90, np.uint8))
    cv2.imwrite(str(two), np.full((90, 60, 3), 30, np.uint8))
    boxes = (
        LabelledBox("1m", (10.0, 20.0, 42.0, 61.5)),
        LabelledBox("back", (100.25, 0.0, 130.0, 44.0)),
        LabelledBox("die6", (180.0, 100.0, 200.0, 120.0)),
    )
    return (LabelledPicture(one, 200, 120, boxes), LabelledPicture(two, 60, 90, ()))


def _plain(dataset: Dataset) -> dict[str, tuple[int, int, list[tuple[str, list[float]]]]]:
    return {
        p.path.name: (p.width, p.height, [(b.tile, [round(v, 2) for v in b.box]) for b in p.boxes])
        for p in dataset
    }


@pytest.mark.parametrize("form", ["ultralytics", "coco", "cvat", "labelstudio"])
def test_round_trip(form: str, dataset: Dataset, tmp_path: Path) -> None:
    if form != "labelstudio":
        pytest.importorskip("globox", reason="the optional library globox is not installed")
    out = tmp_path / form
    save_dataset(dataset, out, form)
    source = out / "tasks.json" if form == "labelstudio" else out
    assert _plain(load_dataset(source)) == _plain(dataset)


def test_through_all_forms_in_a_row(dataset: Dataset, tmp_path: Path) -> None:
    pytest.importorskip("globox", reason="the optional library globox is not installed")
    current = dataset
    for form in ("coco", "cvat", "ultralytics", "coco"):
        out = tmp_path / f"{form}{len(list(tmp_path.iterdir()))}"
        save_dataset(current, out, form)
        current = load_dataset(out)
    assert _plain(current) == _plain(dataset)


def test_pictures_of_one_name_do_not_overwrite_each_other(dataset: Dataset, tmp_path: Path) -> None:
    save_dataset((dataset[0], dataset[0]), tmp_path / "out", "labelstudio")
    assert sorted(p.name for p in (tmp_path / "out" / "images").iterdir()) == ["a.jpg", "a_2.jpg"]


def test_an_ultralytics_set_of_strangers(tmp_path: Path) -> None:
    """Roboflow's way: ../train/images, other names, another order of classes."""
    pytest.importorskip("globox", reason="the optional library globox is not installed")
    images, labels = tmp_path / "train" / "images", tmp_path / "train" / "labels"
    images.mkdir(parents=True)
    labels.mkdir()
    cv2.imwrite(str(images / "x.jpg"), np.zeros((100, 100, 3), np.uint8))
    (labels / "x.txt").write_text("1 0.5 0.5 0.2 0.4\n0 0.2 0.2 0.1 0.1\n")
    (tmp_path / "data.yaml").write_text("train: ../train/images\nnames: [RD, 3B]\n")
    (picture,) = load_dataset(tmp_path)
    assert [b.tile for b in picture.boxes] == ["3s", "7z"]
    assert picture.boxes[0].box == pytest.approx((40, 30, 60, 70))


def test_unknown_names_are_listed_and_can_be_mapped(dataset: Dataset, tmp_path: Path) -> None:
    strange = LabelledPicture(
        dataset[0].path, 200, 120, (LabelledBox("Rooster", (1, 1, 9, 9)), dataset[0].boxes[0])
    )
    save_dataset((strange,), tmp_path / "out", "labelstudio")
    tasks = tmp_path / "out" / "tasks.json"
    with pytest.raises(DatasetError, match="not understood: Rooster"):
        load_dataset(tasks)
    assert [b.tile for b in load_dataset(tasks, {"Rooster": "1s"})[0].boxes] == ["1s", "1m"]
    assert [b.tile for b in load_dataset(tasks, {"Rooster": ""})[0].boxes] == ["1m"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("5m", "5m"), ("m5", "5m"), ("5C", "5m"), ("characters-5", "5m"), ("五万", "5m"),
        ("伍萬", "5m"), ("3B", "3s"), ("bamboo_3", "3s"), ("三条", "3s"), ("8D", "8p"),
        ("dots-8", "8p"), ("八筒", "8p"), ("EW", "1z"), ("honors-east", "1z"), ("东风", "1z"),
        ("NW", "4z"), ("WD", "5z"), ("white dragon", "5z"), ("白板", "5z"), ("發", "6z"),
        ("honors-red", "7z"), ("红中", "7z"), ("back", "back"), ("dice_4", "die4"),
        ("die6", "die6"), ("0m", None), ("10B", None), ("8z", None), ("person", None),
    ],
)  # fmt: skip
def test_names_of_tiles(name: str, code: str | None) -> None:
    assert tile_code(name) == code


def test_errors_say_what_to_do(dataset: Dataset, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="does not exist"):
        load_dataset(tmp_path / "nothing")
    odd = tmp_path / "odd.json"
    odd.write_text('{"a": 1}')
    with pytest.raises(DatasetError, match="neither COCO nor"):
        load_dataset(odd)
    odd.write_text("{")
    with pytest.raises(DatasetError, match="cannot be read"):
        load_dataset(odd)
    with pytest.raises(DatasetError, match="not empty"):
        save_dataset(dataset, tmp_path / "in", "coco")
    with pytest.raises(DatasetError, match="use one of ultralytics, coco, cvat, labelstudio"):
        save_dataset(dataset, tmp_path / "out", "voc")
    with pytest.raises(DatasetError, match=r"pip install 'zhuowu\[train\]'"):
        library("no_such_library_zhuowu", "nosuch")


def test_commands_round_trip(tmp_path: Path) -> None:
    pytest.importorskip("globox", reason="the optional library globox is not installed")
    run = CliRunner()
    scenes, coco, back = (str(tmp_path / n) for n in ("scenes", "coco", "back"))
    made = run.invoke(
        command,
        ["synth", "--out", scenes, "--count", "2", "--size", "160", "--kind", "grid", "--json"],
    )
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["made"] == 2
    for arguments in (
        ["export", scenes, "--out", coco, "--format", "coco"],
        ["import", coco, "--out", back],
        ["preview", back, "--out", str(tmp_path / "sheet.png"), "--count", "2"],
    ):
        result = run.invoke(command, arguments)
        assert result.exit_code == 0, result.output
    assert (tmp_path / "sheet.png").stat().st_size > 10_000
    one, two = _plain(load_dataset(Path(scenes))), _plain(load_dataset(Path(back)))
    assert set(one) == set(two)
    for name, (_, _, boxes) in one.items():
        assert [b[0] for b in boxes] == [b[0] for b in two[name][2]]
        for (_, box), (_, other) in zip(boxes, two[name][2], strict=True):
            assert box == pytest.approx(other, abs=0.02)


def test_a_wrong_request_is_a_message(tmp_path: Path) -> None:
    run = CliRunner()
    result = run.invoke(command, ["synth", "--out", str(tmp_path / "x"), "--kind", "moon"])
    assert result.exit_code == 2
    assert "use one of hand, flat" in result.output
    result = run.invoke(command, ["check", str(tmp_path)])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
