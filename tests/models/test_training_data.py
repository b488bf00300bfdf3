"""Training pictures: labels follow the pixels, and what is unlabelled teaches nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.augment import about_pixel_centres, move_boxes, placement
from models.crop_data import CropData
from models.detector_data import STRIDE, DetectorData
from models.recipe import RECIPE_FILE, RecipeError, load_recipe
from models.sources import BACK, NONE, Labelled, scene_files, tile_photos


def picture(tmp_path: Path, faces_only: bool = True, known=(0.0, 0.0, 1.0, 1.0)) -> Labelled:
    """A grey picture with one pure red rectangle, which is its only label."""
    image = np.full((300, 400, 3), 90, np.uint8)
    image[120:180, 150:195] = (0, 0, 255)
    file = tmp_path / "red.png"
    cv2.imwrite(str(file), image)
    box = np.array([[4, 150 / 400, 120 / 300, 195 / 400, 180 / 300]], np.float32)
    return Labelled(file, box, known, np.zeros((0, 4), np.float32), faces_only)


def test_boxes_move_with_the_pixels() -> None:
    """The label of a rectangle is the bounding box of the same rectangle after the move."""
    rng = np.random.default_rng(5)
    image = np.zeros((300, 400, 3), np.uint8)
    image[120:180, 150:195] = 255
    boxes = np.array([[0, 150, 120, 195, 180]], np.float32)
    compared = 0
    for _ in range(60):
        matrix = placement((300, 400), (150, 120, 195, 180), 256, rng)
        moved, _ = move_boxes(boxes, matrix, 256)
        if not len(moved):
            continue
        warped = cv2.warpAffine(image, about_pixel_centres(matrix), (256, 256))
        rows, columns = np.nonzero(warped[..., 0] > 127)
        seen = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
        np.testing.assert_allclose(moved[0, 1:], seen, atol=3)
        compared += 1
    assert compared > 20


def test_a_tile_is_never_mirrored() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        matrix = placement((300, 400), (10, 10, 300, 200), 320, rng)
        assert np.linalg.det(matrix[:, :2]) > 0


def test_same_number_same_picture(tmp_path: Path) -> None:
    data = DetectorData([(1.0, [picture(tmp_path)])], 7, 640, 0.2, 1, 0)
    first, again, other = data.sample(3, 256), data.sample(3, 256), data.sample(4, 256)
    assert np.array_equal(first.image, again.image)
    assert np.array_equal(first.boxes, again.boxes)
    assert not np.array_equal(first.image, other.image)


def test_outside_the_labelled_region_nothing_is_background(tmp_path: Path) -> None:
    """Cells far from the hull are unknown; the cells of the label itself are known."""
    item = picture(tmp_path, known=(0.35, 0.36, 0.51, 0.63))
    data = DetectorData([(1.0, [item])], 1, 640, 0.0, 1, 0)
    checked = 0
    for number in range(40):
        sample = data.sample(number, 256)
        if not len(sample.boxes):
            continue
        _, x, y, _, _ = sample.boxes[0]
        assert sample.known[int(y * 256 / STRIDE), int(x * 256 / STRIDE)]
        checked += not sample.known.all()
    assert checked > 20


def test_dice_come_in_other_colours_and_tiles_do_not(tmp_path: Path) -> None:
    """The number of pips names a die in any colour; red and green are part of a tile's name."""
    tile = picture(tmp_path, faces_only=False)
    die = replace(tile, boxes=tile.boxes + np.array([[BACK + 2, 0, 0, 0, 0]], np.float32))
    assert die.only_dice()
    assert not tile.only_dice()
    blue = []
    for item in (tile, die):
        data = DetectorData([(1.0, [item])], 3, 640, 0.0, 1, 0, recoloured=0.4)
        seen = 0
        for number in range(60):
            sample = data.sample(number, 128)
            for _, x, y, _, _ in sample.boxes:
                r, _, b = (int(v) for v in sample.image[int(y * 128), int(x * 128)])
                seen += b > r + 40
        blue.append(seen)
    assert blue[0] == 0
    assert blue[1] > 3


def test_scenes_join_only_after_their_step(tmp_path: Path) -> None:
    photo = picture(tmp_path, faces_only=True)
    scene = picture(tmp_path, faces_only=False)
    data = DetectorData([(0.5, [photo]), (0.5, [scene])], 1, 640, 0.0, 1, 50)
    early = {bool(data.sample(n, 128).bare.all()) for n in range(50)}
    late = {bool(data.sample(n, 128).bare.all()) for n in range(50, 100)}
    assert early == {False}
    assert late == {True, False}


def test_crops_hold_their_tile(tmp_path: Path) -> None:
    """A crop of the red rectangle is mostly red in the middle; a negative is not."""
    item = picture(tmp_path, faces_only=False)
    data = CropData([item], [], [item], [], (0.5, 0, 0, 0, 0.5), 96, 1, 640)
    kinds = set()
    for number in range(80):
        crop, kind = data.sample(number)
        assert crop.shape == (96, 96, 3)
        middle = crop[40:56, 40:56].reshape(-1, 3).astype(float).mean(0)
        kinds.add(kind)
        if kind == 4:
            assert middle[0] >= middle[1] - 40
    assert kinds == {4, NONE}


