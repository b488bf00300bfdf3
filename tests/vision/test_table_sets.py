"""An exposed set is three or four alike (SPEC §2): one tile misread among them is named by them."""

from __future__ import annotations

from dataclasses import replace

from vision.table.edge import edge_roles
from vision.table.known import Known
from vision.table.placed import PlacedTile
from vision.table.sets import likely_sets
from vision.values import TileReading

PLAYING = Known(playing=True)


def row(*names: str, other: str = "9p", share: float = 0.9, start: float = 0.0) -> list[PlacedTile]:
    found = []
    for k, name in enumerate(names):
        shares = ((name, share), (other, 1 - share))
        tile = TileReading(name, share, (30.0 * k, 0.0, 30.0 * k + 28, 38.0), shares, index=k)
        found.append(PlacedTile(tile, "pond", 1, start + 1.01 * k, -10.5))
    return found


def names(sets: list[list[PlacedTile]] | None) -> list[str]:
    return ["".join(p.tile.tile for p in tiles) for tiles in sets or ()]


def test_one_of_three_misread_is_named_by_the_other_two_and_doubtful() -> None:
    sets = likely_sets(row("6z", "8p", "6z"))
    assert sets is not None
    assert names(sets) == ["6z6z6z"]
    assert [p.tile.doubtful for p in sets[0]] == [False, True, False]


def test_two_sets_side_by_side_are_cut_where_they_are_likeliest() -> None:
    assert names(likely_sets(row("1m", "1m", "1m", "3s", "3s", "3s", "5s"))) == [
        "1m1m1m",
        "3s3s3s3s",
    ]


def test_what_two_looks_hesitate_about_is_settled_by_the_third() -> None:
    # Each tile hesitates between its own name and the one that all three share.
    run = row("8p", "4s", "2z", other="6z", share=0.55)
    assert names(likely_sets(run)) == ["6z6z6z"]


def test_a_mixed_row_is_no_set() -> None:
    assert likely_sets(row("1m", "2m", "3m", "5s")) is None
    assert likely_sets(row("1m", "1m")) is None
    assert likely_sets(row("1m", "back", "1m")) is None
    # Two sets nearly: a sorted hand is full of pairs.
    assert likely_sets(row("1m", "1m", "2m", "3s", "3s", "5s")) is None


def test_at_a_seats_edge_a_half_misread_set_is_a_set_once_somebody_has_discarded() -> None:
    run = row("6z", "8p", "6z")
    placed = edge_roles(1, run, PLAYING)
    assert {(p.role, p.group, p.tile.tile) for p in placed} == {("meld", 1, "6z")}
    before = edge_roles(1, run, Known(playing=False))
    assert "meld" not in {p.role for p in before}


def test_the_winning_tile_beside_an_open_hand_is_drawn_though_backs_are_remembered_behind() -> None:
    opened = row("1p", "2p", "3p", "5s", "5s", "7s", "7s", "7s", "8p", "8p")
    behind = [
        PlacedTile(
            TileReading("back", 0.9, (0.0, 0.0, 28.0, 38.0), index=20 + k), "pond", 1, x, -11.2
        )
        for k, x in enumerate((3.1, 6.1))
    ]
    won = replace(row("6z")[0], x=opened[-1].x + 1.5)
    won = replace(won, tile=replace(won.tile, index=30))
    roles = {p.tile.index: p.role for p in edge_roles(1, [*opened, *behind, won], PLAYING)}
    assert roles[30] == "drawn"
    assert {roles[k] for k in range(len(opened))} == {"hand"}


def mine(names: str, first: float) -> list[PlacedTile]:
    found = []
    for k in range(0, len(names), 2):
        name, x = names[k : k + 2], first + k / 2
        tile = TileReading(name, 0.95, (30 * x, 0.0, 30 * x + 28, 38.0), ((name, 0.95),))
        placed = PlacedTile(replace(tile, index=100 + round(10 * x)), "pond", 0, x, -12.0)
        found.append(replace(placed, standing=True))
    return found


def test_two_alike_far_beside_my_row_are_what_the_picture_shows_of_a_set() -> None:
    # The third tile of the pung lies beyond the border of the picture.
    row_, pair = mine("6m9m9m1p5p6p9p9p3s8s9s", -7.0), mine("2p2p", 7.8)
    placed = edge_roles(0, [*row_, *pair], PLAYING)
    parts = [p for p in placed if p.tile.tile == "2p"]
    assert [(p.role, p.group) for p in parts] == [("meld", 0)] * 2
    assert sum(p.role in ("hand", "drawn") for p in placed) == 11
    # Two alike at the end of the row, also where a tile between is not read, are of the hand.
    for start in (4.2, 5.5):
        near = edge_roles(0, [*row_, *mine("2p2p", start)], PLAYING)
        assert sum(p.role in ("hand", "drawn") for p in near) == 13


def test_backs_that_lie_one_behind_the_other_beside_a_face_are_no_concealed_kong() -> None:
    row_ = mine("1m1m3m8m1p1p3p6p7p2s4s4z4z", -7.0)
    drawn, *backs = mine("6pbbbbbb", 6.6)
    shown = replace(drawn.tile, tile="back", alternatives=(("back", 0.99),))

    def beside(places: list[tuple[float, float]]) -> list[PlacedTile]:
        return [
            replace(p, tile=replace(shown, index=300 + k), x=x, y=y, standing=False)
            for k, (p, (x, y)) in enumerate(zip(backs, places, strict=True))
        ]

    column = beside([(7.2, -12.4), (7.2, -13.3), (7.2, -14.1)])
    roles = {p.tile.index: p.role for p in edge_roles(0, [*row_, drawn, *column], PLAYING)}
    assert roles[drawn.tile.index] in ("hand", "drawn")
    in_line = beside([(7.6, -12.0), (8.6, -12.0), (9.6, -12.0)])
    roles = {p.tile.index: p.role for p in edge_roles(0, [*row_, drawn, *in_line], PLAYING)}
    assert roles[drawn.tile.index] == "meld"
