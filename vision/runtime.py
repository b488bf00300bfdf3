"""onnxruntime sessions as this project runs them."""

from __future__ import annotations

import os

import numpy as np
import onnxruntime

from vision.errors import ModelError
from vision.model_store import ModelFile


def default_threads() -> int:
    """Two threads where there are two cores: more gains little on models this small."""
    return min(2, os.cpu_count() or 1)


class Session:
    """One ONNX model with one input; its first output is the answer."""

    def __init__(self, model: ModelFile, threads: int | None = None) -> None:
        """Load `model` after checking its SHA-256.

        Raises:
            ModelError: The file is missing, does not match, or is no usable model.
        """
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or default_threads()
        options.inter_op_num_threads = 1
        # A spinning worker takes the core another process needs and makes both slower.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        content = model.content()
        try:
            self._session = onnxruntime.InferenceSession(
                content, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's own types differ between versions
            raise ModelError(
                "model_unusable",
                f"模型 {model.path.name} 无法载入。请重新安装 zhuowu。",
                f"The model {model.path.name} cannot be loaded. Install zhuowu again.",
            ) from error
        self._input = self._session.get_inputs()[0].name
        self.outputs = tuple(output.name for output in self._session.get_outputs())

    def run(self, batch: np.ndarray) -> np.ndarray:
        """The answer for `batch` (n x 3 x side x side, float32, RGB 0..1)."""
        return np.asarray(self._session.run(self.outputs[:1], {self._input: batch})[0])

    def run_all(self, batch: np.ndarray) -> dict[str, np.ndarray]:
        """Every output for `batch`, by name."""
        found = self._session.run(None, {self._input: batch})
        return {name: np.asarray(one) for name, one in zip(self.outputs, found, strict=True)}
