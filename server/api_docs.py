"""GET /api/openapi.json: the JSON interface described; GET /api/docs: the same as a page."""

from __future__ import annotations

from importlib.metadata import version

from flask import Blueprint, Response, current_app, jsonify, render_template

from server.apidoc import Doc, describe, documented

GROUP = "About 说明"
DESCRIPTION = Doc(
    GROUP,
    "这些接口的 OpenAPI 说明",
    "The OpenAPI 3.1 description of this interface, made from the code",
    "an OpenAPI description",
)
PAGE = Doc(
    GROUP,
    "同样的说明，给人看的一页，不用上网",
    "The same as a page to read, without a network",
    "a page",
    answers_as="text/html",
)


def blueprint() -> Blueprint:
    """The routes that describe the interface."""
    routes = Blueprint("docs", __name__)

    @routes.get("/api/openapi.json")
    @documented(DESCRIPTION)
    def description() -> Response:
        return jsonify(describe(current_app._get_current_object()))  # type: ignore[attr-defined]

    @routes.get("/api/docs")
    @documented(PAGE)
    def page() -> str:
        return render_template("docs.html", version=version("zhuowu"))

    return routes
