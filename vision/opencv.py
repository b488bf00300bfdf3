"""OpenCV, or the one command that mends a machine without it.

Every module takes `cv2` from here, so that whoever cannot load it is told what to install instead
of being shown an ImportError. The run time brings the build without windows, which needs no libGL;
the `train` extra lays the full one over it (ultralytics asks for that), and a bare Linux lacks
libGL for it.
"""

from __future__ import annotations

import types

from vision.errors import SetupError

APT_COMMAND = "sudo apt-get install -y libgl1 libglib2.0-0"
PIP_COMMAND = "pip install --force-reinstall opencv-python-headless"
SYSTEM_LIBRARIES = ("libGL", "libgthread", "libglib", "libSM", "libXext", "libX11", "libxcb")


def explain_import_failure(error: ImportError) -> SetupError:
    """The message for a failed `import cv2`: a missing system library, or a missing package."""
    if any(name in str(error) for name in SYSTEM_LIBRARIES):
        return SetupError(
            "opencv_library_missing",
            f"OpenCV 缺少系统库（{error}）。请运行：{APT_COMMAND}",
            f"OpenCV lacks a system library ({error}). Run: {APT_COMMAND}",
        )
    return SetupError(
        "opencv_missing",
        f"无法载入 OpenCV（{error}）。请运行：{PIP_COMMAND}",
        f"OpenCV cannot be loaded ({error}). Run: {PIP_COMMAND}",
    )


def _load() -> types.ModuleType:
    try:
        import cv2 as module
    except ImportError as error:
        raise explain_import_failure(error) from error
    return module


cv2 = _load()
