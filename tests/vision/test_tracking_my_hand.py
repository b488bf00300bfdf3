"""My hand where not every tile of it is read: what I draw is told, and that it is miscounted.

SPEC §4: a hand has thirteen tiles, three fewer for each exposed set, and one more from the draw to
the discard; who is next in turn after the left player's discard draws.
"""

from __future__ import annotations

from dataclasses import replace

from vision.table.placed import PlacedTile
from vision.tracking.events import TableEvent
from vision.tracking.story import Story
from vision.values import TileReading

HAND = ("2m", "3m", "4m", "7p", "8p", "9p", "1s", "2s", "3s", "2z", "2z", "6z", "6z")


class Row:
    """My row and the ponds; the first tiles of the row are never read."""

    def __init__(self, unread: int) -> None:
        self.held, self.unsure = list(HAND[unread:]), ""
        self.story, self.at, self.told = Story(), 0.0, list[TableEvent]()
        self.lying = [self._tile(99, "5m", "indicator", 1, 3.0)]
        self.wait()

    def _tile(self, number: int, name: str, role: str, seat: int, x: float) -> PlacedTile:
        tile = TileReading(name, 0.95, (0.0, 0.0, 20.0, 28.0), ((name, 0.95),), index=number)
        tile = replace(tile, doubtful=name == self.unsure)
        return PlacedTile(tile, role, seat, x, -9.0, standing=role == "hand")

    def wait(self, looks: int = 12) -> None:
        row = [self._tile(200 + k, name, "hand", 0, float(k)) for k, name in enumerate(self.held)]
        for _ in range(looks):
            self.at += 0.2
            self.told += self.story.update([*self.lying, *row], self.at, self.at, ready=True)

    def lay(self, seat: int, name: str) -> None:
        self.lying.append(self._tile(len(self.lying), name, "pond", seat, float(len(self.lying))))
        self.wait()

    def round_to_me(self) -> None:
        for seat, name in ((0, "1z"), (1, "9s"), (2, "1p"), (3, "4z")):
            self.lay(seat, name)

    def drew(self) -> list[tuple[str | None, bool]]:
        return [(event.tile, event.doubtful) for event in self.told if event.kind == "drew"]


def test_a_draw_is_told_for_sure_where_the_whole_hand_shows() -> None:
    row = Row(0)
    row.round_to_me()
    row.held.append("7m")
    row.wait()
    assert row.drew() == [("7m", False)]


def test_a_draw_is_told_in_doubt_where_one_tile_of_the_hand_is_never_read() -> None:
    row = Row(1)
    row.round_to_me()
    assert row.drew() == []
    row.held.append("7m")
    row.wait()
    assert row.drew() == [("7m", True)]
    row.held.remove("9p")
    row.lay(0, "9p")
    for seat, name in ((1, "9s"), (2, "1p"), (3, "4z")):
        row.lay(seat, name)
    row.held.append("1s")
    row.wait()
    assert row.drew() == [("7m", True), ("1s", True)]


def test_a_draw_that_went_by_unseen_follows_from_a_hand_that_is_read_in_part_as_well() -> None:
    row = Row(1)
    row.round_to_me()
    row.held[row.held.index("9p")] = "7m"  # drawn, put into the row and another one discarded
    row.lay(0, "9p")
    assert row.drew() == [("7m", False)]


def test_a_drawn_tile_whose_name_is_in_doubt_is_told_in_doubt() -> None:
    row = Row(0)
    row.unsure = "5z"
    row.round_to_me()
    row.held[row.held.index("9p")] = "5z"
    row.lay(0, "9p")
    assert row.drew() == [("5z", True)]


def test_a_draw_follows_also_where_the_row_is_read_before_the_discard() -> None:
    row = Row(0)
    row.round_to_me()
    row.held[row.held.index("9p")] = "7m"
    row.wait()  # the row is in order again, and the discard not yet read
    assert row.drew() == []
    row.lay(0, "9p")
    assert row.drew() == [("7m", False)]


def test_a_draw_follows_also_where_a_tile_of_the_row_is_misread_for_a_while() -> None:
    row = Row(0)
    row.round_to_me()
    row.held[row.held.index("9p")] = "7m"
    at = row.held.index("6z")
    row.held[at] = "4s"  # it was pushed along, and its first looks were bad
    row.lay(0, "9p")
    assert row.drew() == []
    row.held[at] = "6z"
    row.wait()
    assert row.drew() == [("7m", False)]


def test_a_tile_of_the_hand_that_comes_to_light_is_no_draw() -> None:
    row = Row(1)
    for seat, name in ((0, "1z"), (1, "9s"), (2, "1p")):
        row.lay(seat, name)
    row.held.insert(0, HAND[0])  # it is not my turn
    row.wait()
    row.lay(3, "4z")
    assert row.drew() == []
    other = Row(1)
    other.round_to_me()
    other.held.insert(0, HAND[0])  # it is, but what I draw comes at the right end
    other.wait()
    assert other.drew() == []
    other.held.append("7m")
    other.wait()
    assert other.drew() == [("7m", False)]


def test_a_hand_with_too_few_or_too_many_tiles_is_asked_about() -> None:
    for unread, more, count in ((0, 0, None), (0, 1, None), (1, 0, 12), (0, 2, 15), (6, 0, None)):
        row = Row(unread)
        assert row.story.miscounted_hand(row.at) is None, "before somebody plays it is being dealt"
        row.lay(1, "9s")
        row.held += ["7m", "8m"][:more]
        row.wait()
        assert row.story.miscounted_hand(row.at) == count


def test_a_hand_whose_number_of_tiles_is_wrong_for_a_moment_is_not_asked_about() -> None:
    row = Row(0)
    row.lay(1, "9s")
    row.held.pop()  # a hand passes over it
    row.wait(5)
    assert row.story.miscounted_hand(row.at) is None
    row.wait()
    assert row.story.miscounted_hand(row.at) == 12
