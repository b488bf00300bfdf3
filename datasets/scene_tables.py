"""A whole table in play: four seats with hands, melds, ponds and walls, the indicator, dice."""

from __future__ import annotations

from datasets.scene_stage import WALL_LENGTH, Stage

#: Distances from the middle of the table in tile widths.
HAND_AT = 12.2
WALL_AT = 10.2
MELD_AT = 12.0
POND_AT = 3.0


def lay_table(stage: Stage, everything: bool = False) -> None:
    """Lay a table in the middle of a hand.

    Args:
        stage: the stage to lay on.
        everything: lay every part (hands, ponds, walls, an indicator, two dice), for tests of
            the layout; otherwise parts are left out at random.
    """
    rng = stage.rng
    discards = rng.randint(2, 14)
    shown = rng.randrange(4)
    rows = everything or rng.random() < 0.75
    melds = [_melds(stage, number) for number in range(4)]  # first, while there are fours to lay
    for number in range(4):
        with stage.seat(number):
            if everything or number == 0 or melds[number] or rng.random() < 0.75:
                _hand(stage, number, melds[number], everything)
            if everything or rng.random() < 0.8:
                left = rng.randint(4, WALL_LENGTH)
                stage.wall(
                    rng.uniform(-1, 1) if everything else (WALL_LENGTH - left) / 2,
                    -WALL_AT + 1,
                    0.0,
                    min(left, 15),
                    indicator=number == shown,
                )
            if rows:
                stage.pond(0, -POND_AT, max(1, discards + rng.randint(-1, 1)))
    if not rows:
        stage.scatter(0, 0, (6, 6), rng.randint(5, 40), rng.choice((1.0, 0.95)), role="pond")
    if everything or rng.random() < 0.6:
        stage.dice(0, 0, 2 if everything else rng.choice((2, 2, 3)), 1.4)


def _middle(melds: int) -> float:
    """Where the middle of a hand lies that has so many melds to its right."""
    return -1.6 * melds


def _melds(stage: Stage, number: int) -> int:
    """Lay a seat's melds to the right of where its hand will be; returns how many."""
    rng = stage.rng
    melds: int = rng.choice((0, 0, 1, 1, 2, 3))
    x = _middle(melds) + (13 - 3 * melds) / 2 * (1 + stage.gap) + (4.4 if number == 0 else 2.6)
    with stage.seat(number):
        for _ in range(melds):
            kind = rng.choice(("pong", "pong", "gang_open", "gang_concealed"))  # no 吃: SPEC §6.2
            x += stage.meld(x, -MELD_AT + rng.uniform(-0.1, 0.1), kind=kind) + 0.3
    return melds


def _hand(stage: Stage, number: int, melds: int, everything: bool) -> None:
    """One player's standing hand, or now and then laid open."""
    rng = stage.rng
    drawn = number == 0 and rng.random() < 0.5
    names = stage.deck.draw(13 - 3 * melds + drawn, number == 0 or rng.random() < 0.6)
    extra = names.pop() if drawn else None
    if number != 0 and not everything and rng.random() < 0.12:
        stage.flat_row(names, _middle(melds), -HAND_AT, 0, "hand")
    else:
        stage.standing_row(names, _middle(melds), -HAND_AT, rng.choice((0.0, 0.0, 0.2)))
    if extra:
        end = _middle(melds) + len(names) / 2 * (1 + stage.gap)
        stage.upright(extra, end + 0.5 + rng.uniform(0.3, 1.0), -HAND_AT, 0.0, role="drawn")
