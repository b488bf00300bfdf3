"""Finding a reading that shows a combination of fans: the evidence behind a score.

The engine knows from counts which combinations have a reading; here one is laid out. What the
combination asks for is laid first (a dragon's runs, the drawn tile's group), then the tiles left
are covered by sets and the pair, and the jokers fill the gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules.face import face_readings
from rules.fans import View
from rules.features import FACE_STEP, FIVE_M, ZHUOWU_STEP
from rules.hand import Hand
from rules.options import RuleOptions
from rules.reading import Group, Placed, Reading
from rules.scoring import Fans, fans_of_view
from rules.tiles import KINDS, TILES

_ZHUOWU_RUN = (3, 4, 5)


@dataclass(slots=True)
class _Gap:
    """A place in a group: the kind it counts as, and whether a natural tile lies in it."""

    kind: int
    natural: bool = False
    drawn: bool = False


_Gaps = list[_Gap]


@dataclass(slots=True)
class _Table:
    """Tiles not yet laid and groups laid so far."""

    counts: list[int]
    sets: int
    pair: bool = True
    groups: list[_Gaps] = field(default_factory=list)

    def copy(self) -> _Table:
        return _Table(self.counts.copy(), self.sets, self.pair, self.groups.copy())

    def lay(self, kinds: tuple[int, ...], jokers_only: bool = False) -> _Gaps:
        """Lay a group, with natural tiles where there are any, and count it."""
        gaps = []
        for kind in kinds:
            natural = not jokers_only and self.counts[kind] > 0
            if natural:
                self.counts[kind] -= 1
            gaps.append(_Gap(kind, natural))
        self.groups.append(gaps)
        if len(kinds) == 2:
            self.pair = False
        else:
            self.sets -= 1
        return gaps


def find_reading(hand: Hand, options: RuleOptions, combination: int, fans: Fans) -> Reading:
    """A reading that shows a combination of `rules.features`.

    Args:
        hand: a complete hand; its drawn tile is the one of the reading.
        options: the options in force.
        combination: a number whose bit is set in the hand's mask.
        fans: the fans it was named with; a reading that has exactly these is preferred.

    Raises:
        AssertionError: no reading shows the combination, which would be a fault of the engine.
    """
    if combination >= FACE_STEP:
        candidates: Iterator[Reading] = face_readings(hand)
    else:
        candidates = _candidates(hand, options, combination)
    first: Reading | None = None
    for reading in candidates:
        if fans in fans_of_view(View(hand, reading, options)):
            return reading
        first = first or reading
    # Where 混儿吊 alone is no win, its tiles are named 屁和, which no reading of theirs says.
    assert first is not None, f"no reading shows combination {combination} of {hand}"
    return first


def _candidates(hand: Hand, options: RuleOptions, combination: int) -> Iterator[Reading]:
    jokers = set(hand.jokers)
    counts = [0] * len(TILES)
    for tile in hand.tiles:
        if tile not in jokers:
            counts[KINDS[tile]] += 1
    zhuowu, long, diao = combination >= ZHUOWU_STEP, combination % 9 // 3, combination % 3
    for suit in _long_suits(jokers, long):
        start = _Table(counts.copy(), 4 - len(hand.melds))
        for table in _with_drawn_group(hand, options, start, suit, zhuowu, diao):
            for covered in _covered(table):
                yield from _readings(hand, covered)


def _long_suits(jokers: set[str], long: int) -> list[int | None]:
    """The suits a dragon may be of: none wanted, another suit than the jokers', or theirs."""
    if long == 0:
        return [None]
    theirs = {"mps".index(tile[1]) for tile in jokers if tile[1] != "z"}
    return [suit for suit in range(3) if (suit in theirs) == (long == 2)]


def _long_runs(suit: int | None) -> list[tuple[int, ...]]:
    if suit is None:
        return []
    return [tuple(range(9 * suit + rank, 9 * suit + rank + 3)) for rank in (0, 3, 6)]


def _with_drawn_group(
    hand: Hand, options: RuleOptions, start: _Table, suit: int | None, zhuowu: bool, diao: int
) -> Iterator[_Table]:
    """The table with the dragon and the drawn tile's group laid, in each way that fits."""
    runs = _long_runs(suit)
    if hand.win_tile is None or (diao == 0 and not zhuowu):
        table = start.copy()
        for run in runs:
            table.lay(run)
        yield table
        return
    drawn = KINDS[hand.win_tile]
    is_joker = hand.win_tile in hand.jokers
    if diao == 1:
        shapes: list[tuple[int, ...]] = [(drawn, drawn)]
    else:
        shapes = [_ZHUOWU_RUN if zhuowu else (drawn,) * 3]
    at = shapes[0].index(FIVE_M if zhuowu else drawn)
    inside = [run for run in runs if run == shapes[0] or not zhuowu]
    if diao == 1:
        inside = []
    for own in (None, *inside):
        table = start.copy()
        if not is_joker:
            table.counts[drawn] -= 1
        if own is not None:
            # The dragon's own run holds the drawn tile.
            if not is_joker and drawn not in own:
                continue
            if diao == 2 and options.shuang_outside_dragon:
                continue
            place = own.index(FIVE_M) if zhuowu else (0 if is_joker else own.index(drawn))
            _lay_drawn(table, own, place, diao > 0, is_joker)
            for run in runs:
                if run != own:
                    table.lay(run)
        else:
            for run in runs:
                table.lay(run)
            _lay_drawn(table, shapes[0], at, diao > 0, is_joker)
        yield table


