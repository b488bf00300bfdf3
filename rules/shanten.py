"""How far a hand is from waiting, for any shape and for a win that counts (SPEC §6, §6.4).

Distances are counted in exchanges: draw a tile, discard one. A hand is *ready* at 0, when some draw
is a legal win; one that only 屁和 could complete is not ready. They are what is possible with the
tiles the player does not hold himself; tiles seen elsewhere lower the number left, not the
distance. Jokers stay in the hand: nobody may discard one ("行牌中不能把混儿牌打出").
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.bare_win import draws_that_tell, leave_every_tile, needs_its_pair
from rules.cover import FIELD, SUIT_BITS, SUIT_MASK
from rules.fit import (
    IMPOSSIBLE,
    MASK,
    MASK_BITS,
    Cells,
    FitTable,
    Limits,
    fit_table,
    joined,
    joined_cell,
    limited_table,
)
from rules.goals import (
    Goal,
    GoalRules,
    bare_but_not_diao,
    bare_goal,
    single_goals,
    winning_goals,
)
from rules.hand import Hand, HandError
from rules.judging import DEFAULT, judge, waits
from rules.options import RuleOptions
from rules.packing import Position, locate
from rules.reasons import Reason
from rules.tiles import KINDS, TILES

_REST = tuple(tuple(other for other in range(4) if other != suit) for suit in range(4))

UNREACHABLE = 99
"""The distance to a goal the hand cannot reach: 没混儿 with a joker in hand."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far some tiles are from a goal.

    Attributes:
        distance: exchanges until the hand waits for it, 0 when it does, or `UNREACHABLE`.
        kinds: a bit for each kind (no joker) whose draw brings it one nearer.
        jokers: whether a joker's draw does.
    """

    distance: int
    kinds: int
    jokers: bool


class Outlook:
    """Every goal's distance for one hand and for each discard from it.

    Args:
        hand: 13 tiles less 3 a meld, or one more; the drawn tile counts among them.
        options: the options in force.

    Raises:
        HandError: an impossible hand; every reason.
    """

    def __init__(self, hand: Hand, options: RuleOptions) -> None:
        whole = replace(
            hand, concealed=hand.tiles, win_tile=None, heavenly=False, earthly=False, self_draw=True
        )
        self.position: Position = locate(replace(whole, gang_draw=False), options)
        position = self.position
        self.sets = position.sets
        self.tiles = len(whole.concealed)
        self.jokers_held = sum(
            position.jokers_held >> FIELD * kind & 63 for kind in range(MASK_BITS)
        )
        self._face = options.su_mode != "no_jokers"
        self._limits = self._limits_of(hand)
        rules = _goal_rules(hand, options, position.joker_suits)
        self.bare = bare_goal(rules)
        self.winning = tuple(goal for goal in winning_goals(rules) if self._may(goal))
        self.singles = tuple(goal for goal in single_goals(rules) if self._may(goal))
        self._bare_but_not_diao = bare_but_not_diao(options)
        self._drawable = sum(
            1 << kind
            for kind in range(MASK_BITS)
            if position.held >> FIELD * kind & 63 < 4
            and not position.joker_fields >> FIELD * kind & 1
        )
        self.drawable_jokers = tuple(
            tile for tile in hand.jokers if position.held >> FIELD * KINDS[tile] & 63 < 4
        )
        self._joined: dict[tuple[object, ...], Cells] = {}
        self._known: dict[tuple[Goal, int], int] = {}

    def _may(self, goal: Goal) -> bool:
        if not goal.plain:
            return True
        if self.position.gang_kills:
            return False
        return self._face or not self.jokers_held

    def _limits_of(self, hand: Hand) -> tuple[Limits, ...]:
        caps, must = [4] * 36, [False] * 36
        for kind in range(MASK_BITS):
            concealed = self.position.natural + self.position.jokers_held >> FIELD * kind & 63
            caps[kind] -= (self.position.held >> FIELD * kind & 63) - concealed
            if self.position.joker_fields >> FIELD * kind & 1:
                # At face value a joker is a tile that must stay; for 没混儿 there is none of it.
                must[kind] = self._face
                caps[kind] = caps[kind] if self._face else 0
        return tuple(
            Limits(tuple(caps[at : at + 9]), tuple(must[at : at + 9])) for at in range(0, 36, 9)
        )

    def _table(self, goal: Goal, suit: int, helps: bool) -> FitTable:
        shape = goal.shapes[suit]
        if goal.plain:
            return limited_table(suit, shape, self._limits[suit], helps)
        return fit_table(suit, shape, helps)

    def _tiles_for(self, goal: Goal) -> int:
        natural = self.position.natural
        return natural + self.position.jokers_held if goal.plain else natural

    def _others(self, goal: Goal, suits: tuple[int, ...], helps: bool) -> Cells:
        """The cells of the suits together, for this goal's shapes in them."""
        key = (goal.plain, helps, *suits, *(goal.shapes[suit] for suit in suits))
        found = self._joined.get(key)
        if found is None:
            if len(suits) == 1:
                packed = self._tiles_for(goal) >> SUIT_BITS * suits[0] & SUIT_MASK
                found = self._table(goal, suits[0], helps)[packed]
            else:
                found = joined(
                    self._others(goal, suits[:1], helps),
                    self._others(goal, suits[1:], helps),
                    self.sets,
                )
            self._joined[key] = found
        return found

    def _cell(self, goal: Goal, discard: int, helps: bool) -> int:
        """The most tiles that stay on the way to a goal, with what would stay as well."""
        sets, pair = goal.cell(self.sets)
        if sets < 0:
            return IMPOSSIBLE
        suit = max(discard, 0) // 9
        packed = self._tiles_for(goal) >> SUIT_BITS * suit & SUIT_MASK
        if discard >= 0:
            packed -= 1 << FIELD * (discard - 9 * suit)
        one = self._table(goal, suit, helps)[packed]
        return joined_cell(one, self._others(goal, _REST[suit], helps), sets, pair)

    def distance(self, goal: Goal, discard: int = -1) -> int:
        """How many exchanges the hand is from waiting for a goal, after a discard.

        Args:
            goal: one of `bare`, `winning` or `singles`.
            discard: the kind discarded, no joker; -1 for a hand that waits for a draw as it is.
        """
        found = self._known.get((goal, discard))
        if found is None:
            cell = self._cell(goal, discard, helps=False)
            waiting = 3 * self.sets + 1 - (0 if goal.plain else self.jokers_held)
            found = UNREACHABLE if cell < 0 else waiting - (cell >> MASK_BITS)
            self._known[goal, discard] = found
        return found

    def progress(self, goal: Goal, discard: int = -1) -> Progress:
        """How far the hand is from a goal, and what helps; arguments as in `distance`."""
        distance = self.distance(goal, discard)
        if distance in (0, UNREACHABLE):
            return Progress(distance, 0, False)
        kinds = self._cell(goal, discard, helps=True) & MASK
        return Progress(distance, kinds if goal.plain else kinds & self._drawable, not goal.plain)

    def to_a_win(self, discard: int = -1) -> Progress:
        """The progress towards the nearest legal win, with what helps towards any of the nearest.

        Args:
            discard: as in `progress`.
        """
        near = min((self.distance(goal, discard) for goal in self.winning), default=UNREACHABLE)
        found = [
            self.progress(goal, discard)
            for goal in self.winning
            if self.distance(goal, discard) == near
        ]
        if self._bare_but_not_diao:
            found.append(self._to_a_bare_win(discard))
        return _nearest(found)

    def _to_a_bare_win(self, discard: int) -> Progress:
        """The progress to a hand that waits for some tiles, not for every one (`rules.bare_win`).

        More than one exchange from any shape the tiles still to come can be chosen so; nearer it
        depends on what is kept.
        """
        bare = self.progress(self.bare, discard)
        natural = self.position.natural - (1 << FIELD * discard if discard >= 0 else 0)
        if bare.distance == 1:
            kinds = draws_that_tell(natural, self.sets)
            return Progress(1, kinds & self._drawable, bool(kinds >> MASK_BITS))
        if bare.distance or needs_its_pair(natural, self.sets):
            return bare
        way = leave_every_tile(natural, self.sets)
        if way is None:
            return Progress(UNREACHABLE, 0, False)
        return Progress(way[0], way[1] & self._drawable, False)

    def discards(self) -> tuple[int, ...]:
        """The kinds that may be discarded, in class order: never a joker."""
        natural = self.position.natural
        return tuple(kind for kind in range(MASK_BITS) if natural >> FIELD * kind & 63)


