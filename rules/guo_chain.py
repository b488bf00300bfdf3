"""What stands of a hand after the entries that followed it: corrections, undoing, redoing.

Every entry of a 锅 about one hand forms that hand's chain: the hand, then whatever corrects it or
undoes one of the entries. Only a whole hand, or the last entry of its chain, can be undone, so that
what stands can always be told from the chain alone (an adjustment of points is a chain of its own).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.reasons import Reason

if TYPE_CHECKING:
    from rules.guo import Entry
    from rules.settlement import HandResult


@dataclass(frozen=True, slots=True)
class Standing:
    """What a chain comes to.

    Attributes:
        stands: False when the hand is undone.
        result: how the hand counts, None for an adjustment of points.
    """

    stands: bool
    result: HandResult | None


def root(entries: Sequence[Entry], index: int) -> int:
    """The index of the hand (or adjustment) that an entry is about."""
    corrects = entries[index].corrects
    return index if corrects is None else corrects


def chain(entries: Sequence[Entry], index: int) -> list[int]:
    """The indices of all entries about the same hand as the one given, in order."""
    first = root(entries, index)
    return [first, *(i for i, entry in enumerate(entries) if entry.corrects == first)]


def standing(entries: Sequence[Entry], index: int) -> Standing:
    """What the chain of an entry comes to."""
    indices = chain(entries, index)
    after: list[Standing] = []
    for place, i in enumerate(indices):
        entry = entries[i]
        if entry.undoes is None:
            now = Standing(True, entry.result)
        elif entry.undoes == indices[0]:
            now = Standing(False, after[-1].result)
        else:
            now = after[place - 2]  # the undone entry is the one before; what was before that holds
        after.append(now)
    return after[-1]


def is_undone(entries: Sequence[Entry], index: int) -> bool:
    """Whether an entry is taken back by another that is not itself taken back."""
    undone: set[int] = set()
    for i in reversed(chain(entries, index)):
        target = entries[i].undoes
        if target is not None and i not in undone:
            undone.add(target)
    return index in undone


def undo_problems(entries: Sequence[Entry], index: int) -> list[Reason]:
    """Why an entry cannot be undone now; empty when it can."""
    if type(index) is not int or not 0 <= index < len(entries):
        return [
            Reason(
                "no_such_entry",
                f"没有第 {index} 条记录",
                f"there is no entry {index}; name one of the score",
            )
        ]
    indices = chain(entries, index)
    if is_undone(entries, index):
        return [
            Reason(
                "already_undone",
                "这一条已经撤销过；要恢复，请撤销那次撤销",
                "this entry is undone already; to bring it back, undo the undoing",
            )
        ]
    if index not in (indices[0], indices[-1]):
        return [
            Reason(
                "not_the_last_word",
                "之后还有记录改动了同一盘；请先撤销最后那一条，或撤销整盘",
                "a later entry is about the same hand; undo the last one first, or the whole hand",
            )
        ]
    return []
