"""The sample photos that come with the program."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True)
class Sample:
    """A bundled photo.

    Attributes:
        name: file name, unique.
        path: where it lies.
        zh: what it shows, in Chinese.
        en: the same in English.
        indicator: the tile that was turned in that hand, or None.
    """

    name: str
    path: Path
    zh: str
    en: str
    indicator: str | None


def samples_folder() -> Path:
    """The folder of the bundled photos."""
    spec = importlib.util.find_spec("datasets")
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0]) / "samples" if places else Path("samples")


@lru_cache(maxsize=1)
def list_samples() -> tuple[Sample, ...]:
    """The bundled photos in the order of their list; empty when the list is missing."""
    folder = samples_folder()
    try:
        data = json.loads((folder / "samples.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    return tuple(
        Sample(
            name=entry["file"],
            path=folder / entry["file"],
            zh=entry["zh"],
            en=entry["en"],
            indicator=entry.get("indicator"),
        )
        for entry in data["samples"]
        if (folder / entry["file"]).is_file()
    )
