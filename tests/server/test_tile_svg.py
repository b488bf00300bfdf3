"""The tile pictures: whole SVG, one per tile, all different, without fonts."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from server.tile_glyphs import GLYPHS, glyph_path
from server.tile_svg import is_picture, tile_svg

FACES = [f"{n}{s}" for s in "mps" for n in range(1, 10)] + [f"{n}z" for n in range(1, 8)]
ALL = [*FACES, "back", *(f"die{n}" for n in range(1, 7))]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("tile", ALL)
def test_every_picture_is_whole_and_needs_no_font(tile: str) -> None:
    root = ET.fromstring(tile_svg(tile))
    assert root.get("viewBox") == "0 0 60 80"
    assert not root.findall(f".//{SVG}text"), "a text node would need a Chinese font on the client"


def test_no_two_tiles_look_the_same() -> None:
    assert len({tile_svg(tile) for tile in ALL}) == 41


@pytest.mark.parametrize("number", range(2, 10))
def test_circles_count(number: int) -> None:
    """Each circle of 饼 is four rings; a wrong count would be another tile."""
    root = ET.fromstring(tile_svg(f"{number}p"))
    assert len(root.findall(f".//{SVG}circle")) == 4 * number


@pytest.mark.parametrize("number", range(2, 10))
def test_sticks_count(number: int) -> None:
    root = ET.fromstring(tile_svg(f"{number}s"))
    assert len(root.findall(f"{SVG}g")) == number


@pytest.mark.parametrize("number", range(1, 7))
def test_pips_count(number: int) -> None:
    root = ET.fromstring(tile_svg(f"die{number}"))
    assert len(root.findall(f"{SVG}circle")) == number


def test_joker_mark_changes_the_picture_and_shows_the_sign() -> None:
    plain, joker = tile_svg("5m"), tile_svg("5m", joker=True)
    assert glyph_path("混", 12.5) in joker
    assert glyph_path("混", 12.5) not in plain


def test_glyphs_stay_in_their_box() -> None:
    for character in GLYPHS:
        numbers = glyph_path(character).replace("M", " ").replace("L", " ").replace("Z", " ")
        values = [float(v) for v in numbers.replace("A", " ").split()]
        assert min(values) > -12, character
        assert max(values) < 112, character


def test_size_follows_width() -> None:
    root = ET.fromstring(tile_svg("1z", width=120))
    assert (root.get("width"), root.get("height")) == ("120", "160")


@pytest.mark.parametrize("name", ["", "0m", "8z", "10m", "5x", "die7", "die", "BACK", "5m.svg"])
def test_unknown_names_are_refused_with_what_to_write(name: str) -> None:
    assert not is_picture(name)
    with pytest.raises(ValueError, match="1m-9m"):
        tile_svg(name)
