"""The wall's geometry and what is drawn from which end (SPEC §3, §5.5 to §5.7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.wall import STACKS, TILES_IN_ALL, Wall, count_seats, stack_number, stack_place


def test_stack_numbers_run_through_all_seats() -> None:
    """SPEC §3.4: g = 17·seat + stack - 1; stack 18 of a wall is the next player's first."""
    assert stack_number(0, 1) == 0
    assert stack_number(3, 17) == 67
    assert stack_place(stack_number(1, 17) + 1) == (2, 1)
    assert [stack_number(*stack_place(g)) for g in range(STACKS)] == list(range(STACKS))


@pytest.mark.parametrize(
    ("points", "relative"),
    [(2, 1), (3, 2), (4, 3), (5, 0), (6, 1), (7, 2), (8, 3), (9, 0), (10, 1), (11, 2), (12, 3)],
)
def test_counting_seats(points: int, relative: int) -> None:
    """“五九自手”“二六十过”“三七11对门”“四八12到底”."""
    for dealer in range(4):
        assert count_seats(dealer, points) == (dealer + relative) % 4


def test_sizes() -> None:
    """SPEC §5.5: 2·d3 - 1 tiles behind the turned tile, 136 - 2·d3 before it."""
    wall = Wall(break_stack=0, joker_points=5)
    assert (wall.live_size, wall.tail_size) == (126, 9)


def test_draws_go_on_in_the_counting_direction_upper_tile_first() -> None:
    """SPEC §3.5. Break at stack 66: places 132, 133 (stack 66), 134, 135 (67), 0, 1 (0)."""
    wall = Wall(break_stack=66, joker_points=2)
    places = []
    for _ in range(6):
        places.append(wall.place(wall.next_order()))
        wall = wall.draw()
    assert places == [132, 133, 134, 135, 0, 1]


def test_replacements_go_from_the_back_to_the_turned_tile() -> None:
    """“从抓牌的相反方向（混儿牌后面，从后向前）拿牌”. Break at stack 10, joker roll 3: behind the
    break lie stacks 9 and 8, then stack 7 with the turned tile on top; its lower tile comes last.
    """
    wall = Wall(break_stack=10, joker_points=3)
    assert wall.place(wall.indicator_order) == 2 * 7
    places = []
    while (order := wall.replacement_order(skip=False)) is not None:
        places.append(wall.place(order))
        wall = wall.take_replacement()
    assert places == [18, 19, 16, 17, 15]
    assert wall.tail_left == 0


def test_skipping_the_turned_tile() -> None:
    """“有的规则中会跳过混儿拿混儿前面的牌”: stack 67 - 2 = 65 is the last before the turned one."""
    wall = Wall(break_stack=0, joker_points=2, front=53, tail_taken=3)
    assert wall.replacement_order(skip=False) is None
    assert wall.replacement_order(skip=True) == 2 * 65
    wall = wall.take_replacement()
    assert wall.replacement_order(skip=True) == 2 * 65 + 1
    assert (wall.live_left, wall.tail_left) == (132 - 53 - 1, 0)


def test_front_steps_over_the_hole_a_skip_leaves() -> None:
    """After one skip the last live stack has only its lower tile; the front takes that last."""
    wall = Wall(break_stack=0, joker_points=2, front=129, tail_taken=3, skipped=1)
    taken = []
    while wall.live_left:
        taken.append(wall.next_order())
        wall = wall.draw()
    assert taken == [129, 131]


def test_skip_takes_the_lower_tile_when_the_front_has_the_upper() -> None:
    """One live tile is left, the lower one of the last stack: it is also the next replacement."""
    wall = Wall(break_stack=0, joker_points=2, front=131, tail_taken=3)
    assert wall.replacement_order(skip=True) == 131
    assert wall.take_replacement().replacement_order(skip=True) is None


@given(
    st.integers(0, STACKS - 1),
    st.integers(2, 12),
    st.lists(st.booleans(), min_size=TILES_IN_ALL, max_size=TILES_IN_ALL),
)
def test_every_tile_is_drawn_once(break_stack: int, points: int, turns: list[bool]) -> None:
    """Whatever the mixture of draws and replacements, all but the turned tile come, each once."""
    wall = Wall(break_stack, points)
    places = [wall.place(wall.indicator_order)]
    for from_front in turns:
        if from_front and wall.live_left:
            places.append(wall.place(wall.next_order()))
            wall = wall.draw()
            continue
        order = wall.replacement_order(skip=True)
        if order is None:
            break
        places.append(wall.place(order))
        wall = wall.take_replacement()
    while wall.live_left:
        places.append(wall.place(wall.next_order()))
        wall = wall.draw()
    assert len(places) == len(set(places))
    assert len(places) + wall.tail_left == TILES_IN_ALL
