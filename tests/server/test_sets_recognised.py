"""Several stored sets: the one in the picture is recognised, in a photo and at a watched table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.odd_sets import GUIDED_ROWS, OneSetScenes, laid_out, odd_set
from datasets.scene import SceneGenerator
from server.config import Config
from server.reading_service import ReadingService
from server.tile_sets import FOLDER, LOOK_AGAIN_S
from vision.calibration import Example, TileSet, TileSetLibrary, gather
from vision.calibration.choice import Figures
from vision.calibration.outline import first_corner, fit_outline
from vision.calibration.shape import Shape
from vision.calibration.views import plain_view, views_of
from vision.opencv import cv2
from vision.photo import Photo
from vision.values import FACES

TILES = [tile for row in GUIDED_ROWS for tile in row]
DESIGNS = ("letters", "emblems")


def prototypes(examples: list[Example], service: ReadingService) -> np.ndarray:
    """The mean direction of each face's features over its quarter turns."""
    classifier = service.reader().classifier
    means = []
    for tile in FACES:
        patch = next(e.patch for e in examples if e.tile == tile)
        plain = plain_view(patch, classifier.side)
        features = classifier.look(np.stack([np.rot90(plain, k) for k in range(4)]))[1]
        mean = (features / np.linalg.norm(features, axis=1, keepdims=True)).mean(axis=0)
        means.append(mean / np.linalg.norm(mean))
    return np.asarray(means, np.float32)


def outline(examples: list[Example], side: int) -> Shape:
    """Where faces lie in crops, learnt from a few looks at each tile; the names stay untouched."""
    faces = [e.patch for e in examples if e.tile in FACES]
    looks = [
        views_of(p, [q for q in faces if q is not p], side, 12, np.random.default_rng(number))
        for number, p in enumerate(faces)
    ]
    crops = np.concatenate([one.pictures for one in looks])
    corners = (np.concatenate([one.corners for one in looks]) + 0.5) / side
    half = np.arange(len(crops)) % 2 == 0
    return Shape(fit_outline(crops, first_corner(corners)[0], [half, ~half])[0], None)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> ReadingService:
    """The shipped models, and two odd sets stored as they lie in their guided photos."""
    config = Config(data_folder=tmp_path_factory.mktemp("data"))
    made = ReadingService(config)
    made.start()
    assert made.wait_until_loaded(240)
    if made.state == "failed":
        pytest.skip("no usable models in models/")
    library = TileSetLibrary(config.data_folder / FOLDER)
    reader = made.reader()
    for design in DESIGNS:
        photo = Photo(laid_out(odd_set(design), seed=2).image, design)
        examples = gather(reader, photo, TILES)
        figures = Figures(1, 1, 1, 0, "look")
        features, sha256 = prototypes(examples, made), reader.classifier.sha256
        shape = outline(examples, reader.classifier.side)
        library.add(TileSet(design, sha256, tuple(examples), None, features, figures, shape=shape))
    made.sets_changed()  # the folder was looked at a moment ago, while the last set was gathered
    return made


def scene(design: str) -> np.ndarray:
    """A hand on a table that neither guided photo shows."""
    return np.asarray(OneSetScenes(odd_set(design), 3).scene_at(0, "hand", 960).image)


def jpeg(pixels: np.ndarray) -> bytes:
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())


@pytest.mark.parametrize("design", DESIGNS)
def test_the_set_in_a_photo_is_recognised(service: ReadingService, design: str) -> None:
    assert service.read(jpeg(scene(design)), "hand").tile_set == design


def test_a_photo_of_neither_set_is_taken_for_none(service: ReadingService) -> None:
    other = SceneGenerator(5).scene_at(1, "hand", 960).image
    assert service.read(jpeg(other), "hand").tile_set is None


@pytest.mark.parametrize("design", DESIGNS)
def test_the_set_on_a_watched_table_is_recognised_from_parts_of_frames(
    service: ReadingService, design: str
) -> None:
    """The live table reads halves of the frame; what one half says is remembered for the next."""
    pixels = scene(design)
    height, width = pixels.shape[:2]
    look = service.look(60)
    for left in (0, width // 3):
        look(pixels, (left, 0, left + 2 * width // 3, height), True)
    chosen = look._reader.tile_sets.chosen  # type: ignore[union-attr]
    assert chosen is not None
    assert chosen.name == design
    # A part without tiles says nothing, and a photo read meanwhile is another matter.
    service.read(jpeg(scene(DESIGNS[1 - DESIGNS.index(design)])), "other")
    look(np.full((240, 320, 3), 60, np.uint8), (0, 0, 320, 240), False)
    assert look._reader.tile_sets.chosen is chosen  # type: ignore[union-attr]


def test_a_set_removed_or_not_wanted_counts_no_more(service: ReadingService) -> None:
    library = TileSetLibrary(service._config.data_folder / FOLDER)
    try:
        library.use("none")
        service.sets_changed()
        assert service.read(jpeg(scene("letters")), "hand").tile_set is None
        library.use("emblems")
        service.sets_changed()
        assert service.read(jpeg(scene("letters")), "hand").tile_set == "emblems", "always that one"
    finally:
        library.use("auto")
        service.sets_changed()


def test_sets_taught_by_another_program_count_within_a_moment(
    service: ReadingService, tmp_path: Path
) -> None:
    """`zhuowu calibrate` beside a running page: no word to the server is needed."""
    folder = service._config.data_folder / FOLDER
    file = next(folder.glob("*.zwset"))
    moved = file.rename(tmp_path / file.name)
    gone = TileSetLibrary(folder).sets()
    assert len(gone) == 1
    assert service._sets is not None
    service._sets._looked -= LOOK_AGAIN_S  # a second later
    left = gone[0].name
    other = DESIGNS[1 - DESIGNS.index(left)]
    try:
        assert service.read(jpeg(scene(other)), "hand").tile_set is None
    finally:
        moved.rename(file)
        service.sets_changed()
    assert service.read(jpeg(scene(other)), "hand").tile_set == other
