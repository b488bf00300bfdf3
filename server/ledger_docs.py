"""What each route of the score sheet does, for the description of the interface."""

from __future__ import annotations

from typing import Any

from server.api_table import SETTLE
from server.apidoc import DICE, FLAG, OPTIONS, SEAT, Doc, Schema, fields

GROUP = "Score sheet 账本"
_SHEET = "the whole sheet: players, totals, dealer, lines"
_ENTERED = "number (of the line), repeated, sheet"
_TEXT: Schema = {"type": "string", "maxLength": 300}
_KEY: Schema = {"type": "string", "minLength": 1, "maxLength": 100}
_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 1_000_000}
_POINTS: Schema = {"type": "integer", "minimum": -1_000_000, "maximum": 1_000_000}
_COMMON: dict[str, Schema] = {"note": _TEXT, "key": _KEY, "seen": _COUNT}
_RESULT: dict[str, Schema] = {
    name: schema
    for name, schema in (SETTLE.body or {})["properties"].items()
    if name not in ("options",)
}
_EXTRAS: dict[str, Schema] = {
    "title": {"type": "string", "maxLength": 80},
    "reading": {"description": "What was read, any JSON of at most 64 KB"},
    "picture": {"type": "string", "description": "A JPEG, PNG or WebP in base64, at most 4 MB"},
    "keep_picture": FLAG,
}
_HAND: dict[str, Any] = {"winner": 2, "fan": 6, "zuo": True, "la": [0, 0, 1, 0]}


def _doc(zh: str, en: str, answer: str, **more: Any) -> Doc:
    return Doc(GROUP, zh, en, answer, **more)


LIST = _doc(
    "有哪些锅，新的在前",
    "Every 锅, the latest first",
    "guos, count",
    query={"limit": _COUNT, "offset": _COUNT},
)
BEGIN = _doc(
    "开一锅",
    "Begin a 锅",
    _ENTERED,
    status=201,
    body=fields(
        ("players",),
        players={
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 40},
            "minItems": 4,
            "maxItems": 4,
        },
        options=OPTIONS,
        east=SEAT,
        key=_KEY,
    ),
    example={"players": ["甲", "乙", "丙", "丁"]},
)
NEXT = _doc(
    "打风，开下一锅：人还是原来的人，规则照旧；上下家没变要重打",
    "Draw the seats after a 锅 that is over and begin the next with the same players and rules; "
    "refused (422 draw_again) when nobody has other neighbours",
    _ENTERED,
    status=201,
    body=fields(
        ("roller", "dice", "picks"),
        roller=SEAT,
        dice=DICE,
        picks={
            "type": "array",
            "items": {"enum": ["1z", "2z", "3z", "4z"]},
            "minItems": 4,
            "maxItems": 4,
        },
        key=_KEY,
    ),
)
SHOW = _doc("一锅的账", "One 锅 with every line", _SHEET)
TOTALS = _doc("一锅的总分、轮到谁坐庄", "The totals and whose deal it is", "totals, score, dealer")
CLOSE = _doc("收锅", "End a 锅 before its time", _SHEET)
OPEN = _doc("收了的锅再打开", "Open a 锅 again", _SHEET)
PREVIEW = _doc(
    "先看这一盘怎么算，不记账",
    "What a hand would pay, without entering it",
    "deltas, next_dealer, restart, payments",
    body=fields((), **_RESULT),
    example=_HAND,
)
ENTER = _doc(
    "记一盘；带 key 重发也只记一次",
    "Enter a hand; sent again with the same key it is entered once",
    _ENTERED,
    status=201,
    body=fields((), **_RESULT, **_EXTRAS, **_COMMON),
    example={**_HAND, "key": "hand-1"},
)
CORRECT = _doc(
    "改一盘：加一行差额，原来的不动",
    "Enter a hand anew: a further line with the difference",
    _ENTERED,
    status=201,
    body=fields((), **_RESULT, **_EXTRAS, **_COMMON),
    example=_HAND,
)
UNDO = _doc(
    "撤销一行：加一行反账；撤销反账就恢复",
    "Take a line back by a further line; undoing that brings it back",
    _ENTERED,
    status=201,
    body=fields((), **_COMMON),
    example={},
)
ADJUST = _doc(
    "记不属于哪一盘的分，要写为什么",
    "Enter points that belong to no hand, with the reason",
    _ENTERED,
    status=201,
    body=fields(
        ("deltas", "note"),
        deltas={"type": "array", "items": _POINTS, "minItems": 4, "maxItems": 4},
        **_COMMON,
    ),
    example={"deltas": [-3, 1, 1, 1], "note": "诈和"},
)
PICTURE = _doc(
    "一行留着的照片", "The picture kept with a line", "the picture", answers_as="image/jpeg"
)
FORGET = _doc("删掉留着的照片，账不动", "Delete the picture; the line stays", _SHEET)
CSV = _doc(
    "一锅的账，CSV 表格",
    "One 锅 as CSV",
    "a file",
    query={"lang": {"enum": ["zh", "en"]}},
    answers_as="text/csv",
)
JSON_ONE = _doc(
    "一锅的账，JSON，可以再导入",
    "One 锅 as JSON, to be imported again",
    "a file",
    query={"pictures": {"enum": ["0", "1"]}},
)
JSON_ALL = _doc(
    "全部账，JSON",
    "The whole ledger as JSON",
    "a file",
    query={"pictures": {"enum": ["0", "1"]}},
)
IMPORT = _doc(
    "导入导出过的账；已有的不动",
    "Bring back what was exported; what is here stays as it is",
    "added, present, differing",
    body={"type": "object", "description": "What an export gave", "required": ["format"]},
)
