"""Roles from geometry: every case is laid out from known boxes, so the answer is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from rules import Hand, Meld, parse_tiles
from vision.layout import lay_out
from vision.reading import HandReadingError, count_tiles, to_hand, with_drawn
from vision.values import PhotoReading, TableReading, TileReading

WIDE, HIGH = 40.0, 54.0
Placed = tuple[str, float, float]


def tile(
    name: str, x: float, y: float, *, tilt: float = 0, across: bool = False, **more: object
) -> TileReading:
    """A tile centred at (x, y); its box is the upright hull of the tilted tile."""
    wide, high = (HIGH, WIDE) if across else (WIDE, HIGH)
    turn = math.radians(tilt)
    half_x = (abs(math.cos(turn)) * wide + abs(math.sin(turn)) * high) / 2
    half_y = (abs(math.sin(turn)) * wide + abs(math.cos(turn)) * high) / 2
    box = (x - half_x, y - half_y, x + half_x, y + half_y)
    others = ((name, 0.6), ("9s", 0.2)) if more.get("doubtful") else ((name, 0.97),)
    return TileReading(name, 0.97, box, others, **more)  # type: ignore[arg-type]


def row(
    text: str | Sequence[str],
    x: float = 200,
    y: float = 800,
    *,
    tilt: float = 0,
    step: float = 42,
    **more: object,
) -> list[TileReading]:
    """Tiles side by side from (x, y) on, along a line tilted by `tilt` degrees."""
    names = parse_tiles(text) if isinstance(text, str) else text
    turn = math.radians(tilt)
    return [
        tile(name, x + k * step * math.cos(turn), y + k * step * math.sin(turn), tilt=tilt, **more)
        for k, name in enumerate(names)
    ]


def photo(*parts: Sequence[TileReading]) -> PhotoReading:
    tiles = [t for part in parts for t in part]
    # The reader's order is not the rows' order: mix it to show that it does not matter.
    mixed = sorted(tiles, key=lambda t: (hash((round(t.box[0]), round(t.box[1]))) % 97, t.box))
    indexed = tuple(TileReading(**{**t.__dict__, "index": index}) for index, t in enumerate(mixed))
    return PhotoReading("test.jpg", 1600, 1200, indexed, {})


def names(tiles: Sequence[TileReading]) -> str:
    return " ".join(t.tile for t in tiles)


def spaced(text: str) -> str:
    return " ".join(parse_tiles(text))


def codes(table: TableReading) -> set[str]:
    return {doubt.code for doubt in table.doubts}


HAND = "123m456p789s1122z"


@pytest.mark.parametrize("tilt", [-40, -25, -8, 0, 8, 25, 40])
def test_a_row_is_read_in_order_at_any_tilt(tilt: float) -> None:
    table = lay_out(photo(row(HAND, 500, 600, tilt=tilt)))
    assert names(table.hand) == spaced(HAND)
    assert table.drawn is None
    assert table.doubts == ()


def test_an_upright_photo_of_a_row_from_top_to_bottom() -> None:
    table = lay_out(photo(row(HAND, 700, 200, tilt=90)))
    assert sorted(t.tile for t in table.hand) == sorted(parse_tiles(HAND))
    ordered = names(table.hand)
    assert ordered in (spaced(HAND), " ".join(reversed(parse_tiles(HAND))))


def test_feet_up_means_that_the_owner_sits_at_the_top() -> None:
    # Seen from the other side, the owner's left is the photo's right.
    feet_up = row("123m", 200, down=(0.0, -1.0)) + row("456p789s1122z", 326)
    table = lay_out(photo(feet_up))
    assert names(table.hand) == " ".join(reversed(parse_tiles(HAND)))
    assert table.down[1] < -0.9


def test_one_stray_foot_does_not_turn_the_row() -> None:
    mixed = row("1m", 200, down=(0.0, -1.0)) + row("23m", 242, down=(0.0, 1.0))
    table = lay_out(photo(mixed + row("456p789s1122z", 326)))
    assert names(table.hand) == spaced(HAND)


@pytest.mark.parametrize("gap", [16, 30, 80, 150])
def test_a_tile_set_apart_on_the_right_was_drawn(gap: float) -> None:
    table = lay_out(photo(row(HAND), row("5m", 200 + 13 * 42 + gap)))
    assert table.drawn is not None
    assert table.drawn.tile == "5m"
    assert names(table.hand) == spaced(HAND)
    assert table.doubts == ()


def test_a_tile_set_apart_on_the_left_was_drawn() -> None:
    table = lay_out(photo(row("9p", 120), row(HAND)))
    assert table.drawn is not None
    assert table.drawn.tile == "9p"


@pytest.mark.parametrize("tilt", [-30, 20])
def test_a_drawn_tile_apart_in_a_tilted_row(tilt: float) -> None:
    turn = math.radians(tilt)
    reach = 13 * 42 + 30
    apart = tile("7z", 500 + reach * math.cos(turn), 600 + reach * math.sin(turn), tilt=tilt)
    table = lay_out(photo(row(HAND, 500, 600, tilt=tilt), [apart]))
    assert table.drawn is not None
    assert table.drawn.tile == "7z"


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_tile_laid_across_was_drawn(side: str) -> None:
    x = 200 - 49 if side == "left" else 200 + 12 * 42 + 49
    table = lay_out(photo(row(HAND), [tile("3s", x, 805, across=True)]))
    assert table.drawn is not None
    assert table.drawn.tile == "3s"


def test_two_tiles_apart_are_a_doubt_with_both_as_choices() -> None:
    table = lay_out(photo(row("1p", 120), row("23m456p789s1122z"), row("5m", 200 + 12 * 42 + 38)))
    assert count_tiles(table) == 14
    doubt = next(d for d in table.doubts if d.code == "drawn_tile")
    assert {choice.en for choice in doubt.choices} == {"1p", "5m"}


def test_fourteen_in_one_row_do_not_show_the_drawn_tile() -> None:
    table = lay_out(photo(row(HAND + "2z")))
    assert table.drawn is None
    doubt = next(d for d in table.doubts if d.code == "drawn_unknown")
    assert len(doubt.choices) == len(set(parse_tiles(HAND)))


def test_a_pong_set_apart_in_the_same_line() -> None:
    table = lay_out(photo(row("123m456p22z78s"), row("777z", 200 + 10 * 42 + 60)))
    assert [(m.kind, m.tile) for m in table.melds] == [("pong", "7z")]
    assert names(table.hand) == spaced("123m456p22z78s")
    assert codes(table) == set()


def test_a_pong_only_a_little_apart_is_a_doubt() -> None:
    table = lay_out(photo(row("123m456p22z78s"), row("777z", 200 + 10 * 42 + 20)))
    assert [m.kind for m in table.melds] == ["pong"]
    assert "meld_or_hand" in codes(table)


@pytest.mark.parametrize(("hand", "tiles"), [("1112z", 13), ("12344m", 14)])
def test_melds_laid_out_in_front_of_the_hand(hand: str, tiles: int) -> None:
    # A pong, an open gang and a concealed gang shown by one face (SPEC §5.4).
    table = lay_out(
        photo(
            row(hand, 300, 800),
            row("999p", 200, 560),
            row("5555s", 420, 560),
            row(["back", "3z", "back", "back"], 700, 560),
        )
    )
    assert sorted((m.kind, m.tile) for m in table.melds) == [
        ("gang_concealed", "3z"),
        ("gang_open", "5s"),
        ("pong", "9p"),
    ]
    assert names(table.hand) == spaced(hand)
    assert count_tiles(table) == tiles


def test_a_concealed_gang_within_the_row() -> None:
    table = lay_out(
        photo(row([*parse_tiles("123m456p22z78s"), "back", "7z", "7z", "back"], step=42))
    )
    assert [(m.kind, m.tile) for m in table.melds] == [("gang_concealed", "7z")]
    assert len(table.hand) == 10


def test_fifteen_tiles_with_four_alike_hold_a_gang() -> None:
    table = lay_out(photo(row("55z888m555p333z2222s")))
    assert [(m.kind, m.tile) for m in table.melds] == [("gang_open", "2s")]
    assert "gang_in_row" in codes(table)
    assert count_tiles(table) == 14


def test_four_alike_in_a_row_of_fourteen_stay_in_hand() -> None:
    table = lay_out(photo(row("1111z234m555m134m9m")))
    assert table.melds == ()
    assert len(table.hand) == 14


def test_a_hand_laid_out_in_groups_is_all_hand() -> None:
    groups = ["123m", "456p", "789s", "111z", "22z"]
    x, parts = 200.0, []
    for group in groups:
        parts.append(row(group, x))
        x += 42 * (len(group) - 1) + 20
    table = lay_out(photo(*parts))
    assert table.melds == ()
    assert len(table.hand) == 14
    assert table.drawn is None


def test_a_hand_stacked_in_two_rows() -> None:
    table = lay_out(photo(row("123m456p1z", 200, 700), row("789s1222z", 200, 756)))
    assert names(table.hand) == spaced("123m456p1z789s1222z")


def test_the_pond_the_wall_and_the_dice_are_left_aside() -> None:
    pond = [
        tile(
            name, 300 + 90 * (k % 6) + 13 * (k % 4), 200 + 95 * (k // 6) + 9 * (k % 3), tilt=k * 17
        )
        for k, name in enumerate(parse_tiles("1p9p3s3s7z6z2m4m5s8p1z2z"))
    ]
    wall = row(["back"] * 12, 150, 60)
    dice = [tile("die3", 1100, 300), tile("die5", 1160, 300)]
    table = lay_out(photo(row(HAND), pond, wall, dice))
    assert names(table.hand) == spaced(HAND)
    assert table.melds == ()
    assert table.drawn is None
    assert {t.tile for t in table.dice} == {"die3", "die5"}
    assert len(table.aside) == 24


def test_a_lone_tile_may_be_the_indicator_but_only_as_a_question() -> None:
    table = lay_out(photo(row(HAND), row("6m", 900, 250)))
    assert table.indicator is not None
    assert table.indicator.tile == "6m"
    assert "indicator_candidate" in codes(table)


def test_twelve_tiles_are_doubted_and_so_is_the_hole() -> None:
    left, right = row("123m456p", 200), row("9s1122z", 200 + 7 * 42)
    table = lay_out(photo(left, right))
    assert len(table.hand) == 11
    assert {"hand_count", "row_gap"} <= codes(table)


def test_fifteen_different_tiles_are_doubted() -> None:
    table = lay_out(photo(row("123456789m123p456s")))
    assert "hand_count" in codes(table)
    assert len(table.hand) == 15


def test_five_alike_and_an_unsure_tile_are_doubted() -> None:
    unsure = tile("4p", 200 + 12 * 42, 800, doubtful=True)
    table = lay_out(photo(row("55555m123456s9p"), [unsure]))
    five = next(d for d in table.doubts if d.code == "five_alike")
    assert len(five.tiles) == 5
    low = next(d for d in table.doubts if d.code == "unsure_tile")
    assert [choice.value for choice in low.choices] == ["4p", "9s"]


def test_scattered_tiles_of_the_right_number_are_a_hand_with_a_doubt() -> None:
    scatter = [
        tile(name, 200 + 150 * (k % 5), 200 + 160 * (k // 5), tilt=k * 31)
        for k, name in enumerate(parse_tiles(HAND))
    ]
    table = lay_out(photo(scatter))
    assert sorted(t.tile for t in table.hand) == sorted(parse_tiles(HAND))
    assert "no_row" in codes(table)


@pytest.mark.parametrize("tiles", [[], ["back"] * 5, ["5m"]])
def test_no_hand_at_all(tiles: list[str]) -> None:
    table = lay_out(photo(row(tiles)))
    assert table.hand == ()
    assert "no_hand" in codes(table)


def test_every_tile_has_exactly_one_role() -> None:
    reading = photo(row(HAND), row("777z", 900, 300), row("6m", 300, 200), [tile("die2", 80, 80)])
    table = lay_out(reading)
    roles = [
        *table.used,
        *table.aside,
        *table.dice,
        *([table.indicator] if table.indicator else []),
    ]
    assert sorted(t.index for t in roles) == list(range(len(reading.tiles)))


def test_the_adapter_hands_the_rules_what_lies_there() -> None:
    reading = photo(row("123m456p22z78s"), row("777z", 690), row("9s", 200 - 80))
    table = lay_out(reading)
    hand = to_hand(table, ("1p", "2p"), gang_draw=True)
    expected = Hand(
        parse_tiles("123m456p22z78s"), (Meld("pong", "7z"),), ("1p", "2p"), "9s", gang_draw=True
    )
    assert hand == expected


def test_the_drawn_tile_can_be_said() -> None:
    table = with_drawn(lay_out(photo(row(HAND + "2z"))), "9s")
    assert table.drawn is not None
    assert table.drawn.tile == "9s"
    assert len(table.hand) == 13
    assert "drawn_unknown" not in codes(table)
    assert len(with_drawn(table, None).hand) == 14
    with pytest.raises(HandReadingError) as caught:
        with_drawn(table, "5z")
    assert "5z" in caught.value.zh


def test_json_names_roles_by_index() -> None:
    reading = photo(row(HAND), row("5m", 200 + 13 * 42 + 40))
    table = lay_out(reading)
    data = table.to_json()
    assert [reading.tiles[i].tile for i in data["hand"]] == list(parse_tiles(HAND))
    assert reading.tiles[data["drawn"]].tile == "5m"


def test_a_small_gap_at_the_end_of_an_even_row_is_enough() -> None:
    table = lay_out(photo(row(HAND), row("5m", 200 + 13 * 42 + 8)))
    assert table.drawn is not None
    assert table.drawn.tile == "5m"


def test_steps_that_shrink_with_distance_are_no_gaps() -> None:
    # Seen from one end, each step is 4 % shorter than the one before.
    x, step, tiles = 150.0, 60.0, []
    for name in parse_tiles(HAND + "2z"):
        tiles.append(tile(name, x, 800))
        x += step
        step *= 0.96
    table = lay_out(photo(tiles))
    assert table.drawn is None
    assert names(table.hand) == spaced(HAND + "2z")


def test_a_concealed_gang_with_one_tile_hidden() -> None:
    table = lay_out(photo(row("123m456p2278s", 200, 800), row(["back", "3z", "back"], 700, 560)))
    assert [(m.kind, m.tile) for m in table.melds] == [("gang_concealed", "3z")]
    assert count_tiles(table) == 13


def test_sets_beyond_the_drawn_tile() -> None:
    hand, drawn = row("1234m", 200), row("9p", 200 + 4 * 42 + 25)
    sets = row("777z", 460) + row("222s", 620) + row("555p", 780)
    table = lay_out(photo(hand, drawn, sets))
    assert table.drawn is not None
    assert table.drawn.tile == "9p"
    assert sorted(m.tile for m in table.melds) == ["2s", "5p", "7z"]
    assert names(table.hand) == spaced("1234m")


@pytest.mark.parametrize("place", ["first", "last"])
def test_an_unsure_fifteenth_tile_at_the_end_is_left_out(place: str) -> None:
    at = {"first": 200 - 42, "last": 200 + 14 * 42}[place]
    flower = tile("1s", at, 800, doubtful=True)
    table = lay_out(photo(row(HAND + "2z"), [flower]))
    assert names(table.hand) == spaced(HAND + "2z")
    assert "left_out" in codes(table)


def test_a_tile_doubtful_only_for_its_place_may_be_the_drawn_one() -> None:
    """Set apart, the detector is less sure of a tile; its name is clear all the same."""
    apart = replace(tile("5m", 200 + 13 * 42 + 34, 800), doubtful=True, confidence=0.62)
    table = lay_out(photo(row(HAND), [apart]))
    assert table.drawn is not None
    assert table.drawn.tile == "5m"


def test_an_unsure_fourteenth_tile_stays() -> None:
    table = lay_out(photo(row(HAND), [tile("1s", 200 + 13 * 42, 800, doubtful=True)]))
    assert count_tiles(table) == 14
    assert "unsure_tile" in codes(table)
