"""What every JSON request has in common: its size, its shape, and how it is refused."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from flask import request

from rules import OptionError, RuleOptions, RulesError
from server.errors import ApiError, bad_request

MOST_BYTES = 64 * 1024
MOST_NUMBER = 1000


def json_body(known: Collection[str]) -> dict[str, Any]:
    """The JSON object of the request.

    Args:
        known: the keys it may have.

    Raises:
        ApiError: too large (413), no JSON object (400), or with an unknown key (422).
    """
    if (request.content_length or 0) > MOST_BYTES:
        raise ApiError(
            413,
            "too_many_bytes",
            "请求太大。",
            f"The request is too large; at most {MOST_BYTES // 1024} KB of JSON are read.",
        )
    try:
        body = json.loads(request.get_data(cache=False))
        # Half a character ("\ud800") fits into no answer that repeats it.
        json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise bad_request(
            "bad_json", "请求不是合法的 JSON。", "The request body is not valid JSON."
        ) from None
    if not isinstance(body, dict):
        raise bad_request("bad_json", "请求应是 JSON 对象。", "Send a JSON object.")
    check_keys(body, known)
    return body


def check_keys(body: dict[str, Any], known: Collection[str]) -> None:
    """Refuse keys that mean nothing here.

    Raises:
        ApiError: 422 with the first unknown key and the known ones.
    """
    unknown = sorted(set(body) - set(known))
    if unknown:
        name = ascii(unknown[0])[:40]
        raise ApiError(
            422,
            "unknown_key",
            f"不认识“{name}”。",
            f"Unknown key {name}; known are {', '.join(sorted(known))}.",
        )


def wrong(key: str, wanted: str) -> ApiError:
    """A value of the wrong shape."""
    return ApiError(422, "bad_value", f"“{key}”的值不对。", f"{key!r} must be {wanted}.")


def refused(error: RulesError) -> ApiError:
    """What the rules do not take, every reason in one sentence."""
    reasons = error.reasons
    zh = "；".join(reason.zh for reason in reasons)[:600]
    en = "; ".join(reason.en for reason in reasons)[:600]
    return ApiError(422, reasons[0].code, zh, en)


def read_options(value: object) -> RuleOptions:
    """The rule options of a request.

    Raises:
        ApiError: 422 for anything the rules do not take.
    """
    if not isinstance(value, dict):
        raise wrong("options", "an object of rule options")
    for name, number in value.items():
        if type(number) is int and number > MOST_NUMBER:
            raise wrong(str(name)[:40], f"at most {MOST_NUMBER}")
    try:
        return RuleOptions.from_mapping(value)
    except OptionError as error:
        raise refused(error) from None


def read_seat(value: object, key: str) -> int:
    """A seat 0 to 3.

    Raises:
        ApiError: 422 for anything else.
    """
    if type(value) is int and 0 <= value <= 3:
        return value
    raise wrong(key, "a seat 0, 1, 2 or 3, anticlockwise")


def read_dice(value: object, key: str) -> tuple[int, int]:
    """One roll of two dice.

    Raises:
        ApiError: 422 for anything else.
    """
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(type(points) is int and 1 <= points <= 6 for points in value)
    ):
        return value[0], value[1]
    raise wrong(key, "two dice of 1 to 6, such as [3, 4]")


def read_flag(value: object, key: str) -> bool:
    """True or false.

    Raises:
        ApiError: 422 for anything else.
    """
    if isinstance(value, bool):
        return value
    raise wrong(key, "true or false")
