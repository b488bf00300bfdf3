"""A whole 锅: four rounds of the deal with a running score that is only ever added to (SPEC §2.1,
§10).

"每锅（即国标麻将中的“局”）": every player deals four times, sixteen dealers' turns in all. A
dealer who stays (连庄) deals again within the same turn, so a 锅 has sixteen hands or more [R:
连庄 repeats a deal; it does not use one up].

Nothing entered is ever changed: a correction is a further entry that makes up the difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.guo_chain import root, standing, undo_problems
from rules.options import RuleOptions
from rules.reasons import Reason, RequestError, RulesError
from rules.seating import Seating, draw_winds
from rules.settlement import Gang, HandResult, settle
from rules.wall import SEATS

TURNS_IN_A_GUO = 16

HAND = "hand"
CORRECTION = "correction"
UNDO = "undo"


class GuoError(RulesError):
    """Something a 锅 cannot take now, with the reason."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the score.

    Attributes:
        kind: "hand", "correction" or "undo".
        deltas: points by seat; their sum is 0.
        result: how the hand ended; for a correction how it should have been entered, None for a
            correction of points alone.
        corrects: index of the hand (or adjustment) a correction or an undoing is about, None for
            a hand and for an adjustment.
        turn_before: the dealers' turns completed before the entry, so that a corrected last hand
            counts from where it began.
        note: the reason given for a correction.
        undoes: index of the entry that an undoing takes back, None for the others.
    """

    kind: str
    deltas: tuple[int, ...]
    result: HandResult | None = None
    corrects: int | None = None
    turn_before: int = 0
    note: str = ""
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class Guo:
    """The score of one 锅 so far.

    Attributes:
        players: names by seat, 0..3 anticlockwise; seat 0 need not be East.
        options: the rules in force.
        dealer: seat that deals the next hand.
        turns: dealers' turns completed, 0..16.
        entries: every line, in the order entered.
    """

    players: tuple[str, ...]
    options: RuleOptions
    dealer: int = 0
    turns: int = 0
    entries: tuple[Entry, ...] = ()

    @classmethod
    def begin(
        cls, players: Sequence[str], options: RuleOptions | None = None, east: int = 0
    ) -> Guo:
        """A new 锅; the person in the East seat deals first ("第一局的庄家（即东家）").

        Raises:
            GuoError: not four different players, or no such seat.
        """
        reasons = []
        if len(players) != SEATS or len(set(players)) != SEATS:
            reasons.append(
                Reason(
                    "not_four_players",
                    "要有四个不同的玩家",
                    f"{list(players)} are not four different players; name four",
                )
            )
        if type(east) is not int or not 0 <= east < SEATS:
            reasons.append(
                Reason(
                    "bad_seat", f"没有 {east} 号座位", f"{east} is no seat; seats are 0, 1, 2, 3"
                )
            )
        if reasons:
            raise GuoError(reasons)
        return cls(tuple(players), options or RuleOptions(), east)

    @property
    def is_finished(self) -> bool:
        """Whether everybody has dealt four times."""
        return self.turns >= TURNS_IN_A_GUO

    @property
    def circle(self) -> int:
        """Which circle of the deal is being played: 1 to 4 (4 also when all is over)."""
        return min(self.turns // SEATS, SEATS - 1) + 1

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat over all entries; their sum is 0 (SPEC §10.7)."""
        return tuple(sum(entry.deltas[seat] for entry in self.entries) for seat in range(SEATS))

    @property
    def score(self) -> dict[str, int]:
        """Points by player."""
        return dict(zip(self.players, self.totals, strict=True))

    def record(self, result: HandResult) -> Guo:
        """Enter a hand.

        Raises:
            GuoError: the 锅 is over, or somebody else is dealer.
            SettlementError: the result cannot be under the options.
        """
        if self.is_finished:
            raise GuoError(
                [
                    Reason(
                        "guo_over",
                        "这一锅已经打完，要重新打风",
                        "this 锅 is over; draw the seats anew",
                    )
                ]
            )
        if result.dealer != self.dealer:
            raise GuoError(
                [
                    Reason(
                        "not_the_dealer",
                        f"这一盘的庄家是 {self.dealer} 号座位，不是 {result.dealer} 号",
                        f"seat {self.dealer} deals this hand, not seat {result.dealer}",
                    )
                ]
            )
        settled = settle(result, self.options)
        entry = Entry(HAND, settled.deltas, result, turn_before=self.turns)
        return replace(
            self,
            dealer=settled.next_dealer,
            turns=self.turns + (settled.next_dealer != self.dealer),
            entries=(*self.entries, entry),
        )

    def correct(self, index: int, result: HandResult, note: str = "") -> Guo:
        """Enter a hand anew that was entered wrong: an entry with the difference of points.

        Corrected again, the difference is taken to what stands after the earlier corrections. When
        the hand is the last one played, the next dealer follows from the corrected result;
        otherwise the hands after it were dealt as they were, and the dealer stays [R].

        Raises:
            GuoError: no such hand, it is undone, or the correction names another dealer.
            SettlementError: the result cannot be under the options.
        """
        wrong = self._hand_entry(index)
        if wrong.result is not None and result.dealer != wrong.result.dealer:
            raise GuoError(
                [
                    Reason(
                        "not_the_dealer",
                        f"那一盘的庄家是 {wrong.result.dealer} 号座位",
                        f"seat {wrong.result.dealer} dealt that hand; keep the dealer",
                    )
                ]
            )
        if not standing(self.entries, index).stands:
            raise GuoError(
                [
                    Reason(
                        "hand_undone",
                        "这一盘已经撤销；先恢复它，或另记一盘",
                        "that hand is undone; bring it back first, or enter a new one",
                    )
                ]
            )
        settled = settle(result, self.options)
        counted = self._counted(index)
        deltas = tuple(new - old for new, old in zip(settled.deltas, counted, strict=True))
        return self._with(Entry(CORRECTION, deltas, result, index, wrong.turn_before, note))

    def undo(self, index: int, note: str = "") -> Guo:
        """Take back an entry by one that negates it; undoing that one brings the first back.

        A hand is taken back whole, with its corrections. Of the other entries about a hand only
        the last can be taken back. When the hand is the last one that stands, the deal goes back
        to before it; otherwise the hands after it were dealt as they were [R].

        Raises:
            GuoError: no such entry, it is undone already, or a later entry is about the same hand.
        """
        reasons = undo_problems(self.entries, index)
        if reasons:
            raise GuoError(reasons)
        first = root(self.entries, index)
        counted = self._counted(index) if index == first else self.entries[index].deltas
        deltas = tuple(-points for points in counted)
        turn = self.entries[first].turn_before
        return self._with(Entry(UNDO, deltas, None, first, turn, note, index))

    def adjust(self, deltas: Sequence[int], note: str) -> Guo:
        """Enter points that belong to no hand, such as a penalty the table agreed on.

        The seed has no penalty for 诈和; whatever a table agrees on goes in here [R].

        Raises:
            GuoError: not four whole numbers whose sum is 0.
        """
        whole = all(type(points) is int for points in deltas)
        if len(deltas) != SEATS or not whole or sum(deltas) != 0:
            raise GuoError(
                [
                    Reason(
                        "unbalanced",
                        "四家的分数加起来要等于零",
                        f"{list(deltas)} must be four whole numbers whose sum is 0",
                    )
                ]
            )
        entry = Entry(CORRECTION, tuple(deltas), turn_before=self.turns, note=note)
        return replace(self, entries=(*self.entries, entry))

    def draw_seats(self, east: int, picks: Sequence[str]) -> Seating:
        """打风 after this 锅, by the players as they sit now (SPEC §2).

        Raises:
            GuoError: the 锅 is not over.
            SeatingError: the picks are not one of each wind.
        """
        if not self.is_finished:
            raise GuoError(
                [Reason("guo_not_over", "这一锅还没打完", "this 锅 is not over; play it first")]
            )
        return draw_winds(self.players, east, picks, after_guo=True)

    def follow(self, east: int, picks: Sequence[str]) -> Guo:
        """The next 锅 after 打风, with the score at nothing.

        Raises:
            GuoError: the 锅 is not over, or the draw is void and must be made again:
            "打风后上下家的关系
                未发生变化：则打风无效，需要重新打风".
        """
        drawn = self.draw_seats(east, picks)
        if drawn.redo:
            raise GuoError(
                [
                    Reason(
                        "seating_void",
                        "上下家的关系没有变化，打风无效，重新打风",
                        "nobody's neighbours changed: the draw is void, roll and draw again",
                    )
                ]
            )
        return Guo.begin(drawn.seats, self.options, east)

    def _hand_entry(self, index: int) -> Entry:
        if 0 <= index < len(self.entries) and self.entries[index].kind == HAND:
            return self.entries[index]
        raise GuoError(
            [Reason("no_such_hand", f"没有第 {index} 条牌局记录", f"entry {index} is no hand")]
        )

    def _with(self, entry: Entry) -> Guo:
        """The 锅 with a correction or an undoing; the deal follows from the last hand that stands.

        With no hand standing, the first dealer deals again.
        """
        entries = (*self.entries, entry)
        hands = [i for i, one in enumerate(entries) if one.kind == HAND]
        if not hands:
            return replace(self, entries=entries)
        for index in reversed(hands):
            last = standing(entries, index)
            if last.stands and last.result is not None:
                dealer = settle(last.result, self.options).next_dealer
                turns = entries[index].turn_before + (dealer != last.result.dealer)
                return replace(self, dealer=dealer, turns=turns, entries=entries)
        first = entries[hands[0]]
        dealer = self.dealer if first.result is None else first.result.dealer
        return replace(self, dealer=dealer, turns=first.turn_before, entries=entries)

    def _counted(self, index: int) -> tuple[int, ...]:
        """What a hand counts for after the entries about it so far."""
        parts = [self.entries[index], *(e for e in self.entries if e.corrects == index)]
        return tuple(sum(entry.deltas[seat] for entry in parts) for seat in range(SEATS))

    def to_json(self) -> dict[str, Any]:
        """The 锅 as JSON; `from_json` rebuilds an equal one."""
        hands = [entry.result for entry in self.entries if entry.kind == HAND]
        first = hands[0] if hands else None
        return {
            "players": list(self.players),
            "options": self.options.to_mapping(),
            "east": self.dealer if first is None else first.dealer,
            "entries": [_entry_to_json(entry) for entry in self.entries],
            "dealer": self.dealer,
            "turns": self.turns,
            "totals": list(self.totals),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Guo:
        """The 锅 that JSON describes, entered again line by line.

        Raises:
            RequestError: the JSON has not the shape of a 锅, or its points are not what its hands
                come to.
            RulesError: a line that cannot be entered where it stands.
        """
        try:
            options = RuleOptions.from_mapping(data["options"])
            guo = cls.begin(tuple(data["players"]), options, data["east"])
            for entry in data["entries"]:
                guo = guo.entered(entry)
                if list(guo.entries[-1].deltas) != list(entry["deltas"]):
                    raise _malformed("the points of an entry are not what its hand comes to")
        except RulesError:
            raise
        except (KeyError, TypeError, AttributeError) as error:
            raise _malformed(str(error)) from None
        return guo

    def entered(self, entry: Mapping[str, Any]) -> Guo:
        """The 锅 with one line of JSON entered: a hand, a correction, an undoing, points."""
        if entry["kind"] == UNDO:
            return self.undo(entry["undoes"], entry["note"])
        result = None if entry["result"] is None else result_from_json(entry["result"])
        if result is None:
            return self.adjust(entry["deltas"], entry["note"])
        if entry["kind"] == HAND:
            return self.record(result)
        return self.correct(entry["corrects"], result, entry["note"])


def result_to_json(result: HandResult) -> dict[str, Any]:
    """A hand's result as JSON, in the form of a `settlement` request's input."""
    return {
        "dealer": result.dealer,
        "winner": result.winner,
        "fan": result.fan,
        "gangs": [{"player": gang.player, "kind": gang.kind} for gang in result.gangs],
        "zuo": result.zuo,
        "la": list(result.la),
        "chan": result.chan,
    }


def result_from_json(data: Mapping[str, Any]) -> HandResult:
    """The result that JSON describes; the inverse of `result_to_json`."""
    return HandResult(
        data["dealer"],
        data["winner"],
        data["fan"],
        tuple(Gang(gang["player"], gang["kind"]) for gang in data["gangs"]),
        data["zuo"],
        tuple(data["la"]),
        data["chan"],
    )


def _entry_to_json(entry: Entry) -> dict[str, Any]:
    return {
        "kind": entry.kind,
        "deltas": list(entry.deltas),
        "result": None if entry.result is None else result_to_json(entry.result),
        "corrects": entry.corrects,
        "note": entry.note,
        "undoes": entry.undoes,
    }


def _malformed(why: str) -> RequestError:
    return RequestError(
        [Reason("malformed_guo", f"这一锅的记录写法不对：{why}", f"malformed score: {why}")]
    )
