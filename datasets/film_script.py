"""The script of a film: a finished round told in beats of moving tiles, hands, dice and rests."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from datasets.film_places import Places, Pose
from rules.events import (
    AddedKong,
    ConcealedKong,
    Deal,
    Discard,
    Draw,
    Event,
    JokerKong,
    OpenKong,
    Pung,
    ReplacementDraw,
    WinClaim,
    event_to_json,
)
from rules.opening import dealing_order
from rules.round import Round
from rules.tiles import KINDS
from rules.wall import SEATS, TILES_IN_ALL

_REACH, _CARRY, _BACK = 0.2, 0.36, 0.2  # seconds
_REST = 2.7  # long enough for a watcher that asks for two seconds without motion
_PLACES_PER_SEAT = TILES_IN_ALL // SEATS

Point = tuple[float, float]


@dataclass(frozen=True)
class ArmMove:
    """An arm of a side's player whose fingertips go from one point of the table to another.

    None is the edge of the table before that player.
    """

    side: int
    start: Point | None
    end: Point | None


@dataclass(frozen=True)
class Beat:
    """A short stretch of film in which one thing happens.

    Attributes:
        seconds: how long it takes; 0 takes no frame.
        phase: see `FrameTruth`.
        moves: tiles by place of the wall, and where they lie at the end.
        arms: arms in the picture.
        throw: values of the two dice that roll and come to rest, thrown by `arms[0].side`.
        dice: False takes the dice from the table.
        nudge: the camera is pushed.
        begins: the next event begins here.
        event: what is complete when the beat ends; see `FilmEvent.data`.
    """

    seconds: float
    phase: str
    moves: Mapping[int, Pose] = field(default_factory=dict)
    arms: tuple[ArmMove, ...] = ()
    throw: tuple[int, int] | None = None
    dice: bool | None = None
    nudge: bool = False
    begins: bool = False
    event: Mapping[str, Any] | None = None


class Script:
    """Tells a round in beats.

    Args:
        table: a finished round with a known wall.
        me: the seat of the rules that sits before the camera.
        places: where things lie.
        rng: source of the players' habits and of what happens by the way.
        short: no shuffling, fewer rests, no passing sleeves but one.
    """

    def __init__(
        self, table: Round, me: int, places: Places, rng: random.Random, short: bool = False
    ) -> None:
        self._table, self._me, self._places, self._rng = table, me, places, rng
        self._short = short
        assert table.setup.wall is not None
        self._names = table.setup.wall
        self._poses: dict[int, Pose] = {}
        self._hands: list[list[int]] = [[] for _ in range(SEATS)]
        self._drawn: list[int | None] = [None] * SEATS
        self._ponds: list[list[int]] = [[] for _ in range(SEATS)]
        self._melds: list[list[list[int]]] = [[] for _ in range(SEATS)]
        self._meld_widths = [0.0] * SEATS
        self._tidy = rng.random() < 0.85
        self._backs: tuple[int, ...] = rng.choice(((0, 1, 2), (1, 2, 3), (0, 3), (1, 2)))
        self._on_top = rng.random() < 0.5
        self._nudge_at = rng.randint(8, max(9, len(table.events) - 4))
        self._phase = "build"

    def name(self, tile: int) -> str:
        """MPSZ code of the tile that lay at this place of the wall."""
        return self._names[tile]

    def beats(self) -> Iterator[Beat]:
        """The beats from the heap of tiles to the end of the round."""
        opening = self._table.setup.opening
        yield from self._build()
        yield from self._roll(1, opening.dealer, opening.dice1)
        yield from self._roll(2, opening.second_roller, opening.dice2)
        yield from self._deal()
        table = Round.begin(self._table.setup)
        for number, event in enumerate(self._table.events):
            yield from self._play(table, event)
            table = table.apply(event)
            yield from self._between(number)
        yield self._moved(Beat(3.0, "end"))

    # Helpers

    def _side(self, seat: int) -> int:
        return (seat - self._me) % SEATS

    def _place(self, place: int) -> int:
        """A place of the rules' wall counted from the wall before the camera."""
        return (place - _PLACES_PER_SEAT * self._me) % TILES_IN_ALL

    def _moved(self, beat: Beat) -> Beat:
        self._poses.update(beat.moves)
        return beat

    def _at(self, tile: int) -> Point:
        return float(self._poses[tile].centre[0]), float(self._poses[tile].centre[1])

    def _carry(
        self, seat: int, moves: Mapping[int, Pose], event: Mapping[str, Any] | None = None
    ) -> Iterator[Beat]:
        """A player takes tiles, carries them and draws the arm back."""
        side = self._side(seat)
        last = list(moves)[-1]
        source, centre = self._at(last), moves[last].centre
        target = (float(centre[0]), float(centre[1]))
        arm = ArmMove(side, None, source)
        yield Beat(_REACH, self._phase, arms=(arm,), begins=event is not None)
        arm = ArmMove(side, source, target)
        yield self._moved(Beat(_CARRY, self._phase, moves, (arm,), event=event))
        yield Beat(_BACK, self._phase, arms=(ArmMove(side, target, None),))

    def _rest(self, seconds: float) -> Beat:
        return Beat(seconds, self._phase)

    # The opening

    def _build(self) -> Iterator[Beat]:
        """Shuffling and building the walls."""
        order = list(range(TILES_IN_ALL))
        walls = {tile: self._places.wall(self._place(tile)) for tile in order}
        if self._short:
            yield self._moved(Beat(0, "build", walls, dice=False))
            yield Beat(1.2, "build")
            return
        sides = range(SEATS)
        for _ in range(3):
            self._rng.shuffle(order)
            heap = {tile: self._places.scattered(i, 0.02) for i, tile in enumerate(order)}
            yield self._moved(Beat(0, "shuffle", heap, dice=False))
            arms = tuple(ArmMove(s, self._somewhere(4), self._somewhere(4)) for s in sides)
            yield Beat(0.4, "shuffle", arms=arms)
        for part in range(4):
            moves = {
                tile: pose
                for tile, pose in walls.items()
                if self._place(tile) // 2 % 17 * 4 // 17 == part
            }
            yield self._moved(Beat(0, "build", moves))
            tips = [self._at(17 * 2 * ((s + self._me) % SEATS) + 8 * part + 2) for s in sides]
            arms = tuple(ArmMove(s, tip, tip) for s, tip in enumerate(tips))
            yield Beat(0.4, "build", arms=arms)
        yield Beat(1.0, "build")

    def _somewhere(self, reach: float) -> Point:
        return self._rng.uniform(-reach, reach), self._rng.uniform(-reach, reach)

    def _roll(self, number: int, seat: int, dice: tuple[int, int]) -> Iterator[Beat]:
        self._phase = "roll"
        side = self._side(seat)
        yield Beat(0.3, "roll", arms=(ArmMove(side, None, (0.0, 0.0)),), begins=True)
        yield Beat(0.2, "roll", arms=(ArmMove(side, (0.0, 0.0), None),), dice=False)
        arm = ArmMove(side, None, (0.0, -1.0) if side == 0 else (0.0, 0.0))
        event = {"type": "roll", "number": number, "seat": seat, "dice": list(dice)}
        yield Beat(0.9, "roll", arms=(arm,), throw=dice, event=event)
        yield self._rest(1.4 if self._short else _REST)

    def _deal(self) -> Iterator[Beat]:
        """Four tiles a turn, then one each, then the dealer's fourteenth."""
        self._phase = "deal"
        wall, order = self._table.setup.opening.wall, dealing_order(self._table.dealer)
        taken = 0
        while taken < len(order):
            seat = order[taken]
            count = 4 if taken < 48 else 1
            tiles = [wall.place(taken + k) for k in range(count)]
            side, hand = self._side(seat), self._hands[seat]
            last = taken == len(order) - 1
            moves = {
                tile: self._places.hand(side, len(hand) + k, last) for k, tile in enumerate(tiles)
            }
            if last:
                self._drawn[seat] = tiles[0]
            else:
                hand.extend(tiles)
            taken += count
            source, target = self._at(tiles[0]), moves[tiles[0]].centre
            arm = ArmMove(side, source, (float(target[0]), float(target[1])))
            yield self._moved(Beat(_CARRY, "deal", moves, (arm,)))
        for seat in range(SEATS):
            yield self._moved(Beat(0, "deal", self._sorted(seat)))
        yield Beat(0.5, "deal", arms=tuple(self._sweep(seat) for seat in range(SEATS)))
        yield Beat(0.8, "deal")

    def _flip(self) -> Iterator[Beat]:
        """The third roll and the turned tile, which end the deal of the rules."""
        opening = self._table.setup.opening
        yield from self._roll(3, opening.joker_roller, opening.dice3)
        self._phase = "flip"
        tile = self._indicator
        side = self._side(opening.joker_roller)
        pose = self._places.wall(self._place(tile), flipped=True)
        event = {"type": "flip", "tile": self._names[tile]}
        at = self._at(tile)
        yield Beat(0.3, "flip", arms=(ArmMove(side, None, at),), begins=True)
        arms = (ArmMove(side, at, at),)
        yield self._moved(Beat(0.2, "flip", {tile: pose}, arms, event=event))
        yield Beat(0.3, "flip", arms=(ArmMove(side, at, None),))

    @property
    def _indicator(self) -> int:
        wall = self._table.setup.opening.wall
        return wall.place(wall.indicator_order)

    # Play

    def _sorted(self, seat: int) -> dict[int, Pose]:
        """Close the gaps of a hand, in order where the player keeps order."""
        hand = self._hands[seat]
        if self._tidy:
            hand.sort(key=lambda tile: (KINDS[self._names[tile]], tile))
        return {tile: self._places.hand(self._side(seat), i) for i, tile in enumerate(hand)}

    def _sweep(self, seat: int) -> ArmMove:
        """An arm along one's own hand."""
        side = self._side(seat)
        first, last = (self._places.hand(side, i).centre for i in (1, 11))
        return ArmMove(side, (float(first[0]), float(first[1])), (float(last[0]), float(last[1])))

    def _play(self, table: Round, event: Event) -> Iterator[Beat]:
        data = event_to_json(event)
        if isinstance(event, Deal):
            yield from self._flip()
            self._phase = "play"
            yield Beat(0.05, "play", begins=True, event=data)
            yield self._rest(1.2 if self._short else _REST)
        elif isinstance(event, (Draw, ReplacementDraw)):
            yield from self._draw(table, event, data)
        elif isinstance(event, Discard):
            yield from self._discard(event, data)
        elif isinstance(event, (Pung, OpenKong)):
            yield from self._claim(table.turn, event, data)
        elif isinstance(event, (ConcealedKong, JokerKong, AddedKong)):
            yield from self._own_kong(event, data)
        elif isinstance(event, WinClaim):
            yield from self._win(event.seat, data)
        else:
            yield Beat(0.3, "play", begins=True, event=data)

    def _draw(
        self, table: Round, event: Draw | ReplacementDraw, data: Mapping[str, Any]
    ) -> Iterator[Beat]:
        if isinstance(event, Draw):
            order: int | None = table.wall.next_order()
        else:
            order = table.replacement_order()
        assert order is not None
        tile = table.wall.place(order)
        seat = event.seat
        pose = self._places.hand(self._side(seat), len(self._hands[seat]), True)
        yield from self._carry(seat, {tile: pose}, data)
        self._drawn[seat] = tile
        upper = tile - 1
        if tile % 2 and self._poses[upper].role in ("wall", "indicator"):
            flipped = self._poses[upper].role == "indicator"
            pose = self._places.wall(self._place(upper), flipped, dropped=True)
            yield self._moved(Beat(0, self._phase, {upper: pose}))

    def _from_hand(self, seat: int, name: str, count: int) -> list[int]:
        """Take tiles of a kind out of a hand, the one just drawn first."""
        drawn = self._drawn[seat]
        if drawn is not None:
            self._hands[seat].append(drawn)
            self._drawn[seat] = None
        taken = [tile for tile in self._hands[seat] if self._names[tile] == name][-count:]
        for tile in taken:
            self._hands[seat].remove(tile)
        return taken

    def _tidy_up(self, seat: int) -> Iterator[Beat]:
        moves = self._sorted(seat)
        far = any(abs(self._at(t)[0] - p.centre[0]) > 0.4 for t, p in moves.items())
        yield self._moved(Beat(0, self._phase, moves))
        if far and self._side(seat) == 0:
            yield Beat(0.3, self._phase, arms=(self._sweep(seat),))

    def _discard(self, event: Discard, data: Mapping[str, Any]) -> Iterator[Beat]:
        seat = event.seat
        (tile,) = self._from_hand(seat, event.tile, 1)
        pose = self._places.pond(self._side(seat), len(self._ponds[seat]))
        self._ponds[seat].append(tile)
        yield from self._carry(seat, {tile: pose}, data)
        yield from self._tidy_up(seat)

    def _claim(self, turn: int, event: Pung | OpenKong, data: Mapping[str, Any]) -> Iterator[Beat]:
        count = 2 if isinstance(event, Pung) else 3
        tiles = [*self._from_hand(event.seat, event.tile, count), self._ponds[turn].pop()]
        yield from self._lay_meld(event.seat, tiles, (), data)

    def _own_kong(
        self, event: ConcealedKong | JokerKong | AddedKong, data: Mapping[str, Any]
    ) -> Iterator[Beat]:
        seat = event.seat
        if not isinstance(event, AddedKong):
            tiles = self._from_hand(seat, event.tile, 4)
            yield from self._lay_meld(seat, tiles, self._backs, data)
            return
        (tile,) = self._from_hand(seat, event.tile, 1)
        meld = next(m for m in self._melds[seat] if self._names[m[0]] == event.tile)
        below = self._poses[meld[1]]
        meld.append(tile)
        yield from self._carry(seat, {tile: self._places.on_meld(below)}, data)
        yield from self._tidy_up(seat)

    def _lay_meld(
        self,
        seat: int,
        tiles: Sequence[int],
        backs: tuple[int, ...],
        data: Mapping[str, Any],
    ) -> Iterator[Beat]:
        poses, width = self._places.meld(
            self._side(seat), self._meld_widths[seat], len(tiles), backs
        )
        self._meld_widths[seat] = width
        self._melds[seat].append(list(tiles))
        yield from self._carry(seat, dict(zip(tiles, poses, strict=True)), data)
        yield from self._tidy_up(seat)

    def _win(self, seat: int, data: Mapping[str, Any]) -> Iterator[Beat]:
        """The winner lays the hand open."""
        side, hand, drawn = self._side(seat), self._hands[seat], self._drawn[seat]
        moves = {tile: self._places.open_hand(side, i) for i, tile in enumerate(hand)}
        if drawn is not None:
            moves[drawn] = self._places.open_hand(side, len(hand), True)
        sweep = self._sweep(seat)
        yield Beat(0.3, self._phase, arms=(ArmMove(side, None, sweep.start),), begins=True)
        yield self._moved(Beat(0.4, self._phase, moves, (sweep,), event=data))
        yield Beat(0.3, self._phase, arms=(ArmMove(side, sweep.end, None),))

    def _between(self, number: int) -> Iterator[Beat]:
        """Rests, sleeves that pass, and the push of the camera."""
        rng = self._rng
        every = 16 if self._short else 7
        yield self._rest(_REST if number % every == every - 1 else rng.uniform(0.15, 0.6))
        if number == self._nudge_at:
            yield Beat(0.35, self._phase, nudge=True, begins=True, event={"type": "nudge"})
            yield self._rest(_REST)
        if rng.random() < (0.02 if self._short else 0.05):
            side = rng.randrange(SEATS)
            arm = ArmMove(side, self._somewhere(8), self._somewhere(8))
            yield Beat(rng.uniform(0.4, 1.2), self._phase, arms=(arm,))