def _nearest(found: list[Progress]) -> Progress:
    best, kinds, jokers = UNREACHABLE, 0, False
    for progress in found:
        if progress.distance < best:
            best, kinds, jokers = progress.distance, progress.kinds, progress.jokers
        elif progress.distance == best:
            kinds, jokers = kinds | progress.kinds, jokers or progress.jokers
    return Progress(best, kinds, jokers)


def _goal_rules(hand: Hand, options: RuleOptions, joker_suits: int) -> GoalRules:
    face = options.su_mode == "face_value_diao"
    face_jokers = tuple(sorted({KINDS[tile] for tile in hand.jokers})) if face else ()
    return GoalRules(options, joker_suits, bool(hand.jokers), face_jokers)


def shanten(hand: Hand, options: RuleOptions = DEFAULT) -> int:
    """How many exchanges the hand is from waiting for a legal win (SPEC §6.4).

    Args:
        hand: a hand waiting for a draw, or with one tile more; the drawn tile may be among them.
        options: the rule options: they say what is a legal win.

    Returns:
        -1 when the hand is a legal win, 0 when it is ready, and so on.

    Raises:
        HandError: an impossible hand; every reason.
    """
    return _distance(hand, options, any_shape=False)


def shape_shanten(hand: Hand, options: RuleOptions = DEFAULT) -> int:
    """How many exchanges the hand is from waiting for four sets and a pair, 屁和 included.

    Args:
        hand: as in `shanten`.
        options: the rule options.

    Raises:
        HandError: an impossible hand; every reason.
    """
    return _distance(hand, options, any_shape=True)


