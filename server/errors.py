"""Errors of the JSON interface: `{"error": {"code", "zh", "en"}}` with a fitting status."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """A request that is refused, told in both languages.

    Attributes:
        status: HTTP status, 4xx or 503.
        code: Short stable word for programs.
        zh: The reason and the way out, in Chinese.
        en: The same in English.
        retry_after: Seconds after which to try again, or None.
    """

    def __init__(
        self, status: int, code: str, zh: str, en: str, retry_after: int | None = None
    ) -> None:
        super().__init__(en)
        self.status = status
        self.code = code
        self.zh = zh
        self.en = en
        self.retry_after = retry_after

    def to_json(self) -> dict[str, Any]:
        """The body of the answer."""
        return {"error": {"code": self.code, "zh": self.zh, "en": self.en}}


def bad_request(code: str, zh: str, en: str) -> ApiError:
    """A request that is not shaped as it must be (400)."""
    return ApiError(400, code, zh, en)
