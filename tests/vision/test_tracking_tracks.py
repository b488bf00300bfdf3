"""Tiles keep their identity while they lie still, and only then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.tracking.change import Motion
from vision.tracking.settle import settle
from vision.tracking.tracks import Track, Tracks
from vision.values import Box, TileReading

CLOTH, BODY, SKIN = (60, 140, 40), (225, 235, 240), (110, 150, 215)
SIZE = (320, 240)
WHOLE: Box = (0.0, 0.0, 320.0, 240.0)
PLACES = [(40.0 + 36 * k, 100.0, 66.0 + 36 * k, 136.0) for k in range(5)]
STILL = Motion(np.zeros((180, 240), bool), np.zeros((180, 240), bool), 320 / 240, 0.0)


def _frame(boxes: list[Box], hand: Box | None = None) -> np.ndarray:
    """A cloth with tiles that bear a stroke, and perhaps a hand over them."""
    pixels = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    for x1, y1, x2, y2 in boxes:
        pixels[int(y1) : int(y2), int(x1) : int(x2)] = BODY
        pixels[int(y1) + 8 : int(y2) - 8, int(x1) + 11 : int(x2) - 11] = (20, 20, 160)
    if hand is not None:
        x1, y1, x2, y2 = (int(v) for v in hand)
        pixels[y1:y2, x1:x2] = SKIN
    return pixels


def _reading(tile: str, box: Box, confidence: float = 0.9) -> TileReading:
    other = "9s" if tile != "9s" else "8s"
    return TileReading(tile, confidence, box, ((tile, confidence), (other, 1 - confidence)))


def _row(tracks: Tracks, names: list[str], boxes: list[Box], times: list[float]) -> None:
    pixels = _frame(boxes)
    for at in times:
        readings = [_reading(name, box) for name, box in zip(names, boxes, strict=True)]
        tracks.cloth.learn(pixels, np.array([(0, 0), (320, 0), (320, 240), (0, 240)]), boxes)
        tracks.look(readings, WHOLE, pixels, STILL, at)


def _ids(tracks: Tracks) -> dict[str, int]:
    return {track.tile: track.id for track in tracks.settled()}


def test_one_look_is_not_enough_and_more_keep_the_identity() -> None:
    tracks = Tracks()
    _row(tracks, ["1m"], PLACES[:1], [0.0])
    assert tracks.settled() == ()
    _row(tracks, ["1m"], PLACES[:1], [0.3])
    first = _ids(tracks)
    _row(tracks, ["1m"], PLACES[:1], [0.6, 0.9])
    assert _ids(tracks) == first == {"1m": 1}


def test_what_one_look_alone_was_sure_of_is_remembered_as_a_glimpse() -> None:
    tracks, empty = Tracks(), _frame([])
    _row(tracks, ["1m", "2m"], PLACES[:2], [0.0, 0.3])
    seen = [_reading("1m", PLACES[0]), _reading("2m", PLACES[1])]
    passing = [_reading("7z", PLACES[3]), _reading("back", PLACES[4])]
    tracks.look([*seen, *passing], WHOLE, _frame(PLACES[:2]), STILL, 1.0)
    for at in (1.4, 1.8, 2.2):
        tracks.look(seen, WHOLE, _frame(PLACES[:2]), STILL, at)
    assert [(at, tile.tile) for at, tile in tracks.glimpses] == [(1.0, "7z")], "backs tell nothing"
    for at in (3.0, 3.5, 4.0):
        tracks.look([], WHOLE, empty, STILL, at)
    assert tracks.settled() == ()
    assert len(tracks.glimpses) == 1, "what was seen more than once has gone, and was no glimpse"


def test_a_hand_over_a_tile_does_not_erase_it() -> None:
    tracks = Tracks()
    _row(tracks, ["1m", "2m", "3m"], PLACES[:3], [0.0, 0.3])
    before = _ids(tracks)
    covered = _frame(PLACES[:3], hand=(70, 0, 150, 240))
    seen = [_reading("1m", PLACES[0])]
    for at in (1.0, 1.5, 2.0, 2.5):
        tracks.look(seen, WHOLE, covered, STILL, at)
    assert _ids(tracks) == before


def test_a_tile_is_gone_when_its_place_is_seen_empty() -> None:
    tracks = Tracks()
    _row(tracks, ["1m", "2m", "3m"], PLACES[:3], [0.0, 0.3])
    without = _frame([PLACES[0], PLACES[2]])
    seen = [_reading("1m", PLACES[0]), _reading("3m", PLACES[2])]
    tracks.look(seen, WHOLE, without, STILL, 1.0)
    assert set(_ids(tracks)) == {"1m", "2m", "3m"}  # once is not yet
    tracks.look(seen, WHOLE, without, STILL, 1.4)
    assert set(_ids(tracks)) == {"1m", "3m"}


def test_another_tile_in_the_same_place_is_another_tile() -> None:
    tracks = Tracks()
    _row(tracks, ["1m"], PLACES[:1], [0.0, 0.3])
    old = tracks.settled()[0].id
    tracks.settled()[0].stirred = True  # something moved there
    _row(tracks, ["7z"], PLACES[:1], [1.0])
    assert tracks.settled()[0].tile == "1m"
    _row(tracks, ["7z"], PLACES[:1], [1.3])
    (track,) = tracks.settled()
    assert track.tile == "7z"
    assert track.id != old


def test_a_wrong_look_without_any_motion_changes_nothing() -> None:
    tracks = Tracks()
    _row(tracks, ["1m"], PLACES[:1], [0.0, 0.3, 0.6, 0.9])
    identity = tracks.settled()[0].id
    _row(tracks, ["2m"], PLACES[:1], [1.2])
    assert (tracks.settled()[0].tile, tracks.settled()[0].id) == ("1m", identity)


def test_the_users_word_outranks_looks_until_the_tile_moves() -> None:
    tracks = Tracks()
    _row(tracks, ["1m"], PLACES[:1], [0.0, 0.3])
    identity = tracks.settled()[0].id
    assert tracks.correct(identity, "4m")
    _row(tracks, ["1m"], PLACES[:1], [0.6, 0.9, 1.2, 1.5])
    assert tracks.settled()[0].tile == "4m"
    tracks.settled()[0].stirred = True
    _row(tracks, ["5p"], PLACES[:1], [2.0, 2.3])
    assert tracks.settled()[0].tile == "5p"
    assert tracks.settled()[0].correction is None


def test_a_part_of_a_tile_is_that_tile() -> None:
    tracks = Tracks()
    _row(tracks, ["1m"], PLACES[:1], [0.0, 0.3])
    x1, y1, x2, y2 = PLACES[0]
    pixels = _frame(PLACES[:1], hand=(x1, (y1 + y2) / 2, x2, 240))
    for at in (0.6, 0.9, 1.2):
        tracks.look([_reading("7z", (x1, y1, x2, (y1 + y2) / 2))], WHOLE, pixels, STILL, at)
    (track,) = tracks.settled()
    assert track.tile == "1m"
    assert track.box == PLACES[0]


def test_another_tile_in_a_box_that_was_seen_too_large_is_another_tile() -> None:
    # A standing 4z was seen with its top; the 7s that stands there now is seen without.
    tall = (40.0, 90.0, 76.0, 146.0)
    low = (41.0, 105.0, 76.0, 146.0)
    moved = np.zeros((180, 240), bool)
    moved[60:120, 20:70] = True
    for stirs, confidence, looks, tile in (
        (True, 0.9, 4, "7s"),
        (True, 0.9, 3, "4z"),
        (True, 0.5, 6, "4z"),
        (False, 0.9, 6, "4z"),
    ):
        tracks = Tracks()
        _row(tracks, ["4z"], [tall], [0.0, 0.3, 0.6])
        if stirs:
            tracks.stir(Motion(moved, moved, 320 / 240, 0.1))
        seen = TileReading("7s", confidence, low, (("7s", 0.98), ("9s", 0.01)))
        for k in range(looks):
            tracks.look([seen], WHOLE, _frame([low]), STILL, 1.0 + 0.4 * k, 0.5)
        assert [track.tile for track in tracks.settled()] == [tile]


def test_a_back_laid_open_is_the_face_though_it_shows_smaller() -> None:
    tracks = Tracks()
    _row(tracks, ["back"], PLACES[:1], [0.0, 0.3])
    x1, y1, x2, y2 = PLACES[0]
    everywhere = np.ones((180, 240), bool)
    tracks.stir(Motion(everywhere, everywhere, 320 / 240, 1.0))
    flat = (x1 + 1, y1, x2 - 1, y1 + 0.7 * (y2 - y1))
    for at in (1.0, 1.3):
        tracks.look([_reading("4p", flat)], WHOLE, _frame([flat]), STILL, at)
    assert [track.tile for track in tracks.settled()] == ["4p"]
    assert tracks.settled()[0].box == flat


def test_many_unsure_looks_at_one_clear_face_within_a_back_turn_it_and_a_few_do_not() -> None:
    # A blank turned tile on a far wall: the name is clear, that a tile lies there is not.
    box = (40.0, 100.0, 80.0, 150.0)
    face = TileReading("5z", 0.2, (42.0, 110.0, 76.0, 134.0), (("5z", 0.98),))
    pixels = _frame([box])
    moved = np.zeros((180, 240), bool)
    moved[70:120, 20:70] = True
    for stirs, looks, tile in ((True, 8, "5z"), (True, 3, "back"), (False, 8, "back")):
        tracks = Tracks()
        _row(tracks, ["back"], [box], [0.0, 0.3, 0.6])
        if stirs:
            tracks.stir(Motion(moved, moved, 320 / 240, 0.1))
        for k in range(looks):
            tracks.look([face], WHOLE, pixels, STILL, 2.0 + k, 0.5)
        assert [track.tile for track in tracks.settled()] == [tile]


def test_what_moves_is_left_alone() -> None:
    tracks = Tracks()
    _row(tracks, ["1m"], PLACES[:1], [0.0, 0.3])
    moving = np.zeros((180, 240), bool)
    moving[70:110, 20:60] = True
    motion = Motion(moving, moving, 320 / 240, 0.04)
    empty = _frame([])
    for at in (1.0, 1.3, 1.6, 1.9):
        tracks.look([_reading("9p", PLACES[0])], WHOLE, empty, motion, at)
    assert _ids(tracks) == {"1m": 1}


def test_a_tile_known_across_the_windows_border_is_not_known_twice() -> None:
    tracks = Tracks()
    _row(tracks, ["1m"], PLACES[:1], [0.0, 0.3])
    x1, y1, x2, y2 = PLACES[0]
    beside = (x1 + 1, y1, x2 + 1, y2)
    # The known box lies across this window's border, the box that is found within it does not.
    window = (x1 - 2.5, 0.0, 320.0, 240.0)
    for at in (0.6, 0.9):
        tracks.look([_reading("1m", beside)], window, _frame(PLACES[:1]), STILL, at)
    assert [track.tile for track in tracks.all()] == ["1m"]


def test_many_faint_looks_make_a_tile_and_a_few_do_not() -> None:
    tracks, pixels = Tracks(), _frame(PLACES[:1])
    tracks.cloth.learn(pixels, np.array([(0, 0), (320, 0), (320, 240), (0, 240)]), PLACES[:1])
    faint = [_reading("1m", PLACES[0], 0.2)]
    for k in range(3):
        tracks.look(faint, WHOLE, pixels, STILL, 0.3 * k, least=0.5)
        assert tracks.settled() == ()
    tracks.look([], WHOLE, pixels, STILL, 0.9, least=0.5)
    assert len(tracks.all()) == 1, "one look that misses it gives it not up"
    tracks.look(faint, WHOLE, pixels, STILL, 1.2, least=0.5)
    assert [track.id for track in tracks.settled()] == [1]


def test_a_faint_face_on_a_table_as_light_as_the_tiles_is_kept_by_its_name() -> None:
    # Most of a 1m is bare, and here the cloth has its colour: that its place shows nothing but
    # the cloth says nothing. A faint look that names nothing clearly is a shadow all the same, and
    # a bare patch between tiles reads as a white dragon.
    box: Box = (40.0, 100.0, 80.0, 150.0)
    pixels = np.full((SIZE[1], SIZE[0], 3), BODY, np.uint8)
    cases: list[tuple[str, float, list[str]]] = [
        ("1m", 0.85, ["1m"]), ("1m", 0.4, []), ("5z", 0.85, []),
    ]  # fmt: skip
    for name, share, settled in cases:
        look = TileReading(name, 0.3, box, ((name, share), ("2s", 0.02)))
        tracks = Tracks()
        tracks.cloth.learn(pixels, np.array([(0, 0), (320, 0), (320, 240), (0, 240)]), [])
        assert tracks.cloth.is_empty(pixels, box)
        for k in range(6):
            tracks.look([look], WHOLE, pixels, STILL, 0.3 * k, least=0.5)
        assert [track.tile for track in tracks.settled()] == settled


def test_what_was_seen_once_in_passing_hides_no_smaller_tile_that_comes_to_lie_there() -> None:
    # A sleeve read as a 5m for one look; the 7z that it laid down is less than three quarters of
    # that box, but it is no part of a tile that nobody saw twice.
    tracks, passing = Tracks(), (40.0, 90.0, 76.0, 146.0)
    tracks.look([_reading("5m", passing, 0.7)], WHOLE, _frame([]), STILL, 0.0, 0.5)
    lies = (42.0, 108.0, 74.0, 145.0)
    for at in (0.3, 0.6, 1.0):
        tracks.look([_reading("7z", lies, 0.99)], WHOLE, _frame([lies]), STILL, at, 0.5)
    assert [(t.tile, t.box) for t in tracks.settled()] == [("7z", lies)]


def test_faint_tiles_give_way_to_faint_looks_that_lie_otherwise() -> None:
    # A set at the picture's border, pushed by half a tile: what is remembered lies between two.
    tracks, pixels = Tracks(), _frame(PLACES[:3])
    between = (53.0, 100.0, 87.0, 136.0)
    old = _reading("6z", between, 0.3)
    for k in range(5):
        tracks.look([old], WHOLE, pixels, STILL, 0.3 * k, 0.5)
    assert [track.box for track in tracks.settled()] == [between]
    new = [
        _reading("6z", box, 0.3)
        for box in ((36.0, 100.0, 70.0, 136.0), (70.0, 100.0, 104.0, 136.0))
    ]
    for k in range(9):
        tracks.look(new, WHOLE, pixels, STILL, 3.0 + 0.4 * k, 0.5)
    assert sorted(track.box for track in tracks.settled()) == [tile.box for tile in new]


def test_faint_tiles_that_lie_a_little_otherwise_after_a_push_are_known_at_once() -> None:
    # A far tile that the picture's border cuts: no look is sure of it, four make it known. Pushed
    # half out of its box it is the same tile, and need not be made known again.
    tracks, pixels = Tracks(), _frame(PLACES[:1])
    box: Box = (40.0, 100.0, 66.0, 136.0)
    seen = TileReading("6z", 0.3, box, (("6z", 0.9),))
    for k in range(5):
        tracks.look([seen], WHOLE, pixels, STILL, 0.3 * k, 0.5)
    before = [track.id for track in tracks.settled()]
    pushed: Box = (51.0, 109.0, 77.0, 145.0)
    tracks.look([replace(seen, box=pushed)], WHOLE, pixels, STILL, 3.0, 0.5)
    assert [(track.id, track.box) for track in tracks.settled()] == [(before[0], pushed)]
    other = TileReading("9p", 0.3, box, (("9p", 0.9),))
    tracks.look([other], WHOLE, pixels, STILL, 6.0, 0.5)
    assert [t.tile for t in tracks.settled()] == ["6z"], "another name is another tile"


def test_faint_looks_change_no_name_that_is_known_well() -> None:
    tracks, pixels = Tracks(), _frame(PLACES[:1])
    _row(tracks, ["1m"], PLACES[:1], [0.0, 0.3, 0.6])
    for k in range(12):
        tracks.look([_reading("2m", PLACES[0], 0.2)], WHOLE, pixels, STILL, 1 + 0.3 * k, least=0.5)
    assert [track.tile for track in tracks.settled()] == ["1m"]


def test_the_camera_moves_and_the_tiles_stay_themselves() -> None:
    tracks = Tracks()
    _row(tracks, ["1m", "2m"], PLACES[:2], [0.0, 0.3])
    before = _ids(tracks)
    shift = np.array([[1, 0, 25.0], [0, 1, -12.0], [0, 0, 1]])
    tracks.moved(shift)
    moved = [(a + 25, b - 12, c + 25, d - 12) for a, b, c, d in PLACES[:2]]
    _row(tracks, ["1m", "2m"], moved, [1.0, 1.3])
    assert _ids(tracks) == before


def test_four_of_a_kind_over_the_whole_table() -> None:
    tracks = Tracks()
    names = ["1m"] * 5
    pixels = _frame(PLACES)
    sure = [0.95, 0.95, 0.95, 0.95, 0.6]
    for at in (0.0, 0.3):
        readings = [
            TileReading(name, p, box, ((name, p), ("2m", 1 - p)))
            for name, box, p in zip(names, PLACES, sure, strict=True)
        ]
        tracks.look(readings, WHOLE, pixels, STILL, at)
    tiles = settle(tracks.settled())
    assert sorted(tile.tile for tile in tiles) == ["1m"] * 4 + ["2m"]
    assert [tile.doubtful for tile in tiles if tile.tile == "2m"] == [True]
    # The user says that the doubtful one is right: then one of the others is not.
    fifth: Track = max(tracks.settled(), key=lambda t: t.box[0])
    tracks.correct(fifth.id, "1m")
    corrected = {tile.index: tile for tile in settle(tracks.settled())}
    assert corrected[fifth.id].tile == "1m"
    assert sorted(tile.tile for tile in corrected.values()) == ["1m"] * 4 + ["2m"]


def test_a_die_whose_pips_and_name_differ_is_doubtful() -> None:
    for share, doubtful in ((0.7, True), (0.93, False)):
        die = TileReading("die4", share, PLACES[0], (("die4", share), ("die6", 1 - share)), pips=4)
        tracks = Tracks()
        for at in (0.0, 0.3):
            tracks.look([die], WHOLE, _frame(PLACES[:1]), STILL, at)
        assert [tile.doubtful for tile in settle(tracks.settled())] == [doubtful]


def test_a_white_dragon_too_many_is_a_back() -> None:
    # Four of a kind (SPEC §1); a back may be taken for a blank face.
    boxes = PLACES[:5]
    shares = [(("5z", 0.9),)] * 4 + [(("5z", 0.7), ("back", 0.25))]
    tracks = Tracks()
    for at in (0.0, 0.3):
        read = [TileReading("5z", 0.8, b, s) for b, s in zip(boxes, shares, strict=True)]
        tracks.look(read, WHOLE, _frame(boxes), STILL, at)
    found = settle(tracks.settled())
    assert [tile.tile for tile in found] == ["5z"] * 4 + ["back"]
    assert [tile.doubtful for tile in found] == [False] * 4 + [True]


def test_a_smaller_die_that_comes_to_lie_where_one_lay_is_another_not_a_part_of_it() -> None:
    tracks = Tracks()
    before, now = (100.0, 100.0, 130.0, 135.0), (105.0, 100.0, 128.0, 131.0)
    _row(tracks, ["die3"], [before], [0.0, 0.3])
    moving = np.ones((180, 240), bool)
    tracks.stir(Motion(moving, moving, 320 / 240, 0.5))
    _row(tracks, ["die2"], [now], [1.0, 1.3])
    assert _ids(tracks) == {"die2": 2}


def test_a_tile_whose_box_reaches_over_the_border_after_a_push_is_still_followed() -> None:
    tracks = Tracks()
    _row(tracks, ["back"], [(100.0, 0.0, 126.0, 24.0)], [0.0, 0.3])
    tracks.moved(np.array([[1, 0, 0], [0, 1, -4.0], [0, 0, 1]]))
    moving = np.ones((180, 240), bool)
    tracks.stir(Motion(moving, moving, 320 / 240, 0.5))
    _row(tracks, ["5s"], [(101.0, 0.0, 125.0, 18.0)], [1.0, 1.3])
    assert _ids(tracks) == {"5s": 2}
