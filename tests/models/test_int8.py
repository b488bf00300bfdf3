"""Int8 twins: what stays in float, and that a twin answers like its model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.export import answers
from models.int8 import quantise, stays_float


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ("/model.0/conv/Conv", False),
        ("/model.23/cv2.0/cv2.0.0/conv/Conv", False),
        ("/model.23/cv3.1/cv3.1.1/cv3.1.1.0/conv/Conv", False),
        ("/model.23/cv2.0/cv2.0.2/Conv", True),  # distances to the box's sides
        ("/model.23/cv3.2/cv3.2.2/Conv", True),  # logits
        ("/model.23/dfl/conv/Conv", True),
        ("/model.23/Sigmoid", True),
        ("/model.23/Concat_3", True),
        ("/model.23/Sub_1", True),
        ("/head/linear/Gemm", True),
        ("/Softmax", True),
    ],
)
def test_boxes_and_scores_stay_float(node: str, expected: bool) -> None:
    assert stays_float(node) is expected


def test_a_twin_answers_like_its_model(tmp_path: Path) -> None:
    """Two convolutions: the twin is int8 inside and differs by less than a few per cent."""
    onnx = pytest.importorskip("onnx", reason="the train extra is not installed")
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    rng = np.random.default_rng(0)
    weights = [
        numpy_helper.from_array(rng.normal(0, 0.2, shape).astype(np.float32), name)
        for name, shape in (("a", (8, 3, 3, 3)), ("b", (4, 8, 3, 3)))
    ]
    nodes = [
        helper.make_node("Conv", ["images", "a"], ["x"], "/model.0/conv/Conv", pads=[1] * 4),
        helper.make_node("Relu", ["x"], ["y"], "/model.0/act/Relu"),
        helper.make_node("Conv", ["y", "b"], ["output"], "/model.1/conv/Conv", pads=[1] * 4),
    ]
    kind = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "two",
        [helper.make_tensor_value_info("images", kind, [1, 3, 32, 32])],
        [helper.make_tensor_value_info("output", kind, [1, 4, 32, 32])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    source, twin = tmp_path / "two.onnx", tmp_path / "two8.onnx"
    onnx.save(model, str(source))
    pictures = [rng.random((1, 3, 32, 32), np.float32) for _ in range(6)]
    quantise(source, twin, iter(pictures))
    kinds = {node.op_type for node in onnx.load(str(twin)).graph.node}
    assert "DequantizeLinear" in kinds
    exact, close = answers(source, pictures[0]), answers(twin, pictures[0])
    assert 0 < np.abs(exact - close).mean() < 0.03 * np.abs(exact).mean() + 1e-3