def _lay_drawn(
    table: _Table, kinds: tuple[int, ...], at: int, jokers_only: bool, is_joker: bool
) -> None:
    """Lay the drawn tile's group with the drawn tile at its place."""
    drawn = _Gap(kinds[at], natural=not is_joker, drawn=True)
    others = kinds[:at] + kinds[at + 1 :]
    gaps = table.lay(kinds, jokers_only=True)
    if not jokers_only:
        for gap, kind in zip(gaps[:at] + gaps[at + 1 :], others, strict=True):
            if table.counts[kind]:
                table.counts[kind] -= 1
                gap.natural = True
    gaps[at] = drawn


def _covered(table: _Table) -> Iterator[_Table]:
    """The table with every natural tile laid, in every way that takes as many as it can."""
    kind = next((k for k, count in enumerate(table.counts) if count), None)
    if kind is None:
        if table.sets >= 0:
            yield table
        return
    shapes: list[tuple[int, ...]] = []
    if table.sets > 0:
        shapes.append((kind,) * 3)
        if kind < 27:
            first = kind - kind % 9
            starts = range(max(first, kind - 2), min(first + 6, kind) + 1)
            shapes += [(start, start + 1, start + 2) for start in starts]
    if table.pair:
        shapes.append((kind, kind))
    for shape in shapes:
        after = table.copy()
        after.lay(shape)
        yield from _covered(after)


def _readings(hand: Hand, table: _Table) -> Iterator[Reading]:
    """Fill the gaps with the joker tiles, and mark the drawn tile where nothing fixed it."""
    jokers = [tile for tile in hand.concealed if tile in hand.jokers]
    drawn_is_joker = hand.win_tile is not None and hand.win_tile in hand.jokers
    marked = any(gap.drawn for group in table.groups for gap in group)
    if drawn_is_joker and not marked and hand.win_tile is not None:
        jokers.append(hand.win_tile)
    groups = [*table.groups]
    spare = sorted(jokers, key=KINDS.__getitem__)
    for size in [3] * table.sets + [2] * table.pair:
        # Nothing natural is left for these: they count as whatever their jokers show.
        kind = KINDS[spare[0]] if spare else 0
        groups.append([_Gap(kind) for _ in range(size)])
    placed = [
        [_placed(hand, gap) for gap in group] for group in _filled(groups, jokers, hand.win_tile)
    ]
    if marked or hand.win_tile is None:
        yield _reading(hand, placed)
        return
    for at, group in enumerate(placed):
        place = next((i for i, tile in enumerate(group) if tile.tile == hand.win_tile), None)
        if place is None:
            continue
        old = group[place]
        new = Placed(old.tile, old.stands_for, old.joker, True)
        yield _reading(
            hand,
            [*placed[:at], [*group[:place], new, *group[place + 1 :]], *placed[at + 1 :]],
        )


def _filled(
    groups: list[_Gaps], jokers: list[str], win_tile: str | None
) -> list[list[tuple[_Gap, str]]]:
    """Each gap with its tile: natural tiles as they are, jokers first where they show that kind."""
    left = jokers.copy()
    tiles: dict[tuple[int, int], str] = {}
    open_gaps = []
    for g, group in enumerate(groups):
        for i, gap in enumerate(group):
            shown = TILES[gap.kind]
            if gap.natural:
                tiles[g, i] = shown
            elif gap.drawn and win_tile is not None:
                tiles[g, i] = win_tile
            elif shown in left:
                left.remove(shown)
                tiles[g, i] = shown
            else:
                open_gaps.append((g, i))
    for place, tile in zip(open_gaps, left, strict=True):
        tiles[place] = tile
    return [[(gap, tiles[g, i]) for i, gap in enumerate(group)] for g, group in enumerate(groups)]


def _placed(hand: Hand, filled: tuple[_Gap, str]) -> Placed:
    gap, tile = filled
    return Placed(tile, TILES[gap.kind], tile in hand.jokers, gap.drawn)


def _reading(hand: Hand, placed: list[list[Placed]]) -> Reading:
    groups = []
    for tiles in placed:
        kinds = {tile.stands_for for tile in tiles}
        form = "pair" if len(tiles) == 2 else "triplet" if len(kinds) == 1 else "run"
        groups.append(Group(form, tuple(tiles)))
    groups.sort(key=lambda group: (len(group.tiles) == 2, KINDS[group.tiles[0].stands_for]))
    melds = (
        Group(meld.kind, tuple(Placed(tile, tile, tile in hand.jokers) for tile in meld.tiles))
        for meld in hand.melds
    )
    return Reading((*groups, *melds))
