"""What stands in the way of a calibration, in words, with the way out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vision.errors import VisionError


@dataclass(frozen=True)
class Reason:
    """One thing to mend: stable code, sentence in two languages, the examples it is about."""

    code: str
    zh: str
    en: str
    examples: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """`{"code", "zh", "en", "examples"}`."""
        return {"code": self.code, "zh": self.zh, "en": self.en, "examples": list(self.examples)}


class CalibrationError(VisionError):
    """Nothing was learnt or changed; `reasons` says everything that is in the way."""

    def __init__(self, reasons: Sequence[Reason]) -> None:
        super().__init__(
            reasons[0].code, "\n".join(r.zh for r in reasons), "\n".join(r.en for r in reasons)
        )
        self.reasons = tuple(reasons)

    @classmethod
    def of(cls, code: str, zh: str, en: str) -> CalibrationError:
        """With a single reason."""
        return cls((Reason(code, zh, en),))
