"""Other devices of the network: who may connect, under which address, with which code.

Without `--lan` only this machine can connect. With it every request needs a code: the address that
is opened first carries it (a QR code shows it) and leaves it in a cookie. The owner's code is for
this machine; the guests' code may do the same except have the server open files or addresses.
"""

from __future__ import annotations

import hmac
import io
import secrets
import socket
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, Flask, Response, g, redirect, request

from server.apidoc import Doc, documented
from server.errors import ApiError

COOKIE = "zhuowu_code"
# A network that documents use: asking for the way there sends nothing.
_ELSEWHERE = ("192.0.2.1", 9)
ADDRESS = Doc(
    "Live 看牌桌",
    "别的设备用的地址（--lan 时），和它的二维码",
    "The address for other devices (with --lan); /api/lan/qr.svg shows it as a QR code",
    "address (null without --lan), secure (whether it is https), qr",
)
PICTURE = Doc(
    "Live 看牌桌", "二维码", "The address as a QR code", "an SVG", answers_as="image/svg+xml"
)


@dataclass
class Access:
    """The codes of one run of the server.

    Attributes:
        owner: for this machine.
        guest: for the other devices.
        address: what the QR code says; set once the ports are known.
    """

    owner: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    guest: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    address: str | None = None

    def role(self, code: str) -> str | None:
        """`"owner"`, `"guest"`, or None for a code that is neither."""
        given = code.encode()
        found = None
        for name, known in (("owner", self.owner), ("guest", self.guest)):
            if hmac.compare_digest(given, known.encode()):
                found = name
        return found


def install(app: Flask, access: Access | None) -> None:
    """Refuse every request without a code; nothing changes when `access` is None."""
    app.register_blueprint(_blueprint(access))
    if access is None:
        return

    @app.before_request
    def check_code() -> Any:
        if request.path == "/" and "code" in request.args:
            code = request.args["code"]
            if access.role(code) is None:
                raise _no_code()
            answer = redirect("/", 303)
            # Lax: the camera app's link is from elsewhere, and the page itself comes after it.
            answer.set_cookie(COOKIE, code, httponly=True, samesite="Lax", path="/")
            return answer
        kind, _, told = request.headers.get("Authorization", "").partition(" ")
        code = told.strip() if kind == "Bearer" else request.cookies.get(COOKIE, "")
        g.role = access.role(code)
        if g.role is None:
            raise _no_code()
        return None


def owner_only() -> None:
    """Refuse a guest.

    Raises:
        ApiError: 403.
    """
    if g.get("role") == "guest":
        raise ApiError(
            403,
            "owner_only",
            "只有运行捉伍的电脑能打开摄像头编号、地址或文件；手机请用自己的摄像头。",
            "Only the computer that runs Zhuowu may open its cameras, addresses and files; "
            "use this device's own camera.",
        )


def _no_code() -> ApiError:
    return ApiError(
        403,
        "no_code",
        "需要二维码里的地址。请扫运行捉伍的电脑上显示的二维码。",
        "The address in the QR code is needed: scan the one shown by the computer "
        "that runs Zhuowu.",
    )


def _blueprint(access: Access | None) -> Blueprint:
    routes = Blueprint("lan", __name__)

    @routes.get("/api/lan")
    @documented(ADDRESS)
    def address() -> dict[str, Any]:
        found = access.address if access else None
        return {
            "address": found,
            "secure": found is not None and found.startswith("https:"),
            "qr": "/api/lan/qr.svg" if found and qr_svg(found) else None,
        }

    @routes.get("/api/lan/qr.svg")
    @documented(PICTURE)
    def picture() -> Response:
        drawn = qr_svg(access.address) if access and access.address else None
        if drawn is None:
            raise ApiError(404, "no_qr", "没有二维码。", "There is no QR code.")
        return Response(drawn, mimetype="image/svg+xml")

    return routes


def lan_address() -> str | None:
    """This machine's address in its network; None when it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
        except OSError:
            return None
        found: str = probe.getsockname()[0]
    return None if found.startswith(("127.", "0.")) else found


def qr_svg(text: str) -> bytes | None:
    """A QR code as SVG; None when segno is not installed."""
    try:
        import segno
    except ImportError:
        return None
    out = io.BytesIO()
    segno.make(text, micro=False).save(
        out, kind="svg", scale=6, dark="#000", light="#fff", xmldecl=False
    )
    return out.getvalue()


def qr_text(text: str) -> str | None:
    """A QR code for the terminal; None when segno is not installed."""
    try:
        import segno
    except ImportError:
        return None
    out = io.StringIO()
    segno.make(text, micro=False).terminal(out, compact=True)
    return out.getvalue()
