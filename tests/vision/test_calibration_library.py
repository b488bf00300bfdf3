"""What the library does for a page: keys, changes by other programs, films, consent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.calibration import CalibrationError, Example, TileSet, TileSetLibrary, key_of
from vision.calibration.choice import Figures
from vision.calibration.chooser import REMEMBERED, FollowingChooser, SetChooser
from vision.calibration.others import GROUP_COUNT, OthersFigures, OthersHead
from vision.calibration.tile_set import load_tile_set
from vision.calibration.views import PATCH_SIDE, Patch
from vision.values import CLASSES, FACES

DIMENSIONS = 80
PATCH = Patch(np.full((PATCH_SIDE, PATCH_SIDE, 3), 90, np.uint8), (60.0, 80.0))


def prototypes(turn: float = 0.0) -> np.ndarray:
    """One axis a kind; another set's lie `turn` radians away."""
    out = np.zeros((34, DIMENSIONS), np.float32)
    out[np.arange(34), np.arange(34)] = np.cos(turn)
    out[np.arange(34), np.arange(34) + 40] = np.sin(turn)
    return out


def a_set(name: str, turn: float = 0.0) -> TileSet:
    return TileSet(
        name,
        "a" * 64,
        tuple(Example(tile, PATCH) for tile in (*FACES, "back", "die3")),
        None,
        prototypes(turn),
        Figures(1, 0.9, 0.95, 0.01, "look"),
        OthersHead(np.zeros(DIMENSIONS, np.float32), np.ones((GROUP_COUNT, DIMENSIONS))),
        OthersFigures(0.5, 0.75),
    )


def answers(count: int, named: int = 0) -> np.ndarray:
    out = np.full((count, 42), 0.1 / 41)
    out[:, named] = 0.9
    return out


def test_what_was_learnt_of_backs_and_dice_and_the_consent_survive_the_file(
    tmp_path: Path,
) -> None:
    one = replace(a_set("home"), consent=True)
    one.save(tmp_path / "home.zwset")
    back = load_tile_set(tmp_path / "home.zwset")
    assert back.consent
    assert back.helps
    assert back.others_figures == OthersFigures(0.5, 0.75)
    assert back.others is not None
    assert np.allclose(back.others.weights, 1)
    told = back.to_json()
    assert (told["backs"], told["dice"], told["consent"]) == (True, 1, True)
    replace(one, consent=False, others=None).save(tmp_path / "home.zwset")
    again = load_tile_set(tmp_path / "home.zwset")
    assert not again.consent
    assert not again.helps


def test_a_set_is_found_by_its_key_and_changes_are_noticed(tmp_path: Path) -> None:
    mine, other = TileSetLibrary(tmp_path / "sets"), TileSetLibrary(tmp_path / "sets")
    assert mine.state() == ()
    mine.add(a_set("厨房/kitchen"))
    first = mine.state()
    assert first
    assert mine.by_key(key_of("厨房/kitchen")).name == "厨房/kitchen"
    with pytest.raises(CalibrationError, match="no such set"):
        mine.by_key("0" * 16)
    other.use("none")
    assert mine.state() != first, "another program chose not to use any set"


def test_a_wall_of_backs_does_not_hide_which_set_it_is() -> None:
    """Prototypes are of faces: thirty backs beside three faces say nothing against the set."""
    home = a_set("home")
    chooser = SetChooser((home, a_set("away", 1.2)), None)
    said = np.concatenate([answers(4), answers(30, CLASSES.index("back"))])
    strange = np.random.default_rng(1).normal(size=(30, DIMENSIONS))
    assert chooser.choose(said, np.concatenate([prototypes()[:4], strange])) is not None
    assert chooser.chosen is home


def test_a_film_remembers_its_set_from_look_to_look() -> None:
    """A look that shows one tile is no evidence by itself; what came before is."""
    sets = (a_set("home"), a_set("away", 1.2))
    photo, film = SetChooser(sets, None), FollowingChooser(sets, None)
    one = (answers(1), prototypes()[5:6])
    assert photo.choose(*one) is None
    for _ in range(3):
        film.choose(*one)
    assert film.chosen is sets[0]
    film.choose(answers(2, CLASSES.index("back")), np.ones((2, DIMENSIONS)))
    assert film.chosen is sets[0], "a look at nothing but backs changes nothing"
    for kind in range(REMEMBERED):
        film.choose(answers(1), prototypes(1.2)[kind % 34 : kind % 34 + 1])
    assert film.chosen is sets[1], "another set has been laid out"
    assert photo.following().chosen is None


def test_threads_learn_of_their_own_photo() -> None:
    import threading

    sets = (a_set("home"), a_set("away", 1.2))
    chooser = SetChooser(sets, None)
    chooser.choose(answers(8), prototypes()[:8])
    found: list[TileSet | None] = []

    def elsewhere() -> None:
        chooser.choose(answers(8), prototypes(1.2)[:8])
        found.append(chooser.chosen)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert found == [sets[1]]
    assert chooser.chosen is sets[0]
