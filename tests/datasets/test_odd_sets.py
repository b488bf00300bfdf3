"""Odd sets: a calibration photo shows each kind once, in the guided order; trials are readable."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.odd_sets import DESIGNS, GUIDED_ROWS, laid_out, odd_set, write_trial
from datasets.scene_types import FACES
from models.measure import load_yardstick


@pytest.mark.parametrize("design", DESIGNS)
def test_every_face_of_an_odd_set_differs_from_every_other(design: str) -> None:
    tiles = odd_set(design)
    faces = [tiles.face(face)[0].astype(int) for face in FACES]
    for i, one in enumerate(faces):
        for other in faces[i + 1 :]:
            assert np.abs(one - other).mean() > 0.5


def test_an_unknown_design_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="letters, dark, worn, emblems"):
        odd_set("pretty")


def test_the_laid_out_photo_shows_each_kind_once_in_the_guided_order() -> None:
    scene = laid_out(odd_set("emblems"), size=640)
    assert sorted(o.tile for o in scene.objects) == sorted(FACES)
    assert min(o.visible for o in scene.objects) > 0.99
    for row in GUIDED_ROWS:
        found = [next(o for o in scene.objects if o.tile == tile) for tile in row]
        assert [o.tile for o in sorted(found, key=lambda o: o.box[0])] == list(row)


def test_a_trial_folder_reads_as_a_yardstick(tmp_path: Path) -> None:
    assert write_trial(tmp_path, ("worn",), photos=1) == 2
    guided, other = load_yardstick(tmp_path)
    assert guided.tags == ("guided",)
    assert len(guided.labels) == 34
    assert other.source == "odd-worn-0"
    assert other.file.exists()
