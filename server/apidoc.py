"""The description of the JSON interface, written beside each route and gathered from the routes.

`documented(Doc(...))` stands under a route's decorator; `describe(app)` walks the routes of an
application and makes one OpenAPI 3.1 description of all under /api/.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeVar

from flask import Flask

from rules import TILES

Schema = Mapping[str, Any]
View = TypeVar("View", bound=Callable[..., Any])

_MARK = "zhuowu_doc"
_CONVERTERS: dict[str, dict[str, Any]] = {
    "int": {"type": "integer", "minimum": 0},
    "default": {"type": "string"},
}

TILE: Schema = {"type": "string", "enum": list(TILES)}
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 3}
FLAG: Schema = {"type": "boolean"}
TILE_LIST: Schema = {"type": "array", "items": TILE, "maxItems": 200}
MELDS: Schema = {
    "type": "array",
    "maxItems": 4,
    "items": {
        "type": "object",
        "required": ["kind", "tile"],
        "additionalProperties": False,
        "properties": {
            "kind": {"enum": ["pong", "gang_open", "gang_concealed"]},
            "tile": TILE,
        },
    },
}
DICE: Schema = {
    "type": "array",
    "items": {"type": "integer", "minimum": 1, "maximum": 6},
    "minItems": 2,
    "maxItems": 2,
}
OPTIONS: Schema = {"type": "object", "description": "Rule options; GET /api/options lists them."}


def fields(required: tuple[str, ...] = (), /, **properties: Schema) -> Schema:
    """The schema of an object with these keys and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": {name: dict(schema) for name, schema in properties.items()},
    }


@dataclass(frozen=True, slots=True)
class Doc:
    """What a route does, for people and for programs.

    Attributes:
        group: the heading it stands under.
        zh: what it does, in Chinese.
        en: what it does, in English.
        answer: what it answers, in English.
        query: schema of each parameter of the address.
        body: schema of the body, None for none.
        media: how the body is sent.
        example: a body to try, None for none.
        status: the status of success.
        answers_as: media type of the answer.
    """

    group: str
    zh: str
    en: str
    answer: str
    query: Mapping[str, Schema] = field(default_factory=dict)
    body: Schema | None = None
    media: tuple[str, ...] = ("application/json",)
    example: Any = None
    status: int = 200
    answers_as: str = "application/json"


def documented(doc: Doc) -> Callable[[View], View]:
    """Say what a route does; `describe` finds it."""

    def mark(view: View) -> View:
        setattr(view, _MARK, doc)
        return view

    return mark


def undocumented(app: Flask) -> list[str]:
    """The routes under /api/ that say nothing of themselves."""
    return [
        f"{','.join(sorted(_methods(rule.methods)))} {rule.rule}"
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/") and _doc_of(app, rule.endpoint) is None
    ]


def _doc_of(app: Flask, endpoint: str) -> Doc | None:
    view = inspect.unwrap(app.view_functions[endpoint])
    doc = getattr(view, _MARK, None)
    return doc if isinstance(doc, Doc) else None


def _methods(methods: set[str] | None) -> set[str]:
    return (methods or set()) - {"HEAD", "OPTIONS"}


def describe(app: Flask) -> dict[str, Any]:
    """The OpenAPI description of every documented route under /api/."""
    paths: dict[str, dict[str, Any]] = {}
    groups: dict[str, None] = {}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        doc = _doc_of(app, rule.endpoint) if rule.rule.startswith("/api/") else None
        if doc is None:
            continue
        groups[doc.group] = None
        path, parameters = _path(rule.rule)
        for method in sorted(_methods(rule.methods)):
            operation = _operation(doc, f"{method.lower()}_{rule.endpoint.replace('.', '_')}")
            operation["parameters"] = parameters + operation["parameters"]
            paths.setdefault(path, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Zhuowu 捉伍",
            "version": version("zhuowu"),
            "description": "Tiles are 1m-9m 万, 1p-9p 饼, 1s-9s 条, 1z 东 2z 南 3z 西 4z 北 5z 白 "
            "6z 发 7z 中. Seats are 0 to 3 anticlockwise. Every refusal is "
            '{"error": {"code", "zh", "en"}} with a fitting status.',
        },
        "tags": [{"name": group} for group in groups],
        "paths": paths,
        "components": {"schemas": {"Error": _ERROR}},
    }


def _path(rule: str) -> tuple[str, list[dict[str, Any]]]:
    parameters = []
    for converter, name in re.findall(r"<(?:(\w+):)?(\w+)>", rule):
        schema = _CONVERTERS.get(converter or "default", _CONVERTERS["default"])
        parameters.append({"name": name, "in": "path", "required": True, "schema": schema})
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule), parameters


def _operation(doc: Doc, name: str) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": name,
        "tags": [doc.group],
        "summary": doc.en,
        "description": doc.zh,
        "parameters": [
            {"name": key, "in": "query", "required": False, "schema": dict(schema)}
            for key, schema in doc.query.items()
        ],
        "responses": {
            str(doc.status): {
                "description": doc.answer,
                "content": {doc.answers_as: {"schema": _answer_schema(doc.answers_as)}},
            },
            "4XX": _refusal("The request cannot be used; the error says why."),
            "503": _refusal("Busy or not ready; Retry-After says when to come back."),
        },
    }
    if doc.body is not None:
        content: dict[str, Any] = {"schema": doc.body}
        if doc.example is not None:
            content["example"] = doc.example
        operation["requestBody"] = {
            "required": "required" in doc.body and bool(doc.body["required"]),
            "content": dict.fromkeys(doc.media, content),
        }
    return operation


def _answer_schema(media: str) -> dict[str, Any]:
    return {"type": "object"} if media == "application/json" else {"type": "string"}


def _refusal(text: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {"description": text, "content": content}


_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "zh", "en"],
            "properties": {
                "code": {"type": "string"},
                "zh": {"type": "string"},
                "en": {"type": "string"},
            },
        }
    },
}