def _distance(hand: Hand, options: RuleOptions, any_shape: bool) -> int:
    outlook = Outlook(hand, options)
    if outlook.tiles == 3 * outlook.sets + 1:
        return _after(outlook, hand, -1, options, any_shape)
    judgement = judge(hand, options)
    if judgement.complete if any_shape else judgement.win:
        return -1
    kinds = outlook.discards()
    if not kinds:
        raise HandError([_only_jokers()])
    return min(_after(outlook, hand, kind, options, any_shape) for kind in kinds)


def _after(outlook: Outlook, hand: Hand, kind: int, options: RuleOptions, any_shape: bool) -> int:
    """The distance after discarding a kind, or of the hand as it is for -1."""
    shape = outlook.distance(outlook.bare, kind)
    if any_shape or shape:
        return shape if any_shape else outlook.to_a_win(kind).distance
    rest = list(hand.tiles)
    if kind >= 0:
        rest.remove(TILES[kind])
    waiting = Hand(tuple(rest), hand.melds, hand.jokers)
    return ready_or_not(outlook.to_a_win(kind), bool(waits(waiting, options)))


def ready_or_not(progress: Progress, waits_for_a_win: bool) -> int:
    """The distance to a legal win of tiles that wait for some shape.

    Whether they are ready the wait list says. The goals say the same unless the player himself
    holds every copy of all the tiles they wait for, which the goals do not count.
    """
    return 0 if waits_for_a_win else max(1, progress.distance)


def helps_by_trial(waiting: Hand, options: RuleOptions) -> tuple[str, ...]:
    """The tiles after whose draw some discard leaves a legal win to wait for, each one tried."""
    held = [*waiting.concealed, *(tile for meld in waiting.melds for tile in meld.tiles)]
    found = []
    for tile in TILES:
        if held.count(tile) < 4:
            drawn = (*waiting.concealed, tile)
            for out in dict.fromkeys(drawn):
                rest = list(drawn)
                rest.remove(out)
                left = Hand(tuple(rest), waiting.melds, waiting.jokers)
                if out not in waiting.jokers and waits(left, options):
                    found.append(tile)
                    break
    return tuple(found)


def _only_jokers() -> Reason:
    return Reason(
        "only_jokers",
        "手里全是混儿，没有牌可打",
        "every tile is a joker and none may be discarded; the hand can only win",
    )
