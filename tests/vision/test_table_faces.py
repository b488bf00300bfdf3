"""A face's corners in the picture follow from its box and from where it lies on the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.film import Film
from datasets.film_check import shows
from datasets.film_plan import FilmPlan
from datasets.film_trial import placement_of
from datasets.film_truth import FilmObject
from vision.classifier import flat_crop
from vision.opencv import cv2
from vision.table.faces import face_quads, too_grazing
from vision.table.placed import LENGTH, STANDING_Z, THICKNESS
from vision.tracking.accept import accept
from vision.values import TileReading


def lying(film: Film, roles: tuple[str, ...]) -> list[FilmObject]:
    """The faces at the end of a film, none of its frames made."""
    last = list(FilmPlan(film).moments())[-1].truth
    faces = [t for t in last.objects if t.role in roles and t.tile not in ("", "back")]
    return [t for t in faces if shows(t)]


@pytest.mark.parametrize(("seed", "view"), [(4, "seat"), (5, "overhead")])
def test_discards_and_sets_are_seen_from_their_owners_side(seed: int, view: str) -> None:
    film = Film(seed, view, short=True)
    things = lying(film, ("pond", "meld"))
    quads = face_quads(np.array([t.box for t in things]), placement_of(film), film.size)
    assert {t.seat for t in things} >= {"self", "left", "right"}
    # Half a tile's side would be another corner; the true quad knows how untidily each lies.
    off = []
    for thing, quad in zip(things, quads, strict=True):
        side = max(thing.box[2] - thing.box[0], thing.box[3] - thing.box[1])
        off.append(float(np.abs(quad - np.array(thing.quad)).max()) / side)
    assert np.isfinite(off).all()
    assert max(off) < 0.3, off


@pytest.mark.parametrize("side", ["top", "left", "right", "bottom"])
def test_a_face_that_the_border_cuts_reaches_as_far_beyond_it_as_it_is_long(side: str) -> None:
    # Drawn out to a whole face, the upper half of a 4p is a 2p.
    film = Film(5, "overhead", short=True)
    width, height = film.size
    for thing in lying(film, ("pond", "meld")):
        x1, y1, x2, y2 = thing.box
        part = 0.45 * ((x2 - x1) if side in ("left", "right") else (y2 - y1))
        shift = {
            "top": (0.0, -y1 - part),
            "left": (-x1 - part, 0.0),
            "right": (width - x2 + part, 0.0),
            "bottom": (0.0, height - y2 + part),
        }[side]
        push = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]], [0.0, 0.0, 1.0]])
        where = placement_of(film).moved(push, width, height)
        seen = np.array(thing.box) + np.tile(shift, 2)
        seen = np.clip(seen, 0.0, [width, height, width, height])
        (quad,) = face_quads(seen[None], where, film.size)
        longer = max(x2 - x1, y2 - y1)
        off = float(np.abs(quad - (np.array(thing.quad) + shift)).max()) / longer
        assert off < 0.3, (thing.tile, thing.seat, off)


def test_what_lies_off_the_table_or_fits_no_tile_has_no_corners() -> None:
    film = Film(5, "overhead", short=True)
    placement = placement_of(film)
    whole = (0.0, 0.0, float(film.size[0]), float(film.size[1]))
    assert np.isnan(face_quads(np.array([whole]), placement, film.size)).all()
    assert face_quads(np.zeros((0, 4)), placement, film.size).shape == (0, 4, 2)


def test_a_face_on_its_head_and_seen_at_a_slant_is_laid_flat_and_upright() -> None:
    # A face that is dark at its top; in the picture its top is below and farther down is wider.
    face = np.full((136, 100, 3), 255, np.uint8)
    face[:40] = 0
    there = np.array([(150, 90), (60, 90), (70, 50), (140, 50)], np.float32)
    here = np.array([(0, 0), (100, 0), (100, 136), (0, 136)], np.float32)
    turn = cv2.getPerspectiveTransform(here, there)
    picture = cv2.warpPerspective(face, turn, (200, 150), borderValue=(128, 128, 128))
    flat = flat_crop(picture, there, 96)
    assert flat.shape == (96, 96, 3)
    assert flat[12:26, 30:66].mean() < 60, "its top is above again"
    assert flat[50:88, 30:66].mean() > 230


def test_a_standing_hand_is_read_from_a_seat_and_not_from_high_above() -> None:
    for view, is_hidden in (("overhead", True), ("seat", False)):
        film = Film(2, view, short=True)
        truth = list(FilmPlan(film).moments())[-1].truth
        faces = [t for t in truth.objects if t.tile not in ("", "back") and t.role != "dice"]
        boxes = np.array([t.box for t in faces])
        hidden = too_grazing(boxes, placement_of(film), film.size)
        own = [t.role == "hand" and t.seat == "self" for t in faces]
        assert sum(own) == 13
        assert [bool(h) for h, mine in zip(hidden, own, strict=True) if mine] == [is_hidden] * 13
        # What lies on the table is read from everywhere.
        assert not any(h for h, mine in zip(hidden, own, strict=True) if not mine)


def test_a_hand_that_leans_back_is_read_from_high_above_where_its_print_is_sure() -> None:
    # Of seed 7 upright faces would show a strip of 6 %, these lean back and show 45 %; those of
    # seed 5 show 37 %, of which some tiles would be read for sure, and others not.
    blank = np.zeros((720, 960, 3), np.uint8)
    for seed, all_ in ((7, True), (5, False)):
        film = Film(seed, "overhead", short=True)
        truth = next(m.truth for m in FilmPlan(film).moments() if m.truth.phase == "play")
        mine = [t for t in truth.objects if t.role == "hand" and t.seat == "self"]
        faces = [t for t in mine if t.tile not in ("", "back")]
        assert len(faces) >= 12
        for tile, confidence, count in (("9p", 0.97, len(faces) * all_), ("9p", 0.7, 0)):
            found = [TileReading(tile, confidence, t.box, ((tile, confidence),)) for t in faces]
            assert len(accept(found, blank, 0.5, placement_of(film))) == count
        tops = [TileReading("5z", 0.97, t.box, (("5z", 0.97),)) for t in faces]
        assert accept(tops, blank, 0.5, placement_of(film)) == ()


def test_the_tops_of_a_standing_hand_seen_from_high_above_are_no_faces() -> None:
    # A top is blank: a look may take it for a white dragon, and its box is as high as a face's that
    # leans back.
    film = Film(2, "overhead", short=True)
    placement = placement_of(film)
    plane, unit = placement.plane(*film.size), placement.tile
    truth = list(FilmPlan(film).moments())[-1].truth
    hand = [t for t in truth.objects if t.role == "hand" and t.seat == "self"]
    middles = np.array([np.mean(t.quad, axis=0) for t in hand], float)
    feet = plane.to_table(middles, STANDING_Z * unit)
    back = THICKNESS * unit
    tops = [
        plane.box_of(np.array([x, y + back / 2, LENGTH * unit]), (unit, back, 0)) for x, y in feet
    ]
    assert too_grazing(np.array(tops), placement, film.size).tolist() == [True] * 13
    frame = np.zeros((film.size[1], film.size[0], 3), np.uint8)
    read = [TileReading("5z", 0.97, tuple(map(float, top)), (("5z", 0.97),)) for top in tops]
    assert accept(read, frame, 0.5, placement) == ()


def test_blank_tops_above_the_faces_of_my_hand_are_no_white_dragons() -> None:
    film = Film(2, "seat", short=True)
    truth = list(FilmPlan(film).moments())[-1].truth
    hand = [t for t in truth.objects if t.role == "hand" and t.seat == "self"]
    faces = [TileReading(t.tile, 0.95, t.box, ((t.tile, 0.95),)) for t in hand]
    tops = []
    for t in hand:
        x1, y1, x2, y2 = t.box
        top = (x1, y1 - 0.5 * (y2 - y1), x2, y1)
        tops.append(TileReading("5z", 0.9, top, (("5z", 0.9),)))
    frame = np.zeros((film.size[1], film.size[0], 3), np.uint8)
    kept = accept((*faces, *tops), frame, 0.5, placement_of(film))
    assert kept == tuple(faces)
    # A white dragon in the row stays one.
    white = replace(faces[3], tile="5z")
    row = (*faces[:3], white, *faces[4:])
    assert accept(row, frame, 0.5, placement_of(film)) == row


def test_what_is_read_on_a_hardly_seen_face_is_left_out_however_sure() -> None:
    film = Film(2, "overhead", short=True)
    truth = list(FilmPlan(film).moments())[-1].truth
    frame = np.zeros((film.size[1], film.size[0], 3), np.uint8)
    for role, counts in (("hand", False), ("pond", True)):
        thing = next(t for t in truth.objects if t.role == role and t.seat == "self")
        read = TileReading(thing.tile, 0.97, thing.box, ((thing.tile, 0.97),))
        kept = accept((read,), frame, 0.5, placement_of(film))
        assert kept == ((read,) if counts else ())
