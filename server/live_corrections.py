"""What people put right at the live table, step by step: undone, and done again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from server.errors import ApiError

if TYPE_CHECKING:
    from vision.live import Corrections, Said
    from vision.tracking.state import TableState

MOST_STEPS = 50
# Refusals because the table is no longer as it was.
GONE = ("tile_gone", "move_gone")


class CorrectionLog:
    """The corrections of one table and their history; any thread may call.

    A step is everything people had said before it. Undoing a step whose tile has moved since
    would change nothing, so such steps are passed over.

    Attributes:
        changes: Counts up with every correction, undo and redo.
    """

    def __init__(self, corrections: Corrections) -> None:
        """Nothing said yet."""
        self._corrections = corrections
        self._correcting = threading.Lock()
        self._past: list[Said] = []
        self._future: list[Said] = []
        self.changes = 0

    def do(self, work: Callable[[Corrections], object]) -> None:
        """Correct something.

        Args:
            work: Makes one correction or several, which are undone together.

        Raises:
            ApiError: a tile is gone (409), or it cannot be (422).
        """
        with self._correcting:
            before = self._corrections.said()
            past, future = self._past, self._future
            # Already now, because the correction itself is told to every viewer at once.
            self._past, self._future = [*past, before][-MOST_STEPS:], []
            try:
                _refusing(lambda: work(self._corrections))
            finally:
                if self._corrections.said() == before:
                    self._past, self._future = past, future
                self.changes += 1

    def new_hand(self) -> None:
        """Another hand begins; what was put right before cannot be undone any more."""
        with self._correcting:
            _refusing(self._corrections.new_hand)
            self._past, self._future = [], []
            self.changes += 1

    def undo(self) -> None:
        """Take the newest correction back.

        Raises:
            ApiError: 409 when there is none.
        """
        with self._correcting:
            if not self._past:
                raise ApiError(409, "nothing_to_undo", "没有可撤销的。", "Nothing to undo.")
            self._step(self._past, self._future)

    def redo(self) -> None:
        """Make the correction again that was taken back last.

        Raises:
            ApiError: 409 when there is none.
        """
        with self._correcting:
            if not self._future:
                raise ApiError(409, "nothing_to_redo", "没有可重做的。", "Nothing to redo.")
            self._step(self._future, self._past)

    def _step(self, back: list[Said], onto: list[Said]) -> None:
        """Go back to the newest step that is not as things are now."""
        now = self._corrections.said()
        onto.append(now)
        while back and self._corrections.said() == now:
            self._corrections.say(back.pop())
        if self._corrections.said() == now:
            onto.pop()
        self.changes += 1

    def to_json(self, state: TableState | None) -> dict[str, Any]:
        """Which tiles of the state were put right, what was named, and how far one can step.

        `corrected` were given another name, `placed` another place, `added` are not seen.
        """
        said = None if state is None else state.said
        here = set() if state is None else {p.tile.index for p in state.tiles}
        words = {k: word for k, word in said.words.items() if k in here} if said else {}
        return {
            "corrected": sorted(k for k, word in words.items() if word.tile and not word.added),
            "placed": sorted(k for k, word in words.items() if word.place),
            "added": sorted(k for k, word in words.items() if word.added),
            "named": {
                "indicator": said.indicator if said else None,
                "dealer": said.dealer if said else None,
            },
            "undo": len(self._past),
            "redo": len(self._future),
        }


def _refusing(work: Callable[[], object]) -> None:
    """Do a correction; what cannot be done is refused as the interface refuses things."""
    from vision.live import CorrectionError

    try:
        work()
    except CorrectionError as error:
        status = 409 if error.code in GONE else 422
        raise ApiError(status, error.code, error.zh, error.en) from None
