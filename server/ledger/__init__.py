"""The score ledger: SQLite in the user's data folder, only ever added to, durable once said so."""

from server.ledger.errors import (
    BusyError,
    ConflictError,
    LedgerError,
    MalformedError,
    RefusedError,
    UnknownError,
    UnusableError,
)
from server.ledger.inputs import Extras, Request
from server.ledger.records import Line, Picture, Sheet
from server.ledger.store import FILE_NAME, Entered, Ledger

__all__ = [
    "FILE_NAME",
    "BusyError",
    "ConflictError",
    "Entered",
    "Extras",
    "Ledger",
    "LedgerError",
    "Line",
    "MalformedError",
    "Picture",
    "RefusedError",
    "Request",
    "Sheet",
    "UnknownError",
    "UnusableError",
]