def test_dice_are_named_small_and_in_other_colours_as_often_as_asked(tmp_path: Path) -> None:
    tile = picture(tmp_path, faces_only=False)
    die = replace(tile, boxes=tile.boxes + np.array([[BACK + 2, 0, 0, 0, 0]], np.float32))

    def crops(**shares: float) -> list[np.ndarray]:
        data = CropData([], [die], [], [], (0, 1, 0, 0, 0), 96, 1, 640, **shares)
        return [data.sample(number)[0][40:56, 40:56].astype(int) for number in range(40)]

    def bluish(middles: list[np.ndarray]) -> int:
        return sum(m[..., 2].mean() > m[..., 0].mean() + 40 for m in middles)

    assert bluish(crops()) == 0
    assert bluish(crops(recoloured=1.0)) > 3
    stripes = np.zeros((240, 320, 3), np.uint8)
    stripes[:, np.arange(320) // 2 % 2 == 0] = 255
    cv2.imwrite(str(die.path), stripes)  # finer than what is left of them when seen small
    near, far = (np.median([m.std() for m in crops(far=share)]) for share in (0.0, 1.0))
    assert far < 0.6 * near


def test_the_shipped_recipe_loads() -> None:
    recipe = load_recipe()
    shares = recipe.detector.photos + recipe.detector.dice_photos + recipe.detector.scenes
    assert shares == pytest.approx(1.0)


def test_an_unknown_setting_is_refused_with_the_nearest(tmp_path: Path) -> None:
    text = RECIPE_FILE.read_text("utf-8").replace("mosaic =", "mosiac =")
    file = tmp_path / "recipe.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(RecipeError, match="did you mean 'mosaic'"):
        load_recipe(file)


def test_a_looked_at_background_is_known_but_for_its_suspects(tmp_path: Path) -> None:
    """Outside the labelled hull only what may be an unlabelled tile stays unknown."""
    folder = tmp_path / "train"
    for name in ("images", "labels"):
        (folder / name).mkdir(parents=True)
    for name in ("a", "b"):
        cv2.imwrite(str(folder / "images" / f"{name}.jpg"), np.full((80, 80, 3), 99, np.uint8))
        (folder / "labels" / f"{name}.txt").write_text("3 0.5 0.5 0.2 0.2\n")
    (folder / "manifest.json").write_text('{"a.jpg": {"ignore": [[0.9, 0.9, 1, 1]]}, "b.jpg": {}}')
    looked_at = tmp_path / "backgrounds.json"
    looked_at.write_text(
        '{"a.jpg": {"unsure": [[0, 0, 0.1, 0.1]], "backs": [[0.7, 0.1, 0.8, 0.2]]}}'
    )
    a, b = tile_photos(tmp_path, looked_at)
    assert a.known == (0, 0, 1, 1)
    assert a.ignore == pytest.approx(np.array([[0.9, 0.9, 1, 1], [0, 0, 0.1, 0.1]]))
    assert b.known == pytest.approx((0.385, 0.385, 0.615, 0.615))
    assert len(b.ignore) == 0
    assert a.boxes[:, 0].tolist() == [3, BACK]
    assert b.boxes[:, 0].tolist() == [3]


def test_backs_are_missed_only_where_there_is_surely_none(tmp_path: Path) -> None:
    """A photo labels faces only: no back is "not there" but in its bare regions."""
    item = replace(picture(tmp_path), bare=np.array([[0.0, 0.0, 0.5, 1.0]], np.float32))
    data = DetectorData([(1.0, [item])], 1, 640, 0.0, 1, 0)
    shares = []
    for number in range(30):
        sample = data.sample(number, 256)
        assert not (sample.bare & ~sample.known).any()
        shares.append(sample.bare.mean())
    assert min(shares) < 0.6 < 1.0
    assert max(shares) > 0.3
    blind = DetectorData([(1.0, [picture(tmp_path)])], 1, 640, 0.0, 1, 0)
    # The same picture without bare regions: only the grey around it is bare.
    assert all(blind.sample(n, 256).bare.sum() < data.sample(n, 256).bare.sum() for n in range(30))


def test_scenes_may_lie_in_several_folders(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        cv2.imwrite(str(tmp_path / name / "1_000000.jpg"), np.zeros((32, 32, 3), np.uint8))
        np.save(tmp_path / name / "1_000000.npy", np.array([[5, 0.5, 0.5, 0.5, 0.5]], np.float32))
    folders = [tmp_path / "a", tmp_path / "none", tmp_path / "b"]
    found = scene_files(folders)
    assert [f.path.parent.name for f in found] == ["a", "b"]
    assert found[0].boxes == pytest.approx(np.array([[5, 0.25, 0.25, 0.75, 0.75]]))
    assert len(scene_files(tmp_path / "b")) == 1
