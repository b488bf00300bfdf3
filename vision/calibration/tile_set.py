"""A tile set that was taught, and its file: arrays, small pictures and JSON in one `.npz`."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from vision.calibration.blank import BLANK_AT, uncover_blanks
from vision.calibration.choice import Figures
from vision.calibration.errors import CalibrationError
from vision.calibration.examples import Example
from vision.calibration.head import FACE_COUNT, Head
from vision.calibration.match import Pictures, pictures_of
from vision.calibration.others import GROUP_COUNT, OthersFigures, OthersHead
from vision.calibration.pace import Memory
from vision.calibration.shape import Shape, packed_shape, unpacked_shape
from vision.calibration.standing import standing
from vision.calibration.views import PATCH_SIDE, Patch
from vision.opencv import cv2
from vision.values import BACK, CLASSES, DICE, FACES

FORMAT = 1
LARGEST_FILE = 2 * 1024 * 1024
LONGEST_NAME = 60
MOST_EXAMPLES = 240
_JPEG = 85
_MOST_UNPACKED = 16 * 1024 * 1024


@dataclass(frozen=True, eq=False)
class TileSet:
    """One taught set.

    Attributes:
        name: What its owner calls it.
        classifier: SHA-256 of the classifier it was fitted on.
        examples: The labelled tiles it was taught with; a new classifier is taught with them too.
        head: The change to the classifier's answers; None where the general ones are as good.
        prototypes: m x d unit feature vectors of its faces, by which it is recognised.
        figures: How well its looks are read without and with the head.
        others: The change for backs and dice; None where none was shown or none is needed.
        others_figures: The same for backs and dice; None where none was shown.
        consent: Its owner lets its pictures be used to train the general model.
        shape: Its faces as they look in print; None in files of earlier versions that did without.
        believed: Class indices of the names that the general classifier is believed where it is
            sure (`standing`); none in files of earlier versions.
    """

    name: str
    classifier: str
    examples: tuple[Example, ...]
    head: Head | None
    prototypes: np.ndarray
    figures: Figures
    others: OthersHead | None = None
    others_figures: OthersFigures | None = None
    consent: bool = False
    shape: Shape | None = None
    believed: tuple[int, ...] = ()

    @property
    def helps(self) -> bool:
        """Whether it changes any answer."""
        if self.head is not None or self.others is not None:
            return True
        return self.shape is not None and (self.shape.helps or self._blank)

    @property
    def _blank(self) -> bool:
        """Whether its white dragon is blank, and so may be taken for a back.

        Where backs were taught too, what was learnt of them decides.
        """
        if self.pictures is None or any(e.tile == BACK for e in self.examples):
            return False
        return BLANK_AT in self.pictures.blank

    def adjust(
        self, answers: np.ndarray, features: np.ndarray, crops: np.ndarray | None = None
    ) -> np.ndarray:
        """The general classifier's answers as this set corrects them.

        Args:
            answers: n x classes.
            features: n x d, of the same crops.
            crops: The crops, n x side x side x 3 BGR; without them the prints are not compared.
        """
        if self.head is not None:
            answers = self.head.adjust(answers, features)
        if self.shape is not None and crops is not None:
            answers = self.shape.adjust(answers, crops)
        if self.others is not None:
            answers = self.others.adjust(answers, features)
        return answers

    def stands(self, general: np.ndarray) -> np.ndarray:
        """Which of the general classifier's answers to upright crops (n x classes) are not to be
        changed; n booleans.
        """
        return standing(general, self.believed)

    @cached_property
    def pictures(self) -> Pictures | None:
        """Its faces, ready to be compared stroke by stroke; None when it has none."""
        return pictures_of(self.examples)

    def settle(
        self,
        answers: np.ndarray,
        crops: np.ndarray,
        sizes: np.ndarray | None = None,
        stands: np.ndarray | None = None,
        memory: Memory | None = None,
        cuts: np.ndarray | None = None,
    ) -> np.ndarray:
        """The answers once more, after all turns were looked at: by strokes, and blank faces.

        Args:
            answers: n x classes.
            crops: The upright crops, n x side x side x 3 BGR.
            sizes: n x 2, width and height of the boxes that were cut out, pixels of the photo.
            stands: n booleans: what is not to be changed (`stands`); by default anything may be.
            memory: Of a film: what was found before counts, and few new faces are looked at.
            cuts: n x 4 booleans, which sides of the boxes the photo's border cuts.
        """
        if self.shape is None or self.pictures is None:
            return answers
        if self.shape.closer:
            answers = self.shape.settle(
                answers, crops, self.pictures, sizes, stands, memory, cuts, not self.believed
            )
        if self._blank:
            answers = uncover_blanks(answers, crops, self.shape.outline)
        return answers

    def to_json(self) -> dict[str, Any]:
        """What a person or a page wants to know about it."""
        shown = {e.tile for e in self.examples}
        kinds = shown & set(FACES)
        return {
            "name": self.name,
            "kinds": len(kinds),
            "examples": len(self.examples),
            "classifier": self.classifier,
            "helps": self.helps,
            "figures": asdict(self.figures),
            "backs": BACK in shown,
            "dice": len(shown & set(DICE)),
            "others": asdict(self.others_figures) if self.others_figures else None,
            "consent": self.consent,
        }

    def packed(self) -> bytes:
        """The content of its file, at most `LARGEST_FILE` bytes.

        Raises:
            CalibrationError: it is larger.
        """
        arrays: dict[str, np.ndarray] = {"prototypes": self.prototypes.astype(np.float16)}
        if self.head is not None:
            arrays["mean"] = self.head.mean.astype(np.float16)
            arrays["weights"] = self.head.weights.astype(np.float16)
        if self.others is not None:
            arrays["others_mean"] = self.others.mean.astype(np.float16)
            arrays["others_weights"] = self.others.weights.astype(np.float16)
        if self.shape is not None:
            arrays |= packed_shape(self.shape)
        pictures = [_encoded(example.patch) for example in self.examples]
        arrays["pictures"] = np.frombuffer(b"".join(pictures), np.uint8)
        about = {
            "format": FORMAT,
            "name": self.name,
            "classifier": self.classifier,
            "figures": asdict(self.figures),
            "others": asdict(self.others_figures) if self.others_figures else None,
            "consent": self.consent,
            "within_faces": self.head is not None and self.head.within_faces,
            "keeps_backs": self.head is not None and self.head.keeps_backs,
            "believed": [FACES[kind] for kind in self.believed],
            "examples": [
                {"tile": e.tile, "size": [round(v, 2) for v in e.patch.size], "photo": e.photo,
                 "bytes": len(picture)}
                for e, picture in zip(self.examples, pictures, strict=True)
            ],
        }  # fmt: skip
        arrays["about"] = np.frombuffer(json.dumps(about).encode("utf-8"), np.uint8)
        out = io.BytesIO()
        np.savez_compressed(out, **arrays)  # type: ignore[arg-type]
        if out.tell() > LARGEST_FILE:
            raise CalibrationError.of(
                "set_too_large",
                f"这副牌的样例太多（{len(self.examples)} 张），文件超过 2 MB。请少用几张照片。",
                f"Too many examples ({len(self.examples)}): the set's file would be larger than "
                "2 MB. Use fewer photos.",
            )
        return out.getvalue()

    def save(self, file: Path) -> None:
        """Write its file whole or not at all (OSError when that is not possible)."""
        content = self.packed()
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, partial = tempfile.mkstemp(dir=file.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(content)
            Path(partial).replace(file)
        except BaseException:
            Path(partial).unlink(missing_ok=True)
            raise


def load_tile_set(file: Path) -> TileSet:
    """Read a set's file; nothing in it is ever executed (no pickles).

    Raises:
        CalibrationError: there is no such file, or it is no whole file of a set.
    """
    try:
        size = file.stat().st_size
        content = file.read_bytes() if size <= LARGEST_FILE else b""
    except FileNotFoundError:
        raise CalibrationError.of(
            "set_missing",
            f"没有这个文件：{file.name}。请检查路径。",
            f"There is no file {file.name}. Check the path.",
        ) from None
    except OSError as error:
        raise _broken(file.name, error.strerror or str(error)) from None
    if size > LARGEST_FILE:
        raise _broken(file.name, "larger than 2 MB")
    return unpack_tile_set(content, file.name)


def unpack_tile_set(content: bytes, name: str = "set") -> TileSet:
    """The set in the content of its file, which is called `name` in what goes wrong.

    Raises:
        CalibrationError: it is no whole file of a set.
    """
    try:
        if len(content) > LARGEST_FILE:
            raise ValueError("larger than 2 MB")
        return _unpacked(content)
    except Exception as error:  # noqa: BLE001 - zip, zlib and JPEG raise anything on damage
        raise _broken(name, str(error)) from None


def _broken(name: str, why: str) -> CalibrationError:
    return CalibrationError.of(
        "set_broken",
        f"{name} 不是完整的牌具文件（{why}）。请重新导出，或重新拍照校准。",
        f"{name} is no whole tile-set file ({why}). Export it again, or calibrate from a photo "
        "again.",
    )


def _unpacked(content: bytes) -> TileSet:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        if sum(part.file_size for part in packed.infolist()) > _MOST_UNPACKED:
            raise ValueError("it unpacks to too much")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        about = json.loads(bytes(arrays["about"]).decode("utf-8"))
        if about["format"] != FORMAT:
            raise ValueError(f"format {about['format']}, this program knows {FORMAT}")
        head = None
        if "weights" in arrays.files:
            head = Head(
                arrays["mean"].astype(np.float32),
                arrays["weights"].astype(np.float32),
                bool(about["within_faces"]),
                about.get("keeps_backs") is True,
            )
            if head.weights.shape != (FACE_COUNT + 1, len(head.mean)):
                raise ValueError(f"weights of shape {head.weights.shape}")
        others = None
        if "others_weights" in arrays.files:
            others = OthersHead(
                arrays["others_mean"].astype(np.float32),
                arrays["others_weights"].astype(np.float32),
            )
            if others.weights.shape != (GROUP_COUNT, len(others.mean)):
                raise ValueError(f"weights of shape {others.weights.shape}")
        shape = unpacked_shape(arrays)
        prototypes = arrays["prototypes"].astype(np.float32)
        both = [part for part in (head, others) if part is not None]
        for array in (prototypes, *(a for part in both for a in (part.mean, part.weights))):
            if not np.isfinite(array).all():
                raise ValueError("numbers that are none")
        examples = _examples(about["examples"], bytes(arrays["pictures"]))
    name = checked_name(str(about["name"]))
    told = about.get("others")
    return TileSet(
        name,
        str(about["classifier"]),
        examples,
        head,
        prototypes,
        Figures(**about["figures"]),
        others,
        OthersFigures(**told) if told else None,
        about.get("consent") is True,
        shape,
        tuple(FACES.index(tile) for tile in about.get("believed", [])),
    )


def checked_name(name: str) -> str:
    """`name` without outer blanks.

    Raises:
        CalibrationError: it is empty, too long, or holds control characters.
    """
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise CalibrationError.of(
            "bad_name",
            f"牌具名称要有 1 到 {LONGEST_NAME} 个可见字符。",
            f"A set's name has 1 to {LONGEST_NAME} printable characters.",
        )
    return name


def _encoded(patch: Patch) -> bytes:
    return bytes(cv2.imencode(".jpg", patch.pixels, [cv2.IMWRITE_JPEG_QUALITY, _JPEG])[1])


def _examples(entries: list[dict[str, Any]], pictures: bytes) -> tuple[Example, ...]:
    out, at = [], 0
    if len(entries) > MOST_EXAMPLES:
        raise ValueError(f"{len(entries)} examples")
    for entry in entries:
        part = np.frombuffer(pictures[at : at + int(entry["bytes"])], np.uint8)
        at += int(entry["bytes"])
        pixels = cv2.imdecode(part, cv2.IMREAD_COLOR) if len(part) else None
        if pixels is None or pixels.shape != (PATCH_SIDE, PATCH_SIDE, 3):
            raise ValueError("a broken picture")
        if entry["tile"] not in (*CLASSES, "none"):
            raise ValueError(f"an unknown tile {entry['tile']!r}")
        width, height = (min(max(float(v), 8.0), float(PATCH_SIDE)) for v in entry["size"])
        patch = Patch(np.asarray(pixels), (width, height))
        out.append(Example(str(entry["tile"]), patch, int(entry["photo"])))
    return tuple(out)
