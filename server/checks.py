"""The checks of `zhuowu doctor`: each says what was found and, when it fails, what to do."""

from __future__ import annotations

import os
import platform
import socket
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from server.config import Config


@dataclass(frozen=True)
class Check:
    """One finding.

    Attributes:
        name: what was checked.
        state: `"ok"`, `"warning"` (a part will not work) or `"failed"`.
        text: what was found, and the way out where it is needed.
    """

    name: str
    state: str
    text: str

    def to_json(self) -> dict[str, Any]:
        """The finding as a JSON object."""
        return asdict(self)


def run_checks(config: Config) -> list[Check]:
    """All checks, in the order in which one would mend things."""
    checks: list[Callable[[Config], Check]] = [
        check_python,
        check_opencv,
        check_heic,
        check_models,
        check_samples,
        check_fonts,
        check_data_folder,
        check_port,
    ]
    return [check(config) for check in checks]


def check_python(_: Config) -> Check:
    """The interpreter and the program's version."""
    return Check(
        "python",
        "ok",
        f"Python {platform.python_version()} on {sys.platform}, zhuowu {version('zhuowu')}",
    )


def check_opencv(_: Config) -> Check:
    """Whether OpenCV loads; the full one of the train extra needs libGL."""
    try:
        from vision.opencv import cv2
    except Exception as error:  # noqa: BLE001 - the text of any failure is what the user needs
        return Check("opencv", "failed", str(error))
    return Check("opencv", "ok", f"OpenCV {cv2.__version__}")


def check_heic(_: Config) -> Check:
    """Whether photos of phones (HEIC) can be read."""
    try:
        import pi_heif
    except ImportError as error:
        return Check("heic", "failed", f"{error}. Run: pip install pi-heif")
    return Check("heic", "ok", f"pi-heif {pi_heif.__version__} reads HEIC photos")


def check_models(config: Config) -> Check:
    """Whether the models are there, match their manifest and run."""
    try:
        from vision.errors import VisionError
    except ImportError as error:
        return Check("models", "failed", str(error))
    try:
        from vision.model_store import open_store
        from vision.reader import Reader

        store = open_store(config.models)
        Reader(store)
    except VisionError as error:
        return Check("models", "failed", error.en)
    except Exception as error:  # noqa: BLE001 - onnxruntime raises types of its own
        return Check("models", "failed", f"{error}. Install zhuowu again.")
    sizes = sum(model.path.stat().st_size for model in store.models.values()) / 1e6
    names = ", ".join(sorted(store.models))
    return Check("models", "ok", f"{names} in {store.folder} ({sizes:.1f} MB, SHA-256 matches)")


def check_samples(_: Config) -> Check:
    """Whether the page can open on a bundled photo."""
    from server.samples import list_samples

    count = len(list_samples())
    if not count:
        return Check("samples", "warning", "no sample photos; the page opens empty")
    return Check("samples", "ok", f"{count} sample photos")


def check_fonts(_: Config) -> Check:
    """The page draws its tiles without fonts; only rendered scenes need Chinese ones."""
    try:
        from datasets.fonts import FontsMissing, chinese_fonts
    except ImportError as error:
        return Check("fonts", "warning", f"rendered scenes are not available ({error})")
    try:
        names = sorted({face.family for face in chinese_fonts()})
    except FontsMissing as error:
        return Check("fonts", "warning", f"the page needs none; rendering scenes does: {error}")
    return Check("fonts", "ok", f"{len(names)} Chinese fonts for rendered scenes")


def check_data_folder(config: Config) -> Check:
    """Whether what the user asks to keep can be written; nothing is created here."""
    folder = config.data_folder
    present = folder
    while not present.exists() and present != present.parent:
        present = present.parent
    if not present.is_dir() or not os.access(present, os.W_OK):
        return Check(
            "data", "failed", f"{folder} cannot be written; set data_folder or mend its permissions"
        )
    state = "is there" if folder.is_dir() else "can be created"
    return Check("data", "ok", f"{folder} {state}")


def check_port(config: Config) -> Check:
    """Whether the page's port is free."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in config.host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((config.host, config.port))
    except OSError as error:
        return Check(
            "port",
            "warning",
            f"{config.host}:{config.port} cannot be used now ({error.strerror or error}); Zhuowu "
            "may be running already, or choose another with --port",
        )
    return Check("port", "ok", f"{config.host}:{config.port} is free")
