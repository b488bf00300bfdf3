"""Who may talk to the page, and what a browser may do with it.

The server holds no secrets, but any web page open in the same browser could reach a port of this
machine. So the Host header must name this server (against DNS rebinding), a POST must come from
the page itself, other pages may link to the interface but embed nothing of it, and the answers
forbid scripts and requests from elsewhere.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Response, request

from server.config import Config
from server.errors import ApiError

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
EVERYWHERE = frozenset({"0.0.0.0", "::", ""})

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' blob: data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


def host_names(config: Config) -> frozenset[str]:
    """The names a Host header may carry, without the port."""
    own = set() if config.host in EVERYWHERE else {config.host.lower()}
    return frozenset(LOOPBACK | own | set(config.allowed_hosts))


def _host_name(host: str) -> str | None:
    """The name in a Host header, or None when the header is no host at all."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def install(app: Flask, config: Config) -> None:
    """Check every request and dress every answer of `app`."""
    allowed = host_names(config)

    @app.before_request
    def check_caller() -> None:
        host = request.headers.get("Host", "")
        if _host_name(host) not in allowed:
            raise ApiError(
                403,
                "host_not_allowed",
                "不接受这个主机名。请用启动时显示的地址，或在配置 allowed_hosts 中加入它。",
                "This host name is not accepted. Use the address shown at the start, or add the "
                "name to allowed_hosts in the configuration.",
            )
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            _check_origin(host)
        elif (
            request.path.startswith("/api/") and request.headers.get("Sec-Fetch-Mode") != "navigate"
        ):
            _check_site()

    @app.after_request
    def dress(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def _check_origin(host: str) -> None:
    """Programs send no Origin and may pass; a browser sends it, and it must be this page."""
    origin = request.headers.get("Origin")
    if origin not in (None, f"http://{host}", f"https://{host}"):
        raise _not_from_here()
    _check_site()


def _check_site() -> None:
    """An image or a script of another page could still hold a viewer's place or wake a camera."""
    if request.headers.get("Sec-Fetch-Site") not in (None, "same-origin", "none"):
        raise _not_from_here()


def _not_from_here() -> ApiError:
    return ApiError(
        403,
        "origin_not_allowed",
        "只接受来自本页面的请求。请直接打开捉伍的页面。",
        "Only requests from this page itself are accepted. Open the Zhuowu page directly.",
    )
