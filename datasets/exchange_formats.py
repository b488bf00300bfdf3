"""The forms of labelled pictures that `exchange` reads and writes, one pair of functions each."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from datasets.exchange import (
    PICTURES,
    Dataset,
    DatasetError,
    LabelledBox,
    LabelledPicture,
    library,
    picture_size,
)
from datasets.scene_types import CLASS_INDEX, CLASS_NAMES


def _pictures_in(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.suffix.lower() in PICTURES)


def _attempt(what: Path, read: Callable[[], Any]) -> Any:
    """The result of a library's reader; whatever it stumbles over becomes a `DatasetError`."""
    try:
        return read()
    except DatasetError:
        raise
    except Exception as error:  # third-party parsers raise many kinds of errors
        reason = f"{type(error).__name__}: {error}"
        raise DatasetError(f"{what} cannot be read as a data set ({reason}).") from error


# --- Ultralytics ---------------------------------------------------------------------------


def read_ultralytics(path: Path) -> list[LabelledPicture]:
    """The pictures of all splits of a `data.yaml`."""
    yaml = library("yaml", "pyyaml")
    content = _attempt(path, lambda: yaml.safe_load(path.read_text(encoding="utf-8")))
    if not isinstance(content, dict) or "names" not in content:
        raise DatasetError(f"{path} has no `names`: it is not an Ultralytics data set.")
    names = content["names"]
    ordered = [names[k] for k in sorted(names)] if isinstance(names, dict) else list(names)
    root = path.parent / str(content.get("path") or "")
    found: list[LabelledPicture] = []
    for split in ("train", "val", "test"):
        for entry in _as_list(content.get(split)):
            folder = _split_folder(root, path.parent, entry)
            labels = Path(*("labels" if part == "images" else part for part in folder.parts))
            known = {picture.path for picture in found}
            read = read_folder(folder, labels, [str(n) for n in ordered])
            found += [picture for picture in read if picture.path not in known]
    return found


def _as_list(value: object) -> list[str]:
    if value is None:
        return []
    return [str(v) for v in value] if isinstance(value, list) else [str(value)]


def _split_folder(root: Path, beside: Path, entry: str) -> Path:
    # Roboflow writes ../train/images relative to a folder that is not there
    for folder in (root / entry, beside / entry, beside / entry.removeprefix("../")):
        if folder.is_dir():
            return folder.resolve()
    raise DatasetError(f"The folder {entry} named in the data set is not at {root}.")


def read_folder(images: Path, labels: Path, names: Sequence[str]) -> list[LabelledPicture]:
    """YOLO text files in `labels` for the pictures in `images`; no file means no objects."""
    if not images.is_dir():
        raise DatasetError(f"The folder of pictures {images} does not exist.")
    globox = library("globox", "globox")
    found = []
    for path in tqdm(_pictures_in(images), desc="reading", unit="picture", leave=False):
        size = picture_size(path)
        text = labels / path.relative_to(images).with_suffix(".txt")
        boxes: list[LabelledBox] = []
        if text.is_file():
            parse = partial(globox.Annotation.from_yolo_v5, text, image_size=size)
            read = _attempt(text, parse)
            boxes = [_from_globox(b, _class_name(b.label, names, text)) for b in read.boxes]
        found.append(LabelledPicture(path, *size, tuple(boxes)))
    return found


def _class_name(label: str, names: Sequence[str], path: Path) -> str:
    number = int(label) if label.isdigit() else -1
    if not 0 <= number < len(names):
        raise DatasetError(f"{path} has the class {label}, but there are {len(names)} names.")
    return names[number]


def _from_globox(box: Any, name: str) -> LabelledBox:
    return LabelledBox(name, (float(box.xmin), float(box.ymin), float(box.xmax), float(box.ymax)))


def _to_globox(dataset: Dataset) -> Any:
    globox = library("globox", "globox")
    return globox.AnnotationSet(
        globox.Annotation(
            picture.path.name,
            (picture.width, picture.height),
            [
                globox.BoundingBox(
                    label=b.tile, xmin=b.box[0], ymin=b.box[1], xmax=b.box[2], ymax=b.box[3]
                )
                for b in picture.boxes
            ],
        )
        for picture in dataset
    )


def write_ultralytics(dataset: Dataset, out: Path) -> None:
    """`data.yaml`, `images/` and `labels/`, with all 41 classes in the models' order."""
    yaml = library("yaml", "pyyaml")
    _to_globox(dataset).save_yolo_v5(out / "labels", label_to_id=CLASS_INDEX)
    content = {
        "path": ".",
        "train": "images",
        "val": "images",
        "names": dict(enumerate(CLASS_NAMES)),
    }
    text = yaml.safe_dump(content, allow_unicode=True, sort_keys=False)
    (out / "data.yaml").write_text(text, encoding="utf-8")


# --- COCO and Label Studio (both .json) ----------------------------------------------------


def read_json(path: Path) -> list[LabelledPicture]:
    """COCO or Label Studio, whichever the file is."""
    content = _attempt(path, lambda: json.loads(path.read_text(encoding="utf-8")))
    if isinstance(content, dict) and "annotations" in content:
        return _from_set(path, lambda globox: globox.AnnotationSet.from_coco(path))
    if isinstance(content, list) and all(isinstance(t, dict) and "data" in t for t in content):
        return _attempt(path, lambda: [_from_task(task, path) for task in content])
    raise DatasetError(f"{path} is neither COCO nor a list of Label Studio tasks.")


