"""HTTPS for other devices: a certificate made on this machine, and a front before the web server.

Browsers give a page the camera of a phone only over https. The web server itself speaks http, so
the front takes the encryption off and hands everything on to it.
"""

from __future__ import annotations

import hashlib
import os
import select
import shutil
import socket
import ssl
import subprocess
import threading
from collections import Counter
from pathlib import Path

DAYS = 820  # phones refuse certificates that are valid for longer
MOST_CONNECTIONS = 64
MOST_FROM_ONE = 16
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
        self._counting = threading.Lock()
        self._callers: Counter[str] = Counter()
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
                taken, address = self._listener.accept()
            except OSError:
                if self._closing:
                    return
                continue
            caller = address[0]
            if not self._admit(caller):
                taken.close()
                continue
            threading.Thread(target=self._serve, args=(taken, caller), daemon=True).start()

    def _admit(self, caller: str) -> bool:
        """Take a place, unless all are taken or one device holds its share of them."""
        with self._counting:
            full = self._callers.total() >= MOST_CONNECTIONS
            if full or self._callers[caller] >= MOST_FROM_ONE:
                return False
            self._callers[caller] += 1
            return True

    def _serve(self, taken: socket.socket, caller: str) -> None:
        """One connection; whatever breaks it ends it, and nothing else."""
        try:
            taken.settimeout(HANDSHAKE_S)
            with (
                self._context.wrap_socket(taken, server_side=True) as outer,
                _to_backend(self._backend, caller) as inner,
            ):
                _relay(outer, inner)
        except OSError:
            pass
        finally:
            taken.close()
            with self._counting:
                self._callers[caller] -= 1
                self._callers += Counter()  # forgets who has none left


def _to_backend(port: int, caller: str) -> socket.socket:
    """Connect to the web server from a loopback address that stands for one device.

    The web server bounds how often one address may ask; if all devices came from 127.0.0.1, one of
    them could use up what is everybody's. Systems without further loopback addresses do without.
    """
    digest = hashlib.sha256(caller.encode()).digest()
    own = f"127.{1 + digest[0] % 254}.{digest[1]}.{1 + digest[2] % 254}"
    try:
        return socket.create_connection(("127.0.0.1", port), HANDSHAKE_S, (own, 0))
    except OSError:
        return socket.create_connection(("127.0.0.1", port), HANDSHAKE_S)


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
