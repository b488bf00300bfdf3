"""Tile faces: every kind in every design, told apart, and clear words without fonts."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from datasets import fonts
from datasets.faces import FACE_WIDTH, draw_back, draw_face, flower_names, restyle
from datasets.scene_types import FACES
from datasets.styles import BIRDS, CIRCLES, ONE_CIRCLES, WHITES, TileStyle, random_style


@pytest.fixture(scope="module")
def plain_style() -> TileStyle:
    """A clean set without corner letters, so that only the figures differ."""
    style = random_style(random.Random(5))
    return restyle(style, corner="none", wear=0.0, face=(245, 244, 238), red_fives=False)


def _ink(picture: np.ndarray, like: np.ndarray) -> float:
    """Mean absolute difference of two faces."""
    return float(np.abs(picture.astype(int) - like.astype(int)).mean())


def test_every_face_has_the_size_of_its_style(plain_style: TileStyle) -> None:
    for name in (*FACES, *flower_names()):
        picture = draw_face(name, plain_style)
        assert picture.shape == (round(FACE_WIDTH * plain_style.aspect), FACE_WIDTH, 3)
        assert picture.dtype == np.uint8


def test_no_two_kinds_look_alike(plain_style: TileStyle) -> None:
    pictures = {name: draw_face(name, plain_style) for name in FACES}
    alike = [
        pair for pair in combinations(FACES, 2) if _ink(pictures[pair[0]], pictures[pair[1]]) < 3
    ]
    assert alike == []


def test_equal_styles_give_equal_pixels() -> None:
    one, two = (draw_face("8s", random_style(random.Random(3))) for _ in range(2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize(
    ("field", "tile", "options"),
    [
        ("bird", "1s", BIRDS),
        ("circle", "5p", CIRCLES),
        ("one_circle", "1p", ONE_CIRCLES),
        ("white", "5z", tuple(dict.fromkeys(WHITES))),
        ("wan", "3m", ("萬", "万", "")),
        ("five", "5m", ("五", "伍")),
        ("fa", "6z", ("發", "发", "発")),
        ("dong", "1z", ("東", "东")),
    ],
)
def test_designs_differ(
    plain_style: TileStyle, field: str, tile: str, options: tuple[str, ...]
) -> None:
    pictures = [draw_face(tile, restyle(plain_style, **{field: o})) for o in options]
    for one, two in combinations(range(len(options)), 2):
        assert _ink(pictures[one], pictures[two]) > 0.4, (options[one], options[two])


def test_blank_white_dragon_is_blank(plain_style: TileStyle) -> None:
    picture = draw_face("5z", restyle(plain_style, white="blank"))
    assert float(picture.std(axis=(0, 1)).max()) < 6


@pytest.mark.parametrize("tile", ["5m", "5p", "5s"])
def test_red_five_is_wholly_red(plain_style: TileStyle, tile: str) -> None:
    style = restyle(plain_style, engraving=0.0)
    picture = draw_face(tile, style, red=True).astype(int)
    inked = np.abs(picture - np.array(style.face[::-1])).sum(-1) > 150
    assert inked.mean() > 0.04
    blue, green, red = picture[inked].mean(0)
    assert red > blue + 40
    assert red > green + 40


def test_unknown_face_is_refused(plain_style: TileStyle) -> None:
    for name in ("8z", "0m", "back", "11p"):
        with pytest.raises(ValueError, match="is not a tile face"):
            draw_face(name, plain_style)


def test_backs_come_in_many_colours() -> None:
    means = [draw_back(random_style(random.Random(i))).mean(axis=(0, 1)) for i in range(24)]
    assert np.ptp(np.array(means), axis=0).min() > 100


def test_missing_fonts_name_the_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fonts, "FONT_FOLDERS", (tmp_path,))
    fonts._font_files.cache_clear()
    fonts.chinese_fonts.cache_clear()
    try:
        with pytest.raises(fonts.FontsMissing, match=r"apt install .*fonts-noto-cjk"):
            fonts.chinese_fonts()
        fonts.wide_fonts.cache_clear()
        with pytest.raises(fonts.FontsMissing, match=r"apt install .*fonts-cwtex-kai"):
            fonts.wide_fonts()
    finally:
        fonts._font_files.cache_clear()
        fonts.chinese_fonts.cache_clear()
        fonts.wide_fonts.cache_clear()
