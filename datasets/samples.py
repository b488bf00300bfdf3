"""The sample photos that come with the program: rendered by our own code, truth beside them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from datasets.hand_picture import render_hand
from datasets.scene_types import Scene
from rules import Meld, parse_tiles
from vision.opencv import cv2

SAMPLES_FOLDER = Path(__file__).parent / "samples"
LARGEST = 250_000  # bytes a sample may have


@dataclass(frozen=True)
class SampleHand:
    """What a sample shows: a hand in MPSZ, and two sentences about it."""

    file: str
    zh: str
    en: str
    tiles: str
    drawn: str | None = None
    melds: tuple[Meld, ...] = ()
    indicator: str | None = None
    dice: tuple[int, ...] = ()
    seed: int = 0

    def render(self) -> Scene:
        """The picture with its labels."""
        return render_hand(
            parse_tiles(self.tiles), self.drawn, self.melds, self.seed, self.indicator, self.dice
        )

    def truth(self) -> dict[str, object]:
        """The entry of `samples.json`."""
        return {
            "file": self.file,
            "zh": self.zh,
            "en": self.en,
            "tiles": list(parse_tiles(self.tiles)),
            "drawn": self.drawn,
            "melds": [{"kind": meld.kind, "tile": meld.tile} for meld in self.melds],
            "indicator": self.indicator,
            "dice": list(self.dice),
        }


SAMPLE_HANDS = (
    SampleHand(
        "zhuowu_long.jpg",
        "捉伍儿龙：单放一张伍万，条子一到九",
        "Zhuowu and dragon: the drawn 5m apart, bamboos one to nine",
        "46m123456789s22z",
        drawn="5m",
        indicator="6z",
        dice=(4, 1),
        seed=166,
    ),
    SampleHand(
        "waiting.jpg",
        "十三张，听三六九条",
        "Thirteen tiles, waiting for 3s, 6s or 9s",
        "345m234p66p45678s",
        indicator="9m",
        seed=204,
    ),
    SampleHand(
        "peng_gang.jpg",
        "碰红中，暗杠二条，单放一张东风",
        "A pong of 7z, a concealed gang of 2s, the drawn 1z apart",
        "345m77p11z",
        drawn="1z",
        melds=(Meld("pong", "7z"), Meld("gang_concealed", "2s")),
        indicator="3p",
        seed=149,
    ),
    SampleHand(
        "hunr_diao.jpg",
        "混儿吊本混儿龙：翻三条，混儿是三条和四条",
        "Hundiao with the dragon of the joker suit: 3s flipped, jokers are 3s and 4s",
        "456m123456789s4s",
        drawn="5m",
        indicator="3s",
        dice=(5, 2),
        seed=152,
    ),
)


def write_samples(folder: Path = SAMPLES_FOLDER) -> None:
    """Render every sample and write `samples.json` beside them.

    Raises:
        ValueError: when a picture cannot be made small enough.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLE_HANDS:
        (folder / sample.file).write_bytes(_packed(sample.render(), sample.file))
    text = json.dumps({"samples": [s.truth() for s in SAMPLE_HANDS]}, ensure_ascii=False, indent=1)
    (folder / "samples.json").write_text(text + "\n", encoding="utf-8")


def _packed(scene: Scene, name: str) -> bytes:
    for quality in (90, 85, 80, 70):
        data = bytes(cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])
        if len(data) <= LARGEST:
            return data
    raise ValueError(f"{name} is larger than {LARGEST} bytes even at quality 70")
