"""What the ledger refuses or cannot do, each with a code and a sentence in both languages."""

from __future__ import annotations

from typing import Any

from rules.reasons import Reason, RulesError


class LedgerError(Exception):
    """Something the ledger does not do; nothing was entered.

    Attributes:
        reasons: every reason that holds, at least one.
    """

    def __init__(self, *reasons: Reason) -> None:
        self.reasons = reasons
        super().__init__("; ".join(reason.en for reason in reasons))

    @property
    def code(self) -> str:
        """The first reason's code."""
        return self.reasons[0].code

    @property
    def zh(self) -> str:
        """All reasons in Chinese."""
        return "；".join(reason.zh for reason in self.reasons)

    @property
    def en(self) -> str:
        """All reasons in English."""
        return "; ".join(reason.en for reason in self.reasons)

    def to_json(self) -> dict[str, Any]:
        """`{"error": {"code", "zh", "en", "reasons": [{"code", "zh", "en"}, ...]}}`."""
        reasons = [reason.to_json() for reason in self.reasons]
        return {"error": {"code": self.code, "zh": self.zh, "en": self.en, "reasons": reasons}}


class MalformedError(LedgerError):
    """Input that has not the shape it must have."""


class RefusedError(LedgerError):
    """Input of the right shape that the rules or the state of the 锅 do not allow."""


class UnknownError(LedgerError):
    """A 锅, an entry or a picture that is not there."""


class ConflictError(LedgerError):
    """A request key used for something else, or a sheet that has moved on meanwhile."""


class BusyError(LedgerError):
    """Another program holds the file just now; try again in a moment."""


class UnusableError(LedgerError):
    """The file cannot be used: damaged, from a newer program, foreign, or not writable."""


def malformed(code: str, zh: str, en: str) -> MalformedError:
    """A `MalformedError` with one reason."""
    return MalformedError(Reason(code, zh, en))


def refused(error: RulesError) -> RefusedError:
    """What the rules refuse, with every reason."""
    return RefusedError(*error.reasons)
