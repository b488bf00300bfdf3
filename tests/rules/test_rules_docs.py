"""The page of rules is complete: every point, option, fan and module, in both languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from rules import BARE, FANS, OPTIONS

ROOT = Path(__file__).parents[2]
SHARED = ROOT / ".." / "shared" / "rules"
PAGES = ("rules.md", "rules.zh.md")

# The numbered points of the specification, chapter by chapter: 1.1 to 1.3, 2.1 to 2.6 and so on.
POINTS_OF_CHAPTER = {1: 3, 2: 6, 3: 6, 4: 6, 5: 8, 6: 5, 7: 10, 8: 6, 9: 5, 10: 7}
POINTS = {
    f"{chapter}.{point}"
    for chapter, count in POINTS_OF_CHAPTER.items()
    for point in range(1, count + 1)
} | {"7", "11", "12"}


@dataclass(frozen=True)
class Row:
    """One line of a page."""

    point: str
    rule: str
    option: str
    quotation: str
    modules: tuple[str, ...]


def rows(page: str) -> list[Row]:
    found = []
    for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 5 and re.fullmatch(r"\d+(\.\d+)?", cells[0]):
            quotation = re.findall("「(.+)」", cells[3])
            modules = tuple(re.findall("`([^`]+)`", cells[4]))
            found.append(Row(cells[0], cells[1], cells[2].strip("`"), "".join(quotation), modules))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_point_option_and_fan_has_a_line(page: str) -> None:
    listed = rows(page)
    assert {row.point for row in listed} == POINTS
    assert {row.option for row in listed if row.option} == {*OPTIONS, "preset"}
    for fan in (*FANS, BARE):
        assert any(fan.zh in row.rule for row in listed), fan.zh


@pytest.mark.parametrize("page", PAGES)
def test_every_option_stands_at_its_point(page: str) -> None:
    places = {row.option: row.point for row in rows(page) if row.option}
    for name, choice in OPTIONS.items():
        assert places[name].split(".")[0] == choice.point.split(".")[0], name


@pytest.mark.parametrize("page", PAGES)
def test_every_module_named_exists_and_every_fan_is_named(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`(rules/[a-z_/]+\.py)`", text))
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "rules").rglob("*.py")}
    assert named <= there
    assert all(row.modules for row in rows(page))
    # Each fan's module is named; the rest of the package is reached from those named.
    fans = {path for path in there if path.startswith("rules/fans/") and "__" not in path}
    assert fans - {"rules/fans/fan.py"} <= named


def test_both_pages_say_the_same() -> None:
    english, chinese = (rows(page) for page in PAGES)
    strip = [
        [(row.point, row.option, row.quotation, row.modules) for row in page]
        for page in (english, chinese)
    ]
    assert strip[0] == strip[1]


def test_quotations_are_the_seeds() -> None:
    seed = SHARED / "seed_天津麻将.txt"
    if not seed.exists():
        pytest.skip("the seed document is not beside the repository")
    text = seed.read_text(encoding="utf-8").replace("_", "")
    quoted = [row.quotation for row in rows("rules.md") if row.quotation]
    assert len(quoted) > 60
    assert [quotation for quotation in quoted if quotation not in text] == []


def test_points_are_the_specifications() -> None:
    spec = SHARED / "SPEC.md"
    if not spec.exists():
        pytest.skip("the specification is not beside the repository")
    text = spec.read_text(encoding="utf-8")
    numbered = set(re.findall(r"^(\d+\.\d+) ", text, flags=re.MULTILINE))
    assert numbered == POINTS - {"7", "11", "12"}
