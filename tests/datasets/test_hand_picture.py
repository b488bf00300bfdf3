"""Pictures of exactly one hand, and the samples that come with the program."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from datasets.hand_picture import render_hand
from datasets.samples import LARGEST, SAMPLE_HANDS, SAMPLES_FOLDER, SampleHand
from rules import Hand, Meld, joker_kinds, judge, parse_tiles, waits
from vision.photo import load_photo


def test_a_rendered_hand_holds_what_was_asked() -> None:
    tiles = parse_tiles("345m77p11z")
    melds = (Meld("pong", "7z"), Meld("gang_concealed", "2s"))
    scene = render_hand(tiles, "1z", melds, seed=3, indicator="3p", dice=(5, 2), width=960)
    assert scene.image.shape == (600, 960, 3)
    by_role: dict[str, list[str]] = {}
    for found in sorted(scene.objects, key=lambda o: o.box[0]):
        by_role.setdefault(found.role, []).append(found.tile)
    assert by_role["hand"] == list(tiles)
    assert by_role["drawn"] == ["1z"]
    assert by_role["meld"] == ["7z"] * 3 + ["back", "2s", "2s", "back"]
    assert by_role["indicator"] == ["3p"]
    assert sorted(by_role["dice"]) == ["die2", "die5"]
    assert all(0 <= o.box[1] < o.box[3] <= 600 for o in scene.objects)
    drawn = next(o for o in scene.objects if o.role == "drawn")
    last = max((o for o in scene.objects if o.role == "hand"), key=lambda o: o.box[2])
    width = last.box[2] - last.box[0]
    assert drawn.box[0] - last.box[2] > 0.4 * width


def test_a_wrong_tile_is_named() -> None:
    with pytest.raises(ValueError, match="'8z' is not a tile"):
        render_hand(["1m", "8z"])


@pytest.mark.parametrize("sample", SAMPLE_HANDS, ids=lambda s: s.file)
def test_samples_are_small_and_tell_the_truth(sample: SampleHand) -> None:
    listed = json.loads((SAMPLES_FOLDER / "samples.json").read_text(encoding="utf-8"))["samples"]
    assert sample.truth() in listed
    data = (SAMPLES_FOLDER / sample.file).read_bytes()
    assert len(data) <= LARGEST
    assert load_photo(data, name=sample.file).pixels.shape == (800, 1280, 3)


def test_samples_show_legal_hands() -> None:
    for sample in SAMPLE_HANDS:
        shown = Counter(parse_tiles(sample.tiles))
        shown.update(tile for meld in sample.melds for tile in meld.tiles)
        shown.update(t for t in (sample.drawn, sample.indicator) if t)
        assert max(shown.values()) <= 4, sample.file


def _hand(file: str) -> Hand:
    sample = next(s for s in SAMPLE_HANDS if s.file == file)
    jokers = joker_kinds(sample.indicator) if sample.indicator else ()
    return Hand(tuple(parse_tiles(sample.tiles)), sample.melds, jokers, sample.drawn)


def test_samples_are_worth_what_their_captions_say() -> None:
    assert judge(_hand("zhuowu_long.jpg")).title == "没混儿捉伍儿龙"
    assert judge(_hand("hunr_diao.jpg")).title == "混儿吊本混儿龙"
    assert judge(_hand("peng_gang.jpg")).win
    assert set(waits(_hand("waiting.jpg"))) == {"3s", "6s", "9s"}
