"""Where it is open which stored set lies there, the reading says so and an answer settles it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from server.app import create_app
from server.config import Config
from server.live_hub import LiveHub
from server.reading_service import ReadingService
from server.tile_sets import FOLDER, NO_SET, FollowedSets, Said
from tests.server.empty_look import Watching
from tests.server.twin_sets import a_set, hand, own_crops
from vision.calibration import TileSetLibrary, key_of
from vision.calibration.chooser import AS_WELL, ASKED_FROM, FITS, MAYBE, SetChooser, taken_for

KITCHEN, CLUB = "厨房 kitchen", "club"
SHA256 = "a" * 64


def sure_faces(count: int) -> np.ndarray:
    return np.tile(np.array([1.0] + [0.0] * 41), (count, 1))


@pytest.fixture(scope="module")
def chooser() -> SetChooser:
    return SetChooser((a_set(KITCHEN, SHA256), a_set(CLUB, SHA256)), None)


def asked(chooser: SetChooser, *fits: float) -> list[str]:
    """Whose names are asked for, if three tiles fit the two sets so well."""
    scores = np.tile(np.array(fits), (3, 1))
    return [one.name for one in chooser._asked(scores, chooser._best(scores, None, True))]


def test_what_may_be_a_set_and_what_fits_two_alike_is_asked(chooser: SetChooser) -> None:
    assert asked(chooser, FITS + 0.3, 0.1) == [], "surely the first"
    assert asked(chooser, 0.1, MAYBE - 0.01) == [], "surely none"
    assert asked(chooser, MAYBE + 0.01, 0.1) == [KITCHEN]
    assert asked(chooser, MAYBE + 0.01, MAYBE + 0.02) == [CLUB, KITCHEN]
    assert asked(chooser, FITS + 0.3, FITS + 0.3 - AS_WELL / 2) == [KITCHEN, CLUB]
    assert asked(chooser, FITS + 0.3, FITS + 0.3 - 2 * AS_WELL) == []
    few = np.tile([MAYBE + 0.1, 0.0], (2, 1))
    assert chooser._asked(few, None) == (), "two tiles say nothing"


def test_nobody_is_asked_where_no_answer_would_change_the_reading(chooser: SetChooser) -> None:
    useless = tuple(replace(one, shape=None) for one in chooser.sets)
    assert asked(SetChooser(useless, None), FITS + 0.3, FITS + 0.3) == []


def test_a_set_of_older_models_that_was_chosen_is_told_and_costs_nobody_the_reader(
    tmp_path: Path,
) -> None:
    library = TileSetLibrary(tmp_path)
    library.add(a_set(KITCHEN, SHA256))
    library.use(KITCHEN)
    sets = FollowedSets(library, "b" * 64)
    assert sets.choose(sure_faces(3), np.zeros((3, 8)), own_crops()[:3]) is None
    assert [note.code for note in sets.notes()] == ["set_stale"]
    assert KITCHEN in sets.notes()[0].en


def test_a_watched_table_is_asked_about_once(tmp_path: Path) -> None:
    library = TileSetLibrary(tmp_path)
    for name in (KITCHEN, CLUB):
        library.add(a_set(name, SHA256))
    crops = own_crops()[:ASKED_FROM]
    sets = FollowedSets(library, SHA256, film=True)
    for look in range(ASKED_FROM):
        sets.choose(sure_faces(len(crops)), np.zeros((len(crops), 8)), crops)
        if look < 2:
            assert not sets.candidates, "a few tiles are too few to ask"
    assert {one.name for one in sets.candidates} == {KITCHEN, CLUB}
    sets.take(None)
    for _ in range(2):
        assert sets.choose(sure_faces(len(crops)), np.zeros((len(crops), 8)), crops) is None
        assert sets.chosen is None
        assert not sets.candidates


def test_what_is_said_of_a_photo_counts_for_what_it_leaves_open(tmp_path: Path) -> None:
    library = TileSetLibrary(tmp_path)
    for name in (KITCHEN, CLUB):
        library.add(a_set(name, SHA256))
    sets = FollowedSets(library, SHA256)
    crops = own_crops()[:3]
    told = {}
    for said in (
        Said(key_of(CLUB)),
        Said(None, frozenset((key_of(CLUB), key_of(KITCHEN)))),
        Said("unknown", frozenset((key_of(KITCHEN),))),
    ):
        with sets.told(said):
            sets.choose(sure_faces(3), np.zeros((3, 8)), crops)
        told[said.key] = (sets.chosen and sets.chosen.name, sets.settled, len(sets.notes()))
    assert told[key_of(CLUB)] == (CLUB, True, 0)
    assert told[None] == (None, True, 0)
    assert told["unknown"][1:] == (False, 1), "nothing was said of the other"


def test_the_table_tells_what_is_asked_and_takes_the_answer(tmp_path: Path) -> None:
    library = TileSetLibrary(tmp_path / FOLDER)
    for name in (KITCHEN, CLUB):
        library.add(a_set(name, SHA256))
    sets = FollowedSets(library, SHA256, film=True)
    config = replace(Config(), data_folder=tmp_path, requests_a_second=10_000)
    service = ReadingService(config)
    hub = LiveHub(config, service, look=lambda wait_s: Watching(sets))
    client = create_app(config, service, hub).test_client()
    assert client.post("/api/live/source", json={"browser": True}).status_code == 200
    early = client.post("/api/live/tile-set", json={"take": key_of(CLUB)})
    assert early.status_code == 409
    crops = own_crops()[:ASKED_FROM]
    for _ in range(ASKED_FROM):
        sets.choose(sure_faces(len(crops)), np.zeros((len(crops), 8)), crops)
    told = client.get("/api/live").json["session"]["set_candidates"]
    assert {one["key"]: one["name"] for one in told} == {key_of(n): n for n in (KITCHEN, CLUB)}
    for body in ({"take": "x"}, {"take": 3}, {"take": NO_SET, "refuse": "x"}):
        assert client.post("/api/live/tile-set", json=body).status_code in (409, 422)
    taken = client.post("/api/live/tile-set", json={"take": key_of(CLUB)})
    assert taken.status_code == 200
    assert taken.json["session"]["set_candidates"] == []
    assert taken.json["session"]["tile_set"]["name"] == CLUB, "told before anything is read again"
    sets.choose(sure_faces(3), np.zeros((3, 8)), crops[:3])
    assert client.get("/api/live").json["session"]["tile_set"]["name"] == CLUB


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """The shipped models, and the set stored twice."""
    config = replace(Config(), data_folder=tmp_path_factory.mktemp("data"))
    service = ReadingService(config)
    service.start()
    assert service.wait_until_loaded(240)
    if service.state == "failed":
        pytest.skip("no usable models in models/")
    library = TileSetLibrary(config.data_folder / FOLDER)
    for name in (KITCHEN, CLUB):
        library.add(a_set(name, service.classifier_sha256()))
    with create_app(config, service).test_client() as made:
        yield made


def read(client: FlaskClient, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = client.post(f"/api/read{query}", data=hand()).json
    return found


def test_a_photo_that_two_sets_fit_is_read_as_one_and_says_so(client: FlaskClient) -> None:
    found = read(client)
    assert {one["name"] for one in found["set_candidates"]} == {KITCHEN, CLUB}
    assert found["tile_set"] in (KITCHEN, CLUB)
    assert found["set_told"] is False
    note = next(one for one in found["notes"] if one["code"] == "which_set")
    assert KITCHEN in note["zh"]
    assert CLUB in note["en"]

    wanted = read(client, f"?set={key_of(CLUB)}")
    assert (wanted["tile_set"], wanted["set_told"]) == (CLUB, True)
    assert all(one["code"] != "which_set" for one in wanted["notes"])
    assert len(wanted["set_candidates"]) == 2, "the page offers to change the answer"


def test_a_set_that_may_be_taken_for_a_stored_one_is_told_when_it_is_taught() -> None:
    """So its owner knows that photos of the two may be mixed up; another set's is not."""
    crops = own_crops()
    answers, features = sure_faces(len(crops)), np.zeros((len(crops), 8))
    assert taken_for((a_set(KITCHEN, SHA256),), answers, features, crops) == KITCHEN
    bare = np.full_like(crops, 128)
    assert taken_for((a_set(KITCHEN, SHA256),), answers, features, bare) is None
    assert taken_for((), answers, features, crops) is None
