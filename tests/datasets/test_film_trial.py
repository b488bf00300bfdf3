"""Trials on films: what is compared, what counts, what is kept; and one short film with pixels."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from datasets.film import Film
from datasets.film_events import Happened, compare_events, told_as, without_hidden
from datasets.film_report import Trial, as_markdown, figures, kept_result, trials, try_all
from datasets.film_taught import guided_photo
from datasets.film_trial import PerfectLook
from datasets.film_truth import FilmObject
from server.commands.trial import command
from vision.tracking.events import TableEvent


def _told(kind: str, at: float, **more: object) -> TableEvent:
    return TableEvent(kind, at, at, 0.9, "", "", **more)  # type: ignore[arg-type]


def test_told_events_are_right_amiss_missed_or_invented() -> None:
    true = [
        Happened("rolled", None, "2+5", 1.0),
        Happened("discarded", 0, "1m", 10.0),
        Happened("discarded", 1, "9p", 12.0),
        Happened("ponged", 2, "9p", 13.0),
        Happened("won", 3, "5m", 60.0),
    ]
    told = told_as(
        [
            _told("rolled", 1.5, values=(5, 2)),
            _told("discarded", 10.3, seat=0, tile="1m"),
            _told("discarded", 12.4, seat=1, tile="9s", doubtful=True),
            _told("konged", 13.4, seat=2, tile="9p", how="open"),
            _told("discarded", 30.0, seat=1, tile="7z"),
        ]
    )
    found = compare_events(true, told)
    assert [(a.kind, b.tile) for a, b in found.right] == [("rolled", "2+5"), ("discarded", "1m")]
    # A misread tile and a kong told for a pung are amiss, not missed and invented.
    assert [(a.tile, b.kind, b.tile) for a, b in found.wrong] == [
        ("9p", "discarded", "9s"),
        ("9p", "konged", "9p"),
    ]
    assert [event.kind for event in found.missed] == ["won"]
    assert [event.tile for event in found.invented] == ["7z"]


def test_what_was_corrected_later_counts_as_corrected() -> None:
    told = told_as(
        [
            _told("discarded", 10.0, seat=1, tile="9s"),
            _told("revised", 11.0, seat=1, tile="9p", how="9s"),
        ]
    )
    assert [(event.seat, event.tile) for event in told] == [(1, "9p")]


def test_an_event_told_long_after_is_none() -> None:
    true = [Happened("discarded", 0, "1m", 10.0)]
    late = compare_events(true, [Happened("discarded", 0, "1m", 40.0)])
    assert len(late.missed) == len(late.invented) == 1


def test_a_win_is_asked_for_only_where_the_hand_is_laid_open_in_sight() -> None:
    won = Happened("won", 2, "6s", 60.0)
    check = compare_events([Happened("discarded", 2, "9m", 50.0), won], [])
    seen = without_hidden(check, [0, 2])
    assert (won in seen.missed, seen.hidden) == (True, ())
    behind = without_hidden(check, [0])
    assert [event.kind for event in behind.missed] == ["discarded"]
    assert behind.hidden == (won,)
    assert won not in behind.true


def test_half_of_the_films_are_from_above_and_the_last_are_long() -> None:
    planned = trials(6, 3, 2, width=640)
    assert [(t.seed, t.view) for t in planned] == [
        (3, "overhead"), (3, "seat"), (4, "overhead"), (4, "seat"), (5, "overhead"), (5, "seat"),
    ]  # fmt: skip
    assert [t.short for t in planned] == [True, True, True, True, False, False]
    assert len({t.file for t in planned}) == 6


@pytest.fixture(scope="module")
def short_film() -> Trial:
    """A round of a few turns: three rolls, the turned tile, ten discards, a win."""
    return Trial(15, "overhead", width=640, reader="perfect")


@pytest.fixture(scope="module")
def kept(short_film: Trial, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trial")
    try_all([short_film], folder, _no_models)
    return folder


def _no_models(trial: Trial, film: Film) -> PerfectLook:
    raise AssertionError("a perfect reader needs no models")


def test_a_short_round_is_followed_through_its_pixels(kept: Path, short_film: Trial) -> None:
    (result,) = try_all([short_film], kept, _no_models)
    assert len(result["checks"]) >= 2
    assert [check["wrong"] for check in result["checks"] if check["wrong"]] == []
    events = result["events"]
    assert events["wrong"] == events["missed"] == events["invented"] == []
    kinds = [true["kind"] for true, _ in events["right"]]
    assert kinds.count("rolled") == 3
    assert kinds.count("flipped") == kinds.count("won") == 1
    assert kinds.count("discarded") >= 8


def test_a_film_that_was_tried_is_not_tried_again(kept: Path, short_film: Trial) -> None:
    file = kept / short_film.file
    known = json.loads(file.read_text(encoding="utf-8"))
    known["frames"] = 12345
    file.write_text(json.dumps(known), encoding="utf-8")
    seen: list[Trial] = []

    def progress(planned: Iterable[Trial]) -> Iterable[Trial]:
        seen.extend(planned)
        return seen

    (again,) = try_all([short_film], kept, _no_models, progress)
    assert again["frames"] == 12345
    assert seen == [short_film]
    # Another film, or other models, under the same name is no result of this trial.
    for change in ({"width": 960}, {"models": "other"}, {"reader": "models"}, {"taught": True}):
        assert kept_result(file, replace(short_film, **change)) is None  # type: ignore[arg-type]
    # Nor is what an earlier version kept, that asked less of a state.
    del known["checks"][0]["pointed"]
    file.write_text(json.dumps(known), encoding="utf-8")
    assert kept_result(file, short_film) is None
    file.write_text("{", encoding="utf-8")
    assert kept_result(file, short_film) is None


def test_figures_count_checks_and_events_by_kind() -> None:
    def wrong(part: str, how: str, marked: bool) -> dict[str, object]:
        return {"part": part, "seat": 0, "tile": "1m", "how": how, "marked": marked}

    happened = {
        "kind": "discarded",
        "seat": 0,
        "tile": "1m",
        "at": 1.0,
        "how": "",
        "doubtful": True,
    }
    checks = [
        {
            "at": 1.0,
            "wrong": [],
            "silent": False,
            "pointed": False,
            "doubted": True,
            "parts": ["dice"],
        },
        {
            "at": 4.0,
            "wrong": [wrong("pond", "missing", True), wrong("pond", "extra", True)],
            "silent": False,
            "pointed": True,
            "doubted": True,
            "parts": ["pond"],
        },
        {
            "at": 9.0,
            "wrong": [wrong("dice", "missing", False)],
            "silent": True,
            "pointed": False,
            "doubted": False,
            "parts": ["dice"],
        },
    ]
    events = {
        "true": [happened, happened, happened],
        "right": [[happened, happened]],
        "wrong": [[happened, happened]],
        "missed": [happened],
        "invented": [],
    }
    result = {
        "trial": {"view": "seat"}, "checks": checks, "events": events, "frames": 9, "seconds": 2.0,
    }  # fmt: skip
    found = figures([result])
    both = found["all"], found["seat"]
    for numbers in both:
        assert (numbers["checks"], numbers["exact"], numbers["silent"]) == (3, 1, 1)
        assert (numbers["pointed"], numbers["right_doubted"]) == (1, 1)
        pond = {"asked": 1, "wrong": 1, "missing": 1, "extra": 1, "marked": 2}
        assert numbers["parts"]["pond"] == pond
        assert numbers["events"]["discarded"] == {
            "true": 3, "right": 1, "wrong": 1, "missed": 1, "invented": 0, "marked": 1,
            "hidden": 0,
        }  # fmt: skip
    text = as_markdown(found)
    assert "1 of 3 (33.3%)" in text
    assert "| discarded | 3 | 1 | 1 | 1 | 0 | 1 | 0 |" in text


def test_the_perfect_reader_reads_what_shows_and_only_where_it_is_asked() -> None:
    film = Film(15, "overhead", short=True, width=320)
    _, truth = next(frame for frame in film.frames() if frame[1].phase == "build")
    look = PerfectLook()
    assert look(None, (0, 0, 320, 240), False) == ()  # type: ignore[arg-type]
    look.truth = truth
    all_ = look(None, (0, 0, 320, 240), False)  # type: ignore[arg-type]
    shown = [thing for thing in truth.objects if thing.visible >= 0.5]
    assert len(all_) == len(shown) > 30
    left = look(None, (0, 0, 160, 240), False)  # type: ignore[arg-type]
    assert 0 < len(left) < len(all_)
    assert all(tile.box[2] <= 160 for tile in left)


def test_a_width_that_no_film_has_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(tmp_path), "--width", "333"])
    assert result.exit_code == 2
    assert "multiple of 16" in result.output


def test_a_film_with_a_taught_reader_is_another_trial() -> None:
    plain, taught = (Trial(3, "seat", taught=taught) for taught in (False, True))
    assert plain.file != taught.file  # both may lie in one folder


def test_a_perfect_reader_is_not_taught(tmp_path: Path) -> None:
    asked = [str(tmp_path), "--teach", "--reader", "perfect"]
    result = CliRunner().invoke(command, asked)
    assert result.exit_code == 2
    assert "nothing to learn" in result.output


def test_the_photo_that_teaches_shows_the_set_of_the_film() -> None:
    # The faces that are laid out are those on the film's table, stone by stone.
    film = Film(3, "seat", short=True, width=320)
    assert film.tile_set.style == Film(3, "seat", width=960).tile_set.style
    assert film.tile_set.style != Film(4, "seat").tile_set.style
    photo = guided_photo(film)
    assert photo.shape[2] == 3
    assert (photo == guided_photo(film)).all()
    assert (photo != guided_photo(Film(4, "seat"))).any()


def test_an_object_seen_at_a_grazing_angle_is_not_asked_for() -> None:
    from datasets.film_check import shows

    def lying(height: float, visible: float = 1.0) -> FilmObject:
        quad = ((0.0, 0.0), (10.0, 0.0), (10.0, height), (0.0, height))
        return FilmObject("1", "1m", (0, 0, 10, height), quad, "self", 0, "pond", visible)

    assert shows(lying(13.0))
    assert shows(lying(7.0))  # about half of its height is left: 30 degrees
    assert not shows(lying(4.0))
    assert not shows(lying(13.0, visible=0.5))
