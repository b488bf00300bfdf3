"""Scenes draw characters: without the fonts for them these tests are skipped, with the way out."""

from __future__ import annotations

import pytest

from datasets.fonts import FontsMissing, wide_fonts


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip every test of this folder when a font they need is not installed."""
    try:
        wide_fonts()
    except FontsMissing as missing:
        skip = pytest.mark.skip(reason=str(missing))
        folder = __file__.rpartition("conftest.py")[0]
        for item in items:
            if str(item.path).startswith(folder):
                item.add_marker(skip)
