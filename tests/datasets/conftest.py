"""Scenes draw characters: without a Chinese font these tests are skipped, with the way out."""

from __future__ import annotations

import pytest

from datasets.fonts import FontsMissing, chinese_fonts


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip every test of this folder when no Chinese font is installed."""
    try:
        chinese_fonts()
    except FontsMissing as missing:
        skip = pytest.mark.skip(reason=str(missing))
        folder = __file__.rpartition("conftest.py")[0]
        for item in items:
            if str(item.path).startswith(folder):
                item.add_marker(skip)
