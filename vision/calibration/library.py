"""The taught sets on this computer: a folder of set files, and which of them is in use."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from vision.calibration.chooser import SetChooser
from vision.calibration.errors import CalibrationError
from vision.calibration.teach import Progress, no_progress, refit
from vision.calibration.tile_set import TileSet, checked_name, load_tile_set
from vision.classifier import Classifier
from vision.opencv import cv2
from vision.values import CLASSES

SUFFIX = ".zwset"
AUTO, OFF = "auto", "none"
"""What may be in use besides a named set: the one that the photo shows, or none."""
_IN_USE = "in_use.json"


class TileSetLibrary:
    """Stores sets by name, one file each."""

    def __init__(self, folder: Path) -> None:
        """Use `folder`, made when something is first stored."""
        self.folder = folder

    def sets(self) -> list[TileSet]:
        """Every whole set, by name; files that are no sets are left alone."""
        found = []
        for file in sorted(self.folder.glob(f"*{SUFFIX}")):
            try:
                found.append(load_tile_set(file))
            except CalibrationError:
                continue
        return sorted(found, key=lambda s: s.name)

    def get(self, name: str) -> TileSet:
        """The set called `name` (CalibrationError naming those there are)."""
        self._need(name)
        return load_tile_set(self._file(name))

    def add(self, tile_set: TileSet, replace_old: bool = False) -> Path:
        """Store a set.

        Raises:
            CalibrationError: there is one of this name and `replace_old` is false, or the folder
                cannot be written.
        """
        self.check_free(tile_set.name, replace_old)
        file = self._file(tile_set.name)
        try:
            tile_set.save(file)
        except OSError as error:
            raise _unwritable(self.folder, error) from None
        return file

    def check_free(self, name: str, replace_old: bool = False) -> None:
        """Raise CalibrationError when a set cannot be stored under `name`."""
        name = checked_name(name)
        if name.lower() in (AUTO, OFF):
            raise CalibrationError.of(
                "bad_name",
                f"“{name}”不能作名称，它另有用途。",
                f"{name!r} cannot be a set's name: it has a meaning of its own.",
            )
        if self._file(name).exists() and not replace_old:
            raise CalibrationError.of(
                "name_taken",
                f"已有名为“{name}”的牌具。请换个名称，或替换它（命令行加 --replace）。",
                f"There is a set called {name!r}. Choose another name, or replace it (--replace "
                "on the command line).",
            )

    def remove(self, name: str) -> None:
        """Delete a set; one in use is no longer in use."""
        self._need(name)
        try:
            self._file(name).unlink()
            if self.in_use() == name:
                self.use(AUTO)
        except OSError as error:
            raise _unwritable(self.folder, error) from None

    def in_use(self) -> str:
        """A set's name, `"auto"` or `"none"`."""
        try:
            used = json.loads((self.folder / _IN_USE).read_text("utf-8"))["use"]
        except (OSError, ValueError, KeyError, TypeError):
            return AUTO
        known = used in (AUTO, OFF) or (isinstance(used, str) and self._file(used).exists())
        return used if known else AUTO

    def use(self, name: str) -> None:
        """Use the set called `name` for every photo, or `"auto"`, or `"none"`."""
        if name not in (AUTO, OFF):
            self._need(name)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            partial = self.folder / f"{_IN_USE}.part"
            partial.write_text(json.dumps({"use": name}), encoding="utf-8")
            partial.replace(self.folder / _IN_USE)
        except OSError as error:
            raise _unwritable(self.folder, error) from None

    def bring_in(self, file: Path, name: str | None = None, replace_old: bool = False) -> TileSet:
        """Store the set in an exported file, under another name if given."""
        tile_set = load_tile_set(file)
        if name is not None:
            tile_set = replace(tile_set, name=checked_name(name))
        self.add(tile_set, replace_old)
        return tile_set

    def stale(self, classifier_sha256: str) -> list[TileSet]:
        """Sets that were fitted on another classifier and are not used until fitted again."""
        return [s for s in self.sets() if s.classifier != classifier_sha256.lower()]

    def refit(self, classifier: Classifier, progress: Progress = no_progress) -> list[TileSet]:
        """Fit every stale set again from its own examples."""
        fresh = []
        for tile_set in self.stale(classifier.sha256):
            fresh.append(refit(tile_set, classifier, progress))
            self.add(fresh[-1], replace_old=True)
        return fresh

    def chooser(self, classifier_sha256: str) -> SetChooser:
        """What a `Reader` takes as `tile_sets`.

        Raises:
            CalibrationError: the set named for use was fitted on another classifier.
        """
        used = self.in_use()
        if used == OFF:
            return SetChooser((), None)
        if used != AUTO:
            pinned = self.get(used)
            if pinned.classifier != classifier_sha256.lower():
                raise stale_error(pinned)
            return SetChooser((pinned,), pinned)
        sets = self.sets()
        fitting = [s for s in sets if s.classifier == classifier_sha256.lower()]
        return SetChooser(tuple(fitting), None, tuple(s.name for s in sets if s not in fitting))

    def state(self) -> tuple[tuple[str, int, int], ...]:
        """Differs after anything here was changed, by whichever program."""
        try:
            found = [(f.name, f.stat()) for f in self.folder.iterdir() if f.suffix != ".part"]
        except OSError:
            return ()
        return tuple(sorted((name, stat.st_mtime_ns, stat.st_size) for name, stat in found))

    def by_key(self, key: str) -> TileSet:
        """The set whose `key_of` is `key` (CalibrationError when there is none)."""
        for tile_set in self.sets():
            if key_of(tile_set.name) == key:
                return tile_set
        raise CalibrationError.of(
            "unknown_set", "没有这副牌具。", "There is no such set; it may have been removed."
        )

    def _file(self, name: str) -> Path:
        """A file name that any file system takes, whatever the set is called."""
        return self.folder / f"{key_of(name)}{SUFFIX}"

    def _need(self, name: str) -> None:
        if self._file(name).exists():
            return
        names = "、".join(s.name for s in self.sets()) or "（还没有）"
        known = ", ".join(s.name for s in self.sets()) or "none yet"
        raise CalibrationError.of(
            "unknown_set",
            f"没有名为“{name}”的牌具。现有：{names}。",
            f"There is no set called {name!r}. There are: {known}.",
        )


