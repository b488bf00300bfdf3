"""Films: the same for the same seed, truth that fits the pixels, files that tell the round."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from datasets.film import Film
from datasets.film_camera import Lens, between, film_camera, pushed
from datasets.film_truth import FrameTruth
from datasets.scene_types import FACES, Pixels
from datasets.tile_sets import TileLook
from rules.events import EVENT_TYPES, event_from_json
from rules.round import Round
from server.commands.dataset import command
from vision.opencv import cv2


def _until(film: Film, events: int) -> tuple[Pixels, FrameTruth]:
    """The first frame at rest after so many events of the rules."""
    return next(f for f in film.frames() if f[1].events >= events and f[1].still > 0)


def test_equal_seeds_give_equal_films_and_others_do_not() -> None:
    one, two = (
        list(itertools.islice(Film(7, "seat", short=True, width=160).frames(), 18))
        for _ in range(2)
    )
    for (image, truth), (again, same) in zip(one, two, strict=True):
        assert np.array_equal(image, again)
        assert truth == same
    other, _ = next(Film(8, "seat", short=True, width=160).frames())
    assert not np.array_equal(one[0][0], other)


@pytest.mark.parametrize("view", ["overhead", "seat"])
def test_the_pixels_within_a_truth_quad_show_the_tile_it_names(view: str) -> None:
    film = Film(5, view, short=True, width=960, speed=20)
    image, truth = _until(film, 8)
    _, stage = film._start()
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    right = seen = 0
    for found in truth.objects:
        quad = np.array(found.quad, np.float32)
        wide = np.linalg.norm(quad[1] - quad[0])
        if found.tile not in FACES or wide < 20 or found.visible < 0.95:
            continue
        look = stage.tiles[found.id].look
        assert isinstance(look, TileLook)
        size = (28, 38)
        target = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
        patch = cv2.warpPerspective(grey, cv2.getPerspectiveTransform(quad, target), size)
        scores = {}
        for name in FACES:
            face = replace(look, name=name).texture("face", 40.0)
            small = cv2.resize(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), size)
            scores[name] = np.corrcoef(patch.ravel(), small.ravel())[0, 1]
        right += max(scores, key=scores.__getitem__) == found.tile
        seen += 1
    assert seen >= 5
    assert right / seen > 0.8


def test_truth_knows_seats_roles_and_dice() -> None:
    film = Film(5, "overhead", short=True, width=480, speed=20)
    _, truth = _until(film, 4)
    table = Round.replay(film.round.setup, film.round.events[: truth.events])
    for found in truth.objects:
        x0, y0, x1, y1 = found.box
        assert 0 <= x0 < x1 <= 480
        assert 0 <= y0 < y1 <= 360
        assert not found.moving
        assert found.player == -1 or found.seat
        if found.role == "pond":
            assert found.tile in table.seats[found.player].river
    ponds = [o for o in truth.objects if o.role == "pond"]
    assert len(ponds) == sum(len(seat.river) for seat in table.seats)
    assert [o.tile for o in truth.objects if o.role == "indicator"] == [table.indicator]
    dice = sorted(o.tile for o in truth.objects if o.role == "dice")
    assert dice == sorted(f"die{n}" for n in film.round.setup.opening.dice3)


def test_rolling_dice_have_no_value_and_arms_hide_what_is_below() -> None:
    film = Film(7, "overhead", short=True, width=320)
    frames = [truth for _, truth in itertools.islice(film.frames(), 24)]
    rolling = [o for t in frames for o in t.objects if o.role == "dice" and o.moving]
    assert rolling
    assert {o.tile for o in rolling} == {""}
    at_rest = [t for t in frames if t.rolls == 1 and not any(o.moving for o in t.objects)]
    assert at_rest
    (event,) = [e for e in film.events if e.type == "roll"]
    assert at_rest[0].frame >= event.frame > event.start
    quiet = max(len(t.objects) for t in frames)
    assert any(len(t.objects) < quiet - 1 and t.still == 0 for t in frames)


def test_a_push_moves_the_camera_a_little_and_comes_to_its_end() -> None:
    rng = random.Random(1)
    camera = film_camera("overhead", 13.0, (480, 360), rng)
    after = pushed(camera, rng)
    end = between(camera, after, 1.0)
    assert np.allclose(end.axes, after.axes)
    assert np.allclose(end.position, after.position)
    corners = np.array([(-9.0, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)])
    shift = np.abs(after.project(corners)[0] - camera.project(corners)[0])
    assert 0.5 < shift.max() < 60


def test_the_light_changes_over_time_within_bounds() -> None:
    lens = Lens((160, 120), random.Random(3))
    levels = [lens.brightness(t / 4) for t in range(800)]
    assert levels[0] == 1.0
    assert min(levels) >= 0.7
    assert max(levels) <= 1.15
    assert max(levels) - min(levels) > 0.1


def test_unknown_view_and_sizes_are_refused_with_words() -> None:
    with pytest.raises(ValueError, match="overhead, seat"):
        Film(1, "below")
    with pytest.raises(ValueError, match="multiple of 16"):
        Film(1, width=100)


def test_the_command_writes_a_video_and_a_truth_that_replays(tmp_path: Path) -> None:
    out = tmp_path / "film"
    options = ["--seed", "3", "--short", "--width", "64", "--speed", "20", "--json"]
    result = CliRunner().invoke(command, ["film", str(out), *options])
    assert result.exit_code == 0, result.output
    report = json.loads(result.output)
    lines = [json.loads(line) for line in (out / "truth.jsonl").read_text("utf-8").splitlines()]
    assert lines[0]["kind"] == "film"
    frames = [line for line in lines if line["kind"] == "frame"]
    events = [line for line in lines if line["kind"] == "event"]
    assert [f["frame"] for f in frames] == list(range(report["frames"]))
    assert [e["n"] for e in events] == list(range(report["events"]))
    assert all(a["frame"] <= b["frame"] for a, b in itertools.pairwise(events))
    finished = Round.from_json(lines[0]["round"])
    told = [event_from_json(e["data"]) for e in events if e["data"]["type"] in EVENT_TYPES]
    assert Round.replay(finished.setup, told) == finished
    kinds = [e["data"]["type"] for e in events]
    assert kinds[:6] == ["roll", "roll", "roll", "flip", "deal", "discard"]
    assert "nudge" in kinds
    assert frames[-1]["events"] == len(finished.events)
    video = cv2.VideoCapture(report["video"])
    count = 0
    while video.read()[0]:
        count += 1
    assert count == report["frames"]