def _from_set(path: Path, read: Callable[[Any], Any]) -> list[LabelledPicture]:
    globox = library("globox", "globox")
    found = []
    for annotation in _attempt(path, lambda: read(globox)):
        picture = _find_picture(path, annotation.image_id)
        width, height = annotation.image_size or picture_size(picture)
        boxes = tuple(_from_globox(box, box.label) for box in annotation.boxes)
        found.append(LabelledPicture(picture, width, height, boxes))
    return found


def _find_picture(labels: Path, name: str) -> Path:
    """A picture named in a file of labels: beside it, in `images/`, or by its bare name."""
    for folder in (labels.parent, labels.parent / "images", labels.parent.parent / "images"):
        for candidate in (folder / name, folder / Path(name).name):
            if candidate.is_file():
                return candidate
    raise DatasetError(
        f"The picture {name} named in {labels} is not in {labels.parent} or images/."
    )


def write_coco(dataset: Dataset, out: Path) -> None:
    """`annotations.json` in COCO form, category ids in the models' class order."""
    _to_globox(dataset).save_coco(
        out / "annotations.json", label_to_id=dict(CLASS_INDEX), auto_ids=True
    )


def _from_task(task: Mapping[str, Any], path: Path) -> LabelledPicture:
    source = str(task["data"].get("image") or "")
    name = source.rsplit("=", 1)[-1].rsplit("/", 1)[-1]
    picture = _find_picture(path, name)
    width, height = picture_size(picture)
    results = [r for a in task.get("annotations") or [] for r in a.get("result") or []]
    boxes = []
    for result in results:
        if result.get("type") != "rectanglelabels":
            continue
        value = result["value"]
        x, y = value["x"] / 100 * width, value["y"] / 100 * height
        w, h = value["width"] / 100 * width, value["height"] / 100 * height
        boxes.append(LabelledBox(str(value["rectanglelabels"][0]), (x, y, x + w, y + h)))
    return LabelledPicture(picture, width, height, tuple(boxes))


def write_label_studio(dataset: Dataset, out: Path) -> None:
    """`tasks.json` to import into Label Studio, and the labelling interface `config.xml`."""
    tasks = []
    for picture in dataset:
        results = [_result(box, picture) for box in picture.boxes]
        image = f"/data/local-files/?d=images/{picture.path.name}"
        tasks.append({"data": {"image": image}, "annotations": [{"result": results}]})
    (out / "tasks.json").write_text(json.dumps(tasks, ensure_ascii=False), encoding="utf-8")
    labels = "".join(f'<Label value="{name}"/>' for name in CLASS_NAMES)
    (out / "config.xml").write_text(
        '<View><Image name="image" value="$image"/>'
        f'<RectangleLabels name="label" toName="image">{labels}</RectangleLabels></View>\n',
        encoding="utf-8",
    )


def _result(box: LabelledBox, picture: LabelledPicture) -> dict[str, Any]:
    x1, y1, x2, y2 = box.box
    return {
        "type": "rectanglelabels",
        "from_name": "label",
        "to_name": "image",
        "original_width": picture.width,
        "original_height": picture.height,
        "value": {
            "x": x1 / picture.width * 100,
            "y": y1 / picture.height * 100,
            "width": (x2 - x1) / picture.width * 100,
            "height": (y2 - y1) / picture.height * 100,
            "rectanglelabels": [box.tile],
        },
    }


# --- CVAT ----------------------------------------------------------------------------------


def read_cvat(path: Path) -> list[LabelledPicture]:
    """A `CVAT for images` file."""
    return _from_set(path, lambda globox: globox.AnnotationSet.from_cvat(path))


def write_cvat(dataset: Dataset, out: Path) -> None:
    """`annotations.xml` in the form `CVAT for images`."""
    _to_globox(dataset).save_cvat(out / "annotations.xml")


# --- our own -------------------------------------------------------------------------------


def read_scenes(folder: Path) -> list[LabelledPicture]:
    """Rendered scenes as `write_scenes` leaves them."""
    found = []
    for labels in sorted(folder.glob("*.npy")):
        picture = labels.with_suffix(".jpg")
        width, height = picture_size(picture)
        rows = _attempt(labels, partial(np.load, labels, allow_pickle=False))
        scale = np.array([width, height, width, height], float)
        boxes = []
        for row in rows:
            centre, size = row[1:3].astype(float), row[3:5].astype(float)
            x1, y1, x2, y2 = np.concatenate([centre - size / 2, centre + size / 2]) * scale
            box = (float(x1), float(y1), float(x2), float(y2))
            boxes.append(LabelledBox(CLASS_NAMES[int(row[0])], box))
        found.append(LabelledPicture(picture, width, height, tuple(boxes)))
    return found


def copy_pictures(dataset: Dataset, folder: Path) -> Dataset:
    """Copies of the pictures under names that do not clash; the data set of the copies."""
    folder.mkdir(parents=True, exist_ok=True)
    used: set[str] = set()
    copies = []
    for picture in tqdm(dataset, desc="copying", unit="picture", leave=False):
        stem, suffix, number = picture.path.stem, picture.path.suffix.lower(), 1
        while stem in used:
            number += 1
            stem = f"{picture.path.stem}_{number}"
        used.add(stem)
        target = folder / f"{stem}{suffix}"
        shutil.copyfile(picture.path, target)
        copies.append(LabelledPicture(target, picture.width, picture.height, picture.boxes))
    return tuple(copies)


WRITERS: dict[str, Callable[[Dataset, Path], None]] = {
    "ultralytics": write_ultralytics,
    "coco": write_coco,
    "cvat": write_cvat,
    "labelstudio": write_label_studio,
}
