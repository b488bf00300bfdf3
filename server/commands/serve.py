"""`zhuowu serve`: the page on this machine."""

from __future__ import annotations

import errno
import logging
import os
import signal
import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from server.cli import UserError
from server.config import Config, ConfigError, load_config

if TYPE_CHECKING:
    from waitress.server import BaseWSGIServer  # type: ignore[import-untyped]

    from server.lan import Access
    from server.live_hub import LiveHub
    from server.tls_front import TlsFront

MOST_FROM_ONE = 40
"""Connections of one other device at a time; a browser opens six to a server."""

_file = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(name="serve")
@click.option("--host", help="Address to serve on.  [default: 127.0.0.1, this machine only]")
@click.option("--port", type=click.IntRange(0, 65535), help="Port.  [default: 8577; 0: any free]")
@click.option(
    "--open/--no-open", "open_browser", default=None, help="Open the page in the browser."
)
@click.option("--config", "file", type=_file, help="Configuration file (TOML).")
@click.option("--lan", is_flag=True, help="Let phones of this network in, with a QR code.")
@click.option("--source", help="Watch a table: a camera's number or name, an address, a file.")
@click.option("--placement", help="Where the table lies, by the name it was saved under.")
def command(
    host: str | None,
    port: int | None,
    open_browser: bool | None,
    file: Path | None,
    lan: bool,
    source: str | None,
    placement: str | None,
) -> None:
    """Serve the page: a photo of a hand in, its score and the reason out.

    It opens on a bundled sample photo, so no camera is needed; with --source its live view
    follows a table. Ctrl+C stops it.
    """
    flags: dict[str, Any] = {
        "host": host or ("0.0.0.0" if lan else None),
        "port": port,
        "open_browser": open_browser,
    }
    try:
        config = load_config(file, flags=flags).config
    except ConfigError as error:
        raise UserError(str(error)) from None
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    serve(config, source, placement, lan)


def serve(
    config: Config, source: str | None = None, placement: str | None = None, lan: bool = False
) -> None:
    """Run the server until it is interrupted.

    Raises:
        UserError: the address cannot be served on.
    """
    from server.app import create_app
    from server.lan import Access, lan_address
    from server.live_hub import LiveHub
    from server.reading_service import ReadingService

    own = lan_address() if lan else None
    if lan:
        config = replace(config, allowed_hosts=(*config.allowed_hosts, *([own] if own else [])))
    access = Access() if lan else None
    service = ReadingService(config)
    hub = LiveHub(config, service)
    server = listen(config, create_app(config, service, hub, access))
    service.start()
    if source is not None:
        hub.start_in_background(source, placement)
    _end_streams_first(hub)
    address = page_address(config, server.effective_port)
    if access is not None:
        address += f"?code={access.owner}"
    click.echo(f"捉伍 Zhuowu: {address}")
    port = int(server.effective_port)
    front = _let_phones_in(config, access, own, port) if access else None
    if access is None and config.host in ("0.0.0.0", "::"):
        click.echo(
            "Served on every address of this machine. Names and addresses that others use must be "
            "listed in allowed_hosts of the configuration."
        )
    click.echo("按 Ctrl+C 停止。Ctrl+C stops it.")
    sys.stdout.flush()
    if config.open_browser and _has_screen():
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
        if front is not None:
            front.close()
        hub.close()


def _let_phones_in(config: Config, access: Access, own: str | None, port: int) -> TlsFront | None:
    """Open https for the other devices where a certificate can be made, and say the address."""
    from server.lan import qr_text
    from server.tls_front import NoCertificate, TlsFront, certificate

    if own is None:
        click.echo(
            "没有连上网络，手机连不进来。This machine is in no network: no phone can connect."
        )
        return None
    front = None
    try:
        cert, key = certificate(config.data_folder / "certificate", own)
        front = TlsFront(config.host, port + 1 if config.port else 0, port, cert, key)
    except NoCertificate as error:
        click.echo(str(error))
    except OSError as error:
        click.echo(f"https 端口打不开。https cannot be served ({error.strerror or error}).")
    start = f"http://{own}:{port}" if front is None else f"https://{own}:{front.port}"
    access.address = f"{start}/?code={access.guest}"
    click.echo(f"手机扫码或打开 On a phone, scan or open: {access.address}")
    drawn = qr_text(access.address)
    click.echo(
        drawn or "装上 segno 就能显示二维码。Install segno to see a QR code: pip install segno"
    )
    if front is not None:
        click.echo(
            "手机会提醒证书不受信任：这是本机自己做的，选“继续访问”。The phone warns that it does "
            "not know the certificate, which this machine made: choose to go on. Photos work "
            f"without it, at http://{own}:{port}/?code={access.guest}"
        )
    return front


def _end_streams_first(hub: LiveHub) -> None:
    """At a signal the viewers' streams end, so that the server needs not wait for them."""

    def stop(number: int, frame: object) -> None:
        hub.end_streams()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def listen(config: Config, app: Any) -> BaseWSGIServer:
    """Bind the address.

    Raises:
        UserError: the port is taken or the address is not one of this machine.
    """
    from waitress.server import create_server  # type: ignore[import-untyped]

    from server.live_hub import MOST_VIEWERS

    limit = config.max_upload_mb * 1024 * 1024
    try:
        server = create_server(
            app,
            # The name may stand for two addresses, with a server and a port for each.
            host="127.0.0.1" if config.host == "localhost" else config.host,
            port=config.port,
            # A viewer of the live table keeps a thread of its own; it mostly sleeps.
            threads=config.threads + MOST_VIEWERS,
            ident="zhuowu",
            # Above the application's own limit, so that its JSON answer is the one people see.
            max_request_body_size=2 * limit,
            # Uploads stay in memory: nothing of a photo is written to disk.
            inbuf_overflow=2 * limit + 1,
            connection_limit=128,
            channel_timeout=60,
            # What a viewer does not fetch waits here at most; then its own stream waits.
            outbuf_high_watermark=1024 * 1024,
        )
    except OSError as error:
        raise UserError(_why_not(config, error)) from None
    except ValueError:  # what waitress makes of a name that cannot be looked up
        raise UserError(
            f"这台机器不认识地址 {config.host!r}。{config.host!r} is no address of this machine; "
            "use --host 127.0.0.1 for this machine only"
        ) from None
    _bound_connections(server)
    return server


def _bound_connections(server: BaseWSGIServer) -> None:
    """One other device cannot hold every connection: what it opens beyond its share is closed."""
    accept = server.accept

    def bounded() -> Any:
        taken = accept()
        if taken is None:
            return None
        caller = taken[1][0] if isinstance(taken[1], tuple) else ""
        held = sum(1 for one in server.active_channels.values() if one.addr[0] == caller)
        if caller not in ("127.0.0.1", "::1", "::ffff:127.0.0.1") and held >= MOST_FROM_ONE:
            taken[0].close()
            return None
        return taken

    server.accept = bounded


def _why_not(config: Config, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"端口 {config.port} 已被占用。port {config.port} is in use: if Zhuowu runs already, "
            f"open {page_address(config, config.port)}; otherwise choose another port with "
            "--port, such as --port 8578"
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"port {config.port} needs administrator rights; choose one above 1024 with --port"
    return (
        f"{config.host}:{config.port} cannot be served on ({error.strerror or error}); "
        "use --host 127.0.0.1 for this machine only"
    )


def page_address(config: Config, port: int) -> str:
    """The address to open on this machine."""
    host = "127.0.0.1" if config.host in ("0.0.0.0", "::") else config.host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _has_screen() -> bool:
    """Whether opening a browser can work: elsewhere it may start a text browser or hang."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
