"""What callers hand to the ledger, checked before anything is opened: sizes, texts, pictures."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.guo import Guo, result_from_json
from rules.reasons import RequestError, RulesError
from rules.settlement import HandResult, Settlement, settle
from rules.table_answers import answer_table
from server.ledger.errors import MalformedError, malformed, refused
from server.ledger.pictures import bare
from server.ledger.records import Picture, spell

LONGEST_NAME = 40
LONGEST_TITLE = 80
LONGEST_NOTE = 300
LONGEST_KEY = 100
LARGEST_READING = 64 * 1024
LARGEST_PICTURE = 4 * 1024 * 1024
LARGEST_IMPORT = 32 * 1024 * 1024
MOST_POINTS = 10**9
MOST_GANGS = 16
MOST_LINES = 500

_MAGIC = (
    ("image/jpeg", lambda data: data.startswith(b"\xff\xd8\xff")),
    ("image/png", lambda data: data.startswith(b"\x89PNG\r\n\x1a\n")),
    ("image/webp", lambda data: data[:4] == b"RIFF" and data[8:12] == b"WEBP"),
)


@dataclass(frozen=True, slots=True)
class Extras:
    """What a hand carries beside its points.

    Attributes:
        title: the win's name.
        reading: what was read, any JSON value.
        picture: kept with the hand, or None.
    """

    title: str = ""
    reading: Any = None
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks, so that the same request is entered once.

    Attributes:
        key: chosen by the caller, new for each thing to enter; None: not repeatable.
        seen: how many lines the caller has seen; a sheet with more has moved on. None: any.
    """

    key: str | None = None
    seen: int | None = None


def digest(*parts: Any) -> str:
    """A fingerprint of what a request asks for."""
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def clean_text(value: object, what: str, longest: int, empty: bool = True) -> str:
    """A text of one line, without blanks around it.

    Raises:
        MalformedError: no text, too long, empty, or with characters that cannot be shown.
    """
    text = value.strip() if isinstance(value, str) else None
    if text is None or len(text) > longest or (not text and not empty):
        least = 0 if empty else 1
        raise malformed(
            "bad_text",
            f"“{what}”应是 {least} 到 {longest} 个字的文字",
            f"{what!r} must be a text of {least} to {longest} characters",
        )
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text):
        raise malformed(
            "bad_characters",
            f"“{what}”里有不能显示的字符或换行",
            f"{what!r} holds line breaks or characters that cannot be shown; leave them out",
        )
    return text


def clean_players(value: object) -> list[str]:
    """Four names by seat.

    Raises:
        MalformedError: not a list of four good names.
    """
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 4:
        raise malformed(
            "bad_players",
            "players 应是四个名字，按座位逆时针",
            "'players' must be four names by seat, anticlockwise",
        )
    return [clean_text(name, "player", LONGEST_NAME, empty=False) for name in value]


def clean_key(value: object) -> str | None:
    """A request key, or None.

    Raises:
        MalformedError: not a short text.
    """
    if value is None:
        return None
    return clean_text(value, "key", LONGEST_KEY, empty=False)


def clean_count(value: object, what: str) -> int | None:
    """A whole number of at least 0, or None.

    Raises:
        MalformedError: something else.
    """
    if value is None or (type(value) is int and 0 <= value <= MOST_POINTS):
        return value
    raise malformed("bad_number", f"“{what}”应是一个整数", f"{what!r} must be a whole number, 0 up")


def clean_reading(value: object) -> Any:
    """What was read, when it is not too large to keep.

    Raises:
        MalformedError: too large, too deep, or not JSON.
    """
    try:
        size = len(spell(value).encode())
    except (ValueError, TypeError, RecursionError):
        size = None
    if size is None or size > LARGEST_READING:
        raise malformed(
            "bad_reading",
            f"reading 应是不超过 {LARGEST_READING // 1024} KB 的 JSON",
            f"'reading' must be JSON of at most {LARGEST_READING // 1024} KB",
        )
    return value


def clean_picture(data: bytes) -> Picture:
    """A picture by its own bytes, whatever its name says.

    Raises:
        MalformedError: too large, or neither JPEG nor PNG nor WebP.
    """
    if len(data) > LARGEST_PICTURE:
        raise malformed(
            "picture_too_large",
            f"图片超过 {LARGEST_PICTURE // 2**20} MB，请缩小后再存",
            f"the picture is over {LARGEST_PICTURE // 2**20} MB; shrink it first",
        )
    for media_type, fits in _MAGIC:
        if fits(data):
            return Picture(media_type, data)
    raise malformed(
        "bad_picture",
        "图片应是 JPEG、PNG 或 WebP",
        "the picture must be JPEG, PNG or WebP",
    )


def picture_from_base64(value: object) -> Picture:
    """A picture from base64 text, without what a camera wrote beside its pixels (place, time).

    Raises:
        MalformedError: not base64, or no picture.
    """
    if not isinstance(value, str) or len(value) > LARGEST_PICTURE * 4 // 3 + 4:
        raise malformed(
            "bad_picture",
            f"picture 应是不超过 {LARGEST_PICTURE // 2**20} MB 图片的 base64 文字",
            f"'picture' must be base64 text of at most {LARGEST_PICTURE // 2**20} MB",
        )
    try:
        picture = clean_picture(base64.b64decode(value, validate=True))
    except (binascii.Error, ValueError):
        raise malformed("bad_picture", "picture 不是 base64", "'picture' is not base64") from None
    return bare(picture)


def check_numbers(values: object) -> None:
    """Refuse numbers that no table plays for, before the rules count with them.

    Raises:
        MalformedError: a number beyond a thousand million.
    """
    stack = [values]
    while stack:
        value = stack.pop()
        if isinstance(value, Mapping):
            stack.extend(value.values())
        elif isinstance(value, list | tuple):
            stack.extend(value)
        elif isinstance(value, int | float) and not -MOST_POINTS <= value <= MOST_POINTS:
            raise malformed(
                "number_too_large",
                "数目太大，记不下",
                f"a number is beyond {MOST_POINTS}; give the real one",
            )


def read_result(guo: Guo, data: object) -> tuple[HandResult, Settlement]:
    """How a hand ended, as the rules take it; the dealer is whose deal it is unless given.

    Args:
        guo: the 锅 it belongs to.
        data: the `input` of a `settlement` request.

    Raises:
        MalformedError: not shaped like a result.
        RefusedError: what it says cannot be, with every reason.
    """
    if not isinstance(data, Mapping):
        raise malformed(
            "bad_result",
            "一盘的结果应是一个对象：winner、fan、gangs、zuo、la、chan、dealer",
            "a hand's result must be an object: winner, fan, gangs, zuo, la, chan, dealer",
        )
    check_numbers(data)
    gangs = data.get("gangs")
    if isinstance(gangs, list) and len(gangs) > MOST_GANGS:
        raise malformed(
            "too_many_gangs",
            f"一盘最多 {MOST_GANGS} 个杠",
            f"a hand has at most {MOST_GANGS} gangs",
        )
    whole = {**_NO_RESULT, "dealer": guo.dealer, **data}
    try:
        answer_table("settlement", whole, guo.options)
        result = result_from_json(whole)
        settlement = settle(result, guo.options)
    except RequestError as error:
        raise MalformedError(*error.reasons) from None
    except RulesError as error:
        raise refused(error) from None
    check_numbers(settlement.deltas)
    return result, settlement


_NO_RESULT: dict[str, Any] = {
    "winner": None,
    "fan": 0,
    "gangs": [],
    "zuo": False,
    "la": [0, 0, 0, 0],
    "chan": False,
}
