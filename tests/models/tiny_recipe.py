"""A recipe with every kind of stage but films, of a few seconds."""

from __future__ import annotations

from pathlib import Path

from models.recipe import RECIPE_FILE, Recipe, load_recipe

STAGES = """
[[stage]]
name = "drawn"
does = "scenes"
minutes = 1
series = [{ seed = 1, count = 2, size = 96, kind = "hand" }]

[[stage]]
name = "first"
does = "detector"
minutes = 1
start = "scratch"
pictures = ["drawn"]

[[stage]]
name = "second"
does = "detector"
minutes = 1
start = "first"
seed = 2
pictures = ["drawn"]
iterations = 3
last_share = 0.4

[[stage]]
name = "invented"
does = "negatives"
minutes = 1
detector = "first"
pictures = ["drawn"]
most = 3

[[stage]]
name = "naming"
does = "classifier"
minutes = 1
start = "second"
pictures = ["drawn"]
mined = "invented"
mined_from = 1

[[stage]]
name = "wider"
does = "classifier"
minutes = 1
start = "naming"
seed = 3
pictures = ["drawn"]

[[stage]]
name = "both"
does = "mean"
minutes = 1
first = "naming"
second = "wider"
share = 0.5

[[stage]]
name = "export"
does = "export"
minutes = 1
detector = "second"
classifier = "both"

[[stage]]
name = "fit"
does = "tune"
minutes = 1
models = "export"
pictures = ["drawn"]
marked = 0.05

[[stage]]
name = "report"
does = "evaluate"
minutes = 1
models = "export"
"""
TINY = {
    "image_size = 512": "image_size = 64",
    "last_image_size = 640": "last_image_size = 96",
    "batch = 16": "batch = 2",
    "batch = 64": "batch = 4",
    "iterations = 3600": "iterations = 2",
    "iterations = 17000": "iterations = 2",
}


def tiny_text() -> str:
    """The shipped recipe's sections made small, and the stages above."""
    text = RECIPE_FILE.read_text("utf-8").partition("\n[[stage]]\n")[0]
    for before, after in TINY.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text + STAGES


def tiny_recipe(folder: Path, changes: dict[str, str] | None = None) -> Recipe:
    """The recipe, read from a file in `folder`, with some of its text changed."""
    text = tiny_text()
    for before, after in (changes or {}).items():
        assert before in text, before
        text = text.replace(before, after, 1)
    file = folder / "recipe.toml"
    file.write_text(text, "utf-8")
    return load_recipe(file)
