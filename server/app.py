"""The Flask application: the page, the tile pictures and the JSON interface."""

from __future__ import annotations

import logging
from importlib.metadata import version

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from server import (
    api_advice,
    api_calibrate,
    api_docs,
    api_learn,
    api_live,
    api_live_dice,
    api_read,
    api_rules,
    api_sets,
    api_table,
    guards,
    lan,
    rate_limit,
)
from server.calibration_benches import Benches
from server.config import Config
from server.errors import ApiError
from server.ledger import FILE_NAME, Ledger
from server.ledger_api import blueprint_for
from server.live_hub import LiveHub
from server.reading_service import ReadingService
from server.tile_svg import is_picture, tile_svg

log = logging.getLogger("zhuowu.server")

# What werkzeug refuses by itself, in both languages; others keep their English name.
_PLAIN = {
    404: ("not_found", "没有这个地址。", "There is nothing at this address."),
    405: (
        "method_not_allowed",
        "这个地址不接受这种请求方法。",
        "This address does not take this request method.",
    ),
    413: (
        "too_many_bytes",
        "上传的内容太大。请存为 JPEG 或缩小后再试。",
        "The upload is too large. Save the photo as JPEG or shrink it.",
    ),
}


def create_app(
    config: Config,
    service: ReadingService,
    hub: LiveHub | None = None,
    access: lan.Access | None = None,
) -> Flask:
    """The application, ready for a WSGI server.

    Args:
        config: settings in force.
        service: reads photos; its models may still be loading.
        hub: the live table, for whoever starts and closes it; by default one of its own.
        access: the codes every request needs; None where only this machine can connect.
    """
    app = Flask(__name__)
    app.request_class = api_read.InMemoryRequest
    app.config["MAX_CONTENT_LENGTH"] = config.max_upload_mb * 1024 * 1024
    # A form field that Flask would spool to disk beyond this size stays in memory.
    app.config["MAX_FORM_MEMORY_SIZE"] = app.config["MAX_CONTENT_LENGTH"]
    app.json.sort_keys = False  # type: ignore[attr-defined]
    guards.install(app, config)
    limit = rate_limit.RateLimit(config.requests_a_second, config.requests_at_once)
    rate_limit.install(app, limit)
    lan.install(app, access)
    _install_errors(app)
    app.register_blueprint(api_read.blueprint(service))
    app.register_blueprint(api_rules.blueprint(config))
    app.register_blueprint(api_advice.blueprint(config))
    app.register_blueprint(api_table.blueprint(config))
    app.register_blueprint(api_learn.blueprint())
    live = hub or LiveHub(config, service)
    app.register_blueprint(api_live.blueprint(live))
    app.register_blueprint(api_live_dice.blueprint(live))
    benches = Benches(config, service)
    app.register_blueprint(api_sets.blueprint(benches, service))
    app.register_blueprint(api_calibrate.blueprint(benches, service))
    app.register_blueprint(api_docs.blueprint())
    # The file is opened, and made, when the score sheet is first asked for.
    app.register_blueprint(blueprint_for(Ledger(config.data_folder / FILE_NAME)))

    @app.get("/")
    def page() -> str:
        language = config.language
        if language == "auto":
            language = request.accept_languages.best_match(["zh", "en"]) or "en"
        return render_template("page.html", language=language, version=version("zhuowu"))

    @app.get("/tiles/<name>.svg")
    def tile(name: str) -> Response:
        if not is_picture(name):
            raise ApiError(
                404,
                "unknown_tile",
                "没有这张牌的图。",
                "There is no such tile; ask for 1m-9m, 1p-9p, 1s-9s, 1z-7z, back or die1-die6.",
            )
        picture = tile_svg(name, joker=request.args.get("joker") == "1")
        answer = Response(picture, mimetype="image/svg+xml")
        answer.headers["Cache-Control"] = "max-age=3600"
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    return app


def _install_errors(app: Flask) -> None:
    @app.errorhandler(ApiError)
    def refused(error: ApiError) -> Response:
        return _answer(error)

    @app.errorhandler(HTTPException)
    def plain(error: HTTPException) -> Response:
        status = error.code or 400
        code, zh, en = _PLAIN.get(
            status, ("bad_request", "请求无法理解。", f"The request cannot be used: {error.name}.")
        )
        return _answer(ApiError(status, code, zh, en))

    @app.errorhandler(Exception)
    def unforeseen(error: Exception) -> Response:
        log.exception("unforeseen error while answering %s %s", request.method, request.path)
        return _answer(
            ApiError(
                500,
                "internal",
                "程序出错了，详情在启动程序的窗口里。请再试一次，或换一张照片。",
                "The program made a mistake; the window it was started in says more. "
                "Try again, or with another photo.",
            )
        )


def _answer(error: ApiError) -> Response:
    answer = jsonify(error.to_json())
    answer.status_code = error.status
    if error.retry_after is not None:
        answer.headers["Retry-After"] = str(error.retry_after)
    return answer
