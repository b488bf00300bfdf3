"""The places 混儿吊 asks for when the jokers it waits with are at face value (SPEC §9.4).

Under `su_mode` = "face_value_diao" 素的 goes with 混儿吊: every joker stands for its own kind, and
the last tile makes a pair with a joker tile of that kind, or a set with two joker tiles. So the
places are those of a pair or set of joker kinds, less the last tile's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.features import FIVE_M
from rules.fit import LONG, PLAIN, Shape

_NINE = 9
_HONOURS = 27

Shapes = tuple[Shape, Shape, Shape, Shape]
"""The places asked for in 万, 饼, 条 and the honours."""


@dataclass(frozen=True, slots=True)
class _Group:
    """A pair or set that joker tiles and the last tile make.

    Attributes:
        kinds: its tiles, the last one among them.
        last: the kind of the last tile.
    """

    kinds: tuple[int, ...]
    last: int

    @property
    def suit(self) -> int:
        return self.last // _NINE

    @property
    def is_run(self) -> bool:
        return self.kinds[0] != self.kinds[1]

    @property
    def is_zhuowu(self) -> bool:
        return self.last == FIVE_M and self.kinds == (FIVE_M - 1, FIVE_M, FIVE_M + 1)

    @property
    def is_of_long(self) -> bool:
        """Whether a dragon of its suit has a run of these kinds."""
        return self.is_run and self.kinds[0] % 3 == 0

    def shape(self, with_long: bool, inside: bool) -> Shape:
        """Its places, beside a dragon of its suit or as one of the dragon's own runs."""
        places = list(LONG.places) if with_long else [0] * _NINE
        sets = LONG.sets if with_long else 0
        if not inside:
            for kind in self.kinds:
                places[kind % _NINE] += 1
            sets += len(self.kinds) == 3
        places[self.last % _NINE] -= 1
        return Shape(tuple(places), sets, self.last % _NINE, int(len(self.kinds) == 2))


def _groups(jokers: tuple[int, ...]) -> Iterator[_Group]:
    for kind in jokers:
        yield _Group((kind,) * 2, kind)
        yield _Group((kind,) * 3, kind)
    for first in range(_HONOURS):
        if first % _NINE > 6:
            continue
        kinds = (first, first + 1, first + 2)
        for last in kinds:
            if all(kind in jokers for kind in kinds if kind != last):
                yield _Group(kinds, last)


def face_diao_shapes(
    jokers: tuple[int, ...], zhuowu: bool, long: int | None, pair: bool, inside: bool
) -> Iterator[Shapes]:
    """The places of 素的 with 混儿吊.

    Args:
        jokers: the joker kinds.
        zhuowu: with 捉伍儿.
        long: the suit of a dragon with it, or None.
        pair: 混儿吊 in the pair; else 双混儿吊.
        inside: 双混儿吊 may be one of the dragon's runs (`shuang_outside_dragon` = false).
    """
    for group in _groups(jokers):
        if (len(group.kinds) == 2) != pair or group.is_zhuowu != zhuowu:
            continue
        with_long = long == group.suit
        for own in (False, True) if with_long and group.is_of_long and inside else (False,):
            shapes = [PLAIN] * 4
            if long is not None:
                shapes[long] = LONG
            shapes[group.suit] = group.shape(with_long, own)
            yield shapes[0], shapes[1], shapes[2], shapes[3]
