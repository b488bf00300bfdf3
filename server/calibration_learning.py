"""The learning of a calibration: how far it is, what came of it, or every reason why not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from server.calibration_result import Place, Result, result_of

if TYPE_CHECKING:
    from vision.calibration import Example, TileSet
    from vision.calibration.errors import Reason
    from vision.classifier import Classifier


class _Dropped(Exception):
    """The calibration was given up while it learnt."""


@dataclass
class Learning:
    """One learning, from its start on.

    Attributes:
        add_to: The stored set that learns more; None for a new set.
        examples: What there is to learn from.
        places: The (photo, tile) that each example is; None for the bare cloth.
        insist: The names have been looked at again.
        dropped: Set when the calibration is given up: it ends at its next step.
    """

    add_to: TileSet | None
    examples: list[Example]
    places: list[Place | None]
    insist: bool
    dropped: threading.Event
    state: str = "learning"
    done: int = 0
    total: int = 1
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    reasons: list[dict[str, Any]] = field(default_factory=list)
    result: Result | None = None

    def to_json(self) -> dict[str, Any]:
        """State, progress, and what came of it."""
        return {
            "state": self.state,
            "done": self.done,
            "total": self.total,
            "seconds": round(self.seconds or time.monotonic() - self.started, 1),
            "reasons": self.reasons,
            "result": None if self.result is None else self.result.to_json(),
        }

    def run(self, classifier: Classifier, stored: Callable[[], Sequence[TileSet]]) -> None:
        """Learn; afterwards the state says whether it did.

        Args:
            classifier: has the features.
            stored: gives the sets that are stored, to say which of them the photos show.
        """
        from vision.calibration import CalibrationError

        try:
            taught = self._taught(classifier)
            result = result_of(
                taught, self.add_to, stored(), self.examples, self.places, classifier
            )
        except _Dropped:
            return
        except CalibrationError as error:
            first = self._known()
            self.reasons = [_reason_json(r, self.places, first) for r in error.reasons]
            self.state = "refused"
        except Exception:
            self.reasons = [_PROGRAM_ERROR]
            self.state = "refused"
            raise
        else:
            self.result = result
            self.state = "learnt"
        finally:
            self.seconds = time.monotonic() - self.started

    def _taught(self, classifier: Classifier) -> TileSet:
        from vision.calibration import add_examples, refit, teach

        if self.add_to is None:
            return teach(
                "?", self.examples, classifier, insist=self.insist, progress=self._progress
            )
        if self.examples:
            return add_examples(
                self.add_to,
                self.examples,
                classifier,
                insist=self.insist,
                progress=self._progress,
            )
        return refit(self.add_to, classifier, self._progress)

    def _progress(self, done: int, total: int) -> None:
        if self.dropped.is_set():
            raise _Dropped
        self.done, self.total = done, total

    def _known(self) -> int:
        """How many of the stored set's own examples come before the new ones."""
        from vision.calibration.tile_set import MOST_EXAMPLES

        if self.add_to is None:
            return 0
        return min(len(self.add_to.examples), max(MOST_EXAMPLES - len(self.examples), 0))


_PROGRAM_ERROR = {
    "code": "internal",
    "zh": "程序出错了，什么也没有改。详情在启动程序的窗口里。",
    "en": "The program made a mistake, and nothing was changed. The window it was started in says "
    "more.",
    "tiles": [],
}


def _reason_json(reason: Reason, places: list[Place | None], first: int) -> dict[str, Any]:
    """A reason with the tiles it is about as [photo, tile]."""
    about = [places[i - first] for i in reason.examples if 0 <= i - first < len(places)]
    told = reason.to_json()
    del told["examples"]
    return told | {"tiles": [list(place) for place in about if place is not None]}