def key_of(name: str) -> str:
    """A word of 16 letters and digits that stands for a set's name in file names and addresses."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def write_training_crops(tile_set: TileSet, folder: Path) -> int:
    """Write the set's tiles as `folder/crops/<tile>/*.jpg`, as `models.sources` reads them.

    Only for sets whose owner agreed. Nothing but the tiles and dice themselves is written.

    Returns:
        How many pictures were written.
    """
    stem = key_of(tile_set.name)[:8]
    count = 0
    for number, example in enumerate(tile_set.examples):
        if example.tile not in CLASSES:
            continue
        place = folder / "crops" / example.tile
        place.mkdir(parents=True, exist_ok=True)
        file = place / f"set_{stem}_{number:03d}.jpg"
        if not cv2.imwrite(str(file), example.patch.tile, [cv2.IMWRITE_JPEG_QUALITY, 92]):
            raise OSError(f"cannot write {file}")
        count += 1
    return count


def stale_error(tile_set: TileSet) -> CalibrationError:
    """The set belongs to another version of the classifier."""
    return CalibrationError.of(
        "set_stale",
        f"牌具“{tile_set.name}”是用另一版识别模型校准的。运行 zhuowu sets refit 重新拟合即可，"
        "不必重拍。",
        f"The set {tile_set.name!r} was calibrated with another version of the classifier. Run "
        "zhuowu sets refit; no new photo is needed.",
    )


def _unwritable(folder: Path, error: OSError) -> CalibrationError:
    return CalibrationError.of(
        "not_writable",
        f"无法写入 {folder}（{error.strerror}）。请检查权限和磁盘空间。",
        f"Cannot write to {folder} ({error.strerror}). Check permissions and disk space.",
    )
