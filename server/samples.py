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
    """

    name: str
    path: Path
    zh: str
    en: str


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
    entries = data["samples"] if isinstance(data, dict) else data
    found = []
    for number, entry in enumerate(entries, 1):
        name = Path(str(entry.get("file") or entry.get("name"))).name
        if (folder / name).is_file():
            found.append(
                Sample(
                    name,
                    folder / name,
                    str(entry.get("zh") or f"样张 {number}"),
                    str(entry.get("en") or f"Sample {number}"),
                )
            )
    return tuple(found)
