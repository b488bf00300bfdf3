"""Why something is refused: one value, in both languages, that a program can tell apart by code."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from dataclasses import dataclass


def brief(value: object) -> str:
    """A value as a message quotes it: never longer than a glance, and printable anywhere."""
    text = reprlib.repr(value).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 60 else text[:57] + "..."


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why an input is refused.

    Attributes:
        code: a stable word for programs, such as `"five_of_a_kind"`.
        zh: the sentence in Chinese.
        en: the sentence in English, with what to do next.
    """

    code: str
    zh: str
    en: str

    def to_json(self) -> dict[str, str]:
        """The reason as a JSON object."""
        return {"code": self.code, "zh": self.zh, "en": self.en}


class RulesError(ValueError):
    """An input the rules refuse, with every reason that holds (SPEC §12)."""

    def __init__(self, reasons: Iterable[Reason]) -> None:
        self.reasons: tuple[Reason, ...] = tuple(reasons)
        super().__init__("; ".join(reason.en for reason in self.reasons))


class RequestError(RulesError):
    """A JSON request that has not the shape of its type."""
