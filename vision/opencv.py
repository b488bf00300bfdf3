"""OpenCV, or the one command that mends a machine without it.

Every module takes `cv2` from here, so that a bare Linux without libGL is told what to
install instead of being shown an ImportError.
"""

from __future__ import annotations

import types

from vision.errors import SetupError

APT_COMMAND = "sudo apt-get install -y libgl1 libglib2.0-0"
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
        f"无法载入 OpenCV（{error}）。请运行：pip install --force-reinstall opencv-python",
        f"OpenCV cannot be loaded ({error}). Run: pip install --force-reinstall opencv-python",
    )


def _load() -> types.ModuleType:
    try:
        import cv2 as module
    except ImportError as error:
        raise explain_import_failure(error) from error
    return module


cv2 = _load()
