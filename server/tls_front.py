"""HTTPS for other devices: a certificate made on this machine, and a front before the web server.

Browsers give a page the camera of a phone only over https. The web server itself speaks http, so
the front takes the encryption off and hands everything on to it.
"""

from __future__ import annotations

import os
import select
import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path

DAYS = 820  # phones refuse certificates that are valid for longer
MOST_CONNECTIONS = 64
HANDSHAKE_S = 10.0
WRITE_S = 30.0
IDLE_S = 120.0
CHUNK = 64 * 1024


class NoCertificate(Exception):
    """No certificate can be made; the message says why and what works without."""


def certificate(folder: Path, address: str) -> tuple[Path, Path]:
    """A certificate for `address` and its key, made by `openssl` unless they are there already.

    Raises:
        NoCertificate: openssl is missing or fails, or the folder cannot be written to.
    """
    name = address.replace(":", "_")
    cert, key = folder / f"{name}.crt", folder / f"{name}.key"
    if _valid(cert) and key.exists():
        return cert, key
    program = shutil.which("openssl")
    if program is None:
        raise NoCertificate(
            "没有 openssl，不能用 https；手机上仍可拍照算番。"
            "openssl is not installed, so there is no https: phones can send photos, not video."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        old = os.umask(0o077)  # the key is for this user alone
        try:
            subprocess.run(
                [program, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", str(DAYS),
                 "-subj", "/CN=Zhuowu", "-addext", f"subjectAltName=IP:{address}",
                 "-addext", "extendedKeyUsage=serverAuth",
                 "-keyout", str(key), "-out", str(cert)],
                check=True, capture_output=True, timeout=60,
            )  # fmt: skip
        finally:
            os.umask(old)
    except (OSError, subprocess.SubprocessError) as error:
        raise NoCertificate(
            f"证书没做成，不能用 https。No certificate could be made ({error}): there is no https."
        ) from None
    return cert, key


def _valid(cert: Path) -> bool:
    """Whether the certificate is there and good for another day."""
    program = shutil.which("openssl")
    if program is None or not cert.exists():
        return program is None and cert.exists()
    day = [program, "x509", "-checkend", "86400", "-noout", "-in", str(cert)]
    return subprocess.run(day, capture_output=True, timeout=60).returncode == 0


class TlsFront:
    """Takes https connections and hands them on to a port of this machine.

    Attributes:
        port: where it listens.
    """

    def __init__(self, host: str, port: int, backend: int, cert: Path, key: Path) -> None:
        """Begin to listen.

        Args:
            host: address to listen on.
            port: port to listen on; 0 for any.
            backend: port of the web server on this machine.
            cert: certificate file.
            key: its key.

        Raises:
            OSError: the port is taken, or the certificate cannot be used.
        """
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.load_cert_chain(cert, key)
        self._backend = backend
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._listener = socket.create_server((host, port))
        self.port: int = self._listener.getsockname()[1]
        self._closing = False
        threading.Thread(target=self._accept, name="https", daemon=True).start()

    def close(self) -> None:
        """Take no further connection."""
        self._closing = True
        self._listener.close()

    def _accept(self) -> None:
        while not self._closing:
            try:
                taken, _ = self._listener.accept()
            except OSError:
                if self._closing:
                    return
                continue
            if not self._places.acquire(blocking=False):
                taken.close()
                continue
            threading.Thread(target=self._serve, args=(taken,), daemon=True).start()

    def _serve(self, taken: socket.socket) -> None:
        """One connection; whatever breaks it ends it, and nothing else."""
        try:
            taken.settimeout(HANDSHAKE_S)
            with (
                self._context.wrap_socket(taken, server_side=True) as outer,
                socket.create_connection(("127.0.0.1", self._backend), HANDSHAKE_S) as inner,
            ):
                _relay(outer, inner)
        except OSError:
            pass
        finally:
            taken.close()
            self._places.release()


def _relay(outer: ssl.SSLSocket, inner: socket.socket) -> None:
    """Hand bytes on in both directions until one side closes or both fall silent."""
    inner.settimeout(WRITE_S)
    while True:
        ready = [outer] if outer.pending() else select.select([outer, inner], [], [], IDLE_S)[0]
        if not ready:
            return
        if outer in ready:
            outer.settimeout(0)  # part of a record is no data yet, and must not hold up the rest
            try:
                data = outer.recv(CHUNK)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                data = None
            if data == b"":
                return
            if data:
                inner.sendall(data)
        if inner in ready:
            data = inner.recv(CHUNK)
            if not data:
                return
            outer.settimeout(WRITE_S)
            outer.sendall(data)
